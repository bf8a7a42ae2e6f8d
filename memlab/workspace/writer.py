"""Writing pages: appended to in one write, or replaced in one rename; nothing else is ever done.

All callers hold the lock of the workspace. Editors do not, so both ways look again afterwards or
beforehand whether somebody else wrote meanwhile.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from typing import TYPE_CHECKING

from memlab.errors import WriteError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_TRIES = 20
_ENDING = re.compile(rb"\r\n|\r|\n")


def append(path: Path, compose: Callable[[str], str]) -> int:
    """Append to a file in one write, so that no line above it shifts.

    Where the file was replaced by an editor meanwhile, the text is written again to the new one.

    Args:
        path: The file; it and its folder are made where they are absent.
        compose: Given the text that stands there, line endings as LF, gives the text to append,
            line endings as LF too, the last line whole. It is called again for every attempt.

    Returns:
        The number of the last line written, from 1, as it was right after the write.

    Raises:
        WriteError: If the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for _ in range(_TRIES):
            done = _append_once(path, compose)
            if done is not None:
                return done
    except OSError as error:
        raise WriteError(f"cannot be written: {error.strerror}", where=str(path)) from error
    raise WriteError("was replaced again and again while it was written", where=str(path))


def _append_once(path: Path, compose: Callable[[str], str]) -> int | None:
    handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
    with open(handle, "rb+", buffering=0) as file:
        raw = file.read()
        ending = line_ending(raw)
        added = compose(_unify(_text(raw, path))).replace("\n", ending).encode()
        file.write(added)
        os.fsync(handle)
        # with O_APPEND the position after the write tells where the text really went
        start = file.tell() - len(added)
        file.seek(0)
        before = file.read(start)
        mine = os.fstat(handle)
    try:
        there = os.stat(path)
    except FileNotFoundError:
        return None
    if (there.st_dev, there.st_ino) != (mine.st_dev, mine.st_ino):
        return None
    return len(_ENDING.findall(before + added))


def replace(path: Path, text: str, *, expected: str | None) -> None:
    """Replace a file's text, in one rename; mode, line endings, BOM and final newline stay.

    Args:
        path: The file.
        text: Its new text, line endings as LF.
        expected: The text that it was made from, line endings as LF; None for a file that is new.

    Raises:
        WriteError: If the file is not as expected any more, or cannot be written.
    """
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raw = None
    except OSError as error:
        raise WriteError(f"cannot be read: {error.strerror}", where=str(path)) from error
    if (None if raw is None else _unify(_text(raw, path))) != expected:
        raise WriteError(
            "was changed by somebody else meanwhile", where=str(path), hint="Run it again"
        )
    new = text.replace("\n", line_ending(raw or b"")).encode()
    if raw is not None and raw.startswith(b"\xef\xbb\xbf"):
        new = b"\xef\xbb\xbf" + new
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace_bytes(path, new)
    except OSError as error:
        raise WriteError(f"cannot be written: {error.strerror}", where=str(path)) from error


def _replace_bytes(path: Path, new: bytes) -> None:
    handle, aside = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(new)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            os.chmod(aside, os.stat(path).st_mode & 0o7777)
        if not path.exists():
            os.chmod(aside, 0o666 & ~_umask())
        os.replace(aside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(aside)
        raise
    with contextlib.suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def line_ending(raw: bytes) -> str:
    """The line ending that most lines of a file have; LF for a file without one."""
    crlf = raw.count(b"\r\n")
    lf = raw.count(b"\n") - crlf
    cr = raw.count(b"\r") - crlf
    return max((lf, "\n"), (crlf, "\r\n"), (cr, "\r"), key=lambda pair: pair[0])[1]


def read_text(path: Path) -> str | None:
    """The text of a page without BOM, line endings as LF; None where there is no such file.

    Raises:
        WriteError: If it cannot be read or is not UTF-8, so that it must not be written either.
    """
    try:
        return _unify(_text(path.read_bytes(), path))
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


def _unify(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
