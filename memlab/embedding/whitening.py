"""Partial whitening: the vectors of one corpus spread out, since a model crowds all text together.

With the mean ``m`` of the corpus and eigenvectors ``V`` and eigenvalues ``l`` of its covariance,
``x`` becomes ``V^T (x - m) / (sqrt(l) + e)^strength``, at unit length, questions and facts alike
(Su et al., arXiv 2103.15316, section 3, which has strength 1; less keeps what the model knows).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from memlab.errors import ParameterError

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

_FILE = "whitening.npz"
_FLOOR = 0.1  # e, as a share of the mean of the square roots
_FEW = 8  # facts from which the corpus's own mean and spread begin to count


@dataclass(frozen=True, slots=True)
class Whitening:
    """The map that one corpus gives.

    Attributes:
        mean: Subtracted first; float64, shape (d,).
        matrix: Multiplied with then, from the right; float64, shape (d, d).
    """

    mean: NDArray[np.float64]
    matrix: NDArray[np.float64]

    @classmethod
    def fit(cls, vectors: NDArray[np.float32], strength: float) -> Self:
        """The map of a corpus; of a few facts it changes little, of none nothing.

        Args:
            vectors: Unit vectors, shape (n, d); those of no length do not count.
            strength: 0 to subtract the mean alone, 1 to whiten wholly.
        """
        import numpy as np

        vectors = vectors[vectors.any(axis=1)]
        count, dimension = vectors.shape
        trust = count / (count + _FEW)
        mean = vectors.mean(axis=0, dtype=np.float64) if count else np.zeros(dimension)
        moved = vectors.astype(np.float64) - mean
        values, axes = np.linalg.eigh(moved.T @ moved / max(count, 1))
        spread = np.sqrt(values.clip(0))
        floor = _FLOOR * float(spread.mean())
        scale = (spread + floor) ** -(strength * trust) if floor else np.ones(dimension)
        return cls(mean * trust, axes * scale)

    def __call__(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Vectors of unit length, shape (n, d); one of no length stays so."""
        import numpy as np

        there = vectors.any(axis=1, keepdims=True)
        moved = ((vectors.astype(np.float64) - self.mean) @ self.matrix) * there
        lengths = np.linalg.norm(moved, axis=1, keepdims=True)
        unit: NDArray[np.float32] = (moved / np.where(lengths > 0, lengths, 1)).astype(np.float32)
        return unit

    def save(self, folder: Path) -> None:
        """Write it into a folder."""
        import numpy as np

        np.savez(folder / _FILE, mean=self.mean, matrix=self.matrix)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote."""
        import numpy as np

        with np.load(folder / _FILE) as file:
            return cls(file["mean"], file["matrix"])


def check(strength: float) -> None:
    """Refuse a strength outside 0 to 1.

    Raises:
        ParameterError: If it is.
    """
    if not 0 <= strength <= 1:
        raise ParameterError(f"whiten must lie in 0 to 1, got {strength}")
