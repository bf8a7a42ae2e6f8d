"""Training a model of pairs: kernel ridge regression over cues, words and nearness.

Which of them to mix is chosen in cross-validation over the pairs given, no statement in two folds;
and so is how sure a score makes. Nothing else is looked at, and the same pairs in the same order
give the same model.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from memlab.errors import MissingExtraError, ParameterError
from memlab.opinions import vectors as _vectors
from memlab.opinions.design import Design, Mixture
from memlab.opinions.kernels import Nearness
from memlab.opinions.pairs import Embedded, Model

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from memlab.opinions.base import Label

MOST = 10_000
"""Of more pairs, so many are drawn to learn from with an embedding: there, all meet all."""
_FOLDS = 5


PLAIN = (Mixture("cues and words", 1.0, 1.0), Mixture("cues", 1.0))
EMBEDDED = (
    Mixture("cues, words, content", 0.3, 0.3, content=5.0),
    Mixture("cues, words, difference", 1.0, 1.0, difference=3.0),
)
"""Those that need embeddings, tried beside the plain ones."""


def train(
    pairs: Sequence[tuple[str, str]],
    labels: Sequence[Label],
    *,
    embedding: str | None = None,
    strength: float = 0.5,
    min_count: int = 3,
    about: str = "",
) -> Model:
    """Train a model.

    Args:
        pairs: Statements and evidence.
        labels: The stance of each, of two or three kinds.
        embedding: The spec of a model of embeddings; None to do without.
        strength: The inverse of the penalty on large coefficients: scikit-learn's C, with which
            its ``alpha`` is 1 / (2 C).
        min_count: Features of fewer pairs are left out.
        about: What the pairs are, kept with the model.

    Raises:
        ParameterError: If there is no choice between labels, or the strength is not above 0.
        MissingExtraError: If scikit-learn or the model of embeddings is not installed.
    """
    if len(set(labels)) < 2:
        raise ParameterError("needs pairs of at least two labels to learn from")
    if not strength > 0:
        raise ParameterError(f"strength must be above 0, got {strength}")
    try:
        import sklearn  # noqa: F401  # what is missing is told before anything takes long
        from threadpoolctl import threadpool_limits
    except ImportError as error:
        raise MissingExtraError("training a stance model", extra="embeddings") from error
    if embedding and len(pairs) > MOST:
        pairs, labels = _drawn(pairs, labels)
    near = _near(embedding, pairs) if embedding else None
    design = Design.of(pairs, min_count)
    known = tuple(sorted(set(labels)))
    # more threads than cores make each step many times slower
    with threadpool_limits(1):
        ground = _Ground(design, near, _targets(labels, known), alpha=0.5 / strength)
        folds = list(_folds(pairs))
        found = [(mixture, ground.held_out(mixture, folds)) for mixture in ground.mixtures()]
        scored = [(mixture.name, _macro_f1(scores, labels, known)) for mixture, scores in found]
        best = max(range(len(found)), key=lambda i: (scored[i][1], -i))
        mixture, held_out = found[best]
        weights, intercepts, coefficients = ground.learn(mixture)
    embedded = None
    if embedding and (used := _of(near, mixture)) and coefficients is not None:
        fingerprint = _vectors.encoder(embedding).card.fingerprint
        embedded = Embedded(embedding, fingerprint, used, coefficients)
    sharpness = _sharpness(held_out, labels, known)
    return Model(
        known, design.names, weights, intercepts, sharpness, embedded,
        about, mixture.name, tuple(scored),
    )  # fmt: skip


@dataclass(frozen=True)
class _Ground:
    """What is learnt from, and how.

    Attributes:
        design: The features.
        near: The vectors; None without.
        targets: Shape (n, labels): 1 for the label of a pair, -1 for the others.
        alpha: The penalty.
    """

    design: Design
    near: Nearness | None
    targets: NDArray[np.float64]
    alpha: float

    def mixtures(self) -> tuple[Mixture, ...]:
        # of equals the first is taken, the simplest
        return (*PLAIN, *EMBEDDED) if self.near else PLAIN

    def held_out(self, mixture: Mixture, folds: list[Any]) -> NDArray[np.float64]:
        """The scores of each pair from a model that did not see its statement; (n, labels)."""
        import numpy as np

        found = np.zeros_like(self.targets)
        matrix = self.design.mixed(mixture)
        near = _of(self.near, mixture)
        kernel = _kernel(matrix, near) if near else None
        for learn, test in folds:
            if kernel is None:
                found[test] = self._ridge(matrix[learn], self.targets[learn]).predict(matrix[test])
            else:
                part = kernel[np.ix_(learn, learn)]
                dual = self._kernel_ridge(part, self.targets[learn])
                found[test] = kernel[np.ix_(test, learn)] @ dual
        return found

    def learn(
        self, mixture: Mixture
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float32] | None]:
        """Weights and intercepts of the features as they come, and coefficients of nearness."""
        import numpy as np

        matrix = self.design.mixed(mixture)
        coefficients = None
        if near := _of(self.near, mixture):
            dual = self._kernel_ridge(_kernel(matrix, near), self.targets)
            weights, coefficients = (matrix.T @ dual).T, dual.astype(np.float32)
        else:
            weights = self._ridge(matrix, self.targets).coef_
        cues = self.design.cues.shape[1]
        mixed = np.full(len(self.design.names), mixture.words**0.5)
        mixed[:cues] = mixture.cues**0.5
        weights = weights * mixed * self.design.scales
        return weights, -weights @ self.design.means, coefficients

    def _ridge(self, matrix: Any, targets: NDArray[np.float64]) -> Any:
        from sklearn.linear_model import Ridge

        # cues are centred, and no intercept: a label is not likelier for being frequent here
        learner = Ridge(alpha=self.alpha, fit_intercept=False, solver="sparse_cg", tol=1e-5)
        return learner.fit(matrix, targets)

    def _kernel_ridge(
        self, kernel: NDArray[np.float32], targets: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        from sklearn.kernel_ridge import KernelRidge

        learner = KernelRidge(alpha=self.alpha, kernel="precomputed")
        found: NDArray[np.float64] = learner.fit(kernel, targets.astype("float32")).dual_coef_
        return found


def _kernel(matrix: Any, near: Nearness) -> NDArray[np.float32]:
    kernel = near.between()
    narrow = matrix.astype("float32")
    kernel += (narrow @ narrow.T).toarray()
    return kernel


def _near(embedding: str, pairs: Sequence[tuple[str, str]]) -> Nearness:
    """The vectors of all different texts; how they count is said by each mixture."""
    import numpy as np

    columns, rows = [], np.empty((len(pairs), 2), np.int32)
    for side in (0, 1):
        places = {text: n for n, text in enumerate(dict.fromkeys(pair[side] for pair in pairs))}
        columns.append(_vectors.vectors(embedding, list(places)).astype(np.float16))
        rows[:, side] = [places[pair[side]] for pair in pairs]
    return Nearness(columns[0], columns[1], rows, 0.0, 0.0)


def _of(near: Nearness | None, mixture: Mixture) -> Nearness | None:
    if near is None or not (mixture.content or mixture.difference):
        return None
    return replace(near, content=mixture.content, difference=mixture.difference)


def _targets(labels: Sequence[Label], known: Sequence[Label]) -> NDArray[np.float64]:
    import numpy as np

    return np.array([[1.0 if label is one else -1.0 for one in known] for label in labels])


def _drawn(
    pairs: Sequence[tuple[str, str]], labels: Sequence[Label]
) -> tuple[list[tuple[str, str]], list[Label]]:
    import numpy as np

    drawn = sorted(np.random.default_rng(0).permutation(len(pairs))[:MOST].tolist())
    return [pairs[place] for place in drawn], [labels[place] for place in drawn]


def _folds(pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[Any, Any]]:
    """Rows to learn from and rows to test on, no statement in both; none if there is only one."""
    from sklearn.model_selection import GroupKFold

    statements = [statement for statement, _ in pairs]
    count = min(_FOLDS, len(set(statements)))
    if count > 1:
        yield from GroupKFold(count).split(statements, groups=statements)


def _macro_f1(
    scores: NDArray[np.float64], labels: Sequence[Label], known: Sequence[Label]
) -> float:
    from sklearn.metrics import f1_score

    found = [known[place].value for place in scores.argmax(axis=1)]
    truth = [label.value for label in labels]
    return round(float(f1_score(truth, found, average="macro", zero_division=0)), 5)


def _sharpness(
    scores: NDArray[np.float64], labels: Sequence[Label], known: Sequence[Label]
) -> float:
    """What scores are multiplied by so that their shares fit best (Guo et al. 2017, section 4)."""
    import numpy as np

    right = np.array([known.index(label) for label in labels])

    def loss(factor: float) -> float:
        logits = factor * scores
        total = np.log(np.exp(logits - logits.max(axis=1, keepdims=True)).sum(axis=1))
        picked = logits[np.arange(len(right)), right] - logits.max(axis=1)
        return float((total - picked).mean())

    return min((0.25 * 1.1**step for step in range(50)), key=loss)
