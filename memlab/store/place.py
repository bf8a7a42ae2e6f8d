"""Where derived files lie, and how one snapshot takes the place of another.

``.memory/`` at the workspace's root, or a folder of the user's cache where that is not writable:

    .gitignore                  everything here is derived
    CURRENT                     the snapshot to open, and the one before; replaced in one rename
    index-<fingerprint>-1.duckdb  a snapshot; never changed once it has this name
    index-<fingerprint>.arrays  its facts as arrays and lines
    index-<fingerprint>.<name>  what a retriever derived from it
    stat.json                   what tells that a page is unchanged without reading it
    generation                  touched by every write of memlab, so that readers look at once
    lock, deriving              held by whoever builds or writes; derives from a snapshot
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import threading
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from memlab.errors import BusyError, StoreError
from memlab.store.hold import SEAL, is_held

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = ".memory"
_PREFIX = "index-"
_BUILDING = ".building-"
_POLL = 0.005  # seconds between looks at the lock, which a retain holds for about as long
_TEMPORARY_AGE = 24 * 3600.0  # seconds; a crashed build leaves files that nobody else removes


class Place:
    """The folder of a workspace's derived files.

    Args:
        root: The workspace's folder, absolute.
        cache: Where lies what does not depend on the pages, such as embeddings by their text; the
            folder itself by default.
    """

    def __init__(self, root: Path, *, cache: Path | None = None) -> None:
        self.root = root
        self.folder = _writable(root)
        self.cache = cache or self.folder

    def lock(self, *, name: str = "lock", timeout: float = 60.0) -> _Lock:
        """The lock of all who build or write, for use in ``with``; also across processes.

        Args:
            name: ``deriving`` for the lock of those who derive an index from a finished snapshot,
                which takes nothing from those who build one.
            timeout: Seconds to wait for it; negative for ever.
        """
        return _Lock(self.folder / name, timeout)

    def current(self) -> Path | None:
        """The snapshot to open, or None where there is none yet."""
        with suppress(OSError, ValueError):
            name = (self.folder / "CURRENT").read_text(encoding="utf-8").split("\n")[0]
            if name.startswith(_PREFIX) and os.sep not in name and (self.folder / name).is_file():
                return self.folder / name
        return None

    def free(self, fingerprint: str) -> Path:
        """Where a new snapshot with that fingerprint is to lie: never where another lies or lay.

        A snapshot may be built again from the same pages while some reader holds the one before,
        and what is derived from the one must not be taken for the other's.
        """
        taken = self.folder.glob(f"{_PREFIX}{fingerprint}*.duckdb")
        numbers = [int(file.stem.rpartition("-")[2]) for file in taken if file.stem.count("-") == 2]
        return self.folder / f"{_PREFIX}{fingerprint}-{max(numbers, default=0) + 1}.duckdb"

    def is_of(self, snapshot: Path, fingerprint: str) -> bool:
        """Whether a snapshot is right for the pages that have that fingerprint."""
        return snapshot.name.startswith(f"{_PREFIX}{fingerprint}-")

    def previous(self) -> Path | None:
        """The snapshot before the current one, for what derives its own from it; may be gone."""
        with suppress(OSError, ValueError, IndexError):
            name = (self.folder / "CURRENT").read_text(encoding="utf-8").split()[1]
            return self.folder / name if name.startswith(_PREFIX) and os.sep not in name else None
        return None

    def switch(self, snapshot: Path) -> None:
        """Make ``snapshot`` the current one, in one rename, and remove those that nobody needs.

        The one before stays, for strategies that derive their index from its; so do snapshots that
        some reader holds.
        """
        before = self.current()
        if before == snapshot:
            before = self.previous()
        names = [path.name for path in (snapshot, before) if path]
        replace_text(self.folder / "CURRENT", "\n".join(names) + "\n")
        for other in self.folder.glob(f"{_PREFIX}*.duckdb"):
            if other.name not in names and not is_held(arrays_of(other) / SEAL):
                for file in self.folder.glob(f"{other.stem}.*"):
                    _remove(file)

    @contextmanager
    def aside(self) -> Iterator[Path]:
        """A folder to build in; whatever is not moved out of it is removed."""
        self._remove_leftovers()
        if self.folder.parent == self.root:
            _ignore(self.folder)  # somebody may have removed the whole folder meanwhile
        folder = Path(tempfile.mkdtemp(prefix=_BUILDING, dir=self.folder))
        try:
            yield folder
        finally:
            _remove(folder)

    def put(self, built: Path, target: Path) -> None:
        """Move what was built `aside` to its place, instead of what may stand there."""
        if target.is_dir():
            target.replace(built.with_name(f"{built.name}.before"))
        built.replace(target)

    def generation(self) -> int:
        """A number that every write of memlab changes."""
        with suppress(OSError):
            return (self.folder / "generation").stat().st_mtime_ns
        return 0

    def bump(self) -> None:
        """Tell all readers that memlab wrote something."""
        replace_text(self.folder / "generation", f"{os.getpid()}\n")

    def _remove_leftovers(self) -> None:
        import time

        for leftover in self.folder.glob(f"{_BUILDING}*"):
            with suppress(OSError):
                if time.time() - leftover.stat().st_mtime > _TEMPORARY_AGE:
                    _remove(leftover)


class _Lock:
    """A lock between processes and threads that says who is waited for."""

    def __init__(self, path: Path, timeout: float) -> None:
        from filelock import FileLock

        self._lock = FileLock(path, timeout=timeout)

    def __enter__(self) -> None:
        from filelock import Timeout

        try:
            self._lock.acquire(poll_interval=_POLL)
        except Timeout as error:
            raise BusyError(
                "another process has been writing for too long", where=self._lock.lock_file,
                hint="Try again, or end that process",
            ) from error  # fmt: skip

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def arrays_of(snapshot: Path) -> Path:
    """The folder of a snapshot's arrays; see `memlab.store.arrays`."""
    return snapshot.with_suffix(".arrays")


def replace_text(path: Path, text: str) -> None:
    """Write a small derived file in one rename, so that no reader sees half of it."""
    aside = path.with_name(f".{path.name}-{os.getpid()}-{threading.get_ident()}")
    try:
        aside.write_text(text, encoding="utf-8")
        os.replace(aside, path)
    except BaseException:
        with suppress(OSError):
            aside.unlink()
        raise


def _writable(root: Path) -> Path:
    folder = root / FOLDER
    with suppress(OSError):
        folder.mkdir(exist_ok=True)
        if os.access(folder, os.W_OK | os.X_OK):
            _ignore(folder)
            return folder
    from platformdirs import user_cache_path

    name = hashlib.sha256(os.fsencode(root)).hexdigest()[:16]
    folder = user_cache_path("memlab") / "workspaces" / f"{root.name}-{name}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"no folder for derived files can be made: {error.strerror}", where=str(folder)
        ) from error
    return folder


def _ignore(folder: Path) -> None:
    ignore = folder / ".gitignore"
    if not ignore.exists():
        replace_text(ignore, "# derived by memlab; can be deleted at any time\n*\n")


def _remove(path: Path) -> None:
    # where a system refuses to remove what is open, the next switch tries again
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()
