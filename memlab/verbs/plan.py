"""What a reflect works with: the evidence, the pages as they stand and as they are planned.

A page maker is a function from a `Context` to the changes that it proposes. Makers run in turn and
never write; a later one sees what an earlier one planned.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from memlab.errors import WriteError
from memlab.store import evidence
from memlab.types import Trouble
from memlab.workspace import writer

if TYPE_CHECKING:
    import datetime as dt

    from memlab.session import Session
    from memlab.store.corpus import Corpus
    from memlab.types import TimeRange

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
        troubles: What was left alone, and why; makers add to it.
        planned: The text of each page that was planned so far, by path.
    """

    session: Session
    corpus: Corpus
    window: TimeRange | None
    as_of: dt.date | None
    today: dt.date
    troubles: list[Trouble] = field(default_factory=list)
    planned: dict[str, str] = field(default_factory=dict)

    @cached_property
    def facts(self) -> list[evidence.Evidence]:
        """All evidence, by day and id."""
        return evidence.find(self.corpus, until=self.as_of)

    @cached_property
    def by_entity(self) -> dict[str, list[evidence.Evidence]]:
        """The evidence about each entity, by its key."""
        return evidence.by_entity(self.facts)

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
