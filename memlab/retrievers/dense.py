"""Exact search by meaning: the inner product of unit vectors, over all facts that filters allow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from memlab.embedding import DEFAULT, embedding, forms, several, storage, whitening
from memlab.embedding.base import unit
from memlab.embedding.passages import Context
from memlab.embedding.vectors import Vectors, vectors
from memlab.errors import ParameterError, UnknownNameError
from memlab.registry import spec_of
from memlab.retrievers.base import best, run_of
from memlab.retrievers.nearness import Nearness, nearness
from memlab.retrievers.scan import DuckDBScan, MemoryScan
from memlab.retrievers.together import Together

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memlab.store.corpus import Corpus
    from memlab.types import Query, Run

SCANS = ("memory", "duckdb")
_QUERIES = 256  # vectors of queries that an index remembers
_TOLD = 3  # facts that move a question
_POOL = 200  # facts that are ranked anew after it moved; more where a run is to be longer


@dataclass(frozen=True, slots=True)
class Dense:
    """Cosine between question and fact, as an embedding model sees them.

    Attributes:
        embedding: The model, as `memlab.embedding` takes it; of several with ``+`` between them the
            mean counts, over those that can read both the question and the fact.
        scan: ``memory``, a float32 file mapped into memory, or ``duckdb``, plain SQL over arrays,
            the reference: both give the same run.
        storage: How vectors are kept: ``float32``, ``float16`` or ``int8``.
        neighbours: How many facts before and after a fact on its page are read with it.
        heading: Whether the headings above a fact are read with it, outside of conversations.
        day: Whether the day of its page is.
        near: In a conversation, the share that a fact gets of the better cosine of the facts right
            before and after it; 0 to score each fact alone.
        whiten: How far the vectors of a corpus are spread out, 0 to 1, as
            `memlab.embedding.whitening` has it; None to take them as the model gives them.
        forms: How many directions of the mere form of a question are taken out of it, as
            `memlab.embedding.forms` has them; 0 to take it as it is.
        feedback: How far a question moves to the best facts that it finds first, in units of its
            own length: Rocchio's beta, with alpha 1 and gamma 0 (Manning et al., Introduction to
            Information Retrieval, section 9.1.1, equation 9.3), where each fact counts by its
            score; 0 not to move it.
        most: In a corpus of more facts nothing is embedded and nothing found; None for any number.
    """

    embedding: str = DEFAULT
    scan: str = "memory"
    storage: str = "float32"
    neighbours: int = 0
    heading: bool = True
    day: bool = False
    near: float = 0.5
    whiten: float | None = 0.25
    forms: int = 4
    feedback: float = 0.3
    most: int | None = None
    by_meaning: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.scan not in SCANS:
            raise UnknownNameError("scan", self.scan, list(SCANS))
        storage.check(self.storage)
        for model in several(self.embedding):
            embedding(model)
        Context(self.neighbours, self.heading, self.day)
        if not 0 <= self.near <= 1:
            raise ParameterError(f"near must lie in 0 to 1, got {self.near}")
        if self.whiten is not None:
            whitening.check(self.whiten)
        forms.check(self.forms)
        if self.feedback < 0:
            raise ParameterError(f"feedback must be at least 0, got {self.feedback}")

    def index(self, corpus: Corpus) -> DenseIndex | Together | LeftOut:
        """Open the vectors of a corpus; make them where they are not there."""
        if self.most is not None and corpus.size > self.most:
            return LeftOut(self, corpus.size)
        models = several(self.embedding)
        if len(models) > 1:
            each = [_index(replace(self, embedding=model), corpus) for model in models]
            return Together(str(spec_of(self, "dense")), corpus, each)
        return _index(self, corpus)


class DenseIndex:
    """The vectors of one corpus, and a way to search them.

    Args:
        retriever: The retriever.
        corpus: The facts.
        found: Their vectors.
        memory: What scores given facts.
        scan: The way.
    """

    def __init__(
        self,
        retriever: Dense,
        corpus: Corpus,
        found: Vectors,
        memory: MemoryScan,
        scan: MemoryScan | DuckDBScan,
    ) -> None:
        self._retriever = retriever
        self._corpus = corpus
        self._spec = str(spec_of(retriever, "dense"))
        self._vectors = found
        self._memory = memory
        self._scan = scan
        self._encode = lru_cache(_QUERIES)(self._read)
        self._first = lru_cache(_QUERIES)(self._look)
        self._moved = lru_cache(_QUERIES)(self._move)

    def search(self, query: Query, *, depth: int) -> Run:
        """The best facts by cosine; none for a query without words."""
        if not self.asked(query) or depth < 1:
            return run_of(self._spec, [])
        first = self._first(query)
        if depth > _POOL:
            first = self.search_vector(self._encode(query.text), query, depth=depth)
        scores = self.score(query, first.rows)
        return best(self._spec, self._corpus, first.rows, scores, depth)

    def search_vector(self, vector: NDArray[np.float32], query: Query, *, depth: int) -> Run:
        """The best facts for a vector of the same model, by the filters of ``query``."""
        if not vector.any():
            return run_of(self._spec, [])  # the model knows no word of it
        return run_of(self._spec, self._scan.best(vector, query, depth))

    def score(self, query: Query, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """What `search` would give those rows if it found them; shape (n,)."""
        import numpy as np

        if not self.asked(query):
            return np.zeros(len(rows))
        return self._memory.score(self._moved(query), rows)

    def nearness(self, query: Query) -> Nearness | None:
        """How near the nearest facts are to a question as it was asked; None where none is.

        Neither `Dense.near` nor `Dense.feedback` counts here: they lift what is nearest, whether it
        answers or not.
        """
        import numpy as np

        rows = self.nearby(query)
        return nearness(self._corpus, query, self.cosines(query, rows), np.zeros(len(rows)))

    def nearby(self, query: Query) -> NDArray[np.int64]:
        """The rows among which the nearest are, of those that the model could read."""
        import numpy as np

        if not self.asked(query):
            return np.zeros(0, dtype=np.int64)
        rows = self._first(query).rows
        return rows[self.read_rows(rows)]

    def cosines(self, query: Query, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """The bare cosines of a question and some facts that the model could read; shape (n,)."""
        import numpy as np

        vector = self._encode(query.text).astype(np.float64)
        found: NDArray[np.float64] = self._memory.vectors(rows).astype(np.float64) @ vector
        return found

    def asked(self, query: Query) -> bool:
        """Whether there is something to find, and the model can read the question."""
        if not query.text.strip() or not self._vectors.meta["vectors"]:
            return False
        return bool(self._encode(query.text).any())

    def read_rows(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which rows have facts that the model could read; shape (n,)."""
        return self._memory.there(rows)

    def close(self) -> None:
        """Let go of files and of the model."""
        self._encode.cache_clear()
        self._first.cache_clear()
        self._moved.cache_clear()
        self._scan.close()
        self._vectors.close()

    def _read(self, text: str) -> NDArray[np.float32]:
        """The vector of a question, without its form."""
        vector = self._vectors.question(text)
        count = self._retriever.forms
        return forms.without(vector, self._vectors.forms[:count]) if count else vector

    def _look(self, query: Query) -> Run:
        """The best facts for the question as it was asked."""
        return self.search_vector(self._encode(query.text), query, depth=_POOL)

    def _move(self, query: Query) -> NDArray[np.float32]:
        """The vector that facts are scored by: the question's, moved to what it found first."""
        vector, share = self._encode(query.text), self._retriever.feedback
        if not share:
            return vector
        first = self._first(query)
        weights = first.scores[:_TOLD].clip(0)
        told = weights @ self._memory.vectors(first.rows[:_TOLD]) / (weights.sum() or 1.0)
        moved: NDArray[np.float32] = unit((vector + share * told)[None, :])[0]
        return moved


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


def _index(retriever: Dense, corpus: Corpus) -> DenseIndex:
    context = Context(retriever.neighbours, retriever.heading, retriever.day)
    model = embedding(retriever.embedding)
    found = vectors(
        corpus, model, storage=retriever.storage, context=context, whiten=retriever.whiten
    )
    near = retriever.near if corpus.arrays["talk"].any() else 0.0
    memory = MemoryScan(found, corpus, near)
    scan = memory if retriever.scan == "memory" else DuckDBScan(found, near)
    return DenseIndex(retriever, corpus, found, memory, scan)
