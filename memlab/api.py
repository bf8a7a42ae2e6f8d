"""The public face: a workspace that is open, and what one does with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memlab.api_core import Core

if TYPE_CHECKING:
    import datetime as dt
    import os
    from collections.abc import Iterable

    import pandas as pd

    from memlab.cite import Recall
    from memlab.opinions.ledger import Opinion
    from memlab.session import Busy, Refresh
    from memlab.store.build import Progress
    from memlab.verbs.conflicts import Conflict
    from memlab.verbs.context import Context
    from memlab.verbs.reflect import Reflection
    from memlab.verbs.retain import Retained
    from memlab.verbs.show import Shown
    from memlab.verbs.status import Check
    from memlab.verbs.why import Why


class Workspace(Core):
    """An open workspace. Use it in ``with``, or `close` it; made by `memlab.open`."""

    def recall(
        self,
        query: str,
        *,
        k: int | None = None,
        since: str | dt.date | None = None,
        until: str | dt.date | None = None,
        as_of: str | dt.date | None = None,
        kinds: Iterable[str] = (),
        entities: Iterable[str] = (),
        max_tokens: int | None = None,
        counter: str = "bytes4",
        join: bool | None = None,
        around: int = 0,
        explain: bool = False,
        abstain: bool = False,
        now: dt.datetime | dt.date | str | None = None,
        retriever: str | None = None,
        refresh: Refresh | None = None,
        progress: Progress | None = None,
    ) -> Recall:
        """The facts that answer ``query``, best first; see `memlab.verbs.recall.recall`."""
        from memlab.verbs.recall import recall

        return recall(
            self, query, k=k, since=since, until=until, as_of=as_of, kinds=kinds,
            entities=entities, max_tokens=max_tokens, counter=counter, join=join, around=around,
            explain=explain, abstain=abstain, now=now, retriever=retriever, refresh=refresh,
            progress=progress,
        )  # fmt: skip

    def context(self, question: str, *, max_tokens: int = 2_000, **options: Any) -> Context:
        """Core and facts within one budget; see `memlab.verbs.context.context`."""
        from memlab.verbs.context import context

        return context(self, question, max_tokens=max_tokens, **options)

    def retain(
        self,
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
        """Append a fact to a day's log; see `memlab.verbs.retain.retain`."""
        from memlab.verbs.retain import retain

        return retain(
            self, text, kind=kind, entities=entities, confidence=confidence, supersedes=supersedes,
            unless_known=unless_known, stub=stub, commit=commit, day=day, now=now,
        )  # fmt: skip

    def reflect(
        self,
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
        """Bring the pages of ``bank/`` up to date; see `memlab.verbs.reflect.reflect`."""
        from memlab.verbs.reflect import reflect

        return reflect(
            self, since=since, until=until, as_of=as_of, dry_run=dry_run, infer=infer,
            take_back=take_back, now=now, progress=progress,
        )  # fmt: skip

    def opinions(
        self, *, as_of: str | dt.date | None = None, refresh: Refresh | None = None
    ) -> list[Opinion]:
        """The opinions with their ledgers; see `memlab.verbs.why.opinions`."""
        from memlab.verbs.why import opinions

        return opinions(self, as_of=as_of, refresh=refresh)

    def why(self, what: str, *, refresh: Refresh | None = None) -> Why:
        """Every step that led to a confidence or a fact's fate; see `memlab.verbs.why.why`."""
        from memlab.verbs.why import why

        return why(self, what, refresh=refresh)

    def conflicts(
        self,
        *,
        since: str | dt.date | None = None,
        until: str | dt.date | None = None,
        now: dt.datetime | dt.date | str | None = None,
        refresh: Refresh | None = None,
    ) -> list[Conflict]:
        """Facts that cannot both hold; see `memlab.verbs.conflicts.conflicts`."""
        from memlab.verbs.conflicts import conflicts

        return conflicts(self, since=since, until=until, now=now, refresh=refresh)

    def facts(
        self,
        *,
        since: str | dt.date | None = None,
        until: str | dt.date | None = None,
        as_of: str | dt.date | None = None,
        kinds: Iterable[str] = (),
        entities: Iterable[str] = (),
        now: dt.datetime | dt.date | str | None = None,
        refresh: Refresh | None = None,
    ) -> pd.DataFrame:
        """All facts as a table, one a row; see `memlab.verbs.facts.facts`."""
        from memlab.verbs.facts import facts

        return facts(
            self, since=since, until=until, as_of=as_of, kinds=kinds, entities=entities, now=now,
            refresh=refresh,
        )  # fmt: skip

    def show(self, what: str, *, refresh: Refresh | None = None) -> Shown:
        """The lines behind a citation or a fact id; see `memlab.verbs.show.show`."""
        from memlab.verbs.show import show

        return show(self, what, refresh=refresh)

    def status(self, *, refresh: Refresh | None = None) -> dict[str, Any]:
        """Where the index is and how much it holds; see `memlab.verbs.status.status`."""
        from memlab.verbs.status import status

        return status(self, refresh=refresh)

    def doctor(self) -> list[Check]:
        """What is wrong with pages, index or installation; see `memlab.verbs.status.doctor`."""
        from memlab.verbs.status import doctor

        return doctor(self)


def open(  # noqa: A001  # memlab.open reads as it does, like io.open
    path: str | os.PathLike[str] | None = None,
    *,
    rev: str | None = None,
    now: dt.datetime | dt.date | str | None = None,
    refresh: Refresh = "auto",
    busy: Busy = "wait",
    **settings: Any,
) -> Workspace:
    """Open a workspace.

    Args:
        path: Its folder; None for ``MEMLAB_WORKSPACE`` or what OpenClaw is configured with.
        rev: A revision of git, such as ``HEAD~30``: the workspace as it was then, read-only.
        now: The clock; None for the real one, or for the time of that commit.
        refresh: ``auto``, ``always`` or ``never``: when to look whether pages changed.
        busy: ``wait`` for another process that builds or writes, or ``serve`` the snapshot before.
        settings: Keys of ``memlab.toml``, which they override.

    Raises:
        WorkspaceError: If there is no such folder, or git does not have it.
        ParameterError: If a setting is unknown or not usable, or there is no such revision.
    """
    return Workspace(path, rev=rev, now=now, refresh=refresh, busy=busy, **settings)
