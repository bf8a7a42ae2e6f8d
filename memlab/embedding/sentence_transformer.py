"""Models of the library sentence-transformers, from a folder or from what is cached already."""

from __future__ import annotations

import json
import os
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memlab.embedding import bert, digests, loading
from memlab.embedding.base import Card, Embedding, ModelError, Role, checked, complete
from memlab.embedding.vocabulary import Vocabulary
from memlab.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

_lock = threading.Lock()  # torch's number of threads is the process's, not the model's


@dataclass(frozen=True, slots=True)
class SentenceTransformer(Embedding):
    """A model that sentence-transformers can load, on the processor, never from the network.

    Attributes:
        path: Its folder, or the name of a model that is in the Hugging Face cache already.
        query_prefix: Put before queries; None for what the model's own configuration says.
        passage_prefix: Put before passages, likewise.
        batch: How many texts are computed at once.
        threads: How many threads compute batches, 0 for half of the cores; single queries always
            take one, since on a busy machine two were up to twenty times slower than one.
    """

    path: str = ""
    query_prefix: str | None = None
    passage_prefix: str | None = None
    batch: int = 32
    threads: int = 0

    def __post_init__(self) -> None:
        if not self.path:
            raise ParameterError("needs a folder", where="st", hint="Write st:/path/of/the/model")
        check_sizes(self.batch, self.threads)

    @property
    def card(self) -> Card:
        """What the model's own files say."""
        return card_of(locate(self.path), f"st:{self.path}", self)

    def load(self) -> SentenceEncoder:
        """Load the model; a second call gives the loaded one."""
        return SentenceEncoder(self.card, locate(self.path), self.batch, self.threads)


class SentenceEncoder:
    """A model's folder with its card; weights are read when the first text is encoded.

    Args:
        card: Its card, complete.
        folder: Its folder.
        batch: How many texts are computed at once.
        threads: How many threads compute batches; 0 for half of the cores.
        whole: Texts are read of whose words such a share is whole in the model's vocabulary.
    """

    cacheable = True

    def __init__(
        self, card: Card, folder: Path, batch: int = 32, threads: int = 0, whole: float = 0.0
    ) -> None:
        self.card = card
        self.batch = batch
        self._folder = folder
        self._threads = threads or default_threads()
        self._whole = whole

    def encode(self, texts: Sequence[str], *, role: Role = "passage") -> NDArray[np.float32]:
        """Vectors of unit length, shape (n, dimension); see `memlab.embedding.base.Encoder`."""
        import numpy as np

        vectors = np.zeros((len(texts), self.card.dimension), np.float32)
        read = np.ones(len(texts), dtype=bool)
        if self._whole:
            read = _vocabulary(self._folder).whole(texts) >= self._whole
        if read.any():
            vectors[read] = self._encode(list(compress(texts, read)), role)
        return vectors

    def _encode(self, texts: Sequence[str], role: Role) -> NDArray[np.float32]:
        prefix = self.card.prefix(role)
        if role == "query" and len(texts) == 1 and (small := _query_model(self._folder, self.card)):
            vector = small.encode(prefix + texts[0])
            return checked(
                vector[None], count=1, dimension=self.card.dimension, model=self.card.name
            )
        model = _model(self._folder)
        with _threads(1 if len(texts) == 1 else self._threads):
            vectors = model.encode(
                [prefix + text for text in texts], batch_size=self.batch, convert_to_numpy=True,
                normalize_embeddings=True, show_progress_bar=False,
            )  # fmt: skip
        return checked(
            vectors, count=len(texts), dimension=self.card.dimension, model=self.card.name
        )

    def save(self, folder: Path) -> None:
        """Nothing: the weights lie elsewhere."""


def default_threads() -> int:
    """Half of the cores that this process may use, one to eight; ``MEMLAB_THREADS`` overrides."""
    with suppress(ValueError):
        return max(1, int(os.environ.get("MEMLAB_THREADS", "")))
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        cores = os.cpu_count() or 1
    return max(1, min(8, cores // 2))


def check_sizes(batch: int, threads: int) -> None:
    """Refuse what cannot be a number of texts or threads.

    Raises:
        ParameterError: If one is too small.
    """
    if batch < 1:
        raise ParameterError(f"batch must be at least 1, got {batch}")
    if threads < 0:
        raise ParameterError(f"threads must be at least 0, got {threads}")


def locate(path: str) -> Path:
    """The folder of a model.

    Args:
        path: A folder, or the name of a model in the Hugging Face cache.

    Raises:
        ModelError: If there is neither.
    """
    folder = Path(path).expanduser()
    if (folder / "config.json").is_file() or (folder / "modules.json").is_file():
        return folder
    if not folder.exists() and path.count("/") <= 1 and not path.startswith(("/", ".", "~")):
        with suppress(ImportError):
            import huggingface_hub

            with suppress(Exception):  # not cached, or no such name: said below
                return Path(huggingface_hub.snapshot_download(path, local_files_only=True))
    raise ModelError(
        "is neither the folder of a model nor the name of one that is cached", where=path,
        hint="A folder of a model has a config.json or a modules.json; memlab downloads nothing",
    )  # fmt: skip


def card_of(
    folder: Path, name: str, given: Any, *, stuff: Sequence[Any] = (), **known: Any
) -> Card:
    """The card of a model's folder.

    Args:
        folder: The folder.
        name: The spec that makes the model.
        given: What has ``query_prefix`` and ``passage_prefix``, None for what the files say.
        stuff: What else its vectors depend on.
        known: Fields of the card that the files do not tell.
    """
    config = _read(folder / "config.json")
    sentence = _read(folder / "sentence_bert_config.json")
    prompts = _read(folder / "config_sentence_transformers.json").get("prompts") or {}
    passage = prompts.get("passage") or prompts.get("document") or ""
    card = Card(
        name=name,
        family="sentence-transformers",
        dimension=_dimension(folder, config),
        max_tokens=int(
            sentence.get("max_seq_length") or config.get("max_position_embeddings") or 0
        ),
        query_prefix=prompts.get("query") or ""
        if given.query_prefix is None
        else given.query_prefix,
        passage_prefix=passage if given.passage_prefix is None else given.passage_prefix,
        **{"bytes": digests.folder_bytes(folder), **known},
    )
    return complete(card, *digests.folder_digest(folder), *stuff)


def _dimension(folder: Path, config: dict[str, Any]) -> int:
    """The dimension, as the last module that changes it has it."""
    dimension = int(config.get("hidden_size") or 0)
    modules: Any = _read(folder / "modules.json") or []
    for module in modules:
        own = _read(folder / module.get("path", "") / "config.json") if module.get("path") else {}
        found = own.get("out_features") or own.get("word_embedding_dimension")
        dimension = int(found or own.get("embedding_dimension") or dimension)
    return dimension


def _read(file: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) or {}
        return found
    return {}


@lru_cache(maxsize=2)
def _vocabulary(folder: Path) -> Vocabulary:
    return Vocabulary(folder)


@lru_cache(maxsize=2)
def _query_model(folder: Path, card: Card) -> bert.Bert | None:
    return bert.Bert(folder, card.max_tokens) if bert.supported(folder) else None


@lru_cache(maxsize=2)
def _model(folder: Path) -> Any:
    return loading.sentence_transformer(folder)


@contextmanager
def _threads(count: int) -> Iterator[None]:
    import torch

    with _lock:
        before = torch.get_num_threads()
        if before != count:
            torch.set_num_threads(count)
        try:
            yield
        finally:
            if before != count:
                torch.set_num_threads(before)
