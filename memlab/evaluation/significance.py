"""How sure a figure is: bootstrap intervals, paired tests, and correction for many comparisons."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from memlab.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

RESAMPLES = 2000
PERMUTATIONS = 9999


def intervals(
    values: NDArray[np.float64],
    clusters: Sequence[str],
    *,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> NDArray[np.float64]:
    """Percentile bootstrap intervals of means, whole clusters drawn with replacement.

    Questions about one conversation rise and fall together, so conversations are drawn, not
    questions (Efron and Tibshirani 1993, section 13.3; for clusters Field and Welsh 2007, "the
    randomized cluster bootstrap"). With only a few clusters the interval is rather too narrow.

    Args:
        values: Shape (questions, measures), all finite.
        clusters: The cluster of each question; one cluster in all means that questions are drawn.
        level: How much of the bootstrap distribution lies inside.
        resamples: How many samples are drawn.
        seed: Of the random generator.

    Returns:
        Shape (measures, 2): lower and upper end; NaN where there is no question.
    """
    questions, measures = values.shape
    if not questions:
        return np.full((measures, 2), np.nan)
    names, codes = np.unique(np.asarray(clusters, dtype=str), return_inverse=True)
    if len(names) == 1:
        codes = np.arange(questions)
    count = int(codes.max()) + 1
    sums = np.zeros((count, measures))
    np.add.at(sums, codes, values)
    sizes = np.bincount(codes, minlength=count).astype(np.float64)
    drawn = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), resamples)
    means = (drawn @ sums) / (drawn @ sizes)[:, None]
    tails = [(1 - level) / 2, (1 + level) / 2]
    ends: NDArray[np.float64] = np.quantile(means, tails, axis=0).T
    return ends


def paired_p(
    ours: NDArray[np.float64], theirs: NDArray[np.float64], *, seed: int = 0
) -> NDArray[np.float64]:
    """Two-sided p-values of Fisher's randomisation test on the mean difference by question.

    Smucker, Allan and Carterette (CIKM 2007, section 3) recommend it for comparing two systems on
    the same questions. Exact for a dozen questions, else by `PERMUTATIONS` random flips of signs.

    Args:
        ours: Shape (questions, measures).
        theirs: The baseline's, the same questions in the same order.
        seed: Of the random generator.

    Returns:
        Shape (measures,); 1 where the two never differ, NaN where there are under two questions.

    Raises:
        MissingExtraError: If scipy is not installed.
    """
    try:
        from scipy import stats
    except ImportError as error:
        raise MissingExtraError("testing for significance", extra="eval") from error
    if len(ours) < 2:
        return np.full(ours.shape[1], np.nan)

    def tested(column: NDArray[np.float64]) -> float:
        # questions on which both agree change no mean, whatever their sign
        differences = column[column != 0]
        if len(differences) < 2:
            return 1.0
        found = stats.permutation_test(
            (differences,), _mean, permutation_type="samples", vectorized=True, batch=1000,
            n_resamples=PERMUTATIONS, rng=np.random.default_rng(seed),
        )  # fmt: skip
        return float(found.pvalue)

    with ThreadPoolExecutor() as pool:  # NumPy, which does the work, lets other threads run
        return np.array(list(pool.map(tested, (ours - theirs).T)))


def _mean(values: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
    mean: NDArray[np.float64] = np.mean(values, axis=axis)
    return mean


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values corrected for being many, by Holm's step-down method (1979, section 3).

    The i-th smallest of m becomes ``max over j <= i of (m - j + 1) p_j``, at most 1. NaN stays NaN
    and is not counted.
    """
    order = sorted((p, i) for i, p in enumerate(p_values) if p == p)  # noqa: PLR0124  # not NaN
    corrected = [float("nan")] * len(p_values)
    largest = 0.0
    for place, (p, i) in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - place) * p))
        corrected[i] = largest
    return corrected
