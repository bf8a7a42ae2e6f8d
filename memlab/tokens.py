"""One tokeniser for everything that is searched by words, in every script.

Words are those of ICU's Unicode segmentation (UAX #29, with dictionaries for Burmese, Thai, Khmer,
Lao, Chinese and Japanese), after NFKC and case folding. Words of ASCII letters are stemmed with
Snowball's English stemmer. Words of languages that inflect or build compounds in other ways, and
of the Arabic script, are found by their trigrams too (McNamee and Mayfield 2004), marked ``·``.
Code is found whole and in part: ``connection.update`` gives itself, ``connection`` and ``update``;
``--drain`` gives itself and ``drain``.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from functools import cache, lru_cache, partial, reduce
from itertools import chain
from operator import or_
from typing import TYPE_CHECKING, Any, TypeVar

from memlab.stopwords import STOPWORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_T = TypeVar("_T")

VERSION = 3
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

_ARABIC = re.compile(r"[\u0620-\u064a\u066e-\u06d3\u06fa-\u06ff]")
_GERMANIC_LETTER = re.compile(r"[æøåäöüß]")
# function words that tell Danish, Norwegian, Swedish, German and Dutch from English
_GERMANIC = frozenset(
    """og ikke det er af til på som jeg har den der hvad hvor hvem hvornår skal blev efter fra ved
    inte och att av för är till vad vem när und nicht das ist die mit auf ich wann wer wie ein eine
    het een niet van ik wat wanneer bij zijn""".split()
)
_ENGLISH = frozenset(
    "the of and is to in that it was for what who when where how did does with we he she".split()
)

_local = threading.local()


class Cached(dict[str, _T]):
    """What a function gives for each short text, computed once; read by ``[]`` or by ``map``.

    Args:
        compute: The function; it depends on its text alone.
    """

    ROOM = 131_072  # texts
    _SHORT = 64  # characters; longer texts hardly come again

    def __init__(self, compute: Callable[[str], _T]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, text: str) -> _T:
        value = self._compute(text)
        if len(text) <= self._SHORT:
            if len(self) >= self.ROOM:
                self.clear()
            self[text] = value
        return value


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
    found = _segments(folded)
    return _tokens(folded, found, found)


class Reader:
    """Reads many texts: their search tokens, and what the pieces between white space are signs of.

    A piece that comes again is not looked at again, so that a text costs one look-up a piece.

    Args:
        sign: Of a folded piece, the signs that it bears, bits of a number below 2 ** 16.
    """

    _WHOLE, _EMPTY = 1 << 16, 1 << 17  # the text must be read as a whole; a piece has no token

    def __init__(self, sign: Callable[[str], int]) -> None:
        self._sign = sign
        self._known = self._fresh()

    def read(self, text: str) -> tuple[str, int]:
        """The `tokens` of a text, a space between them, and all signs that its pieces bear."""
        pieces = fold(text).split()
        joined, signed = self._known
        each = [*map(joined.__getitem__, pieces)]
        bearing = signed.keys() & pieces
        if not bearing:
            return " ".join(each), 0
        signs = reduce(or_, map(signed.__getitem__, bearing))
        if len(signed) > Cached.ROOM:
            self._known = self._fresh()
        if signs & self._WHOLE:
            each = tokens(text)
        elif signs & self._EMPTY:
            each = [*filter(None, each)]
        return " ".join(each), signs & ~(self._WHOLE | self._EMPTY)

    def _fresh(self) -> tuple[Cached[str], dict[str, int]]:
        """The tokens of each piece, joined; and the signs of those that bear any."""
        signed: dict[str, int] = {}
        return Cached(partial(self._look, signed)), signed

    def _look(self, signed: dict[str, int], piece: str) -> str:
        found = _segment(piece)
        joined = " ".join(chain.from_iterable(map(_expand, found)))
        signs = self._sign(piece) | (0 if joined else self._EMPTY)
        if "-" in piece or not _GERMANIC.isdisjoint(found) or _ARABIC.search(piece):
            signs |= self._WHOLE
        if signs:
            signed[piece] = signs
        return joined


def query_terms(text: str) -> list[str]:
    """The search tokens of a question, none twice; function words only if it has no others."""
    folded = fold(text)
    found = _segments(folded)
    topic = [word for word in found if word not in STOPWORDS] or found
    return list(dict.fromkeys(_tokens(folded, found, topic)))


def _tokens(folded: str, found: list[str], wanted: list[str]) -> list[str]:
    """The tokens of those words of a text that are wanted."""
    out = list(chain.from_iterable(map(_EXPANDED.__getitem__, wanted)))
    if "-" in folded:
        out.extend(match[0] for match in _FLAG.finditer(folded))
    if _is_germanic(folded, found) or (not folded.isascii() and _ARABIC.search(folded)):
        out.extend(chain.from_iterable(map(_trigrams, wanted)))
    return out


def _is_germanic(folded: str, found: list[str]) -> bool:
    """Whether the function words of a text are those of a Germanic language other than English."""
    if _GERMANIC.isdisjoint(found):
        return False
    other = len(_GERMANIC.intersection(found))
    other += not folded.isascii() and _GERMANIC_LETTER.search(folded) is not None
    return other >= 2 and other > len(_ENGLISH.intersection(found))


@lru_cache(maxsize=65536)
def _trigrams(word: str) -> tuple[str, ...]:
    if len(word) < 4 or not word.isalpha():
        return ()
    return tuple(f"·{word[start : start + 3]}" for start in range(len(word) - 2))


def has_spaces(name: str) -> bool:
    """Whether the script of ``name`` puts spaces between words (Burmese and Chinese do not)."""
    return name.isascii() or not any(_unspaced(char) for char in name)


@lru_cache(maxsize=4096)
def _unspaced(char: str) -> bool:
    import icu

    script: str = icu.Script.getScript(char).getShortName()
    return script in {"Mymr", "Thai", "Khmr", "Laoo", "Hani", "Hira", "Kana"}


def _segments(text: str) -> list[str]:
    """The words of folded text."""
    # no word goes beyond white space, and what stands between comes again and again
    return list(chain.from_iterable(map(_PIECES.__getitem__, text.split())))


def _segment(text: str) -> tuple[str, ...]:
    """The words of a piece of text; underscores alone are none."""
    if text.isascii() and text.isalnum():
        return (text,)
    found = _LATIN_WORD.findall(text) if _IS_LATIN(text) else _icu_segments(text)
    return tuple(word for word in found if word.strip("_"))


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


def _expand(word: str) -> tuple[str, ...]:
    """The tokens of a word."""
    if word.isascii() and word.isalpha():
        return (_stem(word),)
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


_PIECES = Cached(_segment)
_EXPANDED = Cached(_expand)


def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word))


def _stemmer() -> Any:
    if not hasattr(_local, "stemmer"):
        import Stemmer

        # without its own cache, which is slow once it is full
        _local.stemmer = Stemmer.Stemmer("english", 0)
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
