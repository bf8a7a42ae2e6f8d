"""Years that a text names without more: "from 1998 to 2001", "(1989–1994)", "1998–99", "the 1980s".

A number alone is no year: something beside it must say so, and nothing that it is an amount.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING

from memlab.types import TimeRange
from memlab.workspace.dates import Found

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_NUMBER = r"(?:1\d|20)\d\d"
_NO_YEAR_AFTER = r"(?!\w|[.,:/–—-]\d|\s?[%°$€£])"
_YEAR = re.compile(
    rf"(?<![\w$€£¥#@&=+%§])(?<!\d[.,:/–—-])(?<![^\W\d_]-)(?P<first>{_NUMBER})"
    rf"(?:(?P<decade>'?s)\b|\s?[-–—/]\s?(?:(?P<last>{_NUMBER}|\d\d){_NO_YEAR_AFTER}"
    rf"|(?P<now>present|now|today)\b))?{_NO_YEAR_AFTER}"
)
_LEAD = re.compile(
    r"(?:[(\[]|\b(?:in|since|during|throughout|from|to|until|till|through|by|before|after|of|and|or"
    r"|between|around|about|circa|ca\.?|c\.|early|late|mid|spring|summer|autumn|fall|winter|years?"
    r"|season|the|born|died|fra|til|siden|indtil|før|efter|i|år|im|en|năm|từ|đến|depuis|desde|seit"
    r"|bis|vor|nach))[\s-]*$"
)
_SURE_LEAD = re.compile(r"\b(?:in|during|since|throughout|năm)\s+$")
_LEAD_LENGTH = 16
_TRAIL = re.compile(r"\s?[)\]]")
_AT_START = re.compile(r"[\\*(\[ -]*$")
_AFTER_START = re.compile(r"\s?[:,)\]–—-]")
_AMOUNT = re.compile(
    r"\s?(?:[kmgµ]?(?:m|g|b|w|v|hz|l|t)|cm|mm|k|kr|dkk|sek|nok|usd|eur|gbp|euro|percent"
    r"|(?!(?:as|was|his|its|has|is|this|plus|games)\b)[a-zà-ÿ]{2,}s)\b"
)


def find_all(text: str, taken: Sequence[Found]) -> Iterator[Found]:
    """The years that a text names, in order, with ranges of years and decades.

    Args:
        text: What `memlab.workspace.dates.normal` gave.
        taken: Times that were read already: what touches one is none of its own.
    """
    for match in _YEAR.finditer(text):
        start, end = match.span()
        if any(start < one.end and one.start < end for one in taken):
            continue
        if days := _read(match):
            yield Found(start, end, days)


def _read(match: re.Match[str]) -> TimeRange | None:
    first, last = int(match["first"]), match["last"]
    start = dt.date(first, 1, 1)
    if match["decade"]:
        return None if first % 10 else TimeRange(start, dt.date(first + 9, 12, 31))
    if match["now"]:
        return TimeRange(start, dt.date.max)
    if last is None:
        return TimeRange(start, dt.date(first, 12, 31)) if _is_said(match) else None
    end = int(last) if len(last) == 4 else first // 100 * 100 + int(last)
    if len(last) == 2 and int(last) == (first + 1) % 100:
        end = first + 1
    whole = TimeRange(start, dt.date(end, 12, 31)) if end > first else None
    said = end - first == 1 or (len(last) == 4 and not _is_amount(match)) or _is_said(match)
    return whole if said else None


def _is_said(match: re.Match[str]) -> bool:
    """Whether what stands beside a number says that it is a year."""
    text, start, end = match.string, match.start(), match.end()
    lead = text[max(0, start - _LEAD_LENGTH) : start]
    if _SURE_LEAD.search(lead):
        return True
    if _is_amount(match):
        return False
    if _LEAD.search(lead) or _TRAIL.match(text, end):
        return True
    return bool(_AT_START.match(text[:start]) and _AFTER_START.match(text, end))


def _is_amount(match: re.Match[str]) -> bool:
    return _AMOUNT.match(match.string, match.end()) is not None
