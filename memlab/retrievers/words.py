"""How well given facts cover the words of a question: what other evidence is weighed with."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any

from memlab import tokens
from memlab.retrievers.bm25 import BM25
from memlab.retrievers.postings import opened

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memlab.retrievers.postings import Postings
    from memlab.store.corpus import Corpus

_PLAIN = BM25()


class Words:
    """The words of a corpus: the postings of `lexical`, read for some rows alone.

    Args:
        corpus: The facts.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    @cached_property
    def postings(self) -> Postings:
        """The postings, opened or made when they are first asked for."""
        return opened(self._corpus, context=True)

    def covered(
        self, text: str, rows: NDArray[Any], *, without: frozenset[str] = frozenset()
    ) -> NDArray[np.float64]:
        """The share of a text's words that each fact covers, as BM25 counts: shape (rows,).

        It is BM25 (k1 = .9, b = .4) over the sum of the words' idf: 1 for a fact of average length
        that has each of them once, 0 for one that has none. Words that no fact has do not count.

        Args:
            text: The text.
            rows: Rows of the corpus, rising.
            without: Search tokens that are passed over.
        """
        import numpy as np

        share = np.zeros(len(rows))
        if not len(rows):
            return share
        total = 0.0
        for term in tokens.query_terms(text):
            number = None if term in without else self.postings.find(term)
            if number is None:
                continue
            frequency = self.postings.frequency(number)
            idf = math.log1p((self.postings.size - frequency + 0.5) / (frequency + 0.5))
            total += idf
            of, counts = self.postings.of(number)
            mine, theirs = _shared(rows, of)
            tf = counts[theirs].astype(np.float64)
            share[mine] += idf * tf * (_PLAIN.k1 + 1) / (tf + self._norms[rows[mine]])
        return share / total if total else share

    def known(self, word: str) -> bool:
        """Whether some fact has a word."""
        return any(self.postings.find(term) is not None for term in tokens.tokens(word))

    @cached_property
    def _norms(self) -> NDArray[np.float64]:
        """What BM25 adds to tf below the line, for each row."""
        relative = self.postings.lengths / (self.postings.average_length or 1.0)
        norms: NDArray[Any] = _PLAIN.k1 * (1 - _PLAIN.b + _PLAIN.b * relative)
        return norms


def _shared(one: NDArray[Any], other: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Where two rising arrays have the same values: places in the one and in the other."""
    import numpy as np

    if len(one) > len(other):
        theirs, mine = _shared(other, one)
        return mine, theirs
    places = np.searchsorted(other, one)
    places[places == len(other)] = 0
    found = (other[places] == one).nonzero()[0] if len(other) else np.zeros(0, dtype=np.int64)
    return found, places[found]
