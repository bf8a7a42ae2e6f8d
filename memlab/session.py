"""An open workspace: its place, its settings, the snapshot that is right now, and open indexes."""

from __future__ import annotations

import dataclasses
import functools
import time
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, Self, TypeVar

from memlab import pipeline
from memlab.errors import DamagedError, ParameterError, StoreError, WriteError
from memlab.store import build
from memlab.store.corpus import Corpus
from memlab.store.place import Place
from memlab.types import Trouble
from memlab.workspace import config as configuration
from memlab.workspace.discover import locate

if TYPE_CHECKING:
    import datetime as dt
    import os
    from collections.abc import Callable
    from pathlib import Path

    from memlab.retrievers.base import Index
    from memlab.store.build import Progress, Refreshed
    from memlab.workspace.revision import Revision

Refresh = Literal["auto", "always", "never"]
POLICIES: tuple[Refresh, ...] = ("auto", "always", "never")
Busy = Literal["wait", "serve"]
BUSY: tuple[Busy, ...] = ("wait", "serve")
_GLANCE = 1.0  # seconds for which "auto" trusts that nobody edited a page from outside
_REPLACED = 10  # how often a snapshot may be replaced while it is opened

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Session:
    """A workspace that is open in this process.

    Attributes:
        last: What the last look at the pages found; None before the first.
        mended: What was damaged and has been built again.

    Args:
        path: Its folder; see `memlab.workspace.discover` for what is taken when it is None.
        now: The clock; None for the real one.
        refresh: When to look whether pages changed: ``auto`` sees memlab's own writes at once and
            other edits within a second, ``always`` looks at every call, ``never`` opens what is
            there.
        busy: What to do while another process builds or writes: ``wait`` for it, or ``serve`` the
            snapshot before, where there is one.
        rev: A revision of git: the workspace as it was then, read-only, the clock that commit's.
        settings: Keys of ``memlab.toml``, which they override.

    Raises:
        WorkspaceError: If there is no such folder, or git does not have it.
        ParameterError: If a setting is unknown or not usable, or there is no such revision.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        rev: str | None = None,
        now: dt.datetime | dt.date | str | None = None,
        refresh: Refresh = "auto",
        busy: Busy = "wait",
        **settings: Any,
    ) -> None:
        self.root = locate(path)
        self.revision: Revision | None = None
        cache = None
        if rev is not None:
            from memlab.workspace.revision import open_revision  # few ask for it

            cache = Place(self.root).folder
            self.revision = open_revision(self.root, rev, cache)
            self.root = self.revision.root
            now = self.revision.when if now is None else now
        self.config = configuration.load(self.root, **settings)
        self.policy = check_policy(refresh)
        if busy not in BUSY:
            raise ParameterError(f"busy cannot be {busy!r}", hint=f"Known: {', '.join(BUSY)}")
        self.busy = busy
        self._now = None if now is None else self.config.now(now)
        self.place = Place(self.root, cache=cache)
        self.last: Refreshed | None = None
        self.mended: list[Trouble] = []
        self._corpus: Corpus | None = None
        self._indexes: dict[str, Index] = {}
        self._looked_at = -_GLANCE
        self._generation = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of all files; the next call opens them again."""
        for index in self._indexes.values():
            index.close()
        self._indexes.clear()
        if self._corpus:
            self._corpus.close()
        self._corpus = None

    def check_writable(self) -> None:
        """Refuse to write into the past.

        Raises:
            WriteError: If the session was opened at a revision.
        """
        if self.revision:
            raise WriteError(
                f"the workspace is open as of commit {self.revision}, read-only",
                hint="Open it without a revision to write",
            )

    def now(self, now: dt.datetime | dt.date | str | None = None) -> dt.datetime:
        """The clock: the one given here, else the session's, else the real one."""
        return self._now if now is None and self._now else self.config.now(now)

    def refresh(self, *, full: bool = False, progress: Progress | None = None) -> Refreshed:
        """Look at the pages now and make the snapshot agree with them.

        Args:
            full: Build from nothing.
            progress: Called with a verb, how much is done and how much there is.
        """
        self._generation = self.place.generation()
        self._looked_at = time.monotonic()  # an edit during the look may have been missed
        self.last = build.refresh(
            self.place, self.config, full=full, wait=self.busy == "wait", progress=progress
        )
        self.mended += [one for one in self.last.troubles if one.message.startswith(build.MENDED)]
        if self.last.busy:
            self._generation = -1  # not up to date: the next call looks again
        if full or not self._corpus or self._corpus.snapshot != self.last.snapshot:
            self.close()
        return self.last

    def corpus(self, policy: Refresh | None = None, *, progress: Progress | None = None) -> Corpus:
        """The facts as they are now, by the session's policy or the one given here.

        Raises:
            StoreError: If the policy is ``never`` and there is no snapshot yet.
        """
        policy = self.policy if policy is None else check_policy(policy)
        if policy == "never":
            if not self._corpus:
                current = self.place.current()
                if current is None:
                    raise StoreError(
                        "there is no index yet", where=str(self.root), hint="Run: memlab index"
                    )
                self._corpus = self._opened(current)
            return self._corpus
        if policy == "always" or self._stale():
            self.refresh(progress=progress)
        if not self._corpus:
            snapshot = self.last.snapshot if self.last else self.refresh().snapshot
            try:
                self._corpus = self._opened(snapshot)
            except DamagedError as error:
                self._corpus = self._opened(self.mend(error, progress=progress))
        return self._corpus

    def mend(self, error: DamagedError, *, progress: Progress | None = None) -> Path:
        """Build again what is damaged: all that it held follows from the pages.

        Args:
            error: What told so; it becomes a trouble.
            progress: Called while the index is built.

        Returns:
            The new snapshot.
        """
        damaged = self._corpus.snapshot if self._corpus else self.place.current()
        name = damaged.name if damaged else str(self.place.folder)
        done = self.refresh(full=True, progress=progress)
        trouble = Trouble(name, f"{build.MENDED}{error.message}")
        self.mended.append(trouble)
        self.last = dataclasses.replace(done, troubles=(*done.troubles, trouble))
        return done.snapshot

    def index(
        self, corpus: Corpus, retriever: str | None = None, *, progress: Progress | None = None
    ) -> Index:
        """A retriever's index over the session's corpus, opened once.

        Args:
            corpus: What `corpus` gave.
            retriever: Its spec; the configured one by default. One that takes an embedding model
                and names none gets the configured model.
            progress: Called while facts are embedded.
        """
        text = retriever or self.config.retriever
        if text not in self._indexes:
            made = pipeline.make(text, embedding=self.config.embedding)
            with made.watched(progress):
                self._indexes[text] = made.index(corpus)
        return self._indexes[text]

    def _opened(self, snapshot: Path) -> Corpus:
        """A snapshot, or its successor if it was replaced a moment ago."""
        for _ in range(_REPLACED):
            try:
                return Corpus(self.place, snapshot)
            except StoreError:
                newer = self.place.current()
                if newer is None or newer == snapshot:
                    raise
                snapshot = newer
        return Corpus(self.place, snapshot)

    def _stale(self) -> bool:
        return (
            self.last is None
            or time.monotonic() - self._looked_at >= _GLANCE
            or self.place.generation() != self._generation
        )


def mending(verb: Callable[Concatenate[Session, _P], _T]) -> Callable[Concatenate[Session, _P], _T]:
    """A verb that goes on where the snapshot turns out to be damaged, on one that is built again.

    That is once: what it finds then is no chance damage. Where the policy is ``never``, as the
    session's or as the verb's ``refresh``, nothing is built. Nothing may be written before all is
    read that is to be.
    """

    @functools.wraps(verb)
    def mended(session: Session, /, *args: _P.args, **options: _P.kwargs) -> _T:
        try:
            return verb(session, *args, **options)
        except DamagedError as error:
            if (options.get("refresh") or session.policy) == "never":
                raise
            progress: Any = options.get("progress")
            session.mend(error, progress=progress)
            return verb(session, *args, **options)

    return mended


def check_policy(policy: str) -> Refresh:
    """A refresh policy from its name.

    Raises:
        ParameterError: If there is none of that name.
    """
    for known in POLICIES:
        if policy == known:
            return known
    raise ParameterError(f"no refresh policy {policy!r}", hint=f"Known: {', '.join(POLICIES)}")
