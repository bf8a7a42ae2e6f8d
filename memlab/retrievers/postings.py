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
import mmap
from array import array
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from memlab.errors import StoreError
from memlab.retrievers.base import open_or_build
from memlab.store import duck
from memlab.store.arrays import map_array
from memlab.store.corpus import Corpus, searched
from memlab.tokens import Cached

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

_MAX_COUNT = 65535
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
            self._term_starts: NDArray[np.int64] = map_array(folder / "term_starts.npy")
            with (folder / "terms.txt").open("rb") as file:
                empty = not file.seek(0, 2)
                self._terms = b"" if empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise StoreError(f"is damaged: {error}", where=str(folder)) from error
        self.size = int(self.meta["facts"])
        # a view of plain integers: to index an array costs more than to search with them
        self._bounds, self._line_starts = self.starts.data, self._term_starts.data
        self._found = Cached(self._find)

    @property
    def average_length(self) -> float:
        """Tokens of a fact, on average."""
        return self.meta["tokens"] / self.size if self.size else 0.0

    def find(self, term: str) -> int | None:
        """The number of a term, or None."""
        return self._found[term]

    def _find(self, term: str) -> int | None:
        wanted = term.encode()
        count = len(self._line_starts) - 1
        number = bisect.bisect_left(range(count), wanted, key=self._term)
        return number if number < count and self._term(number) == wanted else None

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

    @cached_property
    def vocabulary(self) -> list[bytes]:
        """All terms in UTF-8, sorted."""
        return bytes(self._terms).split(b"\n")[:-1]

    def _term(self, number: int) -> bytes:
        return self._terms[self._line_starts[number] : self._line_starts[number + 1] - 1]


class Occurrences(NamedTuple):
    """Where terms stand in facts, a term's repeats in one fact included.

    Attributes:
        terms: The terms, in UTF-8.
        term_of: int32, shape (n,): the number of each occurrence's term, by its place in ``terms``.
        row_of: int32, shape (n,): the row of its fact.
    """

    terms: list[bytes]
    term_of: NDArray[np.int32]
    row_of: NDArray[np.int32]


def read(facts: Iterable[tuple[int, str]], old: Postings) -> Occurrences:
    """The occurrences in a few facts.

    Args:
        facts: Row and tokens, a space between them, of each.
        old: An index whose terms come first.
    """
    import numpy as np

    known = old.vocabulary
    number = dict(zip(known, range(len(known)), strict=True))
    rows, numbers = array("i"), array("i")
    for row, text in facts:
        for term in text.encode().split(b" "):
            rows.append(row)
            numbers.append(number.setdefault(term, len(number)))
    row_of, term_of = np.array(rows, dtype=np.int32), np.array(numbers, dtype=np.int32)
    return Occurrences(list(number), term_of, row_of)


def read_all(corpus: Corpus, *, context: bool) -> Occurrences:
    """The occurrences in all facts to search; the database numbers them faster than we could."""
    each = f"""
        SELECT row, unnest(string_split(tokens, ' ')) AS term
        FROM ({searched(context=context)}) AS facts
    """
    terms = f"SELECT DISTINCT term FROM ({each}) ORDER BY term"
    sql = f"""
        WITH each AS ({each}), terms AS (
            SELECT term, (row_number() OVER (ORDER BY term) - 1)::INTEGER AS number
            FROM (SELECT DISTINCT term FROM each)
        ) SELECT number, row FROM each JOIN terms USING (term)
    """
    with duck.reading(corpus.snapshot):
        known = corpus.connection.execute(terms).fetchall()
        found: Any = corpus.connection.execute(sql).fetchnumpy()
    return Occurrences([term.encode() for (term,) in known], found["number"], found["row"])


def build(
    folder: Path,
    new: Occurrences,
    *,
    old: Postings | None = None,
    removed: NDArray[np.int64] | None = None,
) -> None:
    """Write an index.

    Args:
        folder: Where; it is made.
        new: What stands in facts that are new; its terms start with those of ``old``.
        old: An index to carry over from.
        removed: The rows of ``old`` that are no facts any more.
    """
    import numpy as np

    order = sorted(range(len(new.terms)), key=new.terms.__getitem__)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    size = 1 + max(int(new.row_of.max(initial=-1)), len(old.lengths) - 1 if old else -1)
    lengths = np.bincount(new.row_of, minlength=size).astype(np.int32)
    # a posting as one number, so that sorting it sorts by term and then by row
    each = rank[new.term_of]
    each *= size
    each += new.row_of
    each.sort()
    firsts = np.flatnonzero(np.concatenate([[len(each) > 0], each[1:] != each[:-1]]))
    counts = np.diff(firsts, append=len(each))
    postings = each[firsts]
    del each, firsts
    if old:
        alive = np.ones(size, dtype=bool)
        alive[removed if removed is not None else []] = False
        lengths[: len(old.lengths)] += old.lengths * alive[: len(old.lengths)]
        kept = alive[old.rows]
        terms_kept = np.repeat(rank[: len(old.starts) - 1], np.diff(old.starts))[kept]
        postings = np.concatenate([terms_kept * size + old.rows[kept], postings])
        counts = np.concatenate([old.counts[kept], counts])
        merge = np.argsort(postings, kind="stable")  # two sorted runs: one merge
        postings, counts = postings[merge], counts[merge]
    frequency = np.bincount(postings // max(size, 1), minlength=len(order))
    terms = [new.terms[n] for n, df in zip(order, frequency.tolist(), strict=True) if df]
    folder.mkdir(exist_ok=True)
    (folder / "terms.txt").write_bytes(b"\n".join([*terms, b""]))
    lengths_of_lines = np.array([-1, *map(len, terms)], dtype=np.int64) + 1
    np.save(folder / "term_starts.npy", np.cumsum(lengths_of_lines))
    np.save(folder / "starts.npy", np.concatenate([[0], np.cumsum(frequency[frequency > 0])]))
    np.save(folder / "rows.npy", (postings % max(size, 1)).astype(np.int32))
    np.save(folder / "counts.npy", np.minimum(counts, _MAX_COUNT).astype(np.uint16))
    np.save(folder / "lengths.npy", lengths)
    meta = {"facts": int((lengths > 0).sum()), "tokens": int(lengths.sum())}
    (folder / "meta.json").write_text(json.dumps(meta), encoding="utf-8")


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

    old = _predecessor(corpus, context=context)
    if old is None:
        build(building, read_all(corpus, context=context))
        return
    alive = corpus.arrays["offsets"] >= 0
    size = max(len(alive), len(old.lengths))
    before, now = np.zeros(size, dtype=bool), np.zeros(size, dtype=bool)
    before[: len(old.lengths)] = old.lengths > 0
    now[: len(alive)] = alive
    rows = (now & ~before).nonzero()[0].tolist()
    added = read(corpus.tokens(rows, context=context), old)
    build(building, added, old=old, removed=(before & ~now).nonzero()[0])


def _predecessor(corpus: Corpus, *, context: bool) -> Postings | None:
    """The postings of the snapshot before, if its rows are those of this one; else None."""
    before = corpus.place.previous()
    if before is None or before == corpus.snapshot:
        return None
    with suppress(StoreError), Corpus(corpus.place, before) as other:
        if other.arrays.numbering == corpus.arrays.numbering:
            return Postings(other.derived(_folder(context=context)))
    return None
