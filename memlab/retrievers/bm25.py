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
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memlab import tokens
from memlab.errors import ParameterError, UnknownNameError
from memlab.registry import spec_of
from memlab.retrievers import postings
from memlab.retrievers.base import SLACK, best, check_bm25, distinct, run_of
from memlab.retrievers.conversation import CUES, Conversations
from memlab.workspace import windows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memlab.retrievers.postings import Postings
    from memlab.store.corpus import Corpus
    from memlab.types import Query, Run

_NAME = "lexical"
_BATCH = 16_384  # postings that are gone through before asking whether the rest can matter
_REPEATS = 16  # terms of a query that one fact may have, for the bound; more only cost time
_READ = 150  # facts that are read again
_BEST = 10  # facts that tell how much of a question words cover
_MANY = 64  # times the depth from which rows are many


@dataclass(frozen=True, slots=True)
class BM25:
    """BM25 by postings in memory-mapped arrays.

    Attributes:
        k1: How soon repeats of a term in a fact stop counting; at least 0.
        b: How much long facts are held back, 0 to 1.
        neighbours: In a conversation, the share that a fact gets of the better score of its
            neighbours one fact away, two facts away …; empty to score each fact alone.
        context: Whether the words of the headings above a fact and its day count as its own.
        cues: By what the best facts of a conversation are told apart then, as
            `memlab.retrievers.conversation` has it; empty to leave them as they are.
    """

    k1: float = 1.2
    b: float = 0.6
    neighbours: tuple[float, ...] = (0.3, 0.15)
    context: bool = True
    cues: tuple[str, ...] = CUES

    def __post_init__(self) -> None:
        check_bm25(self.k1, self.b)
        if not all(0 <= share <= 1 for share in self.neighbours):
            raise ParameterError(f"neighbours must lie in 0 to 1, got {self.neighbours}")
        for cue in self.cues:
            if cue not in CUES:
                raise UnknownNameError("cue", cue, list(CUES))

    def index(self, corpus: Corpus) -> BM25Index:
        """Open the postings of a corpus; where there are none, make them from those before."""
        return BM25Index(self, corpus, postings.opened(corpus, context=self.context))


class BM25Index:
    """Postings of one corpus, opened for reading."""

    def __init__(self, retriever: BM25, corpus: Corpus, held: Postings) -> None:
        import numpy as np

        self._spec = str(spec_of(retriever, _NAME))
        self._factor = retriever.k1 + 1
        self._corpus = corpus
        self._postings = held
        # what is added to tf below the line, for each row
        self._norms: NDArray[np.float64] = held.lengths.astype(np.float64)
        self._norms *= retriever.k1 * retriever.b / (held.average_length or 1.0)
        self._norms += retriever.k1 * (1 - retriever.b)
        self._least_norm = float(self._norms.min(initial=math.inf))
        self._bounds: dict[int, float] = {}  # by term
        self._spare: NDArray[np.float64] | None = None
        self._neighbours = retriever.neighbours
        self._talk: NDArray[np.int32] = corpus.arrays["talk"]
        self._talks = bool(retriever.neighbours) and bool(self._talk.any())
        self._cues = retriever.cues
        self._conversations = (
            Conversations(corpus, held, self._norms, self._factor)
            if retriever.cues and self._talk.any()
            else None
        )

    def search(self, query: Query, *, depth: int) -> Run:
        """The best facts by BM25; none for a query without words."""
        terms = self.terms(query)
        if not terms or depth < 1:
            return run_of(self._spec, [])
        wanted = max(depth, _READ) if self._conversations else depth
        rows, scores = self._best(list(terms), wanted, self._corpus.restriction(query))
        if self._conversations:
            rows = best(self._spec, self._corpus, rows, scores, wanted).rows
            scores = self.score(query, rows)
        return best(self._spec, self._corpus, rows, scores, depth)

    def score(self, query: Query, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """What `search` would give those rows if it found them; shape (n,)."""
        import numpy as np

        terms = self.terms(query)
        if not terms:
            return np.zeros(len(rows))
        if self._conversations:
            return self._conversations.score(query.text, terms, rows, self._cues)
        gains: NDArray[np.float64] = self._postings.counts_in(list(terms), rows)
        gains *= self._factor / (gains + self._norms[rows])
        return np.array(list(terms.values())) @ gains

    def terms(self, query: Query) -> dict[int, float]:
        """The numbers of a query's terms that any fact has, with their idf, the rarest first."""
        found = map(self._postings.find, tokens.query_terms(query.text))
        terms = [number for number in found if number is not None]
        terms.sort(key=self._postings.frequency)
        return {number: self._postings.idf(number) for number in terms}

    def coverage(self, query: Query, run: Run) -> float:
        """The most of a question, by idf, that one of a run's best facts has; 0 to 1.

        Words of time do not count: a fact meets them by its day, whatever its words are.
        """
        topic = windows.topic(query.text, query.now.date())
        terms, idf, there = self.covered(topic, run.rows[:_BEST])
        return float((there @ idf).max(initial=0.0) / idf.sum()) if terms else 0.0

    def covered(
        self, text: str, rows: NDArray[np.int64]
    ) -> tuple[list[str], NDArray[np.float64], NDArray[np.bool_]]:
        """The search terms of a question, their idf, and which facts have them: (rows, terms).

        A term that no fact has is given the highest idf that there can be.
        """
        import numpy as np

        terms = tokens.query_terms(text)
        idf = np.full(len(terms), math.log1p((self._postings.size + 0.5) / 0.5))
        there = np.zeros((len(rows), len(terms)), dtype=bool)
        for place, term in enumerate(terms):
            if (number := self._postings.find(term)) is not None:
                idf[place] = self._postings.idf(number)
                there[:, place] = self._postings.counts_in([number], rows)[0] > 0
        return terms, idf, there

    def close(self) -> None:
        """Let go of what was computed."""
        self._spare = None

    def _best(
        self, terms: list[int], depth: int, allowed: NDArray[np.bool_] | None
    ) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """Rows, none twice, with scores: the best ``depth``, what ties with them, and others.

        Terms come with the rarest first; ``allowed`` tells which rows may be found, None for all.
        """
        import numpy as np

        spare, self._spare = self._spare, None  # a search that comes meanwhile makes its own
        scores = np.zeros(len(self._norms)) if spare is None else spare
        touched: list[NDArray[Any]] = []
        winners: NDArray[Any] | None = None
        while terms:
            batch = self._batch(terms)
            rows, gains = self._gains(batch)
            if allowed is not None and not self._talks:
                chosen = allowed[rows]
                rows, gains = rows[chosen], gains[chosen]
            np.add.at(scores, rows, gains)
            touched.append(rows)
            terms = terms[len(batch) :]
            if terms and not self._talks:
                winners = self._finish(terms, np.concatenate(touched), scores, depth)
                if winners is not None:
                    break
        seen = np.concatenate(touched)
        if self._talks:
            rows, found = self._with_neighbours(distinct(seen), scores)
            if allowed is not None:
                rows, found = rows[allowed[rows]], found[allowed[rows]]
        else:
            rows = self._promising(seen, scores, depth) if winners is None else winners
            found = scores[rows]
        scores[seen] = 0.0
        self._spare = scores
        return rows, found

    def _promising(
        self, seen: NDArray[Any], scores: NDArray[np.float64], depth: int
    ) -> NDArray[Any]:
        """The rows of ``seen``, none twice; of many, only those that may be among the best."""
        if len(seen) > _MANY * depth:
            values = scores[seen]
            seen = seen[values >= self._kth(seen, scores, depth) - SLACK]
        return distinct(seen)

    def _with_neighbours(
        self, rows: NDArray[Any], scores: NDArray[np.float64]
    ) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """Rows and those about them in a conversation, with what their neighbours add."""
        import numpy as np

        talk = self._talk
        spoken = rows[talk[rows] > 0]
        reach = range(-len(self._neighbours), len(self._neighbours) + 1)
        around = np.unique(np.concatenate([spoken + step for step in reach]))
        around = around[(around >= 0) & (around < len(talk))]
        rows = np.union1d(rows, around[talk[around] > 0])
        found = scores[rows]
        for distance, weight in enumerate(self._neighbours, start=1):
            best_near = np.zeros(len(rows))
            for step in (-distance, distance):
                near = np.clip(rows + step, 0, len(talk) - 1)
                same = (near == rows + step) & (talk[rows] > 0) & (talk[near] == talk[rows])
                np.maximum(best_near, np.where(same, scores[near], 0.0), out=best_near)
            found += weight * best_near
        return rows[found > 0], found[found > 0]

    def _batch(self, terms: list[int]) -> list[int]:
        """The rarest terms, together few enough postings to go through at once; at least one."""
        total = 0
        for count, number in enumerate(terms):
            total += self._postings.frequency(number)
            if total > _BATCH and count:
                return terms[:count]
        return terms

    def _finish(
        self, terms: list[int], seen: NDArray[Any], scores: NDArray[np.float64], depth: int
    ) -> NDArray[Any] | None:
        """Score the terms that are left only where they can still matter, if that can be told.

        Returns:
            The rows that may be among the best, none twice; None if others may be too.
        """
        import numpy as np

        bounds = [self._bound(number) for number in terms]
        left = sum(bounds)
        values = scores[seen]
        worst = self._kth(seen, scores, depth)
        if worst - SLACK <= left:  # facts that have none of the rare terms may still win
            return None
        rows = distinct(seen[values >= worst - left - SLACK])
        for number, bound in zip(terms, bounds, strict=True):
            at, tf = self._postings.among(number, rows)
            scores[at] += tf / (tf + self._norms[at]) * (self._postings.idf(number) * self._factor)
            left -= bound
            if len(rows) > depth:
                values = scores[rows]
                rows = rows[values >= np.partition(values, -depth)[-depth] - left - SLACK]
        return rows

    def _bound(self, number: int) -> float:
        """What a term can add to a score at the most."""
        if number not in self._bounds:
            most = float(self._postings.of(number)[1].max())
            weight = self._postings.idf(number) * self._factor
            self._bounds[number] = most / (most + self._least_norm) * weight
        return self._bounds[number]

    def _kth(self, seen: NDArray[Any], scores: NDArray[np.float64], depth: int) -> float:
        """The ``depth``-th best score among rows of which some stand in ``seen`` several times."""
        import numpy as np

        take = depth * _REPEATS
        if len(seen) > take:
            seen = seen[np.argpartition(scores[seen], -take)[-take:]]
        values = scores[distinct(seen)]
        return 0.0 if len(values) < depth else float(np.partition(values, -depth)[-depth])

    def _gains(self, batch: list[int]) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """Rows, with repeats across terms, and what each posting adds to its row's score."""
        import numpy as np

        lists = [self._postings.of(number) for number in batch]
        rows = np.concatenate([of for of, _ in lists])
        gains: NDArray[np.float64] = np.concatenate([counts for _, counts in lists]) * 1.0
        gains /= gains + self._norms[rows]
        weights = [self._postings.idf(number) * self._factor for number in batch]
        gains *= np.repeat(weights, [len(of) for of, _ in lists])
        return rows, gains
