"""What holds now before what it took the place of."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from memlab.types import Run

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from memlab.store.corpus import Corpus
    from memlab.types import Query

_STEP = 1e-5  # scores are rounded to it


@dataclass(frozen=True, slots=True)
class Succession:
    """A fact that is superseded stands under the one in its place, which is raised above it.

    Where the run lacks that one, it is brought in, if the query's filters allow it; of a chain the
    last that they allow. Everything else keeps its order, and as far as it can its score. A run
    without superseded facts is left as it is. What counts is what was known on the query's
    ``as_of``; see `memlab.store.succession`. It has no parameters.
    """

    def extend(self, corpus: Corpus, query: Query, run: Run) -> Run:
        """See `memlab.rerank.base.Extending`."""
        import numpy as np

        places = corpus.successions.on(query.as_of)
        found = set(run.rows.tolist())
        superseded = found.intersection(places)
        if not superseded:
            return run
        allowed = corpus.restriction(query)
        rows, scores = [], []
        for row, score in zip(run.rows.tolist(), run.scores.tolist(), strict=True):
            if row in superseded:
                holds = [
                    other for other in _after(places, row) if allowed is None or allowed[other]
                ]
                if holds and holds[-1] not in found:
                    found.add(holds[-1])
                    rows.append(holds[-1])
                    scores.append(score)
            rows.append(row)
            scores.append(score)
        return Run(run.retriever, np.array(rows, dtype=np.int64), np.array(scores))

    def rerank(self, corpus: Corpus, query: Query, run: Run) -> NDArray[np.float64]:
        """See `memlab.rerank.base.Reranker`."""
        import numpy as np

        places = corpus.successions.on(query.as_of)
        at = {row: n for n, row in enumerate(run.rows.tolist())}
        if places.keys().isdisjoint(at):
            return run.scores
        order: dict[int, None] = {}
        for row in at:
            # of a chain, the last one first; what stands in the order already stays there
            chain = [other for other in _after(places, row) if other in at]
            order.update(dict.fromkeys([*reversed(chain), row]))
        ties = corpus.arrays["tie"]
        scores = dict(zip(at, run.scores.tolist(), strict=True))
        for below, row in pairwise(reversed(order)):
            floor = scores[below]
            if scores[row] < floor or (scores[row] == floor and ties[row] > ties[below]):
                scores[row] = round(floor + _STEP, 5)
        return np.array([scores[row] for row in at])


def _after(places: Mapping[int, int], row: int) -> Iterator[int]:
    """The rows that took a row's place, one after the other."""
    while row in places:
        row = places[row]
        yield row
