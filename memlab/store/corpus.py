"""A snapshot as strategies see it: facts by row, filters as rows, a place for what they derive."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from memlab.errors import CitationError
from memlab.store import duck, link
from memlab.types import Fact, Kind, Origin, Source, TimeRange, Trouble

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import duckdb
    import numpy as np
    from numpy.typing import NDArray

    from memlab.store.place import Place
    from memlab.types import Query
    from memlab.workspace.entities import Lexicon

_FACT = """SELECT row, id, path, start_line, end_line, kind, origin, content, heading, day,
    when_start, when_end, confidence, entities FROM facts"""


class Corpus:
    """The facts of one snapshot, opened read-only; it never changes.

    Args:
        place: The workspace's place for derived files.
        snapshot: The snapshot's file.

    Raises:
        StoreError: If it cannot be opened.
    """

    def __init__(self, place: Place, snapshot: Path) -> None:
        self.place = place
        self.snapshot = snapshot
        self.connection: duckdb.DuckDBPyConnection = duck.open_read_only(snapshot)

    def close(self) -> None:
        """Close the snapshot; the corpus cannot be used afterwards."""
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @cached_property
    def size(self) -> int:
        """How many facts there are."""
        return int(self._one("SELECT count(*) FROM facts"))

    @cached_property
    def lexicon(self) -> Lexicon:
        """All names by which entities are known."""
        return link.load_lexicon(self.connection)

    def derived(self, name: str) -> Path:
        """Where a strategy keeps what it derives from this very snapshot."""
        return self.snapshot.with_suffix(f".{name}")

    def facts(self, rows: Iterable[int]) -> list[Fact]:
        """The facts of those rows, in their order."""
        wanted = [int(row) for row in rows]
        sql = f"{_FACT} WHERE row IN (SELECT unnest(?::INTEGER[]))"
        by_row = {row[0]: self._fact(row) for row in self._all(sql, wanted)}
        return [by_row[row] for row in wanted]

    def find(self, fact_id: str) -> list[Fact]:
        """The fact of an id, as a list of one.

        Raises:
            CitationError: If there is none.
        """
        rows = self._all(f"{_FACT} WHERE id = ?", fact_id)
        if not rows:
            raise CitationError("there is no such fact", where=fact_id)
        return [self._fact(row) for row in rows]

    def touching(self, source: Source) -> list[Fact]:
        """The facts that stand on the lines of a citation, in order; paths in any normal form."""
        where = "nfc_normalize(path) = nfc_normalize(?) AND start_line <= ? AND end_line >= ?"
        sql = f"{_FACT} WHERE {where} ORDER BY start_line, row"
        return [self._fact(row) for row in self._all(sql, source.path, source.end, source.start)]

    def select(self, query: Query) -> NDArray[np.int64]:
        """The rows that a query's filters allow, rising; shape (n,)."""
        sql = f"SELECT row FROM facts WHERE {condition(query)} ORDER BY row"
        rows: Any = self.connection.execute(sql).fetchnumpy()["row"]
        return rows.astype("int64")  # type: ignore[no-any-return]

    def undated(self, query: Query) -> int:
        """How many facts only the query's window leaves out because they have no day."""
        if query.window is None:
            return 0
        import dataclasses

        where = condition(dataclasses.replace(query, window=None))
        undated = "day IS NULL AND when_start IS NULL"
        return int(self._one(f"SELECT count(*) FROM facts WHERE {where} AND {undated}"))

    def ids(self, rows: NDArray[np.int64]) -> list[str]:
        """The fact ids of those rows, in their order: ties are broken by them."""
        sql = "SELECT row, id FROM facts WHERE row IN (SELECT unnest(?::INTEGER[]))"
        by_row = dict(self._all(sql, rows.tolist()))
        return [by_row[row] for row in rows.tolist()]

    def troubles(self) -> list[Trouble]:
        """What did not go as written on the pages."""
        rows = self._all("SELECT path, message, line FROM troubles ORDER BY path, line")
        return [Trouble(*row) for row in rows]

    def counts(self) -> dict[str, Any]:
        """How many pages, facts of each kind and entities there are, and the first and last day."""
        kinds = dict(self._all("SELECT kind, count(*) FROM facts GROUP BY ALL"))
        ((first, last),) = self._all("SELECT min(day), max(day) FROM pages")
        return {
            "pages": int(self._one("SELECT count(*) FROM pages")),
            "facts": self.size,
            "kinds": {kind.value: kinds.get(kind.value, 0) for kind in Kind},
            "entities": int(self._one("SELECT count(*) FROM entities")),
            "first_day": first and first.isoformat(),
            "last_day": last and last.isoformat(),
        }

    def _all(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        return self.connection.execute(duck.fill(sql, *values)).fetchall()

    def _one(self, sql: str, *values: Any) -> Any:
        return self._all(sql, *values)[0][0]

    def _fact(self, row: tuple[Any, ...]) -> Fact:
        _, id_, path, start, end, kind, origin, content, heading, day, first, last, c, keys = row
        return Fact(
            id_, Kind(kind), Origin(origin), content, Source(path, start, end), day,
            TimeRange(first, last) if first else None,
            tuple(self.lexicon.names.get(own, own) for own in keys or ()), c, heading,
        )  # fmt: skip


def condition(query: Query) -> str:
    """The filters of a query as a condition on a table with the columns of ``facts``."""
    parts = [duck.fill("origin IN ?", list(query.origins))]
    if query.kinds:
        parts.append(duck.fill("kind IN ?", list(query.kinds)))
    if query.entities:
        parts.append(duck.fill("list_has_all(entities, ?)", query.entities))
    if query.window:
        # by the page's day or by what the fact speaks of, whichever lies inside
        start, end = query.window.start, query.window.end
        sql = "(day BETWEEN ? AND ? OR (when_start <= ? AND when_end >= ?))"
        parts.append(duck.fill(sql, start, end, end, start))
    return " AND ".join(parts)


def open_current(place: Place, snapshot: Path) -> Corpus:
    """Open a snapshot, or its successor if it was replaced a moment ago."""
    from memlab.errors import StoreError

    for _ in range(10):
        try:
            return Corpus(place, snapshot)
        except StoreError:
            newer = place.current()
            if newer is None or newer == snapshot:
                raise
            snapshot = newer
    return Corpus(place, snapshot)
