"""Full and partial dates in text: digits alone, with the name of a month, or a year after "in"."""

from __future__ import annotations

import datetime as dt
import re
from calendar import monthrange
from functools import cache
from typing import TYPE_CHECKING

from memlab.tokens import has_spaces
from memlab.types import TimeRange
from memlab.workspace import vocabulary
from memlab.workspace.vocabulary import ANY_MONTH, Hints

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Match = re.Match[str]
    Reader = Callable[[Match, dt.date | None], TimeRange | None]
    Forms = list[tuple[re.Pattern[str], Reader]]

_CODE_BEFORE = re.compile(r"(?:\b(?:v|version|release|port|build|rev)\.?\s*|\w\.|[#\w])$")
_NUMERIC = re.compile(r"\d[./-]\d")
_YEAR = re.compile(r"(?:19|20)\d\d")

_ORDINAL = r"(?!\d)(?:st|nd|rd|th|er|[oa](?![^\W\d_])|\.)?"
_FULL = r"(?P<y>(?:1[5-9]|20)\d{2})(?![^\W_]|[.:]\d)"
_TO = r"\s*(?:-|–|—|to|til|đến)\s*"
_AND_YEAR = rf"(?:\s*,?\s*(?:năm\s+|del?\s+)?{_FULL})"


def absolute(
    text: str, day: dt.date | None, hints: Hints
) -> Iterator[tuple[int, int, TimeRange | None]]:
    """Start and end of each date in folded text, and its days; None for days that never are.

    Args:
        text: Folded text, digits as those of ASCII.
        day: The day that it was written, for dates without a year; without one they do not count.
        hints: Those of the text.
    """
    found: list[tuple[str, Forms]] = []
    if _NUMERIC.search(text):
        found.append((text, _numeric()))
    if hints.month():
        found.append((vocabulary.mark_months(text), _by_month()))
        if vocabulary.is_burmese(text):
            found.append((text, _burmese()))
    if _YEAR.search(text):
        found.append((text, _by_year()))
    for searched, forms in found:
        for pattern, read in forms:
            for match in pattern.finditer(searched):
                if not _CODE_BEFORE.search(text[max(0, match.start() - 12) : match.start()]):
                    yield match.start(), match.end(), read(match, day)


# A form begins with a set of characters and looks back after the first: so the standard library
# passes over all others at once.


def _compiled(forms: list[tuple[str, Reader]]) -> Forms:
    return [(re.compile(pattern), read) for pattern, read in forms]


@cache
def _numeric() -> Forms:
    """Digits alone."""
    short_day = r"(?P<d>[0-9](?<![\d./-].)[0-9]?)"
    last_day = r"(?P<d2>\d{1,2})[./](?P<m2>\d{1,2})"
    to_day = r"(?:[-–—]|\s+(?:to|til|đến)\s+)(?P<d2>\d{1,2})"
    year = r"(?P<y>(?:19|20)\d{2})"
    first = r"(?P<y>[12](?<![\d{}].)(?:(?<=1)9|(?<=2)0)\d\d)"
    end = r"(?!\d|[.:/-]\d)"
    return _compiled([
        (r"(?P<y>[0-9](?<![\d-].)[0-9]{3})-(?P<m>\d{2})-(?P<d>\d{2})(?![\d-])", _day),
        (rf"{short_day}(?P<sep>[./-])(?P<m>\d{{1,2}})(?P=sep){year}{end}", _day),
        (rf"{first.format('/')}/(?P<m>\d{{1,2}})/(?P<d>\d{{1,2}})(?![\d/])", _day),
        (rf"{short_day}[./](?P<m>\d{{1,2}})\.?{_TO}{last_day}[./]{year}{end}", _span),
        (rf"{short_day}\.?{to_day}(?P<sep>[./])(?P<m>\d{{1,2}})(?P=sep){year}{end}", _days),
        (rf"{first.format('-')}-(?P<m>\d{{2}})(?![\d-])", _month),
    ])  # fmt: skip


@cache
def _by_month() -> Forms:
    """With a month, whose name is marked."""
    month = rf"(?P<m>{ANY_MONTH}{ANY_MONTH}*+)\.?"
    day = rf"(?P<d>[0-9](?<!\d\d)[0-9]?){_ORDINAL}"
    last = rf"(?P<d2>\d{{1,2}}){_ORDINAL}"
    of = r"\s*(?:of\s+|de\s+)?"
    year, other = _AND_YEAR, _FULL.replace("<y>", "<y2>")
    no_month = rf"(?!\s*(?::|[^\W\d_]|{ANY_MONTH}))"
    return _compiled([
        (rf"{day}{_TO}{last}{of}{month}{year}?", _days),
        (rf"(?:between|mellem)\s+{day}\s+(?:and|og)\s+{last}{of}{month}{year}?", _days),
        (rf"{day}{of}{month}{year}?", _day),
        (rf"{month}\s*{day}{_TO}{last}{no_month}{year}?", _days),
        (rf"{month}\s*{day}(?![:.]\d|\s*%){year}?", _day),
        (rf"{month}{_TO}{month.replace('<m>', '<m2>')}{year}", _months),
        (rf"{month}(?:\s+of)?(?:{year}|/{other})", _month),
    ])  # fmt: skip


@cache
def _burmese() -> Forms:
    names = sorted(vocabulary.months(), key=len, reverse=True)
    unspaced = "|".join(re.escape(name) for name in names if not has_spaces(name))
    year = rf"(?:{_FULL}\s*ခု\s*နှစ်[၊,]?\s*)?"
    return _compiled([(rf"{year}(?P<m>{unspaced})\s*(?:လ)?\s*(?P<d>\d{{1,2}})\s*ရက်", _day)])


@cache
def _by_year() -> Forms:
    year = r"(?P<y>(?:19|20)\d{2})(?![^\W_]|[.:]\d)"
    return _compiled([
        (rf"(?<![^\W\d_])(?:in|during|since|throughout|năm)\s+{year}(?![,-]\d)", _year),
    ])  # fmt: skip


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
    month, year = vocabulary.month_of(match["m"]), int(groups["y"] or groups["y2"])
    return whole_month(year, month) if 1 <= month <= 12 else None


def _months(match: Match, _: dt.date | None) -> TimeRange | None:
    year = int(match["y"])
    first, last = vocabulary.month_of(match["m"]), vocabulary.month_of(match["m2"])
    start = whole_month(year if first <= last else year - 1, first).start
    return TimeRange(start, whole_month(year, last).end)


def _year(match: Match, _: dt.date | None) -> TimeRange | None:
    return TimeRange(dt.date(int(match["y"]), 1, 1), dt.date(int(match["y"]), 12, 31))


def _date(match: Match, near: dt.date | None) -> dt.date | None:
    month, number = vocabulary.month_of(match["m"]), int(match["d"])
    if match["y"]:
        if month > 12 >= number and match["m"].isdigit() and match.end("y") == match.end():
            month, number = number, month  # 11/27/2025: the month comes first
        return _safe(int(match["y"]), month, number)
    if near is None:
        return None
    years = range(max(near.year - 1, dt.MINYEAR), min(near.year + 1, dt.MAXYEAR) + 1)
    days = [found for year in years if (found := _safe(year, month, number))]
    return min(days, key=lambda found: (abs(found - near), found)) if days else None


def _safe(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


def whole_month(year: int, month: int) -> TimeRange:
    """All days of a month."""
    return TimeRange(dt.date(year, month, 1), dt.date(year, month, monthrange(year, month)[1]))
