"""Reflect: what the evidence says, brought to the pages of `bank/`; a plan first, then the writes.

Each generated part is a pure function of the evidence; what a person wrote on a page stays as it
is.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.errors import ParameterError
from memlab.session import mending
from memlab.verbs.conflicts import among
from memlab.verbs.core_proposals import core_proposals
from memlab.verbs.entity_pages import entity_pages
from memlab.verbs.infer import infer_since
from memlab.verbs.memo import Memo
from memlab.verbs.opinion_pages import opinion_pages
from memlab.verbs.plan import Context, as_day, plan
from memlab.verbs.promote import typed_pages
from memlab.verbs.recall import window_of
from memlab.workspace import writer
from memlab.workspace.files import unify

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable
    from pathlib import Path

    from memlab.session import Session
    from memlab.store.build import Progress
    from memlab.store.corpus import Corpus
    from memlab.types import Trouble
    from memlab.verbs.conflicts import Conflict
    from memlab.verbs.infer import Inferred
    from memlab.verbs.plan import Change, Maker, Withheld

MAKERS: tuple[Maker, ...] = (opinion_pages, entity_pages, typed_pages, core_proposals)
"""Who proposes changes of pages, in this order; each sees what those before it planned."""


@dataclass(frozen=True, slots=True)
class Reflection:
    """What a reflect planned and did.

    Attributes:
        changes: The pages that change, in the order of their paths.
        troubles: Pages and parts that were left alone, and why.
        written: Whether the changes were written; False for a dry run.
        inferred: What was proposed for days, where that was asked for.
        withheld: Parts that a person edited, with what would stand there.
        conflicts: Facts that cannot both hold, of those days.
    """

    changes: tuple[Change, ...]
    troubles: tuple[Trouble, ...]
    written: bool
    inferred: tuple[Inferred, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    conflicts: tuple[Conflict, ...] = ()

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
            "withheld": [{"part": one.name, "diff": one.diff()} for one in self.withheld],
            "conflicts": [one.to_dict() for one in self.conflicts],
            **({"inferred": [one.to_dict() for one in self.inferred]} if self.inferred else {}),
        }


@mending
def reflect(
    session: Session,
    *,
    since: str | dt.date | None = None,
    until: str | dt.date | None = None,
    as_of: str | dt.date | None = None,
    dry_run: bool = False,
    infer: bool = False,
    take_back: str | Iterable[str] = (),
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
        take_back: Parts to write although a person edited them or took them out, each as
            ``PAGE#PART`` or ``bank/opinions.md#o-…``.
        now: The clock: days such as ``7d`` are read against it, and a confidence that a person
            changed is put down with its day. Nothing else that is written depends on it.
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
    named = {take_back} if isinstance(take_back, str) else take_back
    memo = Memo.load(session.place)
    context = Context(
        session, corpus, window, as_day(as_of), clock.date(), memo, _parts_named(named, corpus)
    )
    changes = plan(context, MAKERS)
    if not dry_run:
        if changes:
            _write(session, changes)
        _remember(context)
    memo.save()
    # after the pages: a proposal is no evidence, so none of them depends on it
    proposed = infer_since(session, window, dry_run=dry_run) if infer else []
    return Reflection(
        tuple(changes), tuple(context.troubles), not dry_run, tuple(proposed),
        tuple(context.withheld), tuple(among(corpus, window=window, as_of=context.as_of)),
    )  # fmt: skip


def _parts_named(names: Iterable[str], corpus: Corpus) -> frozenset[str]:
    """The names of parts to take back.

    Raises:
        ParameterError: If one names no page, or a page that there is not.
    """
    found = frozenset(names)
    for name in found:
        path, _, part = name.rpartition("#")
        if not (path and part) or not (corpus.place.root / path).is_file():
            raise ParameterError(
                f"take_back: {name!r} is no part of a page",
                hint="Write PAGE#PART, for instance bank/entities/Peter.md#summary",
            )
    return found


def _remember(context: Context) -> None:
    """Note what the pages were made from, so that it need not be done again."""
    pages: dict[str, list[str | None]] = {}
    for path, made_from in context.settled.items():
        sha256 = context.hashes.get(path)
        if path in context.planned:
            sha256 = _hash_of(context.session.root / path, context.planned[path])
        pages[path] = [sha256, made_from]
    context.memo.note(pages=pages, entities=context.settled_keys, related=context.related)


def _hash_of(file: Path, text: str) -> str | None:
    """The hash of a file that was written a moment ago; None where it says something else now."""
    with suppress(OSError, UnicodeDecodeError):
        raw = file.read_bytes()
        if unify(raw.decode("utf-8-sig")) == text:
            return hashlib.sha256(raw).hexdigest()
    return None


def _write(session: Session, changes: list[Change]) -> None:
    with session.place.lock():
        for change in changes:
            writer.replace(session.root / change.path, change.after, expected=change.before)
        session.place.bump()
