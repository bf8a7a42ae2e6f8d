"""The grammar of Retain bullets: ``- K(c=0.95) @Entity @[Other Entity]: content``."""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple

import regex

from memlab.errors import RetainError
from memlab.types import Kind

DEFAULT_CONFIDENCE = 0.7
"""The confidence of an opinion that gives none."""

_KINDS = {kind.letter: kind for kind in Kind}
# "W @ home" is text: a name stands right after its @
_MARKED = regex.compile(r"([A-Z])(?=:(?:\s|$)|\(|\s+@[\[\p{L}\p{M}\p{N}_-])")
_CONFIDENCE = re.compile(r"\(\s*(?:c\s*=\s*)?(\d*[.,]?\d+)\s*(%?)\s*\)")
_TAG = regex.compile(r"@(?:\[([^\[\]\n]+)\]|([\p{L}\p{M}\p{N}_-]+))")
_GAP = re.compile(r"[\s,]+")
_COLON = re.compile(r"\s*:(?:\s+|$)")
_COMMENT = re.compile(r"\s*<!--.*?-->", re.DOTALL)


class Bullet(NamedTuple):
    """What a Retain bullet says.

    Attributes:
        kind: Its kind, or None when it gives none.
        entities: The names before its colon, as spelled, in order.
        content: Its words after the head, in canonical form.
        confidence: Of an opinion that gives one; otherwise None.
    """

    kind: Kind | None
    entities: tuple[str, ...]
    content: str
    confidence: float | None = None


class BulletError(ValueError):
    """A bullet that looks like a Retain bullet and is none; the text says why."""


def canonical(text: str) -> str:
    """NFC, edges trimmed, runs of white space and line breaks folded to one space."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    if text.isprintable() and "  " not in text and text.strip() == text:
        return text  # of all white space, the space alone is printable
    return " ".join(text.split())


def strip_comments(text: str) -> str:
    """``text`` without its HTML comments."""
    return _COMMENT.sub("", text)


def tags(text: str) -> list[str]:
    """The entities that ``text`` names with ``@``, in order; an e-mail address names none."""
    if "@" not in text:
        return []
    found = (match for match in _TAG.finditer(text) if not text[: match.start()][-1:].isalnum())
    return [_name(match) for match in found]


def tag(name: str) -> str:
    """A name as ``@`` names it: ``@Peter``, ``@[The Castle]``."""
    return f"@{name}" if _TAG.fullmatch(f"@{name}") else f"@[{name}]"


def parse(text: str) -> Bullet:
    """Read the text of a bullet, without its ``- ``.

    Raises:
        BulletError: If the text begins as a Retain bullet does and then is none.
    """
    text = canonical(text)
    head, colon, content = text.partition(": ")
    if colon and (head[:1] == "@" or head[1:2] in ("", " ", "(")):
        bullet = _of_head(head)
        if bullet:
            return Bullet(bullet.kind, bullet.entities, content, bullet.confidence)
    return _parse(text)


@lru_cache(maxsize=4096)
def _of_head(head: str) -> Bullet | None:
    """What a bullet with that head says, some content apart; None where this is not all of it."""
    with suppress(BulletError):
        bullet = _parse(f"{head}: …")
        if bullet.content == "…":
            return bullet
    return None


def _parse(text: str) -> Bullet:
    """Read the text of a bullet, in canonical form."""
    kind, confidence, rest = _head(text)
    names, position = _leading_tags(rest)
    if not kind and not names:
        return Bullet(None, (), text)
    colon = _COLON.match(rest, position)
    content = rest[colon.end() if colon else position :].strip()
    if not content:
        raise BulletError("it says nothing after its head")
    if kind is Kind.OPINION and confidence is None:
        confidence = DEFAULT_CONFIDENCE
    return Bullet(kind, names, content, confidence)


def render(bullet: Bullet) -> str:
    """The bullet's text, without ``- ``, such that ``parse(render(bullet)) == bullet``.

    Raises:
        RetainError: If no text would parse back to it; it says why.
    """
    content = bullet.content
    if any(unicodedata.category(char) in {"Cc", "Cs"} for char in content):
        raise RetainError("the content has control characters", hint="Remove them")
    head = bullet.kind.letter if bullet.kind else ""
    if bullet.confidence is not None:
        head += f"(c={_render_confidence(bullet.confidence)})"
    head = " ".join([head, *map(tag, bullet.entities)]).strip()
    text = f"{head}: {content}" if head else content
    try:
        back = parse(text)
    except BulletError as error:
        raise RetainError(f"it would not parse back: {error}") from error
    if back != bullet:
        raise RetainError(
            f"it would not parse back: {text!r} reads as {back}",
            hint="Fold white space, use NFC, keep a leading @ or kind letter out of the content",
        )
    return text


def _head(text: str) -> tuple[Kind | None, float | None, str]:
    """The kind and confidence that ``text`` starts with, and the rest."""
    marked = _MARKED.match(text)
    if not marked:
        return None, None, text
    kind, rest = _KINDS.get(marked[1]), text[1:]
    given = _CONFIDENCE.match(rest)
    if rest.startswith("(") and not given and not rest.startswith("(c="):
        return None, None, text
    if kind is None:
        if rest.startswith(":"):
            return None, None, text
        raise BulletError(f"{marked[1]!r} is no kind; the kinds are {', '.join(_KINDS)}")
    if not rest.startswith("("):
        return kind, None, rest.lstrip()
    if not given:
        raise BulletError(f"its confidence cannot be read: {rest[:12]!r}")
    if kind is not Kind.OPINION:
        raise BulletError(f"only an opinion (O) has a confidence, not {kind.letter}")
    confidence = float(given[1].replace(",", ".")) / (100 if given[2] else 1)
    if not 0 <= confidence <= 1:
        raise BulletError(f"its confidence {given[0]} lies outside 0 to 1")
    return kind, confidence, rest[given.end() :].lstrip()


def _leading_tags(text: str) -> tuple[tuple[str, ...], int]:
    """The names of the tags that ``text`` starts with, and where they end."""
    names: list[str] = []
    position = end = 0
    while match := _TAG.match(text, position):
        after = text[match.end() : match.end() + 1]
        if after and not after.isspace() and after not in ",:":
            break  # "@Peter's car": a word of the content, not of the head
        names.append(_name(match))
        end = match.end()
        gap = _GAP.match(text, end)
        position = gap.end() if gap else len(text)
    return tuple(names), end


def _name(match: Any) -> str:
    return canonical(match[1] or match[2])


def _render_confidence(confidence: float) -> str:
    return f"{confidence:.5f}".rstrip("0").rstrip(".")
