"""Generated parts of a page: the only text that memlab ever rewrites, and only while untouched.

``<!-- memlab:begin NAME digest -->`` … ``<!-- memlab:end NAME -->``, markers alone on their lines
and outside code. The digest says what memlab last wrote between them; where it does not match, a
person edited there and the part is theirs. ``<!-- memlab:off NAME -->`` stands for a part that is
not wanted, ``<!-- memlab:forgotten o-… -->`` for an opinion that is not.
"""

from __future__ import annotations

import bisect
import functools
import hashlib
import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memlab.workspace.markdown import BlockType, blocks, split_lines

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

_MARKER = re.compile(
    r"<!--\s*memlab:(?P<verb>begin|end|off|forgotten)\s+(?P<name>\S+(?: o-\w+)?)"
    r"(?:\s+(?P<digest>[0-9a-f]{6}))?\s*-->"
)
# what may hide a marker from a look at lines alone: code, other HTML, tables, and text before it
_HIDES = re.compile(
    r"^[\s>]*(?:[-*+]\s|\d+[.)]\s|[\s>])*(?:```|~~~|<(?!!--)|<!--(?![^\n]*-->))"
    r"|^.+<!--\s*memlab:|^.*\|.*\n<!--\s*memlab:",
    re.MULTILINE,
)
_BOLD = re.compile(r"\A\*\*[^*\n]*\*\*")
KNOWN = "known"
"""The name of the part that lists, in comments, what memlab ever put on a page."""
_LISTED = re.compile(r"(?<![\w-])[a-z][\w-]*")
OPINION = "opinion "
"""What the name of an opinion's part starts with; its id follows."""


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
    """What `find` saw.

    Attributes:
        found: Whole parts, none inside another.
        off: The names of parts that a person removed for good, each with its line.
        forgotten: The ids of opinions that a person removed for good, each with its line.
        faults: Line and message of what is wrong.
        doubtful: First and last line of what may be generated, since a marker is missing.
    """

    found: tuple[Part, ...] = ()
    off: Mapping[str, int] = field(default_factory=dict)
    forgotten: Mapping[str, int] = field(default_factory=dict)
    faults: tuple[tuple[int, str], ...] = ()
    doubtful: tuple[tuple[int, int], ...] = ()

    def get(self, name: str) -> Part | None:
        """The part of that name, or None."""
        return next((part for part in self.found if part.name == name), None)

    def covers(self, line: int) -> bool:
        """Whether a line belongs to a part."""
        before = bisect.bisect_right(self.found, line, key=lambda part: part.start)
        return before > 0 and line <= self.found[before - 1].end

    def doubts(self, line: int) -> bool:
        """Whether a line may be generated, though no whole part has it."""
        return any(start <= line <= end for start, end in self.doubtful)


def digest(body: str, name: str = "") -> str:
    """The six hex digits of a body; trailing space, CR and normal form do not count.

    Of an opinion's part the bold number at its start does not count either: it is there for a
    person to change.
    """
    if name.startswith(OPINION):
        body = _BOLD.sub("****", body)
    lines = (line.rstrip() for line in split_lines(unicodedata.normalize("NFC", body)))
    return hashlib.sha256("\n".join(lines).strip("\n").encode()).hexdigest()[:6]


@functools.lru_cache(maxsize=4)  # what writes a page looks at it more than once
def find(text: str) -> Parts:
    """The parts of a page's text.

    A missing or stray end, a nested or a repeated name are faults; while there are any, no part may
    be written. A part inside another belongs to the outer one. From a begin without an end to the
    page's end, and from the last part or the page's top to a stray end, lines are doubtful.
    """
    if "memlab:" not in text:
        return Parts()
    reading = _Reading(split_lines(text))
    for marker in _markers(text):
        reading.take(*marker)
    return reading.parts()


class _Reading:
    """The state of walking over a page's markers."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.found: list[Part] = []
        self.names: set[str] = set()
        self.off: dict[str, int] = {}
        self.forgotten: dict[str, int] = {}
        self.faults: list[tuple[int, str]] = []
        self.doubtful: list[tuple[int, int]] = []
        self.opened: list[tuple[int, str, str]] = []  # line, name and digest, outermost first
        self.settled = 0  # the line up to which all is known

    def take(self, line: int, verb: str, name: str, mark: str) -> None:
        """The next marker."""
        if verb in ("off", "forgotten"):
            (self.off if verb == "off" else self.forgotten).setdefault(name, line)
        elif verb == "begin":
            if self.opened:
                self._fault(line, f"the part {name!r} begins inside {self.opened[-1][1]!r}")
            elif name in self.names:
                self._fault(line, f"the part {name!r} stands here a second time")
            self.opened.append((line, name, mark))
        elif any(name == other for _, other, _ in self.opened):
            self._close(line, name)
        else:
            self._fault(line, f"the part {name!r} ends without having begun")
            if not self.opened:
                self.doubtful.append((self.settled + 1, line))
                self.settled = line

    def parts(self) -> Parts:
        """What was seen, once all markers are taken."""
        for start, name, _ in self.opened:
            self._fault(start, f"the part {name!r} has no end")
        if self.opened:
            self.doubtful.append((self.opened[0][0], len(self.lines)))
        return Parts(
            tuple(self.found), self.off, self.forgotten, tuple(self.faults), tuple(self.doubtful)
        )

    def _close(self, line: int, name: str) -> None:
        while self.opened[-1][1] != name:
            start, inner, _ = self.opened.pop()
            self._fault(start, f"the part {inner!r} has no end")
        start, _, mark = self.opened.pop()
        if not self.opened:
            body = "\n".join(self.lines[start : line - 1])
            self.found.append(Part(name, start, line, body, digest(body, name) == mark))
            self.names.add(name)
            self.settled = line

    def _fault(self, line: int, message: str) -> None:
        self.faults.append((line, message))


def render(name: str, body: str) -> str:
    """A part's text with its markers, lines parted by LF, without a final line ending."""
    return f"<!-- memlab:begin {name} {digest(body, name)} -->\n{body}\n<!-- memlab:end {name} -->"


def is_marker(text: str) -> bool:
    """Whether a block of HTML is a marker alone."""
    return _MARKER.fullmatch(text.strip()) is not None


def _markers(text: str) -> list[tuple[int, str, str, str]]:
    """Line, verb, name and digest of each marker, in order."""
    if not _HIDES.search(text):  # then a look at the lines tells the same, in a tenth of the time
        return [
            (number, match["verb"], match["name"], match["digest"] or "")
            for number, line in enumerate(split_lines(text), start=1)
            if line.startswith("<!--") and (match := _MARKER.fullmatch(line.strip()))
        ]
    return [
        (block.start, match["verb"], match["name"], match["digest"] or "")
        for block in blocks(text)
        if block.type is BlockType.HTML
        and block.level == 0
        and (match := _MARKER.fullmatch(block.text.strip()))
    ]


@dataclass(frozen=True, slots=True)
class Updated:
    """What `update` made of a page.

    Attributes:
        text: The page's text.
        edited: The parts that a person edited, each with the body that it would have had.
    """

    text: str
    edited: tuple[tuple[Part, str], ...] = ()


def update(
    text: str, bodies: Mapping[str, str], *, known: bool = False, back: Collection[str] = ()
) -> Updated:
    """A page's text, line endings as LF, with its parts brought up to date.

    A part that is missing although the page is known to have had it was taken out by a person: a
    mark says so from then on. One that is new goes before the next of its kin, or to the page's
    end; one without a body is taken out.

    Args:
        text: The page, which must have no faults.
        bodies: The body of each part by its name, in the order in which they are to stand.
        known: Whether the page is known to have had them, where no part `KNOWN` tells which it had.
        back: Names of parts that are written though a person edited them or took them out.
    """
    found = find(text)
    had = names_known(found)
    if had is None:
        known = known or any(found.get(name) or name in found.off for name in bodies)
        had = set(bodies if known else ())
    splices: list[Splice] = []
    edited: list[tuple[Part, str]] = []
    marks: list[str] = []
    waiting: list[str] = []  # new parts that go before the next one that stands
    for name, body in bodies.items():
        if part := found.get(name):
            splices += [(part.start, part.start - 1, f"{new}\n") for new in waiting]
            waiting.clear()
            if part.untouched or name in back:
                splices += _replaced(text, part, body)
            else:
                edited.append((part, body))
        elif name in found.off:
            if body and name in back:
                splices.append((found.off[name], found.off[name], render(name, body)))
        elif name in had and name not in back:
            marks.append(f"<!-- memlab:off {name} -->")
        elif body:
            waiting.append(render(name, body))
    text = splice(text, splices)
    for new in (*waiting, *marks):
        text = after(text, new)
    return Updated(text, tuple(edited))


def _replaced(text: str, part: Part, body: str) -> list[Splice]:
    """A part with another body, or taken out with the blank line above it."""
    if body:
        same = part.body == body and part.untouched
        return [] if same else [(part.start, part.end, render(part.name, body))]
    blank = part.start > 1 and not text.split("\n")[part.start - 2].strip()
    return [(part.start - blank, part.end, None)]


def names_known(found: Parts) -> set[str] | None:
    """The names that the part `KNOWN` of a page lists; None where there is no such part."""
    part = found.get(KNOWN)
    return None if part is None else set(_LISTED.findall(part.body))


Splice = tuple[int, int, str | None]
"""First line, last line (the line before, to insert), and what takes their place; None: nothing."""


def splice(text: str, splices: Iterable[Splice]) -> str:
    """A text, line endings as LF, with some of its lines replaced; none may overlap."""
    lines = text.split("\n")
    # from the bottom up; of several insertions at one line, the last first
    ordered = sorted(enumerate(splices), key=lambda pair: (pair[1][:2], pair[0]), reverse=True)
    for _, (first, last, new) in ordered:
        lines[first - 1 : last] = [] if new is None else new.split("\n")
    return "\n".join(lines)


def append(text: str, name: str, body: str) -> str:
    """A page's text with a new part at its end."""
    return after(text, render(name, body))


def after(text: str, addition: str) -> str:
    """A page's text with something more at its end, a blank line between."""
    gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
    return f"{text}{gap}{addition}\n"
