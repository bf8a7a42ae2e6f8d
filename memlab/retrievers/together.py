"""Several embedding models as one: the mean of what they say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlab.retrievers.base import best, distinct, run_of
from memlab.retrievers.nearness import Nearness, nearness

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from memlab.retrievers.dense import DenseIndex
    from memlab.store.corpus import Corpus
    from memlab.types import Query, Run

    _Values = Callable[[Query, NDArray[np.int64]], NDArray[np.float64]]

_SPARE = 100  # facts of each model whose means are compared


class Together:
    """The vectors of several models: the mean of what those say that can read question and fact.

    Args:
        spec: The retriever's spec.
        corpus: The facts.
        each: The index of each model.
    """

    def __init__(self, spec: str, corpus: Corpus, each: Sequence[DenseIndex]) -> None:
        self._spec = spec
        self._corpus = corpus
        self._each = each

    def search(self, query: Query, *, depth: int) -> Run:
        """The best of the facts that any model has among its best."""
        import numpy as np

        asked = [one for one in self._each if one.asked(query)]
        runs = [one.search(query, depth=max(depth, _SPARE)) for one in asked]
        if depth < 1 or not any(map(len, runs)):
            return run_of(self._spec, [])
        rows = distinct(np.concatenate([run.rows for run in runs]))
        return best(self._spec, self._corpus, rows, self.score(query, rows), depth)

    def score(self, query: Query, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """What `search` would give those rows if it found them; shape (n,)."""
        import numpy as np

        mean: NDArray[np.float64] = (
            np.round(self._mean(query, rows, lambda one: one.score)[0], 5) + 0.0
        )
        return mean

    def nearness(self, query: Query) -> Nearness | None:
        """The same of all models together; see `DenseIndex.nearness`."""
        import numpy as np

        rows = distinct(np.concatenate([one.nearby(query) for one in self._each]))
        cosines, read = self._mean(query, rows, lambda one: one.cosines)
        asked = sum(one.asked(query) for one in self._each)
        return nearness(self._corpus, query, cosines, read < asked)

    def _mean(
        self, query: Query, rows: NDArray[np.int64], of: Callable[[DenseIndex], _Values]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The mean of what the models say that read question and fact, and how many; shape (n,)."""
        import numpy as np

        total, count = np.zeros(len(rows)), np.zeros(len(rows))
        for one in self._each:
            if one.asked(query):
                read = one.read_rows(rows)
                total[read] += of(one)(query, rows[read])
                count += read
        return total / count.clip(1), count

    def close(self) -> None:
        """Let go of files and of the models."""
        for one in self._each:
            one.close()
