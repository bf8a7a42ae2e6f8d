"""DuckDB connections, hardened: nothing is downloaded, nothing outside is read, nothing changed."""

from __future__ import annotations

import datetime as dt
import importlib.util
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memlab.errors import DamagedError, MemlabError, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import duckdb

_MAX_ROW_BYTES = 64 * 1024 * 1024
_OFFLINE: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "threads": "2",
}
_HARDENING = threading.Lock()


def create(path: Path) -> duckdb.DuckDBPyConnection:
    """A new database file, open for writing; whoever fills it calls `lock` on what it fills from.

    Raises:
        StoreError: If the file cannot be made.
    """
    import duckdb

    try:
        return duckdb.connect(str(path), config=_OFFLINE)
    except duckdb.Error as error:
        raise StoreError(f"cannot be made: {error}", where=str(path)) from error


def open_read_only(path: Path, *, fts: bool = False) -> duckdb.DuckDBPyConnection:
    """An existing database file, read-only, without access to anything else.

    Args:
        path: The file.
        fts: Load the full text extension from its package.

    Raises:
        DamagedError: If the file is missing, damaged or no database of this version.
    """
    import duckdb

    try:
        connection = duckdb.connect(str(path), read_only=True, config=_OFFLINE)
    except duckdb.Error as error:
        raise DamagedError(f"cannot be opened: {error}", where=str(path)) from error
    with _HARDENING:
        # all connections of a process to one file share a database: the first has done it for all
        done = connection.execute("SELECT current_setting('lock_configuration')").fetchone()
        if done != (True,):
            if fts:
                load_fts(connection)
            connection.execute("SET enable_external_access = false")
            connection.execute("SET lock_configuration = true")
    return connection


@contextmanager
def reading(path: Path, *signs: type[Exception]) -> Iterator[None]:
    """Turns what a database raises over a damaged file into an error that says what to do.

    Args:
        path: The file that is read.
        signs: What else tells that it is damaged.

    Raises:
        DamagedError: If a database, or one of ``signs``, was raised.
    """
    try:
        yield
    except MemlabError:
        raise
    except Exception as error:
        # only what is loaded can have been raised, and neither is loaded for this
        databases = [
            sys.modules[name].Error for name in ("duckdb", "sqlite3") if name in sys.modules
        ]
        if not isinstance(error, (*databases, *signs)):
            raise
        lines = str(error).splitlines() or [type(error).__name__]
        raise DamagedError(
            f"is damaged: {lines[0]}", where=str(path), hint="Run: memlab index --full"
        ) from error


def load_fts(connection: duckdb.DuckDBPyConnection) -> None:
    """Load the full text extension from the package ``duckdb-extension-fts``.

    Raises:
        StoreError: If the package is missing or was made for another DuckDB; it says what to do.
    """
    import duckdb

    version = duckdb.__version__
    spec = importlib.util.find_spec("duckdb_extension_fts")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        file = Path(folder) / "extensions" / f"v{version}" / "fts.duckdb_extension"
        if file.is_file():
            connection.load_extension(str(file))
            return
    raise StoreError(
        f"DuckDB's full text extension for version {version} is not installed",
        hint=f"Install it: pip install 'duckdb-extension-fts=={version}'",
    )


def fill(sql: str, *values: Any) -> str:
    """``sql`` with each ``?`` replaced by a literal.

    DuckDB's client imports pandas as soon as it is given one parameter, which takes longer than
    all else that a short command does; literals cost nothing.

    >>> fill("SELECT ?, ?", "it's", [1, 2])
    "SELECT 'it''s', [1, 2]"
    """
    pieces = sql.split("?")
    if len(pieces) != len(values) + 1:
        raise ValueError(f"{len(values)} values for {len(pieces) - 1} places")
    filled = [pieces[0]]
    for value, piece in zip(values, pieces[1:], strict=True):
        filled += [literal(value), piece]
    return "".join(filled)


def among(rows: Sequence[int]) -> str:
    """A condition that holds for some rows of the table of facts.

    The bounds let a scan pass over all that lies outside: facts of one page lie together.
    """
    if not rows:
        return "false"
    wanted = fill("row IN (SELECT unnest(?::INTEGER[]))", list(rows))
    return f"row BETWEEN {min(rows)} AND {max(rows)} AND {wanted}"


def literal(value: Any) -> str:
    """A value as a literal of DuckDB's SQL: text, numbers, days, paths, None and lists of them."""
    if value is None:
        return "NULL"
    if isinstance(value, bool | int | float):
        return repr(value)
    if isinstance(value, dt.date):
        return f"DATE '{value:%Y-%m-%d}'"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, str | Path):
        text = str(value).replace("'", "''")
        # a NUL would end the statement; no text of a page has one
        return "'" + text.replace("\0", "\ufffd") + "'"
    raise TypeError(f"no literal for {type(value).__name__}")


def ndjson(folder: Path, name: str, columns: dict[str, str]) -> str:
    """A table expression over ``NAME-0.ndjson``, ``NAME-1.ndjson`` … with typed columns."""
    files = sorted(
        folder.glob(f"{name}-*.ndjson"), key=lambda file: int(file.stem.rpartition("-")[2])
    )
    typed = ", ".join(f"{column}: '{kind}'" for column, kind in columns.items())
    return (
        f"read_json({literal(files)}, format = 'newline_delimited', columns = {{{typed}}}, "
        f"maximum_object_size = {_MAX_ROW_BYTES})"
    )
