import datetime as dt

import pytest

import memlab
from memlab.opinions.ledger import opinions_of
from memlab.types import Source
from memlab.workspace import parts

LOG = "memory/2025-11-27.md"
BULLET = "## Retain\n\n- O(c=0.9) @Peter: prefers concise replies\n"


def day(text):
    return dt.date.fromisoformat(text)


@pytest.fixture
def workspace(pages):
    with memlab.open(pages({LOG: BULLET}), refresh="always") as opened:
        (fact,) = opened.corpus().facts([0])
        body = (
            "**0.60** · @Peter · updated 2025-12-05\n"
            f'- 2025-11-27 for {fact.id} → 0.90 "prefers concise replies"\n'
            '- 2025-12-01 against f-000000000000 → 0.81 "gone for good"\n'
            "- 2025-12-05 hand → 0.60"
        )
        text = parts.append("## Replies are short\n", "opinion o-7h2kq3", body)
        pages({"bank/opinions.md": f"{text}\n## Tea suits Peter\n"})
        yield opened


def test_an_opinion_cites_what_it_rests_on(workspace):
    first, second = opinions_of(workspace.corpus())
    assert (first.id, first.statement, first.entities) == (
        "o-7h2kq3", "Replies are short", ("peter",),
    )  # fmt: skip
    assert (first.confidence, first.updated) == (0.6, day("2025-12-05"))
    assert [entry.source for entry in first.evidence] == [Source(LOG, 3, 3), None]
    assert workspace.corpus().facts([first.row])[0].content == first.statement
    assert first.source == Source("bank/opinions.md", 1, 1)
    assert (second.id, second.entities, second.confidence) == ("", ("peter",), 0.7)


def test_the_confidence_of_any_day_follows_from_the_page(workspace):
    first = opinions_of(workspace.corpus())[0]
    assert first.trajectory() == [
        (day("2025-11-27"), 0.9), (day("2025-12-01"), 0.81), (day("2025-12-05"), 0.6),
    ]  # fmt: skip
    assert [first.at(day(d)) for d in ("2025-11-26", "2025-11-30", "2026-01-01")] == [
        None, 0.9, 0.6,
    ]  # fmt: skip


def test_as_of_leaves_out_what_came_later(workspace):
    (then,) = opinions_of(workspace.corpus(), as_of=day("2025-12-04"))
    assert (then.confidence, str(then.updated), len(then.entries)) == (0.81, "2025-12-01", 2)
    assert opinions_of(workspace.corpus(), as_of=day("2025-11-26")) == []


def test_a_bold_number_that_a_person_just_changed_counts(workspace, pages):
    text = (workspace.root / "bank/opinions.md").read_text(encoding="utf-8")
    pages({"bank/opinions.md": text.replace("**0.60**", "**20%**")})
    assert opinions_of(workspace.corpus())[0].confidence == 0.2


def test_what_a_person_wrote_as_a_heading_is_an_opinion_without_a_ledger(tiny):
    with memlab.open(tiny) as workspace:
        (opinion,) = opinions_of(workspace.corpus())
        assert (opinion.id, opinion.statement) == ("", "Brass type is worth its price")
        (tiny / "bank/opinions.md").unlink()
        assert opinions_of(workspace.corpus()) == []
