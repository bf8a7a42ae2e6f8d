"""The forms in which stories are told: with given stances, and as a workspace to be judged."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from memlab.opinions import Event, Step, Trajectory
from memlab.synth import opinions as synth
from memlab.tokens import tokens
from memlab.workspace.entities import key

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Mapping, Sequence

    from memlab.opinions import Detector, Label
    from memlab.opinions.ledger import Opinion
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


def reflected(
    told: Sequence[Story], updaters: Iterable[str], detector: str
) -> dict[str, list[Trajectory]]:
    """The same once more: what the ledgers of ``bank/opinions.md`` have after one reflect.

    Args:
        told: Stories, each about another person.
        updaters: Specs of updaters; there is one reflect for each.
        detector: The spec of the detector.

    Returns:
        For each updater, the trajectory of each story's statement; one that reflect made no opinion
        of stays where it started.
    """
    from memlab.opinions.ledger import opinions_of
    from memlab.session import Session
    from memlab.verbs.reflect import reflect

    found: dict[str, list[Trajectory]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, spec in enumerate(updaters):
            root = Path(folder) / f"stories-{number}"
            synth.write(told, root)
            with Session(
                root, now=told[0].days[-1], refresh="always", opinions_updater=spec,
                opinions_detector=detector,
            ) as session:  # fmt: skip
                reflect(session)
                made = {one.statement: one for one in opinions_of(session.corpus())}
            found[spec] = [_ledgered(made.get(story.statement)) for story in told]
    return found


def _ledgered(opinion: Opinion | None) -> Trajectory:
    """A ledger as a trajectory."""
    steps = []
    before = synth.PRIOR
    for entry in opinion.entries if opinion else ():
        if entry.verb == "hand":
            event = Event(entry.day, hand=entry.confidence)
        else:
            event = Event(entry.day, entry.fact, entry.label)
        steps.append(Step(event, before, entry.confidence))
        before = entry.confidence
    return Trajectory(synth.PRIOR, tuple(steps))


def _event(story: Story, day: dt.date, fact: str, text: str, stance: tuple[Label, float]) -> Event:
    words = frozenset(tokens(text))
    return Event(day, fact, *stance, entities=frozenset({key(story.who)}), words=words)
