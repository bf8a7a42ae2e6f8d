"""The days that a question means by what it names: "a few weeks ago", "last summer", "on the 3rd".

It looks back: a month, a weekday or a day of the month without more is the last such one. Seasons
are those of the northern half of the earth.
"""

from __future__ import annotations

import datetime as dt
import re
from functools import cache
from typing import TYPE_CHECKING

from memlab.tokens import fold
from memlab.types import TimeRange
from memlab.workspace import dates, vocabulary
from memlab.workspace.date_forms import whole_month
from memlab.workspace.spans import NUMBERS
from memlab.workspace.vocabulary import Unit

if TYPE_CHECKING:
    from collections.abc import Callable

    Match = re.Match[str]
    Reader = Callable[[Match, dt.date], TimeRange | None]

ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
SEASONS = {
    "spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12,
    "forår": 3, "sommer": 6, "efterår": 9, "vinter": 12,
}  # fmt: skip  # the month in which each begins

_UNITS = {"day": Unit.DAY, "week": Unit.WEEK, "month": Unit.MONTH, "year": Unit.YEAR}
_FUZZ = {Unit.DAY: 0, Unit.WEEK: 2, Unit.MONTH: 7, Unit.YEAR: 45}  # days either side of "N … ago"


@cache
def weekdays() -> dict[str, int]:
    """Folded name of a weekday to its number from Sunday, in the languages of relative days."""
    import icu

    table: dict[str, int] = {}
    symbols = icu.DateFormatSymbols
    for language in vocabulary.LANGUAGES:
        names = symbols(icu.Locale(language)).getWeekdays(symbols.FORMAT, symbols.WIDE)
        for number, name in enumerate(names[1:]):
            table.setdefault(fold(name), number)
    del table["ہفتہ"]  # Saturday, and any week
    return table


def said(unit: Unit, steps: int) -> Reader:
    """A unit so many steps from the day of the question."""
    return lambda _, day: dates.shift(day, unit, steps)


def unit_of(match: Match) -> Unit:
    """The unit that a form names."""
    groups = match.groupdict()
    if groups.get("unit"):
        return _UNITS[groups["unit"]]
    starts = {"da": 7, "ng": 7, "ug": 8, "tu": 8, "må": 9, "th": 9, "år": 10, "nă": 10}
    return Unit(starts[groups["other"][:2]])


def back(day: dt.date, days: int) -> dt.date:
    """The day so many days before."""
    return day - dt.timedelta(days=days)


def some(match: Match, day: dt.date, most: int, least: int) -> TimeRange:
    """From ``most`` to ``least`` units back, as Hindsight reads "a couple" and "a few"."""
    unit = unit_of(match)
    return TimeRange(dates.move(day, unit, -most), dates.move(day, unit, -least))


def ago(match: Match, day: dt.date) -> TimeRange:
    """So many units back, the less exactly the longer they are."""
    unit = unit_of(match)
    then = dates.move(day, unit, -_number(match))
    return TimeRange(back(then, _FUZZ[unit]), then + dt.timedelta(days=_FUZZ[unit]))


def past(match: Match, day: dt.date) -> TimeRange:
    """From so many units back up to the day."""
    few = re.search("few|several|couple", match[0])
    count = 3 if few else _number(match)
    return TimeRange(dates.move(day, unit_of(match), -count), day)


def weekday(match: Match, day: dt.date, steps: int = -1) -> TimeRange:
    """The last such weekday before the day, or the one so many steps away."""
    return dates.shift(day, weekdays()[match["weekday"]], steps)


def month(match: Match, day: dt.date) -> TimeRange:
    """The last such month that has begun, or the one that ``this``, ``last`` or ``next`` says."""
    groups = match.groupdict()
    number = vocabulary.month_of(match["m"])
    if groups.get("y"):
        return whole_month(int(groups["y"]), number)
    year = day.year - (number > day.month)
    if groups.get("rel") == "last" and number == day.month:
        year -= 1
    if groups.get("rel") == "next" or (groups.get("rel") == "this" and year < day.year):
        year += 1
    return whole_month(year, number)


def week_of_month(match: Match, day: dt.date) -> TimeRange:
    """The first, second, third or last seven days of a month."""
    whole = month(match, day)
    if match["nth"] == "last":
        return TimeRange(back(whole.end, 6), whole.end)
    start = whole.start + dt.timedelta(days=7 * ORDINALS.index(match["nth"]))
    return TimeRange(start, start + dt.timedelta(days=6))


def season(match: Match, day: dt.date) -> TimeRange:
    """The one of a year; else the last such season that has begun, ``last`` one that is over."""
    groups = match.groupdict()
    first = SEASONS[match["s"]]
    if groups.get("y"):
        return _three_months(int(groups["y"]), first)
    year = day.year - (dt.date(day.year, first, 1) > day)
    found = _three_months(year, first)
    over = groups.get("rel") in ("last", "sidste")
    return _three_months(year - 1, first) if over and found.end >= day else found


def day_of_month(match: Match, day: dt.date) -> TimeRange:
    """The last such day of a month."""
    groups = match.groupdict()
    number = int(groups["d"]) if groups.get("d") else ORDINALS.index(groups["nth"]) + 1
    whole = day if number <= day.day else dates.move(day.replace(day=1), Unit.MONTH, -1)
    return TimeRange.day(whole.replace(day=number))


def _number(match: Match) -> int:
    word = match.groupdict().get("n") or "1"
    if word in ("a", "an"):
        return 1
    return int(word) if word.isdigit() else NUMBERS.index(word)


def _three_months(year: int, first: int) -> TimeRange:
    last = dates.move(dt.date(year, first, 1), Unit.MONTH, 2)
    return TimeRange(dt.date(year, first, 1), whole_month(last.year, last.month).end)
