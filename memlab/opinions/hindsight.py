"""Hindsight's published rule (arXiv 2512.12818, opinion update of its reflect step)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.opinions.base import Label, check_unit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memlab.opinions.base import Event


@dataclass(frozen=True, slots=True)
class Hindsight:
    """Reinforce ``min(c + a, 1)``, weaken ``max(c - a, 0)``, contradict ``max(c - 2a, 0)``.

    The paper lets a language model choose among the four cases. Here a strong contradiction
    contradicts and any other weakens; scores have no further part.

    Attributes:
        alpha: The paper's a, which it does not publish; others took .1.
    """

    alpha: float = 0.1

    def __post_init__(self) -> None:
        check_unit(alpha=self.alpha)

    def update(self, confidence: float, event: Event, past: Sequence[Event]) -> float:  # noqa: ARG002  # it has no memory
        """The confidence after an event; see `memlab.opinions.base.Updater`."""
        if event.label is Label.SUPPORTS:
            return min(confidence + self.alpha, 1.0)
        if event.label is Label.CONTRADICTS:
            return max(confidence - (2 if event.strong else 1) * self.alpha, 0.0)
        return confidence
