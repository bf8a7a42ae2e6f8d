"""memlab's own rule: small steps; a big one needs strong contradiction and repeated evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.opinions.base import check_unit, is_against, run_length

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memlab.opinions.base import Event


@dataclass(frozen=True, slots=True)
class Small:
    """Steps of fixed size, symmetric in what is held: ``c`` > .5 or ``1 - c`` > .5.

    With the sign ``z`` of the event, its score ``s``, and ``n`` strong events in a row that say the
    same, this one included:

    - for what is held: ``c + z * gain * s``;
    - against it: ``c + z * step * s``;
    - against it, strongly, and ``n >= repeats``: ``c + z * jump``.

    So one event against never moves ``c`` by more than ``step``, and with the defaults three
    strong ones in a row bring any ``c`` to the other side: 1 - .06 - .3 - .3 = .34 at the weakest
    strong score, .6.

    Attributes:
        gain: A step for what is held.
        step: A step against it.
        jump: A step against it when that is strong and repeated.
        repeats: So many strong events in a row are repeated evidence.
    """

    gain: float = 0.05
    step: float = 0.1
    jump: float = 0.3
    repeats: int = 2

    def __post_init__(self) -> None:
        check_unit(gain=self.gain, step=self.step, jump=self.jump)

    def update(self, confidence: float, event: Event, past: Sequence[Event]) -> float:
        """The confidence after an event; see `memlab.opinions.base.Updater`."""
        size = self.gain * event.score
        if is_against(confidence, event.label):
            repeated = run_length(event, past) >= max(self.repeats, 1)
            size = self.jump if repeated else self.step * event.score
        return min(1.0, max(0.0, confidence + event.label.sign * size))
