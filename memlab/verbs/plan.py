"""What a reflect works with: the evidence, the pages as they stand and as they are planned.

A page maker is a function from a `Context` to the changes that it proposes. Makers run in turn and
never write; a later one sees what an earlier one planned.
"""

from __future__ import annotations

import datetime as dt
import difflib
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from memlab.errors import ParameterError, WriteError
from memlab.store import duck, evidence
from memlab.types import Trouble
from memlab.verbs.conflicts import superseded
from memlab.verbs.subjects import Subjects
from memlab.workspace import parts, writer

if TYPE_CHECKING:
    from memlab.session import Session
    from memlab.store.corpus import Corpus
    from memlab.types import TimeRange
    from memlab.verbs.memo import Memo

_NO_NEWLINE = "\\ No newline at end of file\n"


@dataclass(frozen=True, slots=True)
class Change:
    """A page that reflect would write, or wrote.

    Attributes:
        path: The page.
        before: Its text now, line endings as LF; None for a new page.
        after: Its text afterwards.
        reason: Why.
    """

    path: str
    before: str | None
    after: str
    reason: str

    def diff(self) -> str:
        """A unified diff, as ``git diff`` shows it."""
        old = (self.before or "").splitlines(keepends=True)
        new = self.after.splitlines(keepends=True)
        origin = "/dev/null" if self.before is None else f"a/{self.path}"
        lines = difflib.unified_diff(old, new, origin, f"b/{self.path}")
        return "".join(line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}" for line in lines)


@dataclass(frozen=True, slots=True)
class Withheld:
    """A part that a person edited, and that was left as it is.

    Attributes:
        path: The page.
        part: The part's name.
        line: The line on which it begins.
        standing: What stands in it.
        body: What reflect would have written.
    """

    path: str
    part: str
    line: int
    standing: str
    body: str

    @property
    def name(self) -> str:
        """What ``take_back`` calls it."""
        return f"{self.path}#{self.part.removeprefix(parts.OPINION)}"

    def diff(self) -> str:
        """What would change, as a unified diff."""
        old, new = (f"{text}\n".splitlines(keepends=True) for text in (self.standing, self.body))
        return "".join(difflib.unified_diff(old, new, self.name, f"{self.name} as reflect has it"))


@dataclass
class Context:
    """What a page maker may look at, and where it says what went wrong.

    Attributes:
        session: The open workspace.
        corpus: Its facts.
        window: Only what has evidence in these days is brought up to date; None for all. It never
            bounds what a page sees.
        as_of: As if pages of later days were not there; None for all.
        today: The local day of the clock; no generated text may depend on it.
        memo: What earlier reflects found out.
        take_back: Parts to write though a person edited them or took them out: ``PAGE#PART``.
        troubles: What was left alone, and why; makers add to it.
        withheld: What would stand in the parts that a person edited; makers add to it.
        planned: The text of each page that was planned so far, by path.
        restated: The keys of entities whose opinions change in this reflect.
        settled: By path, a digest of all that a page is made from, kept once it is written.
        related: By key, the entities that the page of an entity lists.
        settled_keys: By key, a digest of the evidence that opinions about it are made from.
    """

    session: Session
    corpus: Corpus
    window: TimeRange | None
    as_of: dt.date | None
    today: dt.date
    memo: Memo
    take_back: frozenset[str] = frozenset()
    troubles: list[Trouble] = field(default_factory=list)
    withheld: list[Withheld] = field(default_factory=list)
    planned: dict[str, str] = field(default_factory=dict)
    restated: set[str] = field(default_factory=set)
    settled: dict[str, str] = field(default_factory=dict)
    related: dict[str, list[str]] = field(default_factory=dict)
    settled_keys: dict[str, str] = field(default_factory=dict)
    _about: dict[str, list[evidence.Evidence]] = field(default_factory=dict)

    @cached_property
    def digests(self) -> dict[str, str]:
        """A digest of the evidence about each entity, by its key."""
        return evidence.digests(self.corpus, until=self.as_of)

    @cached_property
    def subjects(self) -> Subjects:
        """What the evidence about each subject comes to."""
        return Subjects(self)

    @cached_property
    def touched(self) -> set[str]:
        """The keys of the entities that are to be brought up to date."""
        if self.window is None:
            return set(self.digests)
        return evidence.keys_within(self.corpus, self.window, until=self.as_of)

    @cached_property
    def superseded(self) -> dict[int, tuple[str, str]]:
        """The rows of facts whose place was taken, each with its id and that of what took it."""
        return superseded(self.corpus, self.as_of)

    @property
    def gone(self) -> dict[str, str]:
        """The same by their ids alone."""
        return dict(self.superseded.values())

    @cached_property
    def hashes(self) -> dict[str, str]:
        """The hash of each page in ``bank/`` as it stands."""
        sql = "SELECT path, sha256 FROM pages WHERE starts_with(path, 'bank/')"
        with duck.reading(self.corpus.snapshot):
            return dict(self.corpus.connection.execute(sql).fetchall())

    def about(self, keys: Collection[str]) -> list[evidence.Evidence]:
        """The evidence about any of some entities, by day and id; looked up once for each."""
        new = set(keys) - self._about.keys()
        self._about |= {own: [] for own in new}
        for fact in self.find(about=new) if new else ():
            for own in new.intersection(fact.entities or (evidence.NOBODY,)):
                self._about[own].append(fact)
        found = {fact.id: fact for own in keys for fact in self._about[own]}
        return sorted(found.values(), key=lambda fact: (fact.day, fact.id))

    def find(self, **which: Any) -> list[evidence.Evidence]:
        """Some of the evidence; see `memlab.store.evidence.find`."""
        return evidence.find(self.corpus, until=self.as_of, **which)

    def back(self, path: str) -> set[str]:
        """The names of the parts of a page that are to be written in any case."""
        named = (name.rpartition("#") for name in self.take_back)
        return {part for page, _, part in named if page == path}

    def keep(self, path: str, edited: Iterable[tuple[parts.Part, str]]) -> None:
        """Note parts that a person edited, with the body that each would have had."""
        for part, body in edited:
            name = part.name.removeprefix(parts.OPINION)
            message = f"a person edited the part {name!r}; it is left as it is"
            self.troubles.append(Trouble(path, message, part.start))
            self.withheld.append(Withheld(path, part.name, part.start, part.body, body))

    def is_settled(self, path: str, made_from: str) -> bool:
        """Whether a page stands as it would be made; a part to take back is to be made anyway."""
        current = self.memo.is_current(path, self.hashes.get(path), made_from)
        return current and not self.back(path)

    def settle(self, path: str, made_from: str) -> None:
        """Note what a page is made from, unless there is something about it to be told again."""
        if not any(trouble.path == path for trouble in self.troubles):
            self.settled[path] = made_from

    def is_new(self, facts: Iterable[evidence.Evidence]) -> bool:
        """Whether any of the facts is of the window."""
        window = self.window
        return window is None or any(window.start <= fact.day <= window.end for fact in facts)

    def text(self, path: str) -> str | None:
        """A page's text as planned so far, else as it stands, line endings as LF; None for no page.

        Raises:
            WriteError: If it cannot be read, and so must not be written; see `readable`.
        """
        if path in self.planned:
            return self.planned[path]
        return writer.read_text(self.session.root / path)

    def readable(self, path: str) -> bool:
        """Whether `text` can be had; where it cannot, a trouble says why."""
        try:
            self.text(path)
        except WriteError as error:
            self.troubles.append(Trouble(path, f"not written: it {error.message}"))
            return False
        return True


def as_day(text: str | dt.date | None) -> dt.date | None:
    """A day that ``as_of`` gives.

    Raises:
        ParameterError: If the text is no day.
    """
    if not isinstance(text, str):
        return text
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise ParameterError(f"as_of: {text!r} is no day", hint="Write 2025-11-27") from error


Maker = Callable[[Context], Iterable[Change]]
"""Proposes changes of pages, each of which it alone makes or follows what `Context.text` gave."""


def plan(context: Context, makers: Iterable[Maker]) -> list[Change]:
    """All that the makers propose: one change a page, in the order of paths."""
    changes: dict[str, Change] = {}
    for maker in makers:
        for change in maker(context):
            earlier = changes.get(change.path)
            if earlier:
                reason = f"{earlier.reason}; {change.reason}"
                change = Change(change.path, earlier.before, change.after, reason)  # noqa: PLW2901
            changes[change.path] = change
            context.planned[change.path] = change.after
    return [
        changes[path] for path in sorted(changes) if changes[path].before != changes[path].after
    ]
