"""What tells that a page is unchanged without reading it. A cache: losing it costs time only."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from memlab.store.place import replace_text
from memlab.workspace.reader import Stat

if TYPE_CHECKING:
    from pathlib import Path

# A file may be written twice within one tick of its clock, so a page that was written this shortly
# before it was read is read again next time.
_TICK_NS = 2_000_000_000


class StatCache:
    """Hashes of pages by what the system says of their files.

    Args:
        file: Where it is kept between processes.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known: dict[str, tuple[Stat, str]] = {}
        self._written: Stat | None = None  # the file when all that it says was known
        self._stale = False  # whether it says less than is known

    def load(self) -> None:
        """Take in what other processes have found, if they have written since."""
        try:
            written = Stat.of(self._file.stat())
        except OSError:
            self._stale = True  # it was removed, and is to be there again
            return
        if written == self._written:
            return
        with suppress(OSError, ValueError, TypeError):
            rows = json.loads(self._file.read_text(encoding="utf-8"))
            self._known |= {path: (Stat(*stat), sha256) for path, (stat, sha256) in rows.items()}
            self._written = written

    def get(self, path: str, stat: Stat) -> str | None:
        """The hash of the page, if its file is surely the one that was read."""
        known = self._known.get(path)
        return known[1] if known and known[0] == stat else None

    def put(self, path: str, stat: Stat, sha256: str, *, read_at_ns: int) -> None:
        """Note the hash of a page that was read at ``read_at_ns``."""
        if _is_sure(stat, read_at_ns):
            self._known[path] = (stat, sha256)
            self._stale = True
        elif path in self._known:
            del self._known[path]
            self._stale = True

    def save(self, paths: set[str]) -> None:
        """Keep what is known of ``paths``, and forget all others."""
        if self._known.keys() - paths:
            self._known = {path: row for path, row in self._known.items() if path in paths}
            self._stale = True
        if not self._stale:
            return
        with suppress(OSError):
            replace_text(self._file, json.dumps(self._known, separators=(",", ":")))
            self._written, self._stale = Stat.of(self._file.stat()), False


def stamp(file: Path) -> str:
    """What the system says of a file that is to be read now; empty where that tells too little."""
    read_at = now_ns()
    try:
        stat = Stat.of(file.stat())
    except OSError:
        return ""
    return " ".join(map(str, stat)) if _is_sure(stat, read_at) else ""


def _is_sure(stat: Stat, read_at_ns: int) -> bool:
    """Whether a file that was read then is the same for as long as the system says this of it."""
    return read_at_ns - max(stat.mtime_ns, stat.ctime_ns) > _TICK_NS


def now_ns() -> int:
    """The system's clock, in nanoseconds, as the times of files have it."""
    return time.time_ns()
