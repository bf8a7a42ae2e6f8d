"""Whether the current snapshot is right for the pages, and if not, another in its place.

A snapshot's name is the hash of all pages' hashes, so that this can be told without opening it; so
what builds one (`memlab.store.snapshot`) is imported only when one is built.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.errors import BusyError, DamagedError, StoreError
from memlab.store.survey import Survey, survey
from memlab.types import Trouble

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memlab.store.place import Place
    from memlab.workspace.config import Config

    Progress = Callable[[str, int, int], None]

MENDED = "built again: it "
"""How a trouble begins that tells of a snapshot that was damaged."""


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh found and did.

    Attributes:
        snapshot: The snapshot that is right now.
        parsed: How many pages were parsed.
        removed: How many pages are gone.
        built: Whether a snapshot was built.
        busy: Whether another process was building, and the snapshot is the one before.
        troubles: What was met on the way, other than what stands in the snapshot.
    """

    snapshot: Path
    parsed: int = 0
    removed: int = 0
    built: bool = False
    busy: bool = False
    troubles: tuple[Trouble, ...] = ()


def refresh(
    place: Place,
    config: Config,
    *,
    full: bool = False,
    wait: bool = True,
    progress: Progress | None = None,
) -> Refreshed:
    """Make the current snapshot agree with the pages, and say which it is.

    Args:
        place: The workspace's place for derived files.
        config: The workspace's settings.
        full: Build from nothing, even if nothing changed.
        wait: Wait for another process that builds or writes; otherwise the snapshot before is
            served meanwhile, if there is one.
        progress: Called with a verb, how much is done and how much there is.

    Raises:
        WorkspaceError: If the workspace cannot be listed.
        StoreError: If a snapshot cannot be built.
    """
    seen = survey(place, config)
    current = place.current()
    if not full and current and place.is_of(current, seen.fingerprint):
        return Refreshed(current, troubles=tuple(seen.troubles))
    serves = current is not None and not (wait or full)
    try:
        with place.lock(timeout=0) if serves else place.lock():
            return _refresh(place, config, seen, current, full=full, progress=progress)
    except BusyError:
        if current is None or not serves:
            raise
        return Refreshed(current, busy=True, troubles=tuple(seen.troubles))


def _refresh(
    place: Place, config: Config, seen: Survey, before: Path | None, *, full: bool,
    progress: Progress | None,
) -> Refreshed:  # fmt: skip
    """`refresh`, under the lock, with what was seen and the snapshot that was current before it."""
    import duckdb

    from memlab.store import snapshot

    current = place.current()
    if current != before:  # whoever held the lock may have built just what is missing
        seen = survey(place, config)
        if not full and current and place.is_of(current, seen.fingerprint):
            return Refreshed(current, troubles=tuple(seen.troubles))
    # a page that cannot be seen now is carried over, also where all others are built from nothing
    old = None if full and not seen.lost else current
    try:
        return snapshot.build(place, config, seen, old, [], full=full, progress=progress)
    except (duckdb.Error, DamagedError) as error:
        reason = f"{error}".partition("\n")[0]
        if old is None:
            raise StoreError(f"cannot be built: {reason}", where=str(place.folder)) from error
    # damaged inside, as only the change of its copy has shown
    met = [Trouble(old.name, f"{MENDED}is damaged: {reason}")]
    return snapshot.build(
        place, config, survey(place, config), None, met, full=full, progress=progress
    )
