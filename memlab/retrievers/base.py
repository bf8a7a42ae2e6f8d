"""What a retriever is: parameters in a frozen dataclass that makes indexes which answer queries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from memlab.types import Run

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memlab.store.corpus import Corpus
    from memlab.types import Query


@runtime_checkable
class Index(Protocol):
    """A retriever bound to one corpus, ready to answer."""

    def search(self, query: Query, *, depth: int) -> Run:
        """The best facts for a query, at most ``depth``, among those that its filters allow.

        Scores are rounded to 1e-5 and ties broken by fact id, so that runs repeat.
        """
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...


@runtime_checkable
class Retriever(Protocol):
    """A strategy: its fields are its parameters, its constructor only stores them."""

    def index(self, corpus: Corpus) -> Index:
        """Bind to a corpus; build what is derived from it, or open it where it was built before."""
        ...


def run_of(retriever: str, pairs: Iterable[tuple[int, float]]) -> Run:
    """A run from (row, score) pairs that are in order already."""
    import numpy as np

    rows, scores = zip(*pairs, strict=True) if (pairs := list(pairs)) else ((), ())
    return Run(retriever, np.array(rows, dtype=np.int64), np.array(scores, dtype=np.float64))
