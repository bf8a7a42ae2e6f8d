"""Facts of the core: ``memory.md`` and the stable files that an agent always has before it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from memlab.errors import ParameterError
from memlab.registry import spec_of
from memlab.retrievers.base import best, run_of
from memlab.retrievers.words import Words
from memlab.store import duck
from memlab.workspace.layout import Role

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memlab.store.corpus import Corpus
    from memlab.types import Query, Run


@dataclass(frozen=True, slots=True)
class Core:
    """Facts of the core that have words of the question, by the share that they cover.

    Attributes:
        most: At most so many, whatever the depth: the core is small, and must leave room.
    """

    most: int = 10

    def __post_init__(self) -> None:
        if self.most < 1:
            raise ParameterError(f"most must be at least 1, got {self.most}")

    def index(self, corpus: Corpus) -> CoreIndex:
        """Bind to a corpus; nothing of its own is built."""
        return CoreIndex(self, corpus)


class CoreIndex:
    """The core of one corpus."""

    def __init__(self, retriever: Core, corpus: Corpus) -> None:
        self._most = retriever.most
        self._spec = str(spec_of(retriever, "core"))
        self._corpus = corpus
        self._words = Words(corpus)

    def search(self, query: Query, *, depth: int) -> Run:
        """The best facts of the core; none for a question without their words."""
        depth = min(depth, self._most)
        if depth < 1 or not len(self._rows):
            return run_of(self._spec, [])
        rows = self._rows[self._corpus.mask(query)[self._rows]]
        scores = self._words.covered(query.text, rows)
        return best(self._spec, self._corpus, rows[scores > 0], scores[scores > 0], depth)

    def close(self) -> None:
        """Nothing of its own to close."""

    @cached_property
    def _rows(self) -> NDArray[Any]:
        """The rows of the core, rising."""
        import numpy as np

        sql = "SELECT row FROM facts JOIN pages USING (path) WHERE role = ? ORDER BY row"
        with duck.reading(self._corpus.snapshot):
            found = self._corpus.connection.execute(duck.fill(sql, Role.CORE)).fetchnumpy()
        return np.asarray(found["row"], dtype=np.int64)
