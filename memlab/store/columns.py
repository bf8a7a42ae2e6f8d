"""From a snapshot's facts to the arrays beside it: what stayed as it was is carried over.

See `memlab.store.arrays` for what they are.
"""

from __future__ import annotations

import bisect
import json
import shutil
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from memlab.store import duck
from memlab.store.arrays import KINDS, ORIGINS

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb
    import numpy as np
    from numpy.typing import NDArray

    from memlab.store.arrays import Arrays

_BATCH = 20_000
_FEW = 64  # so many facts to one that is new, from which looking for its place beats sorting


def write(
    connection: duckdb.DuckDBPyConnection,
    folder: Path,
    *,
    base: Arrays | None,
    touched: list[int],
) -> bool:
    """Write the arrays of a snapshot whose facts are complete.

    Args:
        connection: The snapshot.
        folder: Where; it is made.
        base: The arrays of a snapshot whose facts have the same rows; None to write all anew.
        touched: The rows that are new since then, or changed.

    Returns:
        Whether the rows that are not touched are as they were: not where all are new.
    """
    import numpy as np

    folder.mkdir()
    found: Any = connection.execute("SELECT row FROM facts ORDER BY row").fetchnumpy()
    rows = found["row"].astype(np.int64)
    fresh = rows if base is None else np.array(touched, dtype=np.int64)
    carries = 2 * len(fresh) < len(rows)  # of fewer, to write all anew is as fast
    writing = _Writing(
        connection, folder, rows, base if carries else None, fresh if carries else rows
    )
    writing.columns()
    writing.times()
    writing.talk()
    writing.ties()
    writing.lines()
    writing.entities()
    np.save(folder / "touched.npy", fresh)
    return base is not None


@dataclass(frozen=True)
class _Writing:
    """One snapshot's arrays in the making.

    Attributes:
        connection: The snapshot.
        folder: Where they are written.
        rows: The rows of its facts, rising.
        base: The arrays that rows are carried over from; None where all are fresh.
        fresh: The rows that are not.
    """

    connection: duckdb.DuckDBPyConnection
    folder: Path
    rows: NDArray[np.int64]
    base: Arrays | None
    fresh: NDArray[np.int64]

    @property
    def size(self) -> int:
        """How many rows there are, with those that are no facts."""
        return int(self.rows[-1]) + 1 if len(self.rows) else 0

    @cached_property
    def stays(self) -> NDArray[np.bool_]:
        """Which rows are carried over; as long as the longer of both snapshots."""
        import numpy as np

        size = max(self.size, len(self.base["offsets"]) if self.base else 0)
        stays = np.zeros(size, dtype=bool)
        stays[self.rows] = True
        stays[self.fresh] = False
        return stays

    @cached_property
    def kept(self) -> NDArray[np.int64]:
        """The rows that are carried over, rising."""
        return self.stays.nonzero()[0]

    @cached_property
    def only(self) -> str:
        """The condition that leaves of the table of facts those that are fresh."""
        if self.base is None:
            return "true"
        return duck.among(self.fresh.tolist())

    def columns(self) -> None:
        """Kind, origin and days of each fact, and what tells its section from others."""
        import numpy as np

        sql = f"""
            SELECT row, list_position(?, kind) - 1 AS kind, list_position(?, origin) - 1 AS origin,
                coalesce(day - DATE '0001-01-01' + 1, 0) AS day,
                coalesce(when_start - DATE '0001-01-01' + 1, 0) AS start,
                coalesce(when_end - DATE '0001-01-01' + 1, 0) AS end,
                (hash(path, heading) & 2147483647)::INTEGER AS section
            FROM facts WHERE {self.only}
        """
        found: Any = self.connection.execute(duck.fill(sql, KINDS, ORIGINS)).fetchnumpy()
        rows = found.pop("row")
        for name, column in found.items():
            kind: Any = np.int8 if name in ("kind", "origin") else np.int32
            array: NDArray[Any] = np.zeros(self.size, dtype=kind)
            if self.base:
                array[self.kept] = self.base[name][self.kept]
            array[rows] = column
            np.save(self.folder / f"{name}.npy", array)

    def times(self) -> None:
        """The further times of facts."""
        import numpy as np

        sql = f"""
            SELECT row, times[place] AS first, times[place + 1] AS last FROM (
                SELECT row, times, unnest(range(1, len(times), 2)) AS place
                FROM facts WHERE len(times) > 0 AND {self.only}
            ) ORDER BY row, place
        """
        found: Any = self.connection.execute(sql).fetchnumpy()
        array = np.stack([found[name].astype(np.int32) for name in ("row", "first", "last")])
        if self.base:
            before = self.base["times"]
            array = np.concatenate([before[:, self.stays[before[0]]], array], axis=1)
            array = array[:, np.argsort(array[0], kind="stable")]
        np.save(self.folder / "times.npy", array)

    def talk(self) -> None:
        """The number of each conversation; another one may change them all."""
        import numpy as np

        sql = """
            SELECT row, number FROM facts JOIN (
                SELECT path, row_number() OVER (ORDER BY path) AS number FROM pages WHERE talk
            ) AS talks USING (path)
        """
        found: Any = self.connection.execute(sql).fetchnumpy()
        array = np.zeros(self.size, dtype=np.int32)
        array[found["row"]] = found["number"]
        np.save(self.folder / "talk.npy", array)

    def ties(self) -> None:
        """The place of each id among all; of a few new ones it is looked for."""
        import numpy as np

        sql = f"SELECT id, row FROM facts WHERE {self.only} ORDER BY id"
        base = self.base
        if base is None or _FEW * len(self.fresh) > len(self.kept):
            found: Any = self.connection.execute("SELECT row FROM facts ORDER BY id").fetchnumpy()
            order = found["row"].astype(np.int64)
        else:
            before = (base["offsets"] >= 0).nonzero()[0]
            order = np.empty(len(before), dtype=np.int64)
            order[base["tie"][before]] = before
            order = order[self.stays[order]]
            new = self.connection.execute(sql).fetchall()
            places = [bisect.bisect_left(order, own, key=base.id) for own, _ in new]
            order = np.insert(order, places, [row for _, row in new])
        array = np.zeros(self.size, dtype=np.int32)
        array[order] = np.arange(len(order))
        np.save(self.folder / "tie.npy", array)

    def lines(self) -> None:
        """Each fact as a line, and where it starts; -1 for rows that are none.

        Lines that are carried over are not written again: new ones follow at the end, until more
        than half of the file is of no use.
        """
        import numpy as np

        offsets = np.full(self.size, -1, dtype=np.int64)
        file = self.folder / "facts.ndjson"
        count, only = len(self.rows), "true"
        if self.base:
            before = int(self.base["lines"])
            if before + len(self.fresh) <= 2 * len(self.rows) + _BATCH:
                shutil.copyfile(self.base.folder / file.name, file)
                offsets[self.kept] = self.base["offsets"][self.kept]
                count, only = before + len(self.fresh), self.only
        np.save(self.folder / "lines.npy", np.int64(count))
        found = self.connection.execute(
            f"""
            SELECT row, json_array(id, path, start_line, end_line, kind, origin, content, heading,
                day, when_start, when_end, confidence, entities)::VARCHAR FROM facts WHERE {only}
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
        np.save(self.folder / "offsets.npy", offsets)

    def entities(self) -> None:
        """The entities, and the rows that each is about."""
        import numpy as np

        sql = "SELECT key, name, page, aliases FROM entities ORDER BY rowid"
        known = self.connection.execute(sql).fetchall()
        text = json.dumps(known, ensure_ascii=False)
        (self.folder / "entities.json").write_text(text, encoding="utf-8")
        found: Any = self.connection.execute(
            f"""
            WITH numbered AS (
                SELECT key, row_number() OVER (ORDER BY rowid) - 1 AS number FROM entities
            )
            SELECT number, row
            FROM (SELECT unnest(entities) AS key, row FROM facts WHERE {self.only})
            JOIN numbered USING (key)
            """
        ).fetchnumpy()
        pairs = found["number"].astype(np.int64) * max(self.size, 1) + found["row"]
        if self.base:
            numbers = {own: number for number, (own, *_) in enumerate(known)}
            # whom a kept fact is about is still known, if by another number
            now = np.array([numbers.get(own, 0) for own, *_ in self.base.entities], dtype=np.int64)
            of = np.repeat(now, np.diff(self.base["entity_starts"]))
            rows = self.base["entity_rows"]
            stay = self.stays[rows]
            pairs = np.concatenate([of[stay] * max(self.size, 1) + rows[stay], pairs])
        pairs.sort()
        counts = np.bincount(pairs // max(self.size, 1), minlength=len(known))
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        np.save(self.folder / "entity_starts.npy", starts)
        np.save(self.folder / "entity_rows.npy", (pairs % max(self.size, 1)).astype(np.int32))
