"""What writing a file is made of: whole writes and reads, line endings, what the disk must keep."""

from __future__ import annotations

import contextlib
import difflib
import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def write_all(handle: int, data: bytes) -> None:
    """Write all of ``data``: in one call, but where the system takes less at once."""
    while data:
        data = data[os.write(handle, data) :]


def read_all(handle: int) -> bytes:
    """All bytes of an open file."""
    parts = []
    os.lseek(handle, 0, os.SEEK_SET)
    while part := os.read(handle, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder last, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def line_ending(raw: bytes) -> str:
    """The line ending that most lines of a file have; LF for a file without one."""
    crlf = raw.count(b"\r\n")
    lf = raw.count(b"\n") - crlf
    cr = raw.count(b"\r") - crlf
    return max((lf, "\n"), (crlf, "\r\n"), (cr, "\r"), key=lambda pair: pair[0])[1]


def with_endings(old: str, text: str) -> str:
    """``text`` with the endings that its lines had in ``old``, and for new lines the usual one."""
    usual = line_ending(old.encode())
    if len({line[len(line.rstrip("\r\n")) :] for line in _LINE.findall(old)} - {"", usual}) == 0:
        return text.replace("\n", usual)
    before, after = _LINE.findall(old), _LINE.findall(text)
    bare = [line.rstrip("\r\n") for line in before]
    new = [line.rstrip("\n") for line in after]
    out = [line.replace("\n", usual) for line in after]
    matcher = difflib.SequenceMatcher(None, bare, new, autojunk=False)
    for one, other, size in matcher.get_matching_blocks():
        for step in range(size):
            if after[other + step].endswith("\n"):
                ending = before[one + step][len(bare[one + step]) :]
                out[other + step] = new[other + step] + (ending or usual)
    return "".join(out)


def unify(text: str) -> str:
    """``text`` with every line ending as LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def umask() -> int:
    """The mask of modes of this process."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
