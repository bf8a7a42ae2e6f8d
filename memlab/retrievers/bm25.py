"""Okapi BM25 over memory-mapped postings, exact, with the frequent terms looked at last and least.

The score is that of Robertson and Zaragoza (2009), section 3.1, with the idf of Lucene, which is
never negative:

    sum over terms of  ln(1 + (N - df + 0.5) / (df + 0.5))
                       * tf (k1 + 1) / (tf + k1 (1 - b + b dl / avgdl))

The order of evaluation is that of MaxScore (Turtle and Flood 1995): once the rare terms have given
``depth`` facts a score that the frequent terms together cannot reach, facts with none of the rare
terms are passed over.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memlab import tokens
from memlab.errors import StoreError
from memlab.registry import spec_of
from memlab.retrievers import postings
from memlab.retrievers.base import SLACK, best, check_bm25, open_or_build, run_of
from memlab.retrievers.postings import Postings
from memlab.store.corpus import Corpus

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from memlab.types import Query, Run

_NAME = "lexical"
_FOLDER = "postings"


@dataclass(frozen=True, slots=True)
class BM25:
    """BM25 by postings in memory-mapped arrays.

    Attributes:
        k1: How soon repeats of a term in a fact stop counting; at least 0.
        b: How much long facts are held back, 0 to 1.
    """

    k1: float = 1.2
    b: float = 0.75

    def __post_init__(self) -> None:
        check_bm25(self.k1, self.b)

    def index(self, corpus: Corpus) -> BM25Index:
        """Open the postings of a corpus; where there are none, make them from those before."""
        path = corpus.derived(_FOLDER)
        return open_or_build(
            corpus,
            path,
            lambda: BM25Index(self, corpus, Postings(path)),
            lambda building: _build(corpus, building),
        )


class BM25Index:
    """Postings of one corpus, opened for reading."""

    def __init__(self, retriever: BM25, corpus: Corpus, held: Postings) -> None:
        self._spec = str(spec_of(retriever, _NAME))
        self._k1, self._b = retriever.k1, retriever.b
        self._corpus = corpus
        self._postings = held
        self._scores: NDArray[np.float64] | None = None

    def search(self, query: Query, *, depth: int) -> Run:
        """The best facts by BM25; none for a query without words."""
        found = {
            term: self._postings.find(term) for term in dict.fromkeys(tokens.tokens(query.text))
        }
        terms = [number for number in found.values() if number is not None]
        if not terms or depth < 1:
            return run_of(self._spec, [])
        allowed = self._corpus.restriction(query)
        rows, scores = self._best(terms, depth, allowed)
        return best(self._spec, self._corpus, rows, scores, depth)

    def close(self) -> None:
        """Let go of the maps."""
        self._scores = None

    def _best(
        self, terms: list[int], depth: int, allowed: NDArray[np.bool_] | None
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Rows, none twice, with scores: the best ``depth``, what ties with them, and others."""
        import numpy as np

        scores, self._scores = self._scores, None  # one search at a time uses the accumulator
        if scores is None:
            scores = np.zeros(len(self._postings.lengths))
        starts = self._postings.starts
        terms.sort(key=lambda number: int(starts[number + 1] - starts[number]))
        bounds = [self._idf(number) * (self._k1 + 1) for number in terms]
        touched: list[NDArray[Any]] = []
        for position, number in enumerate(terms):
            rows, gains = self._gains(number)
            if allowed is not None:
                chosen = allowed[rows]
                rows, gains = rows[chosen], gains[chosen]
            fresh = rows[scores[rows] == 0]
            scores[rows] += gains
            touched.append(fresh)
            left = sum(bounds[position + 1 :])
            if left and sum(map(len, touched)) >= depth:
                seen = np.concatenate(touched)
                threshold = np.partition(scores[seen], -depth)[-depth] - SLACK
                if threshold > left:
                    candidates = np.sort(seen[scores[seen] >= threshold - left])
                    self._look_up(terms[position + 1 :], candidates, scores)
                    break
        seen = np.concatenate(touched)
        found = scores[seen]
        scores[seen] = 0.0
        self._scores = scores
        return seen, found

    def _look_up(self, terms: list[int], rows: NDArray[Any], scores: NDArray[np.float64]) -> None:
        """Add to the scores of ``rows``, rising, what the terms give them."""
        import numpy as np

        for number in terms:
            of, counts = self._postings.of(number)
            places = np.searchsorted(of, rows)
            places[places == len(of)] = 0
            there = of[places] == rows
            found = rows[there]
            scores[found] += self._gain(number, counts[places[there]], found)

    def _gains(self, number: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        rows, counts = self._postings.of(number)
        return rows, self._gain(number, counts, rows)

    def _gain(
        self, number: int, counts: NDArray[np.uint16], rows: NDArray[Any]
    ) -> NDArray[np.float64]:
        import numpy as np

        held = self._postings
        gain: NDArray[np.float64] = held.lengths[rows] * (self._k1 * self._b / held.average_length)
        gain += self._k1 * (1 - self._b)
        gain += counts
        np.divide(counts, gain, out=gain)
        gain *= self._idf(number) * (self._k1 + 1)
        return gain

    def _idf(self, number: int) -> float:
        frequency = int(self._postings.starts[number + 1] - self._postings.starts[number])
        return math.log1p((self._postings.size - frequency + 0.5) / (frequency + 0.5))


def _build(corpus: Corpus, building: Path) -> None:
    """Make the postings of a corpus, from those of the snapshot before where rows are the same."""
    import numpy as np

    old = _predecessor(corpus)
    if old is None:
        postings.build(building, corpus.tokens())
        return
    alive = corpus.arrays["offsets"] >= 0
    size = max(len(alive), len(old.lengths))
    before, now = np.zeros(size, dtype=bool), np.zeros(size, dtype=bool)
    before[: len(old.lengths)] = old.lengths > 0
    now[: len(alive)] = alive
    added = corpus.tokens((now & ~before).nonzero()[0].tolist())
    postings.build(building, added, old=old, removed=(before & ~now).nonzero()[0])


def _predecessor(corpus: Corpus) -> Postings | None:
    """The postings of the snapshot before, if its rows are those of this one; else None."""
    before = corpus.place.previous()
    if before is None or before == corpus.snapshot:
        return None
    with suppress(StoreError), Corpus(corpus.place, before) as other:
        if other.arrays.numbering == corpus.arrays.numbering:
            return Postings(other.derived(_FOLDER))
    return None
