"""The time that a question asks about: "since last week", "around Nov 27", "before the move".

Some times only the notes know: when the move was, when Y was last tried. Such a question names an
event; whoever knows the notes finds its day.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from memlab.tokens import fold
from memlab.types import TimeRange
from memlab.workspace import time_words


class Relation(StrEnum):
    """How the time that is asked about lies to an event."""

    BEFORE = "before"
    AFTER = "after"
    DURING = "during"
    LAST = "last"
    FIRST = "first"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, whose day only the notes know.

    Attributes:
        relation: How the time lies to it.
        text: Its words, folded.
        days: For "two days after": how many days away, at most; None for any.
        exact: Whether just so many days away, give or take one.
    """

    relation: Relation
    text: str
    days: int | None = None
    exact: bool = False

    @property
    def of_ends(self) -> bool:
        """Whether the newest or the oldest of it is asked for, and no window."""
        return self.relation in (Relation.LAST, Relation.FIRST)

    def window(self, on: TimeRange) -> TimeRange:
        """The days that are meant, once it is known when the event was."""
        from memlab.workspace import spans

        if self.relation is Relation.BEFORE:
            if self.days is None:
                return TimeRange(dt.date.min, spans.moved(on.start, -1))
            return spans.before(on, self.days, exact=self.exact)
        if self.relation is Relation.AFTER:
            if self.days is None:
                return TimeRange(on.start, dt.date.max)
            return spans.after(on, self.days, exact=self.exact)
        return on


@dataclass(frozen=True, slots=True)
class Reading:
    """What a question says of time.

    Attributes:
        windows: The days that it asks about, each a range of its own; where an end is open, it is
            the first or last day that there is.
        event: What it places in time by something that happened, or None.
        rest: Its other words, folded: not those of the times, nor those of an event before, after
            or during which something is sought.
    """

    windows: tuple[TimeRange, ...] = ()
    event: Event | None = None
    rest: str = ""

    @property
    def dating(self) -> Event | None:
        """The event that alone gives the window; None where a window is told, or none is sought."""
        return self.event if self.event and not (self.windows or self.event.of_ends) else None


@lru_cache(256)
def read(text: str, day: dt.date) -> Reading:
    """Read the time that a question asks about.

    Args:
        text: The question.
        day: The day on which it is asked.
    """
    folded = fold(text)
    if not time_words.may_tell(folded):
        return Reading(rest=" ".join(folded.split()))
    # what is needed for questions of time alone takes a while to load
    from memlab.workspace import dates, event_forms, spans, window_forms

    folded = dates.normal(text)
    windows, rest, end, taken = [], [], 0, []
    for one in spans.read(window_forms.find_all(folded, day), folded):
        windows.append(one.range)
        taken.append((one.start, one.end))
        rest.append(folded[end : one.start])
        end = max(end, one.end)
    rest.append(folded[end:])
    event = event_forms.find(folded, taken)
    left = " ".join(" ".join(rest).split())
    if event and not event.of_ends:
        left = " ".join(left.replace(" ".join(event.text.split()), " ").split())
    return Reading(tuple(dict.fromkeys(windows)), event, left)


def topic(text: str, day: dt.date) -> str:
    """The words of a question but those of the times it asks about; all, where it has no others.

    Args:
        text: The question.
        day: The day on which it is asked.
    """
    reading = read(text, day)
    return reading.rest if reading.windows and reading.rest else text


def shown(window: TimeRange) -> str:
    """A window as ISO 8601 writes it: ``2025-11-24/2025-11-30``, ``..`` for an open end."""
    start = ".." if window.start == dt.date.min else window.start.isoformat()
    end = ".." if window.end == dt.date.max else window.end.isoformat()
    return f"{start}/{end}"
