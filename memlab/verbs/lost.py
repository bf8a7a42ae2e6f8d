"""Lost: facts that retain wrote and that stand on their page no longer.

An editor that saves a buffer older than the last retain removes what was retained meanwhile. So may
a person, on purpose; hence nothing is brought back unless it is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from memlab.store.journal import Journal
from memlab.types import Source
from memlab.verbs.retain import bullet_of, log_of
from memlab.workspace import layout, writer

if TYPE_CHECKING:
    from memlab.session import Session


@dataclass(frozen=True, slots=True)
class Lost:
    """A bullet that a page has lost.

    Attributes:
        path: The page.
        id: The fact's id.
        bullet: Its line.
        source: Where it stands again, if it was restored.
    """

    path: str
    id: str
    bullet: str
    source: Source | None = None

    def to_dict(self) -> dict[str, str | None]:
        """Plain values."""
        source = str(self.source) if self.source else None
        return {"path": self.path, "id": self.id, "bullet": self.bullet, "source": source}


def lost(session: Session, *, restore: bool = False, forget: bool = False) -> list[Lost]:
    """What was retained and stands on its page no longer, nor edited.

    Args:
        session: The open workspace.
        restore: Write it again, at the end of its log.
        forget: Take the losses for meant, and do not name them again.

    Raises:
        WriteError: If a page cannot be read or written.
    """
    found: list[Lost] = []
    for journal in Journal.all(session.place.folder):
        text = writer.read_text(session.root / journal.path) or ""
        gone = journal.lost(text)
        if not gone:
            continue
        if not restore or layout.day_of(journal.path) is None:
            found += [Lost(journal.path, entry.id, entry.line) for entry in gone]
        else:
            log, _ = log_of(session, journal.path)
            bullets = [(entry.line, bullet_of(entry.line)) for entry in gone]
            last = writer.append(
                session.root / journal.path,
                partial(log.compose, bullets=bullets),
                lock=session.place.lock,
            )
            session.place.bump()
            first = last - len(gone) + 1
            found += [
                Lost(journal.path, entry.id, entry.line, Source(journal.path, number, number))
                for number, entry in enumerate(gone, start=first)
            ]
        if forget:
            with session.place.lock():
                journal.mark("gone", gone)
    return found
