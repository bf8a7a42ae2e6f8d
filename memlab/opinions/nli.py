"""Stance by a model of natural language inference whose weights lie in a folder."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memlab.embedding import digests, loading
from memlab.embedding.base import ModelError
from memlab.errors import ParameterError
from memlab.opinions.base import Label, Stance

if TYPE_CHECKING:
    from collections.abc import Sequence

_STARTS = {
    "entail": Label.SUPPORTS, "contradict": Label.CONTRADICTS, "neutral": Label.NEUTRAL,
}  # fmt: skip
_COMPLETE = (sorted(Label), sorted({Label.SUPPORTS, Label.CONTRADICTS}))
_HINT = "id2label has to name entailment, contradiction and, where there are three, neutral"


@dataclass(frozen=True, slots=True)
class NLI:
    """A cross-encoder by sentence-transformers, from a local folder, never from a hub.

    The evidence is the premise, the statement the hypothesis: what entails supports. Which output
    is which is read from ``id2label`` of the model's ``config.json``.

    Attributes:
        path: The folder of the model.
    """

    path: str = ""

    def __post_init__(self) -> None:
        if not (Path(self.path) / "config.json").is_file():
            raise ParameterError(
                "is not the folder of a model: it has no config.json", where=self.path or "nli",
                hint="Write nli(path='FOLDER'); memlab downloads nothing",
            )  # fmt: skip

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each (statement, evidence) pair.

        Raises:
            MissingExtraError: If sentence-transformers is not installed.
            ModelError: If the model cannot be loaded, or is none of inference.
        """
        import numpy as np

        order = _order(Path(self.path))
        if not pairs:
            return []
        # one by one: padding to a batch's longest text changes the last digits
        shares = _load(self.path).predict(
            [(evidence, statement) for statement, evidence in pairs], batch_size=1,
            apply_softmax=True, show_progress_bar=False, convert_to_numpy=True,
        )  # fmt: skip
        if shares.shape != (len(pairs), len(order)) or not np.isfinite(shares).all():
            raise ModelError(
                f"answered {shares.shape} for {len(pairs)} pairs and {len(order)} labels",
                where=self.path,
            )
        stances = []
        for row in np.floor(shares.astype(np.float64) * 1e5) / 1e5:
            of = dict(zip(order, row.tolist(), strict=True))
            stances.append(Stance(of[Label.SUPPORTS], of[Label.CONTRADICTS]))
        return stances

    def fingerprint(self) -> str:
        """What its stances depend on: the hashes of the folder's files."""
        return json.dumps(digests.folder_digest(Path(self.path)))


def _order(folder: Path) -> list[Label]:
    """What each output of a model stands for.

    Raises:
        ModelError: If its configuration does not name both entailment and contradiction, once.
    """
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        by_place = {int(place): str(name) for place, name in config["id2label"].items()}
        names = [by_place[place] for place in range(len(by_place))]
    except (OSError, ValueError, TypeError, AttributeError, KeyError) as error:
        raise ModelError(
            "its config.json has no id2label", where=str(folder), hint=_HINT
        ) from error
    found = [
        label
        for name in names
        for start, label in _STARTS.items()
        if name.casefold().startswith(start)
    ]
    if len(found) < len(names) or sorted(found) not in _COMPLETE:
        raise ModelError(
            f"its labels are {', '.join(names) or 'none'}", where=str(folder), hint=_HINT
        )
    return found


@lru_cache(maxsize=1)
def _load(path: str) -> Any:
    return loading.cross_encoder(Path(path), activation="Identity", what="a model of inference")
