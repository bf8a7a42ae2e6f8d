"""An inverted index in memory-mapped arrays, updated without reading what did not change.

    terms.txt       the vocabulary, sorted, a term a line
    term_starts.npy int64 (terms + 1,): where each term's line starts in terms.txt
    starts.npy      int64 (terms + 1,): where each term's postings start
    rows.npy        int32 (postings,): rows of the corpus, rising within a term
    counts.npy      uint16 (postings,): how often the term stands in that fact
    lengths.npy     int32 (rows,): tokens of each fact; 0 for a row that is none
    meta.json       facts, tokens

Nothing of a ranking function is stored, so that k1 and b are free at query time, and an index that
was updated is the same as one that was built from nothing.
"""

from __future__ import annotations

import bisect
import json
import math
import mmap
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from memlab.errors import StoreError
from memlab.retrievers.base import open_or_build
from memlab.store.arrays import ORIGINS, map_array
from memlab.store.corpus import Corpus
from memlab.tokens import Cached
from memlab.types import Origin

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

_DENSE = 16  # postings a row, up to which going through them all beats looking for each row


class Postings:
    """An inverted index on disk, opened for reading.

    Args:
        folder: Where it lies.

    Raises:
        StoreError: If it is not there or damaged.
    """

    def __init__(self, folder: Path) -> None:
        try:
            self.meta: dict[str, int] = json.loads(
                (folder / "meta.json").read_text(encoding="utf-8")
            )
            self.starts: NDArray[np.int64] = map_array(folder / "starts.npy")
            self.rows: NDArray[np.int32] = map_array(folder / "rows.npy")
            self.counts: NDArray[np.uint16] = map_array(folder / "counts.npy")
            self.lengths: NDArray[np.int32] = map_array(folder / "lengths.npy")
            self.line_starts: NDArray[np.int64] = map_array(folder / "term_starts.npy")
            with (folder / "terms.txt").open("rb") as file:
                empty = not file.seek(0, 2)
                self.terms = b"" if empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise StoreError(f"is damaged: {error}", where=str(folder)) from error
        self.size = int(self.meta["facts"])
        # a view of plain integers: to index an array costs more than to search with them
        self._bounds, self._lines = self.starts.data, self.line_starts.data
        self._found = Cached(self._find)

    @property
    def average_length(self) -> float:
        """Tokens of a fact, on average."""
        return self.meta["tokens"] / self.size if self.size else 0.0

    def find(self, term: str) -> int | None:
        """The number of a term, or None."""
        return self._found[term]

    def _find(self, term: str) -> int | None:
        number, known = self.place(term.encode())
        return number if known else None

    def place(self, term: bytes) -> tuple[int, bool]:
        """The number of a term; of one that is not there, that of the next one, and False."""
        count = len(self._lines) - 1
        number = bisect.bisect_left(range(count), term, key=self._term)
        return number, number < count and self._term(number) == term

    def counts_in(self, terms: Sequence[int], rows: NDArray[Any]) -> NDArray[np.float64]:
        """How often each term stands in each of some rows; shape (terms, rows)."""
        import numpy as np

        found = np.zeros((len(terms), len(rows)))
        wanted = rows.astype(self.rows.dtype)
        for place, number in enumerate(terms):
            of, counts = self.of(number)
            at = np.searchsorted(of, wanted)
            found[place] = counts.take(at, mode="clip") * (of.take(at, mode="clip") == wanted)
        return found

    def frequency(self, number: int) -> int:
        """In how many facts a term stands."""
        return self._bounds[number + 1] - self._bounds[number]

    def idf(self, number: int) -> float:
        """How rare a term is, as BM25 weighs it: ``ln(1 + (N - n + .5) / (n + .5))``."""
        frequency = self.frequency(number)
        return math.log1p((self.size - frequency + 0.5) / (frequency + 0.5))

    def of(self, number: int) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
        """Rows and counts of a term, shape (n,) each."""
        start, end = self._bounds[number], self._bounds[number + 1]
        return self.rows[start:end], self.counts[start:end]

    def among(
        self, number: int, rows: NDArray[np.int32]
    ) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
        """Rows and counts of a term as `of` gives them, of some rows alone.

        Args:
            number: The term.
            rows: Rows, rising, none twice.
        """
        import numpy as np

        of, counts = self.of(number)
        if len(rows) * _DENSE < len(of):
            at = np.searchsorted(of, rows)
            found = at[of.take(at, mode="clip") == rows]
        else:
            wanted = np.zeros(len(self.lengths), dtype=bool)
            wanted[rows] = True
            found = np.flatnonzero(wanted[of])
        return of[found], counts[found]

    def _term(self, number: int) -> bytes:
        return self.terms[self._lines[number] : self._lines[number + 1] - 1]


def opened(corpus: Corpus, *, context: bool) -> Postings:
    """The postings of a corpus; where there are none, they are made from those before.

    Args:
        corpus: The corpus.
        context: Whether the words of headings and the day count as the fact's own.
    """
    path = corpus.derived(_folder(context=context))
    return open_or_build(
        corpus, path, lambda: Postings(path), lambda building: _derive(corpus, building, context)
    )


def _folder(*, context: bool) -> str:
    return "postings" if context else "postings-bare"


def _derive(corpus: Corpus, building: Path, context: bool) -> None:  # noqa: FBT001
    """Make the postings of a corpus, from those of the snapshot before where rows are the same."""
    import numpy as np

    from memlab.retrievers import inversion  # not where they are there already

    found = corpus.arrays["origin"] != ORIGINS.index(Origin.GENERATED)
    found &= corpus.arrays["offsets"] >= 0
    size = len(found)
    old = _predecessor(corpus, context=context)
    if old is not None:
        before, now = np.zeros((2, max(size, len(old.lengths))), dtype=bool)
        before[: len(old.lengths)] = old.lengths > 0
        now[:size] = found
        rows = (now & ~before).nonzero()[0].tolist()
        if 2 * len(rows) <= corpus.size:
            removed = (before & ~now).nonzero()[0]
            added = corpus.tokens(rows, context=context)
            inversion.update(building, old, added, removed, size)
            return
    inversion.build(building, inversion.read(corpus, context=context), size)


def _predecessor(corpus: Corpus, *, context: bool) -> Postings | None:
    """The postings of the snapshot before, if its rows are those of this one; else None."""
    before = corpus.place.previous()
    if before is None or before == corpus.snapshot:
        return None
    with suppress(StoreError), Corpus(corpus.place, before) as other:
        if other.arrays.numbering == corpus.arrays.numbering:
            return Postings(other.derived(_folder(context=context)))
    return None
