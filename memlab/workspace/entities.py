"""Entities: how names are compared, which names are known, and which of them a text mentions."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from memlab.tokens import fold, has_spaces, words

if TYPE_CHECKING:
    from collections.abc import Iterable

_SPACING = re.compile(r"[\s_-]+")
_WIKILINK = re.compile(r"\[\[([^\[\]|#\n]+)(?:#[^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\]")
_POSSESSIVE = re.compile(r"['’]s\b")
_UNSAFE = re.compile(r'[<>:"/\\|?*\x00-\x1f]')
_CLOSE, _LONGER = 0.7, 3  # how alike, by difflib, and how much longer a name is that may be meant
_HEAD = 2  # letters by which names without spaces are found
_SHORT = 3  # Latin names up to so many letters are matched in their exact case: MA is not "ma"


@lru_cache(maxsize=65536)
def key(name: str) -> str:
    """What makes two spellings one entity: NFKC, case folded, spaces, ``-`` and ``_`` alike.

    >>> key("The Castle") == key("@The-Castle") == key("the  castle")
    True
    """
    return _SPACING.sub(" ", fold(name.strip().removeprefix("@"))).strip()


def slug(name: str) -> str:
    """The file name of an entity's page, without its ending; keeps script and case.

    A name with nothing that a file system can hold becomes ``entity~`` and four hash characters.
    """
    text = unicodedata.normalize("NFC", name.strip().removeprefix("@"))
    text = _UNSAFE.sub("", "-".join(text.split())).strip(".-")
    return text or f"entity~{_hash4(name)}"


def distinct_slug(name: str, taken: Iterable[str]) -> str:
    """`slug`, with ``~`` and four hash characters if another entity's page has that file name.

    Args:
        name: The entity's name.
        taken: The slugs of other entities' pages; compared without case and normal form.
    """
    plain = slug(name)
    folded = {fold(other) for other in taken}
    return f"{plain}~{_hash4(key(name))}" if fold(plain) in folded else plain


def _hash4(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:4]


def wikilinks(text: str) -> list[str]:
    """The targets of ``[[Target]]``, ``[[Target#part]]`` and ``[[Target|shown]]``, in order."""
    if "[[" not in text:
        return []
    return [match[1].strip() for match in _WIKILINK.finditer(text)]


@dataclass
class Lexicon:
    """All names by which entities are known.

    Attributes:
        names: The name to show, by key.
        pages: The path of the entity's page, by key, for those that have one.
    """

    names: dict[str, str] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)
    _alias: dict[str, str] = field(default_factory=dict)
    _starts: dict[str, list[tuple[list[str], str, str]]] = field(default_factory=dict)
    _unspaced: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    _spellings: set[tuple[str, str]] = field(default_factory=set)

    @classmethod
    def of(cls, rows: Iterable[tuple[str, str | None, Iterable[str]]]) -> Lexicon:
        """A lexicon from names, pages and aliases, in the order in which they were first added."""
        lexicon = cls()
        rows = list(rows)
        keys = [lexicon.add(name, page=page) for name, page, _ in rows]
        for own, (_, _, aliases) in zip(keys, rows, strict=True):
            for spelling in aliases:
                lexicon.alias(own, spelling)
        return lexicon

    def add(self, name: str, *, page: str | None = None) -> str:
        """Make an entity known by its name, unless it is known; returns its key.

        Add the entities that have a page first: a page's name is always its own entity's.
        """
        own = (None if page else self.resolve(name)) or key(name)
        if own and own not in self.names:
            self.names[own] = name
            self._alias[key(name)] = own
            self.learn(name, own)
        if page is not None:
            self.pages.setdefault(own, page)
        return own

    def alias(self, own: str, spelling: str) -> bool:
        """Give an entity another name; False if that name is another entity's already."""
        if self._alias.setdefault(key(spelling), own) != own:
            return False
        self.learn(spelling, own)
        return True

    def learn(self, spelling: str, own: str) -> None:
        """Make a spelling of an entity's name one that texts may mention."""
        if (spelling, own) in self._spellings:
            return
        self._spellings.add((spelling, own))
        if not has_spaces(spelling):
            folded = fold(spelling)
            self._unspaced.setdefault(folded[:_HEAD], []).append((folded, own))
        elif name := words(_SPACING.sub(" ", spelling)):
            self._starts.setdefault(name[0], []).append((name, own, spelling))

    def firsts(self) -> set[tuple[str, str]]:
        """The first word of each spelling of spaced words, with the key of its entity."""
        return {(word, own) for word, names in self._starts.items() for _, own, _ in names}

    def unspaced(self) -> bool:
        """Whether some spelling is of a script without spaces between words."""
        return bool(self._unspaced)

    def spellings(self) -> set[tuple[str, str]]:
        """Every spelling that is known, with the key of the entity that it names."""
        return self._spellings

    def resolve(self, name: str) -> str | None:
        """The key of the entity that goes by ``name``, or None."""
        return self._alias.get(key(name))

    def name_of(self, name: str) -> str:
        """The name to show for the entity that goes by ``name``; the name itself if none does."""
        return self.names.get(self.resolve(name) or "", name)

    def mentions(self, text: str) -> list[str]:
        """The keys of the entities whose names stand in ``text`` as whole words, in order."""
        folded = fold(text)
        sequence = words(_POSSESSIVE.sub(" ", folded))
        found: dict[str, None] = {}
        if not self._starts.keys().isdisjoint(sequence):
            for index, word in enumerate(sequence):
                for name, own, spelling in self._starts.get(word, ()):
                    if sequence[index : index + len(name)] == name and _same_case(spelling, text):
                        found.setdefault(own)
        if self._unspaced:
            for start in range(len(folded)):
                for head in (folded[start : start + _HEAD], folded[start]):
                    for written, own in self._unspaced.get(head, ()):
                        if folded.startswith(written, start):
                            found.setdefault(own)
        return list(found)

    def near(self, name: str, *, limit: int = 3) -> list[str]:
        """Names that are spelled like ``name``, or have a word that is, the likeliest first.

        They are to be suggested, never to be merged.
        """
        import difflib

        wanted = key(name)
        if not wanted:
            return []
        likely: dict[str, list[str]] = {}
        for alias, own in self._alias.items():
            for spelling in {alias, *alias.split()} if " " in alias else (alias,):
                # of thousands of names, only such are compared letter by letter
                ends_alike = spelling[0] == wanted[0] or spelling[-1] == wanted[-1]
                if ends_alike and abs(len(spelling) - len(wanted)) <= _LONGER:
                    likely.setdefault(spelling, []).append(own)
        close = difflib.get_close_matches(wanted, likely, n=limit * 2, cutoff=_CLOSE)
        found = (own for spelling in close for own in likely[spelling])
        return list(dict.fromkeys(self.names[own] for own in found))[:limit]


def _same_case(spelling: str, text: str) -> bool:
    if len(spelling) > _SHORT or not spelling.isascii():
        return True
    return re.search(rf"(?<!\w){re.escape(spelling)}(?!\w)", text) is not None
