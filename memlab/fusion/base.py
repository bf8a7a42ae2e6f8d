"""What a fusion is: from the runs of several retrievers to one score for each fact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

from memlab.errors import ParameterError
from memlab.retrievers.base import distinct

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from memlab.types import Run

DEPTH = 50
"""How many facts of each retriever are fused at least."""


@runtime_checkable
class Fusion(Protocol):
    """A strategy that fuses: a frozen dataclass, found by name in the family ``fusion``."""

    depth: int
    """How many facts are asked of each retriever; at least twice as many as are wanted."""
    completes: ClassVar[bool]
    """Whether each retriever that can is to score the facts that only others found. These follow a
    run's own facts in no order."""
    lift: float
    """How much more retrievers by meaning count where words find little: their weights are divided
    by ``c ** lift``, where ``c`` is the most of the question, by idf, that one of the best facts by
    words has; 0 for never."""

    def fuse(
        self, runs: Sequence[Run], weights: Sequence[float]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Rows that any run has, none twice, rising, and their scores; both of shape (n,).

        Args:
            runs: One run a retriever.
            weights: One weight a run, at least 0.
        """
        ...


def table(runs: Sequence[Run]) -> tuple[NDArray[np.int64], list[NDArray[np.intp]]]:
    """The rows that any run has, rising, and for each run the place of its facts among them."""
    import numpy as np

    rows = distinct(np.concatenate([run.rows for run in runs]))
    return rows, [np.searchsorted(rows, run.rows) for run in runs]


def total(
    runs: Sequence[Run], weights: Sequence[float], gains: Sequence[NDArray[Any]]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Rows and the weighted sum of what each run gives its facts; a run gives others nothing."""
    import numpy as np

    rows, places = table(runs)
    scores = np.zeros(len(rows))
    for at, weight, gain in zip(places, weights, gains, strict=True):
        scores[at] += weight * gain
    return rows, scores


def check_depth(depth: int) -> None:
    """Refuse a depth of less than one.

    Raises:
        ParameterError: If it is.
    """
    if depth < 1:
        raise ParameterError(f"depth must be at least 1, got {depth}")
