"""Pages, questions and judgments of a made-up world, written day by day."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from memlab.synth.world import Change, Event


@dataclass(frozen=True, slots=True)
class Truth:
    """What is true of a made-up workspace.

    Attributes:
        workspace: Its folder.
        questions: ``NAME.queries.jsonl``; the judgments lie beside it as ``NAME.qrels.tsv``.
        facts: How many facts its pages hold.
        entities: The people.
        changes: Facts and opinions that took the place of earlier ones, oldest first.
        categories: How many questions there are of each category.
    """

    workspace: Path
    questions: Path
    facts: int
    entities: tuple[str, ...]
    changes: tuple[Change, ...]
    categories: dict[str, int]


def page(day: dt.date, events: Sequence[Event]) -> tuple[str, list[str]]:
    """A day's log: every other meeting as prose, all else as Retain bullets.

    Returns:
        The text, and for each event the citation of its line.
    """
    lines = [f"# {day}"]
    places = [0] * len(events)
    retained = []
    for number, event in enumerate(events):
        if event.sort == "meeting" and number % 2:
            lines += ["", event.text]
            places[number] = len(lines)
        else:
            retained.append(number)
    if retained:
        lines += ["", "## Retain", ""]
    for number in retained:
        event = events[number]
        sure = f"(c={event.confidence})" if event.confidence is not None else ""
        about = " ".join(f"@{name}" for name in event.entities)
        lines.append(f"- {event.kind}{sure} {about}: {event.text}")
        places[number] = len(lines)
    cited = [f"memory/{day}.md#L{place}" for place in places]
    return "\n".join(lines) + "\n", cited


def write_page(root: Path, day: dt.date, text: str) -> None:
    """Write a day's log."""
    folder = root / "memory"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{day}.md").write_text(text, encoding="utf-8", newline="\n")


def write_questions(
    file: Path, rows: Iterator[tuple[dict[str, str], list[tuple[str, int]]]]
) -> dict[str, int]:
    """Write questions and judgments in the project's own format; returns counts by category."""
    counts: dict[str, int] = {}
    qrels = file.with_name(file.name.removesuffix(".queries.jsonl") + ".qrels.tsv")
    with (
        file.open("w", encoding="utf-8", newline="\n") as questions,
        qrels.open("w", encoding="utf-8", newline="\n") as judged,
    ):
        judged.write("query\tsource\tgrade\tquote\n")
        for row, sources in rows:
            counts[row["category"]] = counts.get(row["category"], 0) + 1
            questions.write(json.dumps(row, ensure_ascii=False) + "\n")
            judged.writelines(f"{row['id']}\t{source}\t{grade}\t\n" for source, grade in sources)
    return counts
