"""What a retriever is: parameters in a frozen dataclass, from which indexes that answer come."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from memlab.errors import ParameterError, StoreError
from memlab.types import Run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from memlab.store.corpus import Corpus
    from memlab.types import Query

_T = TypeVar("_T")
_Rows = TypeVar("_Rows", bound="np.integer[Any]")

SLACK = 2e-5
"""Scores nearer than this may change places when they are rounded to 1e-5."""


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


def open_or_build(
    corpus: Corpus, path: Path, open_: Callable[[], _T], build: Callable[[Path], None]
) -> _T:
    """Open what was derived from a corpus before; build it where it is not there, or is damaged.

    Args:
        corpus: The corpus.
        path: Where it lies, or will: what ``corpus.derived`` gave.
        open_: Opens it, or raises `StoreError`.
        build: Builds it under the path that it is given.
    """
    if path.exists():
        with suppress(StoreError):
            return open_()
    with corpus.place.lock(name="deriving"):
        if path.exists():
            with suppress(StoreError):
                return open_()
        with corpus.place.aside() as folder:
            build(folder / path.name)
            corpus.place.put(folder / path.name, path)
    return open_()


def run_of(retriever: str, pairs: Iterable[tuple[int, float]]) -> Run:
    """A run from (row, score) pairs that are in order already."""
    import numpy as np

    rows, scores = zip(*pairs, strict=True) if (pairs := list(pairs)) else ((), ())
    return Run(retriever, np.array(rows, dtype=np.int64), np.array(scores, dtype=np.float64))


def distinct(rows: NDArray[_Rows]) -> NDArray[_Rows]:
    """Rows, rising, none twice; on thousands of rows several times as fast as ``numpy.unique``.

    Nor does it import ``numpy.ma``, as that does, which takes a tenth of a short command.
    """
    import numpy as np

    rows = np.sort(rows)
    first = np.ones(len(rows), dtype=bool)
    np.not_equal(rows[1:], rows[:-1], out=first[1:])
    return rows[first]


def best(
    retriever: str, corpus: Corpus, rows: NDArray[Any], scores: NDArray[Any], depth: int
) -> Run:
    """The best ``depth`` of scored rows as a run: scores rounded, ties by fact id.

    Args:
        retriever: The spec of the retriever.
        corpus: What the rows are of.
        rows: Rows, none twice, in any order; shape (n,).
        scores: Their scores; shape (n,).
        depth: How many to keep.
    """
    import numpy as np

    if len(rows) > depth:
        worst = np.partition(scores, -depth)[-depth]
        near = scores >= worst - SLACK
        rows, scores = rows[near], scores[near]
    rounded = scores.astype(np.float64).round(5)
    order = np.lexsort((corpus.arrays["tie"][rows], -rounded))[:depth]
    return Run(retriever, rows[order].astype(np.int64), rounded[order])


def widen(
    retriever: str,
    corpus: Corpus,
    search: Callable[[int], list[tuple[int, float]]],
    depth: int,
    allowed: NDArray[np.bool_] | None,
) -> Run:
    """The best ``depth`` allowed rows of an engine that can only say its best so many.

    It is asked for more until enough of them are allowed and none beyond could tie with the last.

    Args:
        retriever: The spec of the retriever.
        corpus: What the rows are of.
        search: Gives the engine's best (row, score) pairs, so many.
        depth: How many to keep.
        allowed: Which rows may be found, shape (rows,); None for all.
    """
    import numpy as np

    limit = depth + 16
    while True:
        pairs = search(limit)
        rows = np.array([row for row, _ in pairs], dtype=np.int64)
        scores = np.array([score for _, score in pairs], dtype=np.float64)
        chosen = np.ones(len(rows), dtype=bool) if allowed is None else allowed[rows]
        if len(pairs) < limit or (
            chosen.sum() > depth and scores[chosen][depth - 1] - scores[-1] > SLACK
        ):
            return best(retriever, corpus, rows[chosen], scores[chosen], depth)
        limit *= 4


def check_bm25(k1: float, b: float) -> None:
    """Refuse parameters of BM25 that mean nothing.

    Raises:
        ParameterError: If ``k1`` is negative or ``b`` outside 0 to 1.
    """
    if k1 < 0:
        raise ParameterError(f"k1 must be at least 0, got {k1}")
    if not 0 <= b <= 1:
        raise ParameterError(f"b must lie in 0 to 1, got {b}")
