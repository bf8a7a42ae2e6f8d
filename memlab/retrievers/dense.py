"""Exact search by meaning: the inner product of unit vectors, over all facts that filters allow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from memlab.embedding import DEFAULT, embedding, storage, whitening
from memlab.embedding.passages import Context
from memlab.embedding.vectors import Vectors, vectors
from memlab.errors import ParameterError, UnknownNameError
from memlab.registry import spec_of
from memlab.retrievers.base import run_of
from memlab.store import duck
from memlab.store.corpus import condition

if TYPE_CHECKING:
    import duckdb
    import numpy as np
    from numpy.typing import NDArray

    from memlab.store.corpus import Corpus
    from memlab.types import Query, Run

SCANS = ("memory", "duckdb")
_MARGIN = 2e-5  # more than float32 and a rounding to 1e-5 can put a score wrong together
_QUERIES = 256  # vectors of queries that an index remembers


@dataclass(frozen=True, slots=True)
class Dense:
    """Cosine between question and fact, as an embedding model sees them.

    Attributes:
        embedding: The model, as `memlab.embedding` takes it.
        scan: ``memory``, a float32 file mapped into memory, or ``duckdb``, plain SQL over arrays,
            the reference: both give the same run.
        storage: How vectors are kept: ``float32``, ``float16`` or ``int8``.
        neighbours: How many facts before and after a fact on its page are read with it.
        heading: Whether the headings above a fact are read with it.
        day: Whether the day of its page is.
        near: In a conversation, the share that a fact gets of the better cosine of the facts right
            before and after it; 0 to score each fact alone.
        whiten: How far the vectors of a corpus are spread out, 0 to 1, as
            `memlab.embedding.whitening` has it; None to take them as the model gives them.
        most: In a corpus of more facts nothing is embedded and nothing found; None for any number.
    """

    embedding: str = DEFAULT
    scan: str = "memory"
    storage: str = "float32"
    neighbours: int = 0
    heading: bool = False
    day: bool = False
    near: float = 0.5
    whiten: float | None = 0.25
    most: int | None = None

    def __post_init__(self) -> None:
        if self.scan not in SCANS:
            raise UnknownNameError("scan", self.scan, list(SCANS))
        storage.check(self.storage)
        embedding(self.embedding)
        Context(self.neighbours, self.heading, self.day)
        if not 0 <= self.near <= 1:
            raise ParameterError(f"near must lie in 0 to 1, got {self.near}")
        if self.whiten is not None:
            whitening.check(self.whiten)

    def index(self, corpus: Corpus) -> DenseIndex | LeftOut:
        """Open the vectors of a corpus; make them where they are not there."""
        if self.most is not None and corpus.size > self.most:
            return LeftOut(self, corpus.size)
        context = Context(self.neighbours, self.heading, self.day)
        model = embedding(self.embedding)
        found = vectors(corpus, model, storage=self.storage, context=context, whiten=self.whiten)
        spec = str(spec_of(self, "dense"))
        near = self.near if corpus.arrays["talk"].any() else 0.0
        memory = MemoryScan(found, corpus, near)
        return DenseIndex(
            spec, found, memory, memory if self.scan == "memory" else DuckDBScan(found, near)
        )


class DenseIndex:
    """The vectors of one corpus, and a way to search them.

    Args:
        spec: The retriever's spec.
        found: The vectors.
        memory: What scores given facts.
        scan: The way.
    """

    def __init__(
        self, spec: str, found: Vectors, memory: MemoryScan, scan: MemoryScan | DuckDBScan
    ) -> None:
        self._spec = spec
        self._vectors = found
        self._memory = memory
        self._scan = scan
        self._encode = lru_cache(_QUERIES)(found.question)

    def search(self, query: Query, *, depth: int) -> Run:
        """The best facts by cosine; none for a query without words."""
        if not query.text.strip() or not self._vectors.meta["vectors"]:
            return run_of(self._spec, [])
        return self.search_vector(self._encode(query.text), query, depth=depth)

    def search_vector(self, vector: NDArray[np.float32], query: Query, *, depth: int) -> Run:
        """The best facts for a vector of the same model, by the filters of ``query``."""
        if not vector.any():
            return run_of(self._spec, [])  # the model knows no word of it
        return run_of(self._spec, self._scan.best(vector, query, depth))

    def score(self, query: Query, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """What `search` would give those rows if it found them; shape (n,)."""
        import numpy as np

        vector = self._encode(query.text) if query.text.strip() else np.zeros(0, np.float32)
        return self._memory.score(vector, rows) if vector.any() else np.zeros(len(rows))

    def close(self) -> None:
        """Let go of files and of the model."""
        self._encode.cache_clear()
        self._scan.close()
        self._vectors.close()


class LeftOut:
    """What stands in for the vectors of a corpus that was too large to embed unasked.

    Args:
        retriever: The retriever.
        size: How many facts the corpus has.
    """

    def __init__(self, retriever: Dense, size: int) -> None:
        self._spec = str(spec_of(retriever, "dense"))
        self._why = f"left out: {size:,} facts are more than {retriever.most:,}"

    def search(self, query: Query, *, depth: int) -> Run:  # noqa: ARG002
        """Nothing."""
        return run_of(self._spec, [])

    def read(self, query: Query) -> dict[str, str]:  # noqa: ARG002
        """Why nothing is found."""
        return {"meaning": self._why}

    def close(self) -> None:
        """Nothing to close."""


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

        held = self._found.rows
        places = np.searchsorted(held, rows).clip(max=max(len(held) - 1, 0))
        there = held[places] == rows if len(held) else np.zeros(len(rows), dtype=bool)
        scores = np.zeros(len(rows))
        scores[there] = self._exact(vector, places[there])
        return scores

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
