"""Embedding models side by side: quality by data set, speed, memory, disk, and which to take.

Each model is measured in a process of its own, so that memory is its own and none warms another.
"""

from __future__ import annotations

import dataclasses
import json
import random
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memlab.errors import MemlabError, MissingExtraError, ParameterError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    import pandas as pd
    from matplotlib.figure import Figure

    from memlab.evaluation.model import Dataset

COLUMNS = (
    "model", "dataset", "questions", "recall@10", "MRR@10", "passages_per_s", "query_ms",
    "index_s", "memory_mb", "disk_mb", "note",
)  # fmt: skip
_TEXTS = 96  # passages for which a speed is measured
_QUERIES = 15


@dataclass(frozen=True, slots=True)
class Machine:
    """What a machine can bear.

    Attributes:
        memory_mb: At most so much memory of the process.
        passages_per_s: At least so many passages a second; fewer make indexing a nuisance.
        query_ms: At most so long for a query.
    """

    memory_mb: float
    passages_per_s: float
    query_ms: float


MACHINES: Mapping[str, Machine] = {
    "laptop": Machine(memory_mb=2000, passages_per_s=20, query_ms=100),
    "desktop": Machine(memory_mb=8000, passages_per_s=5, query_ms=400),
}


@dataclass(frozen=True, slots=True)
class Advice:
    """Which model to take on a machine.

    Attributes:
        machine: The machine's name.
        model: The model; empty where none fits.
        reason: The figures that say so.
    """

    machine: str
    model: str
    reason: str


def compare(
    models: Iterable[str],
    datasets: Iterable[str] = ("harbour",),
    *,
    sample: int = 0,
    seed: int = 0,
    timeout: float | None = None,
) -> pd.DataFrame:
    """Measure models over data sets, one row for each pair.

    Args:
        models: As `memlab.embedding` takes them.
        datasets: As `memlab.experiment` takes them.
        sample: How many questions of each data set; 0 for all. All of its facts are indexed.
        seed: Of the sample.
        timeout: Seconds for one model; None for no limit.

    Returns:
        The columns `COLUMNS`. A model that failed has a row whose ``note`` says why.

    Raises:
        ParameterError: If there is no model or no data set.
    """
    import pandas as pd

    models, datasets = list(models), list(datasets)
    if not models or not datasets:
        raise ParameterError("needs at least one model and one data set")
    rows = [row for model in models for row in _apart(model, datasets, sample, seed, timeout)]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def by_model(figures: pd.DataFrame) -> pd.DataFrame:
    """One row for each model: quality as the mean over data sets, costs as medians."""
    good = figures[figures["recall@10"].notna()]
    return good.groupby("model", sort=False).agg(
        quality=("recall@10", "mean"), worst=("recall@10", "min"), MRR=("MRR@10", "mean"),
        passages_per_s=("passages_per_s", "median"), query_ms=("query_ms", "median"),
        index_s=("index_s", "sum"), memory_mb=("memory_mb", "max"), disk_mb=("disk_mb", "max"),
    )  # fmt: skip


def recommend(figures: pd.DataFrame, machines: Mapping[str, Machine] = MACHINES) -> list[Advice]:
    """For each machine the model of the best mean recall among those that it can bear.

    Args:
        figures: What `compare` gave.
        machines: The machines by name.
    """
    table = by_model(figures)
    found = []
    for name, machine in machines.items():
        bearable = table[
            (table["memory_mb"] <= machine.memory_mb)
            & (table["passages_per_s"] >= machine.passages_per_s)
            & (table["query_ms"] <= machine.query_ms)
        ]
        if bearable.empty:
            found.append(Advice(name, "", "none of the models measured is light enough"))
            continue
        # equal quality, to a thousandth: the faster one
        ranked = bearable.assign(rounded=bearable["quality"].round(3))
        best = ranked.sort_values(["rounded", "passages_per_s"], ascending=False).iloc[0]
        reason = (
            f"mean recall@10 {best['quality']:.3f}, lowest {best['worst']:.3f}, "
            f"{best['passages_per_s']:.0f} passages a second, {best['query_ms']:.0f} ms a query, "
            f"{best['memory_mb']:.0f} MB of memory"
        )
        found.append(Advice(name, str(best.name), reason))
    return found


def advice(figures: pd.DataFrame, machines: Mapping[str, Machine] = MACHINES) -> str:
    """The recommendation as a Markdown list."""
    return "\n".join(
        f"- **{one.machine}**: {f'`{one.model}`' if one.model else 'nothing'} ({one.reason})"
        for one in recommend(figures, machines)
    )


def plot(figures: pd.DataFrame) -> Figure:
    """Recall by data set and model, and recall against speed."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("plotting", extra="notebooks") from error
    figure = Figure(figsize=(11, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=[3, 2])
    good = figures[figures["recall@10"].notna()]
    wide = good.pivot_table(index="dataset", columns="model", values="recall@10", sort=False)
    width = 0.8 / max(1, len(wide.columns))
    for number, model in enumerate(wide.columns):
        places = [place + number * width for place in range(len(wide))]
        left.bar(places, wide[model].fillna(0), width * 0.92, label=model)
    middle = width * (len(wide.columns) - 1) / 2
    left.set_xticks([place + middle for place in range(len(wide))], list(wide.index), rotation=20)
    left.set(ylim=(0, 1), title="recall@10")
    left.legend(frameon=False, fontsize="small")
    for name, row in by_model(figures).iterrows():
        right.scatter(row["passages_per_s"], row["quality"], s=30 + row["memory_mb"] / 10)
        right.annotate(str(name), (row["passages_per_s"], row["quality"]), fontsize="small")
    right.set(
        xscale="log", ylim=(0, 1), xlabel="passages a second", title="mean recall@10 and speed"
    )
    return figure


def keep(figures: pd.DataFrame, folder: str | os.PathLike[str]) -> None:
    """Write the figures, the recommendation and the plot into a folder."""
    from pathlib import Path

    from memlab.evaluation import plots

    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    figures.to_csv(home / "embedding_models.csv", index=False)
    (home / "embedding_models.md").write_text(advice(figures) + "\n", encoding="utf-8")
    plots.save(plot(figures), home / "embedding_models.svg")


def _apart(
    model: str, datasets: Sequence[str], sample: int, seed: int, timeout: float | None
) -> list[dict[str, Any]]:
    asked = json.dumps([model, datasets, sample, seed])
    command = [sys.executable, "-m", "memlab.evaluation.embedding_models", asked]
    try:
        done = subprocess.run(  # noqa: S603  # this very module
            command, check=False, capture_output=True, text=True, timeout=timeout
        )
    except subprocess.TimeoutExpired:
        return [_failed(model, one, f"took over {timeout:g} s") for one in datasets]
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1]
        return [_failed(model, one, last) for one in datasets]
    found: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return found


def _failed(model: str, dataset: str, note: str) -> dict[str, Any]:
    return {**dict.fromkeys(COLUMNS), "model": model, "dataset": dataset, "note": note}


def _measure(model: str, names: Sequence[str], sample: int, seed: int) -> list[dict[str, Any]]:
    """All rows of one model, in this process."""
    from memlab.evaluation import datasets

    rows = []
    for name in names:
        try:
            rows.append(_row(model, _sampled(datasets.load(name), sample, seed)))
        except MemlabError as error:
            rows.append(_failed(model, name, str(error)))
    return rows


def _sampled(dataset: Dataset, sample: int, seed: int) -> Dataset:
    answered = {one.question for one in dataset.judgments if one.grade > 0}
    questions = [one for one in dataset.questions if one.id in answered]
    if 0 < sample < len(questions):
        chosen = set(random.Random(seed).sample(range(len(questions)), sample))  # noqa: S311  # no secret
        questions = [one for place, one in enumerate(questions) if place in chosen]
    kept = {one.id for one in questions}
    judgments = tuple(one for one in dataset.judgments if one.question in kept)
    return dataclasses.replace(dataset, questions=tuple(questions), judgments=judgments)


def _row(model: str, dataset: Dataset) -> dict[str, Any]:
    from memlab.embedding import embedding
    from memlab.evaluation.experiment import experiment

    spec = f"dense(embedding={model!r})"
    report = experiment([spec], dataset, ["recall@10", "MRR@10"], reports=None)
    summary = report.summary
    values = summary[summary["category"] == "all"].set_index("measure")["value"]
    if values.isna().all():
        raise MemlabError("; ".join(report.notes()) or "nothing was measured")
    texts = [question.text for question in dataset.questions]
    passages = (texts * (1 + _TEXTS // len(texts)))[:_TEXTS]
    encoder = embedding(model).fit(texts)
    start = time.perf_counter()
    encoder.encode(passages)
    rate = len(passages) / (time.perf_counter() - start)
    took = []
    for text in texts[:_QUERIES]:
        start = time.perf_counter()
        encoder.encode([text], role="query")
        took.append(time.perf_counter() - start)
    return {
        "model": model, "dataset": dataset.name, "questions": len(texts),
        "recall@10": float(values["recall@10"]), "MRR@10": float(values["MRR@10"]),
        "passages_per_s": rate, "query_ms": sorted(took)[len(took) // 2] * 1000,
        "index_s": float(report.timings["index_s"].sum()), "memory_mb": _peak_mb(),
        "disk_mb": encoder.card.bytes / 1e6, "note": "",
    }  # fmt: skip


def _peak_mb() -> float | None:
    """The most memory that this process ever had; None where the system does not say."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)


if __name__ == "__main__":
    print(json.dumps(_measure(*json.loads(sys.argv[1]))))  # noqa: T201  # what its parent reads
