"""Days and ranges of days in text, against a given day, in many languages.

The names of months, weekdays and relative days ("yesterday", "i forgårs", "hôm qua", "گزشتہ کل",
"မနေ့က") are CLDR's, read from ICU. A number alone is never a date: ports, versions and amounts
stay what they are.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from calendar import monthrange
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import regex

from memlab.tokens import fold, has_spaces
from memlab.types import TimeRange

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LANGUAGES = ("en", "da", "vi", "ur", "my")
"""Languages whose relative days are read."""
MONTH_LANGUAGES = (*LANGUAGES, "de", "fr", "es", "it", "nl", "nb", "sv", "pt")
"""Languages whose months are read, which are less easily mistaken for other words."""

_DAY, _WEEK, _MONTH, _YEAR = 7, 8, 9, 10  # ICU's UDateAbsoluteUnit; weekdays are 0 to 6 from Sunday
_ICU_DIRECTIONS = {0: -2, 1: -1, 2: 0, 3: 1, 4: 2}  # ICU's UDateRelativeDirection, in units
_ICU_NUMERIC = {_DAY: 4, _WEEK: 3, _MONTH: 2, _YEAR: 0}  # ICU's URelativeDateTimeUnit
_NEVER = TimeRange(dt.date.min, dt.date.min)
_DIGIT = regex.compile(r"[\p{Nd}--0-9]", regex.V1)
_CODE_BEFORE = re.compile(r"(?:\b(?:v|version|release|port|build|rev)\.?\s*|[\w.]\.|[#\w])$")


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
    folded = _western_digits(fold(text))
    found = list(_absolute(folded, day)) if any(c.isdigit() for c in folded) else []
    if day is not None:
        found.extend(_relative(folded, day))
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
        today = now.date()
        if days:
            return today - dt.timedelta(days=count * days)
        return _add_months(today, -count * (12 if span[2] == "y" else 1))
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        found = find(text, now.date())
        if found is None:
            raise ValueError(f"{text!r} is no day; write 2025-11-27, 30d, 2w, 6m or 1y") from None
        return found.start


# absolute dates


def _absolute(text: str, day: dt.date | None) -> Iterator[Found]:
    for pattern, read in _patterns():
        for match in pattern.finditer(text):
            if _CODE_BEFORE.search(text[max(0, match.start() - 12) : match.start()]):
                continue
            # "31 Feb 2025" is no day; it must still hide the "Feb 2025" inside it
            yield Found(match.start(), match.end(), read(match, day) or _NEVER)


@cache
def _patterns() -> list[tuple[regex.Pattern[str], Callable[..., TimeRange | None]]]:
    names = sorted(_months(), key=len, reverse=True)
    month = f"(?P<m>{'|'.join(map(regex.escape, names))})"
    month = rf"(?<![\p{{L}}\p{{M}}\p{{N}}]){month}(?![\p{{L}}\p{{M}}\p{{N}}])"
    burmese = [name for name in names if not has_spaces(name)]
    unspaced = f"(?P<m>{'|'.join(map(regex.escape, burmese))})"
    number = r"(?<![\p{N}])(?P<d>\d{1,2})(?![\p{N}])"
    year = r"(?P<y>(?:19|20)\d{2})(?![\p{L}\p{N}]|[.:]\d)"
    end = r"(?!\d|[.:/-]\d)"
    ordinal = r"(?:st|nd|rd|th|\.)?"
    comma = r"(?:\s*,?\s*(?:năm\s+)?)"
    range_dash = r"\s*(?:-|–|—|to|til|đến)\s*"
    d2 = r"(?P<d2>\d{1,2})(?![\p{N}])"
    forms: list[tuple[str, Callable[..., TimeRange | None]]] = [
        (rf"(?<![\d-])(?P<y>\d{{4}})-(?P<m>\d{{2}})-(?P<d>\d{{2}})(?![\d-])", _read_day),
        (rf"(?<![\d./-])(?P<d>\d{{1,2}})([./-])(?P<m>\d{{1,2}})\2(?P<y>(?:19|20)\d{{2}}){end}", _read_day),
        (
            rf"(?<![\d./-])(?P<d>\d{{1,2}})/(?P<m>\d{{1,2}}){range_dash}"
            rf"(?P<d2>\d{{1,2}})/(?P<m2>\d{{1,2}})/(?P<y>(?:19|20)\d{{2}}){end}",
            _read_span,
        ),
        (rf"{number}{ordinal}{range_dash}{d2}{ordinal}\s*(?:of\s+)?{month}\.?(?:{comma}{year})?", _read_days),
        (rf"{month}\.?\s*{number}{ordinal}{range_dash}{d2}(?!\s*[:\p{{L}}])(?:{comma}{year})?", _read_days),
        (rf"{number}{ordinal}\s*(?:of\s+)?{month}\.?(?:{comma}{year})?", _read_day),
        (rf"{month}\.?\s*{number}{ordinal}(?![:.]\d|\s*[%])(?:{comma}{year})?", _read_day),
        (rf"(?:{year}\s*ခု\s*နှစ်[၊,]?\s*)?{unspaced}\s*(?:လ)?\s*(?P<d>\d{{1,2}})\s*ရက်", _read_day),
        (rf"{month}\.?(?:\s+of)?(?:{comma}|/){year}", _read_month),
        (rf"(?<![\d-])(?P<y>(?:19|20)\d{{2}})-(?P<m>\d{{2}})(?![\d-])", _read_month),
        (rf"(?<!\p{{L}})(?:in|during|since|throughout|năm)\s+(?P<y>(?:19|20)\d{{2}})(?![\p{{L}}\p{{N}}]|[.:,-]\d)", _read_year),
    ]  # fmt: skip
    return [(regex.compile(pattern), read) for pattern, read in forms]


def _read_day(match: regex.Match[str], day: dt.date | None) -> TimeRange | None:
    found = _date(match, day)
    return TimeRange.day(found) if found else None


def _read_days(match: regex.Match[str], day: dt.date | None) -> TimeRange | None:
    first = _date(match, day)
    last = _safe(first.year, first.month, int(match["d2"])) if first else None
    return TimeRange(first, last) if first and last and first <= last else None


def _read_span(match: regex.Match[str], day: dt.date | None) -> TimeRange | None:
    last = _safe(int(match["y"]), int(match["m2"]), int(match["d2"]))
    first = _safe(last.year, int(match["m"]), int(match["d"])) if last else None
    if first and last and first > last:
        first = _safe(last.year - 1, first.month, first.day)
    return TimeRange(first, last) if first and last else None


def _read_month(match: regex.Match[str], day: dt.date | None) -> TimeRange | None:
    month, year = _month(match["m"]), int(match["y"])
    return _whole_month(year, month) if 1 <= month <= 12 else None


def _read_year(match: regex.Match[str], day: dt.date | None) -> TimeRange | None:
    return TimeRange(dt.date(int(match["y"]), 1, 1), dt.date(int(match["y"]), 12, 31))


def _date(match: regex.Match[str], near: dt.date | None) -> dt.date | None:
    month, number = _month(match["m"]), int(match["d"])
    if match["y"]:
        if month > 12 >= number and match["m"].isdigit():
            month, number = number, month  # 11/27/2025: the month comes first
        return _safe(int(match["y"]), month, number)
    if near is None:
        return None
    years = (near.year - 1, near.year, near.year + 1)
    days = [found for year in years if (found := _safe(year, month, number))]
    return min(days, key=lambda found: (abs(found - near), found)) if days else None


def _safe(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


def _month(name: str) -> int:
    return int(name) if name.isdigit() else _months()[name]


# relative days


def _relative(text: str, day: dt.date) -> Iterator[Found]:
    words, numeric = _phrases()
    for match in words.finditer(text):
        unit, steps = _phrase_table()[match[0]]
        yield Found(match.start(), match.end(), _shift(day, unit, steps))
    if not any(char.isdigit() for char in text):
        return
    for pattern, unit, sign in numeric:
        for match in pattern.finditer(text):
            yield Found(match.start(), match.end(), _shift_exact(day, unit, sign * int(match["n"])))


@cache
def _phrase_table() -> dict[str, tuple[int, int]]:
    """Folded phrase to (ICU unit, steps from now)."""
    import icu

    table: dict[str, tuple[int, int]] = {}
    for language in LANGUAGES:
        formatter = icu.RelativeDateTimeFormatter(icu.Locale(language))
        for unit in (_DAY, _WEEK, _MONTH, _YEAR, *range(7)):
            for direction, steps in _ICU_DIRECTIONS.items():
                phrase = fold(formatter.format(direction, unit))
                if phrase and (unit >= _DAY or steps):
                    table.setdefault(phrase, (unit, steps))
    return table


@cache
def _phrases() -> tuple[regex.Pattern[str], list[tuple[regex.Pattern[str], int, int]]]:
    import icu

    phrases = sorted(_phrase_table(), key=len, reverse=True)
    spaced = "|".join(regex.escape(p) for p in phrases if has_spaces(p))
    unspaced = "|".join(regex.escape(p) for p in phrases if not has_spaces(p))
    words = regex.compile(rf"(?<![\p{{L}}\p{{M}}\p{{N}}])(?:{spaced})(?![\p{{L}}\p{{M}}\p{{N}}])|{unspaced}")
    numeric: dict[tuple[str, int], tuple[regex.Pattern[str], int, int]] = {}
    for language in LANGUAGES:
        formatter = icu.RelativeDateTimeFormatter(icu.Locale(language))
        for unit, icu_unit in _ICU_NUMERIC.items():
            for sample in (-1.0, -2.0, -3.0, 2.0, 3.0):
                phrase = _western_digits(fold(formatter.formatNumeric(sample, icu_unit)))
                before, _, after = phrase.partition(str(int(abs(sample))))
                # "for 2 uger siden" is also said without its first word
                lead = regex.escape(before)
                if len(after.split()) > 1:
                    lead = f"(?:{lead})?"
                pattern = rf"{lead}(?<!\d)(?P<n>\d{{1,3}}){regex.escape(after)}(?![\p{{L}}\p{{M}}])"
                sign = 1 if sample > 0 else -1
                numeric.setdefault((pattern, unit), (regex.compile(pattern), unit, sign))
    return words, list(numeric.values())


def _shift(day: dt.date, unit: int, steps: int) -> TimeRange:
    if unit < _DAY:  # a weekday: the last or next one before or after the day itself
        weekday = (unit - 1) % 7  # Python counts from Monday
        ahead = (weekday - day.weekday()) % 7 or 7
        behind = (day.weekday() - weekday) % 7 or 7
        distance = ahead + 7 * (steps - 1) if steps > 0 else -(behind + 7 * (-steps - 1))
        return TimeRange.day(day + dt.timedelta(days=distance))
    if unit == _DAY:
        return TimeRange.day(day + dt.timedelta(days=steps))
    if unit == _WEEK:
        monday = day - dt.timedelta(days=day.weekday()) + dt.timedelta(weeks=steps)
        return TimeRange(monday, monday + dt.timedelta(days=6))
    if unit == _MONTH:
        month = _add_months(day.replace(day=1), steps)
        return _whole_month(month.year, month.month)
    return TimeRange(dt.date(day.year + steps, 1, 1), dt.date(day.year + steps, 12, 31))


def _shift_exact(day: dt.date, unit: int, steps: int) -> TimeRange:
    if unit in (_DAY, _WEEK):
        return TimeRange.day(day + dt.timedelta(days=steps * (7 if unit == _WEEK else 1)))
    return TimeRange.day(_add_months(day, steps * (12 if unit == _YEAR else 1)))


def _join(found: list[Found], text: str) -> list[Found]:
    """Two dates with a dash or a word for "to" between them are one range."""
    out: list[Found] = []
    for one in found:
        before = out[-1] if out else None
        if before and before.range.end <= one.range.start and _is_joint(text[before.end : one.start]):
            out[-1] = Found(before.start, one.end, TimeRange(before.range.start, one.range.end))
        else:
            out.append(one)
    return out


def _is_joint(between: str) -> bool:
    return between.strip() in {"-", "–", "—", "/", "..", "to", "until", "till", "through", "and",
                               "til", "til og med", "og", "đến", "tới", "سے", "မှ", "ကနေ", "bis"}  # fmt: skip


def _whole_month(year: int, month: int) -> TimeRange:
    return TimeRange(dt.date(year, month, 1), dt.date(year, month, monthrange(year, month)[1]))


def _add_months(day: dt.date, months: int) -> dt.date:
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    year = min(max(year, 1), 9999)
    return dt.date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


@cache
def _months() -> dict[str, int]:
    """Folded name of a month, without a final dot, to its number."""
    import icu

    table: dict[str, int] = {}
    symbols = icu.DateFormatSymbols
    for language in MONTH_LANGUAGES:
        names = symbols(icu.Locale(language))
        for context in (symbols.FORMAT, symbols.STANDALONE):
            for width in (symbols.WIDE, symbols.ABBREVIATED):
                for number, name in enumerate(names.getMonths(context, width), start=1):
                    folded = fold(name).rstrip(".")
                    # an abbreviation that is no word of its own: three letters at the least,
                    # and none in a script without spaces, where it would match inside words
                    if len(folded) >= 3 and (width == symbols.WIDE or has_spaces(folded)):
                        table.setdefault(folded, number)
    table.setdefault("sept", 9)
    return table


def _western_digits(text: str) -> str:
    if text.isascii():
        return text
    return _DIGIT.sub(lambda match: str(unicodedata.decimal(match[0])), text)
