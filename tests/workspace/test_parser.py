import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.types import Kind, Origin, TimeRange
from memlab.workspace import parts
from memlab.workspace.markdown import split_lines
from memlab.workspace.parser import fact_id, parse
from memlab.workspace.reader import Page

DAY = dt.date(2025, 11, 27)
LOG = "memory/2025-11-27.md"


def parsed(text, path=LOG):
    return parse(Page(path, text, "0"))


def facts(text, path=LOG):
    return [one.fact for one in parsed(text, path).facts]


def test_a_retain_bullet_is_a_fact():
    (fact,) = facts("## Retain\n\n- O(c=0.95) @Peter @Andy: replies\n  are short\n")
    assert (fact.kind, fact.confidence, fact.entities) == (Kind.OPINION, 0.95, ("Peter", "Andy"))
    assert fact.content == "replies are short"
    assert str(fact.source) == f"{LOG}#L3-L4"
    assert (fact.day, fact.when, fact.heading) == (DAY, TimeRange.day(DAY), "Retain")


def test_a_head_counts_only_in_a_retain_section():
    outside, inside = facts("- W @Peter: x\n\n### retain\n- W @Peter: x\n")
    assert (outside.content, outside.kind) == ("W @Peter: x", Kind.EXPERIENCE)
    assert (inside.content, inside.kind) == ("x", Kind.WORLD)


def test_a_retain_section_ends_with_the_next_heading_of_its_level():
    text = "## Retain\n- W: a\n### Sub\n- W: b\n## Other\n- W: c\n"
    assert [fact.content for fact in facts(text)] == ["a", "b", "W: c"]


def test_proposed_bullets_are_of_that_origin():
    (fact,) = facts("## Retain (proposed)\n- W @Peter: moved <!-- from L3-L7 -->\n")
    assert (fact.origin, fact.content) == (Origin.PROPOSED, "moved")


def test_a_bullet_that_does_not_parse_is_kept_with_a_trouble():
    page = parsed("## Retain\n\n- X @Peter: gone\n")
    assert [(f.fact.content, f.fact.kind) for f in page.facts] == [
        ("X @Peter: gone", Kind.EXPERIENCE)
    ]
    (trouble,) = page.troubles
    assert str(trouble).startswith(
        f"{LOG}#L3: no Retain bullet, kept as experience: 'X' is no kind"
    )


def test_everything_a_person_wrote_becomes_a_fact():
    text = "words\n\n> [!note]\n> called\n\n| a |\n|---|\n| 1 |\n\n```py\nx = 1\n```\n- [ ] do\n"
    assert [fact.content for fact in facts(text)] == [
        "words", "[!note] called", "1", "x = 1", "[ ] do",
    ]  # fmt: skip


def test_a_heading_with_nothing_under_it_is_a_fact():
    assert [fact.content for fact in facts("# Day\n\n## Bought tea\n\n## Then\ntext\n")] == [
        "Bought tea", "text",
    ]  # fmt: skip


def test_the_headings_above_a_fact_are_its_heading():
    last = facts("# A\n\n## B\n\nx\n\n### C\n\ny\n\n## D\n\nz\n")
    assert [fact.heading for fact in last] == ["A > B", "A > B > C", "A > D"]


def test_an_opinion_stands_as_a_heading_of_its_page():
    found = facts("# Opinions\n\n## Tea is best\n\nSaid so.\n", "bank/opinions.md")
    assert [(f.content, f.kind, f.confidence) for f in found] == [
        ("Tea is best", Kind.OPINION, 0.7), ("Said so.", Kind.OPINION, 0.7),
    ]  # fmt: skip


def test_a_generated_part_is_an_observation_and_its_bullets_are_text():
    text = parts.append("# Peter\n\n## Retain\n", "summary", "- W @Peter: repeated (2025-11-27)")
    (fact,) = facts(text)
    assert (fact.kind, fact.origin) == (Kind.OBSERVATION, Origin.GENERATED)
    assert fact.content == "W @Peter: repeated (2025-11-27)"


def test_comments_are_no_words_but_supersede_and_keep():
    text = (
        "## Retain\n- W: new <!-- supersedes f-0123456789ab -->\n- W: old"
        " <!-- memlab:keep f-0123456789ab-2 -->\n\n<!-- hidden -->\n"
    )
    page = parsed(text)
    assert [f.fact.content for f in page.facts] == ["new", "old"]
    assert [(f.supersedes, f.keeps) for f in page.facts] == [
        ("f-0123456789ab", None), (None, "f-0123456789ab-2"),
    ]  # fmt: skip


def test_an_entity_page_has_its_name_and_aliases():
    page = parsed("---\naliases: [Pete]\n---\n# Peter Pan\n", "bank/entities/Peter.md")
    assert (page.name, page.aliases) == ("Peter Pan", ("Pete", "Peter"))
    assert parsed("# Day\n").name is None


def test_a_note_is_dated_by_its_front_matter_and_a_log_by_its_name():
    matter = "---\ndate: 2025-11-20\n---\ntext\n"
    assert facts(matter, "memory/notes/relay.md")[0].day == dt.date(2025, 11, 20)
    assert facts(matter)[0].day == DAY
    (undated,) = facts("met yesterday\n", "memory/notes/relay.md")
    assert (undated.day, undated.when) == (None, None)


def test_a_time_in_the_text_wins_over_the_day_of_the_page():
    (fact,) = facts("closed from 2025-12-01 to 2025-12-05\n")
    assert str(fact.when) == "2025-12-01/2025-12-05"


def test_faults_of_front_matter_and_parts_are_troubles_with_lines():
    page = parsed("---\na: [\n---\ntext\n\n<!-- memlab:begin a -->\n")
    assert [trouble.line for trouble in page.troubles] == [3, 6]


@pytest.mark.parametrize(
    "other",
    [
        fact_id(dt.date(2025, 11, 28), LOG, ("Peter",), "x"),
        fact_id(DAY, LOG, ("Andy",), "x"),
        fact_id(DAY, LOG, ("Peter",), "y"),
        fact_id(None, LOG, ("Peter",), "x"),
    ],
)
def test_an_id_depends_on_day_entities_and_content(other):
    assert fact_id(DAY, LOG, ("Peter",), "x") != other


def test_an_id_does_not_depend_on_kind_place_or_spelling():
    one = fact_id(DAY, LOG, ("Peter", "The Castle"), "x")
    assert one == fact_id(DAY, "memory/other.md", ("the-castle", "@PETER"), "x")
    first, second = facts("## Retain\n- W @Peter: x\n\ntext\n- B @Peter: x\n")[0::2]
    assert first.id == second.id


_pieces = st.sampled_from(
    ["# H", "## Retain", "- W @Peter: x", "- O(c=2): bad", "  - sub", "> quote", "```", "    code",
     "| a | b |", "|---|---|", "text <!-- c -->", "", "---", "<!-- memlab:begin a -->", "<div>",
     "<!-- memlab:end a -->", "မောင်မောင် လာသည်", "<!--", "-->", "name: [x"]
)  # fmt: skip


@given(st.lists(_pieces), st.sampled_from(["\n", "\r\n"]))
def test_the_words_of_every_fact_stand_on_its_lines(lines, ending):
    page = parsed(ending.join(lines))
    there = split_lines(ending.join(lines))
    for one in page.facts:
        source = one.fact.source
        cited = " ".join(there[source.start - 1 : source.end])
        assert source.end - source.start < 5
        assert all(word in cited for word in one.fact.content.split() if word.isalnum())


@given(st.text())
def test_any_text_parses_the_same_way_twice(text):
    assert parsed(text) == parsed(text)
