"""All times that a text names: dates, ranges, and years with nothing but a word beside them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memlab.workspace import dates, spans, years

if TYPE_CHECKING:
    import datetime as dt

    from memlab.types import TimeRange
    from memlab.workspace.dates import Found
    from memlab.workspace.vocabulary import Hints

MOST = 32
"""How many times of a text beside its first one are kept."""

_SEASON = re.compile(r"\d{4}-\d\d")  # is no month, or it would not be here
_LED_YEAR = re.compile(r"(?:in|during|since|throughout|năm)\s+\d{4}")


def apart(text: str, day: dt.date | None, hints: Hints, *, past: bool = False) -> list[Found]:
    """What a text names, in order, none overlapping another, without the words beside it.

    Args:
        text: What `memlab.workspace.dates.normal` gave.
        day: The day that it was written, or is asked.
        hints: Those of the text, or of one that it is a part of.
        past: As for `memlab.workspace.dates.find_all`.
    """
    return _with_years(text, dates.apart(text, day, hints, past=past), hints)


def read(
    text: str, day: dt.date | None, hints: Hints
) -> tuple[TimeRange | None, tuple[TimeRange, ...]]:
    """The first time of a text, as `memlab.workspace.dates.find` has it, and all others.

    These are read with the words beside them ("since 2007" is open), and need not be sure: they say
    by what else the text may be found.

    Args:
        text: Any text.
        day: The day that it was written.
        hints: Those of the text, or of one that it is a part of.
    """
    if not hints.any():
        return None, ()
    text = dates.normal(text)
    found = dates.apart(text, day, hints)
    first = next((one.range for one in dates.joined(found, text)), None)
    named = spans.read(_with_years(text, found, hints), text)
    others = dict.fromkeys(one.range for one in named if one.range != first)
    return first, tuple(others)[:MOST]


def _with_years(text: str, found: list[Found], hints: Hints) -> list[Found]:
    """Times that are, and years; a year after "in" is read again, since it may begin a range."""
    known = [one for one in found if one.range != dates.NEVER]
    if not hints.year():
        return known
    known = [one for one in known if not _LED_YEAR.fullmatch(text, one.start, one.end)]
    never = [
        one
        for one in found
        if one.range == dates.NEVER and not _SEASON.fullmatch(text, one.start, one.end)
    ]
    known.extend(years.find_all(text, [*known, *never]))
    return sorted(known, key=lambda one: one.start)
