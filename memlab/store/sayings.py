"""Facts that say what their first entity has one of, and which of them takes another's place.

Only evidence counts, and only what `memlab.workspace.slots` reads as a claim. The later fact must
stand on a page of a later day, and must not speak of a time before the earlier one. What was read
for the snapshot before is carried over as far as its facts and the names of entities are the same.
"""

from __future__ import annotations

import json
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.errors import StoreError
from memlab.store import duck
from memlab.store.evidence import IS_EVIDENCE, dated
from memlab.workspace import slots
from memlab.workspace.slots import Claim

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from memlab.store.corpus import Corpus

_BRIEF = 160  # characters; a longer text tells of more than its claims


@dataclass(frozen=True, slots=True)
class Saying:
    """A fact that says what its first entity has one of.

    Attributes:
        day: The day of its page, counted from year 1.
        path: Its page.
        line: The line where it starts.
        row: Its row.
        time: The last day that it speaks of, or ``day`` where that lies later.
        entity: The key of its first entity.
        brief: Whether it says little else, so that it does not hold when its claims do not.
        claims: What it says.
    """

    day: int
    path: str
    line: int
    row: int
    time: int
    entity: str
    brief: bool
    claims: tuple[Claim, ...]

    @property
    def order(self) -> tuple[int, str, int, int]:
        """What comes first: the earlier day, then the upper line."""
        return self.day, self.path, self.line, self.row


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


def find(corpus: Corpus, name: str) -> list[Saying]:
    """Every fact that makes a claim, by day.

    Args:
        corpus: The facts.
        name: What the file is called, derived from the snapshot, that keeps them for the next one.
    """
    names = {own: (spelled, *aliases) for own, spelled, _, aliases in corpus.arrays.entities}
    found, rows, keys = _carried(corpus, name, names)
    found += _read(corpus, names, rows, keys)
    found.sort(key=lambda one: one.order)
    with corpus.place.aside() as folder:
        _save(found, folder / name)
        corpus.place.put(folder / name, corpus.derived(name))
    return found


def _read(
    corpus: Corpus, names: dict[str, tuple[str, ...]], rows: list[int] | None, keys: list[str]
) -> Iterator[Saying]:
    """What facts say: those of some rows and those about some entities first; all for None."""
    only = ""
    if rows is not None:
        about = [row for own in keys for row in corpus.rows_about(own).tolist()]
        only = f"AND {duck.among(sorted({*rows, *about}))}"
        if keys:
            only += duck.fill(" AND (row IN (SELECT unnest(?::INTEGER[]))", rows)
            only += duck.fill(" OR entities[1] IN (SELECT unnest(?::VARCHAR[])))", keys)
    sql = f"""
        WITH read AS MATERIALIZED (
            SELECT day, path, start_line, row, when_start, when_end, entities[1], len(heads),
                content FROM facts WHERE {IS_EVIDENCE} AND len(entities) > 0 {only}
        ) FROM read
    """
    if rows is None:  # to look for cues in the database pays where there are many to look at
        sql += f" WHERE regexp_matches(content, {duck.literal(slots.CUES)})"
    with duck.reading(corpus.snapshot):
        facts = corpus.connection.execute(sql).fetchall()
    for day, path, line, row, start, end, first, heads, content in facts:
        if start and start > day:  # of the future
            continue
        claims = slots.claims(content, names[first], named=not heads)
        if claims:
            time = min(end, day) if end else day
            brief = len(content) <= _BRIEF
            days = day.toordinal(), time.toordinal()
            yield Saying(days[0], path, line, row, days[1], first, brief, claims)


def _carried(
    corpus: Corpus, name: str, names: dict[str, tuple[str, ...]]
) -> tuple[list[Saying], list[int] | None, list[str]]:
    """What the snapshot before has, and the rows and first entities to read anew; all for None."""
    from memlab.store.corpus import Corpus as Other

    before = corpus.place.previous()
    if before is not None and before != corpus.snapshot:
        with (
            suppress(StoreError, OSError, ValueError, TypeError),
            Other(corpus.place, before) as other,
        ):
            if corpus.arrays.base != before.name:
                return [], None, []
            sayings = load(other.derived(name))
            known = {own: (spelled, *more) for own, spelled, _, more in other.arrays.entities}
            keys = {own for own, spelled in names.items() if known.get(own) != spelled}
            touched = corpus.arrays["touched"]
            offsets, fresh = corpus.arrays["offsets"], {*touched.tolist()}
            rows = touched[dated(corpus)[touched]].tolist()
            carried = [
                one
                for one in sayings
                if one.row < len(offsets) and offsets[one.row] >= 0
                and one.row not in fresh and one.entity not in keys
            ]  # fmt: skip
            return carried, rows, sorted(keys)
    return [], None, []


def _save(sayings: Iterable[Saying], file: Path) -> None:
    rows = [
        (one.day, one.path, one.line, one.row, one.time, one.entity, one.brief,
         [(claim.slot, claim.value, _text(claim.words), _text(claim.scope), _text(claim.over),
           claim.denied, claim.now) for claim in one.claims])
        for one in sayings
    ]  # fmt: skip
    file.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")


def load(file: Path) -> list[Saying]:
    """What `find` kept in a file.

    Raises:
        OSError: If there is none.
        ValueError: If it cannot be read; also TypeError.
    """
    rows = json.loads(file.read_text(encoding="utf-8"))
    return [
        Saying(
            day, path, line, row, time, entity, brief,
            tuple(
                Claim(slot, value, _set(words), _set(scope), _set(over), denied, now)
                for slot, value, words, scope, over, denied, now in claims
            ),
        )
        for day, path, line, row, time, entity, brief, claims in rows
    ]  # fmt: skip


def _text(words: frozenset[str]) -> str:
    return " ".join(sorted(words))


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())
