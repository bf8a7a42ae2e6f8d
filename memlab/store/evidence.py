"""The facts that may change a belief, by entity.

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

    from memlab.store.corpus import Corpus

MENTION_LENGTH = 300
"""Facts that only mention an entity, without ``@``, count up to so many characters."""
NAMED_ENOUGH = 3
"""So many facts that name an entity with ``@`` tell enough about it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A fact as evidence about one entity.

    Attributes:
        id: The fact's id.
        kind: Its kind.
        content: Its words.
        day: The day of its page.
        named: Whether it names the entity with ``@``, in its head or its words.
        superseded: Whether another fact says that it supersedes it.
    """

    id: str
    kind: Kind
    content: str
    day: dt.date
    named: bool
    superseded: bool


def by_entity(corpus: Corpus) -> dict[str, list[Evidence]]:
    """The evidence about each entity, by its key, both in a fixed order.

    Facts that name the entity with ``@`` are its evidence; where those are fewer than
    `NAMED_ENOUGH`, also those that mention it and are short.
    """
    sql = duck.fill(
        """
        SELECT id, kind, content, day, entities, heads || tags,
            id IN (SELECT supersedes FROM facts WHERE supersedes IS NOT NULL)
            AND id NOT IN (SELECT keeps FROM facts WHERE keeps IS NOT NULL)
        FROM facts
        WHERE starts_with(path, 'memory/') AND day IS NOT NULL AND origin = ? AND kind != ?
        ORDER BY day, id
        """,
        Origin.WRITTEN, Kind.OBSERVATION,
    )  # fmt: skip
    found: dict[str, list[Evidence]] = {}
    for id_, kind, content, day, keys, names, superseded in corpus.connection.execute(
        sql
    ).fetchall():
        named = {corpus.lexicon.resolve(name) for name in names}
        for own in keys or ():
            if own in named or len(content) <= MENTION_LENGTH:
                fact = Evidence(id_, Kind(kind), content, day, own in named, superseded)
                found.setdefault(own, []).append(fact)
    for own, facts in found.items():
        named_facts = [fact for fact in facts if fact.named]
        if len(named_facts) >= NAMED_ENOUGH:
            found[own] = named_facts
    return dict(sorted(found.items()))
