"""BEIR folders (Thakur et al., NeurIPS 2021): ``corpus.jsonl``, ``queries.jsonl``, ``qrels/*.tsv``.

The documents become paragraphs of undated notes, one line each, a few hundred a page.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from memlab.evaluation.datasets import pages, place
from memlab.evaluation.model import DatasetError, Fault, Judgment, Question
from memlab.types import Source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memlab.evaluation.model import Dataset

PER_PAGE = 500
_GET = "a BEIR folder with corpus.jsonl, queries.jsonl and qrels/test.tsv"


@dataclass(frozen=True, slots=True)
class BEIR:
    """A folder in BEIR's form.

    Attributes:
        path: The folder, from the folder of data sets.
        split: Which of its qrels.
    """

    path: str
    split: str = "test"
    get: ClassVar[str] = _GET

    def load(self) -> Dataset:
        """The documents as one workspace.

        Raises:
            DatasetError: If a file is missing or a line is no JSON.
        """
        folder = place.find(self.path, get=_GET)
        files = [folder / "corpus.jsonl", folder / "queries.jsonl"]
        files.append(folder / "qrels" / f"{self.split}.tsv")
        for file in files:
            if not file.is_file():
                raise DatasetError("is missing", where=str(file), hint=f"Get {_GET}")
        name = "-".join(["beir", *self.path.strip("/").split("/")[-2:]])
        return place.materialise(name, folder, files, lambda: make(*files))


def make(corpus: Path, queries: Path, qrels: Path) -> place.Made:
    """One workspace of all documents, title first, with the questions that have judgments."""
    faults: list[Fault] = []
    lines: dict[str, list[str]] = {}
    sources: dict[str, Source] = {}
    for number, row in enumerate(_rows(corpus)):
        page = f"memory/notes/corpus-{number // PER_PAGE + 1:04}.md"
        paragraph = pages.paragraph(f"{row.get('title') or ''} {row.get('text') or ''}")
        if not paragraph:
            faults.append(Fault("document without words", str(row["_id"])))
            continue
        if row["_id"] in sources:
            faults.append(Fault("repeated id of a document", str(row["_id"])))
            continue
        page_lines = lines.setdefault(page, [])
        page_lines += [paragraph, ""]
        at = len(page_lines) - 1
        sources[str(row["_id"])] = Source(page, at, at)
    judged = list(_judged(qrels, faults))
    wanted = {question for question, _, _ in judged}
    questions = [_question(row, "notes") for row in _rows(queries) if str(row["_id"]) in wanted]
    known = {question.id for question in questions}
    judgments = []
    for question, document, grade in judged:
        if question not in known:
            faults.append(Fault("judgment of a question that is not there", question))
        elif document not in sources:
            faults.append(Fault("judgment of a document that is not there", question, document))
        else:
            judgments.append(Judgment(question, grade, sources[document]))
    text = {page: "\n".join(page_lines) for page, page_lines in lines.items()}
    return place.Made({"notes": text}, tuple(questions), tuple(judgments), tuple(faults))


def _question(row: dict[str, Any], workspace: str) -> Question:
    category = (row.get("metadata") or {}).get("category") or "all"
    return Question(str(row["_id"]), str(row["text"]), workspace, str(category))


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                try:
                    row = json.loads(line)
                    yield {**row, "_id": str(row["_id"])}
                except (ValueError, KeyError, TypeError) as error:
                    raise DatasetError(
                        f"is no JSON object with _id: {error!r}", where=f"{file}:{number}"
                    ) from error


def _judged(file: Path, faults: list[Fault]) -> Iterator[tuple[str, str, int]]:
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        cells = line.split("\t")
        try:
            yield cells[0], cells[1], int(cells[2])
        except (IndexError, ValueError):
            # the first line is the header
            if number > 1 and line.strip():
                faults.append(Fault("judgment that cannot be read", f"{file.name}:{number}", line))
