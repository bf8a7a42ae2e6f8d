"""Which fact took the place of which, and since when.

A line may say so itself, by a trailing ``<!-- supersedes f-… -->``. Else it follows, among evidence
alone, from two facts with the same first entity, the later one on a later day, that say of one slot
what cannot both hold (`memlab.store.sayings`). ``<!-- memlab:keep f-… -->`` refuses both. It is
derived once for each snapshot, and never written on a page.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

from memlab.errors import StoreError
from memlab.store import duck, evidence
from memlab.types import Origin

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from memlab.store.corpus import Corpus
    from memlab.store.sayings import Saying

_VERSION = 1  # raised whenever other successions follow from the same facts
NAME = f"succession-{_VERSION}.npy"
"""What the file is called that is derived from a snapshot."""
_SAYINGS = f"sayings-{_VERSION}.json"

_DERIVED, _STATED, _REFUSED = range(3)


class Successions:
    """Who took whose place, in one snapshot.

    Args:
        edges: int32, shape (n, 4): the row whose place was taken, the row that took it, the day of
            the latter's page counted from year 1 (0 for none), and 0 where it was derived, 1 where
            it is stated, 2 where the second row refuses that anything takes the first one's place;
            those of a kind by day, page and line, so that nothing depends on the numbers of rows.
    """

    def __init__(self, edges: NDArray[np.int32]) -> None:
        self._edges = edges
        self._known: dict[dt.date | None, dict[int, int]] = {}

    def on(self, day: dt.date | None = None) -> Mapping[int, int]:
        """For each row that is superseded, the row in its place, as known on a day.

        There are no circles: where lines contradict each other, what is stated beats what is
        derived, and of what is stated the latest page has the last word.

        Args:
            day: As if pages of later days, and undated ones, were not there; None for all pages.
        """
        if day not in self._known:
            if len(self._known) > 100:  # a study over many days
                self._known.clear()
            self._known[day] = self._on(day)
        return self._known[day]

    def _on(self, day: dt.date | None) -> dict[int, int]:
        edges = self._edges
        if day is not None:
            edges = edges[(edges[:, 2] > 0) & (edges[:, 2] <= day.toordinal())]
        found: dict[int, tuple[int, int, int]] = {}
        refused = set()
        for place, (old, new, _, how) in enumerate(edges.tolist()):
            if how == _REFUSED:
                refused.add(old)
            else:
                found[old] = max(found.get(old, (-1, 0, 0)), (how, place, new))
        for row in refused:
            found.pop(row, None)
        for circle in _circles({old: new for old, (_, _, new) in found.items()}):
            derived = [old for old in circle if found[old][0] == _DERIVED]
            # whoever is in a circle took a place too, which tells how late it is
            late = {new: place for _, place, new in (found[old] for old in circle)}
            for old in derived or [max(circle, key=late.__getitem__)]:
                del found[old]
        return {old: new for old, (_, _, new) in found.items()}


def last(places: Mapping[int, int], row: int) -> int:
    """The row at the end of a chain: the one that holds now; ``row`` itself where none took it."""
    while row in places:
        row = places[row]
    return row


def load(corpus: Corpus) -> Successions:
    """The successions of a snapshot, derived when they are first asked for."""
    import numpy as np

    path = corpus.derived(NAME)
    try:
        return Successions(_checked(np.load(path)))
    except (OSError, ValueError, EOFError):
        pass
    edges = derive(corpus)
    with corpus.place.aside() as folder:
        np.save(folder / NAME, edges)
        corpus.place.put(folder / NAME, path)
    return Successions(edges)


def sayings_of(corpus: Corpus) -> list[Saying]:
    """Every fact that makes a claim, by day; read from the snapshot's file where it is there."""
    from memlab.store import sayings

    path = corpus.derived(_SAYINGS)
    with suppress(OSError):
        if not path.exists() and (before := _same_before(corpus, _SAYINGS)):
            with corpus.place.aside() as folder:
                shutil.copyfile(before, folder / _SAYINGS)
                corpus.place.put(folder / _SAYINGS, path)
    try:
        return sayings.load(path)
    except (OSError, ValueError, TypeError):
        return sayings.find(corpus, _SAYINGS)


def derive(corpus: Corpus) -> NDArray[np.int32]:
    """The edges of `Successions`, from the facts of a snapshot."""
    import numpy as np

    with duck.reading(corpus.snapshot):
        stated = [
            (*edge, how)
            for how, column in ((_STATED, "supersedes"), (_REFUSED, "keeps"))
            for edge in _said_of(corpus, column)
        ]
    return np.concatenate([_derived(corpus), np.array(stated, dtype=np.int32).reshape(-1, 4)])


def _derived(corpus: Corpus) -> NDArray[np.int32]:
    """The edges that follow from what facts say, where they can be carried over."""
    import numpy as np

    if before := _same_before(corpus, NAME):
        with suppress(OSError, ValueError, EOFError):
            edges = _checked(np.load(before))
            return np.compress(edges[:, 3] == _DERIVED, edges, axis=0)
    from memlab.store import sayings  # its patterns take a while to load

    found = [(*edge, _DERIVED) for edge in sayings.successors(corpus.sayings)]
    return np.array(found, dtype=np.int32).reshape(-1, 4)


def _same_before(corpus: Corpus, name: str) -> Path | None:
    """A file derived from the snapshot before, if all facts that it follows from are as they were.

    These are facts that were written, on pages that have a day: what a reflect writes is none.
    """
    from memlab.store.corpus import Corpus as Other

    before = corpus.place.previous()
    if before is None or before == corpus.snapshot or corpus.arrays.base != before.name:
        return None
    with suppress(StoreError, OSError, ValueError), Other(corpus.place, before) as other:
        if _names(corpus) == _names(other) and not _written_since(other, corpus):
            return other.derived(name)
    return None


def _names(corpus: Corpus) -> list[tuple[str, str, list[str]]]:
    return [(own, name, aliases) for own, name, _, aliases in corpus.arrays.entities]


def _written_since(before: Corpus, now: Corpus) -> bool:
    """Whether any fact with a day that was written is new, another than it was, or gone."""
    was, holds = map(evidence.dated, (before, now))
    new = holds[now.arrays["touched"]].any()
    was[: len(holds)] &= ~holds[: len(was)]
    return bool(new or was.any())


def _said_of(corpus: Corpus, column: str) -> list[tuple[int, int, int]]:
    """What lines say of other facts by their ids: the row of that fact, their own, their day."""
    sql = f"""
        SELECT {column}, row, coalesce(day - DATE '0001-01-01' + 1, 0) FROM facts
        WHERE {column} IS NOT NULL AND origin = ?
        ORDER BY day NULLS FIRST, path, start_line, row
    """
    said = corpus.connection.execute(duck.fill(sql, Origin.WRITTEN)).fetchall()
    if not said:  # as on most days: no look for their rows
        return []
    sql = "SELECT id, row FROM facts WHERE id IN (SELECT unnest(?::VARCHAR[]))"
    ids = [fact_id for fact_id, _, _ in said]
    rows = dict(corpus.connection.execute(duck.fill(sql, ids)).fetchall())
    return [
        (rows[fact_id], row, day) for fact_id, row, day in said if rows.get(fact_id, row) != row
    ]


def _circles(places: Mapping[int, int]) -> list[list[int]]:
    """The rows of each circle in a graph that has at most one edge from every row."""
    circles = []
    seen: set[int] = set()
    for start in sorted(places):
        walk: dict[int, None] = {}
        row = start
        while row in places and row not in seen:
            seen.add(row)
            walk[row] = None
            row = places[row]
        if row in walk:
            steps = list(walk)
            circles.append(steps[steps.index(row) :])
    return circles


def _checked(edges: NDArray[np.int32]) -> NDArray[np.int32]:
    if edges.ndim != 2 or edges.shape[1] != 4:
        raise ValueError(f"no edges: shape {edges.shape}")
    return edges
