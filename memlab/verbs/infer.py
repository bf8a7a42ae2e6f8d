"""Infer: bullets proposed from a day's narrative, under ``## Retain (proposed)``.

The rules of `memlab.verbs.propose` choose sentences as they stand. A local model rewrites them only
where one is named. A proposal is no evidence until a person moves it under ``## Retain``.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.errors import ParameterError
from memlab.session import mending
from memlab.types import Source
from memlab.verbs import propose as rules
from memlab.verbs.logs import PROPOSED
from memlab.verbs.retain import log_of
from memlab.workspace import commit as git
from memlab.workspace import layout, writer

if TYPE_CHECKING:
    from memlab.session import Session
    from memlab.types import TimeRange
    from memlab.verbs.propose import Proposal


@dataclass(frozen=True, slots=True)
class Inferred:
    """What was proposed for a day.

    Attributes:
        day: The day.
        proposals: The bullets, in the order of their sources.
        sources: Where each stands now; empty where nothing was written.
        notes: What else should be known.
        commit: The hash of the git commit, where one was asked for.
    """

    day: dt.date
    proposals: tuple[Proposal, ...]
    sources: tuple[Source, ...] = ()
    notes: tuple[str, ...] = ()
    commit: str | None = None

    def to_dict(self) -> dict[str, object]:
        """Plain values, as ``memlab retain --infer DAY --json`` prints them."""
        return {
            "day": self.day.isoformat(),
            "written": bool(self.sources),
            "proposals": [
                {"bullet": one.line, "from": str(one.source), "score": one.score}
                for one in self.proposals
            ],
            "sources": [str(source) for source in self.sources],
            "notes": list(self.notes),
        }


@mending
def infer(
    session: Session,
    day: dt.date | str | None = None,
    *,
    dry_run: bool = False,
    model: str | None = None,
    host: str | None = None,
    commit: str | None = None,
    now: dt.datetime | dt.date | str | None = None,
) -> Inferred:
    """Propose two to five bullets from a day's log.

    What stands in the log's Retain sections already is not proposed again, so a second call on an
    unchanged log proposes what is left, or nothing.

    Args:
        session: The open workspace.
        day: The day; today by default.
        dry_run: Choose, and write nothing.
        model: The name of a model of an Ollama server, to make each sentence stand alone.
        host: Where the server listens; None for ``OLLAMA_HOST``, else this machine's port 11434.
        commit: Commit what was written to git, for this reason.
        now: The clock.

    Raises:
        ParameterError: If the day has no log.
        RetainError: If the log ends in an open code fence or comment.
        WriteError: If the log cannot be written.
    """
    if isinstance(day, str):
        try:
            day = dt.date.fromisoformat(day)
        except ValueError as error:
            raise ParameterError(f"{day!r} is no day", hint="Write 2025-11-27") from error
    day = day or session.now(now).date()
    path = layout.daily_path(day)
    if not dry_run:
        session.check_writable()
    git.check(session.root, commit)
    text = writer.read_text(session.root / path)
    if text is None:
        raise ParameterError("there is no log of that day", where=path)
    if rules.has_proposals(text):
        return Inferred(day, (), notes=("proposals stand there already; decide on them first",))
    chosen = rules.propose(path, text, day, session.corpus().lexicon)
    notes: list[str] = []
    if model:
        from memlab.verbs.rewrite import rewrite

        chosen, notes = rewrite(text, chosen, model=model, host=host)
    if dry_run or not chosen:
        return Inferred(day, tuple(chosen), notes=tuple(notes))
    log, journal = log_of(session, path)
    bullets = [(one.line, one.bullet) for one in chosen]
    last = writer.append(
        session.root / path, lambda there: log.compose(there, bullets, PROPOSED),
        lock=session.place.lock,
    )  # fmt: skip
    with session.place.lock():
        journal.propose()
        session.place.bump()
    first = last - len(chosen) + 1
    sources = tuple(Source(path, number, number) for number in range(first, last + 1))
    done = git.commit(session.root, [path], commit) if commit else None
    return Inferred(day, tuple(chosen), sources, tuple(notes), done)


def infer_since(
    session: Session, window: TimeRange | None, *, dry_run: bool = False
) -> list[Inferred]:
    """Propose bullets for every log of a window from which none were proposed before.

    A person who deletes proposals is so not asked again; `infer` does, since it names the day.

    Args:
        session: The open workspace.
        window: The days; None for all.
        dry_run: Choose, and write nothing.
    """
    found = []
    for place in sorted((session.root / "memory").glob("*.md")):
        path = f"memory/{place.name}"
        day = layout.day_of(path)
        if day is None or path != layout.daily_path(day):
            continue
        if window and not window.start <= day <= window.end:
            continue
        _, journal = log_of(session, path)
        journal.load()
        if not journal.proposed:
            found.append(infer(session, day, dry_run=dry_run))
    return [one for one in found if one.proposals]
