"""TF-IDF and a truncated SVD, fitted on the workspace's own facts: no weights, any language."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from memlab import tokens
from memlab.embedding.base import Card, Embedding, ModelError, Role, complete, unit
from memlab.errors import MissingExtraError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

_FILE = "tfidf-svd.npz"


@dataclass(frozen=True, slots=True)
class TfidfSvd(Embedding):
    """Latent semantic analysis (Deerwester et al. 1990) over memlab's tokens.

    Attributes:
        dimension: At most so many numbers a vector; fewer where there are few texts or words.
        min_count: Words that stand in fewer texts are left out.
        max_words: At most so many words, the most frequent ones.
        seed: Of the randomised SVD.
    """

    dimension: int = 128
    min_count: int = 1
    max_words: int = 50_000
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("dimension", "min_count", "max_words"):
            if getattr(self, name) < 1:
                raise ParameterError(f"{name} must be at least 1, got {getattr(self, name)}")

    @property
    def card(self) -> Card:
        """Its card; dimension and fingerprint are known when it is fitted."""
        return Card("tfidf-svd", "tfidf-svd", licence="none needed: it has no weights")

    def load(self) -> FittedSvd:
        """Refused: there is nothing to load.

        Raises:
            ParameterError: Always.
        """
        raise ParameterError(
            "is fitted on texts, not loaded", where="tfidf-svd", hint="Call fit(texts) first"
        )

    def fit(self, texts: Sequence[str]) -> FittedSvd:
        """Fit it; the same texts in the same order give the same model."""
        try:
            from sklearn.decomposition import TruncatedSVD
            from sklearn.feature_extraction.text import TfidfVectorizer
        except ImportError as error:
            raise MissingExtraError("the model tfidf-svd", extra="embeddings") from error
        import numpy as np
        from threadpoolctl import threadpool_limits

        vectorizer = TfidfVectorizer(
            analyzer=tokens.tokens, sublinear_tf=True, min_df=self.min_count,
            max_features=self.max_words, dtype=np.float32,
        )  # fmt: skip
        try:
            matrix = vectorizer.fit_transform(texts)
        except ValueError:  # no words at all
            return self._fitted([], np.zeros(0, np.float32), np.zeros((1, 0), np.float32))
        words = vectorizer.get_feature_names_out().tolist()
        size = min(self.dimension, min(matrix.shape) - 1)
        if size < 1:
            # one text or one word: there is nothing to decompose
            components = np.eye(len(words), dtype=np.float32)
        else:
            # two threads on a busy machine of two cores took longer than one, many times over
            with threadpool_limits(1):
                svd = TruncatedSVD(size, random_state=self.seed).fit(matrix)
            components = svd.components_.astype(np.float32)
        return self._fitted(words, vectorizer.idf_.astype(np.float32), components)

    def restore(self, folder: Path) -> FittedSvd:
        """Load what `FittedSvd.save` kept."""
        import numpy as np

        try:
            with np.load(folder / _FILE, allow_pickle=False) as kept:
                words = json.loads(kept["words"].tobytes())
                return self._fitted(words, kept["idf"], kept["components"])
        except (OSError, ValueError, KeyError) as error:
            raise ModelError(f"cannot be read: {error}", where=str(folder / _FILE)) from error

    def _fitted(
        self, words: list[str], idf: NDArray[np.float32], components: NDArray[np.float32]
    ) -> FittedSvd:
        import hashlib
        from dataclasses import replace

        digest = hashlib.sha256(components.tobytes() + idf.tobytes()).hexdigest()
        size = components.nbytes + idf.nbytes
        card = replace(self.card, dimension=components.shape[0], bytes=size)
        card = complete(card, asdict(self), words, digest, tokens.VERSION)
        return FittedSvd(card, words, idf, components)


class FittedSvd:
    """A fitted model; it needs NumPy only.

    Args:
        card: Its card, complete.
        words: The vocabulary.
        idf: float32, shape (words,).
        components: float32, shape (dimension, words).
    """

    cacheable = False  # computed faster than looked up, and another one after every change

    def __init__(
        self, card: Card, words: list[str], idf: NDArray[Any], components: NDArray[Any]
    ) -> None:
        import numpy as np

        self.card = card
        self._words = words
        self._places = {word: place for place, word in enumerate(words)}
        self._idf = idf
        self._components = components
        self._by_word = np.ascontiguousarray(components.T)

    def encode(self, texts: Sequence[str], *, role: Role = "passage") -> NDArray[np.float32]:
        """Vectors of unit length; zero for a text without a known word. Shape (n, dimension)."""
        import numpy as np

        prefix = self.card.prefix(role)
        out = np.zeros((len(texts), self.card.dimension), np.float64)
        for place, text in enumerate(texts):
            counts = Counter(tokens.tokens(prefix + text))
            rows = sorted(self._places[word] for word in counts if word in self._places)
            if rows:
                # sublinear: 1 + ln(count), as the vectorizer has it; the length is taken off below
                weights = np.array([1 + np.log(counts[self._words[row]]) for row in rows])
                out[place] = (weights * self._idf[rows]) @ self._by_word[rows]
        return unit(out)

    def save(self, folder: Path) -> None:
        """Keep vocabulary, idf and components, for `TfidfSvd.restore`."""
        import numpy as np

        words = np.frombuffer(json.dumps(self._words).encode(), np.uint8)
        np.savez(folder / _FILE, words=words, idf=self._idf, components=self._components)
