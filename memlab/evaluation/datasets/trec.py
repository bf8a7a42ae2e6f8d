"""TREC's run and qrels files: written for other tools, and read as judgments of a workspace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from memlab.errors import CitationError
from memlab.evaluation.datasets import place
from memlab.evaluation.model import Dataset, DatasetError, Judgment, Question
from memlab.types import Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

_GET = "a file of TREC topics: on each line a question's id, a tab, and its words"


@dataclass(frozen=True, slots=True)
class TREC:
    """Topics and TREC qrels about a workspace that is there.

    Attributes:
        workspace: The workspace's folder.
        topics: The file of questions: on each line an id, a tab, and the words.
        qrels: The file of judgments: question, iteration, document, grade. A document is a citation
            such as ``memory/2025-11-27.md#L12`` (white space in it as ``%20``) or a fact id.
    """

    workspace: str
    topics: str
    qrels: str
    get: ClassVar[str] = _GET

    def load(self) -> Dataset:
        """Read both files.

        Raises:
            DatasetError: If one is missing or a line cannot be read; it names file and line.
        """
        root = place.find(self.workspace, get="the workspace")
        topics = place.find(self.topics, get=_GET)
        qrels = place.find(self.qrels, get="a file of TREC qrels")
        questions = tuple(_topics(topics, root.name))
        known = {question.id for question in questions}
        return Dataset(qrels.stem, {root.name: root}, questions, tuple(_read(qrels, known)))


def _topics(file: Path, workspace: str) -> Iterator[Question]:
    for number, line in _lines(file):
        id_, tab, text = line.partition("\t")
        if not tab:
            raise DatasetError("is no topic: id, tab, words", where=f"{file}:{number}")
        yield Question(id_.strip(), text.strip(), workspace)


def _read(file: Path, known: set[str]) -> Iterator[Judgment]:
    for number, line in _lines(file):
        where = f"{file}:{number}"
        cells = line.split()
        try:
            question, _, document, grade = cells[0], cells[1], cells[2], int(cells[3])
        except (IndexError, ValueError) as error:
            raise DatasetError("is no judgment: question 0 document grade", where=where) from error
        if question not in known:
            raise DatasetError(f"no question {question!r}", where=where)
        if document.startswith("f-") and "#" not in document:
            yield Judgment(question, grade, fact=document)
            continue
        try:
            yield Judgment(question, grade, Source.parse(document.replace("%20", " ")))
        except CitationError as error:
            raise DatasetError(
                f"is neither citation nor fact id: {document}", where=where
            ) from error


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip():
            yield number, line


def write_run(file: Path, ranked: Mapping[str, Sequence[str]], tag: str) -> None:
    """A TREC run: question, Q0, fact id, rank from 1, score, tag.

    The score is the rank counted backwards: trec_eval sorts by it and breaks ties in its own way,
    and so finds just the ranks that memlab measured.
    """
    with file.open("w", encoding="utf-8", newline="\n") as out:
        for question, facts in ranked.items():
            for rank, fact in enumerate(facts, start=1):
                score = len(facts) - rank + 1
                out.write(f"{_word(question)} Q0 {_word(fact)} {rank} {score} {_word(tag)}\n")


def write_qrels(file: Path, qrels: Mapping[str, Mapping[str, int]]) -> None:
    """TREC qrels: question, 0, fact id, grade."""
    with file.open("w", encoding="utf-8", newline="\n") as out:
        for question, grades in qrels.items():
            for fact, grade in grades.items():
                out.write(f"{_word(question)} 0 {_word(fact)} {grade}\n")


def _word(text: str) -> str:
    """White space parts the columns; inside one it is written as %20."""
    return "%20".join(text.split()) or "_"
