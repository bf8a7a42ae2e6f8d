"""The kit passes every built-in retriever, and fails one that breaks a rule, for each rule."""

import dataclasses
import importlib.util
import itertools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import memlab
from memlab import registry, testing
from memlab.retrievers.base import Index
from memlab.retrievers.bm25 import BM25
from memlab.session import Session
from memlab.store.corpus import Corpus
from memlab.types import Origin, Query, Run

sys.path.insert(0, str(Path(__file__).parent / "embedding"))
from conftest import Hashed  # the fixtures of another folder

sys.path.pop(0)

EXTRAS = {"bm25s": "bm25s", "tantivy": "tantivy"}
# a model that needs no package and no time
SPECS = {"dense": "dense(embedding='hashed(dimension=32)')"}


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    monkeypatch.setitem(registry._added["embedding"], "hashed", Hashed)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """The kit's own workspace, opened once for all that break a rule."""
    root = testing.make_workspace(tmp_path_factory.mktemp("notes"))
    with Session(root, now=testing.NOW) as session:
        yield session.corpus()


@pytest.mark.parametrize("name", registry.names("retriever"))
def test_every_built_in_retriever_conforms(name):
    if name in EXTRAS and importlib.util.find_spec(EXTRAS[name]) is None:
        pytest.skip(f"needs extra 'lexical' for {name}")
    testing.check_retriever(SPECS.get(name, name))


@pytest.mark.parametrize(
    "spec",
    [
        "lexical(k1=1.2, b=0.75, neighbours=(), context=False)",
        "temporal(mode='filter', words=0.0, floor=0.0)",
        "entity(words=1.0)",
        "opinion(words=0.0, evidence=0.0)",
        "graph(entry='temporal', entries=1, decay=0.5, floor=0.0, fan=1, words=0.0)",
        "graph(embedding='hashed(dimension=32)')",
        "core(most=2)",
    ],
)
def test_parameters_make_no_difference_to_the_rules(spec, corpus):
    testing.check_retriever(spec, corpus)


def test_a_corpus_or_an_open_workspace_may_be_given(tmp_path):
    with memlab.open(testing.make_workspace(tmp_path), now="2025-11-30") as workspace:
        testing.check_retriever("lexical", workspace)
        testing.check_retriever(BM25(), workspace.corpus())


def test_a_workspace_in_which_nothing_is_found_shows_nothing(pages):
    with (
        memlab.open(pages({"memory.md": "zyzzyva"})) as workspace,
        pytest.raises(AssertionError, match="nothing was found by any question"),
    ):
        testing.check_retriever("lexical", workspace)


@dataclass(frozen=True)
class Call:
    """One search of a broken retriever: what was asked, and what `lexical` answers."""

    query: Query
    depth: int
    run: Run
    corpus: Corpus
    asked: int
    opened: int
    inner: Index

    def other(self, *, depth=None, **filters):
        query = dataclasses.replace(self.query, **filters)
        return self.inner.search(query, depth=self.depth if depth is None else depth)

    def with_(self, rows, scores):
        rows, scores = np.asarray(rows, dtype=np.int64), np.asarray(scores, dtype=float)
        return Run(self.run.retriever, rows, scores)


@dataclass(frozen=True)
class Broken:
    """`lexical`, each run changed by a function of its call."""

    change: Callable[[Call], object] = lambda call: call.run

    def index(self, corpus):
        return BrokenIndex(self, corpus)


class BrokenIndex:
    opened = itertools.count()

    def __init__(self, retriever, corpus):
        self.change, self.corpus, self.number = retriever.change, corpus, next(self.opened)
        self.inner = BM25().index(corpus)
        self.asked = 0

    def search(self, query, *, depth):
        self.asked += 1
        run = self.inner.search(query, depth=depth)
        return self.change(
            Call(query, depth, run, self.corpus, self.asked, self.number, self.inner)
        )

    def close(self):
        self.inner.close()


def ties_by_row(call):
    run = call.other(depth=5000)
    order = np.lexsort((run.rows, -run.scores))[: call.depth]
    return call.with_(run.rows[order], run.scores[order])


def twice(call):
    return call.with_(*(np.repeat(a, 2)[: call.depth] for a in (call.run.rows, call.run.scores)))


def moody(call):
    more = call.asked % 2 if call.depth == 10 else 0
    return call.with_(call.run.rows, (call.run.scores + more).round(5))


def fragile(call):
    if "\0" in call.query.text:
        raise ValueError("a null character")
    return call.run


NOT_ALLOWED = "a fact was found that the filters do not allow"
RULES = {
    "too many": (lambda c: c.other(depth=c.depth + 1), "facts at depth"),
    "unsorted": (
        lambda c: c.with_(c.run.rows[::-1], c.run.scores[::-1]),
        r"not in the order of \(-score, fact id\)",
    ),
    "ties by row": (ties_by_row, r"not in the order of \(-score, fact id\)"),
    "unrounded": (lambda c: c.with_(c.run.rows, c.run.scores / 3), "not rounded to 1e-5"),
    "infinite": (lambda c: c.with_(c.run.rows, c.run.scores + np.inf), "no finite number"),
    "twice": (twice, "a fact stands twice"),
    "scores by depth": (
        lambda c: c.with_(c.run.rows, (c.run.scores + c.depth).round(5)),
        "is no head of depth",
    ),
    "no filters": (
        lambda c: c.other(window=None, kinds=(), entities=(), origins=tuple(Origin)),
        NOT_ALLOWED,
    ),
    "no origins": (
        lambda c: c.other(origins=(Origin.WRITTEN, Origin.PROPOSED)),
        f"filtered by .*alone: {NOT_ALLOWED}",
    ),
    "no window": (lambda c: c.other(window=None), f"filtered by window: {NOT_ALLOWED}"),
    "no kinds": (lambda c: c.other(kinds=()), f"filtered by kinds: {NOT_ALLOWED}"),
    "no as_of": (
        lambda c: c.other(as_of=None),
        f"filtered by a day to know nothing after: {NOT_ALLOWED}",
    ),
    "no entities": (lambda c: c.other(entities=()), f"filtered by an entity: {NOT_ALLOWED}"),
    "moody": (moody, "asked twice: the runs differ"),
    "another when opened again": (
        lambda c: c.with_(c.run.rows, (c.run.scores + c.opened).round(5)),
        "closed and opened again: the runs differ",
    ),
    "fragile": (fragile, r"raised ValueError\('a null character'\)"),
    "from nothing": (
        lambda c: c.run if c.corpus.size else c.with_([0], [1.0]),
        "an empty corpus has no facts, but 'tea' found 1",
    ),
    "no run": (
        lambda c: c.run.rows.tolist() if c.corpus.size else c.run,
        "gave no Run, but list",
    ),
    "ragged": (lambda c: c.with_(c.run.rows, c.run.scores[:-1]), "as many scores as rows"),
    "foreign rows": (
        lambda c: c.with_([10**6], [1.0]) if c.depth and c.corpus.size else c.run,
        NOT_ALLOWED,
    ),
    "silent": (lambda c: c.with_([], []), "nothing was found by any question"),
}


def test_what_is_broken_here_is_broken_by_its_change_alone(corpus):
    testing.check_retriever(Broken(), corpus)


@pytest.mark.parametrize("name", RULES)
def test_a_broken_rule_is_told(name, corpus):
    change, message = RULES[name]
    with pytest.raises(AssertionError, match=message):
        testing.check_retriever(Broken(change), corpus)


def test_a_retriever_is_a_frozen_dataclass():
    @dataclass
    class Thawed:
        k: int = 1

        def index(self, corpus):
            return BM25().index(corpus)

    class Plain:
        def index(self, corpus):
            return BM25().index(corpus)

    with pytest.raises(AssertionError, match="Thawed is not frozen: k can be set"):
        testing.check_retriever(Thawed())
    with pytest.raises(AssertionError, match="Plain is no dataclass"):
        testing.check_retriever(Plain())


def test_parameters_print_back(monkeypatch):
    @dataclass(frozen=True)
    class Growing(Broken):
        k: int = 1

        def __post_init__(self):
            object.__setattr__(self, "k", self.k + 1)

    monkeypatch.setitem(registry._added["retriever"], "growing", Growing)
    with pytest.raises(
        AssertionError, match=r"growing prints as growing\(k=2\), which builds anot"
    ):
        testing.check_retriever("growing")


def test_what_is_read_from_a_query_is_text():
    class Reading(Broken):
        def index(self, corpus):
            index = BrokenIndex(self, corpus)
            index.read = lambda _: {"window": None}
            return index

    with pytest.raises(AssertionError, match=r"read gave \{'window': None\}, not texts by name"):
        testing.check_retriever(Reading())


def test_certainty_lies_in_zero_to_one():
    class Boasting(Broken):
        def index(self, corpus):
            index = BrokenIndex(self, corpus)
            index.certainty = lambda _: 1.5
            return index

    with pytest.raises(AssertionError, match=r"certainty gave 1.5, not a number from 0 to 1"):
        testing.check_retriever(Boasting())
