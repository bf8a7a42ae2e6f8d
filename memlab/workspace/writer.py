"""Writing pages: appended to in one write, or replaced in one rename; nothing else is ever done.

Whoever writes holds the lock of the workspace. Editors do not, so both ways look again, afterwards
or beforehand, whether somebody else wrote meanwhile.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
import time
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from memlab.errors import WriteError
from memlab.workspace.files import (
    line_ending,
    read_all,
    sync_folder,
    umask,
    unify,
    with_endings,
    write_all,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_TRIES = 20
_PATIENCE = 20.0  # seconds for which it is tried again, and oftener than that if need be
_ENDING = re.compile(rb"\r\n|\r|\n")
_CHANGED = "was changed by somebody else meanwhile"
_BOM = b"\xef\xbb\xbf"


class Witness(Protocol):
    """Who is told of every append, so that one that was cut short can be finished."""

    def owed(self, raw: bytes) -> bytes:
        """What is still missing of an append that was cut short at the end of ``raw``."""

    def begin(self, at: int, added: bytes) -> None:
        """An append of ``added`` to a file of ``at`` bytes is about to be made."""

    def end(self) -> None:
        """It was made."""


def append(
    path: Path,
    compose: Callable[[str], str],
    *,
    witness: Witness | None = None,
    lock: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> int:
    """Append to a file in one write, so that no line above it shifts.

    Where the file was replaced by an editor meanwhile, the text is written again to the new one,
    unless the editor had read it already.

    Args:
        path: The file; it and its folder are made where they are absent.
        compose: Given the text that stands there, line endings as LF, gives the text to append,
            line endings as LF too, the last line whole; nothing, to leave the file as it is. It is
            called again for every attempt.
        witness: Told of the append before and after it is made.
        lock: Held while the file is read and written, not while the disk is waited for; none where
            the caller holds it already.

    Returns:
        The number of the last line written, from 1, as it was right after the write.

    Raises:
        WriteError: If the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        attempt = _Append(path, compose, witness)
        until = time.monotonic() + _PATIENCE
        tries = 0
        while tries < _TRIES or time.monotonic() < until:
            done = attempt.once(lock)
            if done is not None:
                return done
            tries += 1
    except OSError as error:
        raise WriteError(f"cannot be written: {error.strerror}", where=str(path)) from error
    raise WriteError("was replaced again and again while it was written", where=str(path))


class _Append:
    """An append that may take several attempts."""

    def __init__(self, path: Path, compose: Callable[[str], str], witness: Witness | None) -> None:
        self.path = path
        self.compose = compose
        self.witness = witness
        self.line = b""  # the last line that was written already, and how often it stood before
        self.stood = 0

    def once(self, lock: Callable[[], AbstractContextManager[None]]) -> int | None:
        """Try; the number of the last line, or None where the file was replaced meanwhile."""
        handle = -1
        try:
            with lock():
                handle = self._open()
                raw = read_all(handle)
                if self.line and (kept := self._kept(raw)):
                    return kept
                rest = self.witness.owed(raw) if self.witness else b""
                text = self.compose(unify(_text(raw + rest, self.path)))
                added = rest + text.replace("\n", line_ending(raw)).encode()
                if not added:
                    return len(_ENDING.findall(raw))
                if not self._is(handle):
                    return None  # replaced while we composed; nothing is written yet
                number = self._write(handle, raw, added)
                if number is None or not self._is(handle):
                    return None
                if self.witness:
                    self.witness.end()
            os.fsync(handle)
            if not raw:
                sync_folder(self.path.parent)
            return number if self._is(handle) else None
        finally:
            if handle >= 0:
                os.close(handle)

    def _open(self) -> int:
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
        return os.open(self.path, flags, 0o666)

    def _is(self, handle: int) -> bool:
        """Whether the open file still is the one of that name."""
        try:
            there, mine = os.stat(self.path), os.fstat(handle)
        except FileNotFoundError:
            return False
        return (there.st_dev, there.st_ino) == (mine.st_dev, mine.st_ino)

    def _write(self, handle: int, raw: bytes, added: bytes) -> int | None:
        """Write; the number of the last line, or None where it does not stand on a line alone."""
        if self.witness:
            self.witness.begin(len(raw), added)
        write_all(handle, added)
        # with O_APPEND the position after the write tells where the text really went
        start = os.lseek(handle, 0, os.SEEK_CUR) - len(added)
        before = read_all(handle)[:start]
        self.line = added.splitlines()[-1]
        self.stood = before.splitlines().count(self.line)
        if before != raw and not before.endswith((b"\n", b"\r")) and not added[:1].isspace():
            return None  # somebody left half a line just then, and ours stands on it
        return len(_ENDING.findall(before + added))

    def _kept(self, raw: bytes) -> int | None:
        """The last line's number, if whoever replaced the file had read it already."""
        lines = raw.splitlines()  # of bytes: at LF, CR and CRLF alone
        if lines.count(self.line) <= self.stood:
            return None
        return len(lines) - lines[::-1].index(self.line)


def replace(path: Path, text: str, *, expected: str | None) -> None:
    """Replace a file's text, in one rename; mode, line endings, BOM and final newline stay.

    A link is followed, so that it stays one.

    Args:
        path: The file.
        text: Its new text, line endings as LF.
        expected: The text that it was made from, line endings as LF; None for a file that is new.

    Raises:
        WriteError: If the file is not as expected any more, or cannot be written.
    """
    path = Path(os.path.realpath(path))
    raw = _bytes(path)
    if (None if raw is None else unify(_text(raw, path))) != expected:
        raise WriteError(_CHANGED, where=str(path), hint="Run it again")
    old = "" if raw is None else _text(raw, path)
    new = with_endings(old, text).encode()
    if raw is not None and raw.startswith(_BOM):
        new = _BOM + new
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace_bytes(path, new, before=raw)
    except OSError as error:
        raise WriteError(f"cannot be written: {error.strerror}", where=str(path)) from error


def _replace_bytes(path: Path, new: bytes, *, before: bytes | None) -> None:
    for left in path.parent.glob(f".{path.name}.*.tmp"):  # of a writer that was killed
        with contextlib.suppress(OSError):
            left.unlink()
    handle, aside = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        try:
            write_all(handle, new)
            os.fsync(handle)
        finally:
            os.close(handle)
        mode = 0o666 & ~umask()
        with contextlib.suppress(FileNotFoundError):
            mode = os.stat(path).st_mode & 0o7777
        os.chmod(aside, mode)
        _check_unchanged(path, before)
        os.replace(aside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(aside)
        raise
    sync_folder(path.parent)


def _check_unchanged(path: Path, before: bytes | None) -> None:
    if _bytes(path) != before:
        raise WriteError(_CHANGED, where=str(path), hint="Run it again")


def read_text(path: Path) -> str | None:
    """The text of a page without BOM, line endings as LF; None where there is no such file.

    Raises:
        WriteError: If it cannot be read or is not UTF-8, so that it must not be written either.
    """
    raw = _bytes(path)
    return None if raw is None else unify(_text(raw, path))


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise WriteError(f"cannot be read: {error.strerror}", where=str(path)) from error


def _text(raw: bytes, path: Path) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WriteError(
            "is not UTF-8, so nothing is written to it", where=str(path), hint="Convert it first"
        ) from error
