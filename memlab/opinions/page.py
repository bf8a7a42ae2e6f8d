"""Opinions as ``bank/opinions.md`` holds them: a heading, a confidence, and a line for each event.

    ## Peter prefers concise replies
    <!-- memlab:begin opinion o-7h2kq3 9c21f0 -->
    **0.60** · @Peter · updated 2025-12-05
    - 2025-11-27 for f-k3v9q2m8aa4c → 0.90 "Prefers concise replies (<1500 …"
    - 2025-12-05 hand → 0.60
    <!-- memlab:end opinion o-7h2kq3 -->

All that is known of an opinion stands there, so its confidence on any day can be read off.
"""

from __future__ import annotations

import bisect
import datetime as dt
import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.opinions.base import Label
from memlab.workspace import front_matter, grammar, parts
from memlab.workspace.markdown import BlockType, blocks, split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memlab.types import Source

QUOTE = 32
"""A quote has at most so many characters."""

_LINE = re.compile(
    r"- (?P<day>\d{4}-\d{2}-\d{2}) (?P<verb>for|against|gone|hand)(?: (?P<fact>f-[\w-]+))?"
    r" → (?P<sure>[\d.]+)(?: \"(?P<quote>.*)\")?"
)
_BOLD = re.compile(r"\*\*([^*\n]*)\*\*")
_SURE = re.compile(r"\s*(\d*[.,]?\d+)\s*(%?)\s*")
_LABELS = {"for": Label.SUPPORTS, "against": Label.CONTRADICTS}


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a ledger: an event, and the confidence after it.

    Attributes:
        day: The day of the fact's page, or the local day of a person's hand.
        verb: ``for``, ``against``, ``hand``, or ``gone`` for a fact that is not found any more.
        fact: The fact's id; empty for a hand.
        confidence: The confidence after it, in [0, 1].
        quote: How the fact begins.
        source: Where the fact stands; None where that was not looked up, or it stands nowhere.
    """

    day: dt.date
    verb: str
    fact: str
    confidence: float
    quote: str = ""
    source: Source | None = None

    @property
    def label(self) -> Label:
        """What the fact does to the statement; neutral for a hand and for a fact that is gone."""
        return _LABELS.get(self.verb, Label.NEUTRAL)

    @classmethod
    def parse(cls, line: str) -> Entry | None:
        """Read a line; None if it is none of a ledger's."""
        match = _LINE.fullmatch(line.rstrip())
        if not match or (match["verb"] == "hand") == bool(match["fact"]):
            return None
        try:
            day, sure = dt.date.fromisoformat(match["day"]), float(match["sure"])
        except ValueError:
            return None
        return cls(day, match["verb"], match["fact"] or "", sure, match["quote"] or "")

    def __str__(self) -> str:
        fact = f" {self.fact}" if self.fact else ""
        quote = f' "{self.quote}"' if self.quote else ""
        return f"- {self.day} {self.verb}{fact} → {written(self.confidence)}{quote}"


@dataclass(frozen=True, slots=True)
class Ledger:
    """The body of an opinion's part.

    Attributes:
        confidence: The bold number, in [0, 1]; None where it is no such number.
        names: The entities that it is about, as spelled.
        entries: The events, oldest first.
    """

    confidence: float | None
    names: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()

    @classmethod
    def parse(cls, body: str) -> Ledger:
        """Read a body; lines that are none of a ledger's are passed over."""
        return _parse(body)

    def render(self) -> str:
        """The body; what `parse` reads back."""
        tags = " ".join(grammar.tag(name) for name in self.names)
        updated = f"updated {self.entries[-1].day}" if self.entries else ""
        head = " · ".join(filter(None, (f"**{written(self.confidence or 0)}**", tags, updated)))
        return "\n".join([head, *map(str, self.entries)])

    @property
    def last(self) -> float | None:
        """The confidence after the last event, where there is one."""
        return self.entries[-1].confidence if self.entries else None


@functools.lru_cache(maxsize=4096)
def _parse(body: str) -> Ledger:
    first, *rest = body.split("\n")
    bold = _BOLD.match(first)
    entries = tuple(entry for line in rest if (entry := Entry.parse(line)))
    return Ledger(confidence(bold[1]) if bold else None, tuple(grammar.tags(first)), entries)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of the page that is a statement, and what stands below it.

    Attributes:
        statement: The heading's text.
        line: The heading's first line, from 1.
        top: The heading's last line.
        end: The last line before the next heading.
        part: The opinion's part, where there is one.
        prior: The confidence that a person wrote below the heading in bold, outside of parts.
        off: The ids of opinions whose part is not wanted here.
    """

    statement: str
    line: int
    top: int
    end: int
    part: parts.Part | None = None
    prior: float | None = None
    off: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The opinion's id; empty where no part gives it one."""
        return self.part.name.removeprefix(parts.OPINION) if self.part else ""


@functools.lru_cache(maxsize=2)  # a reflect looks at one page again and again
def sections(text: str) -> tuple[Section, ...]:
    """The statements of ``bank/opinions.md``, in the order of the page.

    A statement is a heading of the second level or deeper that has no heading below it. A part that
    stands below no such heading, or below one that has a part already, is a section of its own
    without a statement.
    """
    found = parts.find(text)
    lines = split_lines(text)
    for one in found.found:  # blank lines take no time to read
        lines[one.start - 1 : one.end] = [""] * (one.end + 1 - one.start)
    body = front_matter.split("\n".join(lines)).body
    headings = [block for block in blocks(body) if block.type is BlockType.HEADING]
    edges = [*(block.start for block in headings), len(lines) + 1]
    own = list(_opinions(found))
    taken: set[str] = set()
    out = []
    for number, block in enumerate(headings):
        end = edges[number + 1] - 1
        nested = number + 1 < len(headings) and headings[number + 1].level > block.level
        if block.level < 2 or nested:
            continue
        at = bisect.bisect_right(own, block.start, key=lambda part: part.start)
        part = own[at] if at < len(own) and own[at].start <= end else None
        if part:
            taken.add(part.name)
        off = [
            name.removeprefix(parts.OPINION) for name, line in found.off.items()
            if block.start < line <= end and name.startswith(parts.OPINION)
        ]  # fmt: skip
        outside = (lines[at - 1] for at in range(block.end + 1, end + 1) if not found.covers(at))
        prior = next((sure for line in outside if (sure := _bold(line)) is not None), None)
        statement = grammar.canonical(block.text)
        out.append(Section(statement, block.start, block.end, end, part, prior, tuple(off)))
    out += [
        Section("", part.start, part.start, part.end, part)
        for part in own if part.name not in taken
    ]  # fmt: skip
    return tuple(sorted(out, key=lambda section: section.line))


def _opinions(found: parts.Parts) -> Iterable[parts.Part]:
    return (part for part in found.found if part.name.startswith(parts.OPINION))


def _bold(line: str) -> float | None:
    match = _BOLD.match(line.strip())
    return confidence(match[1]) if match else None


def confidence(text: str) -> float | None:
    """A confidence as a person may write it, ``0.6``, ``.6``, ``0,6`` or ``60%``; else None."""
    match = _SURE.fullmatch(text)
    if not match:
        return None
    value = float(match[1].replace(",", ".")) / (100 if match[2] else 1)
    return round(value, 5) if 0 <= value <= 1 else None


def written(sure: float) -> str:
    """A confidence as the page shows it: two decimals, more only where a person gave more."""
    exact = f"{sure:.5f}".rstrip("0")
    return exact if len(exact) > len("0.00") else f"{sure:.2f}"


def quote(content: str) -> str:
    """The beginning of a fact, cut between words, with `` …`` where more follows."""
    if len(content) <= QUOTE:
        return content
    cut = content[: QUOTE - 1]
    return f"{cut.rsplit(' ', 1)[0] if ' ' in cut else cut} …"


def is_quoted(content: str, quoted: str) -> bool:
    """Whether a fact's words begin with a quote."""
    return bool(quoted) and content.startswith(quoted.removesuffix(" …"))
