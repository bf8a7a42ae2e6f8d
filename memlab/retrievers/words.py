"""How well given facts cover the words of a question: what other evidence is weighed with."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from memlab import tokens
from memlab.retrievers.bm25 import BM25
from memlab.retrievers.postings import opened

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from memlab.retrievers.postings import Postings
    from memlab.store.corpus import Corpus

_PLAIN = BM25()
_FEW = 16  # of so many rows one, and looking for each costs as much as going through all


class Words:
    """The words of a corpus: the postings of `lexical`, read for some rows alone.

    Args:
        corpus: The facts.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._first: tuple[int, NDArray[np.int32]] | None = None

    @cached_property
    def postings(self) -> Postings:
        """The postings, opened or made when they are first asked for."""
        return opened(self._corpus, context=True)

    def covered(
        self, text: str, rows: NDArray[Any], *, without: frozenset[str] = frozenset()
    ) -> NDArray[np.float64]:
        """The share of a text's words that each fact covers, as BM25 counts: shape (rows,).

        It is BM25 (its defaults) over the sum of the words' idf: 1 for a fact of average length
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
        place: NDArray[np.int32] | None = None  # of each row of the corpus among those given
        if self._are_many(rows):
            place = np.full(len(self._corpus.arrays["section"]), -1, dtype=np.int32)
            place[rows] = np.arange(len(rows), dtype=np.int32)
        total = 0.0
        for idf, of, counts in self._terms(text, without):
            total += idf
            if place is None:
                mine, theirs = _shared(rows, of)
            else:
                theirs = (place[of] >= 0).nonzero()[0]
                mine = place[of[theirs]]
            tf = counts[theirs].astype(np.float64)
            share[mine] += idf * tf * (_PLAIN.k1 + 1) / (tf + self._norms[rows[mine]])
        return share / total if total else share

    def told(self, text: str, rows: NDArray[Any], *, before: int) -> NDArray[np.float64]:
        """The share of a text's words that facts have with what stands before them: shape (rows,).

        A word counts its idf where it stands in the fact itself, or in one of the facts shortly
        before it in its section: what tells of somebody seldom names them again. In conversations
        the next to speak may speak of something else, so there it is the fact alone.

        Args:
            text: The text.
            rows: Rows of the corpus, rising.
            before: How many facts before each count.
        """
        import numpy as np

        share = np.zeros(len(rows))
        first = self._firsts(before)
        last = np.zeros(len(first), dtype=np.int32) if self._are_many(rows) else None
        total = 0.0
        for idf, of, _ in self._terms(text):
            total += idf
            if last is None:
                at = np.searchsorted(of, rows, side="right") - 1
                share += idf * ((at >= 0) & (of[at] >= first[rows]))
            else:  # the last fact up to each that has the word
                last.fill(-1)
                last[of] = of
                np.maximum.accumulate(last, out=last)
                share += idf * (last >= first)[rows]
        return share / total if total else share

    def known(self, word: str) -> bool:
        """Whether some fact has a word."""
        return any(self.postings.find(term) is not None for term in tokens.tokens(word))

    def _terms(
        self, text: str, without: frozenset[str] = frozenset()
    ) -> Iterator[tuple[float, NDArray[np.int32], NDArray[np.uint16]]]:
        """Of each word that some fact has: its idf, the rows that have it, and how often."""
        for term in tokens.query_terms(text):
            number = None if term in without else self.postings.find(term)
            if number is not None:
                yield self.postings.idf(number), *self.postings.of(number)

    def _are_many(self, rows: NDArray[Any]) -> bool:
        """Whether going through all rows of the corpus beats looking for each of these."""
        return len(rows) * _FEW > len(self._corpus.arrays["section"])

    def _firsts(self, before: int) -> NDArray[np.int32]:
        """For each row of the corpus, the first of those before it that are looked at with it."""
        import numpy as np

        if self._first is None or self._first[0] != before:
            section = self._corpus.arrays["section"]
            rows = np.arange(len(section), dtype=np.int32)
            begins = np.ones(len(section), dtype=bool)
            np.not_equal(section[1:], section[:-1], out=begins[1:])
            begin = np.maximum.accumulate(np.where(begins, rows, 0))
            first = np.maximum(rows - before, begin)
            self._first = before, np.where(self._corpus.arrays["talk"] > 0, rows, first)
        return self._first[1]

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
