"""The words of many languages for months, weekdays and relative days: those of CLDR, by ICU."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, reduce
from itertools import repeat
from operator import or_

from memlab.tokens import Cached, fold, has_spaces

LANGUAGES = ("en", "da", "vi", "ur", "my")
"""Languages whose relative days are read."""
MONTH_LANGUAGES = (*LANGUAGES, "de", "fr", "es", "it", "nl", "nb", "sv", "pt")
"""Languages whose months are read, which are less easily mistaken for other words."""

CLEAR_MONTH = "[\ufdd1-\ufddc]"
"""What stands for each letter of a month's name in a text whose months are marked."""
ANY_MONTH = "[\ufdd1-\ufddc\ufde1-\ufdec]"
"""The same where short names, and those that are other words too, are to count."""

_MARKS = (  # that belong to letters, in the scripts of these languages
    "\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
    "\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d"
)
# patterns are those of the standard library: to import another takes longer than most questions
NO_LETTER_BEFORE = rf"(?<![^\W_])(?<![{_MARKS}])"
NO_LETTER_AFTER = rf"(?![^\W_])(?![{_MARKS}])"

_WORD = re.compile(r"[^\W\d_]+")
_BURMESE = re.compile("[\u1000-\u109f]")
_HAS_DATE = re.compile(r"\d[./-]\d|(?:19|20)\d\d")
_HAS_YEAR = re.compile(r"(?<!\d)(?:1\d|20)\d\d(?!\d)")
_MONTH, _PHRASE, _COUNTED, _NUMBER, _DATE, _YEAR = 1, 2, 4, 8, 16, 32
_AMBIGUOUS = frozenset("may march mars mai maj marts".split())  # also a verb, a star, a mark
_MARK = 0xFDD0  # Unicode keeps the characters from here on out of all text
_OTHER_MARK = 0xFDE0
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
    """A way to say "3 days ago".

    Attributes:
        before: The words before the number; of some they may be left out.
        after: Those after it.
        unit: The unit that is counted.
        sign: Its direction.
    """

    before: str
    after: str
    unit: Unit
    sign: int

    @property
    def pattern(self) -> re.Pattern[str]:
        """It matches with a group ``n``."""
        return _counting(self.before, self.after)


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
def phrase_pattern() -> re.Pattern[str]:
    """Matches any of the `phrases`."""
    known = sorted(phrases(), key=len, reverse=True)
    spaced = "|".join(re.escape(phrase) for phrase in known if has_spaces(phrase))
    unspaced = "|".join(re.escape(phrase) for phrase in known if not has_spaces(phrase))
    return re.compile(rf"{NO_LETTER_BEFORE}(?:{spaced}){NO_LETTER_AFTER}|{unspaced}")


@cache
def counted() -> tuple[Counted, ...]:
    """All ways to count units back or ahead."""
    import icu

    found: dict[tuple[str, str, Unit], Counted] = {}
    for language in LANGUAGES:
        formatter = icu.RelativeDateTimeFormatter(icu.Locale(language))
        for unit, icu_unit in _NUMERIC_UNITS.items():
            for sample in (-1, -2, -3, 2, 3):
                phrase = digits(fold(formatter.formatNumeric(float(sample), icu_unit)))
                before, _, after = phrase.partition(str(abs(sample)))
                found.setdefault(
                    (before, after, unit), Counted(before, after, unit, 1 if sample > 0 else -1)
                )
    return tuple(found.values())


@cache
def _counting(before: str, after: str) -> re.Pattern[str]:
    lead = re.escape(before)
    if len(after.split()) > 1:  # "for 2 uger siden" is also said without its "for"
        lead = f"(?:{lead})?"
    return re.compile(rf"{lead}(?<!\d)(?P<n>\d{{1,3}}){re.escape(after)}{NO_LETTER_AFTER}")


def mark_months(text: str) -> str:
    """Folded text with a mark for each letter of a month's name, in scripts that part words.

    The forms of dates look for marks: with a hundred names in each of them, they would take longer
    to compile than a short process lives.
    """
    return _month_names().sub(_mark, text)


def month_of(name: str) -> int:
    """The number of a month, from 1, by its folded name, its digits or its marks."""
    mark = ord(name[0])
    if mark >= _MARK:
        return mark & 0xF
    return int(name) if name.isdigit() else months()[name]


def _mark(match: re.Match[str]) -> str:
    import unicodedata

    name, start, end = match[0], match.start(), match.end()
    for beside in match.string[max(0, start - 1) : start] + match.string[end : end + 1]:
        if not beside.isascii() and unicodedata.category(beside)[0] == "M":
            return name  # a letter of another word
    clear = len(name) > 3 and name not in _AMBIGUOUS
    return chr((_MARK if clear else _OTHER_MARK) + months()[name]) * len(name)


@cache
def _month_names() -> re.Pattern[str]:
    names = sorted(filter(has_spaces, months()), key=len, reverse=True)
    firsts = "".join(sorted({re.escape(name[0]) for name in names}))
    either = "|".join(map(re.escape, names))
    return re.compile(rf"(?<![^\W_])(?=[{firsts}])(?:{either})(?![^\W_])")


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern, compiled when it is first needed: that takes longer than to use it."""
    return re.compile(pattern)


def is_burmese(text: str) -> bool:
    """Whether a text has letters of Burmese."""
    return not text.isascii() and _BURMESE.search(text) is not None


def signs(piece: str) -> int:
    """What a piece of folded text without white space is a sign of: bits for `Hints`."""
    if piece.isascii() and piece.isalpha():
        return _signs_of_words().get(piece, 0)
    # letters and marks of Burmese are no "words" to the pattern: always look at such texts
    found = _MONTH | _PHRASE | _COUNTED if is_burmese(piece) else 0
    piece = digits(piece).replace("\u2010", "-")
    found |= _DATE if _HAS_DATE.search(piece) else 0
    found |= _YEAR if _HAS_YEAR.search(piece) else 0
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

    def year(self) -> bool:
        """Whether a number that may be a year may be there."""
        return bool(self._found & _YEAR)

    def any(self) -> bool:
        """Whether the text may name a time at all; most texts cannot."""
        found = self._found
        if found & (_PHRASE | _DATE | _YEAR):
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
        for word in _WORD.findall(one.after)[-1:] or _WORD.findall(one.before)[:1]:
            found[word] |= _COUNTED
    return dict(found)


_DIGIT = re.compile(r"(?![0-9])\d")


def digits(text: str) -> str:
    """``text`` with the digits of every script as those of ASCII."""
    import unicodedata

    if text.isascii():
        return text
    western: str = _DIGIT.sub(lambda match: str(unicodedata.decimal(match[0], "?")), text)
    return western
