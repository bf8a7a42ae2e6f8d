"""Vectors of a workspace by model and content, so that no text is embedded twice.

One SQLite file. Several processes may read and write it at once; what was put in stays when a
process is killed; and since a vector is found by its model's fingerprint and by the hash of the
very text that the model was given, vectors of two models never meet.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Self

from memlab.errors import ParameterError, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from memlab.embedding.base import Card, Role
    from memlab.store.place import Place

DEFAULT_LIMIT = 2 * 1024**3
_FILE = "embeddings.sqlite"
_SCHEMA = """
    CREATE TABLE IF NOT EXISTS models (
        model INTEGER PRIMARY KEY, fingerprint TEXT UNIQUE NOT NULL, name TEXT NOT NULL,
        dimension INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS vectors (
        model INTEGER NOT NULL, content BLOB NOT NULL, vector BLOB NOT NULL, day INTEGER NOT NULL,
        PRIMARY KEY (model, content));
    CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
"""
_LOOKUP = 500  # keys a query: fewer than any SQLite's limit of variables
_WAIT = 60.0  # seconds for which a writer waits for another


@dataclass(frozen=True, slots=True)
class Kept:
    """What the cache has of one model.

    Attributes:
        name: The model's spec when it was first used.
        fingerprint: Its fingerprint.
        dimension: How many numbers a vector has.
        vectors: How many there are.
        bytes: What they take.
    """

    name: str
    fingerprint: str
    dimension: int
    vectors: int
    bytes: int

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


def content_key(card: Card, text: str, role: Role) -> bytes:
    """The key of a text: the hash of what the model is given, its prefix included."""
    return hashlib.sha256((card.prefix(role) + text).encode("utf-8", "surrogatepass")).digest()


class Cache:
    """The vectors of one workspace.

    Args:
        file: The database; made where there is none. A damaged one is put aside: it is a cache.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = threading.RLock()
        try:
            self._connection = self._open()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) and "malformed" not in str(error):
                raise StoreError(f"cannot be opened: {error}", where=str(file)) from error
            for part in (
                file,
                file.with_name(file.name + "-wal"),
                file.with_name(file.name + "-shm"),
            ):
                with suppress(FileNotFoundError):
                    part.replace(part.with_name(part.name + ".damaged"))
            self._connection = self._open()

    @classmethod
    def of(cls, place: Place) -> Self:
        """The cache of a workspace."""
        return cls(place.cache / _FILE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def get(self, card: Card, keys: Sequence[bytes]) -> dict[bytes, NDArray[Any]]:
        """The vectors that are there, by key; float32, shape (dimension,)."""
        import numpy as np

        today = _today()
        found: dict[bytes, Any] = {}
        old: list[bytes] = []
        with self._lock:
            model = self._model(card)
            for start in range(0, len(keys), _LOOKUP):
                part = list(keys[start : start + _LOOKUP])
                marks = ", ".join("?" * len(part))
                sql = f"SELECT content, vector, day FROM vectors WHERE model = ? AND content IN ({marks})"  # noqa: E501
                for key, blob, day in self._connection.execute(sql, [model, *part]):
                    if len(blob) == card.dimension * 4:
                        found[key] = np.frombuffer(blob, "<f4")
                        if day < today:
                            old.append(key)
            if old:
                with suppress(sqlite3.OperationalError), self._write() as write:
                    sql = "UPDATE vectors SET day = ? WHERE model = ? AND content = ?"
                    write.executemany(sql, [(today, model, key) for key in old])
        return found

    def put(self, card: Card, vectors: Mapping[bytes, NDArray[Any]]) -> None:
        """Keep vectors, all or none.

        Raises:
            StoreError: If one has another dimension than its model, or they cannot be written.
        """
        for vector in vectors.values():
            if vector.shape != (card.dimension,):
                raise StoreError(f"a vector of {card.name} has the shape {vector.shape}")
        with self._lock:
            model = self._model(card)
            rows = [
                (model, key, vector.astype("<f4").tobytes(), _today())
                for key, vector in vectors.items()
            ]
            try:
                with self._write() as write:
                    write.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)", rows)
            except sqlite3.Error as error:
                raise StoreError(f"cannot be written: {error}", where=str(self.file)) from error

    def kept(self) -> list[Kept]:
        """What there is, model by model."""
        sql = """
            SELECT name, fingerprint, dimension, count(content), coalesce(sum(length(vector)), 0)
            FROM models LEFT JOIN vectors USING (model) GROUP BY model ORDER BY name, fingerprint
        """
        with self._lock:
            return [Kept(*row) for row in self._connection.execute(sql)]

    def clear(self, name: str | None = None) -> int:
        """Forget the vectors of a model, by name or by the start of its fingerprint; None for all.

        Returns:
            How many there were.
        """
        with self._lock:
            with self._write() as write:
                sql = "SELECT model FROM models WHERE ? IS NULL OR name = ? OR fingerprint LIKE ?"
                models = write.execute(sql, (name, name, f"{name}%")).fetchall()
                removed = 0
                for one in models:
                    removed += write.execute("DELETE FROM vectors WHERE model = ?", one).rowcount
                    write.execute("DELETE FROM models WHERE model = ?", one)
            self._shrink()
        return removed

    @property
    def bytes(self) -> int:
        """What the file takes, apart from free pages in it."""
        with self._lock:
            size, free, page = (
                self._connection.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("page_count", "freelist_count", "page_size")
            )
        return int((size - free) * page)

    @property
    def limit(self) -> int:
        """At most so many bytes; `trim` keeps to it."""
        sql = "SELECT value FROM settings WHERE name = 'limit'"
        with self._lock:
            row = self._connection.execute(sql).fetchone()
        return int(row[0]) if row else DEFAULT_LIMIT

    @limit.setter
    def limit(self, limit: int) -> None:
        if limit < 1:
            raise ParameterError(f"the limit must be at least 1 byte, got {limit}")
        with self._lock, self._write() as write:
            write.execute("INSERT OR REPLACE INTO settings VALUES ('limit', ?)", (limit,))

    def trim(self) -> int:
        """Where the cache is over its limit, forget what was not used for longest, to nine tenths.

        Returns:
            How many vectors were forgotten.
        """
        removed = 0
        with self._lock:
            limit = self.limit
            if self.bytes <= limit:
                return 0
            while self.bytes > limit * 0.9:
                with self._write() as write:
                    sql = "DELETE FROM vectors WHERE rowid IN (SELECT rowid FROM vectors ORDER BY day, rowid LIMIT 1000)"  # noqa: E501
                    count = write.execute(sql).rowcount
                if not count:
                    break
                removed += count
            self._shrink()
        return removed

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.file, timeout=_WAIT, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.execute("PRAGMA journal_mode = WAL")
            # a killed process loses nothing; a power cut may lose the last batches, and no more
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.executescript(_SCHEMA)
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def _write(self) -> Iterator[sqlite3.Connection]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield self._connection
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def _model(self, card: Card) -> int:
        sql = "SELECT model FROM models WHERE fingerprint = ?"
        row = self._connection.execute(sql, (card.fingerprint,)).fetchone()
        if row is None:
            with self._write() as write:
                write.execute(
                    "INSERT OR IGNORE INTO models (fingerprint, name, dimension) VALUES (?, ?, ?)",
                    (card.fingerprint, card.name, card.dimension),
                )
            row = self._connection.execute(sql, (card.fingerprint,)).fetchone()
        return int(row[0])

    def _shrink(self) -> None:
        with suppress(sqlite3.OperationalError):
            self._connection.execute("PRAGMA incremental_vacuum").fetchall()
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _today() -> int:
    return int(time.time() // 86400)
