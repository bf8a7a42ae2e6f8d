"""The project's own format: ``NAME.queries.jsonl`` and ``NAME.qrels.tsv`` about one workspace.

A question is a JSON object with ``id``, ``query`` and, if one likes, ``category``, ``now``,
``answer``. A judgment is a row of tab-separated text with the header ``query source grade quote``
and, where a fact was judged, ``fact``: ``source`` is a citation, ``quote`` words of its lines.
"""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from memlab.errors import MemlabError
from memlab.evaluation.datasets.place import find
from memlab.evaluation.model import Dataset, DatasetError, Judgment, Question
from memlab.store.place import replace_text
from memlab.types import Source
from memlab.workspace.markdown import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Row = tuple[str, str, int, str, str]

QUESTIONS = ".queries.jsonl"
QRELS = ".qrels.tsv"
COLUMNS = ("query", "source", "grade", "quote", "fact")
_QUOTED = 80
_GET = "a question file (memlab eval init drafts one)"


@dataclass(frozen=True, slots=True)
class Own:
    """Questions about a workspace, both as a person keeps them.

    Attributes:
        questions: The file ``NAME.queries.jsonl``; ``NAME.qrels.tsv`` lies beside it.
        workspace: The workspace's folder; the folder ``NAME`` beside the questions by default.
    """

    questions: str
    workspace: str = ""
    get: ClassVar[str] = _GET

    def load(self) -> Dataset:
        """Read both files.

        Raises:
            DatasetError: If one is missing or a line cannot be read; it names file and line.
        """
        file = self.file()
        name = file.name.removesuffix(QUESTIONS)
        root = Path(self.workspace).expanduser() if self.workspace else file.with_name(name)
        if not root.is_dir():
            raise DatasetError(
                "the workspace of the questions is not there", where=str(root),
                hint="Name it: workspace=DIR",
            )  # fmt: skip
        questions = tuple(_question(row, name, where) for where, row in _objects(file))
        known = {question.id for question in questions}
        if len(known) < len(questions):
            raise DatasetError("two questions have one id", where=str(file))
        return Dataset(name, {name: root}, questions, tuple(read_qrels(qrels_of(file), known)))

    def file(self) -> Path:
        """The file of questions.

        Raises:
            DatasetError: If it is missing or named otherwise.
        """
        file = find(self.questions, get=_GET)
        if not file.name.endswith(QUESTIONS):
            raise DatasetError(f"a question file is named NAME{QUESTIONS}", where=str(file))
        return file


def qrels_of(questions: Path) -> Path:
    """The file of judgments that belongs to a file of questions."""
    return questions.with_name(questions.name.removesuffix(QUESTIONS) + QRELS)


def read_qrels(file: Path, known: set[str]) -> Iterator[Judgment]:
    """The judgments of a file.

    Raises:
        DatasetError: If a row cannot be read, or its question is not among ``known``.
    """
    lines = _text(file).splitlines()
    header = lines[0].split("\t") if lines else []
    if tuple(header[:3]) != COLUMNS[:3] or not set(header) <= set(COLUMNS):
        raise DatasetError(
            "the first line is no header", where=f"{file}:1", hint=f"Write: {' '.join(COLUMNS)}"
        )
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        row = dict(zip(header, line.split("\t"), strict=False))
        try:
            source = Source.parse(row["source"])
            grade = int(row["grade"])
        except (KeyError, ValueError, MemlabError) as error:
            raise DatasetError(f"cannot be read: {error}", where=f"{file}:{number}") from error
        if row["query"] not in known:
            raise DatasetError(f"no question {row['query']!r}", where=f"{file}:{number}")
        yield Judgment(row["query"], grade, source, row.get("quote", ""), row.get("fact", ""))


def write_qrels(file: Path, rows: Iterable[Row]) -> None:
    """Write judgments, each a row of the columns `COLUMNS`."""
    lines = ["\t".join(COLUMNS), *("\t".join(map(str, row)) for row in rows)]
    replace_text(file, "".join(f"{line}\n" for line in lines))


def add_qrels(file: Path, rows: Iterable[Row]) -> None:
    """Add judgments at the end of a file; what stands there is kept, a missing column is added.

    Raises:
        DatasetError: If its header is not that of a file of judgments.
    """
    lines = _text(file).splitlines()
    header = lines[0].split("\t")
    header += [column for column in COLUMNS if column not in header]
    added = [dict(zip(COLUMNS, map(str, row), strict=True)) for row in rows]
    lines[0] = "\t".join(header)
    lines += ["\t".join(row.get(column, "") for column in header) for row in added]
    replace_text(file, "".join(f"{line}\n" for line in lines))


def cited(root: Path, source: Source) -> list[str]:
    """The lines that a citation names, as they stand in the file; none if it cannot be read."""
    try:
        text = (root / source.path).read_text(encoding="utf-8-sig")
    except (OSError, ValueError):
        return []
    return split_lines(text)[source.start - 1 : source.end]


def quote(root: Path, source: Source) -> str:
    """The first words of a citation's lines, verbatim, by which a later edit is noticed."""
    first = next((line.strip() for line in cited(root, source) if line.strip()), "")
    return first.partition("\t")[0][:_QUOTED].strip()


def _objects(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, line in enumerate(_text(file).splitlines(), start=1):
        if not line.strip():
            continue
        where = f"{file}:{number}"
        try:
            row = json.loads(line)
        except ValueError as error:
            raise DatasetError(f"is no JSON: {error}", where=where) from error
        if not isinstance(row, dict):
            raise DatasetError("is no JSON object", where=where)
        yield where, row


def _question(row: dict[str, Any], workspace: str, where: str) -> Question:
    try:
        now = row.get("now")
        return Question(
            str(row["id"]), str(row["query"]), workspace, str(row.get("category", "all")),
            dt.date.fromisoformat(now) if now else None, str(row.get("answer", "")),
        )  # fmt: skip
    except (KeyError, ValueError) as error:
        raise DatasetError(f"is no question: {error!r}", where=where) from error


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise DatasetError(
            f"cannot be read: {error}", where=str(file), hint=f"Get {_GET}"
        ) from error
