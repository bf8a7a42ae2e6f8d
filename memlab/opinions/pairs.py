"""A model over the features of a pair, trained on data that the user names.

scikit-learn at training (`memlab.opinions.training`); NumPy at use, and the model of embeddings
where it was trained with one. A model is one ``.npz`` file of names and numbers: nothing in it can
run.
"""

from __future__ import annotations

import functools
import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memlab.errors import ParameterError
from memlab.opinions import features as _features
from memlab.opinions import vectors as _vectors
from memlab.opinions.base import Label, Stance
from memlab.opinions.kernels import Nearness

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

_FORMAT = 2
_HINT = "Train one: memlab stance train PAIRS --output MODEL.npz"


@dataclass(frozen=True)
class Embedded:
    """What a model knows by the vectors of texts.

    Attributes:
        embedding: The spec of the model of embeddings.
        fingerprint: Its fingerprint.
        near: The pairs that were learnt from.
        coefficients: float32, shape (pairs, labels): what nearness to each says for each label.
    """

    embedding: str
    fingerprint: str
    near: Nearness
    coefficients: NDArray[np.float32]

    def logits(self, statement: str, evidence: str) -> NDArray[np.float64]:
        """What it says for each label, shape (labels,)."""
        import numpy as np

        _vectors.card(self.embedding, self.fingerprint)
        u, v = (_vectors.vector(self.embedding, text) for text in (statement, evidence))
        found: NDArray[np.float64] = (self.near.to(u, v) @ self.coefficients).astype(np.float64)
        return found


@dataclass(frozen=True)
class Model:
    """A trained model.

    Attributes:
        labels: The labels that it tells apart, in the order of the rows.
        names: The features that it knows.
        weights: float64, shape (labels, features).
        intercepts: float64, shape (labels,).
        sharpness: What scores are multiplied by to become logits.
        embedded: What it knows by vectors; None where it was trained without, or better so.
        about: What it was trained on, in words.
        mixture: The name of the mixture of features that it was trained on.
        tried: Macro-F1 of each mixture that was tried, in cross-validation.
    """

    labels: tuple[Label, ...]
    names: tuple[str, ...]
    weights: NDArray[np.float64]
    intercepts: NDArray[np.float64]
    sharpness: float = 1.0
    embedded: Embedded | None = None
    about: str = ""
    mixture: str = ""
    tried: tuple[tuple[str, float], ...] = ()

    @functools.cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each (statement, evidence) pair.

        Raises:
            MissingExtraError: If the model of embeddings is not installed.
            ModelError: If it is another one than at training.
        """
        import numpy as np

        stances = []
        for pair in pairs:
            logits = self.sharpness * self._scores(*pair)
            odds = np.exp(logits - logits.max())
            # rounded down to 1e-5, so that they repeat and never sum to more than 1
            share = np.floor(odds / odds.sum() * 1e5) / 1e5
            of = dict(zip(self.labels, share.tolist(), strict=True))
            stances.append(Stance(of.get(Label.SUPPORTS, 0.0), of.get(Label.CONTRADICTS, 0.0)))
        return stances

    def _scores(self, statement: str, evidence: str) -> NDArray[np.float64]:
        import numpy as np

        known = [
            (place, value)
            for name, value in _features.features(statement, evidence).items()
            if (place := self._places.get(name)) is not None
        ]
        columns = [place for place, _ in known]
        values = np.array([value for _, value in known])
        scores: NDArray[np.float64] = self.weights[:, columns] @ values + self.intercepts
        return scores + self.embedded.logits(statement, evidence) if self.embedded else scores

    def save(self, path: Path) -> None:
        """Write it to a file."""
        import numpy as np

        head: dict[str, Any] = {
            "format": _FORMAT, "features": _features.VERSION, "about": self.about,
            "labels": list(self.labels), "names": list(self.names), "sharpness": self.sharpness,
            "mixture": self.mixture, "tried": self.tried,
        }  # fmt: skip
        arrays: dict[str, Any] = {
            "weights": self.weights.astype(np.float32), "intercepts": self.intercepts,
        }  # fmt: skip
        if self.embedded:
            near = self.embedded.near
            head |= {
                "embedding": self.embedded.embedding, "fingerprint": self.embedded.fingerprint,
                "content": near.content, "difference": near.difference,
            }  # fmt: skip
            arrays |= {
                "statements": near.statements, "evidence": near.evidence, "rows": near.rows,
                "coefficients": self.embedded.coefficients,
            }  # fmt: skip
        text = np.frombuffer(json.dumps(head, ensure_ascii=False).encode(), np.uint8)
        with path.open("wb") as file:
            np.savez_compressed(file, head=text, **arrays)


def load(path: str) -> Model:
    """Read a model.

    Raises:
        ParameterError: If there is none, or an older memlab trained it.
    """
    try:
        return _load(path, os.stat(path).st_mtime_ns)
    except (OSError, ValueError, KeyError, EOFError) as error:
        raise ParameterError(f"is no stance model: {error}", where=path, hint=_HINT) from error


@functools.lru_cache(maxsize=4)
def _load(path: str, _changed: int) -> Model:
    import zipfile

    import numpy as np

    try:
        # opened here, since NumPy leaves a damaged file open
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as kept:
            arrays = dict(kept)
    except zipfile.BadZipFile as error:
        raise ValueError(str(error)) from error
    head = json.loads(arrays["head"].tobytes())
    if (head["format"], head["features"]) != (_FORMAT, _features.VERSION):
        raise ValueError("another version of memlab trained it")
    labels = tuple(Label(name) for name in head["labels"])
    names = tuple(head["names"])
    weights, intercepts = arrays["weights"].astype(np.float64), arrays["intercepts"]
    if weights.shape != (len(labels), len(names)) or intercepts.shape != (len(labels),):
        raise ValueError("its parts do not belong together")
    embedded = _embedded(head, arrays) if "embedding" in head else None
    tried = tuple((str(name), float(score)) for name, score in head["tried"])
    return Model(
        labels, names, weights, intercepts, head["sharpness"], embedded,
        head["about"], head["mixture"], tried,
    )  # fmt: skip


def _embedded(head: dict[str, Any], arrays: dict[str, Any]) -> Embedded:
    near = Nearness(
        arrays["statements"], arrays["evidence"], arrays["rows"],
        head["content"], head["difference"],
    )  # fmt: skip
    pairs = len(near.rows)
    if arrays["coefficients"].shape != (pairs, len(head["labels"])) or near.rows.shape[1] != 2:
        raise ValueError("its parts do not belong together")
    return Embedded(head["embedding"], head["fingerprint"], near, arrays["coefficients"])


@dataclass(frozen=True, slots=True)
class Pairs:
    """A trained model by the place of its file.

    Attributes:
        path: The file that ``memlab stance train`` wrote.
    """

    path: str = ""

    def __post_init__(self) -> None:
        if not self.path:
            raise ParameterError("needs a model", where="pairs", hint=_HINT)

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each (statement, evidence) pair.

        Raises:
            ParameterError: If there is no model at ``path``.
            MissingExtraError: If the model of embeddings is not installed.
        """
        return load(self.path).judge(pairs)
