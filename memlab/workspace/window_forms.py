"""How questions name a time beyond dates: "the week before last", "on Monday", "early November".

A question looks back: a month, a weekday or a day of the month without more is the last such one.
Seasons are those of the northern half of the earth.
"""

from __future__ import annotations

import datetime as dt
import re
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

import regex

from memlab.tokens import fold, has_spaces
from memlab.types import TimeRange
from memlab.workspace import dates, vocabulary
from memlab.workspace.date_forms import whole_month
from memlab.workspace.dates import Found
from memlab.workspace.vocabulary import NO_LETTER_AFTER, NO_LETTER_BEFORE, Unit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Match = regex.Match[str]
    Reader = Callable[[Match, dt.date], TimeRange | None]

_UNITS = {"day": Unit.DAY, "week": Unit.WEEK, "month": Unit.MONTH, "year": Unit.YEAR}
_NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve".split()
)  # their places are their values
_NUMBER = r"(?P<n>\d{1,3}|an?|" + "|".join(_NUMBERS) + ")"
_UNIT = r"(?P<unit>day|week|month|year)s?"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_FUZZ = {Unit.DAY: 0, Unit.WEEK: 2, Unit.MONTH: 7, Unit.YEAR: 45}  # days either side of "N … ago"
_RECENT = 14  # days that "lately" reaches back
_SEASONS = {
    "spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12,
    "forår": 3, "sommer": 6, "efterår": 9, "vinter": 12,
}  # fmt: skip  # the month in which each begins
_AMBIGUOUS = frozenset("may march mars mai maj marts".split())  # also a verb, a star, a mark
_BEFORE_MONTH = (
    r"(?:in|of|during|since|by|until|till|before|after|last|this|early|late|mid|throughout|from|to"
    r"|for|and|around|i|fra|til|siden|før|efter|indtil|sidst i|midt i|im|en|em|in de)[ -]"
)
_SAID = {
    (Unit.DAY, -2): "the day before yesterday|day before yesterday|پرسوں|hôm kìa",
    (Unit.DAY, 2): "the day after tomorrow|day after tomorrow",
    (Unit.DAY, -1): "last night|yesterday night|i aftes|tối qua|đêm qua|کل رات|کل|မနေ့ညက|ညက",
    (Unit.DAY, 0): (
        "this morning|this afternoon|this evening|tonight|i morges|i formiddags|i eftermiddags"
        "|i aften|sáng nay|chiều nay|tối nay|آج صبح|ဒီမနက်|ဒီည"
    ),
    (Unit.WEEK, -1): (
        "forrige uge|i sidste uge|tuần rồi|tuần vừa rồi|پچھلے ہفتے|အရင်အပတ်|ပြီးခဲ့တဲ့အပတ်|ပြီးခဲ့တဲ့ အပတ်"
    ),
    (Unit.WEEK, 0): "i denne uge|اس ہفتے|ဒီအပတ်|ဒီတစ်ပတ်",
    (Unit.MONTH, -1): "forrige måned|tháng rồi|پچھلے مہینے|پچھلے ماہ|အရင်လ|ပြီးခဲ့တဲ့လ|ပြီးခဲ့တဲ့ လ",
    (Unit.MONTH, 0): "i denne måned|اس مہینے|ဒီလ",
    (Unit.YEAR, -1): "forrige år|năm rồi|پچھلے سال|မနှစ်က",
    (Unit.YEAR, 0): "ဒီနှစ်",
}
_LATELY = (
    "lately|recently|these days|nowadays|på det seneste|for nylig|for tiden|gần đây|dạo này"
    "|حال ہی میں|آج کل|ဒီရက်ပိုင်း|မကြာသေးခင်က"
)


def spans(text: str, day: dt.date) -> list[Found]:
    """The times that a question names, in order, none overlapping another.

    Args:
        text: The question, folded, digits as those of ASCII.
        day: The day on which it is asked.
    """
    kept: list[Found] = []
    for found in (_read(_first(), text, day), _dates(text, day), _read(_then(), text, day)):
        for one in found:
            if all(one.end <= other.start or other.end <= one.start for other in kept):
                kept.append(one)
    return sorted(kept, key=lambda one: one.start)


def _read(
    forms: list[tuple[regex.Pattern[str], Reader]], text: str, day: dt.date
) -> Iterator[Found]:
    for pattern, read in forms:
        for match in pattern.finditer(text):
            with suppress(OverflowError, ValueError):
                if days := read(match, day):
                    yield Found(match.start(), match.end(), days)


def _dates(text: str, day: dt.date) -> Iterator[Found]:
    for one in dates.find_all(text, day, past=True):
        # "in 2019" is found with its preposition, which says how the year is meant
        lead = re.match(r"(?:in|during|since|throughout|năm)\s+", text[one.start : one.end])
        yield Found(one.start + (lead.end() if lead else 0), one.end, one.range)


@cache
def _first() -> list[tuple[regex.Pattern[str], Reader]]:
    """Forms in which a date, or what looks like one, means something else."""
    months = "|".join(regex.escape(name) for name in vocabulary.months() if has_spaces(name))
    weekdays = "|".join(regex.escape(name) for name in _weekdays() if has_spaces(name))
    couple, few = r"(?:an? )?couple(?: of)?|et par|par", "(?:an? )?few|several|nogle|vài"
    ago = "(?:ago|back|siden|tilbage|trước|earlier)"
    in_units = rf"(?:{_UNIT}|(?P<other>dage?|uger?|måned(?:er)?|år|ngày|tuần|tháng|năm))"
    forms: list[tuple[str, Reader]] = [
        (rf"(?:{couple}) {in_units} {ago}", lambda m, day: _some(m, day, 3, 2)),
        (rf"(?:{few}) {in_units} {ago}", lambda m, day: _some(m, day, 5, 2)),
        (rf"{_NUMBER} {_UNIT} ago", _ago),
        (rf"(?:this |the )?past (?:{_NUMBER} )?{_UNIT}", _past),
        (rf"(?:the )?last {_NUMBER} {_UNIT}", _past),
        (rf"(?:this |the )?(?:past|last) (?:few|couple of|several) {_UNIT}", _past),
        (rf"the {_UNIT} before last", lambda m, day: dates.shift(day, _unit(m), -2)),
        (rf"(?:the )?(?P<weekday>{weekdays}) before last", lambda m, day: _weekday(m, day, -2)),
        (
            rf"(?P<nth>first|last|second|third) week (?:of|in) (?P<m>{months})(?: (?P<y>\d{{4}}))?",
            _week_of_month,
        ),
    ]
    bounded = [(rf"{NO_LETTER_BEFORE}(?:{form}){NO_LETTER_AFTER}", read) for form, read in forms]
    # in some scripts a word for a time is also the end or the beginning of other words
    for (unit, steps), words in _SAID.items():
        spaced = "|".join(word for word in words.split("|") if has_spaces(word))
        unspaced = "|".join(word for word in words.split("|") if not has_spaces(word))
        pattern = rf"{NO_LETTER_BEFORE}(?:{spaced}){NO_LETTER_AFTER}" if spaced else "(?!)"
        pattern += f"|{unspaced}" if unspaced else ""
        bounded.append((pattern, _said(unit, steps)))
    return [(regex.compile(form), read) for form, read in bounded]


@cache
def _then() -> list[tuple[regex.Pattern[str], Reader]]:
    """Forms that count where no full date stands."""
    weekdays = "|".join(regex.escape(name) for name in _weekdays() if has_spaces(name))
    unspaced = "|".join(regex.escape(name) for name in _weekdays() if not has_spaces(name))
    names = [name for name in sorted(vocabulary.months(), key=len, reverse=True) if len(name) > 3]
    clear = "|".join(regex.escape(n) for n in names if has_spaces(n) and n not in _AMBIGUOUS)
    any_ = "|".join(regex.escape(n) for n in sorted(vocabulary.months(), key=len, reverse=True)
                    if has_spaces(n))  # fmt: skip
    no_spaces = "|".join(regex.escape(name) for name in names if not has_spaces(name))
    year = r"(?P<y>(?:1[5-9]|20)\d\d)(?![\p{L}\p{N}]|[.:,/-]\d)"
    led = (
        r"(?:from|to|until|till|before|after|by|of|and|around|about|early|late|mid|fra|til|før)[ -]"
    )
    seasons = "|".join(_SEASONS)
    led_season = "start of|beginning of|end of|middle of|since|before|after|until"
    edge, last = NO_LETTER_BEFORE, NO_LETTER_AFTER
    alone = rf"{last}(?! \d)"
    forms: list[tuple[str, Reader]] = [
        # "the Friday table" and "on Fridays" speak of no Friday
        (rf"{edge}(?<!\b(?:the|an?|every|each|lần) )(?P<weekday>{weekdays}){last}", _last_weekday),
        (rf"{edge}i (?P<weekday>{weekdays})s{last}", _last_weekday),
        (rf"(?P<weekday>{unspaced})(?:နေ့)?", _last_weekday),
        (rf"{edge}(?P<rel>this|last|next) (?P<m>{any_}){alone}", _month),
        (rf"{edge}(?P<m>{clear}){alone}", _month),
        (rf"(?<={edge}{_BEFORE_MONTH})(?P<m>{any_}){alone}", _month),
        (rf"(?P<m>{no_spaces})လ", _month),
        (rf"{edge}(?P<rel>this|last|in|during|i|sidste)(?: the)? (?P<s>{seasons}){last}", _season),
        (rf"{edge}(?<=(?:{led_season}) )(?:the )?(?P<s>{seasons}){last}", _season),
        (rf"{edge}(?<={led}){year}", _year),
        (rf"{edge}(?:{_LATELY}){last}", lambda _, day: TimeRange(_back(day, _RECENT), day)),
        (rf"{edge}on the (?P<d>\d{{1,2}})(?:st|nd|rd|th){last}", _day_of_month),
        (rf"{edge}on the (?P<nth>{'|'.join(_ORDINALS)})(?= ?[?.,!]|$)", _day_of_month),
        (rf"{edge}den (?P<d>\d{{1,2}})\.(?! ?[\p{{L}}\d])", _day_of_month),
    ]
    return [(regex.compile(form), read) for form, read in forms]


@cache
def _weekdays() -> dict[str, int]:
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


def _said(unit: Unit, steps: int) -> Reader:
    return lambda _, day: dates.shift(day, unit, steps)


def _number(match: Match) -> int:
    word = match.groupdict().get("n") or "1"
    if word in ("a", "an"):
        return 1
    return int(word) if word.isdigit() else _NUMBERS.index(word)


def _unit(match: Match) -> Unit:
    groups = match.groupdict()
    if groups.get("unit"):
        return _UNITS[groups["unit"]]
    starts = {"da": 7, "ng": 7, "ug": 8, "tu": 8, "må": 9, "th": 9, "år": 10, "nă": 10}
    return Unit(starts[groups["other"][:2]])


def _back(day: dt.date, days: int) -> dt.date:
    return day - dt.timedelta(days=days)


def _some(match: Match, day: dt.date, most: int, least: int) -> TimeRange:
    """From ``most`` to ``least`` units back, as Hindsight reads "a couple" and "a few"."""
    unit = _unit(match)
    return TimeRange(dates.move(day, unit, -most), dates.move(day, unit, -least))


def _ago(match: Match, day: dt.date) -> TimeRange:
    unit = _unit(match)
    then = dates.move(day, unit, -_number(match))
    return TimeRange(_back(then, _FUZZ[unit]), then + dt.timedelta(days=_FUZZ[unit]))


def _past(match: Match, day: dt.date) -> TimeRange:
    few = re.search("few|several|couple", match[0])
    count = 3 if few else _number(match)
    return TimeRange(dates.move(day, _unit(match), -count), day)


def _weekday(match: Match, day: dt.date, steps: int) -> TimeRange:
    return dates.shift(day, _weekdays()[match["weekday"]], steps)


def _last_weekday(match: Match, day: dt.date) -> TimeRange:
    return _weekday(match, day, -1)


def _month(match: Match, day: dt.date) -> TimeRange:
    """The last such month that has begun, or the one that ``this``, ``last`` or ``next`` says."""
    groups = match.groupdict()
    number = vocabulary.months()[match["m"]]
    if groups.get("y"):
        return whole_month(int(groups["y"]), number)
    year = day.year - (number > day.month)
    if groups.get("rel") == "last" and number == day.month:
        year -= 1
    if groups.get("rel") == "next" or (groups.get("rel") == "this" and year < day.year):
        year += 1
    return whole_month(year, number)


def _week_of_month(match: Match, day: dt.date) -> TimeRange:
    month = _month(match, day)
    if match["nth"] == "last":
        return TimeRange(_back(month.end, 6), month.end)
    start = month.start + dt.timedelta(days=7 * _ORDINALS.index(match["nth"]))
    return TimeRange(start, start + dt.timedelta(days=6))


def _season(match: Match, day: dt.date) -> TimeRange:
    """The last such season that has begun; ``last`` one that is over."""
    first = _SEASONS[match["s"]]
    year = day.year - (dt.date(day.year, first, 1) > day)
    found = _three_months(year, first)
    over = match.groupdict().get("rel") in ("last", "sidste")
    return _three_months(year - 1, first) if over and found.end >= day else found


def _three_months(year: int, first: int) -> TimeRange:
    last = dates.move(dt.date(year, first, 1), Unit.MONTH, 2)
    return TimeRange(dt.date(year, first, 1), whole_month(last.year, last.month).end)


def _year(match: Match, _: dt.date) -> TimeRange:
    year = int(match["y"])
    return TimeRange(dt.date(year, 1, 1), dt.date(year, 12, 31))


def _day_of_month(match: Match, day: dt.date) -> TimeRange:
    groups = match.groupdict()
    number = int(groups["d"]) if groups.get("d") else _ORDINALS.index(groups["nth"]) + 1
    month = day if number <= day.day else dates.move(day.replace(day=1), Unit.MONTH, -1)
    return TimeRange.day(month.replace(day=number))
