"""The time that a question asks about: "since last week", "around Nov 27", "before the move".

Some times only the notes know: when the move was, when Y was last tried. Such a question names an
event; whoever knows the notes finds its day.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from memlab.tokens import fold, words
from memlab.types import TimeRange
from memlab.workspace import vocabulary
from memlab.workspace.window_forms import spans

if TYPE_CHECKING:
    from memlab.workspace.dates import Found

AROUND = 3
"""Days either side that "around" a day takes in; of a longer time, half its length."""

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
_PART = re.compile(
    r"\b(?:the )?(?:very )?(?:(?P<first>beginning|start|early|first (?:days|half|part)|starten"
    r"|begyndelsen|først i|đầu)|(?P<middle>middle|mid|midt i|midten|giữa)"
    r"|(?P<last>end|late|last (?:days|half|part)|close|slutningen|sidst i|cuối))"
    r"(?:[ -](?:of|in|af))?(?: (?:the|this))?[ -]?$"
)
_JOINT = re.compile(r"\s*(?:-|–|—|to|until|till|through|and|til|og|đến|tới|سے|bis)(?: the)?\s*")
_FROM = re.compile(r"\b(?:from|between|fra|mellem|từ|giữa)(?: the)? ?$")

_LAST = re.compile(
    r"\b(?:(?:the )?last time(?: that)?|when (?:did|was|were|have|has|had) (?P<who>.+?) last"
    r"|(?:the )?(?:most recent(?:ly)?|latest|newest)|senest|sidste gang|nyeste|lần cuối"
    r"|lần gần nhất|mới nhất)\b(?P<event>[^?.!;]*)"
    r"|(?P<event2>[^?.!;]*)(?:آخری بار|پچھلی بار|تازہ ترین|နောက်ဆုံး|အရင်တစ်ခေါက်)"
    r"(?P<event3>[^?.!;]*)"
)
_FIRST = re.compile(r"\b(?:the )?(?:first time(?: that)?|første gang|lần đầu)\b(?P<event>[^?.!;]*)")
_OFFSET = re.compile(
    r"\b(?:(?P<n>\d{1,3}|an?|the|one|two|three|four|five|six|seven) )?"
    r"(?P<unit>day|night|morning|evening|week|month|year)s? (?P<side>before|after)\b"
    r"(?P<event>[^?!;,]+)"
)
_EVENT = re.compile(
    r"\b(?:(?P<before>before|prior to|until|till|før|indtil|trước khi)"
    r"|(?P<after>after|since|efter at|siden|sau khi|kể từ khi)"
    r"|(?P<during>during|at the time of|trong khi))\b(?! when\b)(?P<event>[^?!;,]+)"
)
_EVENT_SUFFIX = re.compile(
    r"(?P<event>[^?!;,،۔؟]+?)\s?(?:(?P<before>سے پہلے|سے قبل|မတိုင်ခင်|မတိုင်မီ)|(?P<after>کے بعد|ပြီးနောက်))"
)
_NOT_EVENTS = frozenset(
    "all that this it then now and or him her them us me you long else another a the be".split()
)  # what "after" may be followed by without naming anything
_NUMBERS = "zero one two three four five six seven".split()
_LENGTHS = {"week": 7, "month": 30, "year": 365}


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

    def window(self, on: TimeRange) -> TimeRange:
        """The days that are meant, once it is known when the event was."""
        if self.relation is Relation.BEFORE:
            last = _moved(on.start, -1)
            if self.days is None:
                return TimeRange(dt.date.min, last)
            first = _moved(on.start, -self.days)
            return TimeRange(first, _moved(first, 1) if self.exact else last)
        if self.relation is Relation.AFTER:
            if self.days is None:
                return TimeRange(on.start, dt.date.max)
            last = _moved(on.end, self.days)
            return TimeRange(_moved(last, -1) if self.exact else _moved(on.end, 1), last)
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


@lru_cache(256)
def read(text: str, day: dt.date) -> Reading:
    """Read the time that a question asks about.

    Args:
        text: The question.
        day: The day on which it is asked.
    """
    folded = vocabulary.digits(fold(text)).replace("\u2010", "-")
    found = _joined([_whole(one, folded) for one in spans(folded, day)], folded)
    windows, rest, end = [], [], 0
    for start, stop, days in found:
        start_, stop_, window = _related(start, stop, days, folded)
        windows.append(window)
        rest.append(folded[end:start_])
        end = max(end, stop_)
    rest.append(folded[end:])
    event = _event(folded, [(start, stop) for start, stop, _ in found])
    left = " ".join(" ".join(rest).split())
    if event and event.relation not in (Relation.LAST, Relation.FIRST):
        left = " ".join(left.replace(" ".join(event.text.split()), " ").split())
    return Reading(tuple(dict.fromkeys(windows)), event, left)


def shown(window: TimeRange) -> str:
    """A window as ISO 8601 writes it: ``2025-11-24/2025-11-30``, ``..`` for an open end."""
    start = ".." if window.start == dt.date.min else window.start.isoformat()
    end = ".." if window.end == dt.date.max else window.end.isoformat()
    return f"{start}/{end}"


def _moved(day: dt.date, days: int) -> dt.date:
    """A day so many days away, or the first or last that there is."""
    number = day.toordinal() + days
    return dt.date.fromordinal(min(max(number, 1), dt.date.max.toordinal()))


_Span = tuple[int, int, TimeRange]


def _whole(one: Found, text: str) -> _Span:
    """A span with the words before it that take a part of it: "the end of last week"."""
    part = _PART.search(text[: one.start])
    length = (one.range.end - one.range.start).days + 1
    if not part or length < 5:
        return one.start, one.end, one.range
    third = -(-length // 3)
    first, last = one.range.start, one.range.end
    if part["first"]:
        days = TimeRange(first, _moved(first, third - 1))
    elif part["last"]:
        days = TimeRange(_moved(last, 1 - third), last)
    else:
        days = TimeRange(_moved(first, third), _moved(last, -third))
    return part.start(), one.end, days


def _joined(found: list[_Span], text: str) -> list[_Span]:
    """Two spans with "to" between them, or "and" after "between", are one."""
    out: list[_Span] = []
    for start, end, days in found:
        if out and out[-1][2].start <= days.end:
            first, stop, before = out[-1]
            between = text[stop:start]
            led = _FROM.search(text[:first])
            plain = between.strip() not in ("and", "og")
            if _JOINT.fullmatch(between) and (led or plain):
                whole = TimeRange(before.start, max(days.end, before.end))
                out[-1] = (led.start() if led else first, end, whole)
                continue
        if out and out[-1][2] != days and not text[out[-1][1] : start].strip(" ,'s"):
            first, _, before = out[-1]
            if before.start == before.end and days.start <= _same_weekday(before, days) <= days.end:
                # "Monday last week", "Friday this week"
                out[-1] = (first, end, TimeRange.day(_same_weekday(before, days)))
                continue
        out.append((start, end, days))
    return out


def _same_weekday(day: TimeRange, week: TimeRange) -> dt.date:
    if (week.end - week.start).days != 6:
        return dt.date.max if week.end < dt.date.max else dt.date.min
    return _moved(week.start, (day.start.weekday() - week.start.weekday()) % 7)


def _related(start: int, end: int, days: TimeRange, text: str) -> _Span:
    """A span with the word beside it that says how the time lies to it."""
    lead = _PREFIX.search(text[:start])
    trail = None if lead else _SUFFIX.match(text, end)
    match = lead or trail
    if match is None:
        return start, end, days
    way = match.lastgroup
    if way == "since":
        days = TimeRange(days.start, dt.date.max)
    elif way == "until":
        days = TimeRange(dt.date.min, days.end)
    elif way == "before":
        days = TimeRange(dt.date.min, _moved(days.start, -1))
    elif way == "after":
        days = TimeRange(_moved(days.end, 1), dt.date.max)
    else:
        reach = max(AROUND, ((days.end - days.start).days + 1) // 2)
        days = TimeRange(_moved(days.start, -reach), _moved(days.end, reach))
    return (match.start(), end, days) if lead else (start, match.end(), days)


def _event(text: str, taken: list[tuple[int, int]]) -> Event | None:
    """The event by which a question places something in time, if it is named without a date."""
    for pattern, relation in ((_LAST, Relation.LAST), (_FIRST, Relation.FIRST)):
        if match := pattern.search(text):
            named = " ".join(part for part in match.groups() if part) or text
            return Event(relation, named.strip())
    match = _OFFSET.search(text)
    if match and _names(match, text, taken):
        count = match["n"] or "1"
        number = (
            int(count) if count.isdigit() else _NUMBERS.index(count) if count in _NUMBERS else 1
        )
        length = _LENGTHS.get(match["unit"], 1)
        exact = length == 1 or (count not in ("the", "1"))
        return Event(Relation(match["side"]), match["event"].strip(), number * length, exact=exact)
    for pattern in (_EVENT, _EVENT_SUFFIX):
        for match in pattern.finditer(text):
            if _names(match, text, taken):
                side = next(name for name in ("before", "after", "during") if match[name])
                return Event(Relation(side), match["event"].strip())
    return None


def _names(match: re.Match[str], text: str, taken: list[tuple[int, int]]) -> bool:
    """Whether what follows the word names something, and is no time that was read already."""
    start, end = match.span("event")
    if any(start < stop and begin < end for begin, stop in taken):
        return False
    named = words(text[start:end])
    return any(word not in _NOT_EVENTS for word in named)
