"""From pages to a snapshot: only pages whose bytes changed are parsed, the rest is carried over.

It is built aside, under the lock, and switched to in one rename.
"""

from __future__ import annotations

import shutil
import time
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING

from memlab.errors import DamagedError, StoreError
from memlab.store import arrays, columns, duck, ingest, link
from memlab.store.build import MENDED, Refreshed
from memlab.store.place import arrays_of
from memlab.store.survey import FORMAT, Survey, pages_of, survey
from memlab.types import Trouble

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

    from memlab.store.build import Progress
    from memlab.store.place import Place
    from memlab.workspace.config import Config

_TRIES = 10
_GAPS = 10_000  # rows without a fact that are put up with, beside as many as there are facts


@dataclass(slots=True)
class _Part:
    """What one round of parsing wrote.

    Attributes:
        folder: Where it lies.
        hashes: The hash of each page in it.
        stale: The pages of it that have changed since, or stand in an earlier part.
    """

    folder: Path
    hashes: dict[str, str] = field(default_factory=dict)
    stale: list[str] = field(default_factory=list)


def build(
    place: Place, config: Config, seen: Survey, old: Path | None, met: list[Trouble], *,
    full: bool, progress: Progress | None,
) -> Refreshed:  # fmt: skip
    """Build the snapshot that is right for the pages and switch to it; the caller holds the lock.

    Args:
        place: The workspace's place for derived files.
        config: The workspace's settings.
        seen: The pages as they were seen a moment ago.
        old: The snapshot to carry over from, or None.
        met: What was met before.
        full: Carry over only pages that cannot be seen now.
        progress: Called with a verb, how much is done and how much there is.
    """
    there: dict[str, str] = {}
    if old is not None:
        try:
            with closing(duck.open_read_only(old)) as connection:
                there = pages_of(connection)
        except StoreError as error:
            met.append(Trouble(old.name, f"{MENDED}{error.message}"))
            old = None
    known = {path: there[path] for path in seen.lost & there.keys()} if full else there
    with place.aside() as folder:
        seen, parts = _parse(place, config, seen, known=known, folder=folder, progress=progress)
        kept = {path for path, sha256 in seen.hashes.items() if known.get(path) == sha256}
        building = folder / "snapshot.duckdb"
        if old is not None and kept:
            shutil.copyfile(old, building)  # to change a copy is ten times as fast as to fill anew
        few = sum(len(part.hashes) for part in parts) < len(kept)
        with closing(duck.create(building)) as connection:
            if few:  # as one, or each statement would wait for the disk; of many it takes longer
                connection.execute("BEGIN TRANSACTION")
            numbering = _load(connection, parts, sorted(there.keys() - kept))
            touched = link.derive(connection, folder)
            base = _arrays(old) if numbering else None
            numbering = numbering or f"{seen.fingerprint}-{time.time_ns()}"
            meta = ("format", FORMAT, "fingerprint", seen.fingerprint, "numbering", numbering)
            sql = "INSERT INTO meta VALUES (?, ?), (?, ?), (?, ?)"
            connection.execute(duck.fill(sql, *meta))
            with closing(base) if base else nullcontext():
                carried = columns.write(connection, folder / "arrays", base=base, touched=touched)
            if few:
                connection.execute("COMMIT")
            connection.execute("CHECKPOINT")
        arrays.seal(folder / "arrays", building, numbering, old if carried else None)
        snapshot = place.free(seen.fingerprint)
        (folder / "arrays").replace(arrays_of(snapshot))
        building.replace(snapshot)
    place.switch(snapshot)
    parsed = sum(len(part.hashes) - len(part.stale) for part in parts)
    removed = len(known.keys() - seen.hashes.keys())
    return Refreshed(snapshot, parsed, removed, built=True, troubles=(*met, *seen.troubles))


def _parse(
    place: Place, config: Config, seen: Survey, *, known: dict[str, str], folder: Path,
    progress: Progress | None,
) -> tuple[Survey, list[_Part]]:  # fmt: skip
    """Parse what changed, and what changes meanwhile: what is built was true at some moment."""
    parts: list[_Part] = []
    parsed: dict[str, str] = {}
    for number in range(_TRIES):
        part = _Part(folder / f"parsed-{number}")
        part.folder.mkdir()
        wanted = [
            p for p, sha256 in seen.hashes.items() if sha256 not in (known.get(p), parsed.get(p))
        ]
        done = ingest.ingest(
            place.root, wanted, part.folder, known=known, sizes=seen.sizes,
            max_bytes=config.max_file_bytes, progress=progress,
        )  # fmt: skip
        part.hashes = done.hashes
        parts.append(part)
        parsed |= done.hashes
        _settle(seen, done, known)
        again = survey(place, config)
        if again.hashes == seen.hashes:
            break
        if number < _TRIES - 1:  # else it is edited faster than it is read
            seen = again
    taken = {path for path, sha256 in seen.hashes.items() if known.get(path) == sha256}
    for part in parts:
        good = {p for p, sha256 in part.hashes.items() if seen.hashes.get(p) == sha256} - taken
        part.stale = sorted(part.hashes.keys() - good)
        taken |= good
    return seen, parts


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


def _arrays(snapshot: Path | None) -> arrays.Arrays | None:
    """A snapshot's arrays, if they are there and all of the size that they had."""
    if snapshot is not None:
        with suppress(DamagedError):
            return arrays.Arrays(arrays_of(snapshot), snapshot)
    return None


def _load(connection: duckdb.DuckDBPyConnection, parts: list[_Part], gone: list[str]) -> str | None:
    """Take out pages, add those that were parsed; their facts are in ``new`` as yet.

    The identities and paths of the facts that went are in ``gone``.

    Returns:
        The numbering, if the facts that are kept have the rows that they had; None if all are new.
    """
    connection.execute(files("memlab.store").joinpath("schema.sql").read_text(encoding="utf-8"))
    going = duck.fill("path IN (SELECT unnest(?::VARCHAR[]))", gone)
    connection.execute(f"CREATE TEMP TABLE gone AS SELECT base_id, path FROM facts WHERE {going}")
    sql = "SELECT coalesce(max(row), -1) + 1 FROM facts"
    ((next_row,),) = connection.execute(sql).fetchall()
    for table in ("pages", "facts", "troubles"):
        connection.execute(f"DELETE FROM {table} WHERE {going}")
    numbering = _numbering(connection, next_row)
    if numbering is None:
        ((next_row,),) = connection.execute("SELECT count(*) FROM facts").fetchall()
    connection.execute("DELETE FROM meta")
    for part in parts:
        for table, typed in (
            ("pages", ingest.PAGE_COLUMNS),
            ("troubles", ingest.TROUBLE_COLUMNS),
        ):
            connection.execute(
                f"INSERT INTO {table} ({', '.join(typed)}) FROM {_rows(part, table, typed)}"
            )
    number = f"({next_row} + row_number() OVER () - 1)::INTEGER AS row"
    rows = " UNION ALL ".join(f"FROM {_rows(part, 'facts', ingest.FACT_COLUMNS)}" for part in parts)
    connection.execute(f"CREATE TEMP TABLE new AS SELECT {number}, * FROM ({rows})")
    return numbering


def _rows(part: _Part, name: str, columns: dict[str, str]) -> str:
    """A table expression over what one round of parsing wrote, without what is stale."""
    found = duck.ndjson(part.folder, name, columns)
    if not part.stale:
        return found
    stale = duck.fill("list_contains(?::VARCHAR[], path)", part.stale)
    return f"(FROM {found} WHERE NOT {stale})"


def _numbering(connection: duckdb.DuckDBPyConnection, next_row: int) -> str | None:
    """The numbering of the facts that are kept; too many gaps, and they are numbered anew."""
    found = connection.execute(
        "SELECT value, (SELECT count(*) FROM facts) FROM meta WHERE key = 'numbering'"
    ).fetchone()
    if found and next_row <= 2 * found[1] + _GAPS:
        return str(found[0])
    connection.execute(
        """
        UPDATE facts SET row = anew.row FROM (
            SELECT row AS before, row_number() OVER (ORDER BY row) - 1 AS row FROM facts
        ) AS anew WHERE facts.row = anew.before
        """
    )
    return None
