"""From pages to a snapshot: only pages whose bytes changed are parsed, the rest is carried over.

A snapshot is built aside, under the lock, and switched to in one rename. Its name is the hash of
all pages' hashes, so that whoever has it knows without opening it whether it is still right.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from contextlib import closing, suppress
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from memlab import tokens
from memlab.errors import StoreError
from memlab.store import duck, link
from memlab.store.stats import StatCache, now_ns
from memlab.types import Trouble
from memlab.workspace import parser, reader

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import duckdb

    from memlab.store.place import Place
    from memlab.workspace.config import Config

    Progress = Callable[[str, int, int], None]

SCHEMA_VERSION = 1
FORMAT = f"{SCHEMA_VERSION}.{parser.VERSION}.{tokens.VERSION}"
"""What a snapshot must have been made by, to be read or carried over from."""

_FACT_COLUMNS = {
    "row": "INTEGER", "base_id": "VARCHAR", "path": "VARCHAR", "start_line": "INTEGER",
    "end_line": "INTEGER", "kind": "VARCHAR", "origin": "VARCHAR", "content": "VARCHAR",
    "heading": "VARCHAR", "day": "DATE", "when_start": "DATE", "when_end": "DATE",
    "confidence": "DOUBLE", "heads": "VARCHAR[]", "tags": "VARCHAR[]", "links": "VARCHAR[]",
    "supersedes": "VARCHAR", "keeps": "VARCHAR", "tokens": "VARCHAR",
}  # fmt: skip
_PAGE_COLUMNS = {
    "path": "VARCHAR", "sha256": "VARCHAR", "role": "VARCHAR", "day": "DATE", "title": "VARCHAR",
    "name": "VARCHAR", "aliases": "VARCHAR[]",
}  # fmt: skip
_TROUBLE_COLUMNS = {"path": "VARCHAR", "line": "INTEGER", "message": "VARCHAR"}


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


@dataclass(slots=True)
class _Survey:
    """The workspace as it is now: each page's hash, and pages that are kept though unseen."""

    hashes: dict[str, str]
    troubles: list[Trouble] = field(default_factory=list)

    @property
    def fingerprint(self) -> str:
        stuff = json.dumps([FORMAT, sorted(self.hashes.items())], ensure_ascii=True)
        return hashlib.sha256(stuff.encode()).hexdigest()[:16]


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
    stats = StatCache(place.folder / "stat.json")
    survey = _survey(place, config, stats)
    current = place.current()
    if not full and current == place.snapshot(survey.fingerprint):
        return Refreshed(current, troubles=tuple(survey.troubles))
    with place.lock():
        # whoever held the lock may have built just what is missing
        survey = _survey(place, config, stats)
        current = place.current()
        if not full and current == place.snapshot(survey.fingerprint):
            return Refreshed(current, troubles=tuple(survey.troubles))
        return _build(place, config, survey, None if full else current, progress)


def _survey(place: Place, config: Config, stats: StatCache) -> _Survey:
    listing = reader.scan(place.root)
    survey = _Survey({}, listing.troubles)
    lost: list[str] = []
    for path, stat in listing.files.items():
        sha256 = stats.get(path, stat)
        if sha256 is None:
            read_at = now_ns()
            try:
                sha256 = reader.read(place.root, path, max_bytes=config.max_file_bytes).sha256
            except FileNotFoundError:
                continue
            except reader.UnusableError as error:
                survey.troubles.append(Trouble(path, f"{error}; left out"))
                continue
            except reader.UnreadableError as error:
                survey.troubles.append(Trouble(path, str(error)))
                lost.append(path)
                continue
            stats.put(path, stat, sha256, read_at_ns=read_at)
        survey.hashes[path] = sha256
    if lost or listing.unlisted:
        known = _known(place.current())
        for path, sha256 in known.items():
            if path in lost or listing.hides(path):
                survey.hashes[path] = sha256
    stats.save(set(survey.hashes))
    return survey


def _known(snapshot: Path | None) -> dict[str, str]:
    """The pages of a snapshot and their hashes; none if it cannot be read."""
    if snapshot is None:
        return {}
    with suppress(StoreError), closing(duck.open_read_only(snapshot)) as connection:
        return _pages(connection)
    return {}


def _pages(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    import duckdb

    try:
        found = connection.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
        if found != (FORMAT,):
            raise StoreError(f"was made by format {found and found[0]}, not {FORMAT}")
        return dict(connection.execute("SELECT path, sha256 FROM pages").fetchall())
    except duckdb.Error as error:
        raise StoreError(f"is no snapshot of memlab: {error}") from error


def _build(
    place: Place, config: Config, survey: _Survey, old: Path | None, progress: Progress | None
) -> Refreshed:
    known: dict[str, str] = {}
    if old is not None:
        try:
            with closing(duck.open_read_only(old)) as connection:
                known = _pages(connection)
        except StoreError as error:
            survey.troubles.append(Trouble(old.name, f"built again: it {error.message}"))
            old = None
    changed = [path for path, sha256 in survey.hashes.items() if known.get(path) != sha256]
    with place.aside() as folder:
        parsed = _parse(place, config, survey, changed, known, folder, progress)
        kept = sorted(path for path, sha256 in survey.hashes.items() if known.get(path) == sha256)
        building = folder / "snapshot.duckdb"
        with closing(duck.create(building)) as connection:
            _load(connection, folder, old if kept else None, kept)
            link.derive(connection, folder)
            meta = ("format", FORMAT, "fingerprint", survey.fingerprint)
            connection.execute(duck.fill("INSERT INTO meta VALUES (?, ?), (?, ?)", *meta))
            connection.execute("CHECKPOINT")
        snapshot = building.replace(place.snapshot(survey.fingerprint))
    place.switch(snapshot)
    removed = len(known.keys() - survey.hashes.keys())
    return Refreshed(snapshot, parsed, removed, built=True, troubles=tuple(survey.troubles))


def _parse(
    place: Place, config: Config, survey: _Survey, paths: list[str], known: dict[str, str],
    folder: Path, progress: Progress | None,
) -> int:  # fmt: skip
    """Parse pages into newline-delimited JSON beside the snapshot; returns how many."""
    count = 0
    with (
        (folder / "pages.ndjson").open("w", encoding="utf-8") as pages,
        (folder / "facts.ndjson").open("w", encoding="utf-8") as facts,
        (folder / "troubles.ndjson").open("w", encoding="utf-8") as troubles,
    ):
        for number, path in enumerate(paths):
            if progress:
                progress("parsing", number, len(paths))
            try:
                page = reader.read(place.root, path, max_bytes=config.max_file_bytes)
            except (FileNotFoundError, reader.UnusableError, reader.UnreadableError) as error:
                # it changed after the survey; the next refresh sees it as it is then
                survey.troubles.append(Trouble(path, f"changed while it was read: {error}"))
                if isinstance(error, reader.UnreadableError) and path in known:
                    survey.hashes[path] = known[path]
                else:
                    del survey.hashes[path]
                continue
            survey.hashes[path] = page.sha256
            parsed = parser.parse(page)
            count += 1
            _dump(pages, _page_row(parsed))
            for fact in parsed.facts:
                _dump(facts, _fact_row(fact))
            for trouble in parsed.troubles:
                _dump(troubles, dataclasses.asdict(trouble))
    if progress:
        progress("parsing", len(paths), len(paths))
    return count


def _load(
    connection: duckdb.DuckDBPyConnection, folder: Path, old: Path | None, kept: list[str]
) -> None:
    connection.execute(files("memlab.store").joinpath("schema.sql").read_text(encoding="utf-8"))
    next_row = 0
    if old is not None:
        connection.execute(duck.fill("ATTACH ? AS old (READ_ONLY)", old))
        sql = "CREATE TEMP TABLE kept AS SELECT unnest(?::VARCHAR[]) AS path"
        connection.execute(duck.fill(sql, kept))
        for table in ("pages", "facts", "troubles"):
            connection.execute(
                f"INSERT INTO {table} SELECT * FROM old.{table} SEMI JOIN kept USING (path)"
            )
        (last,) = connection.execute("SELECT coalesce(max(row), -1) FROM old.facts").fetchall()[0]
        next_row = last + 1
        connection.execute("CREATE TEMP TABLE old_entities AS SELECT * FROM old.entities")
        connection.execute("DETACH old")
    else:
        connection.execute("CREATE TEMP TABLE old_entities AS SELECT * FROM entities")
    for table, columns in (("pages", _PAGE_COLUMNS), ("troubles", _TROUBLE_COLUMNS)):
        connection.execute(
            f"INSERT INTO {table} ({', '.join(columns)}) SELECT * FROM {duck.ndjson(folder / f'{table}.ndjson', columns)}"  # noqa: E501
        )
    columns = {name: kind for name, kind in _FACT_COLUMNS.items() if name != "row"}
    connection.execute(
        f"INSERT INTO facts (row, {', '.join(columns)}) "
        f"SELECT {next_row} + row_number() OVER () - 1, * "
        f"FROM {duck.ndjson(folder / 'facts.ndjson', columns)}"
    )


def _dump(file: Any, row: dict[str, Any]) -> None:
    file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _page_row(page: parser.ParsedPage) -> dict[str, Any]:
    return {
        "path": page.path, "sha256": page.sha256, "role": page.role.value, "day": _day(page.day),
        "title": page.title, "name": page.name, "aliases": page.aliases,
    }  # fmt: skip


def _fact_row(parsed: parser.ParsedFact) -> dict[str, Any]:
    fact = parsed.fact
    return {
        "base_id": fact.id, "path": fact.source.path, "start_line": fact.source.start,
        "end_line": fact.source.end, "kind": fact.kind.value, "origin": fact.origin.value,
        "content": fact.content, "heading": fact.heading, "day": _day(fact.day),
        "when_start": _day(fact.when and fact.when.start),
        "when_end": _day(fact.when and fact.when.end),
        "confidence": fact.confidence, "heads": fact.entities, "tags": parsed.tags,
        "links": parsed.links, "supersedes": parsed.supersedes, "keeps": parsed.keeps,
        "tokens": " ".join(parsed.tokens),
    }  # fmt: skip


def _day(day: Any) -> str | None:
    return day.isoformat() if day else None
