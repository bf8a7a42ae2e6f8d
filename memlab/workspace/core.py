"""The blocks of the core: sections of ``memory.md`` and whole stable files. Pure functions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.tokens import fold
from memlab.workspace import front_matter
from memlab.workspace.markdown import BlockType, blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = ("memory.md", "MEMORY.md")
"""The core's file: whichever of them exists, else the first."""
STABLE = ("SOUL", "IDENTITY", "USER", "AGENTS", "TOOLS", "HEARTBEAT", "BOOT", "BOOTSTRAP")
"""Stems of the files that are read-only blocks."""
LIMIT = 5_000
"""The limit of a block that gives none, in characters."""
TOP = "core"
"""The label of what stands before the first section."""

_SETTINGS = re.compile(r"<!--\s*memlab:block\b(.*?)-->", re.DOTALL)
_LIMIT = re.compile(r"\blimit=(\d{1,9})\b")
_DESCRIPTION = re.compile(r'\bdescription="([^"]*)"')
_NO_WORD = re.compile(r"[^\w]+")


@dataclass(frozen=True, slots=True)
class CoreBlock:
    """A block of the core.

    Attributes:
        label: Its label.
        value: Its body, without blank lines at its edges.
        path: Its file.
        start: The index of its body's first line in the file, from 0; where it would be, if empty.
        end: The index after its body's last line.
        limit: How many characters it should have at most.
        read_only: Whether it cannot be written.
        description: What it is for.
    """

    label: str
    value: str
    path: str
    start: int
    end: int
    limit: int = LIMIT
    read_only: bool = False
    description: str = ""

    @property
    def lines(self) -> list[str]:
        """The lines of its body; none where it is empty."""
        return self.value.split("\n") if self.value else []


def slug(heading: str) -> str:
    """The label that a heading gives: ``Standing rules`` gives ``standing-rules``."""
    return _NO_WORD.sub("-", fold(heading)).strip("-_") or "block"


def find(path: str, text: str) -> list[CoreBlock]:
    """The blocks of the core's file, in order.

    Args:
        path: The file's path.
        text: Its text, line endings as LF.
    """
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    body = front_matter.split(text).body
    lines = body.split("\n")[: len(lines)]  # as many, those of front matter blank
    starts = [
        (block.start - 1, block.end, block.text)
        for block in blocks(body)
        if block.type is BlockType.HEADING and block.level == 2 and _top(lines[block.start - 1])
    ]
    found: list[CoreBlock] = []
    taken: dict[str, int] = {}
    first = starts[0][0] if starts else len(lines)
    top = _block(path, TOP, lines, 0, first)
    if top.value:
        taken[TOP] = 1
        found.append(top)
    for index, (_, after, heading) in enumerate(starts):
        until = starts[index + 1][0] if index + 1 < len(starts) else len(lines)
        label = slug(heading)
        taken[label] = taken.get(label, 0) + 1
        if taken[label] > 1:
            label = f"{label}-{taken[label]}"
        found.append(_block(path, label, lines, after, until))
    return found


def _top(line: str) -> bool:
    """Whether a heading stands in no list or quote."""
    return not line.lstrip().startswith((">", "-", "*", "+")) and not line.startswith("    ")


def _block(path: str, label: str, lines: list[str], start: int, end: int) -> CoreBlock:
    start, end = _trim(lines, start, end)
    settings = None
    if start < end and (settings := _SETTINGS.fullmatch(lines[start].strip())):
        start, end = _trim(lines, start + 1, end)
    words = settings[1] if settings else ""
    limit, description = _LIMIT.search(words), _DESCRIPTION.search(words)
    return CoreBlock(
        label, "\n".join(lines[start:end]), path, start, end,
        int(limit[1]) if limit else LIMIT,
        "read-only" in _DESCRIPTION.sub("", words).split(),
        description[1] if description else "",
    )  # fmt: skip


def _trim(lines: list[str], start: int, end: int) -> tuple[int, int]:
    """The lines without blank ones at their edges; an empty body is right after ``start``."""
    first, last = start, end
    while first < last and not lines[first].strip():
        first += 1
    while last > first and not lines[last - 1].strip():
        last -= 1
    return (first, last) if first < last else (start, start)


def stable(stem: str, path: str, text: str) -> CoreBlock:
    """A whole file as a read-only block."""
    lines = text.rstrip("\n").split("\n")
    start, end = _trim(lines, 0, len(lines))
    value = "\n".join(lines[start:end])
    return CoreBlock(stem, value, path, start, end, max(LIMIT, len(value)), read_only=True)


def with_value(text: str, block: CoreBlock, value: str) -> str:
    """The file's text with another body in a block; all other lines stay as they are."""
    lines = text.split("\n")
    new = value.split("\n") if value else []
    before, after = lines[: block.start], lines[block.end :]
    if new and not block.value:
        if before and before[-1].strip():
            new = ["", *new]
        if after and after[0].strip():
            new = [*new, ""]
        if not after:
            new = [*new, ""]
    return "\n".join([*before, *new, *after])


def with_block(text: str, label: str, value: str) -> str:
    """The file's text with a new section at its end."""
    heading = label if slug(label) != label else label.replace("-", " ").capitalize()
    gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
    return f"{text}{gap}## {heading}\n\n{value}\n" if value else f"{text}{gap}## {heading}\n"


def numbered(block: CoreBlock) -> Iterator[str]:
    """The lines of a block's body with their numbers, from 1, for display only."""
    for number, line in enumerate(block.lines, start=1):
        yield f"{number}→ {line}"
