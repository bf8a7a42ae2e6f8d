"""What statements and facts speak of: whether a fact bears on a statement, and whether two are one.

Nearness is a matter of the two texts alone. No statistics of a corpus enter, so that what counted
once counts on every later day, however much is written meanwhile.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.opinions import cues
from memlab.stopwords import STOPWORDS
from memlab.tokens import fold, tokens, words

if TYPE_CHECKING:
    from collections.abc import Iterable

SHARE = 0.5
"""A fact bears on a statement if it has this share of the topics of the shorter of the two …"""
COVER = 0.4
"""… and this share of the statement's."""
SAME = 0.6
"""Two statements are one if they have this share of their words in common (Jaccard)."""

_LEAD = re.compile(r"[,;:—–](?=\s)|[။۔]")
_BESIDE = frozenset(
    "since because below above under over up down enough just only sure less about".split()
)
_VERBS = frozenset(
    "prefers likes loves enjoys wants needs hates dislikes avoids thinks believes finds trusts "
    "values considers expects doubts hopes wishes favours favors refuses recommends".split()
)


def heading(content: str, names: Iterable[str]) -> str:
    """The statement that an opinion's words make, with the first of the names in it.

    >>> heading("Prefers concise replies.", ["Peter"])
    'Peter prefers concise replies'
    >>> heading("gas kilns are worth the trouble", ["Thiri"])
    'Thiri: gas kilns are worth the trouble'
    """
    content = content.rstrip(" .#") or content
    name = next(iter(names), "")
    if not name or mentions(content, name):
        return content
    first = content.partition(" ")[0]
    if fold(first) in _VERBS:
        return f"{name} {first.lower()}{content[len(first) :]}"
    return f"{name}: {content}"


def told(content: str, names: Iterable[str]) -> str:
    """A fact's words with those of the names before them that they do not mention."""
    missing = [name for name in names if not mentions(content, name)]
    return f"{' '.join(missing)} {content}" if missing else content


def mentions(content: str, name: str) -> bool:
    """Whether a text has a word of a name, no function word, so that it says who is meant."""
    wanted = words(name.replace("-", " ").replace("_", " "))
    telling = [word for word in wanted if word not in STOPWORDS] or wanted
    return not set(words(content)).isdisjoint(telling)


@dataclass(frozen=True, slots=True)
class Topics:
    """What a text speaks of.

    Attributes:
        plain: Its search tokens but function words and attitudes.
        content: Its search tokens but function words.
    """

    plain: frozenset[str]
    content: frozenset[str]

    @classmethod
    def of(cls, found: Iterable[str]) -> Topics:
        """From the search tokens of a text."""
        content = frozenset(token for token in found if not token.startswith("·"))
        content -= _function_words()
        return cls(content - _attitudes(), content)

    def without(self, names: frozenset[str]) -> frozenset[str]:
        """The topics but the tokens of names of whom all is; of attitudes alone, these."""
        return self.plain - names or self.content - names or self.content


def name_tokens(names: Iterable[str]) -> frozenset[str]:
    """The search tokens of names."""
    return frozenset(token for name in names for token in tokens(name))


def lead(statement: str) -> str:
    """What a statement says first, before it goes on to reasons and exceptions.

    >>> lead("Café Merryvale for deep work: half and half since the new music")
    'Café Merryvale for deep work'
    """
    return _LEAD.split(statement, maxsplit=1)[0]


def bears_on(statement: frozenset[str], fact: frozenset[str]) -> bool:
    """Whether a fact with those topics may say something of a statement with these.

    A word whose antonym the statement has counts as shared.
    """
    shared = common(statement, fact)
    least = min(len(statement), len(fact))
    return shared > 0 and shared >= SHARE * least and shared >= COVER * len(statement)


def reach(topics: Iterable[str]) -> frozenset[str]:
    """These topics and their antonyms: of a fact that bears on a statement, some topic is one."""
    table = cues.antonyms()
    return frozenset(other for topic in topics for other in (topic, *table.get(topic, ())))


def is_same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two statements about the same, of these words, are the same statement.

    One that says what the other says, in three words at least, and more is the same too.
    """
    shared = len(one & other)
    contained = shared >= 3 and shared == min(len(one), len(other))
    return contained or (shared > 0 and shared >= SAME * len(one | other))


def common(one: frozenset[str], other: frozenset[str]) -> int:
    """How many topics both have, antonyms counted."""
    shared = one & other
    count = len(shared)
    if count < min(len(one), len(other)):
        table = cues.antonyms()
        rest = other - shared
        count += sum(not rest.isdisjoint(table.get(topic, ())) for topic in one - shared)
    return min(count, len(one), len(other))


@functools.cache
def _function_words() -> frozenset[str]:
    plain = STOPWORDS | cues.STOP | _BESIDE
    return frozenset(token for word in plain for token in (word, *tokens(word)))


@functools.cache
def _attitudes() -> frozenset[str]:
    return frozenset(token for word in cues.ATTITUDES for token in (word, *tokens(word)))
