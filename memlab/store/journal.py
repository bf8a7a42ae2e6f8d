"""What retain wrote to each page, so that a write cut short is finished and a lost one noticed.

One file a page, ``.memory/retained/<page>.ndjson``, only ever appended to: a line before each
write, a line after it. It is derived like all else there; without it nothing is lost but the means
to notice. A line that a crash cut short is passed over.
"""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from memlab.tokens import tokens
from memlab.workspace.files import write_all
from memlab.workspace.markdown import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

FOLDER = "retained"
SUFFIX = ".ndjson"
EDITED = 0.5
"""A line that shares so much of its words with a bullet is that bullet, edited by a person."""
AT_ONCE = 1.0
"""Seconds: a bullet that vanishes sooner was never seen by whoever saved the page without it."""


@dataclass(slots=True)
class Entry:
    """A bullet that was written.

    Attributes:
        id: The fact's id.
        line: The bullet's line on the page.
        at: The size of the page before, in bytes.
        added: What was appended, as bytes.
        time: When, in seconds since the epoch.
        done: Whether the write is known to have been made.
        told: Whether its loss was reported.
        gone: Whether its loss was accepted.
    """

    id: str
    line: str
    at: int
    added: bytes
    time: float
    done: bool = False
    told: bool = False
    gone: bool = False


class Journal:
    """The journal of one page; call it under the lock. It keeps what it read.

    Args:
        folder: The workspace's folder for derived files.
        path: The page's path from the workspace's root.
    """

    def __init__(self, folder: Path, path: str) -> None:
        self.path = path
        self.file = folder / FOLDER / f"{quote(path, safe='')}{SUFFIX}"
        self.entries: dict[str, Entry] = {}
        self.last: Entry | None = None
        self.proposed = False  # whether bullets were ever proposed from this page
        self._read = 0
        self._next: tuple[str, str] = ("", "")

    @classmethod
    def all(cls, folder: Path) -> Iterator[Journal]:
        """Every page's journal, in the order of their paths."""
        for file in sorted((folder / FOLDER).glob(f"*{SUFFIX}")):
            journal = cls(folder, unquote(file.name.removesuffix(SUFFIX)))
            journal.load()
            yield journal

    def load(self) -> None:
        """Read what was added since it was last read."""
        try:
            with self.file.open("rb") as file:
                if os.fstat(file.fileno()).st_size < self._read:
                    self.entries, self.last, self._read = {}, None, 0
                file.seek(self._read)
                raw = file.read()
        except FileNotFoundError:
            self.entries, self.last, self._read = {}, None, 0
            return
        whole = raw[: raw.rfind(b"\n") + 1]
        self._read += len(whole)
        for line in whole.splitlines():
            try:
                self._take(json.loads(line))
            except (ValueError, KeyError, TypeError):
                continue  # cut short, and another was written after it

    def expect(self, fact_id: str, line: str) -> None:
        """Say which bullet the next append writes."""
        self._next = (fact_id, line)

    def owed(self, raw: bytes) -> bytes:
        """The rest of the last write, if the page ends in a part of it."""
        self.load()
        last = self.last
        if last is None or last.done:
            return b""
        tail = raw[last.at :]
        if tail.startswith(last.added):
            self._add({"done": last.id})
            return b""
        if not tail or not last.added.startswith(tail):
            return b""
        return last.added[len(tail) :]

    def begin(self, at: int, added: bytes) -> None:
        """Note an append before it is made."""
        fact_id, line = self._next
        text = added.decode("utf-8", "surrogateescape")
        self._add({"id": fact_id, "line": line, "at": at, "added": text, "time": time.time()})

    def end(self) -> None:
        """Note that the append was made."""
        if self.last:
            self._add({"done": self.last.id})

    def mark(self, verb: str, entries: Iterable[Entry]) -> None:
        """Note that losses were ``told`` or accepted as ``gone``."""
        ids = [entry.id for entry in entries]
        if ids:
            self._add({verb: ids})

    def propose(self) -> None:
        """Note that bullets were proposed from this page."""
        self._add({"proposed": True})

    def lost(self, text: str) -> list[Entry]:
        """The bullets that were written and stand on the page no longer, nor edited.

        Args:
            text: The page's text, line endings as LF.
        """
        lines = set(text.split("\n"))
        missing = [
            e for e in self.entries.values() if e.done and not e.gone and e.line not in lines
        ]
        if not missing:
            return []
        standing = [set(tokens(line)) for line in split_lines(text)]
        return [entry for entry in missing if not _edited(set(tokens(entry.line)), standing)]

    def _take(self, row: dict[str, Any]) -> None:
        if "done" in row:
            if row["done"] in self.entries:
                self.entries[row["done"]].done = True
        elif "proposed" in row:
            self.proposed = True
        elif "told" in row:
            for one in row["told"]:
                self.entries[one].told = True
        elif "gone" in row:
            for one in row["gone"]:
                self.entries[one].gone = True
        else:
            added = row["added"].encode("utf-8", "surrogateescape")
            entry = Entry(row["id"], row["line"], row["at"], added, row["time"])
            self.entries[entry.id] = self.last = entry

    def _add(self, row: dict[str, Any]) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
        handle = os.open(self.file, flags, 0o666)
        try:
            size = os.fstat(handle).st_size
            torn = b""
            if size:
                os.lseek(handle, size - 1, os.SEEK_SET)
                torn = b"" if os.read(handle, 1) == b"\n" else b"\n"
            write_all(handle, torn + json.dumps(row).encode() + b"\n")
        finally:
            os.close(handle)
        self.load()


def _edited(words: set[str], standing: list[set[str]]) -> bool:
    return any(
        len(words & other) >= EDITED * len(words | other) for other in standing if words and other
    )
