"""The values that flow through memlab. All are frozen; none does any I/O."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from memlab.errors import CitationError, ParameterError

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray


class Kind(StrEnum):
    """What sort of claim a fact makes (the four networks of Hindsight, arXiv 2512.12818)."""

    WORLD = "world"
    EXPERIENCE = "experience"
    OPINION = "opinion"
    OBSERVATION = "observation"

    @property
    def letter(self) -> str:
        """The letter of a Retain bullet: W, B, O or S."""
        return _LETTERS[self]

    @classmethod
    def of(cls, text: str) -> Kind:
        """A kind from its name or letter, any case.

        Raises:
            ParameterError: If it is neither.
        """
        for kind in cls:
            if text.casefold() in (kind.value, kind.letter.casefold()):
                return kind
        known = ", ".join(f"{kind} ({kind.letter})" for kind in cls)
        raise ParameterError(f"no kind {text!r}", hint=f"Known: {known}")


_LETTERS = {Kind.WORLD: "W", Kind.EXPERIENCE: "B", Kind.OPINION: "O", Kind.OBSERVATION: "S"}


class Origin(StrEnum):
    """Who put a fact on its page."""

    WRITTEN = "written"
    PROPOSED = "proposed"
    GENERATED = "generated"


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """Where a fact stands: a file from the workspace's root and its first and last line, from 1."""

    path: str
    start: int
    end: int

    def __str__(self) -> str:
        lines = f"L{self.start}" if self.start == self.end else f"L{self.start}-L{self.end}"
        return f"{self.path}#{lines}"

    @classmethod
    def parse(cls, text: str) -> Source:
        """Read a citation such as ``memory/2025-11-27.md#L12-L14``.

        Raises:
            CitationError: If it is none.
        """
        match = re.fullmatch(r"(.+)#L([1-9]\d{0,8})(?:-L?([1-9]\d{0,8}))?", text.strip())
        if not match or (match[3] and int(match[3]) < int(match[2])):
            raise CitationError(f"{text!r} is no citation", hint="Write PATH#L12 or PATH#L12-L14")
        return cls(match[1], int(match[2]), int(match[3] or match[2]))


@dataclass(frozen=True, slots=True, order=True)
class TimeRange:
    """Closed days, local: both ends belong to it."""

    start: dt.date
    end: dt.date

    def __post_init__(self) -> None:
        if self.end < self.start:
            raise ParameterError(f"the range ends ({self.end}) before it starts ({self.start})")

    def __str__(self) -> str:
        return f"{self.start}" if self.start == self.end else f"{self.start}/{self.end}"

    @classmethod
    def day(cls, day: dt.date) -> TimeRange:
        """The range of one day."""
        return cls(day, day)


@dataclass(frozen=True, slots=True)
class Fact:
    """One claim on one page.

    Attributes:
        id: ``f-`` and twelve base32 characters, from day, entities and content.
        kind: What sort of claim it is.
        origin: Who put it there.
        content: Its words, as they stand on the cited lines, white space folded.
        source: Its page and lines.
        day: The day of its page, or None.
        when: The time that it speaks of: the range in its text, else ``day``.
        entities: Names of what it is about, those written before its colon first.
        confidence: Of an opinion, in [0, 1]; otherwise None.
        heading: The headings above it, from the outermost, joined by `` > ``.
        superseded_by: Where the fact in its place stands, as recall marks it; otherwise None.
    """

    id: str
    kind: Kind
    origin: Origin
    content: str
    source: Source
    day: dt.date | None = None
    when: TimeRange | None = None
    entities: tuple[str, ...] = ()
    confidence: float | None = None
    heading: str = ""
    superseded_by: Source | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """A question and the filters that bound its answers.

    Attributes:
        text: The question, any language; empty only where a filter says what is wanted.
        now: The clock: everything relative is read against it.
        window: Facts outside it are left out, undated ones too; None for no bound.
        kinds: The kinds allowed; empty for all.
        entities: Keys of entities, all of which a fact must be about; empty for no bound.
        origins: The origins allowed.
        as_of: As if all later were not there: no pages of later days, none without a day, no
            generated parts; None for all that there is.
        held: With ``as_of``, the rows that count although their page has no day: statements of
            opinions that were held on that day.
    """

    text: str
    now: dt.datetime
    window: TimeRange | None = None
    kinds: tuple[Kind, ...] = ()
    entities: tuple[str, ...] = ()
    origins: tuple[Origin, ...] = (Origin.WRITTEN, Origin.PROPOSED)
    as_of: dt.date | None = None
    held: tuple[int, ...] = ()


@dataclass(frozen=True)
class Run:
    """What one retriever found for one query, best first.

    Attributes:
        retriever: The spec string of the retriever.
        rows: int64, shape (n,): rows of the corpus.
        scores: float64, shape (n,), falling, rounded to 1e-5.
    """

    retriever: str
    rows: NDArray[np.int64]
    scores: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class Backing:
    """A fact for or against an opinion.

    Attributes:
        verb: ``for`` or ``against``.
        day: The day of its page.
        confidence: The opinion's confidence after it, in [0, 1].
        source: Where it stands; None where it is not found.
    """

    verb: str
    day: dt.date
    confidence: float
    source: Source | None = None

    def __str__(self) -> str:
        return f"{self.verb} {self.source or self.day}"


@dataclass(frozen=True, slots=True)
class Hit:
    """A fact that was found, alone or as the best of a passage: facts that follow each other.

    Attributes:
        fact: The fact.
        rank: Its place, from 1.
        score: Its final score.
        trace: For each retriever that found it, its rank and score there.
        facts: All facts of the passage in the order of their lines, ``fact`` among them; empty
            where it stands alone.
        copies: Where the same words stand too.
        evidence: Of an opinion with a ledger: what speaks for and against it, oldest first.
        changed: Of such an opinion: when its confidence last changed.
    """

    fact: Fact
    rank: int
    score: float
    trace: Mapping[str, tuple[int, float]] = field(default_factory=dict)
    facts: tuple[Fact, ...] = ()
    copies: tuple[Source, ...] = ()
    evidence: tuple[Backing, ...] = ()
    changed: dt.date | None = None

    @property
    def content(self) -> str:
        """The words of all its facts, a line each."""
        return "\n".join(fact.content for fact in self.facts or (self.fact,))

    @property
    def source(self) -> Source:
        """The citation of all its lines."""
        if not self.facts:
            return self.fact.source
        start = min(fact.source.start for fact in self.facts)
        end = max(fact.source.end for fact in self.facts)
        return Source(self.fact.source.path, start, end)


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something on a page or file that did not go as written, and that stopped nothing.

    Attributes:
        path: The file, from the workspace's root.
        message: What it is.
        line: The line, from 1, or None when it is about the whole file.
    """

    path: str
    message: str
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.path}{f'#L{self.line}' if self.line else ''}: {self.message}"
