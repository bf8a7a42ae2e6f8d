"""A small workspace with questions of its own, and retrievers whose ranking is known."""

import dataclasses
from pathlib import Path

import pytest

from memlab.retrievers.base import run_of

DAY = """# 2025-11-27

The printer arrived.
It took two people to carry it.

- Peter moved to Graz
- Andy kept the keys
- the relay was restarted at noon

| Stock | Left |
|---|---|
| board | 40 |
"""
QUERIES = """\
{"id": "q1", "query": "who moved to Graz", "category": "person", "now": "2025-11-30"}
{"id": "q2", "query": "how did the printer arrive", "category": "thing", "now": "2025-11-30"}
{"id": "q3", "query": "what does Andy mean by the printer", "category": "none", "now": "2025-11-30"}
"""
QRELS = """\
query\tsource\tgrade\tquote
q1\tmemory/2025-11-27.md#L6\t1\tmoved to Graz
q1\tmemory/2025-11-27.md#L7\t0\tkept the keys
q2\tmemory/2025-11-27.md#L3\t1\tprinter arrived
q2\tmemory/2025-11-27.md#L12\t1\tboard
q3\tmemory/2025-11-27.md#L8\t0\trelay
"""


@dataclasses.dataclass(frozen=True)
class InOrder:
    """Finds the facts in the order of their rows, whatever is asked."""

    backwards: bool = False

    def index(self, corpus):
        return _InOrder(self, corpus)


class _InOrder:
    def __init__(self, retriever, corpus):
        self.backwards = retriever.backwards
        self.corpus = corpus

    def search(self, query, *, depth):
        rows = self.corpus.select(query)[:: -1 if self.backwards else 1][:depth]
        return run_of("in-order", [(row, float(len(rows) - i)) for i, row in enumerate(rows)])

    def close(self):
        pass


@dataclasses.dataclass(frozen=True)
class Broken:
    def index(self, corpus):  # noqa: ARG002  # the protocol
        raise RuntimeError("no luck today")


@pytest.fixture(autouse=True)
def _cache_apart(tmp_path_factory, monkeypatch):
    """No test writes into the user's own cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A workspace of one page; returns the file of its questions."""
    folder = tmp_path / "notes" / "memory"
    folder.mkdir(parents=True)
    (folder / "2025-11-27.md").write_text(DAY, encoding="utf-8")
    (tmp_path / "notes.queries.jsonl").write_text(QUERIES, encoding="utf-8")
    (tmp_path / "notes.qrels.tsv").write_text(QRELS, encoding="utf-8")
    return tmp_path / "notes.queries.jsonl"


@pytest.fixture
def in_order():
    return InOrder()


@pytest.fixture
def backwards():
    return InOrder(backwards=True)


@pytest.fixture
def broken():
    return Broken()
