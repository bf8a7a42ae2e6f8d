"""Facts that say what their first entity has one of, and which of them takes another's place.

Only evidence counts, and only what `memlab.workspace.slots` reads as a claim. The later fact must
stand on a page of a later day, and must not speak of a time before the earlier one.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.store import duck
from memlab.store.evidence import IS_EVIDENCE
from memlab.workspace import slots

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memlab.store.corpus import Corpus
    from memlab.workspace.slots import Claim

_BRIEF = 160  # characters; a longer text tells of more than its claims


@dataclass(frozen=True, slots=True)
class Saying:
    """A fact that says what its first entity has one of.

    Attributes:
        row: Its row.
        day: The day of its page, counted from year 1.
        time: The last day that it speaks of, or ``day`` where that lies later.
        entity: The key of its first entity.
        claims: What it says.
        brief: Whether it says little else, so that it does not hold when its claims do not.
    """

    row: int
    day: int
    time: int
    entity: str
    claims: tuple[Claim, ...]
    brief: bool = True


def successors(sayings: Iterable[Saying]) -> Iterator[tuple[int, int, int]]:
    """The row whose place was taken, the row that took it, and its day, for each such fact.

    A fact with several claims gives way with the last of them.

    Args:
        sayings: In the order of their days.
    """
    # by entity and slot, and then by claim, the facts that nothing has taken the place of
    held: dict[tuple[str, str], dict[Claim, list[Saying]]] = defaultdict(dict)
    left: dict[int, int] = {}
    for one in sayings:
        left[one.row] = len(one.claims) + (not one.brief)
        for claim in one.claims:
            standing = held[one.entity, claim.slot]
            for other, facts in list(standing.items()):
                if not slots.replaces(claim, other):
                    continue
                stay = []
                for fact in facts:
                    if fact.day < one.day and fact.time < one.time:
                        left[fact.row] -= 1
                        if not left[fact.row]:
                            yield fact.row, one.row, one.day
                    else:
                        stay.append(fact)
                standing[other] = stay
                if not stay:
                    del standing[other]
            standing.setdefault(claim, []).append(one)


def find(corpus: Corpus) -> Iterator[Saying]:
    """Every fact that makes a claim, by day."""
    sql = f"""
        SELECT row, day, when_start, when_end, heads, entities, content FROM facts
        WHERE {IS_EVIDENCE} AND len(entities) > 0 AND regexp_matches(content, ?)
        ORDER BY day, row
    """
    with duck.reading(corpus.snapshot):
        rows = corpus.connection.execute(duck.fill(sql, slots.CUES)).fetchall()
    resolve = corpus.lexicon.resolve
    spellings: dict[str, list[str]] = defaultdict(list)
    for spelling, own in corpus.lexicon.spellings():
        spellings[own].append(spelling)
    for row, day, start, end, heads, entities, content in rows:
        if start and start > day:  # of the future
            continue
        first = resolve(heads[0]) if heads else entities[0]
        if first is None:
            continue
        claims = slots.claims(content, spellings[first], named=not heads)
        if claims:
            time = min(end, day) if end else day
            brief = len(content) <= _BRIEF
            yield Saying(row, day.toordinal(), time.toordinal(), first, claims, brief)
