"""The forms in which stories are told: with given stances, and as a workspace to be judged."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from memlab.opinions import Event
from memlab.synth import opinions as synth
from memlab.tokens import tokens
from memlab.workspace.entities import key

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping, Sequence

    from memlab.opinions import Detector, Label
    from memlab.synth.opinions import Story

SCORE = 0.9
"""The score of a stance that is given."""


def given(story: Story) -> list[Event]:
    """A story's notes as events, with the stances that were meant."""
    return [
        _event(story, note.day, f"f-{number:04}", note.text, (note.label, SCORE))
        for number, note in enumerate(story.notes)
    ]


def judged(told: Sequence[Story], judges: Mapping[str, Detector]) -> dict[str, list[list[Event]]]:
    """The same as a workspace: its facts about each person, as each detector judges them.

    Args:
        told: Stories, each about another person.
        judges: Detectors by their specs.

    Returns:
        For each spec, the events of each story.
    """
    from memlab.session import Session
    from memlab.store.evidence import by_entity, find

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "stories"
        synth.write(told, root)
        with Session(root, now=told[0].days[-1], refresh="always") as session:
            evidence = by_entity(find(session.corpus()))
    forms: dict[str, list[list[Event]]] = {}
    for spec, judge in judges.items():
        forms[spec] = []
        for story in told:
            facts = [f for f in evidence[key(story.who)] if f.content != story.statement]
            stances = judge.judge([(story.statement, fact.content) for fact in facts])
            forms[spec].append([
                _event(story, fact.day, fact.id, fact.content, (stance.label, stance.score))
                for fact, stance in zip(facts, stances, strict=True)
            ])  # fmt: skip
    return forms


def _event(story: Story, day: dt.date, fact: str, text: str, stance: tuple[Label, float]) -> Event:
    words = frozenset(tokens(text))
    return Event(day, fact, *stance, entities=frozenset({key(story.who)}), words=words)
