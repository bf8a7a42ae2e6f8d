"""What the words beside a time make of it: "early 1990", "from 1998 to 2001", "until March".

Notes and questions say so in the same words.
"""

from __future__ import annotations

import datetime as dt
import re

from memlab.types import TimeRange
from memlab.workspace.dates import Found

AROUND = 3
"""Days either side that "around" a day takes in; of a longer time, half its length."""
NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve".split()
)  # their places are their values
LENGTHS = {
    "day": 1, "night": 1, "morning": 1, "evening": 1, "week": 7, "month": 30, "year": 365,
}  # fmt: skip  # days in what is counted before and after a time

_NEAR = 48  # characters before a time in which what is said of it may stand
_SINCE = "since|starting|siden|kể từ|từ|seit|depuis|desde"
_UNTIL = "until|till|up to|through|by|indtil|inden|cho đến|đến|bis"
_BEFORE = "before|prior to|earlier than|før|trước khi|trước|vor"
_AFTER = "after|later than|following|efter|sau khi|sau|nach"
_AROUND = "around|circa|ca|close to|roughly|omkring|cirka|khoảng"
_PREFIX = re.compile(
    rf"(?:^|\W)(?:(?P<since>{_SINCE})|(?P<until>{_UNTIL})|(?P<before>{_BEFORE})"
    rf"|(?P<after>{_AFTER})|(?P<around>{_AROUND})\.?)(?: (?:the|den|ngày))? ?$"
)
_SUFFIX = re.compile(
    r"\s?(?:(?P<before>سے پہلے|سے قبل|မတိုင်ခင်|မတိုင်မီ|အရင်)|(?P<after>کے بعد|ပြီးနောက်|နောက်ပိုင်း)"
    r"|(?P<since>سے اب تک|سے لے کر|ကတည်းက|ကစပြီး)|(?P<around>کے آس پاس|کے قریب|လောက်))"
)
_OFFSET = re.compile(
    rf"(?:^|\W)(?P<n>\d{{1,3}}|the|an?|{'|'.join(NUMBERS)}) (?P<unit>{'|'.join(LENGTHS)})s?$"
)
_PART = re.compile(
    r"\b(?:the )?(?:very )?(?:(?P<first>beginning|start|early|first (?:days|half|part)|starten"
    r"|begyndelsen|først i|đầu)|(?P<middle>middle|mid|midt i|midten|giữa)"
    r"|(?P<last>end|late|last (?:days|half|part)|close|slutningen|sidst i|cuối))"
    r"(?:[ -](?:of|in|af))?(?: (?:the|this))?[ -]?$"
)
_JOINT = re.compile(
    r"\s*(?:-|–|—|/|\.\.|to|until|till|through|and|til|og|đến|tới|سے|မှ|ကနေ|bis)"
    r"(?: (?:the|den|ngày))?\s*"
)
_FROM = re.compile(r"\b(?:from|between|since|fra|mellem|siden|từ|giữa)(?: the)? ?$")


def moved(day: dt.date, days: int) -> dt.date:
    """A day so many days away, or the first or last that there is."""
    number = day.toordinal() + days
    return dt.date.fromordinal(min(max(number, 1), dt.date.max.toordinal()))


def read(found: list[Found], text: str) -> list[Found]:
    """Times with what the words beside them make of them.

    Args:
        found: The times, in order, none overlapping another.
        text: What `memlab.workspace.dates.normal` gave.

    Returns:
        In order; where an end is open, it is the first or last day that there is. Each takes up the
        words that say so, too.
    """
    return [_related(one, text) for one in _joined([_part(one, text) for one in found], text)]


def before(on: TimeRange, days: int, *, exact: bool) -> TimeRange:
    """The days up to so many before a time; ``exact``: the one so many before, and the next."""
    first = moved(on.start, -days)
    return TimeRange(first, moved(first, 1) if exact else moved(on.start, -1))


def after(on: TimeRange, days: int, *, exact: bool) -> TimeRange:
    """The days up to so many after a time; ``exact``: the one so many after, and that before it."""
    last = moved(on.end, days)
    return TimeRange(moved(last, -1) if exact else moved(on.end, 1), last)


def counted(count: str | None, unit: str) -> tuple[int, bool]:
    """How many days "two weeks", "the week", "days" before something are, and whether just so many.

    Args:
        count: The word or digits before the unit, if there are any.
        unit: One of `LENGTHS`.
    """
    count = count or "1"
    number = int(count) if count.isdigit() else NUMBERS.index(count) if count in NUMBERS else 1
    return number * LENGTHS[unit], LENGTHS[unit] == 1 or count not in ("the", "1")


def _part(one: Found, text: str) -> Found:
    """A time with the words before it that take a part of it: "the end of last week"."""
    begin = max(0, one.start - _NEAR)
    part = _PART.search(text[begin : one.start])
    length = (one.range.end - one.range.start).days + 1
    if not part or length < 5:
        return one
    third = -(-length // 3)
    first, last = one.range.start, one.range.end
    if part["first"]:
        days = TimeRange(first, moved(first, third - 1))
    elif part["last"]:
        days = TimeRange(moved(last, 1 - third), last)
    else:
        days = TimeRange(moved(first, third), moved(last, -third))
    return Found(begin + part.start(), one.end, days)


def _joined(found: list[Found], text: str) -> list[Found]:
    """Two times with "to" between them, or "and" after "between", are one."""
    out: list[Found] = []
    for one in found:
        before = out[-1] if out else None
        if before and before.range.start <= one.range.end:
            begin = max(0, before.start - _NEAR)
            led = _FROM.search(text[begin : before.start])
            between = text[before.end : one.start]
            plain = between.strip() not in ("and", "og")
            if _JOINT.fullmatch(between) and (led or plain):
                whole = TimeRange(before.range.start, max(one.range.end, before.range.end))
                start = begin + led.start() if led else before.start
                out[-1] = Found(start, one.end, whole)
                continue
        if before and before.range != one.range and not text[before.end : one.start].strip(" ,'s"):
            day = _same_weekday(before.range, one.range)
            if before.range.start == before.range.end and one.range.start <= day <= one.range.end:
                # "Monday last week", "Friday this week"
                out[-1] = Found(before.start, one.end, TimeRange.day(day))
                continue
        out.append(one)
    return out


def _same_weekday(day: TimeRange, week: TimeRange) -> dt.date:
    if (week.end - week.start).days != 6:
        return dt.date.max if week.end < dt.date.max else dt.date.min
    return moved(week.start, (day.start.weekday() - week.start.weekday()) % 7)


def _related(one: Found, text: str) -> Found:
    """A time with the word beside it that says how what is meant lies to it."""
    begin = max(0, one.start - _NEAR)
    lead = _PREFIX.search(text[begin : one.start])
    trail = None if lead else _SUFFIX.match(text, one.end)
    match = lead or trail
    if match is None:
        return one
    days, way = one.range, match.lastgroup
    start = begin + lead.start() if lead else one.start
    offset = lead and _OFFSET.search(text[begin:start])
    if offset and way in ("before", "after"):
        length, exact = counted(offset["n"], offset["unit"])
        start = begin + offset.start()
        days = (before if way == "before" else after)(days, length, exact=exact)
    elif way == "since":
        days = TimeRange(days.start, dt.date.max)
    elif way == "until":
        days = TimeRange(dt.date.min, days.end)
    elif way == "before":
        days = TimeRange(dt.date.min, moved(days.start, -1))
    elif way == "after":
        days = TimeRange(moved(days.end, 1), dt.date.max)
    else:
        reach = max(AROUND, ((days.end - days.start).days + 1) // 2)
        days = TimeRange(moved(days.start, -reach), moved(days.end, reach))
    return Found(start, trail.end() if trail else one.end, days)
