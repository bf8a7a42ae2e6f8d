"""How questions name a time beyond dates: "the week before last", "on Monday", "last summer"."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from memlab.tokens import has_spaces
from memlab.types import TimeRange
from memlab.workspace import dates, times, vocabulary
from memlab.workspace import window_days as days
from memlab.workspace.dates import Found
from memlab.workspace.spans import NUMBERS
from memlab.workspace.vocabulary import (
    ANY_MONTH,
    CLEAR_MONTH,
    NO_LETTER_AFTER,
    NO_LETTER_BEFORE,
    Hints,
    Unit,
)

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator

    from memlab.workspace.window_days import Reader

_NUMBER = r"(?P<n>\d{1,3}|an?|" + "|".join(NUMBERS) + ")"
_UNIT = r"(?P<unit>day|week|month|year)s?"
_SEASON = rf"(?P<s>{'|'.join(days.SEASONS)})"
_RECENT = 14  # days that "lately" reaches back
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


class _Form(NamedTuple):
    """A way to name a time; it is compiled when a question may use it.

    Attributes:
        needs: Words of which one must be there.
        pattern: The form.
            What stands before a group ``at`` is no part of the time.
        read: Gives the days that are meant.
        marked: Whether it is looked for where months are marked.
    """

    needs: tuple[str, ...]
    pattern: str
    read: Reader
    marked: bool = False


def find_all(text: str, day: dt.date) -> list[Found]:
    """The times that a question names, in order, none overlapping another.

    Args:
        text: The question, as `memlab.workspace.dates.normal` gives it.
        day: The day on which it is asked.
    """
    kept: list[Found] = []
    hints = Hints.of(text)
    marked = vocabulary.mark_months(text)
    for found in (
        _read(_first(), text, marked, day),
        times.apart(text, day, hints, past=True),
        _read(_then(), text, marked, day),
    ):
        for one in found:
            if all(one.end <= other.start or other.end <= one.start for other in kept):
                kept.append(one)
    return sorted(kept, key=lambda one: one.start)


def _read(forms: list[_Form], text: str, marked: str, day: dt.date) -> Iterator[Found]:
    for form in forms:
        if form.marked and marked == text:
            continue
        if not any(word in text for word in form.needs):
            continue
        for match in vocabulary.compiled(form.pattern).finditer(marked if form.marked else text):
            with suppress(OverflowError, ValueError):
                if meant := form.read(match, day):
                    start = match.start("at" if "at" in match.groupdict() else 0)
                    yield Found(start, match.end(), meant)


@cache
def _first() -> list[_Form]:
    """Forms in which a date, or what looks like one, means something else."""
    weekdays = "|".join(re.escape(name) for name in days.weekdays() if has_spaces(name))
    couple, few = r"(?:an? )?couple(?: of)?|et par|par", "(?:an? )?few|several|nogle|vài"
    ago = "(?:ago|back|siden|tilbage|trước|earlier)"
    in_units = rf"(?:{_UNIT}|(?P<other>dage?|uger?|måned(?:er)?|år|ngày|tuần|tháng|năm))"
    week_of = rf"(?P<nth>first|last|second|third) week (?:of|in) (?P<m>{ANY_MONTH}++)"
    forms = [
        _Form(
            ("couple", "par"), rf"(?:{couple}) {in_units} {ago}",
            lambda m, day: days.some(m, day, 3, 2),
        ),
        _Form(
            ("few", "several", "nogle", "vài"), rf"(?:{few}) {in_units} {ago}",
            lambda m, day: days.some(m, day, 5, 2),
        ),
        _Form((" ago",), rf"{_NUMBER} {_UNIT} ago", days.ago),
        _Form(("past",), rf"(?:this |the )?past (?:{_NUMBER} )?{_UNIT}", days.past),
        _Form(("last",), rf"(?:the )?last {_NUMBER} {_UNIT}", days.past),
        _Form(
            ("few", "couple", "several"),
            rf"(?:this |the )?(?:past|last) (?:few|couple of|several) {_UNIT}", days.past,
        ),
        _Form(
            ("before last",), rf"the {_UNIT} before last",
            lambda m, day: dates.shift(day, days.unit_of(m), -2),
        ),
        _Form(
            ("before last",), rf"(?:the )?(?P<weekday>{weekdays}) before last",
            lambda m, day: days.weekday(m, day, -2),
        ),
        _Form(
            tuple(days.SEASONS), rf"(?:the )?{_SEASON}(?: of)? (?P<y>(?:1[5-9]|20)\d\d)",
            days.season,
        ),
        _Form((" week ",), rf"{week_of}(?: (?P<y>\d{{4}}))?", days.week_of_month, marked=True),
    ]  # fmt: skip
    bounded = [
        form._replace(pattern=rf"{NO_LETTER_BEFORE}(?:{form.pattern}){NO_LETTER_AFTER}")
        for form in forms
    ]
    # in some scripts a word for a time is also the end or the beginning of other words
    for (unit, steps), said in _SAID.items():
        words = said.split("|")
        spaced = "|".join(word for word in words if has_spaces(word))
        unspaced = "|".join(word for word in words if not has_spaces(word))
        pattern = rf"{NO_LETTER_BEFORE}(?:{spaced}){NO_LETTER_AFTER}" if spaced else "(?!)"
        pattern += f"|{unspaced}" if unspaced else ""
        bounded.append(_Form(tuple(words), pattern, days.said(unit, steps)))
    return bounded


@cache
def _then() -> list[_Form]:
    """Forms that count where no full date stands."""
    spaced = tuple(name for name in days.weekdays() if has_spaces(name))
    unspaced = tuple(name for name in days.weekdays() if not has_spaces(name))
    weekdays, weekdays_inside = ("|".join(map(re.escape, x)) for x in (spaced, unspaced))
    months = tuple(name for name in vocabulary.months() if not has_spaces(name) and len(name) > 3)
    seasons = tuple(days.SEASONS)
    month = rf"(?P<m>{ANY_MONTH}++)"
    led_season = "start of|beginning of|end of|middle of|since|before|after|until"
    ordinals = tuple(f"on the {ordinal}" for ordinal in days.ORDINALS)
    edge, last, any_ = NO_LETTER_BEFORE, NO_LETTER_AFTER, ("",)
    one = "".join(rf"(?<!\b{word} )" for word in ("the", "a", "an", "every", "each", "lần"))
    alone = rf"{last}(?! \d)"
    return [
        # "the Friday table" and "on Fridays" speak of no Friday
        _Form(
            spaced, rf"{edge}{one}(?P<weekday>{weekdays}){last}",
            days.weekday,
        ),
        _Form(spaced, rf"{edge}i (?P<weekday>{weekdays})s{last}", days.weekday),
        _Form(unspaced, rf"(?P<weekday>{weekdays_inside})(?:နေ့)?", days.weekday),
        _Form(
            ("this ", "last ", "next "),
            rf"{edge}(?P<rel>this|last|next) {month}{alone}", days.month, marked=True,
        ),
        _Form(any_, rf"(?P<m>{CLEAR_MONTH}++){alone}", days.month, marked=True),
        _Form(any_, rf"{edge}{_BEFORE_MONTH}(?P<at>){month}{alone}", days.month, marked=True),
        _Form(months, rf"(?P<m>{'|'.join(sorted(months, key=len, reverse=True))})လ", days.month),
        _Form(
            seasons, rf"{edge}(?P<rel>this|last|in|during|i|sidste)(?: the)? {_SEASON}{last}",
            days.season,
        ),
        _Form(seasons, rf"(?:{led_season}) (?P<at>)(?:the )?{_SEASON}{last}", days.season),
        _Form(
            tuple(_LATELY.split("|")), rf"{edge}(?:{_LATELY}){last}",
            lambda _, day: TimeRange(days.back(day, _RECENT), day),
        ),
        _Form(
            ("on the ",), rf"{edge}on the (?P<d>\d{{1,2}})(?:st|nd|rd|th){last}",
            days.day_of_month,
        ),
        _Form(
            ordinals, rf"{edge}on the (?P<nth>{'|'.join(days.ORDINALS)})(?= ?[?.,!]|$)",
            days.day_of_month,
        ),
        _Form(("den ",), rf"{edge}den (?P<d>\d{{1,2}})\.(?! ?[^\W_])", days.day_of_month),
    ]  # fmt: skip
