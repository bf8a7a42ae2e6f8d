"""The facts that may change a belief.

Evidence stands on a dated page under ``memory/``, was written by a person or a retain, and is no
observation. Nothing in ``bank/`` or a core file ever is, so nothing generated feeds itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.store import duck
from memlab.store.arrays import ORIGINS
from memlab.types import Kind, Origin
from memlab.workspace import entities

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection, Iterable

    import numpy as np
    from numpy.typing import NDArray

    from memlab.store.corpus import Corpus
    from memlab.types import TimeRange

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
        names: The same as they are spelled there.
        named: Keys of those that it names with ``@``, in its head or its words.
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
    names: tuple[str, ...] = ()
    named: frozenset[str] = frozenset()
    confidence: float | None = None
    tokens: frozenset[str] = frozenset()
    links: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        """Of a fact with a head, the key of the entity that it is about first."""
        return self.entities[0] if self.entities else NOBODY


IS_EVIDENCE = duck.fill(
    "starts_with(path, 'memory/') AND day IS NOT NULL AND origin = ? AND kind != ?",
    Origin.WRITTEN, Kind.OBSERVATION,
)  # fmt: skip
"""The condition on a row of ``facts``."""
NOBODY = ""
"""The key of facts that are about no entity."""
_KEYS = f"if(len(entities) = 0, {duck.literal([NOBODY])}, entities)"
_SUBJECT = f"coalesce(entities[1], {duck.literal(NOBODY)})"


def dated(corpus: Corpus) -> NDArray[np.bool_]:
    """Which rows are facts that were written on a page with a day, as all evidence is.

    Returns:
        Shape (rows,).
    """
    found: NDArray[np.bool_] = corpus.arrays["offsets"] >= 0
    found &= corpus.arrays["origin"] == ORIGINS.index(Origin.WRITTEN)
    found &= corpus.arrays["day"] > 0
    return found


def find(
    corpus: Corpus,
    *,
    until: dt.date | None = None,
    about: Collection[str] | None = None,
    kind: Kind | None = None,
    ids: Collection[str] | None = None,
    day: dt.date | None = None,
) -> list[Evidence]:
    """The evidence, by day and id.

    Args:
        corpus: The facts.
        until: As if pages of later days were not there.
        about: Only what is about any of these entities, by their keys; None for all.
        kind: Only of that kind.
        ids: Only with these ids.
        day: Only of that day.
    """
    sql = f"""
        SELECT id, kind, content, day, path, entities, heads, tags, confidence, tokens, links
        FROM facts WHERE {_condition(until)}
    """
    if about is not None:
        sql += duck.fill(f" AND list_has_any({_KEYS}, ?::VARCHAR[])", sorted(about))
    if kind is not None:
        sql += duck.fill(" AND kind = ?", kind)
    if ids is not None:
        sql += duck.fill(" AND id IN (SELECT unnest(?::VARCHAR[]))", sorted(ids))
    if day is not None:
        sql += duck.fill(" AND day = ?", day)
    resolve = corpus.lexicon.resolve
    found = []
    with duck.reading(corpus.snapshot):
        rows = corpus.connection.execute(f"{sql} ORDER BY day, id").fetchall()
    for id_, kind_, content, on, path, keys, heads, tags, sure, tokens, links in rows:
        own = tuple(resolve(name) or entities.key(name) for name in heads)
        named = frozenset(key for name in tags if (key := resolve(name))).union(own)
        found.append(
            Evidence(
                id_, Kind(kind_), content, on, path, tuple(keys or ()), own, tuple(heads), named,
                sure, frozenset(tokens.split()), tuple(links),
            )
        )  # fmt: skip
    return found


def digests(
    corpus: Corpus, *, until: dt.date | None = None, subjects: bool = False
) -> dict[str, str]:
    """For each entity a digest of its evidence: it differs as soon as any of that does.

    They are made inside the database, so that what did not change costs little.

    Args:
        corpus: The facts.
        until: As if pages of later days were not there.
        subjects: Of the facts with a head of which an entity is the subject, not of all about it.
    """
    key = _SUBJECT if subjects else f"unnest({_KEYS})"
    condition = _condition(until) + (" AND len(heads) > 0" if subjects else "")
    sql = f"""
        SELECT key, count(*) || '.' || bit_xor(hash) FROM (
            SELECT {key} AS key, hash(
                id, kind, path, heads, tags, links, entities, confidence
            ) AS hash FROM facts WHERE {condition}
        ) GROUP BY key
    """
    with duck.reading(corpus.snapshot):
        return dict(corpus.connection.execute(sql).fetchall())


def keys_within(corpus: Corpus, window: TimeRange, *, until: dt.date | None = None) -> set[str]:
    """The entities with evidence of pages of these days."""
    days = duck.fill("day BETWEEN ? AND ?", window.start, window.end)
    sql = f"SELECT DISTINCT unnest({_KEYS}) FROM facts WHERE {_condition(until)} AND {days}"
    with duck.reading(corpus.snapshot):
        return {key for (key,) in corpus.connection.execute(sql).fetchall()}


def _condition(until: dt.date | None) -> str:
    return IS_EVIDENCE + (duck.fill(" AND day <= ?", until) if until else "")


def by_entity(facts: Iterable[Evidence]) -> dict[str, list[Evidence]]:
    """The evidence about each entity, by its key, both in a fixed order.

    Facts that name the entity with ``@`` are its evidence, and so are those that mention it, are
    short, and are of days before `NAMED_ENOUGH` facts have named it.
    """
    found: dict[str, list[Evidence]] = {}
    for fact in facts:
        for own in fact.entities:
            if own in fact.named or len(fact.content) <= MENTION_LENGTH:
                found.setdefault(own, []).append(fact)
    for own, about in found.items():
        naming = sorted(fact.day for fact in about if own in fact.named)
        if len(naming) >= NAMED_ENOUGH:
            enough = naming[NAMED_ENOUGH - 1]
            found[own] = [fact for fact in about if own in fact.named or fact.day < enough]
    return dict(sorted(found.items()))
