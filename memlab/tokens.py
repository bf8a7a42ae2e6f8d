"""One tokeniser for everything that is searched by words, in every script.

Words are those of ICU's Unicode segmentation (UAX #29, with dictionaries for Burmese, Thai, Khmer,
Lao, Chinese and Japanese), after NFKC and case folding. Words of ASCII letters are stemmed with
Snowball's English stemmer. Code is found whole and in part: ``connection.update`` gives itself,
``connection`` and ``update``; ``--drain`` gives itself and ``drain``.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

VERSION = 2
"""Raised whenever the tokens of some text change, so that old indexes are not searched."""

# Text of these characters alone is split by a pattern, several times as fast as by ICU, and into
# the very same words: Latin letters without combining marks, digits and common punctuation.
_LATIN = "a-zà-öø-ÿĀ-ɏḀ-ỿ"
_IS_LATIN = re.compile(rf"[\x00-\x7f{_LATIN}–—…“”‘’„«»€£°§]*").fullmatch
_LATIN_WORD = re.compile(
    rf"[{_LATIN}0-9_]+(?:(?:(?<=[{_LATIN}])[.:'’](?=[{_LATIN}])|(?<=[0-9])[.,;'’](?=[0-9]))"
    rf"[{_LATIN}0-9_]+)*"
)
_PART = re.compile(r"[^\W_]+")
_FLAG = re.compile(r"(?<![\w-])--?[a-z][\w-]*")
_POSSESSIVE = re.compile(r"['’](?:s)?$")
_ICU_WORD = 100  # UBRK_WORD_NUMBER: statuses from here on are numbers, letters, kana, ideographs

# Soft hyphens, joiners, marks of direction, byte order marks: Unicode's NFKC_Casefold leaves them
# out too. A space without width does part words.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)

_local = threading.local()


def fold(text: str) -> str:
    """The form in which text is compared: NFKC, case folded, without marks that nobody sees."""
    if text.isascii():
        return text.lower()
    text = _UNSEEN.sub("", text.replace("’", "'"))
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def words(text: str) -> list[str]:
    """The words of ``text``, folded, in order, nothing stemmed or split further."""
    return _segments(fold(text))


def tokens(text: str) -> list[str]:
    """The search tokens of ``text``, in order, with repeats.

    Returns:
        Stems of words, with the wholes and parts of code. Empty for text without a word.
    """
    folded = fold(text)
    out: list[str] = []
    for word in _segments(folded):
        out.extend(_expand(word))
    if "-" in folded:
        out.extend(match[0] for match in _FLAG.finditer(folded))
    return out


def has_spaces(name: str) -> bool:
    """Whether the script of ``name`` puts spaces between words (Burmese and Chinese do not)."""
    return not any(_unspaced(char) for char in name)


@lru_cache(maxsize=4096)
def _unspaced(char: str) -> bool:
    import icu

    script: str = icu.Script.getScript(char).getShortName()
    return script in {"Mymr", "Thai", "Khmr", "Laoo", "Hani", "Hira", "Kana"}


def _segments(text: str) -> list[str]:
    """The words of folded text; underscores alone are none."""
    found = _LATIN_WORD.findall(text) if _IS_LATIN(text) else list(_icu_segments(text))
    return [word for word in found if word.strip("_")] if "_" in text else found


def _icu_segments(text: str) -> Iterator[str]:
    breaker = _breaker()
    if text.isascii() or max(text) < "\U00010000":
        source: Any = text
    else:
        # ICU counts UTF-16 units; its own string keeps offsets and slices in step
        source = _icu().UnicodeString(text)
    breaker.setText(source)
    start = 0
    for end in breaker:
        if breaker.getRuleStatus() >= _ICU_WORD:
            yield str(source[start:end])
        start = end


@lru_cache(maxsize=65536)
def _expand(word: str) -> tuple[str, ...]:
    word = _POSSESSIVE.sub("", word)
    if not word:
        return ()
    if word.isascii() and word.isalpha():
        return (_stem(word),)
    if not _IS_LATIN(word) or "'" in word or "’" in word:
        return (word,)
    parts = _PART.findall(word)
    if len(parts) < 2:
        return (word,)
    return (word, *(_stem(part) if part.isascii() and part.isalpha() else part for part in parts))


def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word))


def _stemmer() -> Any:
    if not hasattr(_local, "stemmer"):
        import Stemmer

        _local.stemmer = Stemmer.Stemmer("english")
    return _local.stemmer


def _breaker() -> Any:
    # one a thread: an ICU iterator holds the text that it walks over
    if not hasattr(_local, "breaker"):
        icu = _icu()
        _local.breaker = icu.BreakIterator.createWordInstance(icu.Locale.getRoot())
    return _local.breaker


@cache
def _icu() -> Any:
    import icu

    return icu
