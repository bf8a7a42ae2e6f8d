"""The reranker that puts what holds now before what it took the place of."""

import datetime as dt

import numpy as np
import pytest

import memlab
from memlab.rerank.base import Extending, Reranker
from memlab.rerank.succession import Succession
from memlab.types import Query, Run, TimeRange

NOW = dt.datetime(2025, 12, 31, tzinfo=dt.UTC)
LOGS = {
    "memory/2025-01-01.md": "## Retain\n- W @Peter: lives in Berlin\n- W @Anna: lives in Rome\n",
    "memory/2025-02-01.md": "## Retain\n- W @Peter: moved to Lisbon\n",
    "memory/2025-03-01.md": "## Retain\n- W @Peter: now lives in Porto\n- B @Anna: sang\n",
}
BERLIN, ROME, LISBON, PORTO, SANG = range(5)


@pytest.fixture
def workspace(pages):
    with memlab.open(pages(LOGS), now="2025-12-31") as opened:
        yield opened


def ordered(corpus, scores, **filters):
    """Rows in their new order, given old scores by row."""
    rows = sorted(scores, key=lambda row: -scores[row])
    run = Run("test", np.array(rows), np.array([scores[row] for row in rows]))
    query = Query("where", NOW, **filters)
    longer = Succession().extend(corpus, query, run)
    found = Succession().rerank(corpus, query, longer)
    assert len(set(longer.rows.tolist())) == len(longer) == len(found)
    return [int(longer.rows[place]) for place in np.argsort(-found, kind="stable")]


def test_it_is_a_reranker_that_extends():
    assert isinstance(Succession(), Reranker)
    assert isinstance(Succession(), Extending)


def test_the_rows_are_those_of_the_lines(workspace):
    corpus = workspace.corpus()
    assert [fact.content for fact in corpus.facts(range(5))] == [
        "lives in Berlin", "lives in Rome", "moved to Lisbon", "now lives in Porto", "sang",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("scores", "order"),
    [
        # the newer was under it: raised to right above it
        ({BERLIN: 0.9, ROME: 0.8, LISBON: 0.2, PORTO: 0.1}, [PORTO, LISBON, BERLIN, ROME]),
        ({ROME: 0.9, BERLIN: 0.5, SANG: 0.3, PORTO: 0.1}, [ROME, PORTO, BERLIN, SANG]),
        # it was above it: stays where it is
        ({PORTO: 0.9, ROME: 0.5, BERLIN: 0.1}, [PORTO, ROME, BERLIN]),
        # it was not found: brought in, the last of the chain
        ({ROME: 0.9, BERLIN: 0.5, SANG: 0.3}, [ROME, PORTO, BERLIN, SANG]),
        ({BERLIN: 0.9, LISBON: 0.5}, [PORTO, LISBON, BERLIN]),
        ({LISBON: 0.5, ROME: 0.5}, [PORTO, LISBON, ROME]),
        # nothing superseded: left alone
        ({ROME: 0.9, PORTO: 0.5, SANG: 0.5}, [ROME, PORTO, SANG]),
        ({}, []),
    ],
)
def test_the_order(workspace, scores, order):
    assert sorted(ordered(workspace.corpus(), scores)) == sorted(order)
    if len(set(scores.values())) == len(scores):
        assert ordered(workspace.corpus(), scores) == order


def test_scores_change_as_little_as_they_can(workspace):
    run = Run("test", np.array([BERLIN, ROME, PORTO]), np.array([0.9, 0.8, 0.1]))
    scores = Succession().rerank(workspace.corpus(), Query("where", NOW), run)
    assert scores == pytest.approx([0.9, 0.8, 0.90001])
    alone = Run("test", np.array([ROME, PORTO]), np.array([0.8, 0.1]))
    assert Succession().rerank(workspace.corpus(), Query("where", NOW), alone) is alone.scores
    assert Succession().extend(workspace.corpus(), Query("where", NOW), alone) is alone


def test_what_a_filter_leaves_out_is_not_brought_in(workspace):
    corpus = workspace.corpus()
    until = TimeRange(dt.date.min, dt.date(2025, 2, 15))
    assert ordered(corpus, {BERLIN: 0.5}, window=until) == [LISBON, BERLIN]
    assert ordered(corpus, {BERLIN: 0.5}, entities=("anna",)) == [BERLIN]


def test_what_was_not_known_yet_changes_nothing(workspace):
    corpus = workspace.corpus()
    assert ordered(corpus, {BERLIN: 0.5}, as_of=dt.date(2025, 1, 31)) == [BERLIN]
    assert ordered(corpus, {BERLIN: 0.5}, as_of=dt.date(2025, 2, 1)) == [LISBON, BERLIN]


def test_in_a_pipeline_it_comes_out_at_the_top_and_marked(workspace):
    plain = workspace.recall("Berlin", retriever="lexical")
    assert [hit.fact.content for hit in plain] == ["lives in Berlin"]
    found = workspace.recall("Berlin", retriever="lexical | succession")
    assert [hit.fact.content for hit in found] == ["now lives in Porto", "lives in Berlin"]
    for answer in (plain, found):
        assert str(answer[-1].fact.superseded_by) == "memory/2025-03-01.md#L2"
        assert answer.to_dict()["hits"][-1]["superseded_by"] == "memory/2025-03-01.md#L2"
        assert "superseded by memory/2025-03-01.md#L2" in answer.to_markdown()
    assert "superseded_by" not in found.to_dict()["hits"][0]
    assert workspace.recall("Berlin", k=1, retriever="lexical | succession")[0].rank == 1


def test_it_changes_no_answer_of_the_rich_workspace_for_the_worse(indexed):
    """No fact there is superseded within a slot, so both orders are one."""
    queries = ["rent", "where does Søren work", "status of the queue", "which version runs now"]
    for query in queries:
        plain = indexed.recall(query, retriever="lexical | weighted", now="2025-11-30")
        found = indexed.recall(query, retriever="lexical | weighted | succession", now="2025-11-30")
        assert [hit.fact.id for hit in plain] == [hit.fact.id for hit in found]
