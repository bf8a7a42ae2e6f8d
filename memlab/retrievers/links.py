"""How the facts of a corpus hang together: by entities, in time, and by links to pages."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from memlab.store import duck
from memlab.workspace.entities import key

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memlab.store.corpus import Corpus

    Reached = tuple[NDArray[Any], NDArray[np.float64]]  # rows, with repeats, and what reaches them

_LEAST = 0.3  # the weight of a link in time, at least, within 24 hours


class Links:
    """The links of one corpus; what it needs is computed once, when it is first asked for.

    Args:
        corpus: The facts.
        fan: At most so many facts are reached from one over one entity, day or page.
    """

    def __init__(self, corpus: Corpus, fan: int) -> None:
        self._corpus = corpus
        self._fan = fan
        self._size = len(corpus.arrays["offsets"])

    def by_entity(self, rows: NDArray[Any], active: NDArray[np.float64]) -> Reached:
        """What reaches the facts that share an entity with some facts.

        Args:
            rows: Rows, shape (n,).
            active: Their activation, shape (n,).
        """
        starts, entities = self._of_row
        which, places = _spread(starts[rows], starts[rows + 1])
        groups = entities[places]
        return self._among(self._sharing, groups, rows[which], active[which] * self._rarity[groups])

    def by_page(self, rows: NDArray[Any], active: NDArray[np.float64]) -> Reached:
        """What reaches the facts of pages that some facts link to, and those that link there."""
        import numpy as np

        found = self._pages
        if not len(found.linking):
            return np.zeros(0, dtype=np.int64), np.zeros(0)
        which, places = _spread(
            np.searchsorted(found.linking, rows), np.searchsorted(found.linking, rows, "right")
        )
        there = self._among(found.standing, found.linked[places], rows[which], active[which])
        back = self._among(found.pointing, found.page[rows], rows, active)
        return np.concatenate([there[0], back[0]]), np.concatenate([there[1], back[1]])

    def by_time(self, rows: NDArray[Any], active: NDArray[np.float64]) -> Reached:
        """What reaches the facts that were noted within 24 hours of some facts."""
        import numpy as np

        order, place, days, counts = self._in_time
        dated = place[rows] >= 0
        at, active = place[rows[dated]], active[dated]
        steps = np.arange(-self._fan // 2, self._fan // 2 + 1)
        near = at[:, None] + steps
        inside = (near >= 0) & (near < len(order))
        near = np.where(inside, near, 0)
        apart = np.abs(days[near] - days[at][:, None])
        share = np.abs(steps) / counts[at][:, None]
        weight = np.where(apart == 0, np.maximum(_LEAST, 1 - share), _LEAST)
        inside &= apart <= 1
        return order[near[inside]], (active[:, None] * weight)[inside]

    def _among(
        self, of: _Groups, groups: NDArray[Any], rows: NDArray[Any], values: NDArray[np.float64]
    ) -> Reached:
        """The ``fan`` members of each group that are nearest to a row, with its value.

        Args:
            of: All groups.
            groups: Those to go through, shape (n,); -1 for none.
            rows: For each, the row that it is gone through from.
            values: For each, what its members get.
        """
        import numpy as np

        some = groups >= 0
        groups, rows, values = groups[some], rows[some], values[some]
        first, last = of.starts[groups], of.starts[groups + 1]
        at = np.searchsorted(of.order, groups * of.size + rows)
        low = np.maximum(first, np.minimum(at - self._fan // 2, last - self._fan))
        near = low[:, None] + np.arange(self._fan)
        inside = near < last[:, None]
        return of.rows[near[inside]], np.broadcast_to(values[:, None], near.shape)[inside]

    @cached_property
    def _of_row(self) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """Where each row's entities start, and all of them by row."""
        import numpy as np

        starts, rows = (self._corpus.arrays[name] for name in ("entity_starts", "entity_rows"))
        entities = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        order = np.argsort(rows, kind="stable")
        counts = np.bincount(rows, minlength=self._size)
        return np.concatenate([[0], np.cumsum(counts)]), entities[order]

    @cached_property
    def _rarity(self) -> NDArray[np.float64]:
        """The weight of each entity: its idf over that of one with a single fact."""
        import numpy as np

        counts = np.diff(self._corpus.arrays["entity_starts"]).astype(np.float64)
        size = max(self._corpus.size, 1)
        idf: NDArray[np.float64] = np.log1p((size - counts + 0.5) / (counts + 0.5))
        idf /= np.log1p((size - 0.5) / 1.5)
        return idf

    @cached_property
    def _sharing(self) -> _Groups:
        """The facts of each entity."""
        arrays = self._corpus.arrays
        return _Groups(arrays["entity_rows"], arrays["entity_starts"], self._size)

    @cached_property
    def _in_time(self) -> tuple[NDArray[Any], ...]:
        """Dated rows in order, each row's place there or -1, their days, and how many a day has."""
        import numpy as np

        day = self._corpus.arrays["day"]
        rows = ((day > 0) & (self._corpus.arrays["offsets"] >= 0)).nonzero()[0]
        order = rows[np.argsort(day[rows], kind="stable")]
        place = np.full(self._size, -1, dtype=np.int64)
        place[order] = np.arange(len(order))
        _, inverse, counts = np.unique(day[order], return_inverse=True, return_counts=True)
        return order, place, day[order].astype(np.int64), counts[inverse]

    @cached_property
    def _pages(self) -> _Pages:
        return _Pages(self._corpus, self._size)


class _Groups:
    """Groups of rows.

    Args:
        rows: The rows of all groups, those of each together and rising.
        starts: Where each group starts in ``rows``, and where the last one ends.
        size: How many rows there are.
    """

    def __init__(self, rows: NDArray[Any], starts: NDArray[Any], size: int) -> None:
        import numpy as np

        self.rows = rows
        self.starts = starts.astype(np.int64)
        self.size = size
        groups = np.repeat(np.arange(len(starts) - 1, dtype=np.int64), np.diff(starts))
        self.order: NDArray[np.int64] = groups * size + rows
        """``group * size + row`` of all of them, which rises."""

    @classmethod
    def of(cls, groups: NDArray[Any], rows: NDArray[Any], count: int, size: int) -> _Groups:
        """Groups from pairs of group and row, in any order."""
        import numpy as np

        starts = np.concatenate([[0], np.cumsum(np.bincount(groups, minlength=count))])
        return cls(rows[np.lexsort((rows, groups))], starts, size)


class _Pages:
    """Which facts stand on which page, and which link to which page."""

    def __init__(self, corpus: Corpus, size: int) -> None:
        import numpy as np

        with duck.reading(corpus.snapshot):
            pages = corpus.connection.execute(
                "SELECT path, title, name FROM pages ORDER BY path"
            ).fetchall()
            links = corpus.connection.execute(
                "SELECT row, unnest(links) FROM facts WHERE len(links) > 0 ORDER BY row"
            ).fetchall()
            sql = """
                WITH numbered AS
                    (SELECT path, row_number() OVER (ORDER BY path) - 1 AS n FROM pages)
                SELECT row, n FROM facts JOIN numbered USING (path)
            """
            found: Any = corpus.connection.execute(sql).fetchnumpy() if links else None
        known: dict[str, int] = {}
        for number, (path, title, name) in enumerate(pages):
            stem = path.removesuffix(".md")
            for spelling in (path, stem, stem.rpartition("/")[2], title, name):
                if spelling:
                    known.setdefault(key(spelling), number)
        pairs = [(row, known[key(to)]) for row, to in links if key(to) in known]
        edges = np.array(sorted(set(pairs)), dtype=np.int64).reshape(-1, 2)
        self.linking, self.linked = edges[:, 0], edges[:, 1]
        self.page = np.full(size, -1, dtype=np.int64)
        if found is not None:
            self.page[found["row"]] = found["n"]
        on = (self.page >= 0).nonzero()[0]
        self.standing = _Groups.of(self.page[on], on, len(pages), size)
        self.pointing = _Groups.of(self.linked, self.linking, len(pages), size)


def _spread(first: NDArray[Any], last: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """All places of some ranges: which range each is of, and the place."""
    import numpy as np

    counts = last - first
    which = np.repeat(np.arange(len(counts)), counts)
    ahead = np.cumsum(counts) - counts
    return which, np.arange(len(which)) - ahead[which] + first[which]
