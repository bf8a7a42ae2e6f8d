"""Retain: one fact, appended to the day's log under ``## Retain``."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from memlab.errors import RetainError
from memlab.session import mending
from memlab.store.journal import AT_ONCE, Entry, Journal
from memlab.types import Kind, Source
from memlab.verbs import duplicates, stubs
from memlab.verbs.logs import Log
from memlab.workspace import commit as git
from memlab.workspace import grammar, layout, parser, writer

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable

    from memlab.session import Session
    from memlab.verbs.duplicates import Similar

# What each session knows of the logs that it wrote, so that it need not read them anew.
_logs: WeakKeyDictionary[Session, dict[str, tuple[Log, Journal]]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Retained:
    """A fact that was written.

    Attributes:
        id: Its id; truly identical facts get ``-2``, ``-3`` when they are indexed.
        source: Where it stands.
        bullet: The line as written.
        written: False where it stood already, and was to be written only if it did not.
        similar: Facts that say the same or almost the same, the likest first.
        notes: What else should be known, such as facts that an editor's save has lost.
        stubs: The entity pages that were made.
        commit: The hash of the git commit, where one was asked for.
    """

    id: str
    source: Source
    bullet: str
    written: bool = True
    similar: tuple[Similar, ...] = ()
    notes: tuple[str, ...] = ()
    stubs: tuple[str, ...] = ()
    commit: str | None = None

    def to_dict(self) -> dict[str, object]:
        """Plain values, as ``memlab retain --json`` prints them."""
        found: dict[str, object] = {
            "id": self.id, "source": str(self.source), "bullet": self.bullet,
            "written": self.written,
        }  # fmt: skip
        if self.similar:
            found["similar"] = [one.to_dict() for one in self.similar]
        if self.notes:
            found["notes"] = list(self.notes)
        if self.stubs:
            found["stubs"] = list(self.stubs)
        if self.commit:
            found["commit"] = self.commit
        return found


@mending
def retain(
    session: Session,
    text: str,
    *,
    kind: str | None = None,
    entities: Iterable[str] = (),
    confidence: float | None = None,
    supersedes: str | None = None,
    unless_known: bool = False,
    stub: bool = False,
    commit: str | None = None,
    day: dt.date | None = None,
    now: dt.datetime | dt.date | str | None = None,
) -> Retained:
    """Append one fact to a day's log.

    Args:
        session: The open workspace.
        text: A whole bullet (``W @Peter: lives in Berlin``), or the content alone where ``kind``,
            ``entities`` or ``confidence`` are given.
        kind: Its kind, by name or letter; an experience by default.
        entities: What it is about.
        confidence: Of an opinion, 0 to 1.
        supersedes: The id or citation of the fact that it replaces.
        unless_known: Write nothing where the very same fact stands already.
        stub: Make a page for each entity before its colon that has none.
        commit: Commit what was written to git, for this reason.
        day: The day; today by default, local to the workspace.
        now: The clock.

    Raises:
        RetainError: If it would not parse back as it was given.
        CitationError: If what it supersedes is not one fact.
        WriteError: If the log cannot be written, or is written and cannot be committed.
    """
    session.check_writable()
    names = tuple(entities)
    by_parts = kind is not None or names or confidence is not None
    bullet = _from_parts(text, kind, names, confidence) if by_parts else _from_text(text)
    if "<!--" in bullet.content:
        raise RetainError("the content has an HTML comment", hint="Remove it")
    day = day or session.now(now).date()
    path = layout.daily_path(day)
    fact_id = parser.fact_id(day, path, bullet.entities, bullet.content)
    line = f"- {grammar.render(bullet)}{_mark(session, supersedes, fact_id)}"
    git.check(session.root, commit)
    missing = stubs.missing(session, bullet.entities) if stub else ()
    elsewhere = duplicates.in_index(session, bullet, without=path)
    write = _Write(
        session, path, line, bullet, fact_id=fact_id, elsewhere=elsewhere, unless_known=unless_known
    )
    number = write.run()
    made = stubs.make(session, missing)
    if not write.written:
        known = write.similar[0].source
        known_id = parser.fact_id(
            layout.day_of(known.path), known.path, bullet.entities, bullet.content
        )
        return Retained(
            known_id, known, line, written=False, similar=write.similar, notes=write.notes,
            stubs=made,
        )  # fmt: skip
    done = git.commit(session.root, [path, *made], commit) if commit else None
    source = Source(path, number, number)
    return Retained(
        fact_id, source, line, similar=write.similar, notes=write.notes, stubs=made, commit=done
    )


class _Write:
    """One write to a log; `compose` is asked under the lock, and may be asked several times."""

    def __init__(
        self, session: Session, path: str, line: str, bullet: grammar.Bullet, *, fact_id: str,
        elsewhere: list[Similar], unless_known: bool,
    ) -> None:  # fmt: skip
        self.session, self.place = session, session.root / path
        self.path, self.line, self.bullet = path, line, bullet
        self.elsewhere = elsewhere
        self.unless_known = unless_known
        self.log, self.journal = log_of(session, path)
        self.journal.expect(fact_id, line)
        self.written = True
        self.similar: tuple[Similar, ...] = ()
        self.lost: list[Entry] = []
        self.again: list[str] = []
        self._text = ""

    def run(self) -> int:
        """Write; returns the bullet's line."""
        self._rehearse()
        number = writer.append(
            self.place, self.compose, witness=self.journal, lock=self.session.place.lock
        )
        self.session.place.bump()
        if self.written:
            self.log.saw(self._text, self.line)
        if self.lost:
            with self.session.place.lock():
                self.journal.mark("told", self.lost)
        return number

    def _rehearse(self) -> None:
        """Do what takes long before the lock is taken: load modules, read and compare the log."""
        there = writer.read_text(self.place) or ""
        self._compare(there)
        self.log.compose(there, [(self.line, self.bullet)])

    def _compare(self, there: str) -> None:
        on_page = duplicates.on_page(self.path, there, self.bullet)
        self.similar = tuple(duplicates.best([*on_page, *self.elsewhere]))

    @property
    def notes(self) -> tuple[str, ...]:
        """What the log lost, told once."""
        again = [
            f"{self.path}: written again, since the page was saved without it just then: {line}"
            for line in self.again
        ]
        return (*again, loss(self.path, self.lost)) if self.lost else tuple(again)

    def compose(self, there: str) -> str:
        lost = self.journal.lost(there)
        again = [entry for entry in lost if not entry.told and self._at_once(entry)]
        self.lost = [entry for entry in lost if not (entry in again or entry.told)]
        if self.unless_known:
            self._compare(there)
            self.written = not any(one.exact for one in self.similar)
        bullets = [(entry.line, bullet_of(entry.line)) for entry in again]
        if self.written:
            bullets.append((self.line, self.bullet))
        added = self.log.compose(there, bullets) if bullets else ""
        self.again = [entry.line for entry in again]
        self._text = there + added
        return added

    def _at_once(self, entry: Entry) -> bool:
        """Whether the page was saved without a bullet before anybody can have read it there."""
        try:
            return os.stat(self.place).st_mtime - entry.time <= AT_ONCE
        except FileNotFoundError:
            return False


def log_of(session: Session, path: str) -> tuple[Log, Journal]:
    """What this session knows of a log."""
    known = _logs.setdefault(session, {})
    if path not in known:
        known[path] = (Log(path), Journal(session.place.folder, path))
    return known[path]


def loss(path: str, lost: list[Entry]) -> str:
    """One sentence about bullets that a page has lost."""
    count = len(lost)
    what = "a retained fact stands" if count == 1 else f"{count} retained facts stand"
    shown = "; ".join(entry.line for entry in lost[:3]) + (" …" if count > 3 else "")
    return (
        f"{path}: {what} there no longer, as if an editor had saved an older text: {shown}. "
        "See: memlab lost"
    )


def bullet_of(line: str) -> grammar.Bullet:
    """The bullet that a line of a log holds."""
    return grammar.parse(grammar.strip_comments(line.removeprefix("- ")))


def _mark(session: Session, supersedes: str | None, own: str) -> str:
    """The comment that says what a fact replaces."""
    if supersedes is None:
        return ""
    if supersedes.startswith("f-"):
        found = [session.corpus().find(supersedes)]
    else:
        found = session.corpus().touching(Source.parse(supersedes))
    if len(found) != 1:
        what = "no fact" if not found else f"{len(found)} facts"
        raise RetainError(f"{what} to supersede stands there", where=supersedes, hint="Give its id")
    if found[0].id == own:
        raise RetainError("a fact cannot supersede itself", where=supersedes)
    return f" <!-- supersedes {found[0].id} -->"


def _from_text(text: str) -> grammar.Bullet:
    try:
        bullet = grammar.parse(text.strip().removeprefix("- "))
    except grammar.BulletError as error:
        raise RetainError(f"it is no Retain bullet: {error}") from error
    return grammar.Bullet(
        bullet.kind or Kind.EXPERIENCE, bullet.entities, bullet.content, bullet.confidence
    )


def _from_parts(
    text: str, kind: str | None, names: tuple[str, ...], confidence: float | None
) -> grammar.Bullet:
    chosen = Kind.of(kind) if kind else Kind.OPINION if confidence is not None else Kind.EXPERIENCE
    if confidence is not None and chosen is not Kind.OPINION:
        raise RetainError(f"only an opinion has a confidence, not a fact of kind {chosen.value}")
    if chosen is Kind.OPINION and confidence is None:
        confidence = grammar.DEFAULT_CONFIDENCE
    if confidence is not None and not 0 <= confidence <= 1:
        raise RetainError(f"the confidence must lie in 0 to 1, got {confidence}")
    rounded = None if confidence is None else round(confidence, 5)
    content = grammar.canonical(text)
    if not content:
        raise RetainError("the content is empty")
    tagged = tuple(grammar.canonical(name.removeprefix("@")) for name in names)
    return grammar.Bullet(chosen, tagged, content, rounded)
