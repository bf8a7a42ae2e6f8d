"""How near two pairs are to each other, by the vectors of their texts.

Two kernels (Schölkopf and Smola 2002, section 2.3), each 1 for equal pairs and falling to 0:

    content      exp(-2 (|u - u'|² / (2 a) + |v - v'|² / b))     what both are about
    difference   exp(-|z - z'|² / c),  z = (|u - v|, 5 u v)      how the two texts differ

u is a statement's vector and v its evidence's; a, b and c are the mean squared distances between
the pairs that were learnt from, so that no model of embeddings needs widths of its own.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WIDTH = 2.0
_STATEMENT = 0.5  # statements of one sort are told from others by less than their evidence
_PRODUCT = 5.0  # brings products to the size of differences


@dataclass(frozen=True)
class Nearness:
    """The pairs that were learnt from, and how nearness to them counts.

    Attributes:
        statements: float16, shape (statements, d): the vector of each different statement.
        evidence: float16, shape (texts, d): the vector of each different evidence.
        rows: int32, shape (n, 2): of each pair, its statement and its evidence.
        content: The weight of the first kernel.
        difference: The weight of the second.
    """

    statements: NDArray[np.float16]
    evidence: NDArray[np.float16]
    rows: NDArray[np.int32]
    content: float
    difference: float

    def between(self) -> NDArray[np.float32]:
        """The kernel of all pairs with all, shape (n, n)."""
        import numpy as np

        total = np.zeros((len(self.rows), len(self.rows)), np.float32)
        if self.content:
            first, second = self.rows.T
            far = _distances(self._u, self._squares[0])[np.ix_(first, first)] * self._factors[0]
            far += _distances(self._v, self._squares[1])[np.ix_(second, second)] * self._factors[1]
            total += np.float32(self.content) * np.exp(-far, out=far)
        if self.difference:
            far = _distances(self._z, self._squares[2]) * self._factors[2]
            total += np.float32(self.difference) * np.exp(-far, out=far)
        return total

    def to(self, u: NDArray[np.float32], v: NDArray[np.float32]) -> NDArray[np.float32]:
        """The kernel of one pair of vectors with all pairs, shape (n,)."""
        import numpy as np

        total = np.zeros(len(self.rows), np.float32)
        if self.content:
            first, second = self.rows.T
            far = _distances_to(self._u, self._squares[0], u)[first] * self._factors[0]
            far += _distances_to(self._v, self._squares[1], v)[second] * self._factors[1]
            total += np.float32(self.content) * np.exp(-far)
        if self.difference:
            z = _differences(u[None], v[None])[0]
            far = _distances_to(self._z, self._squares[2], z) * self._factors[2]
            total += np.float32(self.difference) * np.exp(-far)
        return total

    @functools.cached_property
    def _u(self) -> NDArray[np.float32]:
        return self.statements.astype("float32")

    @functools.cached_property
    def _v(self) -> NDArray[np.float32]:
        return self.evidence.astype("float32")

    @functools.cached_property
    def _z(self) -> NDArray[np.float32]:
        first, second = self.rows.T
        return _differences(self._u[first], self._v[second])

    @functools.cached_property
    def _squares(self) -> tuple[NDArray[np.float32], ...]:
        """The squared lengths of u, v and z."""
        import numpy as np

        z = self._z if self.difference else np.zeros((0, 0), np.float32)
        return tuple(np.einsum("ij,ij->i", x, x) for x in (self._u, self._v, z))

    @functools.cached_property
    def _factors(self) -> tuple[np.float32, np.float32, np.float32]:
        import numpy as np

        first, second = self.rows.T
        return (
            np.float32(_WIDTH * _STATEMENT / _spread(self._u[first])),
            np.float32(_WIDTH / _spread(self._v[second])),
            np.float32(1 / _spread(self._z) if self.difference else 0.0),
        )


def _differences(u: NDArray[np.float32], v: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    return np.hstack([np.abs(u - v), np.float32(_PRODUCT) * u * v])


def _distances(x: NDArray[np.float32], squares: NDArray[np.float32]) -> NDArray[np.float32]:
    """Squared distances of all rows to all, shape (n, n)."""
    import numpy as np

    found: NDArray[np.float32] = x @ x.T
    found *= -2
    found += squares[:, None]
    found += squares
    return np.maximum(found, 0, out=found)


def _distances_to(
    x: NDArray[np.float32], squares: NDArray[np.float32], one: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Squared distances of all rows to one, shape (n,)."""
    import numpy as np

    found: NDArray[np.float32] = squares + one @ one - 2 * (x @ one)
    return np.maximum(found, 0)


def _spread(x: NDArray[np.float32]) -> float:
    """The mean squared distance between rows; never so small that rounding counts."""
    import numpy as np

    wide = x.astype(np.float64)
    spread = 2 * (np.einsum("ij,ij->i", wide, wide).mean() - np.square(wide.mean(axis=0)).sum())
    return float(max(spread, 1e-3))
