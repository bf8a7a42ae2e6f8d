"""What models there are: those that come in packages, installed or not, and how fast they are."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from memlab.embedding import digests, embedding
from memlab.embedding.base import ModelError
from memlab.embedding.e5_small import PACKAGE as E5_SMALL
from memlab.embedding.minilm import PACKAGE as MINILM
from memlab.embedding.mpnet import PACKAGE as MPNET
from memlab.embedding.static import GLOVE, WORDLLAMA
from memlab.errors import MemlabError
from memlab.store.place import replace_text

if TYPE_CHECKING:
    from memlab.embedding.packages import Package

_SAMPLE = 64  # sentences for which a speed is measured
_STORY = """the keeper wrote that a storm had broken two windows of the workshop and asked whether
the landlord would pay for new glass before winter or leave it to the insurance as last year"""


@dataclass(frozen=True, slots=True)
class Known:
    """A model of the catalogue.

    Attributes:
        name: The name by which `memlab.embedding` knows it.
        dimension: How many numbers a vector has.
        megabytes: What is downloaded to install it.
        max_tokens: Longer texts are cut there; 0 for no limit.
        languages: Its languages in words.
        licence: Of the weights.
        reference: Sentences a second, one thread, as docs/embeddings.md has it.
        package: Where it comes from; None for a model without weights.
    """

    name: str
    dimension: int
    megabytes: int
    max_tokens: int
    languages: str
    licence: str
    reference: float
    package: Package | None


CATALOGUE = (
    Known("e5-small", 384, 91, 512, "94, among them da en my ur vi", "MIT", 65, E5_SMALL),
    Known("minilm", 384, 84, 256, "English", "Apache-2.0", 163, MINILM),
    Known("mpnet", 768, 404, 384, "English", "Apache-2.0", 27, MPNET),
    Known("wordllama", 256, 19, 0, "English", "MIT; weights from Llama 2, check", 7000, WORDLLAMA),
    Known("glove", 50, 76, 0, "English", "PDDL-1.0", 10000, GLOVE),
    Known("tfidf-svd", 128, 0, 0, "any, those of the notes", "no weights", 20000, None),
)


@dataclass(frozen=True, slots=True)
class State:
    """A model of the catalogue on this machine.

    Attributes:
        known: What is known of it anywhere.
        installed: Whether it can be used now.
        install: The command that installs it; empty where it is.
        speed: Sentences a second measured here; None where it was not.
        fault: What is wrong with its files; empty where they are whole or were not looked at.
    """

    known: Known
    installed: bool
    install: str
    speed: float | None
    fault: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        row = {key: value for key, value in asdict(self.known).items() if key != "package"}
        here = {"installed": self.installed, "install": self.install, "speed": self.speed}
        return {**row, **here, "fault": self.fault}


def states(*, verify: bool = False) -> list[State]:
    """All models of the catalogue.

    Args:
        verify: Compare the files of installed ones with the hashes they were published with.
    """
    from importlib.util import find_spec

    speeds = _speeds()
    found = []
    for known in CATALOGUE:
        fault = ""
        if known.package is None:
            installed = find_spec("sklearn") is not None
            install = "" if installed else "pip install 'memlab[embeddings]'"
        else:
            installed = known.package.installed()
            install = "" if installed else known.package.install
            if installed and verify:
                try:
                    known.package.verify()
                except MemlabError as error:
                    fault = str(error)
        found.append(State(known, installed, install, speeds.get(known.name), fault))
    return found


def measure(name: str) -> float:
    """Sentences a second of a model here and now, kept for `states`.

    Raises:
        MissingExtraError: If it is not installed.
        ModelError: If it cannot be loaded.
    """
    words = _STORY.split()
    texts = [
        " ".join(words[(start + step * (1 + start % 5)) % len(words)] for step in range(20))
        for start in range(_SAMPLE)
    ]
    encoder = embedding(name).fit(texts)
    encoder.encode(texts[:8])
    start = time.perf_counter()
    encoder.encode(texts)
    speed = round(len(texts) / (time.perf_counter() - start), 1)
    kept = {**_speeds(), name: speed}
    with suppress(OSError):
        digests.cache_folder().mkdir(parents=True, exist_ok=True)
        replace_text(digests.cache_folder() / "speeds.json", json.dumps(kept))
    return speed


def known(name: str) -> Known:
    """A model of the catalogue.

    Raises:
        ModelError: If it is not in it.
    """
    for one in CATALOGUE:
        if one.name == name:
            return one
    names = ", ".join(one.name for one in CATALOGUE)
    raise ModelError("is not in the catalogue", where=name, hint=f"It has: {names}")


def _speeds() -> dict[str, float]:
    with suppress(OSError, ValueError):
        found = json.loads((digests.cache_folder() / "speeds.json").read_text(encoding="utf-8"))
        if isinstance(found, dict):
            return found
    return {}
