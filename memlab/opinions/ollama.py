"""Stance by a model of a local Ollama server, and only when it is named."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memlab.errors import ParameterError
from memlab.ollama import LocalModel
from memlab.opinions.base import Label, Stance

if TYPE_CHECKING:
    from collections.abc import Sequence

_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "label": {"type": "string", "enum": [label.value for label in Label]},
        "score": {"type": "number", "minimum": 0, "maximum": 1},
    },
    "required": ["label", "score"],
    "additionalProperties": False,
}
_PROMPT = """Below are a statement and a text. Does the text support the statement, contradict it,
or neither? Go by what the text says and by nothing else. label: supports if the statement is
likelier to hold for it, contradicts if it is likelier not to hold, neutral if the text leaves that
open. score: how sure you are of the label, from 0 to 1.

STATEMENT
{statement}

TEXT
{evidence}
"""
_LEAST = 0.34  # a label that was chosen is likelier than the two others


@dataclass(frozen=True, slots=True)
class Ollama:
    """A model that a running Ollama server has pulled already; each pair is asked for by itself.

    An answer that does not follow the schema counts as neutral, and says so.

    Attributes:
        model: Its name there, such as ``qwen3:4b``.
        host: Where the server listens; None for ``OLLAMA_HOST``, else this machine's port 11434.
    """

    model: str = ""
    host: str | None = None

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise ParameterError("needs a model", where="ollama", hint="Write ollama(model='NAME')")

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each (statement, evidence) pair.

        Raises:
            MissingExtraError: If Ollama's client is not installed.
            StoreError: If no server answers.
        """
        model = LocalModel(self.model, host=self.host)
        return [
            _stance(
                model.generate(
                    _PROMPT.format(statement=statement, evidence=evidence), schema=_SCHEMA
                )
            )
            for statement, evidence in pairs
        ]


def _stance(answer: str) -> Stance:
    try:
        found = json.loads(answer)
        label, score = Label(found["label"]), found["score"]
        sure = max(float(score), _LEAST)
    except (ValueError, TypeError, KeyError, OverflowError):
        return _unusable(answer)
    if isinstance(score, (bool, str)) or not 0 <= score <= 1:
        return _unusable(answer)
    rest = (1 - sure) / 2
    match label:
        case Label.SUPPORTS:
            return Stance(sure, rest)
        case Label.CONTRADICTS:
            return Stance(rest, sure)
        case _:
            return Stance(rest, rest)


def _unusable(answer: str) -> Stance:
    """Neutral, as little sure as can be."""
    short = answer if len(answer) <= 60 else f"{answer[:60]}…"
    return Stance(0.33, 0.33, (f"the model's answer does not follow the schema: {short!r}",))
