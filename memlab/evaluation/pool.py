"""Pools: the hits of two systems that nobody has judged, in a text file that a person marks.

Only what was judged can be counted, and a system that finds what nobody looked at seems worse than
it is (Buckley and Voorhees, SIGIR 2004). A pool has, for each question, its unjudged hits in the
order of their lines, so that the marks do not follow any system's ranking.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memlab.errors import ParameterError, WriteError
from memlab.evaluation import arms as _arms
from memlab.evaluation import datasets, scores
from memlab.evaluation.datasets import own
from memlab.evaluation.experiment import judgments, prepare
from memlab.evaluation.model import DatasetError, StaleJudgmentError
from memlab.evaluation.systems import systems_of
from memlab.types import Source

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator

    from memlab.evaluation.arms import Progress

_HEAD = """\
# Put + before a hit that answers the question, - before one that does not; ? stays unjudged.
# A digit is a grade: 0 is -, 1 is +. Change nothing else. Then: memlab eval judge FILE
"""
_GRADES = {"+": 1, "-": 0}
_QUESTION = re.compile(r"\[(.+?)\] ")
_HIT = re.compile(r"\s*([+?-]|\d)\s+(\S.*?#L\d+(?:-L\d+)?)\s+(f-\S+)\s+\|")


@dataclass(frozen=True, slots=True)
class Pooled:
    """What was pooled.

    Attributes:
        file: The file to mark.
        questions: How many questions have hits to judge.
        hits: How many hits there are to judge.
        failed: What each system that failed said.
    """

    file: Path
    questions: int
    hits: int
    failed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """What was taken over from a marked pool.

    Attributes:
        qrels: The file of judgments.
        added: How many judgments were added.
        open: How many hits are still unjudged.
    """

    qrels: Path
    added: int
    open: int


def pool(
    systems: Iterable[Any], dataset: Any, file: str | os.PathLike[str], *, depth: int = 10,
    progress: Progress | None = None,
) -> Pooled:  # fmt: skip
    """Write the unjudged hits of several systems into a file.

    Args:
        systems: The systems.
        dataset: The data set.
        file: The file to write.
        depth: How many hits of each system are looked at.
        progress: Called with what is done, how much of it, and how much there is.

    Raises:
        WriteError: If the file is there already: a person's marks may be in it.
        ParameterError: If ``depth`` is less than 1.
    """
    place = Path(file)
    if place.exists():
        raise WriteError("is there already", where=str(place), hint="Choose another name")
    if depth < 1:
        raise ParameterError(f"depth must be at least 1, got {depth}")
    data = datasets.load(dataset)
    grounds = prepare(data, progress)
    qrels = judgments(data, grounds)
    found: dict[str, dict[str, None]] = {}
    failed = []
    for system in systems_of(systems):
        arm = _arms.run(system, grounds, depth=depth, progress=progress)
        if arm.status != _arms.DONE:
            failed.append(f"{system.label}: {arm.status}: {arm.message}")
        for asked, facts in scores.ranked(scores.unpack(arm, grounds)).items():
            found.setdefault(asked, {}).update(dict.fromkeys(facts[:depth]))
    blocks = []
    hits = 0
    for ground in grounds:
        for question, _ in ground.questions:
            new = [f for f in found.get(question.id, ()) if f not in qrels.get(question.id, {})]
            if not new:
                continue
            hits += len(new)
            cited = sorted((Source.parse(ground.lines.cite(fact)), fact) for fact in new)
            blocks.append(f"\n[{question.id}] {question.text}")
            root = data.workspaces[ground.name]
            blocks += [f"? {source} {fact} | {_shown(root, source)}" for source, fact in cited]
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(_HEAD + "\n".join([*blocks, ""]), encoding="utf-8")
    count = sum(block.startswith("\n[") for block in blocks)
    return Pooled(place, count, hits, tuple(failed))


def judge(file: str | os.PathLike[str], form: own.Own) -> Judged:
    """Add the marks of a pool to the judgments of a question file.

    Args:
        file: The marked pool.
        form: The question file and its workspace.

    Raises:
        DatasetError: If a line of the pool cannot be read; it names it.
        StaleJudgmentError: If words that were marked have changed since; nothing is written then.
    """
    data = form.load()
    (ground,) = prepare(data)
    known = judgments(data, [ground])
    root = data.workspaces[ground.name]
    added = []
    still_open = 0
    stale = []
    for question, mark, fact in _marks(Path(file), {q.id for q in data.questions}):
        if mark == "?":
            still_open += 1
        elif fact not in ground.lines.facts:
            stale.append(f"{question} {fact}")
        elif fact not in known.get(question, {}):
            source = Source.parse(ground.lines.cite(fact))
            grade = _GRADES[mark] if mark in _GRADES else int(mark)
            added.append((question, str(source), grade, own.quote(root, source), fact))
    if stale:
        raise StaleJudgmentError(
            f"the words of {len(stale)} marked hits have changed: {'; '.join(stale[:5])}",
            where=str(file), hint="Pool again, or take these lines out of the file",
        )  # fmt: skip
    qrels = own.qrels_of(form.file())
    own.add_qrels(qrels, added)
    return Judged(qrels, len(added), still_open)


def _marks(file: Path, known: set[str]) -> Iterator[tuple[str, str, str]]:
    """Question, mark and fact of each hit of a pool."""
    question = ""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise DatasetError(f"cannot be read: {error}", where=str(file)) from error
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        if opened := _QUESTION.match(line):
            question = opened[1]
            if question not in known:
                raise DatasetError(f"no question {question!r}", where=f"{file}:{number}")
        elif (hit := _HIT.match(line)) and question:
            yield question, hit[1], hit[3]
        else:
            raise DatasetError(
                "is neither question nor hit", where=f"{file}:{number}",
                hint="A hit is: mark, citation, fact id, |, words",
            )  # fmt: skip


def _shown(root: Path, source: Source) -> str:
    return " ".join(" / ".join(own.cited(root, source)).split())
