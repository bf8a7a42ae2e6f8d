"""A snapshot's facts as arrays and lines beside it, for reading without starting a database.

    facts.ndjson    one JSON array a fact; lines of facts that went or changed may stand there too
    offsets.npy     int64 (rows,): where each row's line starts; -1 for a row that is no fact
    kind.npy, origin.npy                int8 (rows,): codes in the order of the enumerations
    day.npy, start.npy, end.npy         int32 (rows,): days since year 1; 0 for none
    tie.npy         int32 (rows,): the place of the fact's id among all ids, to break ties
    talk.npy        int32 (rows,): of facts in a conversation, the number of its page from 1, else 0
    entity_starts.npy, entity_rows.npy  int32: rows of the n-th entity lie from starts[n] to [n+1]
    lines.npy       how many lines facts.ndjson has, those of no use included
    entities.json   key, name, page and aliases of each entity, in order

All are mapped into memory, so that opening costs nothing and processes share the pages.
"""

from __future__ import annotations

import json
import mmap
import shutil
from functools import cached_property
from typing import TYPE_CHECKING, Any

from memlab.errors import DamagedError
from memlab.store import duck
from memlab.store.hold import SEAL, Hold
from memlab.store.place import arrays_of
from memlab.types import Kind, Origin

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb
    import numpy as np
    from numpy.typing import NDArray

KINDS = tuple(Kind)
ORIGINS = tuple(Origin)

_BATCH = 20_000


def write(
    connection: duckdb.DuckDBPyConnection, folder: Path, *, base: Path | None, touched: list[int]
) -> None:
    """Write the arrays of a snapshot whose facts are complete.

    Args:
        connection: The snapshot.
        folder: Where; it is made.
        base: The arrays of a snapshot whose facts have the same rows; None to write all anew.
        touched: The rows that are new since then, or changed.
    """
    import numpy as np

    folder.mkdir()
    sql = """
        SELECT row, list_position(?, kind) - 1 AS kind, list_position(?, origin) - 1 AS origin,
            coalesce(day - DATE '0001-01-01' + 1, 0) AS day,
            coalesce(when_start - DATE '0001-01-01' + 1, 0) AS start,
            coalesce(when_end - DATE '0001-01-01' + 1, 0) AS end,
            row_number() OVER (ORDER BY id) - 1 AS tie, coalesce(talks.number, 0) AS talk
        FROM facts LEFT JOIN (
            SELECT path, row_number() OVER (ORDER BY path) AS number FROM pages WHERE talk
        ) AS talks USING (path)
        ORDER BY row
    """
    columns: Any = connection.execute(duck.fill(sql, KINDS, ORIGINS)).fetchnumpy()
    rows = columns.pop("row").astype(np.int64)
    size = int(rows[-1]) + 1 if len(rows) else 0
    for name, column in columns.items():
        array = np.zeros(size, dtype=np.int8 if name in ("kind", "origin") else np.int32)
        array[rows] = column
        np.save(folder / f"{name}.npy", array)
    np.save(
        folder / "offsets.npy", _write_lines(connection, folder, rows, base=base, touched=touched)
    )
    _write_entities(connection, folder)


def _write_lines(
    connection: duckdb.DuckDBPyConnection,
    folder: Path,
    rows: NDArray[np.int64],
    *,
    base: Path | None,
    touched: list[int],
) -> NDArray[np.int64]:
    """Write each fact as a line; returns where each row's line starts, -1 for rows that are none.

    Lines of facts that stayed as they were are not written again: new ones follow at the end, until
    more than half of the file is of no use.
    """
    import numpy as np

    offsets = np.full(int(rows[-1]) + 1 if len(rows) else 0, -1, dtype=np.int64)
    file = folder / "facts.ndjson"
    wanted = ""
    if base is not None and 2 * len(touched) < len(rows):
        before = np.load(base / "offsets.npy")
        lines_before = int(np.load(base / "lines.npy"))
        if lines_before + len(touched) <= 2 * len(rows) + _BATCH:
            shutil.copyfile(base / file.name, file)
            stay = np.zeros(len(offsets), dtype=bool)
            stay[rows] = True
            stay[touched] = False
            kept = np.flatnonzero(stay)
            offsets[kept] = before[kept]
            wanted = duck.fill("WHERE row IN (SELECT unnest(?::INTEGER[]))", touched)
    lines_now = len(rows) if not wanted else lines_before + len(touched)
    np.save(folder / "lines.npy", np.int64(lines_now))
    found = connection.execute(
        f"""
        SELECT row, json_array(id, path, start_line, end_line, kind, origin, content, heading, day,
            when_start, when_end, confidence, entities)::VARCHAR FROM facts {wanted}
        """
    )
    with file.open("ab") as out:
        position = out.tell()
        while batch := found.fetchmany(_BATCH):
            lines = [f"{line}\n".encode() for _, line in batch]
            out.write(b"".join(lines))
            ends = position + np.cumsum([len(line) for line in lines])
            offsets[[row for row, _ in batch]] = [position, *ends[:-1]]
            position = int(ends[-1])
    return offsets


def _write_entities(connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
    import numpy as np

    entities = connection.execute("SELECT key, name, page, aliases FROM entities ORDER BY rowid")
    known = entities.fetchall()
    (folder / "entities.json").write_text(json.dumps(known, ensure_ascii=False), encoding="utf-8")
    pairs: Any = connection.execute(
        """
        WITH numbered AS (
            SELECT key, row_number() OVER (ORDER BY rowid) - 1 AS number FROM entities
        )
        SELECT number, row FROM (SELECT unnest(entities) AS key, row FROM facts)
        JOIN numbered USING (key) ORDER BY number, row
        """
    ).fetchnumpy()
    counts = np.bincount(pairs["number"].astype(np.int64), minlength=len(known))
    np.save(folder / "entity_starts.npy", np.concatenate([[0], np.cumsum(counts)]).astype(np.int32))
    np.save(folder / "entity_rows.npy", pairs["row"].astype(np.int32))


def seal(folder: Path, snapshot: Path, numbering: str) -> None:
    """Note the sizes of all files, the database among them, so that a damaged one is noticed.

    Args:
        folder: The folder of the arrays.
        snapshot: The snapshot's database.
        numbering: What all snapshots have in common whose facts kept their rows.
    """
    sizes = {file.name: file.stat().st_size for file in sorted(folder.iterdir())}
    sizes[""] = snapshot.stat().st_size
    note = {"numbering": numbering, "sizes": sizes}
    (folder / SEAL).write_text(json.dumps(note), encoding="utf-8")


def map_array(file: Path) -> NDArray[Any]:
    """An array of a file, mapped into memory: a plain one, since NumPy's own kind is slow to index.

    Raises:
        OSError: If the file cannot be read.
        ValueError: If it is no array.
    """
    import numpy as np

    return np.load(file, mmap_mode="r").view(np.ndarray)  # type: ignore[no-any-return]


def is_sound(snapshot: Path) -> bool:
    """Whether a snapshot's arrays are there, all of the size that they had."""
    try:
        Arrays(arrays_of(snapshot), snapshot).close()
    except DamagedError:
        return False
    return True


class Arrays:
    """The arrays of one snapshot, mapped into memory as they are asked for.

    Args:
        folder: What `memlab.store.place.arrays_of` names.
        snapshot: The snapshot's database.

    Raises:
        DamagedError: If a file of the snapshot is missing or has another size than it had.
    """

    def __init__(self, folder: Path, snapshot: Path) -> None:
        self._folder = folder
        self._open: dict[str, Any] = {}
        try:
            self._hold = Hold(folder / SEAL)
            note = json.loads((folder / SEAL).read_text(encoding="utf-8"))
            self.numbering: str = note["numbering"]
            sizes = note["sizes"]
            now = {name: (folder / name if name else snapshot).stat().st_size for name in sizes}
        except (OSError, ValueError, TypeError, LookupError) as error:
            raise self._damaged(error) from error
        if now != sizes:
            changed = [name or snapshot.name for name in now if now[name] != sizes[name]]
            raise self._damaged(f"another size than when written: {', '.join(changed)}")

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The array of that name."""
        if name not in self._open:
            try:
                self._open[name] = map_array(self._folder / f"{name}.npy")
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

    def _damaged(self, error: object) -> DamagedError:
        return DamagedError(
            f"is damaged: {error}", where=str(self._folder), hint="Run: memlab index --full"
        )
