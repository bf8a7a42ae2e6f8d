"""From arms to figures: values by question, then means with intervals and tests by category."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlab.evaluation import arms as _arms
from memlab.evaluation import measures as _measures
from memlab.evaluation import significance

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from memlab.evaluation.arms import Arm, Ground
    from memlab.evaluation.lines import Qrels
    from memlab.evaluation.measures import Measure

    Hits = list[tuple[int, tuple[str, ...]]]
    Unpacked = Mapping[str, Hits]

ALL = "all"
PLACES = 5
SUMMARY = (
    "system", "status", "category", "measure", "value", "low", "high", "questions", "clusters",
    "delta", "p", "p_holm",
)  # fmt: skip


def unpack(arm: Arm, grounds: Sequence[Ground]) -> Unpacked:
    """For each question, what each hit costs of a budget and which facts it holds, best first."""
    return {
        question.id: [
            (hit.tokens, ground.lines.held(hit.source)) for hit in arm.hits.get(question.id, ())
        ]
        for ground in grounds
        for question, _ in ground.questions
    }


def ranked(found: Unpacked) -> dict[str, list[str]]:
    """For each question, the facts that were found, best first, each at its first place."""
    return {
        question: list(dict.fromkeys(fact for _, facts in hits for fact in facts))
        for question, hits in found.items()
    }


def bundled(found: Unpacked, max_tokens: int) -> dict[str, list[str]]:
    """The same for the bundle of at most ``max_tokens`` that an agent would read."""
    return ranked({question: pack(hits, max_tokens) for question, hits in found.items()})


def pack(hits: Sequence[tuple[int, tuple[str, ...]]], max_tokens: int) -> Hits:
    """Of hits and their tokens, what `memlab.budget.pack` would take."""
    packed = []
    for tokens, facts in hits:
        if tokens <= max_tokens:
            packed.append((tokens, facts))
            max_tokens -= tokens
    return packed


def by_question(
    found: Mapping[str, Unpacked], grounds: Sequence[Ground], qrels: Qrels,
    measures: Sequence[Measure],
) -> pd.DataFrame:  # fmt: skip
    """One row for each system, question and measure.

    Args:
        found: What `unpack` gave for each system whose arm is done, by its label.
        grounds: The workspaces.
        qrels: The judgments.
        measures: What to measure.

    Returns:
        Columns ``system``, ``question``, ``workspace``, ``category``, ``measure``, ``value``
        (rounded to 1e-5), in the order of systems, of questions, of measures.
    """
    import pandas as pd

    asked = {question.id: question for ground in grounds for question, _ in ground.questions}
    columns = ["system", "question", "workspace", "category", "measure", "value"]
    frames = [pd.DataFrame(columns=columns)]
    budgets = {measure.tokens for measure in measures if measure.tokens is not None}
    for label, hits in found.items():
        bundles = {tokens: bundled(hits, tokens) for tokens in budgets}
        table = _measures.evaluate(measures, _ordered(qrels, asked), ranked(hits), bundles)
        long = table.round(PLACES).reset_index().melt("question", var_name="measure")
        order = {question: place for place, question in enumerate(table.index)}
        long = long.sort_values("question", key=lambda ids: ids.map(order), kind="stable")
        long.insert(0, "system", label)
        long["workspace"] = [asked[q].workspace for q in long["question"]]
        long["category"] = [asked[q].category for q in long["question"]]
        frames.append(long[columns])
    return pd.concat(frames[1:] or frames, ignore_index=True)


def _ordered(qrels: Qrels, asked: Mapping[str, object]) -> Qrels:
    return {question: qrels[question] for question in asked if question in qrels}


def summarise(
    arms: Sequence[Arm], values: pd.DataFrame, measures: Sequence[Measure], *,
    baseline: str | None, seed: int,
) -> pd.DataFrame:  # fmt: skip
    """Means by system, category and measure, with intervals, and tests against the baseline.

    Tests are made over all questions only, and Holm's correction counts all of them together.

    Returns:
        The columns `SUMMARY`. An arm that is not done has one row for each measure, with its status
        and no value. ``clusters`` is how many workspaces, or questions where there is one,
        the intervals were
        drawn from.
    """
    import pandas as pd

    names = [measure.name for measure in measures]
    rows: list[dict[str, object]] = []
    known = any(arm.system.label == baseline and arm.status == _arms.DONE for arm in arms)
    base = _pivot(values, baseline, names) if baseline and known else None
    for arm in arms:
        label = arm.system.label
        common = {"system": label, "status": arm.status}
        if arm.status != _arms.DONE:
            rows += [{**common, "category": ALL, "measure": name, "questions": 0} for name in names]
            continue
        table = _pivot(values, label, names)
        groups = [(ALL, table)]
        if set(table["category"]) != {ALL}:
            groups += [(str(c), g) for c, g in table.groupby("category", sort=False)]
        for category, group in groups:
            numbers = group[names].to_numpy(dtype="float64")
            workspaces = group["workspace"].tolist()
            ends = significance.intervals(numbers, workspaces, seed=seed)
            several = len(set(workspaces))
            row = {**common, "category": category, "questions": len(group)}
            row["clusters"] = several if several > 1 else len(group)
            tests = {}
            if category == ALL and base is not None and label != baseline:
                theirs = base[names].to_numpy(dtype="float64")
                tests["delta"] = (numbers - theirs).mean(axis=0)
                tests["p"] = significance.paired_p(numbers, theirs, seed=seed)
            for i, name in enumerate(names):
                figures = {"value": numbers[:, i].mean(), "low": ends[i, 0], "high": ends[i, 1]}
                figures |= {key: column[i] for key, column in tests.items()}
                rows.append({**row, "measure": name, **figures})
    summary = pd.DataFrame(rows, columns=list(SUMMARY))
    summary["p_holm"] = significance.holm(summary["p"].astype("float64").tolist())
    floats = ["value", "low", "high", "delta", "p", "p_holm"]
    summary[floats] = summary[floats].astype("float64").round(PLACES)
    return summary.astype({"questions": "int64", "clusters": "Int64"})


def _pivot(values: pd.DataFrame, system: str, names: list[str]) -> pd.DataFrame:
    """One row for each question of a system, in order: its category, workspace and measures."""
    own = values[values["system"] == system]
    wide = own.pivot_table(index="question", columns="measure", values="value", sort=False)[names]
    first = own.drop_duplicates("question").set_index("question")[["category", "workspace"]]
    return first.join(wide)


def timings(arms: Sequence[Arm]) -> pd.DataFrame:
    """How long each arm took.

    Returns:
        Columns ``system``, ``status``, ``p50_ms``, ``p95_ms``, ``p99_ms``, ``index_s`` and
        ``index_bytes`` (summed over workspaces), ``reused``; NaN where nothing was run.
    """
    import numpy as np
    import pandas as pd

    rows = []
    for arm in arms:
        row: dict[str, object] = {"system": arm.system.label, "status": arm.status}
        if arm.latency:
            spread = np.percentile(list(arm.latency.values()), [50, 95, 99])
            row |= dict(zip(("p50_ms", "p95_ms", "p99_ms"), spread.round(3), strict=True))
            row["index_s"] = round(sum(arm.index_s.values()), 3)
            row["index_bytes"] = sum(arm.index_bytes.values())
        rows.append({**row, "reused": arm.reused})
    columns = ["system", "status", "p50_ms", "p95_ms", "p99_ms", "index_s", "index_bytes", "reused"]
    return pd.DataFrame(rows, columns=columns)
