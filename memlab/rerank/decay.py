"""Recent facts before old ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.errors import ParameterError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memlab.store.corpus import Corpus
    from memlab.types import Query, Run


@dataclass(frozen=True, slots=True)
class Decay:
    """A part of each score halves with the age of the fact.

    ``s * (1 - share + share * 2^(-age / half_life))``, age in days from the last day of the fact's
    time to the clock; a fact of the future or without a day keeps its score. Off by default, since
    recency must not decide where a question speaks of the past.

    Attributes:
        half_life: In days; more than 0.
        share: How much of a score decays, 0 to 1.
    """

    half_life: float = 30.0
    share: float = 0.5

    def __post_init__(self) -> None:
        if self.half_life <= 0:
            raise ParameterError(f"half_life must be more than 0 days, got {self.half_life}")
        if not 0 <= self.share <= 1:
            raise ParameterError(f"share must lie in 0 to 1, got {self.share}")

    def rerank(self, corpus: Corpus, query: Query, run: Run) -> NDArray[np.float64]:
        """See `memlab.rerank.base.Reranker`."""
        import numpy as np

        end, day = corpus.arrays["end"][run.rows], corpus.arrays["day"][run.rows]
        last = np.where(end > 0, end, day)
        age = np.where(last > 0, (query.now.date().toordinal() - last).clip(0), 0)
        kept: NDArray[np.float64] = 1 - self.share + self.share * np.exp2(-age / self.half_life)
        return run.scores * kept
