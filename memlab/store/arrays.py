"""A snapshot's facts as arrays and lines beside it, for reading without starting a database.

    facts.ndjson    one JSON array a fact; lines of facts that went or changed may stand there too
    offsets.npy     int64 (rows,): where each row's line starts; -1 for a row that is no fact
    kind.npy, origin.npy                int8 (rows,): codes in the order of the enumerations
    day.npy, start.npy, end.npy         int32 (rows,): days since year 1; 0 for none
    times.npy       int32 (3, times): row, first and last day of each further time, in order of rows
    section.npy     int32 (rows,): the same for facts under the same headings of one page
    tie.npy         int32 (rows,): the place of the fact's id among all ids, to break ties
    talk.npy        int32 (rows,): of facts in a conversation, the number of its page from 1, else 0
    entity_starts.npy, entity_rows.npy  int32: rows of the n-th entity lie from starts[n] to [n+1]
    lines.npy       how many lines facts.ndjson has, those of no use included
    touched.npy     int64: the rows that are not as they were in the snapshot carried over from
    entities.json   key, name, page and aliases of each entity, in order

All are mapped into memory, so that opening costs nothing and processes share the pages.
"""

from __future__ import annotations

import json
import mmap
from functools import cached_property
from typing import TYPE_CHECKING, Any

from memlab.errors import DamagedError
from memlab.store.hold import SEAL, Hold
from memlab.types import Kind, Origin

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

KINDS = tuple(Kind)
ORIGINS = tuple(Origin)


def seal(folder: Path, snapshot: Path, numbering: str, base: Path | None) -> None:
    """Note the sizes of all files, the database among them, so that a damaged one is noticed.

    Args:
        folder: The folder of the arrays.
        snapshot: The snapshot's database.
        numbering: What all snapshots have in common whose facts kept their rows.
        base: The snapshot that was carried over from, if any.
    """
    sizes = {file.name: file.stat().st_size for file in sorted(folder.iterdir())}
    sizes[""] = snapshot.stat().st_size
    note = {"numbering": numbering, "base": base and base.name, "sizes": sizes}
    (folder / SEAL).write_text(json.dumps(note), encoding="utf-8")


def map_array(file: Path) -> NDArray[Any]:
    """An array of a file, mapped into memory: a plain one, since NumPy's own kind is slow to index.

    Raises:
        OSError: If the file cannot be read.
        ValueError: If it is no array.
    """
    import numpy as np

    return np.load(file, mmap_mode="r").view(np.ndarray)  # type: ignore[no-any-return]


class Arrays:
    """The arrays of one snapshot, mapped into memory as they are asked for.

    Args:
        folder: What `memlab.store.place.arrays_of` names.
        snapshot: The snapshot's database.

    Raises:
        DamagedError: If a file of the snapshot is missing or has another size than it had.
    """

    def __init__(self, folder: Path, snapshot: Path) -> None:
        self.folder = folder
        self._open: dict[str, Any] = {}
        try:
            self._hold = Hold(folder / SEAL)
            note = json.loads((folder / SEAL).read_text(encoding="utf-8"))
            self.numbering: str = note["numbering"]
            self.base: str | None = note.get("base")
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
                self._open[name] = map_array(self.folder / f"{name}.npy")
            except (OSError, ValueError) as error:
                raise self._damaged(error) from error
        array: NDArray[Any] = self._open[name]
        return array

    @cached_property
    def entities(self) -> list[tuple[str, str, str | None, list[str]]]:
        """Key, name, page and aliases of each entity."""
        try:
            known = json.loads((self.folder / "entities.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise self._damaged(error) from error
        return [tuple(row) for row in known]

    @cached_property
    def _lines(self) -> mmap.mmap | bytes:
        try:
            with (self.folder / "facts.ndjson").open("rb") as file:
                if not file.seek(0, 2):
                    return b""
                return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            raise self._damaged(error) from error

    def id(self, row: int) -> str:
        """A fact's id, at a fraction of what its whole line takes; the row must be one.

        Raises:
            DamagedError: If its line cannot be read.
        """
        start = int(self["offsets"][row]) + len('["')
        try:
            return self._lines[start : self._lines.find(b'"', start)].decode("ascii")
        except ValueError as error:
            raise self._damaged(error) from error

    def line(self, row: int) -> list[Any]:
        """A fact's values, in the order of the table's columns.

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
            f"is damaged: {error}", where=str(self.folder), hint="Run: memlab index --full"
        )
