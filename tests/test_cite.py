import datetime as dt
import json

import pytest

from memlab.cite import COLUMNS, Recall
from memlab.types import Fact, Hit, Kind, Origin, Source, TimeRange

NOW = dt.datetime(2025, 11, 30, 12, tzinfo=dt.UTC)
DAY = dt.date(2025, 11, 27)
NASTY = "<script>alert('x')</script> & \"y\""
HITS = (
    Hit(
        Fact("f-1", Kind.OPINION, Origin.WRITTEN, NASTY, Source("memory/2025-11-27.md", 3, 4), DAY,
             TimeRange.day(DAY), ("Peter", "<b>"), 0.9),
        1, 2.5,
    ),
    Hit(Fact("f-2", Kind.WORLD, Origin.PROPOSED, "မောင်", Source("memory.md", 1, 1)), 2, 1.25),
)  # fmt: skip


@pytest.fixture
def recall():
    return Recall("what <b>now</b>?", NOW, HITS, ("2 undated facts were left out",))


def test_a_hit_as_plain_values(recall):
    first, second = recall.to_dict()["hits"]
    assert first == {
        "kind": "opinion", "timestamp": "2025-11-27", "entities": ["Peter", "<b>"],
        "content": NASTY, "source": "memory/2025-11-27.md#L3-L4", "score": 2.5, "id": "f-1",
        "origin": "written", "confidence": 0.9,
    }  # fmt: skip
    assert tuple(first)[: len(COLUMNS)] == COLUMNS
    assert (second["timestamp"], "confidence" in second) == (None, False)


def test_an_answer_as_plain_values_is_json(recall):
    found = json.loads(json.dumps(recall.to_dict()))
    assert found == recall.to_dict()
    assert (found["query"], found["now"]) == ("what <b>now</b>?", "2025-11-30T12:00:00+00:00")
    assert found["notes"] == ["2 undated facts were left out"]


def test_a_frame_has_a_row_for_each_rank(recall):
    frame = recall.to_frame()
    assert list(frame.index) == [1, 2]
    assert list(frame.columns) == [*COLUMNS, "id", "origin", "confidence", "superseded_by"]
    assert list(frame["source"]) == ["memory/2025-11-27.md#L3-L4", "memory.md#L1"]


def test_an_answer_without_hits_is_a_frame_with_the_same_columns(recall):
    empty = Recall("?", NOW, ())
    assert list(empty.to_frame().columns) == list(recall.to_frame().columns)
    assert len(empty.to_frame()) == len(empty) == 0
    assert not empty
    assert "<tbody></tbody>" in empty._repr_html_()


def test_markdown_has_words_and_details(recall):
    assert recall.to_markdown().splitlines() == [
        f"1. {NASTY}",
        "   [memory/2025-11-27.md#L3-L4 · opinion 0.90 · 2025-11-27 · @Peter · @<b>] 2.500",
        "2. မောင်",
        "   [memory.md#L1 · world · proposed] 1.250",
        "> 2 undated facts were left out",
    ]


def test_html_escapes_all_text_of_notes_and_questions(recall):
    shown = recall._repr_html_()
    assert "<script>" not in shown
    assert "<b>" not in shown
    assert "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt; &amp; &quot;y&quot;" in shown
    assert "မောင်" in shown


def test_an_answer_is_a_sequence_of_hits(recall):
    assert (len(recall), recall[0], recall[-1], recall[:1]) == (2, HITS[0], HITS[1], HITS[:1])
    assert list(recall) == list(HITS)
