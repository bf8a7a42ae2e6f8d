"""A snapshot as strategies see it: facts by row, filters as rows, a place for what they derive."""

from __future__ import annotations

import dataclasses
import datetime as dt
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from memlab.errors import CitationError
from memlab.store import duck, succession
from memlab.store.arrays import KINDS, ORIGINS, Arrays
from memlab.store.place import arrays_of
from memlab.types import Fact, Kind, Origin, Source, TimeRange, Trouble
from memlab.workspace.entities import Lexicon

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    import duckdb
    import numpy as np
    from numpy.typing import NDArray

    from memlab.store.place import Place
    from memlab.store.sayings import Saying
    from memlab.store.succession import Successions
    from memlab.types import Query

_BATCH = 10_000


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
        self.arrays = Arrays(arrays_of(snapshot), snapshot)

    @cached_property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The snapshot's database, opened when it is first asked for."""
        return duck.open_read_only(self.snapshot)

    def close(self) -> None:
        """Close the snapshot; the corpus cannot be used afterwards."""
        self.arrays.close()
        if "connection" in self.__dict__:
            self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @cached_property
    def size(self) -> int:
        """How many facts there are."""
        return int((self.arrays["offsets"] >= 0).sum())

    @cached_property
    def lexicon(self) -> Lexicon:
        """All names by which entities are known."""
        return Lexicon.of((name, page, aliases) for _, name, page, aliases in self.arrays.entities)

    @cached_property
    def successions(self) -> Successions:
        """Which fact took the place of which; derived when it is first asked for."""
        return succession.load(self)

    @cached_property
    def sayings(self) -> list[Saying]:
        """Every fact that makes a claim, by day; read when it is first asked for."""
        return succession.sayings_of(self)

    def derived(self, name: str) -> Path:
        """Where a strategy keeps what it derives from this very snapshot."""
        return self.snapshot.with_suffix(f".{name}")

    def facts(self, rows: Iterable[int]) -> list[Fact]:
        """The facts of those rows, in their order."""
        with duck.reading(self.snapshot, IndexError, TypeError, ValueError):
            return [self._fact(row) for row in rows]

    def marked(self, rows: Sequence[int], day: dt.date | None = None) -> list[Fact]:
        """The same, each with where the fact is that holds in its place, as known on a day."""
        places, facts = self.successions.on(day), self.facts(rows)
        for at, row in enumerate(rows):
            if row in places:
                by = self.facts([succession.last(places, row)])[0].source
                facts[at] = dataclasses.replace(facts[at], superseded_by=by)
        return facts

    def around(self, row: int, count: int) -> list[Fact]:
        """The fact of a row and up to ``count`` before and after it in its section, in order.

        The facts of a page have rows that follow each other, in the order of their lines.
        Generated facts are left out.
        """
        last = len(self.arrays["offsets"]) - 1
        near = range(max(0, row - count), min(last, row + count) + 1)
        own, *others = self.facts([row, *(o for o in near if self.arrays["offsets"][o] >= 0)])
        section = (own.source.path, own.heading)
        return [
            fact
            for fact in others
            if (fact.source.path, fact.heading) == section and fact.origin != Origin.GENERATED
        ]

    def find(self, fact_id: str) -> Fact:
        """The fact of an id.

        Raises:
            CitationError: If there is none.
        """
        rows = self._all("SELECT row FROM facts WHERE id = ?", fact_id)
        if not rows:
            raise CitationError("there is no such fact", where=fact_id)
        return self.marked(rows[0])[0]

    def touching(self, source: Source) -> list[Fact]:
        """The facts that stand on the lines of a citation, in order; paths in any normal form."""
        sql = """
            SELECT row FROM facts WHERE nfc_normalize(path) = nfc_normalize(?)
                AND start_line <= ? AND end_line >= ? ORDER BY start_line, row
        """
        rows = self._all(sql, source.path, source.end, source.start)
        return self.marked([row for (row,) in rows])

    def mask(self, query: Query) -> NDArray[np.bool_]:
        """Which rows a query's filters allow; shape (rows,)."""
        allowed: NDArray[np.bool_] = self.arrays["offsets"] >= 0
        if len(query.origins) < len(ORIGINS):
            allowed &= self._one_of("origin", [ORIGINS.index(origin) for origin in query.origins])
        if query.kinds:
            allowed &= self._one_of("kind", [KINDS.index(kind) for kind in query.kinds])
        for own in query.entities:
            about = allowed.copy()
            about[:] = False
            about[self.rows_about(own)] = True
            allowed &= about
        if query.window:
            first, last = query.window.start.toordinal(), query.window.end.toordinal()
            day, start, end = (self.arrays[name] for name in ("day", "start", "end"))
            # by the page's day or by what the fact speaks of, whichever lies inside; 0 is no day
            allowed &= ((day >= first) & (day <= last)) | ((start <= last) & (end >= first))
        if query.as_of:
            day = self.arrays["day"]
            known = (day > 0) & (day <= query.as_of.toordinal())
            known[list(query.held)] = True
            allowed &= known & (self.arrays["origin"] != ORIGINS.index(Origin.GENERATED))
        return allowed

    def restriction(self, query: Query) -> NDArray[np.bool_] | None:
        """`mask`, for an index without generated facts; None where it would leave out nothing."""
        usual = {Origin.WRITTEN, Origin.PROPOSED} <= set(query.origins)
        if usual and not (query.kinds or query.entities or query.window or query.as_of):
            return None
        return self.mask(query)

    def tokens(
        self, rows: list[int] | None = None, *, context: bool = True
    ) -> Iterator[tuple[int, str]]:
        """Row and search tokens, a space between them, of all facts to search, or of some rows.

        Generated facts are left out: they repeat others, and would weigh their words twice.

        Args:
            rows: The rows; None for all.
            context: With the tokens of the headings above, the day and a table's header.
        """
        sql = searched(context=context)
        if rows is not None:
            sql += f" AND {duck.among(rows)}"
        with duck.reading(self.snapshot):
            found = self.connection.execute(sql + " ORDER BY row")
            while batch := found.fetchmany(_BATCH):
                yield from batch

    def select(self, query: Query) -> NDArray[np.int64]:
        """The rows that a query's filters allow, rising; shape (n,)."""
        return self.mask(query).nonzero()[0]

    def rows_about(self, own: str) -> NDArray[np.int32]:
        """The rows that are about an entity, by its key, rising; none for one that is not known."""
        number = self._entity_numbers.get(own)
        return self.arrays["entity_rows"][:0] if number is None else self.arrays.rows_of(number)

    def undated(self, query: Query) -> int:
        """How many facts only the query's days leave out because they have none."""
        if query.window is None and query.as_of is None:
            return 0
        allowed = self.mask(dataclasses.replace(query, window=None, as_of=None))
        allowed &= self.arrays["day"] == 0
        if query.as_of:
            allowed[list(query.held)] = False
        else:
            allowed &= self.arrays["end"] == 0
        return int(allowed.sum())

    def ids(self, rows: Iterable[int]) -> list[str]:
        """The fact ids of those rows, in their order."""
        return [self.arrays.line(int(row))[0] for row in rows]

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
        with duck.reading(self.snapshot):
            return self.connection.execute(duck.fill(sql, *values)).fetchall()

    def _one(self, sql: str, *values: Any) -> Any:
        return self._all(sql, *values)[0][0]

    @cached_property
    def _entity_numbers(self) -> dict[str, int]:
        return {own: number for number, (own, *_) in enumerate(self.arrays.entities)}

    def _one_of(self, column: str, codes: list[int]) -> NDArray[np.bool_]:
        values = self.arrays[column]
        found: NDArray[np.bool_] = values == -1  # none, until a code says otherwise
        for code in codes:  # a few: faster than np.isin, which looks for any number of them
            found |= values == code
        return found

    def _fact(self, row: int) -> Fact:
        values = self.arrays.line(int(row))
        id_, path, start, end, kind, origin, content, heading, day, first, last, c, keys = values
        return Fact(
            id_, Kind(kind), Origin(origin), content, Source(path, start, end), _day(day),
            TimeRange(dt.date.fromisoformat(first), dt.date.fromisoformat(last)) if first else None,
            tuple(self.lexicon.names.get(own, own) for own in keys), c, heading,
        )  # fmt: skip


def _day(text: str | None) -> dt.date | None:
    return dt.date.fromisoformat(text) if text else None


def searched(*, context: bool) -> str:
    """A query for what `Corpus.tokens` gives of all facts: ``row`` and ``tokens``."""
    column = "concat_ws(' ', tokens, nullif(context, ''))" if context else "tokens"
    sql = f"SELECT row, {column} AS tokens FROM facts WHERE origin != ? AND facts.tokens != ''"
    return duck.fill(sql, Origin.GENERATED)


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
    if query.as_of:
        sql = "(day <= ? OR row IN (SELECT unnest(?::INTEGER[]))) AND origin != ?"
        parts.append(duck.fill(sql, query.as_of, query.held, Origin.GENERATED))
    return " AND ".join(parts)
