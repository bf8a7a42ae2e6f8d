"""Snapshots in use are not removed: a reader holds a shared lock on a file of it.

Where there is no ``flock`` (Windows), the system itself refuses to remove what is open.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

SEAL = "seal.json"
"""The file of a snapshot that is written last, and that readers hold."""

try:
    import fcntl
except ImportError:  # Windows
    HAS_FLOCK = False
else:
    HAS_FLOCK = True


class Hold:
    """A reader's hold on a snapshot, until it is released or its process ends.

    Args:
        file: A file of the snapshot, which must exist.

    Raises:
        FileNotFoundError: If the file is gone, also when it went while waiting for it.
    """

    def __init__(self, file: Path) -> None:
        self._handle = os.open(file, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        if HAS_FLOCK:
            with suppress(OSError):  # a file system without locks
                fcntl.flock(self._handle, fcntl.LOCK_SH)
        if os.fstat(self._handle).st_nlink == 0:
            self.release()
            raise FileNotFoundError(2, "was removed a moment ago", str(file))

    def release(self) -> None:
        """Let go, once."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def is_held(file: Path) -> bool:
    """Whether some reader, of any process, holds the snapshot of that file."""
    if not HAS_FLOCK:
        return False
    try:
        handle = os.open(file, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(handle)
    return False
