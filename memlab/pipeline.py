"""From a query to ranked hits: retrieve, pack, cite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlab import budget
from memlab.errors import ParameterError
from memlab.store import duck
from memlab.types import Hit

if TYPE_CHECKING:
    from memlab.retrievers.base import Index
    from memlab.store.corpus import Corpus
    from memlab.types import Query


def search(
    corpus: Corpus, index: Index, query: Query, *, k: int, max_tokens: int | None = None
) -> list[Hit]:
    """The best ``k`` hits for a query that fit into ``max_tokens``.

    Raises:
        ParameterError: If ``k`` or the budget is less than 1.
    """
    if k < 1:
        raise ParameterError(f"k must be at least 1, got {k}")
    with duck.reading(corpus.snapshot, IndexError):
        run = index.search(query, depth=k)
    facts = corpus.facts(run.rows)
    hits = [
        Hit(fact, rank, float(score), {run.retriever: (rank, float(score))})
        for rank, (fact, score) in enumerate(zip(facts, run.scores, strict=True), start=1)
    ]
    return budget.pack(hits, max_tokens)
