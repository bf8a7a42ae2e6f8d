"""Whether the notes answer at all, by the retrievers' own evidence.

Three things tell an answer from the nearest of what is there: how much of the question's words, by
their idf, stand in one of the best hits and in all of them together, and how near the best hit is
in meaning. They are added up and compared with what questions with and without an answer gave; see
docs/budget.md for which, and for what this cannot tell: a question about something that the notes
speak of at length, but whose answer they leave out, looks like any other.
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

SEEN = 10
"""How many of the best hits are looked at, however many are asked for."""
DOUBTED = 0.5
"""An answer of less confidence is none."""

# score = best + _WEIGHT * weight + _TOGETHER * together, with what a retriever of words tells
_WEIGHT, _TOGETHER, _WORDS = 0.12, 0.5, 1.25
_WORDS_SLOPE = 6.0
# score = cosine + nats * weight, with what `dense` tells, as it spreads vectors out by default;
# models differ in scale
_NEAR = {  # nats, least, slope
    "e5-small": (0.01, 0.295, 40.0),
    "minilm": (0.007, 0.345, 30.0),
    "e5-small+minilm": (0.0085, 0.315, 35.0),
}
_SAME_SCALE = {
    "embedding",
    "most",
    "scan",
    "storage",
}  # parameters of `dense` that leave it as it is
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
        cosine: How near the nearest fact is in meaning; None where no retriever tells.
        confidence: From 0 to 1, 0.5 where it begins to be doubted; no probability.
    """

    missing: tuple[str, ...]
    best: float
    together: float
    weight: float
    cosine: float | None
    confidence: float

    def __str__(self) -> str:
        parts = [f"confidence {self.confidence:.2f}"]
        parts.append(f"{self.best:.0%} of the words in one hit, {self.together:.0%} in all")
        if self.cosine is not None:
            parts.append(f"cosine {self.cosine:.3f}")
        if self.missing:
            parts.append(f"missing: {', '.join(self.missing)}")
        return "; ".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "confidence": self.confidence, "best": self.best, "together": self.together,
            "weight": self.weight, "cosine": self.cosine, "missing": list(self.missing),
        }  # fmt: skip


def evidence(index: Index, text: str, trace: Trace) -> Evidence | None:
    """What tells whether a run answers a question; None where no retriever tells anything.

    Args:
        index: What was searched.
        text: The question.
        trace: What it gave, at least `SEEN` deep where there is so much.
    """
    import numpy as np

    covered: Any = getattr(index, "covered", None)
    found = covered(text, trace.run.rows[:SEEN]) if covered else None
    if found is None:
        return None
    terms, idf, there = found
    total = float(idf.sum()) or 1.0
    each = there @ idf if len(there) else np.zeros(1)
    some = there.any(axis=0) if len(there) else np.zeros(len(terms), dtype=bool)
    weight, together = float(each.max()), float(idf[some].sum()) / total
    missing = tuple(term for term, has in zip(terms, some.tolist(), strict=True) if not has)
    cosine, near = _near(trace, weight)
    best = weight / total
    confidence = _words(best, together, weight)
    if cosine is not None:
        confidence = max(near, _sigmoid(_WORDS_SLOPE * (best - _ENOUGH)))
    return Evidence(
        missing, round(best, 5), round(together, 5), round(weight, 5), cosine,
        round(confidence, 5) if len(there) else 0.0,
    )  # fmt: skip


def _words(best: float, together: float, weight: float) -> float:
    score = best + _WEIGHT * weight + _TOGETHER * together
    return _sigmoid(_WORDS_SLOPE * (score - _WORDS))


def _near(trace: Trace, weight: float) -> tuple[float | None, float]:
    """The best cosine of a model whose scale is known, and what it says."""
    for spec, run in trace.parts.items():
        parsed = Spec.parse(spec)
        scale = _NEAR.get(str(parsed.parameters.get("embedding", DEFAULT)))
        usual = parsed.name == "dense" and parsed.parameters.keys() <= _SAME_SCALE
        if usual and scale and len(run):
            nats, least, slope = scale
            cosine = float(run.scores[0])
            return cosine, _sigmoid(slope * (cosine + nats * weight - least))
    return None, 0.0


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, x))))
