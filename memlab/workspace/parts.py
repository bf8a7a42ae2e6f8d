"""Generated parts of a page: the only text that memlab ever rewrites, and only while untouched.

``<!-- memlab:begin NAME digest -->`` … ``<!-- memlab:end NAME -->``, markers alone on their lines
and outside code. The digest says what memlab last wrote between them; where it does not match, a
person edited there and the part is theirs.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass

from memlab.workspace.markdown import BlockType, blocks, split_lines

_MARKER = re.compile(
    r"<!--\s*memlab:(?P<verb>begin|end|off)\s+(?P<name>\S+(?: o-\w+)?)"
    r"(?:\s+(?P<digest>[0-9a-f]{6}))?\s*-->"
)


@dataclass(frozen=True, slots=True)
class Part:
    """A generated part that stands on a page.

    Attributes:
        name: Its name, such as ``summary``.
        start: The line of its begin marker, from 1.
        end: The line of its end marker.
        body: What stands between, lines parted by LF.
        untouched: Whether the body is what memlab wrote.
    """

    name: str
    start: int
    end: int
    body: str
    untouched: bool


@dataclass(frozen=True, slots=True)
class Parts:
    """What `find` saw: whole parts, parts that a person removed for good, and faults by line."""

    found: tuple[Part, ...] = ()
    off: frozenset[str] = frozenset()
    faults: tuple[tuple[int, str], ...] = ()

    def get(self, name: str) -> Part | None:
        """The part of that name, or None."""
        return next((part for part in self.found if part.name == name), None)

    def covers(self, line: int) -> bool:
        """Whether a line belongs to a part."""
        return any(part.start <= line <= part.end for part in self.found)


def digest(body: str) -> str:
    """The six hex digits of a body; trailing space, CR and normal form do not count."""
    lines = (line.rstrip() for line in split_lines(unicodedata.normalize("NFC", body)))
    return hashlib.sha256("\n".join(lines).strip("\n").encode()).hexdigest()[:6]


def find(text: str) -> Parts:
    """The parts of a page's text.

    A missing or stray end, a nested or a repeated name are faults; a part with one is not found,
    so whatever writes parts must first see that there are no faults.
    """
    if "memlab:" not in text:
        return Parts()
    lines = split_lines(text)
    found: list[Part] = []
    off: set[str] = set()
    faults: list[tuple[int, str]] = []
    opened: tuple[int, str, str] | None = None
    for line, verb, name, mark in _markers(text):
        if verb == "off":
            off.add(name)
        elif verb == "begin":
            if opened:
                faults.append((line, f"the part {name!r} begins inside {opened[1]!r}"))
            elif any(part.name == name for part in found):
                faults.append((line, f"the part {name!r} stands here a second time"))
            opened = (line, name, mark)
        elif not opened or opened[1] != name:
            faults.append((line, f"the part {name!r} ends without having begun"))
            opened = None
        else:
            body = "\n".join(lines[opened[0] : line - 1])
            found.append(Part(name, opened[0], line, body, digest(body) == opened[2]))
            opened = None
    if opened:
        faults.append((opened[0], f"the part {opened[1]!r} has no end"))
    return Parts(tuple(found), frozenset(off), tuple(faults))


def render(name: str, body: str) -> str:
    """A part's text with its markers, lines parted by LF, without a final line ending."""
    return f"<!-- memlab:begin {name} {digest(body)} -->\n{body}\n<!-- memlab:end {name} -->"


def is_marker(text: str) -> bool:
    """Whether a block of HTML is a marker alone."""
    return _MARKER.fullmatch(text.strip()) is not None


def _markers(text: str) -> list[tuple[int, str, str, str]]:
    """Line, verb, name and digest of each marker, in order."""
    return [
        (block.start, match["verb"], match["name"], match["digest"] or "")
        for block in blocks(text)
        if block.type is BlockType.HTML
        and block.level == 0
        and (match := _MARKER.fullmatch(block.text.strip()))
    ]


def append(text: str, name: str, body: str) -> str:
    """A page's text with a new part at its end."""
    return _after(text, render(name, body))


def append_off(text: str, name: str) -> str:
    """A page's text with the mark that a part is not wanted on it."""
    return _after(text, f"<!-- memlab:off {name} -->")


def replace(text: str, name: str, body: str) -> str:
    """A page's text, line endings as LF, with another body in a part that stands on it."""
    part = find(text).get(name)
    if part is None:
        raise KeyError(name)
    if part.body == body:
        return text
    lines = text.split("\n")
    return "\n".join([*lines[: part.start - 1], render(name, body), *lines[part.end :]])


def _after(text: str, addition: str) -> str:
    gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
    return f"{text}{gap}{addition}\n"
