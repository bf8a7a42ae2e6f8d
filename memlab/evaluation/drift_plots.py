"""Plots of opinions under change, as matplotlib figures that come out the same each time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from memlab.errors import MissingExtraError
from memlab.evaluation.plots import figure_of, tidy

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from matplotlib.figure import Figure

    from memlab.evaluation.opinion_drift import Drift

BINS = 10
"""A reliability plot has so many bins of equal width."""
_LINES = ("-", "--", ":", "-.")


def trajectories(drift: Drift) -> Figure:
    """The first story of each scenario: a row for each form, a line for each updater.

    Where the statement does not hold, the ground is grey.
    """
    curves = drift.curves[drift.curves["story"] == 0]
    scenarios, forms = (list(dict.fromkeys(curves[name])) for name in ("scenario", "form"))
    figure = figure_of((3.0 * len(scenarios) + 1, 1.9 * len(forms) + 0.6))
    grid = figure.subplots(len(forms), len(scenarios), sharex=True, sharey=True, squeeze=False)
    for row, form in zip(grid, forms, strict=True):
        for axes, scenario in zip(row, scenarios, strict=True):
            own = curves[(curves["form"] == form) & (curves["scenario"] == scenario)]
            _story(axes, own)
            axes.set_title(f"{scenario}, {form}", fontsize="small")
    grid[0][0].set(ylim=(0, 1))
    grid[0][-1].legend(frameon=False, fontsize="x-small")
    figure.supylabel("confidence", fontsize="small")
    figure.supxlabel("days", fontsize="small")
    return figure


def changes(drift: Drift) -> Figure:
    """How many events pass until a change is believed, and how often the wrong side is."""
    figure = figure_of((11.0, 3.6))
    left, right = figure.subplots(1, 2)
    table = drift.measures
    _bars(left, table[table["changes"] > 0], "delay_events")
    left.set_title("events until a change is believed (number: never)")
    _bars(right, table, "false_flips")
    right.set_title("turns to the wrong side, a story")
    right.legend(frameon=False, fontsize="x-small")
    return figure


def reliability(drift: Drift) -> Figure:
    """Of the days with a confidence, the share on which the statement held; by form."""
    forms = list(dict.fromkeys(drift.curves["form"]))
    figure = figure_of((3.4 * len(forms), 3.6))
    grid = figure.subplots(1, len(forms), sharey=True, squeeze=False)[0]
    for axes, form in zip(grid, forms, strict=True):
        own = drift.curves[drift.curves["form"] == form]
        axes.plot([0, 1], [0, 1], color="0.7", linewidth=0.8)
        for number, updater in enumerate(dict.fromkeys(own["updater"])):
            days = own[own["updater"] == updater]
            share, mean = _calibration(days["holds"], days["confidence"])
            axes.plot(mean, share, _LINES[number % 4], marker="o", markersize=3, label=updater)
        axes.set(title=form, xlim=(0, 1), ylim=(0, 1), xlabel="confidence")
        tidy(axes)
    grid[0].set_ylabel("share of days on which it held")
    grid[0].legend(frameon=False, fontsize="small")
    return figure


def order(drift: Drift) -> Figure:
    """How far apart other orders of arrival bring the last confidence: `fold`, and one without."""
    figure = figure_of((11.0, 3.6))
    left, right = figure.subplots(1, 2, sharey=True)
    known = drift.measures.dropna(subset=["spread"])
    _bars(left, known, "spread")
    left.set_title("by day and fact id, as memlab folds")
    _bars(right, known, "spread_arrival")
    right.set_title("in the order of arrival")
    left.set(ylim=(0, 1), ylabel="spread of the last confidence")
    right.legend(frameon=False, fontsize="x-small")
    return figure


def _story(axes: Any, own: pd.DataFrame) -> None:
    for number, updater in enumerate(dict.fromkeys(own["updater"])):
        curve = own[own["updater"] == updater]
        days = range(len(curve))
        axes.plot(
            days, curve["confidence"], _LINES[number % 4], drawstyle="steps-post", linewidth=1.2,
            label=updater,
        )  # fmt: skip
        if number == 0:
            axes.fill_between(days, 0, 1, where=~curve["holds"].to_numpy(bool), color="0.9", lw=0)
    axes.axhline(0.5, color="0.7", linewidth=0.6)
    tidy(axes)


def _bars(axes: Any, table: pd.DataFrame, measure: str) -> None:
    """A group of bars for each scenario; a colour for each updater, hatching for each form."""
    scenarios = list(dict.fromkeys(table["scenario"]))
    arms = list(dict.fromkeys(zip(table["form"], table["updater"], strict=True)))
    updaters = list(dict.fromkeys(table["updater"]))
    forms = list(dict.fromkeys(table["form"]))
    width = 0.84 / max(1, len(arms))
    for number, (form, updater) in enumerate(arms):
        own = table[(table["form"] == form) & (table["updater"] == updater)]
        own = own.set_index("scenario").reindex(scenarios)
        places = [i + (number - (len(arms) - 1) / 2) * width for i in range(len(scenarios))]
        axes.bar(
            places, own[measure], width * 0.92, label=f"{updater}, {form}",
            color=f"C{updaters.index(updater)}", alpha=1 / (1 + 0.6 * forms.index(form)),
            hatch="" if form == forms[0] else "//" * forms.index(form), edgecolor="white",
        )  # fmt: skip
        if measure == "delay_events":
            _note_missed(axes, places, own)
    axes.set_xticks(range(len(scenarios)), scenarios, fontsize="small")
    tidy(axes)


def _note_missed(axes: Any, places: Sequence[float], own: pd.DataFrame) -> None:
    heights = own["delay_events"].fillna(0)
    for place, height, missed in zip(places, heights, own["not_believed"], strict=True):
        if missed and not math.isnan(missed):
            axes.annotate(f"{missed:.0f}", (place, height), ha="center", va="bottom", fontsize=6)


def _calibration(holds: pd.Series[Any], confidence: pd.Series[Any]) -> tuple[Any, Any]:
    try:
        from sklearn.calibration import calibration_curve
    except ImportError as error:
        raise MissingExtraError("measuring calibration", extra="embeddings") from error
    share, mean = calibration_curve(holds, confidence, pos_label=True, n_bins=BINS)
    return share, mean
