"""The values of the bench: questions, judgments, data sets, and what can be wrong with them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memlab.errors import MemlabError

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping
    from pathlib import Path

    from memlab.types import Source


class DatasetError(MemlabError):
    """A data set is not there, or is not what its format says."""


class StaleJudgmentError(MemlabError):
    """Words that were judged are no longer where the judgment says: it must be looked at again."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question that is asked of one workspace.

    Attributes:
        id: Its id, unique in the data set.
        text: Its words.
        workspace: The name of the workspace that it is asked of.
        category: What sort of question it is.
        now: The clock against which it is read; None for the real one.
        answer: A short answer for a reader; never used for scoring.
    """

    id: str
    text: str
    workspace: str
    category: str = "all"
    now: dt.date | None = None
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Judgment:
    """How well some lines, or one fact, answer a question.

    Attributes:
        question: The question's id.
        grade: 0 for not at all, 1 and more for an answer.
        source: The lines; None where only the fact is known.
        quote: Words of those lines, by which a later edit is noticed; empty where pages are frozen.
        fact: The id of the fact that was judged; empty where only lines are known.
    """

    question: str
    grade: int
    source: Source | None = None
    quote: str = ""
    fact: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong in a data set's files that was mended or left out.

    Attributes:
        sort: What sort of fault it is; faults are counted by it.
        where: The record it was met in.
        what: The text that was found.
    """

    sort: str
    where: str
    what: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.sort}{f' ({self.what})' if self.what else ''}"


@dataclass(frozen=True, slots=True)
class StancePair:
    """A statement and a text that bears on it.

    Attributes:
        id: Its id.
        split: The part of the data set, such as ``train``.
        statement: What is held.
        evidence: What is said of it.
        label: ``supports``, ``contradicts`` or ``neutral``.
    """

    id: str
    split: str
    statement: str
    evidence: str
    label: str


@dataclass(frozen=True)
class Dataset:
    """Workspaces, questions asked of them, and the lines that answer.

    Attributes:
        name: Its name.
        workspaces: The folder of each workspace by name.
        questions: The questions.
        judgments: What is known of the answers, by file and line.
        faults: What was wrong in its files.
        pairs: Stance pairs, where it has them.
    """

    name: str
    workspaces: Mapping[str, Path]
    questions: tuple[Question, ...]
    judgments: tuple[Judgment, ...]
    faults: tuple[Fault, ...] = ()
    pairs: tuple[StancePair, ...] = field(default=(), repr=False)

    def fault_counts(self) -> dict[str, int]:
        """How many faults there are of each sort, most frequent first."""
        counts: dict[str, int] = {}
        for fault in self.faults:
            counts[fault.sort] = counts.get(fault.sort, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    def category_counts(self) -> dict[str, int]:
        """How many questions each category has, in the data set's order."""
        counts: dict[str, int] = {}
        for question in self.questions:
            counts[question.category] = counts.get(question.category, 0) + 1
        return counts
