"""Days and ranges of days in text, against a given day, in many languages.

A number alone is never a date: ports, versions and amounts stay what they are. The words for
months and relative days are those of `memlab.workspace.vocabulary`.
"""

from __future__ import annotations

import datetime as dt
import re
from calendar import monthrange
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import regex

from memlab.tokens import fold, has_spaces
from memlab.types import TimeRange
from memlab.workspace import vocabulary
from memlab.workspace.vocabulary import NO_LETTER_AFTER, NO_LETTER_BEFORE, Hints, Unit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Match = regex.Match[str]
    Reader = Callable[[Match, dt.date | None], TimeRange | None]

_NEVER = TimeRange(dt.date.min, dt.date.min)
_CODE_BEFORE = re.compile(r"(?:\b(?:v|version|release|port|build|rev)\.?\s*|[\w.]\.|[#\w])$")
_HAS_DIGIT = re.compile(r"[0-9]")
_NUMERIC = re.compile(r"\d[./-]\d")
_YEAR = re.compile(r"(?:19|20)\d\d")
_JOINTS = frozenset(
    "- – — / .. to until till through and til og đến tới سے မှ ကနေ bis".split()  # noqa: SIM905
)


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


def find_all(text: str, day: dt.date | None) -> list[Found]:
    """All days and ranges that ``text`` names, in order, none overlapping another."""
    folded = vocabulary.digits(fold(text))
    hints = Hints(folded)
    has_digits = _HAS_DIGIT.search(folded) is not None
    found = list(_absolute(folded, day, hints)) if has_digits else []
    if day is not None:
        found.extend(_relative(folded, day, hints))
        if has_digits and hints.counted():
            found.extend(_counted(folded, day))
    kept: list[Found] = []
    end = 0
    for one in sorted(found, key=lambda f: (f.start, -f.end)):
        if one.start >= end:
            end = one.end
            kept.append(one)
    return _join([one for one in kept if one.range != _NEVER], folded)


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


def _absolute(text: str, day: dt.date | None, hints: Hints) -> Iterator[Found]:
    numeric, by_month, by_year = _patterns()
    forms: list[tuple[regex.Pattern[str], Reader]] = []
    if _NUMERIC.search(text):
        forms += numeric
    if hints.month():
        forms += by_month
    if _YEAR.search(text):
        forms += by_year
    for pattern, read in forms:
        for match in pattern.finditer(text):
            if not _CODE_BEFORE.search(text[max(0, match.start() - 12) : match.start()]):
                # "31 Feb 2025" is no day; it must still hide the "Feb 2025" inside it
                yield Found(match.start(), match.end(), read(match, day) or _NEVER)


@cache
def _patterns() -> tuple[list[tuple[regex.Pattern[str], Reader]], ...]:
    """The forms of a date with digits alone, with the name of a month, and of a year."""
    names = sorted(vocabulary.months(), key=len, reverse=True)
    spaced = "|".join(regex.escape(name) for name in names if has_spaces(name))
    unspaced = "|".join(regex.escape(name) for name in names if not has_spaces(name))
    month = rf"{NO_LETTER_BEFORE}(?P<m>{spaced}){NO_LETTER_AFTER}\.?"
    day = r"(?<!\d)(?P<d>\d{1,2})(?!\d)(?:st|nd|rd|th|\.)?"
    last = r"(?P<d2>\d{1,2})(?!\d)(?:st|nd|rd|th|\.)?"
    full = r"(?P<y>(?:19|20)\d{2})(?![\p{L}\p{N}]|[.:]\d)"
    year = rf"(?:\s*,?\s*(?:năm\s+)?{full})"
    to = r"\s*(?:-|–|—|to|til|đến)\s*"
    short_day = r"(?<![\d./-])(?P<d>\d{1,2})"
    short_year = r"(?P<y>(?:19|20)\d{2})"
    end = r"(?!\d|[.:/-]\d)"
    numeric: list[tuple[str, Reader]] = [
        (r"(?<![\d-])(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})(?![\d-])", _day),
        (rf"{short_day}(?P<sep>[./-])(?P<m>\d{{1,2}})(?P=sep){short_year}{end}", _day),
        (
            rf"{short_day}/(?P<m>\d{{1,2}}){to}(?P<d2>\d{{1,2}})/(?P<m2>\d{{1,2}})/{short_year}{end}",
            _span,
        ),
        (r"(?<![\d-])(?P<y>(?:19|20)\d{2})-(?P<m>\d{2})(?![\d-])", _month),
    ]
    by_month: list[tuple[str, Reader]] = [
        (rf"{day}{to}{last}\s*(?:of\s+)?{month}{year}?", _days),
        (rf"{month}\s*{day}{to}{last}(?!\s*[:\p{{L}}]){year}?", _days),
        (rf"{day}\s*(?:of\s+)?{month}{year}?", _day),
        (rf"{month}\s*{day}(?![:.]\d|\s*%){year}?", _day),
        (rf"(?:{full}\s*ခု\s*နှစ်[၊,]?\s*)?(?P<m>{unspaced})\s*(?:လ)?\s*(?P<d>\d{{1,2}})\s*ရက်", _day),
        (rf"{month}(?:\s+of)?(?:{year}|/{full.replace('<y>', '<y2>')})", _month),
    ]
    by_year: list[tuple[str, Reader]] = [
        (rf"(?<!\p{{L}})(?:in|during|since|throughout|năm)\s+{full}(?![,-]\d)", _year),
    ]
    return tuple(
        [(regex.compile(pattern), read) for pattern, read in forms]
        for forms in (numeric, by_month, by_year)
    )


def _day(match: Match, near: dt.date | None) -> TimeRange | None:
    found = _date(match, near)
    return TimeRange.day(found) if found else None


def _days(match: Match, near: dt.date | None) -> TimeRange | None:
    first = _date(match, near)
    last = _safe(first.year, first.month, int(match["d2"])) if first else None
    return TimeRange(first, last) if first and last and first <= last else None


def _span(match: Match, _: dt.date | None) -> TimeRange | None:
    last = _safe(int(match["y"]), int(match["m2"]), int(match["d2"]))
    first = _safe(last.year, int(match["m"]), int(match["d"])) if last else None
    if first and last and first > last:
        first = _safe(last.year - 1, first.month, first.day)
    return TimeRange(first, last) if first and last else None


def _month(match: Match, _: dt.date | None) -> TimeRange | None:
    groups = match.groupdict()
    month, year = _number(match["m"]), int(groups["y"] or groups["y2"])
    return _whole_month(year, month) if 1 <= month <= 12 else None


def _year(match: Match, _: dt.date | None) -> TimeRange | None:
    return TimeRange(dt.date(int(match["y"]), 1, 1), dt.date(int(match["y"]), 12, 31))


def _date(match: Match, near: dt.date | None) -> dt.date | None:
    month, number = _number(match["m"]), int(match["d"])
    if match["y"]:
        if month > 12 >= number and match["m"].isdigit() and match.end("y") == match.end():
            month, number = number, month  # 11/27/2025: the month comes first
        return _safe(int(match["y"]), month, number)
    if near is None:
        return None
    years = range(max(near.year - 1, dt.MINYEAR), min(near.year + 1, dt.MAXYEAR) + 1)
    days = [found for year in years if (found := _safe(year, month, number))]
    return min(days, key=lambda found: (abs(found - near), found)) if days else None


def _number(month: str) -> int:
    return int(month) if month.isdigit() else vocabulary.months()[month]


def _relative(text: str, day: dt.date, hints: Hints) -> Iterator[Found]:
    if not hints.phrase():
        return
    for match in vocabulary.phrase_pattern().finditer(text):
        unit, steps = vocabulary.phrases()[match[0]]
        yield Found(match.start(), match.end(), _reach(_shift, day, unit, steps))


def _counted(text: str, day: dt.date) -> Iterator[Found]:
    for way in vocabulary.counted():
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
        return _NEVER


def _shift(day: dt.date, unit: int, steps: int) -> TimeRange:
    """The day, week, month or year so many steps away, whole; of a weekday the last or next one."""
    if unit < Unit.DAY:
        weekday = (unit - 1) % 7  # Python counts from Monday
        ahead = (weekday - day.weekday()) % 7 or 7
        behind = (day.weekday() - weekday) % 7 or 7
        distance = ahead + 7 * (steps - 1) if steps > 0 else -(behind + 7 * (-steps - 1))
        return TimeRange.day(day + dt.timedelta(days=distance))
    moved = _move(day, Unit(unit), steps)
    if unit == Unit.WEEK:
        monday = moved - dt.timedelta(days=moved.weekday())
        return TimeRange(monday, monday + dt.timedelta(days=6))
    if unit == Unit.MONTH:
        return _whole_month(moved.year, moved.month)
    if unit == Unit.YEAR:
        return TimeRange(dt.date(moved.year, 1, 1), dt.date(moved.year, 12, 31))
    return TimeRange.day(moved)


def _exact(day: dt.date, unit: int, steps: int) -> TimeRange:
    return TimeRange.day(_move(day, Unit(unit), steps))


def _move(day: dt.date, unit: Unit, steps: int) -> dt.date:
    if unit in (Unit.DAY, Unit.WEEK):
        return day + dt.timedelta(days=steps * (7 if unit is Unit.WEEK else 1))
    return _add_months(day, steps * (12 if unit is Unit.YEAR else 1))


def _join(found: list[Found], text: str) -> list[Found]:
    """Two dates with a dash or a word for "to" between them are one range."""
    out: list[Found] = []
    for one in found:
        before = out[-1] if out else None
        if (
            before
            and before.range.end <= one.range.start
            and text[before.end : one.start].strip() in _JOINTS
        ):
            out[-1] = Found(before.start, one.end, TimeRange(before.range.start, one.range.end))
        else:
            out.append(one)
    return out


def _safe(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


def _whole_month(year: int, month: int) -> TimeRange:
    return TimeRange(dt.date(year, month, 1), dt.date(year, month, monthrange(year, month)[1]))


def _add_months(day: dt.date, months: int) -> dt.date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not dt.MINYEAR <= year <= dt.MAXYEAR:
        raise OverflowError(f"year {year} is out of range")
    return dt.date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
