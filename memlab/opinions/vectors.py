"""Vectors of statements and evidence: many at once to train, one by one to judge."""

from __future__ import annotations

import functools
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memlab.embedding import digests, embedding
from memlab.embedding.base import ModelError
from memlab.embedding.cache import Cache
from memlab.embedding.encode import encode
from memlab.errors import MemlabError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from memlab.embedding.base import Card, Encoder, Role

# statement and evidence are compared with each other, not asked for; and one query is computed
# without torch, which saves the seconds that its import takes
_ROLE: Role = "query"


@functools.lru_cache(maxsize=2)
def encoder(spec: str) -> Encoder:
    """A model, loaded.

    Raises:
        MissingExtraError: If it is not installed.
        ModelError: If it is damaged.
        ParameterError: If there is no such model, or it has to be fitted first.
    """
    return embedding(spec).load()


def card(spec: str, fingerprint: str) -> Card:
    """The card of the very model that has that fingerprint.

    Raises:
        ModelError: If the model has become another one.
    """
    found = encoder(spec).card
    if found.fingerprint != fingerprint:
        raise ModelError(
            "is not the model that the stance model was trained with", where=spec,
            hint="Train it again: memlab stance train PAIRS --embedding NAME --output MODEL.npz",
        )  # fmt: skip
    return found


def vectors(spec: str, texts: Sequence[str]) -> NDArray[np.float32]:
    """Vectors of unit length, shape (n, d), kept in the user's cache for the next training."""
    with _cache() as cache:
        return encode(encoder(spec), texts, role=_ROLE, cache=cache)


@functools.lru_cache(maxsize=20_000)
def vector(spec: str, text: str) -> NDArray[np.float32]:
    """The vector of one text, shape (d,); by itself, since a batch changes the last digits."""
    found: NDArray[np.float32] = encoder(spec).encode([text], role=_ROLE)[0]
    return found


@contextmanager
def _cache() -> Iterator[Cache | None]:
    """The user's cache of vectors; None where it cannot be written."""
    folder = digests.cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        cache = Cache(folder / "stance.sqlite")
    except (OSError, sqlite3.Error, MemlabError):
        yield None
        return
    with cache:
        yield cache
