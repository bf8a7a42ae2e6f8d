"""Opinions made up from a seed, with the truth beside them: who changes their mind, and when.

A story is one person's one statement and what notes say of it day by day. Each note has the stance
that its writer meant, so a story can be told in two forms: as events with given stances, for an
updater alone, and as the daily logs of a workspace, for a detector or a reflect that has to find
out. The words are ours; some notes have plain cues ("no longer"), some leave them to the reader.
"""

from __future__ import annotations

import datetime as dt
import itertools
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.errors import ParameterError, UnknownNameError
from memlab.opinions.base import Label
from memlab.synth import writer
from memlab.synth.themes import THEMES
from memlab.synth.world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from memlab.synth.themes import Theme

    Plan = Iterator[tuple[int, Label, bool]]

START = dt.date(2025, 1, 1)
DAYS = 90
"""So many days has every story."""
PRIOR = 0.7
"""The confidence with which a statement is first written down."""

_FOR, _AGAINST, _BESIDE = Label.SUPPORTS, Label.CONTRADICTS, Label.NEUTRAL


@dataclass(frozen=True, slots=True)
class Note:
    """What a log says on a day.

    Attributes:
        day: The day.
        text: Its words.
        label: What it does to the statement, as its writer meant it.
    """

    day: dt.date
    text: str
    label: Label


@dataclass(frozen=True, slots=True)
class Story:
    """One statement, and what there is to know about it.

    Attributes:
        scenario: Its scenario.
        number: Its number within it, from 0.
        who: The person.
        statement: What is held, with `PRIOR`, from `START`.
        notes: Oldest first.
        changes: The days from which the truth is another; it holds at first.
    """

    scenario: str
    number: int
    who: str
    statement: str
    notes: tuple[Note, ...]
    changes: tuple[dt.date, ...] = ()

    def holds(self, day: dt.date) -> bool:
        """Whether the statement is true on a day."""
        return sum(change <= day for change in self.changes) % 2 == 0

    @property
    def days(self) -> list[dt.date]:
        """All days, in order."""
        return [START + dt.timedelta(days=number) for number in range(DAYS)]


def _stable(draw: random.Random) -> tuple[Plan, Sequence[int]]:
    """The statement holds all along, and so say all notes."""
    return ((day, _FOR, False) for day in _days(draw)), ()


def _drifting(draw: random.Random) -> tuple[Plan, Sequence[int]]:
    """The share of notes that support falls from .95 to .05; the truth changes halfway."""
    first = draw.randrange(15, 25)
    last = first + 50
    plan = [
        (day, _FOR if draw.random() < 0.95 - 0.9 * _ramp(day, first, last) else _AGAINST, False)
        for day in _days(draw)
    ]
    return iter(plan), [(first + last) // 2]


def _flipping(draw: random.Random) -> tuple[Plan, Sequence[int]]:
    """The truth changes in a day, and later back; all notes follow at once."""
    changes = [draw.randrange(25, 35), draw.randrange(55, 65)]
    return (
        (day, _AGAINST if changes[0] <= day < changes[1] else _FOR, False) for day in _days(draw)
    ), changes


def _noisy(draw: random.Random) -> tuple[Plan, Sequence[int]]:
    """The statement holds, and one note in five says the contrary."""
    plan = [(day, _AGAINST if draw.random() < 0.2 else _FOR, False) for day in _days(draw)]
    return iter(plan), ()


def _repetition(draw: random.Random) -> tuple[Plan, Sequence[int]]:
    """The statement holds; one note against it is copied twice a day, ten days long."""
    first = draw.randrange(35, 50)
    copies = [(first + number // 2, _AGAINST, True) for number in range(20)]
    held = [(day, _FOR, False) for day in _days(draw)]
    return iter(sorted([*held, *copies])), ()


SCENARIOS: dict[str, Callable[[random.Random], tuple[Plan, Sequence[int]]]] = {
    "stable": _stable,
    "drifting": _drifting,
    "flipping": _flipping,
    "noisy": _noisy,
    "repetition": _repetition,
}
"""Who says what, when, by name."""


def stories(scenario: str, *, count: int = 10, seed: int = 0) -> list[Story]:
    """Stories of a scenario, each about another person; the same arguments give the same ones.

    Args:
        scenario: A name from `SCENARIOS`.
        count: How many.
        seed: Of all that is drawn.

    Raises:
        UnknownNameError: If there is no such scenario.
        ParameterError: If fewer than one are asked for.
    """
    if scenario not in SCENARIOS:
        raise UnknownNameError("scenario", scenario, list(SCENARIOS))
    if count < 1:
        raise ParameterError(f"stories must be at least 1, got {count}")
    draw = random.Random(f"{scenario} {seed}")  # noqa: S311  # no secret
    names = World(seed, count).names
    return [_story(scenario, number, who, draw) for number, who in enumerate(names)]


def write(told: Iterable[Story], root: Path) -> None:
    """Write stories as the daily logs of one workspace; each statement as an O bullet at first.

    Raises:
        WriteError: If the folder is there already.
    """
    lines: dict[dt.date, list[str]] = {}
    for story in told:
        lines.setdefault(START, []).append(f"- O(c={PRIOR}) @{story.who}: {story.statement}")
        for note in story.notes:
            lines.setdefault(note.day, []).append(f"- B @{story.who}: {note.text}")
    for day, bullets in sorted(lines.items()):
        writer.write_page(root, day, "\n".join([f"# {day}", "", "## Retain", "", *bullets, ""]))


def _story(scenario: str, number: int, who: str, draw: random.Random) -> Story:
    theme = THEMES[number % len(THEMES)]
    plan, changes = SCENARIOS[scenario](draw)
    notes = list(_notes(plan, theme, who, draw))
    # what has nothing to do with the statement is the most of any log
    for day in _days(draw):
        text = draw.choice(theme.beside).format(who=who)
        notes.append(Note(START + dt.timedelta(days=day), text, _BESIDE))
    notes.sort(key=lambda note: note.day)
    days = tuple(START + dt.timedelta(days=day) for day in changes)
    return Story(scenario, number, who, theme.statement.format(who=who), tuple(notes), days)


def _notes(plan: Plan, theme: Theme, who: str, draw: random.Random) -> Iterator[Note]:
    """A note for each entry of a plan, so that two in a row on one side have not the same words."""
    turns = {}
    for label, texts in ((_FOR, theme.supports), (_AGAINST, theme.against)):
        turns[label] = itertools.cycle(draw.sample(texts, len(texts)))
    repeated = draw.choice(theme.against)
    for day, label, copied in plan:
        text = repeated if copied else next(turns[label])
        yield Note(START + dt.timedelta(days=day), text.format(who=who), label)


def _days(draw: random.Random) -> Iterator[int]:
    """Days with a note: one in four, none on the first."""
    day = draw.randrange(2, 6)
    while day < DAYS:
        yield day
        day += draw.randrange(3, 6)


def _ramp(day: int, first: int, last: int) -> float:
    return min(1.0, max(0.0, (day - first) / (last - first)))
