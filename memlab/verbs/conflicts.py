"""Conflicts: facts that cannot both hold, such as "lives in Paris" and, later, "moved to Berlin".

They are told apart by the table of slots (`memlab.workspace.slots`); nothing is written, and a log
stays as it is. A conflict is settled where one of the facts took the other's place: the later day
decides, unless a line says otherwise (`memlab.store.succession`). It is open where both stand on
one day, or where a person kept the older one.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.session import mending
from memlab.verbs.recall import window_of
from memlab.workspace import slots

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memlab.session import Refresh, Session
    from memlab.store.corpus import Corpus
    from memlab.store.sayings import Saying
    from memlab.types import Fact, TimeRange
    from memlab.workspace.slots import Claim


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two facts about one entity that cannot both hold.

    Attributes:
        entity: The entity's name.
        slot: What it has one of: see `memlab.workspace.slots.SLOTS`.
        older: The fact of the earlier day; of facts that say the same, the last.
        newer: The first fact after it that goes against it.
        settled: Whether the older one gave way.
    """

    entity: str
    slot: str
    older: Fact
    newer: Fact
    settled: bool

    def __str__(self) -> str:
        state = "gave way to" if self.settled else "is open against"
        return (
            f"{self.entity}, {self.slot}: {self.older.content} ({self.older.day}, "
            f"{self.older.source}) {state} {self.newer.content} ({self.newer.day}, "
            f"{self.newer.source})"
        )

    def to_dict(self) -> dict[str, object]:
        """Plain values, as ``memlab conflicts --json`` prints them."""
        return {
            "entity": self.entity, "slot": self.slot, "settled": self.settled,
            "older": _told(self.older), "newer": _told(self.newer),
        }  # fmt: skip


@mending
def conflicts(
    session: Session,
    *,
    since: str | dt.date | None = None,
    until: str | dt.date | None = None,
    now: dt.datetime | dt.date | str | None = None,
    refresh: Refresh | None = None,
) -> list[Conflict]:
    """All conflicts, by the day on which they came up.

    Args:
        session: The open workspace.
        since: Only those that came up that day or later, as recall reads it.
        until: Only those that came up that day or earlier.
        now: The clock that both are read against.
        refresh: ``auto``, ``always`` or ``never``; the session's by default.

    Raises:
        ParameterError: If ``since`` or ``until`` is no day.
    """
    window = window_of(since, until, session.now(now))
    return among(session.corpus(refresh), window=window)


def among(
    corpus: Corpus, *, window: TimeRange | None = None, as_of: dt.date | None = None
) -> list[Conflict]:
    """The conflicts of a snapshot.

    Args:
        corpus: The facts.
        window: Only conflicts that came up in these days; None for all.
        as_of: As if pages of later days were not there; None for all pages.
    """
    first = window.start.toordinal() if window else 0
    last = min(
        window.end.toordinal() if window else dt.date.max.toordinal(),
        as_of.toordinal() if as_of else dt.date.max.toordinal(),
    )
    # only where something was said in these days can anything have come up
    about = {one.entity for one in corpus.sayings if first <= one.day <= last}
    pairs = [
        pair for pair in _pairs(one for one in corpus.sayings if one.entity in about)
        if first <= pair[3].day <= last
    ]  # fmt: skip
    if not pairs:
        return []
    rows = sorted({one.row for pair in pairs for one in pair[2:]})
    facts = dict(zip(rows, corpus.facts(rows), strict=True))
    gone = corpus.successions.on(as_of)
    names = corpus.lexicon.names
    found = [
        Conflict(names.get(own, own), slot, facts[older.row], facts[newer.row], older.row in gone)
        for own, slot, older, newer in pairs
    ]
    return sorted(found, key=lambda one: (one.newer.day, one.newer.id, one.older.id))


def superseded(corpus: Corpus, as_of: dt.date | None = None) -> dict[int, tuple[str, str]]:
    """The rows of facts whose place was taken, each with its id and the id of what took it.

    Args:
        corpus: The facts.
        as_of: As it was known on a day; None for now.
    """
    places = corpus.successions.on(as_of)
    rows = sorted({*places, *places.values()})
    ids = dict(zip(rows, corpus.ids(rows), strict=True))
    return {old: (ids[old], ids[new]) for old, new in places.items()}


def _pairs(found: Iterable[Saying]) -> Iterator[tuple[str, str, Saying, Saying]]:
    """Entity, slot, and two facts, the older one first, of which the newer replaces the other."""
    # by entity and slot, the last fact that makes each claim which nothing has gone against
    held: dict[tuple[str, str], dict[Claim, Saying]] = defaultdict(dict)
    for one in found:
        for claim in one.claims:
            standing = held[one.entity, claim.slot]
            for other in [other for other in standing if slots.replaces(claim, other)]:
                older = standing.pop(other)
                if older.row != one.row:
                    yield one.entity, claim.slot, older, one
            standing[claim] = one


def _told(fact: Fact) -> dict[str, object]:
    return {
        "id": fact.id, "day": fact.day and fact.day.isoformat(), "source": str(fact.source),
        "content": fact.content,
    }  # fmt: skip
