"""Opinions under change: how soon a true change is believed, and what is believed wrongly.

The same made-up stories are told in several forms, so that the loss of each part is seen:

- ``given``: the stances that the writer meant, for an updater alone;
- a detector's spec: the notes as a workspace, whose facts a detector has to judge;
- ``reflect``: the same workspace, and what its ledger says after a reflect.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memlab import registry
from memlab.errors import ParameterError
from memlab.evaluation import drift_forms, drift_measures, plots
from memlab.evaluation.saved import write_parquet
from memlab.opinions import fold
from memlab.synth import opinions as synth

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    import pandas as pd
    from matplotlib.figure import Figure

    from memlab.opinions import Event, Trajectory
    from memlab.synth.opinions import Story

GIVEN, REFLECT = "given", "reflect"
MEASURES = (
    "scenario", "form", "updater", "stories", "stances", "changes", "delay_events", "delay_days",
    "not_believed", "false_flips", "brier", "spread", "spread_arrival", "sides_arrival",
)  # fmt: skip
ORDER = ["scenario", "form", "updater", "spread", "spread_arrival", "sides_arrival"]
"""The columns that tell of the order of arrival."""


@dataclass(frozen=True)
class Drift:
    """What became of stories under several forms and updaters.

    Attributes:
        told: The stories.
        curves: One row for each scenario, story, form, updater and day, with ``holds`` and the
            ``confidence`` at the day's end.
        measures: One row for each scenario, form and updater: the columns `MEASURES`.
            ``stances`` is the share of notes whose stance is the one meant. ``delay_events`` and
            ``delay_days`` are means over the changes that were believed before the next one, in
            events that tell of the change (as given, copies counted once) and in days;
            ``not_believed`` counts the others. ``false_flips`` are turns to the wrong side without
            a change, a story. ``brier`` is over all days. ``spread`` is the mean over stories of
            the largest difference of last confidences when the same events arrive in other orders;
            ``spread_arrival`` the same of a fold in the order of arrival, and ``sides_arrival`` the
            share of stories that it leaves now on one side, now on the other. Of ``reflect``, which
            reads stances of one detector off the ledger alone, neither these nor ``stances`` are
            known.
    """

    told: tuple[Story, ...] = field(repr=False)
    curves: pd.DataFrame = field(repr=False)
    measures: pd.DataFrame

    def overall(self) -> pd.DataFrame:
        """Over all scenarios, by form and updater; delays are weighted by changes."""
        import pandas as pd

        rows = []
        for (form, updater), own in self.measures.groupby(["form", "updater"], sort=False):
            believed = own["changes"] - own["not_believed"]
            rows.append({
                "form": form, "updater": updater,
                "delay_events": _mean(own["delay_events"], believed),
                "delay_days": _mean(own["delay_days"], believed),
                "not_believed": int(own["not_believed"].sum()),
                "false_flips": _mean(own["false_flips"], own["stories"]),
                "brier": _mean(own["brier"], own["stories"]),
            })  # fmt: skip
        return pd.DataFrame(rows).set_index(["form", "updater"])

    def wide(self, measure: str) -> pd.DataFrame:
        """One measure: scenarios and updaters by forms, so that what each part loses is seen."""
        table = self.measures.set_index(["scenario", "updater", "form"])[measure].unstack("form")  # noqa: PD010  # nothing is averaged
        return table[list(dict.fromkeys(self.measures["form"]))]

    def plots(self) -> dict[str, Figure]:
        """All figures by name; see `memlab.evaluation.drift_plots`."""
        from memlab.evaluation import drift_plots

        return {
            "trajectories": drift_plots.trajectories(self),
            "changes": drift_plots.changes(self),
            "reliability": drift_plots.reliability(self),
            "order": drift_plots.order(self),
        }


def keep(
    folder: str | os.PathLike[str], figures: Mapping[str, Figure], **tables: pd.DataFrame
) -> None:
    """Write tables as Parquet and figures as SVG, by their names; equal ones give equal bytes.

    Raises:
        MissingExtraError: If pyarrow is not installed.
    """
    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        write_parquet(table, home / f"{name}.parquet")
    for name, figure in figures.items():
        plots.save(figure, home / f"{name}.svg")


def compare(
    scenarios: Iterable[str] = tuple(synth.SCENARIOS),
    updaters: Iterable[str] = ("small", "hindsight", "log-odds"),
    detectors: Iterable[str] = ("rules",),
    *,
    stories: int = 10,
    seed: int = 0,
) -> Drift:
    """Run scenarios through updaters alone, and through detectors.

    Args:
        scenarios: Names that `memlab.synth.opinions.SCENARIOS` has.
        updaters: Specs of updaters.
        detectors: Specs of stance detectors; reflect is run with the first.
        stories: How many of each scenario.
        seed: Of all that is drawn.

    Raises:
        ParameterError: If there is no scenario or no updater.
        UnknownNameError: If one of the names is not known.
        MissingExtraError: If scikit-learn is not installed.
    """
    import pandas as pd

    drift_measures.brier([1.0], [1.0])  # what is missing is told at once
    scenarios, rules = list(scenarios), {spec: registry.make("updater", spec) for spec in updaters}
    judges = {spec: registry.make("stance", spec) for spec in detectors}
    if not scenarios or not rules:
        raise ParameterError("needs at least one scenario and one updater")
    told: list[Story] = []
    curves: list[pd.DataFrame] = []
    rows: list[dict[str, Any]] = []
    for scenario in scenarios:
        own = synth.stories(scenario, count=stories, seed=seed)
        told += own
        given = [drift_forms.given(story) for story in own]
        for form, events in {GIVEN: given, **drift_forms.judged(own, judges)}.items():
            stances = drift_measures.agreement(own, events)
            for spec, rule in rules.items():
                folded = [fold(synth.PRIOR, one, rule) for one in events]
                curves.append(_curves(own, folded, form, spec))
                order = drift_measures.order(events, rule, seed)
                rows.append(_row(own, folded, given, curves[-1]) | order | {"stances": stances})
        for detector in list(judges)[:1]:  # the ledger is kept by one
            for spec, kept in drift_forms.reflected(own, rules, detector).items():
                curves.append(_curves(own, kept, REFLECT, spec))
                rows.append(_row(own, kept, given, curves[-1]))
    measures = pd.DataFrame(rows, columns=list(MEASURES)).round(5)
    return Drift(tuple(told), pd.concat(curves, ignore_index=True), measures)


def _row(
    told: Sequence[Story], folded: Sequence[Trajectory], given: Sequence[Sequence[Event]],
    curve: pd.DataFrame,
) -> dict[str, Any]:  # fmt: skip
    """The measures that need trajectories alone."""
    first = curve.iloc[0]
    return {
        "scenario": first["scenario"], "form": first["form"], "updater": first["updater"],
        "stories": len(told), **drift_measures.changes(told, folded, given),
        "brier": drift_measures.brier(curve["holds"], curve["confidence"]),
    }  # fmt: skip


def _curves(
    told: Sequence[Story], folded: Sequence[Trajectory], form: str, updater: str
) -> pd.DataFrame:
    import pandas as pd

    rows = [
        (story.scenario, story.number, form, updater, day, story.holds(day), trajectory.at(day))
        for story, trajectory in zip(told, folded, strict=True)
        for day in story.days
    ]
    columns = ["scenario", "story", "form", "updater", "day", "holds", "confidence"]
    table = pd.DataFrame(rows, columns=columns)
    table["day"] = pd.to_datetime(table["day"])
    return table


def _mean(values: pd.Series[Any], weights: pd.Series[Any]) -> float:
    known = values.notna() & (weights > 0)
    return float((values[known] * weights[known]).sum() / weights[known].sum())
