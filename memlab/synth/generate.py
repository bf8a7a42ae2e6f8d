"""From a seed to a workspace with questions whose answers are known."""

from __future__ import annotations

import datetime as dt
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from memlab.errors import ParameterError, WriteError
from memlab.synth import writer
from memlab.synth.world import SLOTS, Change, Event, World

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    Row = tuple[dict[str, str], list[tuple[str, int]]]

START = dt.date(2025, 1, 1)
CATEGORIES = ("current", "past", "opinion", "event", "unanswerable")
_KEPT = 50_000  # meetings that questions may be about; at a million facts not all are needed


@dataclass
class _Ledger:
    """Which lines tell what, oldest first: of each slot, of each opinion, of each meeting."""

    told: dict[tuple[str, str], list[tuple[dt.date, str, str]]] = field(default_factory=dict)
    meetings: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)

    def note(self, event: Event, day: dt.date, source: str) -> None:
        who = event.entities[0]
        if event.sort == "meeting":
            if len(self.meetings) < _KEPT or (who, event.subject) in self.meetings:
                self.meetings.setdefault((who, event.subject), []).append(source)
            return
        lines = self.told.setdefault((who, event.subject), [])
        if lines and lines[-1][1] != event.value:
            _, before, replaced = lines[-1]
            self.changes.append(
                Change(who, event.subject, before, event.value, day, source, replaced)
            )
        lines.append((day, event.value, source))


def generate(
    folder: str | os.PathLike[str],
    *,
    facts: int = 500,
    days: int = 60,
    people: int = 12,
    questions: int = 100,
    seed: int = 0,
) -> writer.Truth:
    """Make a workspace, with ``<folder>.queries.jsonl`` and ``<folder>.qrels.tsv`` beside it.

    The same arguments give the same bytes. Memory stays small: only what questions may ask for is
    kept while pages are written.

    Args:
        folder: Where it is made; it must not exist yet.
        facts: How many facts, one a line.
        days: Over how many days they are spread, from January 1, 2025.
        people: How many people there are.
        questions: At most how many questions, spread over `CATEGORIES`.
        seed: Of all that is drawn.

    Raises:
        ParameterError: If a number is less than 1, or there are fewer than two people.
        WriteError: If the folder is there already.
    """
    for name, value, least in (
        ("facts", facts, 1), ("days", days, 1), ("people", people, 2), ("questions", questions, 0),
    ):  # fmt: skip
        if value < least:
            raise ParameterError(f"{name} must be at least {least}, got {value}")
    root = Path(folder)
    if root.exists():
        raise WriteError("is there already", where=str(root), hint="Choose another folder")
    world = World(seed, people)
    ledger = _Ledger()
    for number in range(days):
        day = START + dt.timedelta(days=number)
        count = (number + 1) * facts // days - number * facts // days
        if not count:
            continue
        events = [world.event() for _ in range(count)]
        text, cited = writer.page(day, events)
        writer.write_page(root, day, text)
        for event, source in zip(events, cited, strict=True):
            ledger.note(event, day, source)
    last = START + dt.timedelta(days=days - 1)
    file = root.with_name(f"{root.name}.queries.jsonl")
    rows = _ask(world, ledger, questions, last, random.Random(seed))  # noqa: S311  # no secret
    counts = writer.write_questions(file, rows)
    return writer.Truth(root, file, facts, tuple(world.names), tuple(ledger.changes), counts)


def _ask(
    world: World, ledger: _Ledger, count: int, last: dt.date, draw: random.Random
) -> Iterator[Row]:
    """Questions of all categories in turn, until there are enough or none is left."""
    slots = [key for key in ledger.told if key[1] in SLOTS]
    topics = [key for key in ledger.told if key[1] not in SLOTS]
    free = [(who, slot) for who in world.names for slot in SLOTS if (who, slot) not in ledger.told]
    left = {
        "current": list(slots), "past": [key for key in slots if len(ledger.told[key]) > 1],
        "opinion": topics, "event": list(ledger.meetings), "unanswerable": free,
    }  # fmt: skip
    for keys in left.values():
        draw.shuffle(keys)
    asked = 0
    while asked < count and any(left.values()):
        for category in CATEGORIES:
            if asked < count and left[category]:
                asked += 1
                key = left[category].pop()
                text, sources = _question(category, key, ledger, draw)
                row = {"id": f"{category}-{asked:05}", "category": category}
                yield {**row, "query": text, "now": str(last)}, sources


def _question(
    category: str, key: tuple[str, str], ledger: _Ledger, draw: random.Random
) -> tuple[str, list[tuple[str, int]]]:
    """A question, and the lines that answer it (1) or only look as if they did (0)."""
    who, subject = key
    if category == "event":
        return f"With whom did {who} deal with {subject}?", [(s, 1) for s in ledger.meetings[key]]
    if category == "unanswerable":
        return SLOTS[subject][1].format(who), []
    lines = ledger.told[key]
    if category == "past":
        place = draw.randrange(len(lines) - 1)
        text = SLOTS[subject][2].format(who, lines[place][0])
        # of several changes in one day, the last holds at its end
        place = max(i for i, line in enumerate(lines) if line[0] == lines[place][0])
    else:
        place = len(lines) - 1
        opinion = f"What does {who} think of {subject}?"
        text = opinion if category == "opinion" else SLOTS[subject][1].format(who)
    return text, [(source, int(i == place)) for i, (_, _, source) in enumerate(lines)]
