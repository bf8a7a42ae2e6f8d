"""Exact scans over the vectors of a corpus: in memory, or in plain SQL, the reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memlab.embedding import storage
from memlab.store import duck
from memlab.store.corpus import condition

if TYPE_CHECKING:
    import duckdb
    import numpy as np
    from numpy.typing import NDArray

    from memlab.embedding.vectors import Vectors
    from memlab.store.corpus import Corpus
    from memlab.types import Query

_MARGIN = 2e-5  # more than float32 and a rounding to 1e-5 can put a score wrong together


class MemoryScan:
    """One product of a mapped matrix and the query's vector.

    Args:
        found: The vectors.
        corpus: The facts, which know their filters.
        near: The share that a fact of a conversation gets of its better neighbour's cosine.
    """

    def __init__(self, found: Vectors, corpus: Corpus, near: float) -> None:
        self._found = found
        self._corpus = corpus
        self._near = near

    def best(
        self, vector: NDArray[np.float32], query: Query, depth: int
    ) -> list[tuple[int, float]]:
        """Row and score of the best ``depth`` facts, in order."""
        import numpy as np

        found = self._found
        allowed = self._corpus.mask(query)[found.rows]
        count = int(allowed.sum())
        if not count or depth < 1:
            return []
        if count < len(allowed) // 8 and not self._near:
            places = allowed.nonzero()[0]
            scores = found.matrix[places] @ vector
        else:
            places = None
            scores = found.matrix @ vector
            if self._near:
                scores += self._near * self._beside(scores, np.arange(len(scores)))
            if count < len(allowed):
                scores[~allowed] = -np.inf
        if depth < count:
            # only those that can be among the best, whatever float32 got wrong, are scored again
            least = np.partition(scores, len(scores) - depth)[len(scores) - depth] - _MARGIN
        else:
            least = np.nextafter(-np.inf, 0, dtype=scores.dtype)
        near = (scores >= least).nonzero()[0]
        near = near if places is None else places[near]
        exact = self._exact(vector, near)
        chosen = np.lexsort((found.order[near], -exact))[:depth]
        return list(zip(found.rows[near[chosen]].tolist(), exact[chosen].tolist(), strict=True))

    def score(self, vector: NDArray[np.float32], rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """The scores of some rows; 0 for one that has no vector."""
        import numpy as np

        places, held = self._places(rows)
        scores = np.zeros(len(rows))
        scores[held] = self._exact(vector, places[held])
        return scores

    def vectors(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """The vectors of some rows, all of which have one; shape (n, d)."""
        found: NDArray[np.float32] = self._found.matrix[self._places(rows)[0]]
        return found

    def there(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which rows have a vector of any length."""
        places, held = self._places(rows)
        held[held] = self._found.matrix[places[held]].any(axis=1)
        return held

    def _places(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """Where some rows stand among the vectors, and whether they do."""
        import numpy as np

        held = self._found.rows
        places = np.searchsorted(held, rows).clip(max=max(len(held) - 1, 0))
        return places, held[places] == rows if len(held) else np.zeros(len(rows), dtype=bool)

    def _exact(self, vector: NDArray[np.float32], places: NDArray[Any]) -> NDArray[np.float64]:
        """The scores at some places, computed with doubles, rounded."""
        import numpy as np

        around = places
        if self._near:
            last = len(self._found.rows) - 1
            around = np.unique(np.concatenate([places - 1, places, places + 1]).clip(0, last))
        cosines = self._found.matrix[around].astype(np.float64) @ vector.astype(np.float64)
        exact = cosines
        if self._near:
            whole = np.zeros(len(self._found.rows))
            whole[around] = cosines
            exact = whole[places] + self._near * self._beside(whole, places)
        rounded: NDArray[np.float64] = np.round(exact, 5) + 0.0  # no negative zero
        return rounded

    def _beside(self, scores: NDArray[Any], places: NDArray[Any]) -> NDArray[Any]:
        """Of the facts right before and after each in its conversation the better score, or 0."""
        import numpy as np

        rows, talk = self._found.rows, self._corpus.arrays["talk"]
        better = np.zeros(len(places), dtype=scores.dtype)
        for step in (-1, 1):
            beside = (places + step).clip(0, len(rows) - 1)
            same = (rows[beside] == rows[places] + step) & (talk[rows[places]] > 0)
            same &= talk[rows[beside]] == talk[rows[places]]
            np.maximum(better, np.where(same, scores[beside], 0), out=better)
        return better

    def close(self) -> None:
        """Nothing of its own to close."""


class DuckDBScan:
    """One query over arrays: the reference.

    Args:
        found: The vectors.
        near: The share that a fact of a conversation gets of its better neighbour's cosine.
    """

    def __init__(self, found: Vectors, near: float) -> None:
        self._found = found
        self._near = near
        self._opened: duckdb.DuckDBPyConnection | None = None

    def best(
        self, vector: NDArray[np.float32], query: Query, depth: int
    ) -> list[tuple[int, float]]:
        """Row and score of the best ``depth`` facts, in order."""
        if depth < 1:
            return []
        meta = self._found.meta
        if self._opened is None:
            self._opened = duck.open_read_only(self._found.database)
            # halves are decoded once, since that takes a hundred times longer than a search
            numbers = storage.decoded(meta["storage"], meta["dimension"])
            kind = "VIEW" if meta["storage"] != "float16" else "TABLE"
            self._opened.execute(
                f"CREATE TEMP {kind} decoded AS SELECT row, {numbers} AS vector, scale FROM vectors"
            )
        stored = f"vector::DOUBLE[{meta['dimension']}]"
        asked = f"{duck.literal(vector.astype(float).tolist())}::DOUBLE[{meta['dimension']}]"
        sql = f"""
            WITH cosines AS (
                SELECT row, talk, scale * array_inner_product({stored}, {asked}) AS cosine
                FROM decoded JOIN facts USING (row)
            ), beside AS (
                SELECT a.row, greatest(max(b.cosine), 0) AS cosine FROM cosines AS a
                LEFT JOIN cosines AS b ON b.row IN (a.row - 1, a.row + 1) AND b.talk = a.talk
                GROUP BY a.row
            )
            SELECT row, round(c.cosine + {self._near} * b.cosine, 5) + 0.0 AS score
            FROM cosines AS c JOIN beside AS b USING (row) JOIN facts USING (row)
            WHERE {condition(query)} ORDER BY score DESC, id LIMIT {int(depth)}
        """
        found: list[Any] = self._opened.execute(sql).fetchall()
        return found

    def close(self) -> None:
        """Close the database."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None
