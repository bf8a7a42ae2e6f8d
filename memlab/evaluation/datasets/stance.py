"""Stance pairs, JSONL: ``id``, ``split``, ``statement``, ``evidence``, ``label``.

The pairs themselves are kept for whoever judges stances. For recall the evidence becomes a note,
one paragraph each, and each statement a question: what supports or contradicts it answers.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from memlab.evaluation.datasets import pages, place
from memlab.evaluation.model import DatasetError, Fault, Judgment, Question, StancePair
from memlab.types import Source

if TYPE_CHECKING:
    from pathlib import Path

    from memlab.evaluation.model import Dataset

LABELS = ("supports", "contradicts", "neutral")
PER_PAGE = 500
_GET = "a JSONL file of stance pairs"


@dataclass(frozen=True, slots=True)
class Stance:
    """A file of stance pairs.

    Attributes:
        path: The file, from the folder of data sets.
    """

    path: str
    get: ClassVar[str] = _GET

    def load(self) -> Dataset:
        """The pairs, and a workspace of their evidence.

        Raises:
            DatasetError: If the file is missing or a line is no JSON.
        """
        file = place.find(self.path, get=_GET)
        return place.materialise(f"stance-{file.parent.name}", file, [file], lambda: make(file))


def make(file: Path) -> place.Made:
    """Pairs, one workspace of all evidence, and the statements as questions by split."""
    faults: list[Fault] = []
    pairs = read_pairs(file, faults)
    lines: dict[str, list[str]] = {}
    sources: dict[str, Source] = {}
    statements: dict[str, Question] = {}
    grades: dict[tuple[str, Source], int] = {}
    for pair in pairs:
        text = pages.paragraph(pair.evidence)
        if text not in sources:
            path = f"memory/notes/evidence-{len(sources) // PER_PAGE + 1:04}.md"
            page = lines.setdefault(path, [])
            page += [text, ""]
            sources[text] = Source(path, len(page) - 1, len(page) - 1)
        question = statements.setdefault(
            pair.statement,
            Question(f"s{len(statements) + 1:05}", pair.statement, "notes", pair.split),
        )
        judged = question.id, sources[text]
        grades[judged] = max(grades.get(judged, 0), int(pair.label != "neutral"))
    judgments = [Judgment(id_, grade, source) for (id_, source), grade in grades.items()]
    text_of = {path: "\n".join(page) for path, page in lines.items()}
    return place.Made(
        {"notes": text_of},
        tuple(statements.values()),
        tuple(judgments),
        tuple(faults),
        tuple(pairs),
    )


def read_pairs(file: Path, faults: list[Fault]) -> list[StancePair]:
    """The pairs of a file; what cannot be used is counted among the faults.

    Raises:
        DatasetError: If a line is no pair.
    """
    pairs = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            pair = StancePair(
                str(row["id"]), str(row.get("split", "all")), str(row["statement"]).strip(),
                str(row["evidence"]).strip(), str(row["label"]),
            )  # fmt: skip
        except (ValueError, KeyError, TypeError) as error:
            raise DatasetError(f"is no stance pair: {error!r}", where=f"{file}:{number}") from error
        if pair.label not in LABELS:
            faults.append(Fault("unknown label", pair.id, pair.label))
        elif not pair.statement or not pages.one_line(pair.evidence):
            faults.append(Fault("pair without words", pair.id))
        else:
            pairs.append(pair)
    return pairs
