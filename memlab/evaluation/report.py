"""What an experiment found: tables, curves, the worst questions, plots."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memlab.errors import UnknownNameError
from memlab.evaluation import arms as _arms
from memlab.evaluation.scores import ALL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import pandas as pd
    from matplotlib.figure import Figure

    from memlab.evaluation.arms import Arm, Ground
    from memlab.evaluation.lines import Qrels
    from memlab.evaluation.measures import Measure
    from memlab.evaluation.model import Dataset
    from memlab.evaluation.scores import Unpacked

SIGNIFICANT = 0.05


@dataclass(frozen=True)
class Report:
    """The outcome of an experiment. Arms that failed or did not run are in every table, as such.

    Attributes:
        dataset: The data set.
        arms: What came of each system.
        grounds: The workspaces.
        found: For each system that is done and each question, the tokens and facts of each hit.
        qrels: For each question, the grade of each judged fact.
        measures: What was measured.
        by_question: One row for each arm that is done, question and measure.
        summary: Means with intervals and tests; see `memlab.evaluation.scores.summarise`.
        timings: Latency percentiles, index time and size.
        baseline: The system that others are tested against.
        k: The cut for what is shown of a question.
    """

    dataset: Dataset
    arms: tuple[Arm, ...] = field(repr=False)
    grounds: tuple[Ground, ...] = field(repr=False)
    found: Mapping[str, Unpacked] = field(repr=False)
    qrels: Qrels = field(repr=False)
    measures: tuple[Measure, ...]
    by_question: pd.DataFrame = field(repr=False)
    summary: pd.DataFrame = field(repr=False)
    timings: pd.DataFrame = field(repr=False)
    baseline: str
    k: int

    def table(self, *, intervals: bool = True) -> pd.DataFrame:
        """Systems by measures, over all questions; ``*`` marks a difference that is significant.

        Args:
            intervals: Texts with interval and mark; otherwise plain numbers.
        """
        rows = self.summary[self.summary["category"] == ALL]
        shown = [m.name for m in self.measures if m.tokens is None]
        cells = _cells(rows) if intervals else rows["value"]
        return _wide(rows, cells, "system", shown).loc[self._labels()]

    def by_category(self, measure: str | None = None) -> pd.DataFrame:
        """Categories by systems, plain numbers of one measure (the first by default).

        The column ``questions`` counts those that have an answer.

        Raises:
            UnknownNameError: If that was not measured.
        """
        name = self._measure(measure)
        rows = self.summary[self.summary["measure"] == name]
        counts = rows[rows["category"].notna()].groupby("category", sort=False)["questions"].max()
        wide = rows.pivot_table(
            index="category", columns="system", values="value", sort=False, dropna=False
        )
        wide = wide.reindex(index=counts.index, columns=self._labels())
        wide.insert(0, "questions", counts)
        wide.columns.name = name
        return wide

    def ablation(self) -> pd.DataFrame:
        """Each system against the baseline: difference and p-value, plain and by Holm."""
        rows = self.summary[(self.summary["category"] == ALL)]
        rows = rows[rows["system"] != self.baseline]
        return rows[["system", "status", "measure", "value", "delta", "p", "p_holm"]].reset_index(
            drop=True
        )

    def curve(self) -> pd.DataFrame:
        """Recall of the packed bundle by token budget: budgets by systems."""
        budgets = {m.name: m.tokens for m in self.measures if m.tokens is not None}
        rows = self.summary[self.summary["category"] == ALL]
        rows = rows[rows["measure"].isin(budgets)]
        tokens = rows["measure"].map(budgets).rename("tokens")
        wide = rows.assign(tokens=tokens).pivot_table(
            index="tokens", columns="system", values="value", sort=False, dropna=False
        )
        return wide.reindex(columns=self._labels()).sort_index()

    def worst(self, system: str | None = None, n: int = 10) -> pd.DataFrame:
        """The questions that a system answers worst, with what was wanted and what came first.

        Args:
            system: Its label; the baseline's by default.
            n: How many questions.

        Returns:
            Columns ``question``, ``category``, ``text``, ``value`` (of the first measure),
            ``wanted`` (lines that answer, and the rank at which each was found) and ``found`` (the
            first three hits).

        Raises:
            UnknownNameError: If there is no such system.
        """
        import pandas as pd

        arm = self._arm(system or self.baseline)
        name = self._measure(None)
        own = self.by_question[(self.by_question["system"] == arm.system.label)]
        own = own[own["measure"] == name].sort_values("value", kind="stable").head(n)
        rows = [
            self._told(arm, q, value)
            for q, value in zip(own["question"], own["value"], strict=True)
        ]
        columns = ["question", "category", "text", "value", "wanted", "found"]
        return pd.DataFrame(rows, columns=columns)

    def notes(self) -> list[str]:
        """What a reader must know: arms not done, questions left out, faults of the data."""
        found = [
            f"{arm.system.label}: {arm.status}: {arm.message}"
            for arm in self.arms
            if arm.status != _arms.DONE
        ]
        answerable = sum(any(g > 0 for g in grades.values()) for grades in self.qrels.values())
        if left := len(self.dataset.questions) - answerable:
            found.append(
                f"{left} of {len(self.dataset.questions)} questions have no answer: left out"
            )
        known = {f for ground in self.grounds for f in ground.lines.facts}
        lost = sum(f not in known for grades in self.qrels.values() for f, g in grades.items() if g)
        if lost:
            found.append(f"{lost} answering lines hold no fact: nothing can find them")
        found += [f"data: {count} x {sort}" for sort, count in self.dataset.fault_counts().items()]
        return found

    def to_markdown(self) -> str:
        """All tables as Markdown."""
        tests = self.ablation()
        parts = [
            f"# {self.dataset.name}", _markdown(self.table().reset_index()),
            f"## {self._measure(None)} by category",
            _markdown(self.by_category().reset_index()),
            "## Recall within a token budget", _markdown(self.curve().reset_index()),
            *([f"## Against {self.baseline}", _markdown(tests)] if len(tests) else []),
            "## Time and size", _markdown(self.timings),
            "\n".join(f"> {note}" for note in self.notes()),
        ]  # fmt: skip
        return "\n\n".join(part for part in parts if part) + "\n"

    def plot(self, measure: str | None = None) -> Figure:
        """A bar for each category and system, with intervals, and the budget curve beside it.

        Raises:
            MissingExtraError: If matplotlib is not installed.
        """
        from memlab.evaluation.plots import overview

        return overview(self, self._measure(measure))

    def save_plot(self, file: Path | str, measure: str | None = None) -> None:
        """The plot as an SVG whose bytes depend on the figures alone."""
        from memlab.evaluation.plots import save

        save(self.plot(measure), file)

    def _repr_html_(self) -> str:
        notes = "".join(f"<p><em>{html.escape(note)}</em></p>" for note in self.notes())
        return f"<h4>{html.escape(self.dataset.name)}</h4>{self.table().to_html()}{notes}"

    def _labels(self) -> list[str]:
        return [arm.system.label for arm in self.arms]

    def _measure(self, name: str | None) -> str:
        names = [measure.name for measure in self.measures]
        if name is None:
            return names[0]
        if name not in names:
            raise UnknownNameError("measure of this experiment", name, names)
        return name

    def _arm(self, label: str) -> Arm:
        for arm in self.arms:
            if arm.system.label == label:
                return arm
        raise UnknownNameError("system of this experiment", label, self._labels())

    def _told(self, arm: Arm, question: str, value: float) -> tuple[Any, ...]:
        ground, asked = next(
            (ground, q) for ground in self.grounds for q, _ in ground.questions if q.id == question
        )
        hits = arm.hits.get(question, ())
        ranks = {f: r for r, f in enumerate(ground.lines.unpack(h.source for h in hits), start=1)}
        wanted = [
            f"{ground.lines.cite(fact)} ({ranks.get(fact, '–')})"
            for fact, grade in self.qrels[question].items()
            if grade > 0
        ]
        found = [str(hit.source) for hit in hits[:3]]
        return question, asked.category, asked.text, value, "; ".join(wanted), "; ".join(found)


def _cells(rows: pd.DataFrame) -> pd.Series[Any]:
    texts = []
    for row in rows.to_dict("records"):
        if row["status"] != _arms.DONE:
            texts.append(row["status"])
            continue
        mark = "*" if row["p_holm"] < SIGNIFICANT else ""
        texts.append(f"{row['value']:.3f} [{row['low']:.3f}, {row['high']:.3f}]{mark}")
    import pandas as pd

    return pd.Series(texts, index=rows.index, dtype="object")


def _wide(
    rows: pd.DataFrame, cells: pd.Series[Any], index: str, columns: Sequence[str]
) -> pd.DataFrame:
    table = rows.assign(cell=cells).set_index([index, "measure"])["cell"].unstack("measure")  # noqa: PD010  # texts cannot be averaged
    return table[list(columns)]


def _markdown(table: pd.DataFrame) -> str:
    """A pipe table; pandas would ask for one package more."""
    import pandas as pd

    def cell(value: Any) -> str:
        if pd.isna(value):
            return "–"
        text = f"{value:.3f}" if isinstance(value, float) else str(value)
        return text.replace("|", "\\|")

    head = [str(column) for column in table.columns]
    lines = [head, ["---"] * len(head)]
    lines += [[cell(value) for value in row] for row in table.itertuples(index=False, name=None)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
