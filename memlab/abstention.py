"""Whether the notes answer at all, by the retrievers' own evidence.

Three things tell an answer from the nearest of what is there: how much of the question's words, by
their idf, stand in one of the best hits and in all of them together, and how near the nearest facts
are in meaning. They are added up and compared with what questions with and without an answer gave;
see docs/budget.md for which, and for what this cannot tell: a question about something that the
notes speak of at length, but whose answer they leave out, looks like any other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memlab.embedding import DEFAULT
from memlab.registry import Spec

if TYPE_CHECKING:
    from memlab.pipeline import Trace
    from memlab.retrievers.base import Index
    from memlab.types import Query

SEEN = 10
"""How many of the best hits are looked at, however many are asked for."""
DOUBTED = 0.5
"""An answer of less confidence is none."""

# score = best + _WEIGHT * weight + _TOGETHER * together, with what a retriever of words tells
_WEIGHT, _TOGETHER, _WORDS = 0.12, 0.5, 1.25
_WORDS_SLOPE = 6.0
# score = nearness + _BEST * best, with what `dense` tells, as it spreads vectors out by default;
# nearness = cosine + _ACROSS * across; models differ in scale
_BEST, _ACROSS, _NEAR_SLOPE = 0.1, 0.09, 40.0
_NEAR = {"e5-small": 0.169, "minilm": 0.222, "e5-small+minilm": 0.175}  # the least that answers
# parameters of `dense` that leave nearness as it is
_SAME_SCALE = {"embedding", "most", "scan", "storage", "near", "feedback"}
# so much of the words in one hit is an answer, however far its meaning seems
_ENOUGH = 0.7


@dataclass(frozen=True, slots=True)
class Evidence:
    """How well a question's words and meaning are met by the best hits.

    Attributes:
        missing: The search terms of the question that stand in none of them.
        best: The share of the question's words, by idf, in the hit that has most, in [0, 1].
        together: The share that stands in any, in [0, 1].
        weight: The sum of the idf of the words in the hit that has most.
        nearness: How near the nearest facts are in meaning, a mean of cosines with an allowance for
            those in another language; None where no retriever tells.
        confidence: From 0 to 1, 0.5 where it begins to be doubted; no probability.
    """

    missing: tuple[str, ...]
    best: float
    together: float
    weight: float
    nearness: float | None
    confidence: float

    def __str__(self) -> str:
        parts = [f"confidence {self.confidence:.2f}"]
        parts.append(f"{self.best:.0%} of the words in one hit, {self.together:.0%} in all")
        if self.nearness is not None:
            parts.append(f"nearness {self.nearness:.3f}")
        if self.missing:
            parts.append(f"missing: {', '.join(self.missing)}")
        return "; ".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "confidence": self.confidence, "best": self.best, "together": self.together,
            "weight": self.weight, "nearness": self.nearness, "missing": list(self.missing),
        }  # fmt: skip


def evidence(index: Index, query: Query, trace: Trace) -> Evidence | None:
    """What tells whether a run answers a question; None where no retriever tells anything.

    Args:
        index: What was searched.
        query: The question.
        trace: What it gave, at least `SEEN` deep where there is so much.
    """
    import numpy as np

    covered: Any = getattr(index, "covered", None)
    found = covered(query.text, trace.run.rows[:SEEN]) if covered else None
    if found is None:
        return None
    terms, idf, there = found
    total = float(idf.sum()) or 1.0
    each = there @ idf if len(there) else np.zeros(1)
    some = there.any(axis=0) if len(there) else np.zeros(len(terms), dtype=bool)
    weight, together = float(each.max()), float(idf[some].sum()) / total
    missing = tuple(term for term, has in zip(terms, some.tolist(), strict=True) if not has)
    best = weight / total
    nearness, least = _nearness(index, query)
    if nearness is None:
        confidence = _words(best, together, weight)
    else:
        near = _sigmoid(_NEAR_SLOPE * (nearness + _BEST * best - least))
        confidence = max(near, _sigmoid(_WORDS_SLOPE * (best - _ENOUGH)))
    return Evidence(
        missing, round(best, 5), round(together, 5), round(weight, 5), nearness,
        round(confidence, 5) if len(there) else 0.0,
    )  # fmt: skip


def _words(best: float, together: float, weight: float) -> float:
    score = best + _WEIGHT * weight + _TOGETHER * together
    return _sigmoid(_WORDS_SLOPE * (score - _WORDS))


def _nearness(index: Index, query: Query) -> tuple[float | None, float]:
    """How near the nearest facts are, by a model of known scale, and the least that answers."""
    told: Any = getattr(index, "nearness", None)
    for spec, near in (told(query) if told else {}).items():
        parsed = Spec.parse(spec)
        least = _NEAR.get(str(parsed.parameters.get("embedding", DEFAULT)))
        if parsed.name == "dense" and parsed.parameters.keys() <= _SAME_SCALE and least:
            return round(near.cosine + _ACROSS * near.across, 5), least
    return None, 0.0


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, x))))
