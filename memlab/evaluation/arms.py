"""One arm of an experiment: a system, asked every question, and what it took."""

from __future__ import annotations

import copy
import itertools
import os
import shutil
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memlab import budget, pipeline
from memlab.errors import MemlabError, MissingExtraError
from memlab.session import Session
from memlab.store.corpus import Corpus
from memlab.types import Query, Source

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from memlab.evaluation.lines import Lines
    from memlab.evaluation.model import Question
    from memlab.evaluation.systems import System
    from memlab.retrievers.base import Index
    from memlab.store.place import Place
    from memlab.types import Fact, Hit, Run

    Progress = Callable[[str, int, int], None]

DONE, FAILED, NOT_RUN = "done", "failed", "not run"

_PARTS = (".duckdb", ".arrays")  # of a snapshot; whatever else has its name, retrievers derived


@dataclass(frozen=True, slots=True)
class Ground:
    """A workspace made ready: its snapshot is there, its lines are known, nothing is open.

    Attributes:
        name: The workspace's name in the data set.
        place: Its place for derived files.
        snapshot: Its snapshot.
        lines: Its facts by line.
        questions: The questions asked of it, each with its clock.
    """

    name: str
    place: Place
    snapshot: Path
    lines: Lines
    questions: tuple[tuple[Question, dt.datetime], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A hit, as far as it is scored.

    Attributes:
        source: Its lines.
        score: Its score.
        tokens: What it takes of a budget.
    """

    source: Source
    score: float
    tokens: int


@dataclass(frozen=True)
class Arm:
    """What came of a system.

    Attributes:
        system: The system.
        status: ``done``, ``failed`` or ``not run`` (something that it needs is not installed).
        message: Why, unless it is done.
        hits: For each question, what was found, best first.
        latency: For each question, the milliseconds that the search took. Reading the facts of its
            hits, which is the same for all systems, is left out.
        index_s: For each workspace, the seconds that making and opening its index took.
        index_bytes: For each workspace, the bytes that the index takes on disk.
        key: What tells that a saved run is the same; empty where nothing can.
        saved: Where it was read back from, without suffix; None if it was run.
    """

    system: System
    status: str = DONE
    message: str = ""
    hits: Mapping[str, tuple[Found, ...]] = field(default_factory=dict)
    latency: Mapping[str, float] = field(default_factory=dict)
    index_s: Mapping[str, float] = field(default_factory=dict)
    index_bytes: Mapping[str, int] = field(default_factory=dict)
    key: str = ""
    saved: Path | None = None

    @property
    def reused(self) -> bool:
        """Whether it was read back from a saved run."""
        return self.saved is not None


class ContractError(MemlabError):
    """A retriever gave what no run may be."""


def prepare(name: str, root: Path, questions: Sequence[Question]) -> Ground:
    """A workspace with its snapshot brought up to date.

    Raises:
        WorkspaceError: If the folder is not there.
    """
    from memlab.evaluation.lines import Lines

    with Session(root, refresh="always") as session:
        corpus = session.corpus()
        asked = tuple((question, session.now(question.now)) for question in questions)
        return Ground(name, session.place, corpus.snapshot, Lines(corpus), asked)


def run(
    system: System, grounds: Sequence[Ground], *, depth: int, key: str = "",
    progress: Progress | None = None,
) -> Arm:  # fmt: skip
    """Ask a system every question; whatever it raises makes a failed arm, not a failed experiment.

    Args:
        system: The system.
        grounds: The workspaces.
        depth: How many hits are asked for.
        key: Kept in the arm.
        progress: Called with the system's label, how many questions are done, and of how many.
    """
    total = sum(len(ground.questions) for ground in grounds)
    hits: dict[str, tuple[Found, ...]] = {}
    latency: dict[str, float] = {}
    index_s: dict[str, float] = {}
    index_bytes: dict[str, int] = {}
    try:
        retriever = system.retriever()
        for ground in grounds:
            with ground.place.aside() as folder, _apart(ground, folder) as corpus:
                empty = _size(folder)
                before = time.perf_counter()
                index = _Timed(retriever.index(corpus))
                index_s[ground.name] = time.perf_counter() - before
                index_bytes[ground.name] = _size(folder) - empty
                try:
                    for question, now in ground.questions:
                        found = _ask(corpus, index, question, now, depth)
                        latency[question.id] = index.took()
                        hits[question.id] = _checked(found, depth)
                        if progress and len(hits) % 20 == 0:
                            progress(system.label, len(hits), total)
                finally:
                    index.close()
    except MissingExtraError as error:
        return Arm(system, NOT_RUN, str(error))
    except Exception as error:  # noqa: BLE001  # any fault of one strategy must not end the others
        return Arm(system, FAILED, f"{type(error).__name__}: {error}")
    if progress:
        progress(system.label, total, total)
    return Arm(system, DONE, "", hits, latency, index_s, index_bytes, key)


def _apart(ground: Ground, folder: Path) -> Corpus:
    """The corpus under a name in an empty folder, so that its index is made from nothing."""
    place = copy.copy(ground.place)
    place.folder = folder
    for part in (ground.snapshot.with_suffix(suffix) for suffix in _PARTS):
        if part.is_dir():
            shutil.copytree(part, folder / part.name, copy_function=_link)
        elif part.exists():
            _link(part, folder / part.name)
    return _Remembering(place, folder / ground.snapshot.name)


def _link(file: str | Path, copy_: str | Path) -> None:
    try:
        os.link(file, copy_)
    except OSError:
        shutil.copyfile(file, copy_)


class _Remembering(Corpus):
    """A corpus that reads each fact once: an experiment asks for the same ones over and over."""

    def __init__(self, place: Place, snapshot: Path) -> None:
        super().__init__(place, snapshot)
        self._known: dict[int, Fact] = {}

    def facts(self, rows: Iterable[int]) -> list[Fact]:
        wanted = [int(row) for row in rows]
        missing = [row for row in dict.fromkeys(wanted) if row not in self._known]
        if missing:
            self._known.update(zip(missing, super().facts(missing), strict=True))
        return [self._known[row] for row in wanted]


class _Timed:
    """An index that keeps how long its searches took."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._seconds = 0.0

    def search(self, query: Query, *, depth: int) -> Run:
        before = time.perf_counter()
        try:
            return self._index.search(query, depth=depth)
        finally:
            self._seconds += time.perf_counter() - before

    def took(self) -> float:
        """Milliseconds since this was last asked."""
        seconds, self._seconds = self._seconds, 0.0
        return seconds * 1000

    def close(self) -> None:
        self._index.close()


def _ask(
    corpus: Corpus, index: Index, question: Question, now: dt.datetime, depth: int
) -> list[Hit]:
    if not question.text.strip():
        return []
    return pipeline.search(corpus, index, Query(question.text, now), k=depth)


def _checked(hits: list[Hit], depth: int) -> tuple[Found, ...]:
    scores = [hit.score for hit in hits]
    if len(hits) > depth:
        raise ContractError(f"{len(hits)} hits were given, {depth} asked for")
    if any(later > earlier for earlier, later in itertools.pairwise(scores)):
        raise ContractError("the scores of a run do not fall", hint="Sort by (-score, fact id)")
    if len({hit.fact.id for hit in hits}) < len(hits):
        raise ContractError("a run has one fact twice")
    return tuple(Found(hit.fact.source, hit.score, _tokens(hit)) for hit in hits)


def _tokens(hit: Hit) -> int:
    return budget.count(f"{hit.fact.content} {hit.fact.source}\n")


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
