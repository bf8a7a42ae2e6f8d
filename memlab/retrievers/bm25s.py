"""BM25 by bm25s (Lù 2024, arXiv 2407.03618): scores computed ahead, in sparse matrices.

With ``method="lucene"`` and the factor ``k1 + 1`` that bm25s leaves out, its scores are those of
`memlab.retrievers.bm25`: the reference that it is tested against.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memlab import tokens
from memlab.errors import MissingExtraError
from memlab.registry import spec_of
from memlab.retrievers.base import best, check_bm25, run_of

if TYPE_CHECKING:
    from memlab.store.corpus import Corpus
    from memlab.types import Query, Run

_NAME = "bm25s"


@dataclass(frozen=True, slots=True)
class BM25S:
    """BM25 as bm25s computes it, in memory; nothing is kept on disk.

    Attributes:
        k1: How soon repeats of a term in a fact stop counting; at least 0.
        b: How much long facts are held back, 0 to 1.
    """

    k1: float = 1.2
    b: float = 0.6

    def __post_init__(self) -> None:
        check_bm25(self.k1, self.b)

    def index(self, corpus: Corpus) -> BM25SIndex:
        """Compute the scores of all terms in all facts of a corpus."""
        try:
            import bm25s
        except ImportError as error:
            raise MissingExtraError("the retriever 'bm25s'", extra="lexical") from error
        import numpy as np

        pairs = [(row, text.split(" ")) for row, text in corpus.tokens()]
        rows = np.array([row for row, _ in pairs], dtype=np.int64)
        scorer = bm25s.BM25(method="lucene", k1=self.k1, b=self.b, dtype="float64")
        if pairs:
            scorer.index([terms for _, terms in pairs], show_progress=False)
        return BM25SIndex(self, corpus, scorer, rows)


class BM25SIndex:
    """The scores of one corpus."""

    def __init__(self, retriever: BM25S, corpus: Corpus, scorer: Any, rows: Any) -> None:
        self._spec = str(spec_of(retriever, _NAME))
        self._factor = retriever.k1 + 1
        self._corpus = corpus
        self._scorer = scorer
        self._rows = rows

    def search(self, query: Query, *, depth: int) -> Run:
        """The best facts by BM25; none for a query without words."""
        known = self._scorer.vocab_dict if len(self._rows) else {}
        terms = [term for term in tokens.query_terms(query.text) if term in known]
        if not terms or depth < 1:
            return run_of(self._spec, [])
        scores = self._scorer.get_scores(terms) * self._factor
        found = scores > 0
        allowed = self._corpus.restriction(query)
        if allowed is not None:
            found &= allowed[self._rows]
        return best(self._spec, self._corpus, self._rows[found], scores[found], depth)

    def close(self) -> None:
        """Let go of the scores."""
        self._scorer = None
