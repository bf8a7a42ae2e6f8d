"""LoCoMo (Maharana et al., ACL 2024): long conversations, and questions with the turns that answer.

Each conversation becomes a workspace: a daily page for each day on which they talked, a heading for
each session, and one line a turn: ``- Speaker: text [caption]``.
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
    from collections.abc import Iterator
    from pathlib import Path

    from memlab.evaluation.model import Dataset

CATEGORIES = {
    1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial",
}  # fmt: skip
"""By the paper's text and the counts of its table; other sources often mix them up."""

_GET = "locomo10.json (github.com/snap-research/locomo, CC BY-NC 4.0)"
_SESSION = re.compile(r"session_(\d+)")
_TURN = re.compile(r"D:?\s*(\d+):(\d+)")
_MONTHS = "January February March April May June July August September October November December"
_WHEN = re.compile(r"\s*([\d:]+ *[ap]m)? *(?:on )?(\d{1,2}) (\w+),? (\d{4})\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LoCoMo:
    """The upstream JSON file, or a part of its conversations.

    Attributes:
        path: The file, from the folder of data sets.
    """

    path: str = "locomo/locomo10.json"
    get: ClassVar[str] = _GET

    def load(self) -> Dataset:
        """The conversations as workspaces.

        Raises:
            DatasetError: If the file is missing or no LoCoMo JSON.
        """
        file = place.find(self.path, get=_GET)
        return place.materialise("locomo", file, [file], lambda: make(_samples(file)))


def make(samples: list[dict[str, Any]]) -> place.Made:
    """Workspaces, questions and judgments; whatever is faulty is counted and mended or left out."""
    made: dict[str, dict[str, str]] = {}
    questions: list[Question] = []
    judgments: list[Judgment] = []
    faults: list[Fault] = []
    for number, sample in enumerate(samples):
        name = re.sub(r"[^\w-]+", "-", str(sample.get("sample_id") or f"conv-{number}"))
        talk = _Conversation(name, sample["conversation"], faults)
        made[name] = talk.pages
        for place_, row in enumerate(sample["qa"]):
            question = f"{name}-q{place_ + 1:03}"
            category = CATEGORIES.get(row.get("category"), "unknown")
            if category == "unknown":
                faults.append(Fault("unknown category", question, repr(row.get("category"))))
            answer = row.get("answer", row.get("adversarial_answer"))
            if "answer" not in row:
                faults.append(Fault("no answer", question, category))
            questions.append(
                Question(question, str(row["question"]), name, category, talk.last, _text(answer))
            )
            sources = _evidence(question, row.get("evidence"), talk.turns, faults)
            judgments += [Judgment(question, 1, source) for source in sources]
    return place.Made(made, tuple(questions), tuple(judgments), tuple(faults))


class _Conversation:
    """One conversation as pages, and where each of its turns stands."""

    def __init__(self, name: str, talk: dict[str, Any], faults: list[Fault]) -> None:
        self.turns: dict[tuple[int, int], Source] = {}
        self.last: dt.date | None = None
        lines: dict[str, list[str]] = {}
        numbers = sorted(int(m[1]) for key in talk if (m := _SESSION.fullmatch(key)))
        for key in talk:
            dated = re.fullmatch(r"session_(\d+)_date_time", key)
            if dated and int(dated[1]) not in numbers:
                faults.append(Fault("date of a session that is not there", name, key))
        for number in numbers:
            if not talk[f"session_{number}"]:
                faults.append(Fault("session without turns", name, f"session_{number}"))
                continue
            when = str(talk.get(f"session_{number}_date_time", ""))
            day, hour = _when(when)
            if day is None:
                faults.append(Fault("date that cannot be read", f"{name} session {number}", when))
            else:
                self.last = max(day, self.last or day)
            path = f"memory/{day}.md" if day else f"memory/undated/session-{number:02}.md"
            page = lines.setdefault(path, [f"# {day or 'Undated'}"])
            page += ["", f"## Session {number}{f', {hour}' if hour else ''}", ""]
            for turn, spoken in enumerate(talk[f"session_{number}"], start=1):
                page.append(pages.item(_spoken(spoken)))
                source = Source(path, len(page), len(page))
                own = _TURN.fullmatch(str(spoken.get("dia_id", "")))
                where = (int(own[1]), int(own[2])) if own else (number, turn)
                if not own or where in self.turns:
                    sort = "repeated id of a turn" if own else "turn without id"
                    faults.append(Fault(sort, name, str(spoken.get("dia_id"))))
                self.turns.setdefault(where, source)
        self.pages = {path: "\n".join(page) + "\n" for path, page in lines.items()}


def _spoken(turn: dict[str, Any]) -> str:
    caption = turn.get("blip_caption")
    return f"{turn['speaker']}: {turn.get('text', '')}" + (f" [{caption}]" if caption else "")


def _when(text: str) -> tuple[dt.date | None, str]:
    """The day and hour of ``1:56 pm on 8 May, 2023``."""
    match = _WHEN.fullmatch(text)
    months = _MONTHS.casefold().split()
    if not match or match[3].casefold() not in months:
        return None, ""
    try:
        day = dt.date(int(match[4]), months.index(match[3].casefold()) + 1, int(match[2]))
    except ValueError:
        return None, ""
    return day, match[1] or ""


def _evidence(
    question: str, evidence: Any, turns: dict[tuple[int, int], Source], faults: list[Fault]
) -> Iterator[Source]:
    """The lines of the turns that answer, each once."""
    found: dict[Source, None] = {}
    for text in evidence or ():
        ids = [(int(session), int(turn)) for session, turn in _TURN.findall(str(text))]
        plain = [f"D{session}:{turn}" for session, turn in ids]
        if not ids:
            faults.append(Fault("evidence that names no turn", question, str(text)))
        elif plain != [str(text)]:
            faults.append(Fault("evidence written badly", question, str(text)))
        for id_ in ids:
            if id_ not in turns:
                faults.append(Fault("evidence of a turn that is not there", question, str(text)))
            elif turns[id_] in found:
                faults.append(Fault("evidence repeated", question, str(text)))
            else:
                found[turns[id_]] = None
    if not found:
        faults.append(Fault("question without evidence", question))
    yield from found


def _text(answer: Any) -> str:
    return "" if answer is None else str(answer)


def _samples(file: Path) -> list[dict[str, Any]]:
    try:
        samples = json.loads(file.read_text(encoding="utf-8"))
        for sample in samples:
            _ = sample["qa"][0]["question"], sample["conversation"].keys()
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise DatasetError(
            f"is no LoCoMo JSON: {error!r}", where=str(file), hint=f"Get {_GET}"
        ) from error
    return list(samples)
