"""Exact search by meaning: the inner product of unit vectors, over all facts that filters allow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from memlab.embedding import DEFAULT, embedding, forms, several, storage, whitening
from memlab.embedding.base import unit
from memlab.embedding.passages import Context
from memlab.embedding.vectors import Vectors, vectors
from memlab.errors import ParameterError, UnknownNameError
from memlab.registry import spec_of
from memlab.retrievers.base import best, distinct, run_of
from memlab.retrievers.scan import DuckDBScan, MemoryScan

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from memlab.store.corpus import Corpus
    from memlab.types import Query, Run

SCANS = ("memory", "duckdb")
_SPARE = 100  # facts of each of several models whose means are compared
_QUERIES = 256  # vectors of queries that an index remembers
_TOLD = 3  # facts that move a question
_POOL = 200  # facts that are ranked anew after it moved; more where a run is to be longer
_NEAREST, _OF = 10, 50  # how many of the nearest facts tell how near they are: at most, one of


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


@dataclass(frozen=True, slots=True)
class Nearness:
    """How near the nearest facts are to a question: a fiftieth of all, ten at most.

    Attributes:
        cosine: The mean of their cosines, in [-1, 1].
        across: The share of them that not all models which read the question can read: those in
            another language, whose cosines are lower; 0 with a single model.
    """

    cosine: float
    across: float


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
        return _nearness(self._corpus, query, self.cosines(query, rows), np.zeros(len(rows)))

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

        mean: NDArray[np.float64] = np.round(self._mean(query, rows, DenseIndex.score)[0], 5) + 0.0
        return mean

    def nearness(self, query: Query) -> Nearness | None:
        """The same of all models together; see `DenseIndex.nearness`."""
        import numpy as np

        rows = distinct(np.concatenate([one.nearby(query) for one in self._each]))
        cosines, read = self._mean(query, rows, DenseIndex.cosines)
        asked = sum(one.asked(query) for one in self._each)
        return _nearness(self._corpus, query, cosines, read < asked)

    def _mean(
        self, query: Query, rows: NDArray[np.int64], of: Callable[..., NDArray[np.float64]]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The mean of what the models say that read question and fact, and how many; shape (n,)."""
        import numpy as np

        total, count = np.zeros(len(rows)), np.zeros(len(rows))
        for one in self._each:
            if one.asked(query):
                read = one.read_rows(rows)
                total[read] += of(one, query, rows[read])
                count += read
        return total / count.clip(1), count

    def close(self) -> None:
        """Let go of files and of the models."""
        for one in self._each:
            one.close()


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


def _nearness(
    corpus: Corpus, query: Query, cosines: NDArray[np.float64], across: NDArray[Any]
) -> Nearness | None:
    """What `Nearness` says, of the bare cosines of facts."""
    import numpy as np

    if not len(cosines):
        return None
    count = max(1, min(_NEAREST, int(corpus.mask(query).sum()) // _OF))
    nearest = np.argsort(-cosines, kind="stable")[:count]
    return Nearness(
        round(float(cosines[nearest].mean()), 5), round(float(across[nearest].mean()), 5)
    )
