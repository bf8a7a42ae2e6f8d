"""A cross-encoder whose weights lie in a folder: it reads question and fact together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memlab.embedding import loading
from memlab.errors import ParameterError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memlab.store.corpus import Corpus
    from memlab.types import Query, Run


@dataclass(frozen=True, slots=True)
class CrossEncoder:
    """Scores of a cross-encoder by sentence-transformers, from a local folder, never from a hub.

    Its scores replace those of the run, brought to [0, 1] by the logistic function.

    Attributes:
        path: The folder of the model.
        depth: So many of the best facts are read; the others follow as they were.
        batch: Pairs that are read at once.
    """

    path: str
    depth: int = 50
    batch: int = 16

    def __post_init__(self) -> None:
        if not Path(self.path).is_dir():
            raise ParameterError(f"no folder {self.path!r}", hint="Give the folder of a model")
        if self.depth < 1 or self.batch < 1:
            raise ParameterError(
                f"depth and batch must be at least 1, got {self.depth} and {self.batch}"
            )

    def rerank(self, corpus: Corpus, query: Query, run: Run) -> NDArray[np.float64]:
        """See `memlab.rerank.base.Reranker`."""
        import numpy as np

        count = min(self.depth, len(run))
        if not count:
            return run.scores
        pairs = [(query.text, fact.content) for fact in corpus.facts(run.rows[:count])]
        scores = _load(self.path).predict(pairs, batch_size=self.batch, show_progress_bar=False)
        values = np.asarray(scores, dtype=np.float64).reshape(count)
        rest = np.arange(1, len(run) - count + 1)  # below all of them, in their order
        return np.concatenate([values, values.min() - rest / (len(run) + 1)])


@lru_cache(maxsize=1)
def _load(path: str) -> Any:
    return loading.cross_encoder(Path(path), activation="Sigmoid", what="a cross-encoder")
