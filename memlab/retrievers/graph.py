"""Spreading activation: from the facts that match a question to those that hang together with them.

Facts are linked where they share an entity, stand near each other in time, link to each other's
page, or mean nearly the same. As in Hindsight (arXiv 2512.12818, section 4.2; constants of its code
of late 2025), activation starts at the best 5 facts of another retriever and reaches

    A(j) = max over links i-j of  A(i) * weight(i, j) * decay

as far as it stays over a floor. The weight of a link is

    entity   1 for the rarest entity, less for frequent ones: idf / greatest idf
    time     max(.3, 1 - hours / 24); hours of a day are taken from the order of its lines
    page     1, from a fact with a link to a page to the facts there, and back
    meaning  the cosine, from .7, to the 5 nearest

A frequent entity or a long day would light up everything: each fact passes its activation over an
entity, a day or a page to at most ``fan`` facts, those nearest to it in the order of the pages.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from memlab import registry
from memlab.errors import ParameterError
from memlab.registry import spec_of
from memlab.retrievers.base import best, run_of
from memlab.retrievers.links import Links
from memlab.retrievers.words import Words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memlab.retrievers.base import Index
    from memlab.store.corpus import Corpus
    from memlab.types import Query, Run

_FRONTIER = 24  # facts that pass activation on in one step, the most active
_STEPS = 4  # after so many, decay has left .41 of it at most
_NEAR, _CLOSE = 5, 0.7  # links by meaning: to so many, with a cosine of at least so much


@dataclass(frozen=True, slots=True)
class Graph:
    """Facts that hang together with those that match.

    Attributes:
        entry: The retriever at whose best facts activation starts, by its spec.
        entries: How many of them.
        decay: What is left of activation after one link, over 0 and under 1.
        floor: Activation that is not over it counts as none, in [0, 1).
        fan: At most so many facts are reached from one over one entity, day or page.
        words: The share of the score that goes by the question's words, 0 to 1; the rest goes by
            activation alone.
        embedding: The model by which close meaning links facts; empty for no such links.
    """

    entry: str = "lexical"
    entries: int = 5
    decay: float = 0.8
    floor: float = 0.1
    fan: int = 32
    words: float = 0.5
    embedding: str = ""

    def __post_init__(self) -> None:
        if registry.Spec.parse(self.entry).name == "graph":
            raise ParameterError("graph cannot be its own entry", hint="Try entry='lexical'")
        for name in ("entries", "fan"):
            if getattr(self, name) < 1:
                raise ParameterError(f"{name} must be at least 1, got {getattr(self, name)}")
        if not 0 < self.decay < 1:
            raise ParameterError(f"decay must lie between 0 and 1, got {self.decay}")
        if not 0 <= self.floor < 1:
            raise ParameterError(f"floor must be at least 0 and under 1, got {self.floor}")
        if not 0 <= self.words <= 1:
            raise ParameterError(f"words must lie in 0 to 1, got {self.words}")

    def index(self, corpus: Corpus) -> GraphIndex:
        """Open the index of the entry retriever, and the vectors where meaning links."""
        return GraphIndex(self, corpus, registry.make("retriever", self.entry).index(corpus))


class GraphIndex:
    """The links of one corpus, and where activation starts."""

    def __init__(self, retriever: Graph, corpus: Corpus, entry: Index) -> None:
        self._own = retriever
        self._spec = str(spec_of(retriever, "graph"))
        self._corpus = corpus
        self._entry = entry
        self._links = Links(corpus, retriever.fan)
        self._words = Words(corpus)

    def search(self, query: Query, *, depth: int) -> Run:
        """The most active facts; none for a question that the entry retriever finds nothing for."""
        import numpy as np

        found = self._entry.search(query, depth=self._own.entries)
        if depth < 1 or not len(found) or found.scores[0] <= 0:
            return run_of(self._spec, [])
        active = np.zeros(len(self._corpus.arrays["offsets"]))
        active[found.rows] = found.scores / found.scores[0]
        known = dataclasses.replace(query, window=None, kinds=(), entities=())
        rows = self._spread(active, found.rows, self._corpus.mask(known))
        rows = rows[(active[rows] > self._own.floor) & self._corpus.mask(query)[rows]]
        share = self._own.words
        covered = np.minimum(self._words.covered(query.text, rows), 1.0)
        scores = active[rows] * (1 - share + share * covered)
        return best(self._spec, self._corpus, rows, scores, depth)

    def close(self) -> None:
        """Close the entry retriever's index and the vectors."""
        self._entry.close()
        if "_vectors" in self.__dict__:
            self._vectors.close()

    def _spread(
        self, active: NDArray[np.float64], rows: NDArray[Any], known: NDArray[np.bool_]
    ) -> NDArray[Any]:
        """Let activation spread from some rows, in place; returns all rows that it reached.

        It passes through whatever is known, also through facts that the answer may not have.
        """
        import numpy as np

        ways = [self._links.by_entity, self._links.by_time, self._links.by_page]
        if self._own.embedding:
            ways.append(self._by_meaning)
        frontier, touched = rows, [rows]
        for _ in range(_STEPS):
            value = active[frontier] * self._own.decay
            reached = [way(frontier, value) for way in ways]
            rows = np.concatenate([one for one, _ in reached])
            values = np.concatenate([by for _, by in reached])
            more = (values > self._own.floor) & (values > active[rows]) & known[rows]
            rows, values = rows[more], values[more]
            np.maximum.at(active, rows, values)
            rows = np.unique(rows)
            touched.append(rows)
            order = np.lexsort((self._corpus.arrays["tie"][rows], -active[rows]))
            frontier = rows[order[:_FRONTIER]]
            ways = ways[:3]  # meaning links the facts that were found by it, not all that follow
            if not len(frontier):
                break
        return np.unique(np.concatenate(touched))

    @cached_property
    def _vectors(self) -> Any:
        from memlab.embedding import embedding, several
        from memlab.embedding.vectors import vectors

        return vectors(self._corpus, embedding(several(self._own.embedding)[0]))

    def _by_meaning(
        self, rows: NDArray[Any], active: NDArray[np.float64]
    ) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """What reaches the facts that mean nearly the same as some facts."""
        import numpy as np

        found = self._vectors
        places = np.searchsorted(found.rows, rows)
        there = np.isin(rows, found.rows)
        cosines = found.matrix @ found.matrix[places[there]].T
        cosines[places[there], np.arange(there.sum())] = 0.0
        near = np.argpartition(-cosines, min(_NEAR, len(cosines) - 1), axis=0)[:_NEAR]
        cosine = np.take_along_axis(cosines, near, axis=0)
        close = cosine >= _CLOSE
        return found.rows[near[close]], (cosine * active[there])[close].astype(np.float64)
