"""Evidence adds up as log-odds, and what is old fades towards not knowing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.errors import ParameterError
from memlab.opinions.base import is_against, run_length

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memlab.opinions.base import Event

_EDGE = 1e-6  # a confidence of 0 or 1 has no finite log-odds
_LONGEST = 3  # a longer run weighs no more than one of three


@dataclass(frozen=True, slots=True)
class LogOdds:
    """A Bayes factor for each event (Good 1950, "Probability and the Weighing of Evidence", ch. 6).

    With ``l = ln(c / (1 - c))``, ``d`` days since the last event, sign ``z``, score ``s``, and
    ``n`` strong events in a row that say the same:
    ``l' = l * 2^(-d / half_life) + z * s * weight * growth^(min(n, 3) - 1)``.

    The factor of ``growth`` is ours and holds only against what is held. Without it the rule cannot
    be both steady and quick: a lone event moves ``c`` by at most ``1 / (1 + e^-w) - .5``, which is
    .1 at w = .405, and three of those move log-odds by 1.2, not the 2.2 of c = .9.

    Fading is put down at the next event, so that a confidence never depends on the clock.

    Attributes:
        weight: Log-odds of one event with score 1.
        growth: How much more the second and the third in a row weigh, each than the one before.
        half_life: Days after which half of the log-odds is left; 0 for no fading.
        limit: Evidence alone does not carry a confidence beyond this, or below 1 less this.
    """

    weight: float = 0.4
    growth: float = 2.5
    half_life: float = 365.0
    limit: float = 0.97

    def __post_init__(self) -> None:
        for name in ("weight", "half_life"):
            if getattr(self, name) < 0:
                raise ParameterError(f"{name} must be at least 0, got {getattr(self, name)}")
        if self.growth < 1:
            raise ParameterError(f"growth must be at least 1, got {self.growth}")
        if not 0.5 < self.limit < 1:
            raise ParameterError(f"limit must lie between 0.5 and 1, got {self.limit}")

    def update(self, confidence: float, event: Event, past: Sequence[Event]) -> float:
        """The confidence after an event; see `memlab.opinions.base.Updater`."""
        odds = _logit(confidence)
        if past and self.half_life:
            odds *= 2 ** (-(event.day - past[-1].day).days / self.half_life)
        weight = self.weight * event.score
        if is_against(confidence, event.label):
            weight *= self.growth ** max(0, min(run_length(event, past), _LONGEST) - 1)
        # what a person wrote may lie beyond the limit: support must not lower it
        bound = max(_logit(self.limit), abs(odds))
        odds = min(bound, max(-bound, odds + event.label.sign * weight))
        return 1 / (1 + math.exp(-odds))


def _logit(confidence: float) -> float:
    inside = min(1 - _EDGE, max(_EDGE, confidence))
    return math.log(inside / (1 - inside))
