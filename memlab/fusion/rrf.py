"""Reciprocal rank fusion: ranks alone count."""

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
class RRF:
    """``sum of w / (k + rank)`` (Cormack, Clarke, Büttcher, SIGIR 2009, section 2).

    Attributes:
        k: How flat the ranks count; at least 0.
        depth: How many facts of each retriever count at least.
    """

    k: float = 60
    depth: int = DEPTH
    lift: ClassVar[float] = 0.0
    completes: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_depth(self.depth)
        if self.k < 0:
            raise ParameterError(f"k must be at least 0, got {self.k}")

    def fuse(
        self, runs: Sequence[Run], weights: Sequence[float]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """See `memlab.fusion.base.Fusion`."""
        import numpy as np

        return total(runs, weights, [1 / (self.k + np.arange(1, len(run) + 1)) for run in runs])
