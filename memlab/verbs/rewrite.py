"""A local model makes chosen sentences stand alone; what it adds that is not there is refused."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from memlab.ollama import LocalModel
from memlab.types import Kind
from memlab.workspace import grammar

if TYPE_CHECKING:
    from collections.abc import Callable

    from memlab.verbs.propose import Proposal

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "kind": {"type": "string", "enum": ["W", "B", "O"]},
        "entities": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
        "content": {"type": "string", "minLength": 8, "maxLength": 400},
    },
    "required": ["kind", "entities", "content"],
    "additionalProperties": False,
}
_PROMPT = """Below is a day's log, then one sentence of it. Rewrite the sentence so that a
reader who sees nothing else knows who and what it is about. Add no fact and no number that the log
does not have. kind: W for what holds, B for what the writer did, O for an opinion.

LOG
{log}

SENTENCE
{sentence}
"""


def rewrite(
    log: str, proposals: list[Proposal], *, model: str, host: str | None
) -> tuple[list[Proposal], list[str]]:
    """Each proposal in the model's words, or as it was where its answer is not usable.

    Args:
        log: The day's log.
        proposals: The sentences chosen; their lines stay.
        model: The model's name at an Ollama server.
        host: Where the server listens; None for its own default.

    Returns:
        The proposals, and a note on each answer that was refused.

    Raises:
        MissingExtraError: If Ollama's client is not installed.
        StoreError: If no server answers.
    """
    ask = _asker(model, host)
    out: list[Proposal] = []
    notes: list[str] = []
    for proposal in proposals:
        answer = ask(_PROMPT.format(log=log, sentence=proposal.bullet.content))
        try:
            out.append(replace(proposal, bullet=checked(answer, log)))
        except ValueError as error:
            out.append(proposal)
            notes.append(f"{proposal.source}: kept as it stands: {error}")
    return out, notes


def checked(answer: str, log: str) -> grammar.Bullet:
    """The bullet that an answer gives.

    Raises:
        ValueError: If it is no such JSON, would not parse back, or has a number that the log lacks.
    """
    try:
        found = json.loads(answer)
        kind = Kind.of(found["kind"])
        names = tuple(grammar.canonical(name.removeprefix("@")) for name in found["entities"])
        content = grammar.canonical(found["content"])
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"the model's answer does not follow the schema: {error}") from error
    few = isinstance(found["entities"], list) and len(names) <= 3
    if not (8 <= len(content) <= 400 and few and found.keys() == set(_SCHEMA["required"])):
        raise ValueError("the model's answer does not follow the schema")
    if "<!--" in content:
        raise ValueError("the model's answer has an HTML comment")
    if new := set(_NUMBER.findall(content)) - set(_NUMBER.findall(log)):
        raise ValueError(f"the model's answer has numbers of its own: {', '.join(sorted(new))}")
    confidence = grammar.DEFAULT_CONFIDENCE if kind is Kind.OPINION else None
    bullet = grammar.Bullet(kind, names, content, confidence)
    grammar.render(bullet)
    return bullet


def _asker(model: str, host: str | None) -> Callable[[str], str]:
    return partial(LocalModel(model, host=host).generate, schema=_SCHEMA)
