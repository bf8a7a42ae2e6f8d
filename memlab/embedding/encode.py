"""Texts to vectors: what the cache has is taken from it, the rest is encoded in batches."""

from __future__ import annotations

import time
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from memlab.embedding.base import checked
from memlab.embedding.cache import content_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from memlab.embedding.base import Encoder, Role
    from memlab.embedding.cache import Cache

    Progress = Callable[[str, int, int], None]

DEFAULT_BATCH = 32
_watcher: ContextVar[Progress | None] = ContextVar("memlab_embedding_progress", default=None)


@contextmanager
def watched(progress: Progress | None) -> Iterator[None]:
    """Whatever is embedded inside, however deep, tells its progress.

    Args:
        progress: Called with a verb that has rate and time left, how much is done, and how much
            there is.
    """
    token = _watcher.set(progress)
    try:
        yield
    finally:
        _watcher.reset(token)


def encode(
    encoder: Encoder,
    texts: Sequence[str],
    *,
    role: Role = "passage",
    cache: Cache | None = None,
    progress: Progress | None = None,
) -> NDArray[np.float32]:
    """Vectors of texts, each different text encoded once.

    Each batch is kept in the cache before the next one is begun, so that an interruption, of
    whatever sort, loses the running batch and no more.

    Args:
        encoder: A loaded model.
        texts: Bare texts, without the model's prefix.
        role: Whether they are queries or passages.
        cache: Where vectors are looked up and kept; None for nowhere.
        progress: Called with a verb, how much is done and how much there is; else the one of
            `watched`.

    Returns:
        Shape (n, dimension), in the order of the texts.

    Raises:
        ModelError: If the model answers with what no model may answer.
    """
    import numpy as np

    card = encoder.card
    cache = cache if encoder.cacheable else None
    keys = [content_key(card, text, role) for text in texts]
    by_key = dict(zip(keys, texts, strict=True))
    found = cache.get(card, list(by_key)) if cache else {}
    # long texts first, as the library itself does it: batches of like length waste no padding, and
    # if memory is short it shows at once
    missing = sorted((key for key in by_key if key not in found), key=lambda k: -len(by_key[k]))
    meter = _Meter(progress or _watcher.get(), [len(by_key[key]) for key in missing])
    batch = getattr(encoder, "batch", DEFAULT_BATCH)
    for start in range(0, len(missing), batch):
        part = missing[start : start + batch]
        vectors = checked(
            encoder.encode([by_key[key] for key in part], role=role),
            count=len(part), dimension=card.dimension, model=card.name,
        )  # fmt: skip
        made = dict(zip(part, vectors, strict=True))
        if cache:
            cache.put(card, made)
        found.update(made)
        meter.advance(len(part))
    if cache and missing:
        cache.trim()
    out = np.empty((len(texts), card.dimension), np.float32)
    for place, key in enumerate(keys):
        out[place] = found[key]
    return out


class _Meter:
    """Rate and time left, by characters, since the long texts come first."""

    def __init__(self, progress: Progress | None, lengths: list[int]) -> None:
        self._progress = progress
        self._lengths = lengths
        self._left = sum(lengths)
        self._done = 0
        self._seen = 0
        self._start = time.monotonic()

    def advance(self, count: int) -> None:
        """Note that ``count`` more texts are done."""
        if self._progress is None:
            return
        size = sum(self._lengths[self._done : self._done + count])
        self._done += count
        self._seen += size
        self._left -= size
        elapsed = max(time.monotonic() - self._start, 1e-9)
        seconds = round(elapsed * self._left / max(self._seen, 1))
        verb = f"embedding {self._done / elapsed:.0f}/s, {seconds // 60}:{seconds % 60:02} left"
        self._progress(verb, self._done, len(self._lengths))


def as_dict(card: Any) -> dict[str, Any]:
    """A card as plain values."""
    from dataclasses import asdict

    return {**asdict(card), "languages": list(card.languages)}
