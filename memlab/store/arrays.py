"""A snapshot's facts as arrays and lines beside it, for reading without starting a database.

    facts.ndjson    one JSON array a fact, in the order of rows
    offsets.npy     int64 (rows,): where each row's line starts; -1 for a row that is no fact
    kind.npy, origin.npy                int8 (rows,): codes in the order of the enumerations
    day.npy, start.npy, end.npy         int32 (rows,): days since year 1; 0 for none
    tie.npy         int32 (rows,): the place of the fact's id among all ids, to break ties
    entity_starts.npy, entity_rows.npy  int32: rows of the n-th entity lie from starts[n] to [n+1]
    entities.json   key, name, page and aliases of each entity, in order

All are mapped into memory, so that opening costs nothing and processes share the pages.
"""

from __future__ import annotations

import json
import mmap
from functools import cached_property
from typing import TYPE_CHECKING, Any

from memlab.errors import StoreError
from memlab.store import duck
from memlab.store.hold import SEAL, Hold
from memlab.types import Kind, Origin

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb
    import numpy as np
    from numpy.typing import NDArray

KINDS = tuple(Kind)
ORIGINS = tuple(Origin)

_BATCH = 20_000


def write(connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """Write the arrays of a snapshot whose facts are complete."""
    import numpy as np

    folder.mkdir()
    sql = """
        SELECT row, list_position(?, kind) - 1 AS kind, list_position(?, origin) - 1 AS origin,
            coalesce(day - DATE '0001-01-01' + 1, 0) AS day,
            coalesce(when_start - DATE '0001-01-01' + 1, 0) AS start,
            coalesce(when_end - DATE '0001-01-01' + 1, 0) AS end,
            row_number() OVER (ORDER BY id) - 1 AS tie
        FROM facts ORDER BY row
    """
    columns: Any = connection.execute(duck.fill(sql, KINDS, ORIGINS)).fetchnumpy()
    rows = columns.pop("row").astype(np.int64)
    size = int(rows[-1]) + 1 if len(rows) else 0
    for name, column in columns.items():
        array = np.zeros(size, dtype=np.int8 if name in ("kind", "origin") else np.int32)
        array[rows] = column
        np.save(folder / f"{name}.npy", array)
    offsets = np.full(size, -1, dtype=np.int64)
    offsets[rows] = _write_lines(connection, folder / "facts.ndjson")
    np.save(folder / "offsets.npy", offsets)
    _write_entities(connection, folder)


def seal(folder: Path, snapshot: Path) -> None:
    """Note the sizes of all files, the database among them, so that a damaged one is noticed."""
    sizes = {file.name: file.stat().st_size for file in sorted(folder.iterdir())}
    sizes[""] = snapshot.stat().st_size
    (folder / SEAL).write_text(json.dumps(sizes), encoding="utf-8")


def _write_lines(connection: duckdb.DuckDBPyConnection, file: Path) -> list[int]:
    """Write each fact as a line; returns where each starts."""
    starts: list[int] = []
    position = 0
    cursor = connection.execute(
        """
        SELECT json_array(id, path, start_line, end_line, kind, origin, content, heading, day,
            when_start, when_end, confidence, entities)::VARCHAR FROM facts ORDER BY row
        """
    )
    with file.open("wb") as out:
        while batch := cursor.fetchmany(_BATCH):
            for (line,) in batch:
                raw = line.encode()
                out.write(raw + b"\n")
                starts.append(position)
                position += len(raw) + 1
    return starts


def _write_entities(connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
    import numpy as np

    entities = connection.execute("SELECT key, name, page, aliases FROM entities ORDER BY rowid")
    known = entities.fetchall()
    (folder / "entities.json").write_text(json.dumps(known, ensure_ascii=False), encoding="utf-8")
    number = {own: index for index, (own, *_) in enumerate(known)}
    pairs = connection.execute("SELECT unnest(entities), row FROM facts ORDER BY row").fetchall()
    rows: list[list[int]] = [[] for _ in known]
    for own, row in pairs:
        rows[number[own]].append(row)
    starts = np.cumsum([0, *map(len, rows)], dtype=np.int32)
    np.save(folder / "entity_starts.npy", starts)
    np.save(folder / "entity_rows.npy", np.array([r for of in rows for r in of], dtype=np.int32))


class Arrays:
    """The arrays of one snapshot, mapped into memory as they are asked for.

    Args:
        folder: What `memlab.store.place.arrays_of` names.
        snapshot: The snapshot's database.

    Raises:
        StoreError: If a file of the snapshot is missing or has another size than it had.
    """

    def __init__(self, folder: Path, snapshot: Path) -> None:
        self._folder = folder
        self._open: dict[str, Any] = {}
        try:
            self._hold = Hold(folder / SEAL)
            sizes = json.loads((folder / SEAL).read_text(encoding="utf-8"))
            now = {name: (folder / name if name else snapshot).stat().st_size for name in sizes}
        except (OSError, ValueError, TypeError) as error:
            raise self._damaged(error) from error
        if now != sizes:
            changed = [name or snapshot.name for name in now if now[name] != sizes[name]]
            raise self._damaged(f"another size than when written: {', '.join(changed)}")

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The array of that name."""
        if name not in self._open:
            import numpy as np

            try:
                self._open[name] = np.load(self._folder / f"{name}.npy", mmap_mode="r")
            except (OSError, ValueError) as error:
                raise self._damaged(error) from error
        array: NDArray[Any] = self._open[name]
        return array

    @cached_property
    def entities(self) -> list[tuple[str, str, str | None, list[str]]]:
        """Key, name, page and aliases of each entity."""
        try:
            known = json.loads((self._folder / "entities.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise self._damaged(error) from error
        return [tuple(row) for row in known]

    @cached_property
    def _lines(self) -> mmap.mmap | bytes:
        try:
            with (self._folder / "facts.ndjson").open("rb") as file:
                if not file.seek(0, 2):
                    return b""
                return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            raise self._damaged(error) from error

    def line(self, row: int) -> list[Any]:
        """A fact's values, as `write` put them.

        Raises:
            KeyError: If the row is no fact.
        """
        start = int(self["offsets"][row]) if 0 <= row < len(self["offsets"]) else -1
        if start < 0:
            raise KeyError(row)
        try:
            values: list[Any] = json.loads(self._lines[start : self._lines.find(b"\n", start)])
        except ValueError as error:
            raise self._damaged(error) from error
        return values

    def rows_of(self, number: int) -> NDArray[np.int32]:
        """The rows that the n-th entity is about, rising."""
        starts = self["entity_starts"]
        return self["entity_rows"][starts[number] : starts[number + 1]]

    def close(self) -> None:
        """Let go of the maps."""
        self._open.clear()
        self.__dict__.pop("_lines", None)
        self._hold.release()

    def _damaged(self, error: object) -> StoreError:
        return StoreError(
            f"is damaged: {error}", where=str(self._folder), hint="Run: memlab index --full"
        )
