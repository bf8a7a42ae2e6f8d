"""Scores divided by the best of their run, weighted and added."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from memlab.errors import ParameterError
from memlab.fusion.base import DEPTH, check_depth, total

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from memlab.types import Run


@dataclass(frozen=True, slots=True)
class Weighted:
    """``sum of w * s / max s``: zero stays zero, so a weak run of one fact still counts in full.

    Scores below zero, as a cosine may be, count as zero.

    Attributes:
        depth: How many facts of each retriever count at least.
        lift: How much more meaning counts where words find little; see `memlab.fusion.base.Fusion`.
    """

    depth: int = DEPTH
    lift: float = 1.0
    completes: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_depth(self.depth)
        if self.lift < 0:
            raise ParameterError(f"lift must be at least 0, got {self.lift}")

    def fuse(
        self, runs: Sequence[Run], weights: Sequence[float]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """See `memlab.fusion.base.Fusion`."""
        gains = []
        for run in runs:
            best = float(run.scores.max(initial=0.0))
            gains.append(run.scores.clip(0) / (best or 1.0))
        return total(runs, weights, gains)
