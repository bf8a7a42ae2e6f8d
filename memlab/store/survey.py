"""What the workspace is now: every page's hash, without parsing any."""

from __future__ import annotations

import hashlib
import json
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from memlab import tokens, workspace
from memlab.errors import StoreError
from memlab.store import duck
from memlab.store.stats import StatCache, now_ns
from memlab.types import Trouble
from memlab.workspace import reader

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

    from memlab.store.place import Place
    from memlab.workspace.config import Config

SCHEMA_VERSION = 5
FORMAT = f"{SCHEMA_VERSION}.{workspace.VERSION}.{tokens.VERSION}"
"""What a snapshot must have been made by, to be read or carried over from."""

_STATS: WeakKeyDictionary[Place, StatCache] = WeakKeyDictionary()
"""What each place that is in use knows of its pages."""


@dataclass(slots=True)
class Survey:
    """The pages as they are now.

    Attributes:
        hashes: The hash of each page, by path; of pages that cannot be seen now, the known one.
        sizes: The size in bytes of each page that was seen.
        lost: The pages that cannot be seen now.
        troubles: What was met.
    """

    hashes: dict[str, str]
    sizes: dict[str, int] = field(default_factory=dict)
    lost: set[str] = field(default_factory=set)
    troubles: list[Trouble] = field(default_factory=list)

    @property
    def fingerprint(self) -> str:
        """The name of the snapshot that is right for these pages."""
        stuff = json.dumps([FORMAT, sorted(self.hashes.items())], ensure_ascii=True)
        return hashlib.sha256(stuff.encode()).hexdigest()[:16]


def survey(place: Place, config: Config) -> Survey:
    """Look at every page; read those that are not surely the same as when they were last read.

    A page that cannot be read now, or whose folder cannot be listed, stays as it was known: only a
    page that is seen to be gone is gone.

    Raises:
        WorkspaceError: If the workspace itself cannot be listed.
    """
    stats = _STATS.setdefault(place, StatCache(place.folder / "stat.json"))
    stats.load()
    listing = reader.scan(place.root)
    sizes = {path: stat.size for path, stat in listing.files.items()}
    found = Survey({}, sizes, troubles=listing.troubles)
    for path, stat in listing.files.items():
        sha256 = stats.get(path, stat)
        if sha256 is None:
            read_at = now_ns()
            try:
                sha256 = reader.read(place.root, path, max_bytes=config.max_file_bytes).sha256
            except FileNotFoundError:
                continue
            except reader.UnusableError as error:
                found.troubles.append(Trouble(path, f"{error}; left out"))
                continue
            except reader.UnreadableError as error:
                found.troubles.append(Trouble(path, str(error)))
                found.lost.add(path)
                continue
            stats.put(path, stat, sha256, read_at_ns=read_at)
        found.hashes[path] = sha256
    if found.lost or listing.unlisted:
        for path, sha256 in known_pages(place.current()).items():
            if path in found.lost or listing.hides(path):
                found.hashes[path] = sha256
                found.lost.add(path)
    stats.save(set(found.hashes))
    return found


def known_pages(snapshot: Path | None) -> dict[str, str]:
    """The pages of a snapshot and their hashes; none if there is none or it cannot be read."""
    if snapshot is None:
        return {}
    with suppress(StoreError), closing(duck.open_read_only(snapshot)) as connection:
        return pages_of(connection)
    return {}


def pages_of(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """The pages of an open snapshot and their hashes.

    Raises:
        StoreError: If it was made by another format, or is none of memlab's.
    """
    import duckdb

    try:
        found = connection.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
        if found != (FORMAT,):
            raise StoreError(f"was made by format {found and found[0]}, not {FORMAT}")
        return dict(connection.execute("SELECT path, sha256 FROM pages").fetchall())
    except duckdb.Error as error:
        raise StoreError(f"is no snapshot of memlab: {error}") from error
