"""A convex combination of scores that were brought to [0, 1]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from memlab.errors import UnknownNameError
from memlab.fusion.base import DEPTH, check_depth, total

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from memlab.types import Run

NORMS = ("min-max", "theoretical", "z")
_SIGMAS = 3.0


@dataclass(frozen=True, slots=True)
class Convex:
    """``sum of w * norm(s)`` with weights that add up to 1 (Bruch, Gai, Ingber, TOIS 2023, eq. 3).

    Attributes:
        norm: ``min-max`` by the least and best score of the run (eq. 5); ``theoretical``, the same
            with 0 for the least, where scores below zero count as zero (eq. 6, of which 0 is the
            infimum for BM25); ``z``, three standard deviations to either side of the mean.
        depth: How many facts of each retriever count at least.
    """

    norm: str = "min-max"
    depth: int = DEPTH
    lift: ClassVar[float] = 0.0
    completes: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_depth(self.depth)
        if self.norm not in NORMS:
            raise UnknownNameError("norm", self.norm, list(NORMS))

    def fuse(
        self, runs: Sequence[Run], weights: Sequence[float]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """See `memlab.fusion.base.Fusion`."""
        whole = sum(weights) or 1.0
        shares = [weight / whole for weight in weights]
        return total(runs, shares, [self._normed(run.scores) for run in runs])

    def _normed(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        if not len(scores):
            return scores
        if self.norm == "z":
            low, high = (
                scores.mean() - _SIGMAS * scores.std(),
                scores.mean() + _SIGMAS * scores.std(),
            )
        else:
            low, high = (scores.min() if self.norm == "min-max" else 0.0), scores.max()
        # where all are alike, all are the best
        normed: NDArray[np.float64] = (
            ((scores - low) / (high - low)).clip(0, 1) if high > low else scores * 0 + 1
        )
        return normed
