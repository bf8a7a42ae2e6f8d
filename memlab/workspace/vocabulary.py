"""The words of many languages for months, weekdays and relative days: those of CLDR, by ICU."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, reduce
from itertools import repeat
from operator import or_

import regex

from memlab.tokens import Cached, fold, has_spaces

LANGUAGES = ("en", "da", "vi", "ur", "my")
"""Languages whose relative days are read."""
MONTH_LANGUAGES = (*LANGUAGES, "de", "fr", "es", "it", "nl", "nb", "sv", "pt")
"""Languages whose months are read, which are less easily mistaken for other words."""

NO_LETTER_BEFORE = r"(?<![\p{L}\p{M}\p{N}])"
NO_LETTER_AFTER = r"(?![\p{L}\p{M}\p{N}])"

_WORD = re.compile(r"[^\W\d_]+")
_BURMESE = re.compile("[\u1000-\u109f]")
_HAS_DATE = re.compile(r"\d[./-]\d|(?:19|20)\d\d")
_MONTH, _PHRASE, _COUNTED, _NUMBER, _DATE = 1, 2, 4, 8, 16
_DIRECTIONS = {0: -2, 1: -1, 2: 0, 3: 1, 4: 2}  # ICU's UDateRelativeDirection, in units


class Unit(IntEnum):
    """A unit of time; the values are ICU's UDateAbsoluteUnit, weekdays are 0 to 6 from Sunday."""

    DAY = 7
    WEEK = 8
    MONTH = 9
    YEAR = 10


_NUMERIC_UNITS = {Unit.DAY: 4, Unit.WEEK: 3, Unit.MONTH: 2, Unit.YEAR: 0}  # URelativeDateTimeUnit


@dataclass(frozen=True, slots=True)
class Counted:
    """A way to say "3 days ago": a pattern with a group ``n``, its unit, and its direction."""

    pattern: regex.Pattern[str]
    unit: Unit
    sign: int


@cache
def months() -> dict[str, int]:
    """Folded name of a month, without a final dot, to its number from 1."""
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


@cache
def phrases() -> dict[str, tuple[int, int]]:
    """Folded phrase ("yesterday", "sidste uge") to its unit or weekday, and steps from now."""
    import icu

    table: dict[str, tuple[int, int]] = {}
    for language in LANGUAGES:
        formatter = icu.RelativeDateTimeFormatter(icu.Locale(language))
        for unit in (*Unit, *range(7)):
            for direction, steps in _DIRECTIONS.items():
                phrase = fold(formatter.format(direction, int(unit)))
                if phrase and (unit >= Unit.DAY or steps):
                    table.setdefault(phrase, (unit, steps))
    table.setdefault("ဒီနေ့", (Unit.DAY, 0))  # as Burmese is spoken; CLDR has the written word
    return table


@cache
def phrase_pattern() -> regex.Pattern[str]:
    """Matches any of the `phrases`."""
    known = sorted(phrases(), key=len, reverse=True)
    spaced = "|".join(regex.escape(phrase) for phrase in known if has_spaces(phrase))
    unspaced = "|".join(regex.escape(phrase) for phrase in known if not has_spaces(phrase))
    return regex.compile(rf"{NO_LETTER_BEFORE}(?:{spaced}){NO_LETTER_AFTER}|{unspaced}")


@cache
def counted() -> tuple[Counted, ...]:
    """All ways to count units back or ahead."""
    import icu

    found: dict[tuple[str, Unit], Counted] = {}
    for language in LANGUAGES:
        formatter = icu.RelativeDateTimeFormatter(icu.Locale(language))
        for unit, icu_unit in _NUMERIC_UNITS.items():
            for sample in (-1, -2, -3, 2, 3):
                phrase = digits(fold(formatter.formatNumeric(float(sample), icu_unit)))
                before, _, after = phrase.partition(str(abs(sample)))
                lead = regex.escape(before)
                if len(after.split()) > 1:  # "for 2 uger siden" is also said without its "for"
                    lead = f"(?:{lead})?"
                text = rf"{lead}(?<!\d)(?P<n>\d{{1,3}}){regex.escape(after)}{NO_LETTER_AFTER}"
                found.setdefault(
                    (text, unit), Counted(regex.compile(text), unit, 1 if sample > 0 else -1)
                )
    return tuple(found.values())


def signs(piece: str) -> int:
    """What a piece of folded text without white space is a sign of: bits for `Hints`."""
    if piece.isascii() and piece.isalpha():
        return _signs_of_words().get(piece, 0)
    # letters and marks of Burmese are no "words" to the pattern: always look at such texts
    found = 0 if piece.isascii() or not _BURMESE.search(piece) else _MONTH | _PHRASE | _COUNTED
    piece = digits(piece).replace("\u2010", "-")
    found |= _DATE if _HAS_DATE.search(piece) else 0
    found |= _NUMBER if any(char.isdigit() for char in piece) else 0
    return reduce(or_, map(_signs_of_words().get, _WORD.findall(piece), repeat(0)), found)


class Hints:
    """Which words of time a text may have: a cheap look that spares the patterns most texts.

    Args:
        found: The `signs` of all its pieces together.
    """

    def __init__(self, found: int) -> None:
        self._found = found

    @classmethod
    def of(cls, text: str) -> Hints:
        """Those of a folded text."""
        return cls(reduce(or_, map(_SIGNS.__getitem__, text.split()), 0))

    def month(self) -> bool:
        """Whether a name of a month may be there."""
        return bool(self._found & _MONTH)

    def phrase(self) -> bool:
        """Whether one of the `phrases` may be there."""
        return bool(self._found & _PHRASE)

    def counted(self) -> bool:
        """Whether one of the `counted` ways may be there."""
        return bool(self._found & _COUNTED)

    def any(self) -> bool:
        """Whether the text may name a day at all; most texts cannot."""
        found = self._found
        if found & (_PHRASE | _DATE):
            return True
        return bool(found & _NUMBER and found & (_MONTH | _COUNTED))


_SIGNS = Cached(signs)


@cache
def _signs_of_words() -> dict[str, int]:
    """A word that must be there for a month, for a phrase or for a count to be there."""
    found: dict[str, int] = defaultdict(int)
    for name in filter(has_spaces, months()):
        found[_WORD.findall(name)[0]] |= _MONTH
    for phrase in filter(has_spaces, phrases()):
        found[_WORD.findall(phrase)[-1]] |= _PHRASE
    for one in counted():
        plain = re.sub(r"\(\?[^)]*\)|\\d|\\p", " ", one.pattern.pattern.split("(?P<n>")[1])
        before = one.pattern.pattern.split("(?<!")[0]
        for word in _WORD.findall(plain)[-1:] or _WORD.findall(before)[:1]:
            found[word] |= _COUNTED
    return dict(found)


_DIGIT = regex.compile(r"[\p{Nd}--0-9]", regex.V1)


def digits(text: str) -> str:
    """``text`` with the digits of every script as those of ASCII."""
    import unicodedata

    if text.isascii():
        return text
    western: str = _DIGIT.sub(lambda match: str(unicodedata.decimal(match[0], "?")), text)
    return western
