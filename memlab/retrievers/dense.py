"""Exact search by meaning: the inner product of unit vectors, over all facts that filters allow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from memlab.embedding import DEFAULT, embedding, storage
from memlab.embedding.passages import Context
from memlab.embedding.vectors import Vectors, vectors
from memlab.errors import UnknownNameError
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
    """

    embedding: str = DEFAULT
    scan: str = "memory"
    storage: str = "float32"
    neighbours: int = 0
    heading: bool = False
    day: bool = False

    def __post_init__(self) -> None:
        if self.scan not in SCANS:
            raise UnknownNameError("scan", self.scan, list(SCANS))
        storage.check(self.storage)
        embedding(self.embedding)
        Context(self.neighbours, self.heading, self.day)

    def index(self, corpus: Corpus) -> DenseIndex:
        """Open the vectors of a corpus; make them where they are not there."""
        context = Context(self.neighbours, self.heading, self.day)
        model = embedding(self.embedding)
        found = vectors(corpus, model, storage=self.storage, context=context)
        spec = str(spec_of(self, "dense"))
        scan = MemoryScan(found, corpus) if self.scan == "memory" else DuckDBScan(found)
        return DenseIndex(spec, found, scan)


class DenseIndex:
    """The vectors of one corpus, and a way to search them.

    Args:
        spec: The retriever's spec.
        found: The vectors.
        scan: The way.
    """

    def __init__(self, spec: str, found: Vectors, scan: MemoryScan | DuckDBScan) -> None:
        self._spec = spec
        self._vectors = found
        self._scan = scan
        self._encode = lru_cache(_QUERIES)(self._encoded)

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

    def close(self) -> None:
        """Let go of files and of the model."""
        self._encode.cache_clear()
        self._scan.close()
        self._vectors.close()

    def _encoded(self, text: str) -> NDArray[np.float32]:
        text = text.encode("utf-8", "replace").decode()  # half of a surrogate pair is no text
        vectors = self._vectors.encoder.encode([text], role="query")
        vector: NDArray[np.float32] = vectors[0]
        return vector


class MemoryScan:
    """One product of a mapped matrix and the query's vector.

    Args:
        found: The vectors.
        corpus: The facts, which know their filters.
    """

    def __init__(self, found: Vectors, corpus: Corpus) -> None:
        self._found = found
        self._corpus = corpus

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
        if count < len(allowed) // 8:
            places = allowed.nonzero()[0]
            scores = found.matrix[places] @ vector
        else:
            places = None
            scores = found.matrix @ vector
            if count < len(allowed):
                scores[~allowed] = -np.inf
        if depth < count:
            # only those that can be among the best, whatever float32 got wrong, are scored again
            least = np.partition(scores, len(scores) - depth)[len(scores) - depth] - _MARGIN
        else:
            least = np.nextafter(-np.inf, 0, dtype=scores.dtype)
        near = (scores >= least).nonzero()[0]
        near = near if places is None else places[near]
        exact = np.round(found.matrix[near].astype(np.float64) @ vector.astype(np.float64), 5)
        exact += 0.0  # no negative zero
        chosen = np.lexsort((found.order[near], -exact))[:depth]
        return list(zip(found.rows[near[chosen]].tolist(), exact[chosen].tolist(), strict=True))

    def close(self) -> None:
        """Nothing of its own to close."""


class DuckDBScan:
    """One query over arrays: the reference.

    Args:
        found: The vectors.
    """

    def __init__(self, found: Vectors) -> None:
        self._found = found
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
            SELECT row, round(scale * array_inner_product({stored}, {asked}), 5) + 0.0 AS score
            FROM decoded JOIN facts USING (row) WHERE {condition(query)}
            ORDER BY score DESC, id LIMIT {int(depth)}
        """
        found: list[Any] = self._opened.execute(sql).fetchall()
        return found

    def close(self) -> None:
        """Close the database."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None
