"""What a model of pairs is trained on: the features of all pairs as numbers, and how they mix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memlab.opinions import features as _features

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Mixture:
    """How much each sort of feature counts; each is 1 for a pair with itself on the average.

    Attributes:
        name: Its name.
        cues: Overlaps, cues and directions.
        words: The words of both texts.
        content: Nearness of what pairs are about; see `memlab.opinions.kernels`.
        difference: Nearness of how the two texts of a pair differ.
    """

    name: str
    cues: float
    words: float = 0.0
    content: float = 0.0
    difference: float = 0.0


@dataclass(frozen=True)
class Design:
    """The features of all pairs: cues centred and of one spread, words as they are.

    Attributes:
        names: The names of the columns: cues, then words.
        means: float64, shape (features,): what is taken from each column; 0 for words.
        scales: float64, shape (features,): what each is then multiplied by.
        cues: float64, shape (n, cues).
        words: A sparse matrix, shape (n, words).
    """

    names: tuple[str, ...]
    means: NDArray[np.float64]
    scales: NDArray[np.float64]
    cues: NDArray[np.float64]
    words: Any

    @classmethod
    def of(cls, pairs: Sequence[tuple[str, str]], min_count: int) -> Design:
        """The design of statements and evidence; features of fewer pairs are left out."""
        import numpy as np
        from scipy.sparse import csr_array

        rows = [_features.features(*pair) for pair in pairs]
        counts: dict[str, int] = {}
        for row in rows:
            for name in row:
                counts[name] = counts.get(name, 0) + 1
        kept = sorted(name for name, count in counts.items() if count >= min_count)
        cues = [name for name in kept if not _features.of_words(name)]
        words = {name: n for n, name in enumerate(n for n in kept if _features.of_words(n))}
        dense = np.array([[row.get(name, 0.0) for name in cues] for row in rows])
        dense = dense.reshape(len(rows), len(cues))
        means, spreads = dense.mean(axis=0), dense.std(axis=0)
        told = spreads > 1e-9
        scales = np.where(told, 1 / np.where(told, spreads, 1), 0) / max(1.0, told.sum()) ** 0.5
        cells = [
            (n, words[name], value)
            for n, row in enumerate(rows)
            for name, value in row.items()
            if name in words
        ]
        where, column, value = zip(*cells, strict=True) if cells else ((), (), ())
        sparse = csr_array((value, (where, column)), shape=(len(rows), len(words)), dtype=float)
        norm = sparse.power(2).sum() / len(rows)
        scale = norm**-0.5 if norm else 0.0
        return cls(
            (*cues, *words), np.append(means, np.zeros(len(words))),
            np.append(scales, np.full(len(words), scale)), (dense - means) * scales,
            sparse * scale,
        )  # fmt: skip

    def mixed(self, mixture: Mixture) -> Any:
        """Both as one sparse matrix, weighed; shape (n, features)."""
        from scipy.sparse import csr_array, hstack

        parts = [csr_array(self.cues * mixture.cues**0.5), self.words * mixture.words**0.5]
        return csr_array(hstack(parts))
