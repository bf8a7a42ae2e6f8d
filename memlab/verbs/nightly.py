"""The nightly job's turn: of all who would run it on a workspace, one at a time does."""

from __future__ import annotations

import datetime as dt
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from memlab.errors import BusyError
from memlab.store.place import replace_text

if TYPE_CHECKING:
    from memlab.session import Session

LOCK = "nightly"
"""The lock's name in the folder of derived files; beside it, ``nightly.txt`` says who holds it."""


class Turn:
    """A turn that was taken, until it is over or its process ends, however it ends.

    Args:
        session: The open workspace.

    Raises:
        BusyError: At once, if another run has it; it says since when.
    """

    def __init__(self, session: Session) -> None:
        self._lock = session.place.lock(name=LOCK, timeout=0)
        note = session.place.folder / f"{LOCK}.txt"
        try:
            self._lock.__enter__()
        except BusyError as error:
            who = ""
            with suppress(OSError):
                who = f" ({note.read_text(encoding='utf-8').strip()})"
            raise BusyError(
                f"another nightly run is at work on this workspace{who}", where=str(session.root),
                hint="Nothing was done; wait until it is over",
            ) from error  # fmt: skip
        now = dt.datetime.now().astimezone()
        replace_text(note, f"process {os.getpid()}, since {now:%Y-%m-%d %H:%M:%S}\n")

    def over(self) -> None:
        """Let the next one begin."""
        self._lock.__exit__(None, None, None)
