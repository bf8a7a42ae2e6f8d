"""Days and ranges of days in text, against a given day, in many languages.

A number alone is never a date: ports, versions and amounts stay what they are. The words for
months and relative days are those of `memlab.workspace.vocabulary`.
"""

from __future__ import annotations

import datetime as dt
import re
from calendar import monthrange
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.tokens import fold
from memlab.types import TimeRange
from memlab.workspace import vocabulary
from memlab.workspace.date_forms import absolute, whole_month
from memlab.workspace.vocabulary import Hints, Unit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NEVER = TimeRange(dt.date.min, dt.date.min)
"""The range of what looks like a date and is none."""

_HALF_YEAR = dt.timedelta(days=182)
_HAS_DIGIT = re.compile(r"[0-9]")
_JOINT = re.compile(
    r"(?:-|–|—|/|\.\.|to|until|till|through|til|đến|tới|سے|မှ|ကနေ|bis)(?: (?:the|den|ngày))?"
)
_BETWEEN = re.compile(r"\b(?:between|mellem)(?: (?:the|den))? ?$")  # what makes "and" join two days


@dataclass(frozen=True, slots=True)
class Found:
    """A time that a text speaks of: where it stands in the folded text, and its days."""

    start: int
    end: int
    range: TimeRange


def find(text: str, day: dt.date | None) -> TimeRange | None:
    """The first day or range of days that ``text`` names, or None.

    Args:
        text: Any text.
        day: The day that it was written: "yesterday" is the day before it, and "Nov 27" without a
            year the nearest such day to it. Without a day, only full dates count.
    """
    found = next(iter(find_all(text, day)), None)
    return found.range if found else None


def find_all(text: str, day: dt.date | None, *, past: bool = False) -> list[Found]:
    """All days and ranges that ``text`` names, in order, none overlapping another.

    Args:
        text: Any text.
        day: The day that it was written, as for `find`.
        past: Whether a date without a year is the last such day up to ``day``, not the nearest.
    """
    folded = normal(text)
    return joined(apart(folded, day, Hints.of(folded), past=past), folded)


def normal(text: str) -> str:
    """The form in which times are looked for: folded, digits as those of ASCII."""
    return vocabulary.digits(fold(text)).replace("\u2010", "-")  # a hyphen that breaks no line


def apart(text: str, day: dt.date | None, hints: Hints, *, past: bool = False) -> list[Found]:
    """What `find_all` finds, before two dates with a word for "to" between them are made one.

    Args:
        text: What `normal` gave.
        day: The day that it was written.
        hints: Those of the text, or of one that it is a part of.
        past: As for `find_all`.

    Returns:
        In order; days that never are stand there too, as `NEVER`, and hide what lies inside.
    """
    has_digits = _HAS_DIGIT.search(text) is not None
    found = []
    if has_digits:
        # of the days nearest to half a year ago, none lies after today
        near = day - _HALF_YEAR if past and day and day - dt.date.min > _HALF_YEAR else day
        # "31 Feb 2025" is no day; it must still hide the "Feb 2025" inside it
        found = [Found(s, e, days or NEVER) for s, e, days in absolute(text, near, hints)]
    if day is not None:
        found.extend(_relative(text, day, hints))
        if has_digits and hints.counted():
            found.extend(_counted(text, day))
    kept: list[Found] = []
    end = 0
    for one in sorted(found, key=lambda f: (f.start, -f.end)):
        if one.start >= end:
            end = one.end
            kept.append(one)
    return kept


def since_day(text: str, now: dt.datetime) -> dt.date:
    """The day that ``--since`` and ``--until`` mean: ``30d``, ``2w``, ``6m``, ``1y`` or a date.

    ``30d`` is the local day 30 days before ``now``.

    Raises:
        ValueError: If the text is neither.
    """
    text = text.strip()
    span = re.fullmatch(r"(\d{1,5})\s*([dwmy])", text.casefold())
    if span:
        count = int(span[1])
        days = {"d": 1, "w": 7}.get(span[2])
        if days:
            return now.date() - dt.timedelta(days=count * days)
        return _add_months(now.date(), -count * (12 if span[2] == "y" else 1))
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        found = find(text, now.date())
        if found is None:
            raise ValueError(f"{text!r} is no day; write 2025-11-27, 30d, 2w, 6m or 1y") from None
        return found.start


def _relative(text: str, day: dt.date, hints: Hints) -> Iterator[Found]:
    if not hints.phrase():
        return
    for match in vocabulary.phrase_pattern().finditer(text):
        unit, steps = vocabulary.phrases()[match[0]]
        yield Found(match.start(), match.end(), _reach(shift, day, unit, steps))


def _counted(text: str, day: dt.date) -> Iterator[Found]:
    for way in vocabulary.counted():
        if way.after in text:
            for match in way.pattern.finditer(text):
                steps = way.sign * int(match["n"])
                yield Found(match.start(), match.end(), _reach(_exact, day, way.unit, steps))


def _reach(
    compute: Callable[[dt.date, int, int], TimeRange], day: dt.date, unit: int, steps: int
) -> TimeRange:
    """A range, or never where it lies outside the years that there are."""
    try:
        return compute(day, unit, steps)
    except (OverflowError, ValueError):
        return NEVER


def shift(day: dt.date, unit: int, steps: int) -> TimeRange:
    """The day, week, month or year so many steps away, whole; of a weekday the last or next one.

    Raises:
        OverflowError: If it lies outside the years that there are.
        ValueError: Likewise.
    """
    if unit < Unit.DAY:
        weekday = (unit - 1) % 7  # Python counts from Monday
        ahead = (weekday - day.weekday()) % 7 or 7
        behind = (day.weekday() - weekday) % 7 or 7
        distance = ahead + 7 * (steps - 1) if steps > 0 else -(behind + 7 * (-steps - 1))
        return TimeRange.day(day + dt.timedelta(days=distance))
    moved = move(day, Unit(unit), steps)
    if unit == Unit.WEEK:
        monday = moved - dt.timedelta(days=moved.weekday())
        return TimeRange(monday, monday + dt.timedelta(days=6))
    if unit == Unit.MONTH:
        return whole_month(moved.year, moved.month)
    if unit == Unit.YEAR:
        return TimeRange(dt.date(moved.year, 1, 1), dt.date(moved.year, 12, 31))
    return TimeRange.day(moved)


def _exact(day: dt.date, unit: int, steps: int) -> TimeRange:
    return TimeRange.day(move(day, Unit(unit), steps))


def move(day: dt.date, unit: Unit, steps: int) -> dt.date:
    """The day so many days, weeks, months or years away.

    Raises:
        OverflowError: If it lies outside the years that there are.
    """
    if unit in (Unit.DAY, Unit.WEEK):
        return day + dt.timedelta(days=steps * (7 if unit is Unit.WEEK else 1))
    return _add_months(day, steps * (12 if unit is Unit.YEAR else 1))


def joined(found: list[Found], text: str) -> list[Found]:
    """Without what never is; two dates with a dash or a word for "to" between are one range."""
    out: list[Found] = []
    for one in found:
        if one.range == NEVER:
            continue
        before = out[-1] if out else None
        if (
            before
            and before.range.end <= one.range.start
            and _one_range(text, before.start, before.end, one.start)
        ):
            out[-1] = Found(before.start, one.end, TimeRange(before.range.start, one.range.end))
        else:
            out.append(one)
    return out


def _one_range(text: str, start: int, end: int, following: int) -> bool:
    """Whether the date at ``start`` and the one that follows bound one range."""
    between = " ".join(text[end:following].split())
    if between in ("and", "og"):
        return _BETWEEN.search(text[max(0, start - 16) : start]) is not None
    return _JOINT.fullmatch(between) is not None


def _add_months(day: dt.date, months: int) -> dt.date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not dt.MINYEAR <= year <= dt.MAXYEAR:
        raise OverflowError(f"year {year} is out of range")
    return dt.date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
