"""From lines to facts: which facts a hit holds, and which facts a judgment is about.

A relevant line counts as found when the lines of a hit cover it. So that a hit of many lines gains
nothing by its size, it is unpacked into its facts, in the order of their lines, and all measures
look at the first k facts.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING

from memlab.evaluation.model import StaleJudgmentError
from memlab.types import Source
from memlab.workspace.markdown import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from memlab.evaluation.model import Judgment
    from memlab.store.corpus import Corpus

    Qrels = dict[str, dict[str, int]]

_SHOWN = 5


class Lines:
    """The facts of a corpus by page and line; holds no connection.

    Args:
        corpus: The corpus; it may be closed afterwards.
    """

    def __init__(self, corpus: Corpus) -> None:
        sql = "SELECT path, start_line, end_line, id FROM facts ORDER BY path, start_line, row"
        self._pages: dict[str, list[tuple[int, int, str]]] = {}
        for path, start, end, fact in corpus.connection.execute(sql).fetchall():
            self._pages.setdefault(path, []).append((start, end, fact))
        self._held: dict[Source, tuple[str, ...]] = {}
        self._sources: dict[str, tuple[str, int, int]] = {
            fact: (path, start, end)
            for path, facts in self._pages.items()
            for start, end, fact in facts
        }

    @cached_property
    def facts(self) -> frozenset[str]:
        """The ids of all facts."""
        return frozenset(self._sources)

    def cite(self, fact: str) -> str:
        """The citation of a fact; for an unknown id the id itself."""
        return str(Source(*self._sources[fact])) if fact in self._sources else fact

    def touching(self, source: Source) -> list[str]:
        """The ids of the facts that stand, even in part, on those lines, in order."""
        facts = self._pages.get(source.path, [])
        # a fact has at most a few lines, so the first that matters starts shortly before
        first = bisect_left(facts, (max(0, source.start - 64),))
        found = []
        for start, end, fact in facts[first:]:
            if start > source.end:
                break
            if end >= source.start:
                found.append(fact)
        return found

    def held(self, source: Source) -> tuple[str, ...]:
        """The facts that a hit holds, in order: those whose lines it covers whole.

        Where it covers none whole, those that it touches.
        """
        if source not in self._held:
            touched = self.touching(source)
            whole = [fact for fact in touched if self._inside(fact, source)]
            self._held[source] = tuple(whole or touched)
        return self._held[source]

    def unpack(self, hits: Iterable[Source]) -> list[str]:
        """The facts of ranked hits: each hit's in order of lines, each fact at its first place."""
        return list(dict.fromkeys(fact for source in hits for fact in self.held(source)))

    def _inside(self, fact: str, source: Source) -> bool:
        _, start, end = self._sources[fact]
        return source.start <= start and end <= source.end


def resolve(judgments: Sequence[Judgment], lines: Lines, root: Path) -> Qrels:
    """Judgments by fact: for each question, each judged fact's grade, the best where there are two.

    A fact that moved is followed by its id. A line that holds no fact stays, under its citation: it
    can be found by nothing, and recall is no better for it.

    Args:
        judgments: What was judged.
        lines: The facts as they are now.
        root: The workspace's folder.

    Raises:
        StaleJudgmentError: If words that were judged are gone from their lines; it names them all,
            the first few in its text.
    """
    pages: dict[str, list[str]] = {}
    qrels: Qrels = {}
    stale: list[str] = []
    for judgment in judgments:
        facts = _facts(judgment, lines, root, pages)
        if facts is None:
            stale.append(f"{judgment.question} {judgment.source or judgment.fact}")
            continue
        grades = qrels.setdefault(judgment.question, {})
        for fact in facts:
            grades[fact] = max(judgment.grade, grades.get(fact, 0))
    if stale:
        names = "; ".join(stale[:_SHOWN]) + ("; …" if len(stale) > _SHOWN else "")
        raise StaleJudgmentError(
            f"{len(stale)} judgments are stale, their words changed: {names}",
            where=str(root),
            hint="Judge these lines again, or take the judgments out",
        )
    return qrels


def _facts(
    judgment: Judgment, lines: Lines, root: Path, pages: dict[str, list[str]]
) -> list[str] | None:
    """The facts that a judgment is about; None if it is stale."""
    if judgment.fact:
        return [judgment.fact] if judgment.fact in lines.facts else None
    source = judgment.source
    if source is None:
        return None
    if judgment.quote:
        if source.path not in pages:
            pages[source.path] = _read(root / source.path)
        cited = "\n".join(pages[source.path][source.start - 1 : source.end])
        if judgment.quote not in cited:
            return None
    return lines.touching(source) or [str(source)]


def _read(file: Path) -> list[str]:
    try:
        return split_lines(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return []
