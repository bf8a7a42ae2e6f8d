"""What moves an opinion: stances, events, and the two kinds of strategy that make and use them.

A detector says whether a text supports or contradicts a statement; an updater says what that does
to the confidence in it. Both are frozen dataclasses, found by name in the registry, in the families
``stance`` and ``updater``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from memlab.errors import ParameterError

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Sequence

VERSION = 1
"""Raised whenever a detector of memlab judges some pair in another way, so that none is kept."""
STRONG = 0.6
"""A stance with at least this score counts as strong."""


class Label(StrEnum):
    """What a text does to a statement."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    NEUTRAL = "neutral"

    @property
    def sign(self) -> int:
        """1, -1 or 0."""
        return {"supports": 1, "contradicts": -1}.get(self.value, 0)


@dataclass(frozen=True, slots=True)
class Stance:
    """A detector's verdict on a statement and a text.

    Attributes:
        supports: How likely the text supports the statement, in [0, 1].
        contradicts: How likely it contradicts it, in [0, 1]; both together are at most 1.
        why: The cues that led to it, in words; empty where a model cannot say.
    """

    supports: float
    contradicts: float
    why: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if min(self.supports, self.contradicts) < 0 or self.supports + self.contradicts > 1 + 1e-9:
            raise ParameterError(f"no stance: {self.supports} for and {self.contradicts} against")

    @property
    def neutral(self) -> float:
        """How likely it does neither."""
        return max(0.0, 1 - self.supports - self.contradicts)

    @property
    def label(self) -> Label:
        """The likeliest of the three; neutral where two are equally likely."""
        if self.supports > max(self.contradicts, self.neutral):
            return Label.SUPPORTS
        if self.contradicts > max(self.supports, self.neutral):
            return Label.CONTRADICTS
        return Label.NEUTRAL

    @property
    def side(self) -> Label:
        """The likelier of supports and contradicts, for whoever knows that it is one of them."""
        return Label.SUPPORTS if self.supports >= self.contradicts else Label.CONTRADICTS

    @property
    def score(self) -> float:
        """How likely the label is, in [0, 1], rounded to 1e-5."""
        of = {"supports": self.supports, "contradicts": self.contradicts, "neutral": self.neutral}
        return round(of[self.label.value], 5)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that moves the confidence in an opinion: a fact of evidence, or a person's hand.

    Attributes:
        day: The day of the fact's page, or the local day of the hand.
        fact: The fact's id; empty for a hand.
        label: What the fact does to the statement.
        score: How surely, in [0, 1].
        hand: The confidence that a person wrote; None for a fact.
        founds: Of the fact that first states the opinion, the confidence that it gives.
        entities: Keys of the entities that the fact is about.
        words: The fact's words, as search tokens, by which copies are told.
        page: The fact's page.
        links: The pages that the fact links to.
        copies: Ids of other facts that tell the same event.
    """

    day: dt.date
    fact: str = ""
    label: Label = Label.NEUTRAL
    score: float = 1.0
    hand: float | None = None
    founds: float | None = None
    entities: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    page: str = ""
    links: frozenset[str] = frozenset()
    copies: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.score <= 1:
            raise ParameterError(f"a score lies in 0 to 1, got {self.score}")
        if self.hand is not None and not 0 <= self.hand <= 1:
            raise ParameterError(f"a confidence lies in 0 to 1, got {self.hand}")
        if (self.hand is None) != bool(self.fact):
            raise ParameterError("an event is either a fact's or a hand's")

    @property
    def strong(self) -> bool:
        """Whether its score is that of a strong stance."""
        return self.score >= STRONG


@runtime_checkable
class Detector(Protocol):
    """A strategy that tells stances."""

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each (statement, evidence) pair, in order; the same pair, the same one."""
        ...


@runtime_checkable
class Updater(Protocol):
    """A strategy that moves a confidence."""

    def update(self, confidence: float, event: Event, past: Sequence[Event]) -> float:
        """The confidence after an event.

        Args:
            confidence: The one before, in [0, 1].
            event: A fact's event that supports or contradicts.
            past: The events before it that counted, oldest first, since the start or the last hand.
        """
        ...


def run_length(event: Event, past: Sequence[Event]) -> int:
    """How many strong events in a row, this one the last, say the same; 0 if it is not strong."""
    if not event.strong:
        return 0
    length = 1
    for other in reversed(past):
        if other.label is not event.label or not other.strong:
            break
        length += 1
    return length


def is_against(confidence: float, label: Label) -> bool:
    """Whether a stance goes against what is held so far; at 0.5 nothing is held, so any does."""
    return confidence >= 0.5 if label is Label.CONTRADICTS else confidence <= 0.5


def check_unit(**values: float) -> None:
    """Refuse parameters outside 0 to 1.

    Raises:
        ParameterError: It names the first that is.
    """
    for name, value in values.items():
        if not 0 <= value <= 1:
            raise ParameterError(f"{name} must lie in 0 to 1, got {value}")
