"""How near the nearest facts are to a question: it tells an answer from the best of what is there.

The mean of several cosines tells it better than the first alone: what the notes speak of has more
than one fact beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memlab.store.corpus import Corpus
    from memlab.types import Query

_MOST, _OF = 10, 50  # so many facts at most, and one of so many


@dataclass(frozen=True, slots=True)
class Nearness:
    """What the nearest facts tell: a fiftieth of those that filters allow, ten at most.

    Attributes:
        cosine: The mean of their cosines, in [-1, 1].
        across: The share of them that not all models which read the question can read: those in
            another language, whose cosines are lower; 0 with a single model.
    """

    cosine: float
    across: float


def nearness(
    corpus: Corpus, query: Query, cosines: NDArray[np.float64], across: NDArray[Any]
) -> Nearness | None:
    """What the nearest facts tell; None where there is none.

    Args:
        corpus: All facts.
        query: The question with its filters.
        cosines: Of the nearest facts and others, in any order, shape (n,).
        across: Which of them not all models can read, shape (n,).
    """
    import numpy as np

    if not len(cosines):
        return None
    count = max(1, min(_MOST, int(corpus.mask(query).sum()) // _OF))
    nearest = np.argsort(-cosines, kind="stable")[:count]
    return Nearness(
        round(float(cosines[nearest].mean()), 5), round(float(across[nearest].mean()), 5)
    )
