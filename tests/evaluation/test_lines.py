"""From lines to facts."""

import pytest

import memlab
from memlab.evaluation.lines import Lines, resolve
from memlab.evaluation.model import Judgment, StaleJudgmentError
from memlab.types import Source

PAGE = "memory/2025-11-27.md"


@pytest.fixture
def root(notes):
    return notes.with_name("notes")


@pytest.fixture
def lines(root):
    with memlab.open(root) as workspace:
        return Lines(workspace.corpus())


def spans(lines, facts):
    return [lines.cite(fact).rpartition("#")[2] for fact in facts]


def test_a_hit_of_several_lines_is_unpacked_in_the_order_of_lines(lines):
    found = lines.unpack([Source(PAGE, 6, 8), Source(PAGE, 3, 4), Source(PAGE, 7, 7)])
    assert spans(lines, found) == ["L6", "L7", "L8", "L3-L4"]


def test_a_hit_holds_the_facts_that_it_covers_whole(lines):
    assert spans(lines, lines.unpack([Source(PAGE, 4, 6)])) == ["L6"]


def test_a_hit_inside_a_fact_is_that_fact(lines):
    assert spans(lines, lines.unpack([Source(PAGE, 4, 4)])) == ["L3-L4"]


def test_a_judged_line_is_the_fact_around_it_with_its_best_grade(lines, root):
    judged = [Judgment("q", 0, Source(PAGE, 3, 3)), Judgment("q", 2, Source(PAGE, 4, 4))]
    assert list(resolve(judged, lines, root)["q"].values()) == [2]


def test_a_line_without_a_fact_stays_and_is_never_found(lines, root):
    assert resolve([Judgment("q", 1, Source(PAGE, 2, 2))], lines, root) == {"q": {f"{PAGE}#L2": 1}}


def test_words_that_changed_are_refused_by_name(lines, root):
    judged = [Judgment("q", 1, Source(PAGE, 6, 6), "moved to Wien")]
    with pytest.raises(StaleJudgmentError, match=r"q memory/2025-11-27\.md#L6"):
        resolve(judged, lines, root)


def test_a_fact_that_moved_is_followed_by_its_id(lines, root):
    (fact,) = lines.touching(Source(PAGE, 6, 6))
    page = root / PAGE
    page.write_text("Some words before.\n\n" + page.read_text(encoding="utf-8"), encoding="utf-8")
    with memlab.open(root) as workspace:
        later = Lines(workspace.corpus())
    judged = [Judgment("q", 1, Source(PAGE, 6, 6), "moved to Graz", fact)]
    assert resolve(judged, later, root) == {"q": {fact: 1}}
    assert later.cite(fact) == f"{PAGE}#L8"


def test_a_fact_whose_words_changed_is_stale(lines, root):
    with pytest.raises(StaleJudgmentError, match="Judge these lines again"):
        resolve([Judgment("q", 1, Source(PAGE, 6, 6), "", "f-000000000000")], lines, root)
