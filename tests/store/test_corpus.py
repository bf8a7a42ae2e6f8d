import datetime as dt

import numpy as np
import pytest

from memlab.errors import CitationError
from memlab.session import Session
from memlab.types import Kind, Origin, Query, Source, TimeRange

NOW = dt.datetime(2025, 11, 30, 12, tzinfo=dt.UTC)
LOG = """\
## Retain

- W @Peter: lives in Graz from 2025-12-05 to 2025-12-08
- O(c=0.9) @Peter @Andy: tea is best
- B @Andy: bought tea

## Retain (proposed)

- W @Andy: moved
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    root = tmp_path_factory.mktemp("notes")
    (root / "memory").mkdir()
    (root / "memory" / "2025-11-27.md").write_text(LOG, encoding="utf-8")
    (root / "memory.md").write_text("Peter prints.\n", encoding="utf-8")
    with Session(root) as session:
        yield session.corpus()


def query(**filters):
    return Query("", NOW, **filters)


def window(first, last):
    return TimeRange(dt.date.fromisoformat(first), dt.date.fromisoformat(last))


@pytest.mark.parametrize(
    ("filters", "contents"),
    [
        ({}, ["Peter prints.", "bought tea", "lives in", "moved", "tea is best"]),
        ({"origins": (Origin.WRITTEN,), "kinds": (Kind.WORLD,)}, ["Peter prints.", "lives in"]),
        ({"kinds": (Kind.OPINION, Kind.EXPERIENCE)}, ["bought tea", "tea is best"]),
        ({"entities": ("peter",)}, ["Peter prints.", "lives in", "tea is best"]),
        ({"entities": ("peter", "andy")}, ["tea is best"]),
        ({"entities": ("nobody",)}, []),
        ({"window": window("2025-11-27", "2025-11-27")}, ["bought", "lives in", "moved", "tea is"]),
        ({"window": window("2025-12-08", "2025-12-31")}, ["lives in"]),
        ({"window": window("2025-12-09", "2025-12-31")}, []),
        ({"window": TimeRange(dt.date.min, dt.date.max)}, ["bought", "lives in", "moved", "tea"]),
    ],
)
def test_filters_allow_just_these_facts(corpus, filters, contents):
    rows = corpus.select(query(**filters))
    assert rows.dtype == np.int64
    assert rows.tolist() == sorted(rows.tolist())
    found = sorted(fact.content for fact in corpus.facts(rows))
    assert len(found) == len(contents)
    assert all(map(str.startswith, found, contents))


def test_a_filter_is_a_value_and_never_sql(corpus):
    assert corpus.select(query(entities=("'] OR true --",))).tolist() == []


def test_undated_facts_are_counted_only_where_a_window_left_them_out(corpus):
    assert corpus.undated(query()) == 0
    assert corpus.undated(query(window=window("2025-11-27", "2025-11-27"))) == 1
    wanted = query(window=window("2025-11-27", "2025-11-27"), kinds=(Kind.OPINION,))
    assert corpus.undated(wanted) == 0


def test_facts_come_in_the_order_of_their_rows(corpus):
    rows = corpus.select(query())[::-1]
    facts = corpus.facts(rows)
    assert [fact.id for fact in facts] == corpus.ids(rows)
    assert corpus.facts([]) == []


def test_a_fact_is_found_by_its_id(corpus):
    (fact,) = corpus.facts(corpus.select(query(kinds=(Kind.OPINION,))))
    assert corpus.find(fact.id) == fact
    assert (fact.confidence, fact.entities) == (0.9, ("Peter", "Andy"))
    assert str(fact.when) == "2025-11-27"
    with pytest.raises(CitationError, match="there is no such fact"):
        corpus.find("f-000000000000")


def test_facts_that_touch_lines_come_in_order(corpus):
    path = "memory/2025-11-27.md"
    assert [f.source.start for f in corpus.touching(Source(path, 1, 4))] == [3, 4]
    assert corpus.touching(Source(path, 1, 2)) == []
    assert corpus.touching(Source("absent.md", 1, 2)) == []


def test_counts_tell_kinds_and_days(corpus):
    assert corpus.counts() == {
        "pages": 2,
        "facts": 5,
        "kinds": {"world": 3, "experience": 1, "opinion": 1, "observation": 0},
        "entities": 2,
        "first_day": "2025-11-27",
        "last_day": "2025-11-27",
    }


def test_a_corpus_cannot_be_written(corpus):
    import duckdb

    with pytest.raises(duckdb.InvalidInputException):
        corpus.connection.execute("DELETE FROM facts")


def test_what_stands_around_a_fact_is_of_its_section(corpus):
    row = {fact.content: row for row, fact in enumerate(corpus.facts(range(corpus.size)))}
    around = lambda row, count: [fact.content for fact in corpus.around(row, count)]  # noqa: E731
    assert around(row["tea is best"], 0) == ["tea is best"]
    section = ["lives in Graz from 2025-12-05 to 2025-12-08", "tea is best", "bought tea"]
    assert around(row["tea is best"], 1) == section
    assert around(row["bought tea"], 1) == section[1:]
    assert around(row["bought tea"], 9) == section
    assert around(row["moved"], 9) == ["moved"]
