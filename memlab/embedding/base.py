"""What an embedding model is: a frozen dataclass of parameters that loads an encoder."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from memlab.errors import MemlabError, MissingExtraError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

Role = Literal["query", "passage"]


class ModelError(MemlabError):
    """An embedding model cannot be loaded, or answers with what no model may answer."""


class MissingModelError(MissingExtraError):
    """The package that carries a model is not installed.

    Args:
        what: The model that was asked for.
        install: The command that installs it.
    """

    def __init__(self, what: str, install: str) -> None:
        MemlabError.__init__(
            self, f"the model {what!r} is not installed", hint=f"Install it: {install}"
        )
        self.extra = "embeddings"


@dataclass(frozen=True, slots=True)
class Card:
    """What is known of a model without asking it anything.

    Attributes:
        name: The spec that makes it.
        family: ``sentence-transformers``, ``static``, ``tfidf-svd`` or ``ollama``.
        dimension: How many numbers a vector has; 0 where only a loaded or fitted model knows.
        languages: ISO 639 codes of the languages that it was trained on; empty where unknown.
        licence: Of the weights, and of the package where that differs.
        bytes: What it takes on disk.
        max_tokens: Longer texts are cut there; 0 for no limit.
        query_prefix: Put before every query.
        passage_prefix: Put before every passage.
        fingerprint: 32 hex digits over all that its vectors depend on; empty until that is known.
    """

    name: str
    family: str
    dimension: int = 0
    languages: tuple[str, ...] = ()
    licence: str = "unknown"
    bytes: int = 0
    max_tokens: int = 0
    query_prefix: str = ""
    passage_prefix: str = ""
    fingerprint: str = ""

    def prefix(self, role: Role) -> str:
        """What is put before a text of that role.

        Raises:
            ParameterError: If there is no such role.
        """
        if role not in ("query", "passage"):
            raise ParameterError(f"no role {role!r}", hint="Known: passage, query")
        return self.query_prefix if role == "query" else self.passage_prefix


@runtime_checkable
class Encoder(Protocol):
    """A loaded model."""

    @property
    def card(self) -> Card:
        """The model's card, complete."""
        ...

    @property
    def cacheable(self) -> bool:
        """Whether its vectors are worth keeping between runs."""
        ...

    def encode(self, texts: Sequence[str], *, role: Role = "passage") -> NDArray[np.float32]:
        """Vectors of unit length (zero for a text that it knows nothing of), shape (n, dimension).

        The prefix of the role is put before each text here; callers hand over bare texts.
        """
        ...

    def save(self, folder: Path) -> None:
        """Keep what was fitted, so that `Embedding.restore` needs no texts; pretrained: nothing."""
        ...


class Embedding:
    """The base of all strategies of the family ``embedding``: a model that is not loaded yet."""

    __slots__ = ()

    @property
    def card(self) -> Card:
        """What is known of it without loading it.

        Raises:
            MissingExtraError: If it is not installed.
        """
        raise NotImplementedError

    def load(self) -> Encoder:
        """Load it from disk, or reach its server.

        Raises:
            MissingExtraError: If it or its library is not installed.
            ModelError: If it is damaged, or its server does not answer.
            ParameterError: If it has to be fitted first.
        """
        raise NotImplementedError

    def fit(self, texts: Sequence[str]) -> Encoder:
        """Make it ready for texts like these; a pretrained model is loaded as it is."""
        del texts
        return self.load()

    def restore(self, folder: Path) -> Encoder:
        """Load it with what `Encoder.save` kept in ``folder``."""
        del folder
        return self.load()

    def encode(self, texts: Sequence[str], *, role: Role = "passage") -> NDArray[np.float32]:
        """Load it and encode texts; see `Encoder.encode`."""
        return self.load().encode(texts, role=role)


def complete(card: Card, *stuff: Any) -> Card:
    """The card with its fingerprint: over dimension, token limit, prefixes and ``stuff``.

    Args:
        card: The card; name, licence and size leave the vectors as they are.
        stuff: What else the vectors depend on: hashes of weights, parameters, versions.
    """
    parts = [card.family, card.dimension, card.max_tokens, card.query_prefix, card.passage_prefix]
    text = json.dumps([*parts, *stuff], ensure_ascii=True, default=str)
    return replace(card, fingerprint=hashlib.sha256(text.encode()).hexdigest()[:32])


def unit(vectors: NDArray[Any]) -> NDArray[np.float32]:
    """Rows divided by their length; a row of zeros stays. Shape (n, d)."""
    import numpy as np

    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
    lengths[lengths == 0] = 1.0
    return np.ascontiguousarray(vectors / lengths, dtype=np.float32)


def checked(
    vectors: NDArray[Any], *, count: int, dimension: int, model: str
) -> NDArray[np.float32]:
    """The vectors, if they are what a model may answer.

    Raises:
        ModelError: If their number or dimension is another, or one is not finite.
    """
    import numpy as np

    if vectors.ndim != 2 or vectors.shape[0] != count:
        raise ModelError(f"answered {vectors.shape} for {count} texts", where=model)
    if dimension and vectors.shape[1] != dimension:
        raise ModelError(
            f"answered vectors of {vectors.shape[1]} numbers, not of {dimension}", where=model,
            hint="The model was replaced while it was in use: open it again",
        )  # fmt: skip
    if not np.isfinite(vectors).all():
        raise ModelError("answered numbers that are not finite", where=model)
    return np.ascontiguousarray(vectors, dtype=np.float32)
