"""Plots of an experiment, as matplotlib figures that come out the same each time."""

from __future__ import annotations

import functools
import io
from typing import TYPE_CHECKING, Any

from memlab.errors import MissingExtraError
from memlab.evaluation.arms import DONE
from memlab.evaluation.scores import ALL

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

    from memlab.evaluation.report import Report

_FAINT = {"color": "0.85", "linewidth": 0.8}


def overview(report: Report, measure: str) -> Figure:
    """One measure by category and system with its intervals, and recall by token budget."""
    figure = figure_of((11.0, 4.2))
    left, right = figure.subplots(1, 2, width_ratios=[3, 2])
    _categories(left, report, measure)
    curve = report.curve()
    for label in curve.columns:
        right.plot(curve.index, curve[label], marker="o", markersize=3, label=label)
    right.set(xscale="log", ylim=(0, 1), xlabel="tokens", title="recall of the packed bundle")
    right.set_xticks(list(curve.index), [f"{tokens:,}" for tokens in curve.index], minor=False)
    right.minorticks_off()
    tidy(left)
    tidy(right)
    for arm in report.arms:
        if arm.status != DONE:
            left.plot([], [], " ", label=f"{arm.system.label}: {arm.status}")
    left.legend(frameon=False, fontsize="small")
    figure.suptitle(report.dataset.name)
    return figure


def save(figure: Figure, file: Path | str) -> None:
    """An SVG without date and with fixed ids."""
    import matplotlib as mpl

    with mpl.rc_context({"svg.hashsalt": "memlab", "svg.fonttype": "path"}):
        figure.savefig(file, format="svg", metadata={"Date": None})


def _categories(axes: Any, report: Report, measure: str) -> None:
    rows = report.summary[report.summary["measure"] == measure]
    done = rows[rows["value"].notna()]
    categories = list(dict.fromkeys(done["category"]))
    systems = list(dict.fromkeys(done["system"]))
    width = 0.8 / max(1, len(systems))
    for number, system in enumerate(systems):
        own = done[done["system"] == system].set_index("category").reindex(categories)
        places = [i + (number - (len(systems) - 1) / 2) * width for i in range(len(categories))]
        spread = [
            (own["value"] - own["low"]).clip(lower=0),
            (own["high"] - own["value"]).clip(lower=0),
        ]
        axes.bar(
            places, own["value"], width * 0.92, yerr=spread, label=system,
            error_kw={"elinewidth": 0.8, "ecolor": "0.3"},
        )  # fmt: skip
    counts = done.drop_duplicates("category").set_index("category")["questions"]
    labels = [f"{c}\n{counts[c]}" for c in categories]
    axes.set_xticks(range(len(categories)), labels, fontsize="small", rotation=20)
    if ALL in categories and len(categories) > 1:
        axes.axvline(0.5, color="0.6", linewidth=0.8)
    axes.set(ylim=(0, 1), title=f"{measure}, with 95% intervals and number of questions")


def tidy(axes: Any) -> None:
    """Faint lines across, no frame."""
    axes.grid(axis="y", **_FAINT)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def figure_of(size: tuple[float, float]) -> Figure:
    """A figure of that size in inches, that no state of matplotlib's keeps and that notebooks show.

    Raises:
        MissingExtraError: If matplotlib is not installed.
    """
    # no pyplot: it would keep every figure, and choose a backend for the whole process
    figure: Figure = _shown()(figsize=size, layout="constrained")
    return figure


@functools.cache
def _shown() -> Any:
    """Figures that show themselves: IPython does it only for those of pyplot."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("plotting", extra="notebooks") from error

    class Shown(Figure):
        def _repr_png_(self) -> bytes:
            raw = io.BytesIO()
            self.savefig(raw, format="png")
            return raw.getvalue()

    return Shown
