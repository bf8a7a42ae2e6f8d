"""A linear model over the features of a pair, trained on data that the user names.

Logistic regression (scikit-learn) at training; NumPy alone at use. A model is one ``.npz`` file of
names and coefficients: nothing in it can run.
"""

from __future__ import annotations

import functools
import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.errors import MissingExtraError, ParameterError
from memlab.opinions import features as _features
from memlab.opinions.base import Label, Stance

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

_FORMAT = 1


@dataclass(frozen=True)
class Model:
    """A trained model.

    Attributes:
        labels: The labels that it tells apart, in the order of the rows.
        names: The features that it knows.
        weights: float64, shape (labels, features).
        intercepts: float64, shape (labels,).
        about: What it was trained on, in words.
    """

    labels: tuple[Label, ...]
    names: tuple[str, ...]
    weights: NDArray[np.float64]
    intercepts: NDArray[np.float64]
    about: str = ""

    @functools.cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each (statement, evidence) pair."""
        import numpy as np

        stances = []
        for pair in pairs:
            known = [
                (place, value)
                for name, value in _features.features(*pair).items()
                if (place := self._places.get(name)) is not None
            ]
            columns = [place for place, _ in known]
            values = np.array([value for _, value in known])
            logits = self.weights[:, columns] @ values + self.intercepts
            odds = np.exp(logits - logits.max())
            # rounded down to 1e-5, so that they repeat and never sum to more than 1
            share = np.floor(odds / odds.sum() * 1e5) / 1e5
            of = dict(zip(self.labels, share.tolist(), strict=True))
            stances.append(Stance(of.get(Label.SUPPORTS, 0.0), of.get(Label.CONTRADICTS, 0.0)))
        return stances

    def save(self, path: Path) -> None:
        """Write it to a file."""
        import numpy as np

        head = {
            "format": _FORMAT, "features": _features.VERSION, "about": self.about,
            "labels": list(self.labels), "names": list(self.names),
        }  # fmt: skip
        text = np.frombuffer(json.dumps(head, ensure_ascii=False).encode(), np.uint8)
        with path.open("wb") as file:
            np.savez_compressed(
                file, head=text, weights=self.weights.astype(np.float32),
                intercepts=self.intercepts,
            )  # fmt: skip


def load(path: str) -> Model:
    """Read a model.

    Raises:
        ParameterError: If there is none, or an older memlab trained it.
    """
    hint = "Train one: memlab stance train PAIRS --output MODEL.npz"
    try:
        return _load(path, os.stat(path).st_mtime_ns)
    except (OSError, ValueError, KeyError, EOFError) as error:
        raise ParameterError(f"is no stance model: {error}", where=path, hint=hint) from error


@functools.lru_cache(maxsize=4)
def _load(path: str, _changed: int) -> Model:
    import zipfile

    import numpy as np

    try:
        # opened here, since NumPy leaves a damaged file open
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as kept:
            head = json.loads(kept["head"].tobytes())
            weights, intercepts = kept["weights"].astype(np.float64), kept["intercepts"]
    except zipfile.BadZipFile as error:
        raise ValueError(str(error)) from error
    if (head["format"], head["features"]) != (_FORMAT, _features.VERSION):
        raise ValueError("another version of memlab trained it")
    labels = tuple(Label(name) for name in head["labels"])
    names = tuple(head["names"])
    if weights.shape != (len(labels), len(names)) or intercepts.shape != (len(labels),):
        raise ValueError("its parts do not belong together")
    return Model(labels, names, weights, intercepts, head["about"])


@dataclass(frozen=True, slots=True)
class Pairs:
    """A trained model by the place of its file.

    Attributes:
        path: The file that ``memlab stance train`` wrote.
    """

    path: str

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each (statement, evidence) pair.

        Raises:
            ParameterError: If there is no model at ``path``.
        """
        return load(self.path).judge(pairs)


def train(
    pairs: Sequence[tuple[str, str]],
    labels: Sequence[Label],
    *,
    strength: float = 0.5,
    min_count: int = 3,
    about: str = "",
) -> Model:
    """Train a model; the same pairs in the same order give the same one.

    Args:
        pairs: Statements and evidence.
        labels: The stance of each, of two or three kinds.
        strength: scikit-learn's C: the inverse of the penalty on large coefficients.
        min_count: Features of fewer pairs are left out.
        about: What the pairs are, kept with the model.

    Raises:
        ParameterError: If there is no choice between labels.
        MissingExtraError: If scikit-learn is not installed.
    """
    if len(set(labels)) < 2:
        raise ParameterError("needs pairs of at least two labels to learn from")
    try:
        from sklearn.feature_extraction import DictVectorizer
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise MissingExtraError("training a stance model", extra="embeddings") from error
    import numpy as np
    from threadpoolctl import threadpool_limits

    rows = [_features.features(*pair) for pair in pairs]
    counts: dict[str, int] = {}
    for row in rows:
        for name in row:
            counts[name] = counts.get(name, 0) + 1
    kept = [{n: v for n, v in row.items() if counts[n] >= min_count} for row in rows]
    vectorizer = DictVectorizer()
    matrix = vectorizer.fit_transform(kept)
    # more threads than cores make each step many times slower
    with threadpool_limits(1):
        # what is left to gain after some hundred steps is in the third place of a score
        learner = LogisticRegression(C=strength, max_iter=300, tol=1e-3)
        learner.fit(matrix, [label.value for label in labels])
    weights, intercepts = learner.coef_, learner.intercept_
    if len(weights) == 1:  # two labels: scikit-learn keeps the row of the second
        weights = np.vstack([-weights / 2, weights / 2])
        intercepts = np.concatenate([-intercepts / 2, intercepts / 2])
    return Model(
        tuple(Label(name) for name in learner.classes_),
        tuple(vectorizer.feature_names_),
        weights.astype(np.float64),
        intercepts.astype(np.float64),
        about,
    )
