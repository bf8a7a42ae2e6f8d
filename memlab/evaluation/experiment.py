"""An experiment: systems, a data set, measures; any figure in it can be had again."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memlab.errors import ParameterError, UnknownNameError
from memlab.evaluation import arms as _arms
from memlab.evaluation import datasets, saved, scores
from memlab.evaluation import measures as _measures
from memlab.evaluation.lines import resolve
from memlab.evaluation.report import Report
from memlab.evaluation.systems import systems_of

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    from memlab.evaluation.arms import Arm, Ground, Progress
    from memlab.evaluation.lines import Qrels
    from memlab.evaluation.measures import Measure
    from memlab.evaluation.model import Dataset
    from memlab.evaluation.systems import System

DEPTH = 100
BUDGETS = (250, 500, 1000, 2000, 4000)


def experiment(
    systems: Iterable[Any] | Mapping[str, Any] | Any,
    dataset: str | Dataset | Any = "harbour",
    measures: Iterable[str] = _measures.DEFAULT,
    *,
    baseline: str | None = None,
    k: int = 10,
    depth: int = DEPTH,
    budgets: Sequence[int] = BUDGETS,
    seed: int = 0,
    output: str | os.PathLike[str] | None = None,
    reports: str | os.PathLike[str] | None = "reports",
    reuse: bool = True,
    progress: Progress | None = None,
) -> Report:
    """Ask several systems the questions of a data set, and measure what they find.

    Args:
        systems: Specs, retriever objects, classes, or a dict of labels and these.
        dataset: Its name, its spec, a format object, or a `Dataset`.
        measures: Names of measures; ``unjudged@k`` and recall in each budget are always added.
        baseline: The label of the system that others are tested against; the first by default.
        k: The cut for ``unjudged@k`` and for what the report shows of a question.
        depth: How many hits each system is asked for.
        budgets: Tokens of the bundles of the budget curve.
        seed: Of bootstrap and tests.
        output: The folder to write into.
        reports: Where a new folder is made if ``output`` is None; None to write nothing at all.
        reuse: Read a saved run of ``reports`` back where nothing has changed.
        progress: Called with what is done, how much of it, and how much there is.

    Raises:
        ParameterError: If there is no system, ``k`` or ``depth`` is less than 1, or the baseline
            is none of the systems.
        DatasetError: If the data set is not there.
        StaleJudgmentError: If words that were judged have changed.
        MissingExtraError: If the extra ``eval`` is not installed.
    """
    start = dt.datetime.now(dt.UTC)
    if k < 1 or depth < k:
        raise ParameterError(f"k must be at least 1 and depth at least k, got {k} and {depth}")
    chosen = systems_of(systems)
    labels = [system.label for system in chosen]
    baseline = labels[0] if baseline is None else baseline
    if baseline not in labels:
        raise UnknownNameError("system to be the baseline", baseline, labels)
    wanted = _wanted(measures, k, budgets)
    data = datasets.load(dataset)
    grounds = prepare(data, progress)
    qrels = judgments(data, grounds)
    folder = Path(reports) if reports is not None else None
    done = [_arm(system, grounds, depth, folder if reuse else None, progress) for system in chosen]
    found = {
        arm.system.label: scores.unpack(arm, grounds) for arm in done if arm.status == _arms.DONE
    }
    values = scores.by_question(found, grounds, qrels, wanted)
    summary = scores.summarise(done, values, wanted, baseline=baseline, seed=seed)
    report = Report(
        data, tuple(done), tuple(grounds), found, qrels, tuple(wanted), values, summary,
        scores.timings(done), baseline, k,
    )  # fmt: skip
    if output is not None or folder is not None:
        place = Path(output) if output is not None else saved.new_folder(folder, data.name, start)
        settings = {"measures": [m.name for m in wanted], "k": k, "depth": depth, "seed": seed}
        saved.write(place, report, {"dataset": data.name, "baseline": baseline, **settings}, start)
    return report


def prepare(dataset: Dataset, progress: Progress | None = None) -> list[Ground]:
    """The workspaces of a data set, each with an up-to-date snapshot."""
    asked: dict[str, list[Any]] = {name: [] for name in dataset.workspaces}
    for question in dataset.questions:
        asked[question.workspace].append(question)
    grounds = []
    for number, (name, root) in enumerate(dataset.workspaces.items()):
        if progress:
            progress("workspaces", number, len(asked))
        grounds.append(_arms.prepare(name, root, asked[name]))
    return grounds


def judgments(dataset: Dataset, grounds: Sequence[Ground]) -> Qrels:
    """The judgments of a data set by question and fact.

    Raises:
        StaleJudgmentError: If words that were judged have changed.
    """
    home = {question.id: question.workspace for question in dataset.questions}
    by_workspace: dict[str, list[Any]] = {ground.name: [] for ground in grounds}
    for judgment in dataset.judgments:
        by_workspace[home[judgment.question]].append(judgment)
    qrels: Qrels = {}
    for ground in grounds:
        root = dataset.workspaces[ground.name]
        qrels |= resolve(by_workspace[ground.name], ground.lines, root)
    return qrels


def _wanted(measures: Iterable[str], k: int, budgets: Sequence[int]) -> list[Measure]:
    if any(tokens < 1 for tokens in budgets):
        raise ParameterError(f"budgets must be at least 1 token, got {list(budgets)}")
    given = [measures] if isinstance(measures, str) else list(measures)
    names = [*given, *(f"recall@{tokens}tok" for tokens in budgets), f"unjudged@{k}"]
    return [_measures.parse(name) for name in dict.fromkeys(names)]


def _arm(
    system: System, grounds: Sequence[Ground], depth: int, folder: Path | None,
    progress: Progress | None,
) -> Arm:  # fmt: skip
    key = saved.key(system, grounds, depth)
    if folder is not None and key:
        arm = saved.find(folder, key, system)
        if arm is not None:
            return arm
    return _arms.run(system, grounds, depth=depth, key=key, progress=progress)
