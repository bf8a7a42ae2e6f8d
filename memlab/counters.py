"""Counters of tokens: what a text takes of a budget, by name.

An exact count needs the vocabulary of the model that reads; without one, ``bytes4`` is steady over
all scripts. A counter never counts a whole as more than the sum of its lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol
from unicodedata import category

from memlab import registry
from memlab.errors import MissingExtraError, ParameterError

DEFAULT = "bytes4"


class Counter(Protocol):
    """A strategy of the family ``counter``: a frozen dataclass that counts."""

    def count(self, text: str) -> int:
        """The tokens of a text; 0 for an empty one."""
        ...


@dataclass(frozen=True, slots=True)
class Bytes4:
    """A token for every four bytes of UTF-8, the last one perhaps not full."""

    def count(self, text: str) -> int:
        """See `Counter`."""
        return -(-len(text.encode()) // 4)


@dataclass(frozen=True, slots=True)
class Words:
    """A token for every word of any script, and for every punctuation mark or symbol."""

    def count(self, text: str) -> int:
        """See `Counter`."""
        from memlab.tokens import words

        return len(words(text)) + sum(category(char)[0] in "PS" for char in text)


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """The tokens of a model, by its ``tokenizer.json`` (Hugging Face's form).

    Attributes:
        path: The file, or the folder that holds it.
    """

    path: str = ""

    def __post_init__(self) -> None:
        if not self.path:
            raise ParameterError(
                "needs a file", where="tokenizer", hint="Write tokenizer(path='tokenizer.json')"
            )

    def count(self, text: str) -> int:
        """See `Counter`."""
        return len(_loaded(self.path).encode(text, add_special_tokens=False).ids)


def counter(spec: str | Counter = DEFAULT) -> Counter:
    """A counter from its spec.

    Raises:
        UnknownNameError: If there is none of that name; it lists those that are.
        ParameterError: If the spec cannot be read, or its file.
        MissingExtraError: If what reads its file is not installed.
    """
    if not isinstance(spec, str):
        return spec
    made: Counter = registry.make("counter", spec)
    made.count("")  # a file that is missing is missed now
    return made


@lru_cache(maxsize=4)
def _loaded(path: str) -> Any:
    try:
        import tokenizers
    except ImportError as error:
        raise MissingExtraError("counting by a tokenizer", extra="embeddings") from error
    file = Path(path).expanduser()
    file = file / "tokenizer.json" if file.is_dir() else file
    if not file.is_file():
        raise ParameterError("there is no such file", where=str(file))
    try:
        loaded = tokenizers.Tokenizer.from_file(str(file))
    except Exception as error:  # the library raises nothing narrower
        raise ParameterError(f"is no tokenizer: {error}", where=str(file)) from error
    loaded.no_truncation()
    loaded.no_padding()
    return loaded
