"""A confidence is a fold over events, in the order of day and fact id, whenever they were found.

So an old note that is written late gives what a replay of all notes gives. A person's hand starts
the fold again from what it wrote, and comes last on its day. Notes that tell one event count once.
"""

from __future__ import annotations

import bisect
import dataclasses
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.errors import ParameterError
from memlab.opinions.base import Label

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable

    from memlab.opinions.base import Event, Updater

NEAR_DAYS = 3
"""Facts of one event are at most so many days from the next of it."""
NEAR_WORDS = 0.6
"""And have so much of their words in common (Jaccard)."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a confidence.

    Attributes:
        event: What moved it.
        before: The confidence before, in [0, 1].
        after: The confidence after, in [0, 1].
    """

    event: Event
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Trajectory:
    """All steps of a confidence, oldest first.

    Attributes:
        prior: Where it starts, in [0, 1].
        steps: One for each event that counted.
    """

    prior: float
    steps: tuple[Step, ...] = ()

    @property
    def confidence(self) -> float:
        """The last one."""
        return self.steps[-1].after if self.steps else self.prior

    def at(self, day: dt.date) -> float:
        """The confidence at the end of a day."""
        after = bisect.bisect_right(self.steps, day, key=lambda step: step.event.day)
        return self.steps[after - 1].after if after else self.prior


def fold(prior: float, events: Iterable[Event], updater: Updater) -> Trajectory:
    """The trajectory of a confidence.

    Args:
        prior: Where it starts, in [0, 1], unless an event founds it.
        events: Facts and hands, in any order but for two hands of one day, of which the later one
            comes later. Neutral facts count nothing; copies count once.
        updater: What moves the confidence. It sees the events since the last hand.

    Raises:
        ParameterError: If the prior is no confidence.
    """
    if not 0 <= prior <= 1:
        raise ParameterError(f"a confidence lies in 0 to 1, got {prior}")
    confidence = prior
    past: list[Event] = []
    steps: list[Step] = []
    for event in distinct(events):
        before = confidence
        if event.hand is not None:
            confidence = event.hand
            past.clear()
        elif event.founds is not None:
            confidence = event.founds
            past.append(event)
        elif event.label is Label.NEUTRAL:
            continue
        else:
            # rounded at each step, so that sums of many do not differ from machine to machine
            confidence = round(updater.update(confidence, event, tuple(past)), 5)
            past.append(event)
        steps.append(Step(event, before, confidence))
    return Trajectory(prior, tuple(steps))


def distinct(events: Iterable[Event]) -> list[Event]:
    """The events in the order of the fold, of each group of copies the earliest.

    Two facts are copies if they say the same of the statement, are at most three days apart, share
    an entity and have a Jaccard of words of .6 or more, or if one links to the other's page. Copies
    of copies are copies, so that a note repeated every day stays one event. A fact that supports
    is never the copy of one that contradicts: "likes tea" and "does not like tea" share most words.
    """
    ordered = sorted(events, key=lambda e: (e.day, e.hand is not None, e.fact))
    ordered = _once(ordered)
    root = list(range(len(ordered)))

    def find(place: int) -> int:
        while root[place] != place:
            root[place] = root[root[place]]
            place = root[place]
        return place

    for place, event in enumerate(ordered):
        for earlier in range(place - 1, -1, -1):
            if (event.day - ordered[earlier].day).days > NEAR_DAYS:
                break
            if _copies(ordered[earlier], event):
                first, second = sorted((find(earlier), find(place)))
                root[second] = first
    groups: dict[int, list[Event]] = {}
    for place, event in enumerate(ordered):
        groups.setdefault(find(place), []).append(event)
    return [
        dataclasses.replace(first, copies=tuple(other.fact for other in others))
        for first, *others in groups.values()
    ]


def _once(ordered: list[Event]) -> list[Event]:
    """Without a fact that is there a second time."""
    return [
        event
        for _, same in itertools.groupby(enumerate(ordered), lambda p: p[1].fact or p[0])
        for event in [next(same)[1]]
    ]


def _copies(one: Event, other: Event) -> bool:
    if one.hand is not None or other.hand is not None or one.label is not other.label:
        return False
    if one.page and other.page and (other.page in one.links or one.page in other.links):
        return True
    if not one.entities & other.entities:
        return False
    shared = len(one.words & other.words)
    return shared > 0 and shared >= NEAR_WORDS * len(one.words | other.words)
