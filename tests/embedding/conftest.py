"""A model that needs no weights, so that what is around models is tested without any."""

import hashlib
from dataclasses import dataclass

import numpy as np
import pytest

from memlab import registry, tokens
from memlab.embedding.base import Card, Embedding, complete, unit


@dataclass(frozen=True, slots=True)
class Hashed(Embedding):
    """Words thrown into buckets by their hash: the same words, the same vector."""

    dimension: int = 16
    salt: str = ""

    @property
    def card(self):
        return complete(Card("hashed", "hashed", self.dimension, query_prefix="q: "), self.salt)

    def load(self):
        return HashedEncoder(self.card, self.salt)


class HashedEncoder:
    """Counts what it is asked, so that a test sees what was encoded."""

    cacheable = True
    batch = 4

    def __init__(self, card, salt):
        self.card = card
        self.salt = salt
        self.batches = []

    def encode(self, texts, *, role="passage"):  # noqa: ARG002  # the protocol has it
        self.batches.append(list(texts))
        out = np.zeros((len(texts), self.card.dimension))
        for place, text in enumerate(texts):
            for word in tokens.tokens(text):
                digest = hashlib.sha256((self.salt + word).encode()).digest()
                out[place, digest[0] % self.card.dimension] += 1 if digest[1] % 2 else -1
        return unit(out)

    def save(self, folder):
        pass


@pytest.fixture
def hashed():
    return Hashed()


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    monkeypatch.setitem(registry._added["embedding"], "hashed", Hashed)


@pytest.fixture
def own_cache(monkeypatch, tmp_path):
    """The user's cache folder, for tests that write there."""
    from memlab.embedding import digests

    folder = tmp_path / "user-cache"
    monkeypatch.setattr(digests, "cache_folder", lambda: folder)
    return folder
