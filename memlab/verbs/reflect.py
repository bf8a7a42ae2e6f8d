"""Reflect: what the evidence says, brought to the pages of `bank/`; a plan first, then the writes.

Each generated part is a pure function of the evidence; what a person wrote on a page stays as it
is.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.errors import ParameterError
from memlab.verbs.entity_pages import entity_pages
from memlab.verbs.infer import infer_since
from memlab.verbs.plan import Context, plan
from memlab.verbs.recall import window_of
from memlab.workspace import writer

if TYPE_CHECKING:
    from memlab.session import Session
    from memlab.store.build import Progress
    from memlab.types import Trouble
    from memlab.verbs.infer import Inferred
    from memlab.verbs.plan import Change, Maker

MAKERS: tuple[Maker, ...] = (entity_pages,)
"""Who proposes changes of pages, in this order; each sees what those before it planned."""


@dataclass(frozen=True, slots=True)
class Reflection:
    """What a reflect planned and did.

    Attributes:
        changes: The pages that change, in the order of their paths.
        troubles: Pages and parts that were left alone, and why.
        written: Whether the changes were written; False for a dry run.
        inferred: What was proposed for days, where that was asked for.
    """

    changes: tuple[Change, ...]
    troubles: tuple[Trouble, ...]
    written: bool
    inferred: tuple[Inferred, ...] = ()

    def diff(self) -> str:
        """All changes as one unified diff; empty where there are none."""
        return "".join(change.diff() for change in self.changes)

    def to_dict(self) -> dict[str, object]:
        """Plain values, as ``memlab reflect --json`` prints them."""
        return {
            "written": self.written,
            "changes": [
                {"path": c.path, "reason": c.reason, "new": c.before is None} for c in self.changes
            ],
            "troubles": [str(trouble) for trouble in self.troubles],
            **({"inferred": [one.to_dict() for one in self.inferred]} if self.inferred else {}),
        }


def reflect(
    session: Session,
    *,
    since: str | dt.date | None = None,
    until: str | dt.date | None = None,
    as_of: str | dt.date | None = None,
    dry_run: bool = False,
    infer: bool = False,
    now: dt.datetime | dt.date | str | None = None,
    progress: Progress | None = None,
) -> Reflection:
    """Bring the pages of `bank/` up to date with the evidence.

    Args:
        session: The open workspace.
        since: Only what has evidence of that day or later; it still sees all of it.
        until: Only what has evidence of that day or earlier.
        as_of: As if the pages of later days were not there.
        dry_run: Plan, and write nothing.
        infer: Propose bullets for days of that window too, from which none were proposed before.
        now: The clock that days such as ``7d`` are read against; no generated text depends on it.
        progress: Called while an index is built.

    Raises:
        ParameterError: If ``since``, ``until`` or ``as_of`` is no day.
        WriteError: If a page cannot be written; those before it are.
    """
    if not dry_run:
        session.check_writable()
    clock = session.now(now)
    window = window_of(since, until, clock)
    corpus = session.corpus("always", progress=progress)
    context = Context(session, corpus, window, _day(as_of), clock.date())
    changes = plan(context, MAKERS)
    if changes and not dry_run:
        _write(session, changes)
    # after the pages: a proposal is no evidence, so none of them depends on it
    proposed = infer_since(session, window, dry_run=dry_run) if infer else []
    return Reflection(tuple(changes), tuple(context.troubles), not dry_run, tuple(proposed))


def _day(text: str | dt.date | None) -> dt.date | None:
    if not isinstance(text, str):
        return text
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise ParameterError(f"as_of: {text!r} is no day", hint="Write 2025-11-27") from error


def _write(session: Session, changes: list[Change]) -> None:
    with session.place.lock():
        for change in changes:
            writer.replace(session.root / change.path, change.after, expected=change.before)
        session.place.bump()
