"""Facts on their way from a page to the snapshot."""

import datetime as dt
import json

from hypothesis import given
from hypothesis import strategies as st

from memlab.store import ingest
from memlab.types import Kind, Origin, TimeRange
from memlab.workspace.parser import ParsedFact

DAY = dt.date(2025, 11, 27)
_text = st.text(alphabet=st.characters(exclude_categories=["Cs"])) | st.sampled_from(['"\\', "\n"])


@given(
    content=_text, path=_text, heads=st.lists(_text).map(tuple), tokens=_text,
    day=st.none() | st.dates(), confidence=st.none() | st.floats(0, 1),
    keeps=st.none() | st.just("f-000000000000-2"),
)  # fmt: skip
def test_a_fact_is_one_line_of_json(content, path, heads, tokens, day, confidence, keeps):
    when = day and TimeRange(DAY, DAY + dt.timedelta(days=1))
    fact = ParsedFact(
        "f-y7dgtssmyfvf", path, 3, 4, Kind.WORLD, Origin.WRITTEN, content, path, day, when,
        (TimeRange.day(dt.date(1, 1, 2)),), confidence, heads, heads, (), None, keeps, tokens,
        tokens,
    )  # fmt: skip
    line = ingest._fact_line(fact)
    assert line.count("\n") == 1
    row = json.loads(line)
    assert list(row) == list(ingest.FACT_COLUMNS)
    assert row == {
        "base_id": "f-y7dgtssmyfvf", "path": path, "start_line": 3, "end_line": 4, "kind": "world",
        "origin": "written", "content": content, "heading": path, "day": day and day.isoformat(),
        "when_start": day and "2025-11-27", "when_end": day and "2025-11-28",
        "times": [2, 2], "confidence": confidence, "heads": list(heads), "tags": list(heads),
        "links": [], "supersedes": None, "keeps": keeps, "tokens": tokens, "context": tokens,
    }  # fmt: skip
