"""What lasts: one line for each rule, and what comes near it and does not."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.store.evidence import Evidence
from memlab.tokens import tokens
from memlab.types import Kind
from memlab.verbs.durable import EXPERIENCE, WORLD, durable, groups, says_what_is
from memlab.workspace.slots import claims

W, B, O = Kind.WORLD, Kind.EXPERIENCE, Kind.OPINION  # noqa: E741  # the letters of the bullets


def fact(content, kind=W, day=1, id_=None, heads=("peter",)):
    return Evidence(
        id_ or f"f-{day:02}-{content[:9]}", kind, content, dt.date(2025, 11, day), "memory/x.md",
        heads=heads, names=tuple(head.title() for head in heads),
        tokens=frozenset(tokens(content)),
    )  # fmt: skip


def chosen(*facts):
    said = {one.id: claims(one.content, ["Peter"]) for one in facts}
    return [(one.page, one.fact.content, one.why) for one in durable(facts, said)]


@pytest.mark.parametrize(
    ("content", "kind", "page", "why"),
    [
        ("lives in Berlin", W, WORLD, "it says what Peter has one of: home"),
        ("moved to Berlin", B, WORLD, "it says what Peter has one of: home"),
        ("member of the choir since May 2019", W, WORLD, "it says how long it holds: 'since'"),
        ("never answered a letter", W, WORLD, "it says how long it holds: 'never'"),
        ("is allergic to penicillin", W, WORLD, "it says what is, and names no day"),
        ("læser altid avisen", W, WORLD, "it says how long it holds: 'altid'"),
        ("from now on I ask first", B, EXPERIENCE, "it draws a lesson: 'from now on'"),
        ("fell because of the ice", B, EXPERIENCE, "it gives a reason: 'because'"),
    ],
)
def test_each_rule_sends_a_fact_to_its_page(content, kind, page, why):
    assert chosen(fact(content, kind)) == [(page, content, why)]


@pytest.mark.parametrize(
    ("content", "kind", "heads"),
    [
        ("met Anna on November 3", W, ("peter",)),
        ("is in Graz on November 3", W, ("peter",)),
        ("painted the fence", W, ("peter",)),
        ("no longer lives in Berlin", W, ("peter",)),
        ("is allergic to penicillin", W, ()),
        ("is allergic to penicillin", B, ("peter",)),
        ("tea is best", O, ("peter",)),
        ("is " + "very " * 70 + "tall", W, ("peter",)),
    ],
)
def test_what_happened_once_or_of_nobody_does_not_last(content, kind, heads):
    assert chosen(fact(content, kind, heads=heads)) == []


def test_what_was_said_again_lasts_in_its_last_wording():
    first = fact("painted the garden fence green", day=1)
    again = fact("painted the garden fence green again", day=9)
    assert chosen(first, again) == [
        (WORLD, again.content, f"it was said before, on 2025-11-01 ({first.id})")
    ]


def test_one_event_told_twice_within_three_days_is_not_said_again():
    text = "painted the garden fence green"
    assert chosen(fact(text, day=1), fact(f"{text} again", day=4)) == []
    assert len(chosen(fact(text, day=1), fact(f"{text} again", day=5))) == 1


def test_facts_of_another_kind_or_entity_say_nothing_again():
    text = "painted the garden fence green"
    others = [fact(text, B, day=9, id_="f-b"), fact(text, day=9, id_="f-c", heads=("anna",))]
    assert chosen(fact(text), *others) == []


@pytest.mark.parametrize(
    ("text", "present"),
    [("She is tall", True), ("The queue is stored in SQLite", True), ("was tall and is ill", False),
     ("painted what is left", False), ("will be tall", False), ("tall", False), ("", False)],
)  # fmt: skip
def test_the_first_known_verb_tells_whether_a_text_says_what_is(text, present):
    assert says_what_is(text) is present


_words = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6, unique=True)


@given(st.lists(_words, max_size=12))
def test_the_prefix_filter_misses_no_pair(texts):
    facts = [
        Evidence(f"f-{n}", W, " ".join(words), dt.date(2025, 11, 1), "p", heads=("x",),
                 tokens=frozenset(words))
        for n, words in enumerate(texts)
    ]  # fmt: skip
    root = list(range(len(facts)))
    for n, one in enumerate(facts):
        for m, other in enumerate(facts[:n]):
            shared = len(one.tokens & other.tokens)
            if shared >= 0.6 * len(one.tokens | other.tokens):
                old, new = root[n], root[m]
                root = [new if r == old else r for r in root]
    by_root = {}
    for place, one in enumerate(facts):
        by_root.setdefault(root[place], set()).add(one.id)
    found = [{one.id for one in group} for group in groups(facts)]
    assert sorted(map(sorted, found)) == sorted(map(sorted, by_root.values()))
