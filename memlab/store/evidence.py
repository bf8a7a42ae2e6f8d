"""The facts that may change a belief.

Evidence stands on a dated page under ``memory/``, was written by a person or a retain, and is no
observation. Nothing in ``bank/`` or a core file ever is, so nothing generated feeds itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.store import duck
from memlab.types import Kind, Origin

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection, Iterable

    from memlab.store.corpus import Corpus

MENTION_LENGTH = 300
"""Facts that only mention an entity, without ``@``, count up to so many characters."""
NAMED_ENOUGH = 3
"""So many facts that name an entity with ``@`` tell enough about it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A fact as evidence.

    Attributes:
        id: The fact's id.
        kind: Its kind.
        content: Its words.
        day: The day of its page.
        path: Its page.
        entities: Keys of all entities that it is about.
        heads: Keys of those that it names before its colon, in order.
        named: Keys of those that it names with ``@``, in its head or its words.
        superseded: Whether another fact says that it supersedes it.
        confidence: Of an opinion, in [0, 1]; otherwise None.
        tokens: Its search tokens, of its head's entities and of its content.
        links: The targets of its wikilinks.
    """

    id: str
    kind: Kind
    content: str
    day: dt.date
    path: str
    entities: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    named: frozenset[str] = frozenset()
    superseded: bool = False
    confidence: float | None = None
    tokens: frozenset[str] = frozenset()
    links: tuple[str, ...] = ()


IS_EVIDENCE = duck.fill(
    "starts_with(path, 'memory/') AND day IS NOT NULL AND origin = ? AND kind != ?",
    Origin.WRITTEN, Kind.OBSERVATION,
)  # fmt: skip
"""The condition on a row of ``facts``."""


def find(
    corpus: Corpus, *, until: dt.date | None = None, about: Collection[str] | None = None
) -> list[Evidence]:
    """The evidence, by day and id.

    Args:
        corpus: The facts.
        until: As if pages of later days were not there.
        about: Only what is about any of these entities, by their keys; None for all.
    """
    up_to = duck.fill(" AND day <= ?", until) if until else ""
    sql = f"""
        SELECT id, kind, content, day, path, entities, heads, tags, confidence, tokens, links,
            id IN (SELECT supersedes FROM facts WHERE supersedes IS NOT NULL {up_to})
            AND id NOT IN (SELECT keeps FROM facts WHERE keeps IS NOT NULL {up_to})
        FROM facts WHERE {IS_EVIDENCE} {up_to}
    """
    if about is not None:
        sql += duck.fill(" AND list_has_any(entities, ?::VARCHAR[])", sorted(about))
    resolve = corpus.lexicon.resolve
    found = []
    with duck.reading(corpus.snapshot):
        rows = corpus.connection.execute(f"{sql} ORDER BY day, id").fetchall()
    for id_, kind, content, day, path, keys, heads, tags, sure, tokens, links, superseded in rows:
        own = tuple(key for name in heads if (key := resolve(name)))
        named = frozenset(key for name in tags if (key := resolve(name))).union(own)
        found.append(
            Evidence(
                id_, Kind(kind), content, day, path, tuple(keys or ()), own, named, superseded,
                sure, frozenset(tokens.split()), tuple(links),
            )
        )  # fmt: skip
    return found


def by_entity(facts: Iterable[Evidence]) -> dict[str, list[Evidence]]:
    """The evidence about each entity, by its key, both in a fixed order.

    Facts that name the entity with ``@`` are its evidence; where those are fewer than
    `NAMED_ENOUGH`, also those that mention it and are short.
    """
    found: dict[str, list[Evidence]] = {}
    for fact in facts:
        for own in fact.entities:
            if own in fact.named or len(fact.content) <= MENTION_LENGTH:
                found.setdefault(own, []).append(fact)
    for own, about in found.items():
        naming = [fact for fact in about if own in fact.named]
        if len(naming) >= NAMED_ENOUGH:
            found[own] = naming
    return dict(sorted(found.items()))
