"""LongMemEval (Wu et al., ICLR 2025): questions, each over a history of chats of its own.

Each instance becomes a workspace: a daily page for each day, a heading for each session, one line a
turn. Turns marked ``has_answer`` answer. Questions to abstain from have no answer here, whatever is
marked, and so have those without a marked turn: both are left out of figures, and counted.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from memlab.evaluation.datasets import pages, place
from memlab.evaluation.model import DatasetError, Fault, Judgment, Question
from memlab.types import Source

if TYPE_CHECKING:
    from memlab.evaluation.model import Dataset

_GET = "longmemeval_s.json or _oracle.json (github.com/xiaowu0162/LongMemEval, MIT)"
_DAY = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})(?:\D+(\d{1,2}:\d{2}))?")


@dataclass(frozen=True, slots=True)
class LongMemEval:
    """The upstream JSON file.

    Attributes:
        path: The file, from the folder of data sets.
    """

    path: str = "longmemeval/longmemeval_s.json"
    get: ClassVar[str] = _GET

    def load(self) -> Dataset:
        """The instances as workspaces.

        Raises:
            DatasetError: If the file is missing or no LongMemEval JSON.
        """
        file = place.find(self.path, get=_GET)
        return place.materialise("longmemeval", file, [file], lambda: make(_instances(file)))


def make(instances: list[dict[str, Any]]) -> place.Made:
    """Workspaces, questions and judgments, and what was faulty."""
    made: dict[str, dict[str, str]] = {}
    questions: list[Question] = []
    judgments: list[Judgment] = []
    faults: list[Fault] = []
    for instance in instances:
        id_ = str(instance["question_id"])
        name = re.sub(r"[^\w-]+", "-", id_)
        made[name], answers = _history(name, instance, faults)
        now, _ = _when(str(instance.get("question_date", "")))
        if now is None:
            faults.append(
                Fault("date that cannot be read", id_, str(instance.get("question_date")))
            )
        category = str(instance.get("question_type", "unknown"))
        abstain = id_.endswith("_abs")
        questions.append(
            Question(
                id_, str(instance["question"]), name, "abstention" if abstain else category, now,
                str(instance.get("answer", "")),
            )
        )  # fmt: skip
        if abstain:
            faults.append(Fault("question to abstain from", id_))
        elif not answers:
            faults.append(Fault("question without a marked turn", id_))
        judgments += [Judgment(id_, 0 if abstain else 1, source) for source in answers]
    return place.Made(made, tuple(questions), tuple(judgments), tuple(faults))


def _history(
    name: str, instance: dict[str, Any], faults: list[Fault]
) -> tuple[dict[str, str], list[Source]]:
    """The pages of an instance's chats, and the lines that answer."""
    sessions = instance["haystack_sessions"]
    dates = [str(date) for date in instance.get("haystack_dates", [])]
    if len(dates) != len(sessions):
        faults.append(Fault("as many dates as sessions", name, f"{len(dates)} != {len(sessions)}"))
        dates += [""] * (len(sessions) - len(dates))
    lines: dict[str, list[str]] = {}
    answers: list[Source] = []
    order = sorted(range(len(sessions)), key=lambda i: (dates[i], i))
    for number in order:
        day, hour = _when(dates[number])
        if day is None:
            faults.append(
                Fault("date that cannot be read", f"{name} session {number + 1}", dates[number])
            )
        path = f"memory/{day}.md" if day else f"memory/undated/session-{number + 1:03}.md"
        if not sessions[number]:
            faults.append(Fault("session without turns", name, str(number + 1)))
            continue
        page = lines.setdefault(path, [f"# {day or 'Undated'}"])
        page += ["", f"## Session {number + 1}{f', {hour}' if hour else ''}", ""]
        for turn in sessions[number]:
            page.append(pages.item(f"{turn.get('role', 'user')}: {turn.get('content', '')}"))
            if turn.get("has_answer"):
                answers.append(Source(path, len(page), len(page)))
    return {path: "\n".join(page) + "\n" for path, page in lines.items()}, answers


def _when(text: str) -> tuple[dt.date | None, str]:
    """The day and hour of ``2023/05/25 (Thu) 20:21``."""
    match = _DAY.match(text)
    if not match:
        return None, ""
    try:
        return dt.date(int(match[1]), int(match[2]), int(match[3])), match[4] or ""
    except ValueError:
        return None, ""


def _instances(file: Any) -> list[dict[str, Any]]:
    try:
        instances = json.loads(file.read_text(encoding="utf-8"))
        for instance in instances:
            _ = instance["question_id"], instance["question"], instance["haystack_sessions"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DatasetError(
            f"is no LongMemEval JSON: {error!r}", where=str(file), hint=f"Get {_GET}"
        ) from error
    return list(instances)
