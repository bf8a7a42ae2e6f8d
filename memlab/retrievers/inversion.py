"""How an inverted index is written: from nothing, or from another where only a few facts changed.

What is written is the same either way. See `memlab.retrievers.postings` for the files.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from memlab.store import duck
from memlab.store.corpus import searched

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from memlab.retrievers.postings import Postings
    from memlab.store.corpus import Corpus

_MAX_COUNT = 65535


class Occurrences(NamedTuple):
    """Where terms stand in facts, a term's repeats in one fact included.

    Attributes:
        terms: The terms, sorted.
        term_of: int32, shape (n,): the number of each occurrence's term, by its place in ``terms``.
        row_of: int32, shape (n,): the row of its fact.
    """

    terms: list[str]
    term_of: NDArray[np.int32]
    row_of: NDArray[np.int32]


def read(corpus: Corpus, *, context: bool) -> Occurrences:
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
    return Occurrences([term for (term,) in known], found["number"], found["row"])


def build(folder: Path, found: Occurrences, size: int) -> None:
    """Write an index from nothing.

    Args:
        folder: Where; it is made.
        found: What stands in all facts.
        size: How many rows the corpus has.
    """
    import numpy as np

    # a posting as one number, so that sorting it sorts by term and then by row
    each = found.term_of.astype(np.int64)
    each *= size
    each += found.row_of
    each.sort()
    firsts = np.flatnonzero(np.concatenate([[len(each) > 0], each[1:] != each[:-1]]))
    counts = np.diff(firsts, append=len(each))
    postings = each[firsts]
    del each, firsts
    lines = [term.encode() + b"\n" for term in found.terms]
    _save(
        folder,
        terms=b"".join(lines),
        widths=np.array([*map(len, lines)], dtype=np.int64),
        frequency=np.bincount(postings // max(size, 1), minlength=len(lines)),
        rows=(postings % max(size, 1)).astype(np.int32),
        counts=np.minimum(counts, _MAX_COUNT).astype(np.uint16),
        lengths=np.bincount(found.row_of, minlength=size).astype(np.int32),
    )


def update(
    folder: Path,
    old: Postings,
    facts: Iterable[tuple[int, str]],
    removed: NDArray[np.int64],
    size: int,
) -> None:
    """Write an index that differs from another by a few facts.

    Args:
        folder: Where; it is made.
        old: The other.
        facts: Row and tokens, a space between them, of each fact that is not in it.
        removed: The rows of facts in it that are none any more.
        size: How many rows the corpus has.
    """
    import numpy as np

    alive = np.ones(len(old.lengths), dtype=bool)
    alive[removed] = False
    lengths = np.zeros(size, dtype=np.int32)
    lengths[: len(alive)] = (old.lengths * alive)[:size]
    into: dict[bytes, dict[int, int]] = defaultdict(dict)
    for row, text in sorted(facts):
        terms = text.encode().split(b" ")
        lengths[row] = len(terms)
        for term in terms:
            into[term][row] = into[term].get(row, 0) + 1
    stay = alive[old.rows]
    rows, counts = old.rows[stay], old.counts[stay]
    starts = old.starts - np.searchsorted(np.flatnonzero(~stay), old.starts)
    frequency = np.diff(starts)
    at: list[int] = []  # where each posting that is added goes
    fresh: list[tuple[int, bytes]] = []  # the terms that are new, with the number of the next one
    for term in sorted(into):
        number, known = old.place(term)
        first, last = int(starts[number]), int(starts[number + known])
        those = list(into[term])
        if first == last or rows[last - 1] < those[0]:  # rows that are new are higher, most often
            at += [last] * len(those)
        else:
            at += (first + np.searchsorted(rows[first:last], those)).tolist()
        if known:
            frequency[number] += len(into[term])
        else:
            fresh.append((number, term))
    added = [pair for term in sorted(into) for pair in into[term].items()]
    gone = np.flatnonzero(frequency == 0)
    _save(
        folder,
        terms=_terms(old, fresh, gone.tolist()),
        widths=_edited(np.diff(old.line_starts), gone, fresh, [len(term) + 1 for _, term in fresh]),
        frequency=_edited(frequency, gone, fresh, [len(into[term]) for _, term in fresh]),
        rows=np.insert(rows, at, [row for row, _ in added]),
        counts=np.insert(counts, at, [min(count, _MAX_COUNT) for _, count in added]),
        lengths=lengths,
    )


def _edited(
    values: NDArray[np.int64], gone: NDArray[np.int64], fresh: list[tuple[int, bytes]],
    theirs: list[int],
) -> NDArray[np.int64]:  # fmt: skip
    """A value for each term, without those of some and with those of terms that are new."""
    import numpy as np

    places = np.array([place for place, _ in fresh], dtype=np.int64)
    left = np.delete(values, gone)
    edited: NDArray[np.int64] = np.insert(left, places - np.searchsorted(gone, places), theirs)
    return edited


def _terms(old: Postings, fresh: list[tuple[int, bytes]], gone: list[int]) -> bytes:
    """The vocabulary with terms before those of some numbers, and without others."""
    pieces, start, ends = [], 0, old.line_starts
    edits = sorted([*((place, 0, term) for place, term in fresh), *((n, 1, b"") for n in gone)])
    for number, goes, term in edits:
        pieces.append(old.terms[start : ends[number]])
        start = int(ends[number + goes])
        pieces.append(b"" if goes else term + b"\n")
    return b"".join([*pieces, old.terms[start:]])


def _save(
    folder: Path,
    *,
    terms: bytes,
    widths: NDArray[np.int64],
    frequency: NDArray[np.int64],
    rows: NDArray[np.int32],
    counts: NDArray[np.uint16],
    lengths: NDArray[np.int32],
) -> None:
    import numpy as np

    folder.mkdir(exist_ok=True)
    (folder / "terms.txt").write_bytes(terms)
    np.save(folder / "term_starts.npy", np.concatenate([[0], np.cumsum(widths)]))
    np.save(folder / "starts.npy", np.concatenate([[0], np.cumsum(frequency)]))
    np.save(folder / "rows.npy", rows)
    np.save(folder / "counts.npy", counts)
    np.save(folder / "lengths.npy", lengths)
    meta = {"facts": int((lengths > 0).sum()), "tokens": int(lengths.sum())}
    (folder / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
