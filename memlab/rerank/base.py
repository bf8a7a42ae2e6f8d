"""What a reranker is: from a run to other scores for its facts, by looking at them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memlab.store.corpus import Corpus
    from memlab.types import Query, Run


@runtime_checkable
class Reranker(Protocol):
    """A strategy that orders anew: a frozen dataclass, found by name in the family ``reranker``."""

    def rerank(self, corpus: Corpus, query: Query, run: Run) -> NDArray[np.float64]:
        """A new score for each fact of a run, the larger the better; shape (n,), in its order.

        Args:
            corpus: What the rows are of.
            query: The question.
            run: What was found so far, best first.
        """
        ...


@runtime_checkable
class Extending(Protocol):
    """A reranker that also brings in facts that were not found, before it orders anew."""

    def extend(self, corpus: Corpus, query: Query, run: Run) -> Run:
        """The run with further facts, each with a score; best first, none twice.

        Args:
            corpus: What the rows are of.
            query: The question; what its filters leave out is not brought in.
            run: What was found so far, best first.
        """
        ...
