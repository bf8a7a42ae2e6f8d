"""Which files a workspace has, and what they say. Nothing here stops at one bad file.

Links are not followed: what they point to is either a page already or no part of the workspace.
"""

from __future__ import annotations

import codecs
import hashlib
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from memlab.errors import WorkspaceError
from memlab.types import Trouble
from memlab.workspace.layout import is_page, is_walked

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 8 * 1024 * 1024
"""The size above which a file is left out, unless the configuration says otherwise."""

_TRIES = 3  # how often a file that changes under our eyes is read again


class Stat(NamedTuple):
    """What tells, without reading, that a file has not changed."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    @classmethod
    def of(cls, stat: os.stat_result) -> Stat:
        """From what the system says of a file."""
        return cls(stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino)


@dataclass(frozen=True, slots=True)
class Page:
    """A page as read: its path from the workspace's root, its text without BOM, its bytes' hash."""

    path: str
    text: str
    sha256: str


@dataclass(slots=True)
class Listing:
    """The pages that a workspace has now.

    Attributes:
        files: What the system says of each page, by path.
        unlisted: Folders that could not be listed, and files that could not be looked at: whether
            they are there is unknown; they are not gone.
        troubles: What else was met.
    """

    files: dict[str, Stat] = field(default_factory=dict)
    unlisted: tuple[str, ...] = ()
    troubles: list[Trouble] = field(default_factory=list)

    def hides(self, path: str) -> bool:
        """Whether a page may exist unseen, because it or its folder could not be looked at."""
        return any(path == other or path.startswith(f"{other}/") for other in self.unlisted)


class UnreadableError(Exception):
    """A file cannot be read now, though it may be there."""


class UnusableError(Exception):
    """A file was read and is no page: binary, oversized or not UTF-8."""


def scan(root: Path) -> Listing:
    """All pages below ``root``, in the order of their paths.

    Raises:
        WorkspaceError: If the root itself cannot be listed.
    """
    listing = Listing()
    unlisted: list[str] = []
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(root / folder) as entries:
                before = f"{folder}/" if folder else ""
                for entry in entries:
                    _visit(entry, before + entry.name, listing, folders)
        except OSError as error:
            if not folder:
                raise WorkspaceError(
                    f"cannot be listed: {error.strerror}", where=str(root)
                ) from error
            if not isinstance(error, FileNotFoundError):
                unlisted.append(folder)
                listing.troubles.append(Trouble(folder, f"cannot be listed: {error.strerror}"))
    listing.unlisted = tuple(sorted([*listing.unlisted, *unlisted]))
    listing.files = {path: listing.files[path] for path in sorted(listing.files)}
    listing.troubles.sort(key=str)
    return listing


def _visit(entry: os.DirEntry[str], path: str, listing: Listing, folders: list[str]) -> None:
    try:
        if entry.is_file(follow_symlinks=False):
            if is_page(path) and _is_text(path, listing):
                listing.files[path] = Stat.of(entry.stat(follow_symlinks=False))
        elif entry.is_dir(follow_symlinks=False):
            if is_walked(entry.name):
                folders.append(path)
        elif entry.is_symlink():
            if is_page(path) or (entry.is_dir() and is_walked(entry.name)):
                listing.troubles.append(Trouble(_printable(path), "is a link, not followed"))
        elif is_page(path):
            listing.troubles.append(Trouble(_printable(path), "is a pipe, socket or device"))
    except OSError as error:
        if not isinstance(error, FileNotFoundError):
            listing.unlisted += (path,)
            listing.troubles.append(
                Trouble(_printable(path), f"cannot be looked at: {error.strerror}")
            )


def _is_text(path: str, listing: Listing) -> bool:
    """Whether a path is text; one that is not is a trouble."""
    if path.isascii() or _printable(path) == path:
        return True
    listing.troubles.append(Trouble(_printable(path), "has a name that is not UTF-8"))
    return False


def read(root: Path, path: str, *, max_bytes: int = MAX_BYTES) -> Page:
    """Read one page.

    Raises:
        FileNotFoundError: If it is gone.
        UnreadableError: If it cannot be read now.
        UnusableError: If it is no text, is not UTF-8, or is larger than ``max_bytes``.
    """
    raw = _read_steadily(root / path, max_bytes)
    text = _decode(raw)
    if "\0" in text:
        raise UnusableError("is binary")
    return Page(path, text, hashlib.sha256(raw).hexdigest())


def _read_steadily(place: Path, max_bytes: int) -> bytes:
    """The bytes of a file at one moment: read again while it changes during the read."""
    for _ in range(_TRIES):
        try:
            with place.open("rb") as file:
                before = Stat.of(os.fstat(file.fileno()))
                if before.size > max_bytes:
                    raise UnusableError(f"has {before.size:,} bytes; the limit is {max_bytes:,}")
                raw = file.read(max_bytes + 1)
                after = Stat.of(os.fstat(file.fileno()))
        except FileNotFoundError:
            raise
        except OSError as error:
            raise UnreadableError(f"cannot be read: {error.strerror}") from error
        if before == after:
            return raw
    return raw  # an ever-growing file: what stands there so far


def _decode(raw: bytes) -> str:
    try:
        if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return raw.decode("utf-16")
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        kind = "is binary" if b"\0" in raw else f"is not UTF-8 (byte {error.start})"
        raise UnusableError(kind) from error


def _printable(path: str) -> str:
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
