"""Which opinions there are: each statement of the logs makes one, or is one that there is already.

No I/O. An opinion keeps the id and the words of the fact that it was created from; a fact that
states it and is found later, though it is older, moves where its confidence starts.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memlab.opinions.statements import Topics, heading, is_same, lead, name_tokens
from memlab.store.evidence import NOBODY
from memlab.tokens import tokens

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Mapping, Sequence

    from memlab.opinions.page import Entry
    from memlab.store.evidence import Evidence

UNKNOWN = 0.5
"""Where an opinion starts whose founding fact is gone: nothing is known."""
_BASE32 = "0123456789abcdefghjkmnpqrstvwxyz"


@dataclass(frozen=True, slots=True)
class Held:
    """An opinion to reckon.

    Attributes:
        id: ``o-…``.
        statement: Its heading.
        about: Whom it is about: each key with the name as spelled; `NOBODY` for nobody.
        prior: Where it starts, unless a fact founds it.
        own: Whether a person gave the prior, so that no fact founds it.
        since: Day and fact with which its ledger begins; empty where it has none.
        pristine: Whether its section is as memlab made it, so that nothing of a person's is in it.
        founder: The fact that it was created from, where that is known.
        bullets: The opinions of the logs that say the same, oldest first; the founder among them.
        before: Entries of the page's ledger that no fact gives: hands, and facts that are gone.
        linked: Facts that the page's ledger has by their quotes, since their ids are others now.
    """

    id: str
    statement: str
    about: Mapping[str, str]
    prior: float = UNKNOWN
    own: bool = False
    since: tuple[dt.date, str] | tuple[()] = ()
    pristine: bool = False
    founder: Evidence | None = None
    bullets: tuple[Evidence, ...] = ()
    before: tuple[Entry, ...] = ()
    linked: tuple[Evidence, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of whom it is about."""
        return tuple(filter(None, self.about.values()))

    @property
    def first(self) -> Evidence | None:
        """The fact that founds it: the first of the logs that states it."""
        return None if self.own or not self.bullets else self.bullets[0]

    @property
    def wordings(self) -> tuple[str, ...]:
        """The heading, and what the founder says where a person worded it anew."""
        first = heading(self.founder.content, self.founder.names) if self.founder else ""
        return tuple(dict.fromkeys(filter(None, (self.statement, first))))

    def topics(self) -> list[frozenset[str]]:
        """What each of the wordings speaks of."""
        names = name_tokens(self.names)
        return [Topics.of(tokens(wording)).without(names) for wording in self.wordings]

    def said(self) -> list[frozenset[str]]:
        """The words of the wordings, and of what each says first."""
        heads = (f"{name}: " for name in self.names)
        bare = [functools.reduce(str.removeprefix, heads, wording) for wording in self.wordings]
        return _said(bare, name_tokens(self.names))


def opinion_id(founder: str) -> str:
    """The id of an opinion from its founding fact's id, or from a statement that a person wrote."""
    bits = int.from_bytes(hashlib.sha256(founder.encode()).digest()[:4]) >> 2
    return "o-" + "".join(_BASE32[bits >> shift & 31] for shift in range(25, -1, -5))


def about(fact: Evidence, name_of: Mapping[str, str]) -> dict[str, str]:
    """Whom an opinion is about that a fact founds: its head, else whom it mentions.

    Args:
        fact: The fact.
        name_of: The name of each entity by its key.
    """
    if fact.heads:
        return dict(zip(fact.heads, fact.names, strict=True))
    return {key: name_of.get(key, key) for key in fact.entities} or {NOBODY: ""}


@dataclass
class Assigned:
    """Which statement each opinion of the logs makes.

    Attributes:
        given: The bullets of each opinion by its id, by day and id.
        new: The opinions that are new.
        dropped: Ids of opinions in whose place a new one is, since an older note states the same.
    """

    given: dict[str, list[Evidence]] = field(default_factory=dict)
    new: list[Held] = field(default_factory=list)
    dropped: set[str] = field(default_factory=set)


def assign(
    bullets: Iterable[Evidence], held: Iterable[Held], name_of: Mapping[str, str]
) -> Assigned:
    """Give each opinion of the logs to the statement that it makes, or let it found one.

    A note that is older than the founder of the first opinion that it states founds it anew, as it
    would have if it had been written in time; but not where a person did anything to the section.

    Args:
        bullets: Facts of kind opinion, by day and id.
        held: The opinions that there are, with their founders.
        name_of: The name of each entity by its key.
    """
    standing: dict[str, tuple[Held, list[frozenset[str]]]] = {}
    by_key: dict[str, set[str]] = {}
    founders: dict[str, Held] = {}
    done = Assigned()

    def add(one: Held) -> None:
        standing[one.id] = one, one.said()
        for key in one.about:
            by_key.setdefault(key, set()).add(one.id)
        if one.founder:
            founders[one.founder.id] = one

    for one in held:
        add(one)
    for fact in bullets:
        whom = about(fact, name_of)
        near = {id_ for key in whom for id_ in by_key.get(key, ())} & standing.keys()
        ordered = sorted((standing[id_] for id_ in near), key=lambda one: (one[0].since, one[0].id))
        stated = (one for one, said in ordered if is_stated(fact.content, one, said))
        home = founders.get(fact.id) or next(stated, None)
        if home and home.pristine and home.founder and _is_older(fact, home.founder):
            del standing[home.id], founders[home.founder.id]
            done.dropped.add(home.id)
            home = None
        if home is None:
            home = founded_by(fact, whom)
            done.new.append(home)
            add(home)
        done.given.setdefault(home.id, []).append(fact)
    return done


def founded_by(fact: Evidence, whom: Mapping[str, str]) -> Held:
    """The opinion that a fact makes, about those of the given keys and names."""
    return Held(
        opinion_id(fact.id), heading(fact.content, fact.names), whom, founder=fact,
        since=(fact.day, fact.id),
    )  # fmt: skip


def _is_older(one: Evidence, other: Evidence) -> bool:
    return (one.day, one.id) < (other.day, other.id)


def is_stated(text: str, one: Held, wordings: Sequence[frozenset[str]] | None = None) -> bool:
    """Whether a text says the same as an opinion; its `Held.said` may be given."""
    mine = _said([text], name_tokens(one.names))
    theirs = one.said() if wordings is None else wordings
    return any(is_same(known, ours) for known in theirs for ours in mine)


def _said(texts: Iterable[str], names: frozenset[str]) -> list[frozenset[str]]:
    """The words of texts, and of what each says first where that is not one word only."""
    found = []
    for text in texts:
        whole, first = (Topics.of(tokens(part)).content - names for part in (text, lead(text)))
        found += [whole, first] if len(first) > 1 and first != whole else [whole]
    return found
