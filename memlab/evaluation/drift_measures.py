"""Measures of opinions under change, story by story."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING, Any

from memlab.errors import MissingExtraError
from memlab.opinions import Event, Label, distinct, fold
from memlab.synth import opinions as synth
from memlab.tokens import tokens

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator, Sequence

    from memlab.opinions import Trajectory, Updater
    from memlab.synth.opinions import Story

SHUFFLES = 20
"""So many orders of arrival are tried."""


def arrival(prior: float, events: Iterable[Event], updater: Updater) -> float:
    """The confidence of a fold in the order in which events arrive: what `fold` does not do.

    Each event counts as it comes, copies too, and one that comes late counts as the newest.
    """
    confidence, past = prior, list[Event]()
    for event in events:
        if event.hand is not None:
            confidence = event.hand
            past.clear()
        elif event.label is not Label.NEUTRAL:
            confidence = round(updater.update(confidence, event, tuple(past)), 5)
            past.append(event)
    return confidence


def agreement(told: Sequence[Story], events: Sequence[Sequence[Event]]) -> float:
    """The share of notes whose stance is the one that its writer meant."""
    same = [
        event.label is meant[event.day, event.words]
        for story, own in zip(told, events, strict=True)
        for meant in [{(n.day, frozenset(tokens(n.text))): n.label for n in story.notes}]
        for event in own
    ]
    return average(same)


def changes(
    told: Sequence[Story], folded: Sequence[Trajectory], given: Sequence[Sequence[Event]]
) -> dict[str, Any]:
    """Delays and false flips over stories, as `Drift` has them.

    Args:
        told: The stories.
        folded: The trajectory of each.
        given: The events of each with the stances that were meant.
    """
    delays = [delay for rows in zip(told, folded, given, strict=True) for delay in delays_of(*rows)]
    believed = [delay for delay in delays if delay is not None]
    flips = [false_flips(*rows) for rows in zip(told, folded, strict=True)]
    return {
        "changes": len(delays),
        "delay_events": average([events for events, _ in believed]),
        "delay_days": average([days for _, days in believed]),
        "not_believed": len(delays) - len(believed),
        "false_flips": average(flips),
    }


def delays_of(
    story: Story, trajectory: Trajectory, given: Iterable[Event]
) -> Iterator[tuple[int, int] | None]:
    """For each change, after how many events and days it was believed; None where it never was.

    Counted are the events that tell of the change, copies once, those of its day included.
    """
    telling = distinct(given)
    for number, change in enumerate(story.changes, start=1):
        wanted = Label.SUPPORTS if story.holds(change) else Label.CONTRADICTS
        later = story.changes[number : number + 1]
        days = [day for day in story.days if change <= day and not (later and day >= later[0])]
        when = next((day for day in days if is_right(story, trajectory, day)), None)
        if when is None:
            yield None
            continue
        events = [e for e in telling if e.label is wanted and change <= e.day <= when]
        yield len(events), (when - change).days


def false_flips(story: Story, trajectory: Trajectory) -> int:
    """How often the wrong side came to be believed though the truth did not change that day."""
    days = story.days
    return sum(
        is_right(story, trajectory, before)
        and not is_right(story, trajectory, day)
        and story.holds(before) == story.holds(day)
        for before, day in itertools.pairwise(days)
    )


def is_right(story: Story, trajectory: Trajectory, day: dt.date) -> bool:
    """Whether the right side is believed at a day's end; at .5 neither is."""
    confidence = trajectory.at(day)
    return confidence > 0.5 if story.holds(day) else confidence < 0.5


def order(events: Sequence[Sequence[Event]], updater: Updater, seed: int) -> dict[str, float]:
    """How much the last confidence depends on the order in which the same events arrive.

    Args:
        events: The events of each story.
        updater: What folds them.
        seed: Of the orders.

    Returns:
        ``spread``, ``spread_arrival`` and ``sides_arrival``, as `Drift` has them.
    """
    draw = random.Random(seed)  # noqa: S311  # no secret
    spreads: list[float] = []
    naive: list[float] = []
    sides: list[bool] = []
    for own in events:
        orders = [draw.sample(own, len(own)) for _ in range(SHUFFLES)]
        last = [fold(synth.PRIOR, order, updater).confidence for order in orders]
        came = [arrival(synth.PRIOR, order, updater) for order in orders]
        spreads.append(max(last) - min(last))
        naive.append(max(came) - min(came))
        sides.append(min(came) <= 0.5 < max(came))
    return {
        "spread": average(spreads), "spread_arrival": average(naive),
        "sides_arrival": average(sides),
    }  # fmt: skip


def brier(holds: Any, confidence: Any) -> float:
    """The mean squared error of confidences (Brier 1950), by scikit-learn.

    Args:
        holds: Truths, shape (n,).
        confidence: Confidences in [0, 1], shape (n,).

    Raises:
        MissingExtraError: If scikit-learn is not installed.
    """
    try:
        from sklearn.metrics import brier_score_loss
    except ImportError as error:
        raise MissingExtraError("measuring calibration", extra="embeddings") from error
    return float(brier_score_loss(holds, confidence, pos_label=1))


def average(values: Sequence[float]) -> float:
    """The mean; not a number where there is none."""
    return sum(values) / len(values) if values else float("nan")
