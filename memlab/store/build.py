"""From pages to a snapshot: only pages whose bytes changed are parsed, the rest is carried over.

A snapshot is built aside, under the lock, and switched to in one rename. Its name is the hash of
all pages' hashes, so that whoever has it knows without opening it whether it is still right.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from memlab.errors import StoreError
from memlab.store import arrays, duck, ingest, link
from memlab.store.place import arrays_of
from memlab.store.survey import FORMAT, Survey, pages_of, survey
from memlab.types import Trouble

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import duckdb

    from memlab.store.place import Place
    from memlab.workspace.config import Config

    Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh found and did.

    Attributes:
        snapshot: The snapshot that is right now.
        parsed: How many pages were parsed.
        removed: How many pages are gone.
        built: Whether a snapshot was built.
        troubles: What was met on the way, other than what stands in the snapshot.
    """

    snapshot: Path
    parsed: int = 0
    removed: int = 0
    built: bool = False
    troubles: tuple[Trouble, ...] = ()


def refresh(
    place: Place, config: Config, *, full: bool = False, progress: Progress | None = None
) -> Refreshed:
    """Make the current snapshot agree with the pages, and say which it is.

    Args:
        place: The workspace's place for derived files.
        config: The workspace's settings.
        full: Build from nothing, even if nothing changed.
        progress: Called with a verb, how much is done and how much there is.

    Raises:
        WorkspaceError: If the workspace cannot be listed.
        StoreError: If a snapshot cannot be built.
    """
    seen = survey(place, config)
    current = place.current()
    if not full and current == place.snapshot(seen.fingerprint):
        return Refreshed(current, troubles=tuple(seen.troubles))
    with place.lock():
        # whoever held the lock may have built just what is missing
        seen = survey(place, config)
        current = place.current()
        if not full and current == place.snapshot(seen.fingerprint):
            return Refreshed(current, troubles=tuple(seen.troubles))
        return _build(place, config, seen, None if full else current, progress)


def _build(
    place: Place, config: Config, seen: Survey, old: Path | None, progress: Progress | None
) -> Refreshed:
    known: dict[str, str] = {}
    if old is not None:
        try:
            with closing(duck.open_read_only(old)) as connection:
                known = pages_of(connection)
        except StoreError as error:
            seen.troubles.append(Trouble(old.name, f"built again: it {error.message}"))
            old = None
    changed = [path for path, sha256 in seen.hashes.items() if known.get(path) != sha256]
    with place.aside() as folder:
        parsed = ingest.ingest(
            place.root, changed, folder, known=known, sizes=seen.sizes,
            max_bytes=config.max_file_bytes, progress=progress,
        )  # fmt: skip
        _settle(seen, parsed, known)
        kept = sorted(path for path, sha256 in seen.hashes.items() if known.get(path) == sha256)
        building = folder / "snapshot.duckdb"
        with closing(duck.create(building)) as connection:
            _load(connection, folder, old if kept else None, kept)
            link.derive(connection, folder)
            meta = ("format", FORMAT, "fingerprint", seen.fingerprint)
            connection.execute(duck.fill("INSERT INTO meta VALUES (?, ?), (?, ?)", *meta))
            arrays.write(connection, folder / "arrays")
            connection.execute("CHECKPOINT")
        arrays.seal(folder / "arrays", building)
        place.forget_derived(seen.fingerprint)
        snapshot = place.snapshot(seen.fingerprint)
        (folder / "arrays").replace(arrays_of(snapshot))
        building.replace(snapshot)
    place.switch(snapshot)
    removed = len(known.keys() - seen.hashes.keys())
    return Refreshed(
        snapshot, len(parsed.hashes), removed, built=True, troubles=tuple(seen.troubles)
    )


def _settle(seen: Survey, parsed: ingest.Ingested, known: dict[str, str]) -> None:
    """Pages may change between the survey and the parsing: what was parsed is what counts."""
    seen.hashes |= parsed.hashes
    seen.hashes |= {path: known[path] for path in parsed.unchanged}
    for path, reason in (*parsed.gone.items(), *parsed.unreadable.items()):
        seen.troubles.append(Trouble(path, reason))
        if path in parsed.unreadable and path in known:
            seen.hashes[path] = known[path]
        else:
            del seen.hashes[path]


def _load(
    connection: duckdb.DuckDBPyConnection, folder: Path, old: Path | None, kept: list[str]
) -> None:
    """Fill ``pages``, ``troubles`` and, for `link` to finish, ``raw`` and ``old_entities``."""
    connection.execute(files("memlab.store").joinpath("schema.sql").read_text(encoding="utf-8"))
    connection.execute("CREATE TEMP TABLE raw AS SELECT * EXCLUDE (id) FROM facts")
    connection.execute("CREATE TEMP TABLE old_entities AS FROM entities")
    next_row = 0
    if old is not None:
        connection.execute(duck.fill("ATTACH ? AS old (READ_ONLY)", old))
        sql = "CREATE TEMP TABLE kept AS SELECT unnest(?::VARCHAR[]) AS path"
        connection.execute(duck.fill(sql, kept))
        for table in ("pages", "troubles"):
            sql = f"INSERT INTO {table} SELECT * FROM old.{table} SEMI JOIN kept USING (path)"
            connection.execute(sql)
        connection.execute(
            "INSERT INTO raw SELECT * EXCLUDE (id) FROM old.facts SEMI JOIN kept USING (path)"
        )
        connection.execute("INSERT INTO old_entities FROM old.entities")
        next_row = connection.execute(
            "SELECT coalesce(max(row), -1) + 1 FROM old.facts"
        ).fetchall()[0][0]
        connection.execute("DETACH old")
    for table, columns in (("pages", ingest.PAGE_COLUMNS), ("troubles", ingest.TROUBLE_COLUMNS)):
        connection.execute(
            f"INSERT INTO {table} ({', '.join(columns)}) FROM {duck.ndjson(folder, table, columns)}"
        )
    columns = ingest.FACT_COLUMNS
    connection.execute(
        f"INSERT INTO raw (row, {', '.join(columns)}) "
        f"SELECT {next_row} + row_number() OVER () - 1, * "
        f"FROM {duck.ndjson(folder, 'facts', columns)}"
    )
