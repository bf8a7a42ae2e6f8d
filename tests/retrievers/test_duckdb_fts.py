import datetime as dt
from math import log10

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import memlab
from memlab.errors import ParameterError
from memlab.retrievers.base import Index, Retriever
from memlab.retrievers.duckdb_fts import DuckDBFTS
from memlab.types import Kind, Query

NOW = dt.datetime(2025, 11, 30, 12, tzinfo=dt.UTC)
TEXTS = ["tea", "tea tea coffee", "coffee and milk and sugar", "milk"]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    root = tmp_path_factory.mktemp("notes")
    (root / "memory.md").write_text("\n\n".join(TEXTS), encoding="utf-8")
    with memlab.open(root, refresh="never") as opened:
        opened.refresh()
        yield opened


@pytest.fixture(scope="module")
def index(workspace):
    return workspace.index(workspace.corpus(), "duckdb-fts")


def search(index, text, depth=10, **filters):
    return index.search(Query(text, NOW, **filters), depth=depth)


def test_it_is_a_retriever_and_its_index_an_index(index):
    assert isinstance(DuckDBFTS(), Retriever)
    assert isinstance(index, Index)


def test_a_score_is_okapi_bm25(workspace, index):
    """Four facts of 1, 3, 5 and 1 words; tea stands in two of them, twice in the second."""
    n, df, average = 4, 2, (1 + 3 + 5 + 1) / 4
    idf = log10((n - df + 0.5) / (df + 0.5) + 1)

    def bm25(tf, length):
        return round(idf * tf * 2.2 / (tf + 1.2 * (0.4 + 0.6 * length / average)), 5)

    run = search(index, "tea")
    found = [fact.content for fact in workspace.corpus().facts(run.rows)]
    assert dict(zip(found, run.scores, strict=True)) == {
        "tea": bm25(1, 1), "tea tea coffee": bm25(2, 3),
    }  # fmt: skip
    assert run.retriever == "duckdb-fts"


def test_parameters_change_scores_and_stand_in_the_name(workspace):
    run = search(workspace.index(workspace.corpus(), "duckdb-fts(k1=0.0)"), "tea")
    assert run.retriever == "duckdb-fts(k1=0.0)"
    assert len(set(run.scores.tolist())) == 1  # with k1 = 0 repeats and length count nothing


@pytest.mark.parametrize("parameters", [{"k1": -0.1}, {"b": 1.1}, {"b": -1}])
def test_parameters_have_bounds(parameters):
    with pytest.raises(ParameterError, match=r"must (be at least 0|lie in 0 to 1), got"):
        DuckDBFTS(**parameters)


def test_ties_are_broken_by_id(workspace, index):
    run = search(index, "tea milk")
    ids = workspace.corpus().ids(run.rows)
    assert list(zip(-run.scores, ids, strict=True)) == sorted(zip(-run.scores, ids, strict=True))


def test_depth_and_filters_bound_a_run(index):
    assert len(search(index, "tea coffee milk", depth=2)) == 2
    assert len(search(index, "tea", kinds=(Kind.OPINION,))) == 0


@pytest.mark.parametrize(
    "text",
    ["", "   ", "?", "…", "🙂", "'; DROP TABLE docs; --", '"tea', "-tea", "te*", "(", "NOT", "\\",
     "%", "?" * 100, "tea' OR '1'='1", "\0", "\ud800"],
)  # fmt: skip
def test_any_query_is_words_and_nothing_else(index, text):
    run = search(index, text)
    assert len(run) == (2 if "tea" in text else 0)


@settings(max_examples=40)
@given(text=st.text())
def test_no_query_is_an_error(index, text):
    run = search(index, text)
    assert (run.scores[:-1] >= run.scores[1:]).all()


def test_an_index_is_built_once_and_opened_afterwards(workspace):
    file = workspace.corpus().derived("duckdb-fts")
    before = file.stat().st_mtime_ns
    again = DuckDBFTS().index(workspace.corpus())
    assert len(search(again, "tea")) == 2
    again.close()
    assert file.stat().st_mtime_ns == before


def test_a_damaged_index_is_built_again(pages):
    root = pages({"memory.md": "tea"})
    with memlab.open(root) as opened:
        opened.recall("tea")
        file = opened.corpus().derived("duckdb-fts")
    file.write_bytes(b"damaged")
    with memlab.open(root) as opened:
        assert opened.recall("tea")[0].fact.content == "tea"


def test_a_snapshot_that_is_built_again_gets_an_index_that_fits(pages):
    """Rows of a full build differ from those of a build that carried pages over."""
    root = pages({"a.md": "one", "b.md": "two"})
    with memlab.open(root, refresh="never") as opened:
        opened.refresh()
        pages({"a.md": "three"})
        opened.refresh()
        assert opened.recall("three")[0].fact.content == "three"
        opened.refresh(full=True)
        assert opened.recall("three")[0].fact.content == "three"
        assert opened.recall("two")[0].fact.content == "two"
