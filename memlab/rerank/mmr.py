"""Maximal marginal relevance: what was said already counts less."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab import tokens
from memlab.errors import ParameterError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memlab.store.corpus import Corpus
    from memlab.types import Query, Run


@dataclass(frozen=True, slots=True)
class MMR:
    """``trade * s - (1 - trade) * max overlap with what was chosen`` (Carbonell, Goldstein, 1998).

    Scores are divided by the best one; two facts overlap by the Jaccard of their search tokens. As
    what is chosen grows, no fact's value rises, so the values are in order.

    Attributes:
        trade: 1 for relevance alone, 0 for variety alone.
        depth: So many of the best facts are ordered anew; the others follow as they were.
    """

    trade: float = 0.7
    depth: int = 50

    def __post_init__(self) -> None:
        if not 0 <= self.trade <= 1:
            raise ParameterError(f"trade must lie in 0 to 1, got {self.trade}")
        if self.depth < 1:
            raise ParameterError(f"depth must be at least 1, got {self.depth}")

    def rerank(
        self,
        corpus: Corpus,
        query: Query,  # noqa: ARG002  # of the protocol
        run: Run,
    ) -> NDArray[np.float64]:
        """See `memlab.rerank.base.Reranker`."""
        import numpy as np

        count = min(self.depth, len(run))
        if not count:
            return run.scores
        best = float(run.scores[0])
        relevance = run.scores[:count] / (abs(best) or 1.0)
        words = [frozenset(tokens.tokens(fact.content)) for fact in corpus.facts(run.rows[:count])]
        nearest = np.zeros(count)
        values = np.full(count, np.nan)
        for _ in range(count):
            marginal = self.trade * relevance - (1 - self.trade) * nearest
            chosen = int(np.argmax(np.where(np.isnan(values), marginal, -np.inf)))
            values[chosen] = marginal[chosen]
            overlap = [_jaccard(words[chosen], other) for other in words]
            np.maximum(nearest, overlap, out=nearest)
        rest = np.arange(1, len(run) - count + 1)  # below all of them, in their order
        return np.concatenate([values, values.min() - rest / (len(run) + 1)])


def _jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    either = len(a | b)
    return len(a & b) / either if either else 0.0
