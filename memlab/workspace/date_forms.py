"""Full and partial dates in text: digits alone, with the name of a month, or a year after "in"."""

from __future__ import annotations

import datetime as dt
import re
from calendar import monthrange
from functools import cache
from typing import TYPE_CHECKING

import regex

from memlab.tokens import has_spaces
from memlab.types import TimeRange
from memlab.workspace import vocabulary
from memlab.workspace.vocabulary import NO_LETTER_AFTER, NO_LETTER_BEFORE, Hints

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Match = regex.Match[str]
    Reader = Callable[[Match, dt.date | None], TimeRange | None]

_CODE_BEFORE = re.compile(r"(?:\b(?:v|version|release|port|build|rev)\.?\s*|\w\.|[#\w])$")
_NUMERIC = re.compile(r"\d[./-]\d")
_YEAR = re.compile(r"(?:19|20)\d\d")


def absolute(
    text: str, day: dt.date | None, hints: Hints
) -> Iterator[tuple[int, int, TimeRange | None]]:
    """Start and end of each date in folded text, and its days; None for days that never are.

    Args:
        text: Folded text, digits as those of ASCII.
        day: The day that it was written, for dates without a year; without one they do not count.
        hints: Those of the text.
    """
    numeric, by_month, from_month, by_year = _patterns()
    found: list[tuple[Iterable[Match], Reader]] = []
    if _NUMERIC.search(text):
        found += [(pattern.finditer(text), read) for pattern, read in numeric]
    if hints.month():
        starts = [match.start() for match in _month_start().finditer(text)]
        found += [(pattern.finditer(text), read) for pattern, read in by_month]
        found += [(_matches(pattern, text, starts), read) for pattern, read in from_month]
    if _YEAR.search(text):
        found += [(pattern.finditer(text), read) for pattern, read in by_year]
    for matches, read in found:
        for match in matches:
            if not _CODE_BEFORE.search(text[max(0, match.start() - 12) : match.start()]):
                yield match.start(), match.end(), read(match, day)


@cache
def _patterns() -> tuple[list[tuple[regex.Pattern[str], Reader]], ...]:
    """The forms of a date: digits alone, with a month, with a month at its start, of a year."""
    names = sorted(vocabulary.months(), key=len, reverse=True)
    spaced = "|".join(map(regex.escape, _spaced_months()))
    unspaced = "|".join(regex.escape(name) for name in names if not has_spaces(name))
    month = rf"{NO_LETTER_BEFORE}(?P<m>{spaced}){NO_LETTER_AFTER}\.?"
    ordinal = r"(?!\d)(?:st|nd|rd|th|er|[oa](?!\p{L})|\.)?"
    day = rf"(?<!\d)(?P<d>\d{{1,2}}){ordinal}"
    last = rf"(?P<d2>\d{{1,2}}){ordinal}"
    of = r"\s*(?:of\s+|de\s+)?"
    full = r"(?P<y>(?:19|20)\d{2})(?![\p{L}\p{N}]|[.:]\d)"
    year = rf"(?:\s*,?\s*(?:năm\s+|del?\s+)?{full})"
    to = r"\s*(?:-|–|—|to|til|đến)\s*"
    short_day = r"(?<![\d./-])(?P<d>\d{1,2})"
    last_day = r"(?P<d2>\d{1,2})[./](?P<m2>\d{1,2})"
    to_day = r"(?:[-–—]|\s+(?:to|til|đến)\s+)(?P<d2>\d{1,2})"
    short_year = r"(?P<y>(?:19|20)\d{2})"
    end = r"(?!\d|[.:/-]\d)"
    numeric: list[tuple[str, Reader]] = [
        (r"(?<![\d-])(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})(?![\d-])", _day),
        (rf"{short_day}(?P<sep>[./-])(?P<m>\d{{1,2}})(?P=sep){short_year}{end}", _day),
        (rf"(?<![\d/]){short_year}/(?P<m>\d{{1,2}})/(?P<d>\d{{1,2}})(?![\d/])", _day),
        (rf"{short_day}[./](?P<m>\d{{1,2}})\.?{to}{last_day}[./]{short_year}{end}", _span),
        (rf"{short_day}\.?{to_day}(?P<sep>[./])(?P<m>\d{{1,2}})(?P=sep){short_year}{end}", _days),
        (r"(?<![\d-])(?P<y>(?:19|20)\d{2})-(?P<m>\d{2})(?![\d-])", _month),
    ]
    by_month: list[tuple[str, Reader]] = [
        (rf"{day}{to}{last}{of}{month}{year}?", _days),
        (rf"(?:between|mellem)\s+{day}\s+(?:and|og)\s+{last}{of}{month}{year}?", _days),
        (rf"{day}{of}{month}{year}?", _day),
        (rf"(?:{full}\s*ခု\s*နှစ်[၊,]?\s*)?(?P<m>{unspaced})\s*(?:လ)?\s*(?P<d>\d{{1,2}})\s*ရက်", _day),
    ]
    from_month: list[tuple[str, Reader]] = [
        (rf"{month}\s*{day}{to}{last}(?!\s*[:\p{{L}}]){year}?", _days),
        (rf"{month}\s*{day}(?![:.]\d|\s*%){year}?", _day),
        (rf"{month}{to}{month.replace('<m>', '<m2>')}{year}", _months),
        (rf"{month}(?:\s+of)?(?:{year}|/{full.replace('<y>', '<y2>')})", _month),
    ]
    by_year: list[tuple[str, Reader]] = [
        (rf"(?<!\p{{L}})(?:in|during|since|throughout|năm)\s+{full}(?![,-]\d)", _year),
    ]
    return tuple(
        [(regex.compile(pattern), read) for pattern, read in forms]
        for forms in (numeric, by_month, from_month, by_year)
    )


def _spaced_months() -> list[str]:
    """The names of months in scripts with spaces between words, the longest first."""
    names = sorted(vocabulary.months(), key=len, reverse=True)
    return [name for name in names if has_spaces(name)]


@cache
def _month_start() -> re.Pattern[str]:
    """Where such a name may start; much faster than the forms of a date, which say if it does."""
    names = _spaced_months()
    firsts = "".join(sorted({re.escape(name[0]) for name in names}))
    either = "|".join(map(re.escape, names))
    return re.compile(rf"(?<![^\W_])(?=[{firsts}])(?:{either})(?![^\W_])")


def _matches(pattern: regex.Pattern[str], text: str, starts: list[int]) -> Iterator[Match]:
    """What ``finditer`` gives for a pattern that matches nowhere but at ``starts``, rising."""
    end = 0
    for start in starts:
        if start >= end and (match := pattern.match(text, start)):
            end = match.end()
            yield match


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
    return whole_month(year, month) if 1 <= month <= 12 else None


def _months(match: Match, _: dt.date | None) -> TimeRange | None:
    year, first, last = int(match["y"]), _number(match["m"]), _number(match["m2"])
    start = whole_month(year if first <= last else year - 1, first).start
    return TimeRange(start, whole_month(year, last).end)


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


def _safe(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


def whole_month(year: int, month: int) -> TimeRange:
    """All days of a month."""
    return TimeRange(dt.date(year, month, 1), dt.date(year, month, monthrange(year, month)[1]))
