"""What a run of the nightly job leaves: the plan as a diff, the steps of opinions, two figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memlab.evaluation import plots
from memlab.evaluation.saved import write_parquet
from memlab.verbs.facts import facts

if TYPE_CHECKING:
    import os

    import pandas as pd
    from matplotlib.figure import Figure

    from memlab.session import Session
    from memlab.verbs.reflect import Reflection

NAMES = {"steps": "steps.parquet", "confidence": "confidence.svg", "facts": "facts-by-day.svg"}


def facts_by_day(session: Session, *, since: str | None = None) -> Figure:
    """How many facts of each kind each day's page brought, undated and generated ones left out.

    Args:
        session: The open workspace.
        since: As recall reads it; None for all days.
    """
    import pandas as pd

    table = facts(session, since=since)
    by_day = pd.crosstab(table["day"], table["kind"])
    figure = plots.figure_of((9.0, 3.0))
    axes = figure.subplots()
    axes.set(ylabel="facts", title="facts by day")
    plots.tidy(axes)
    if by_day.empty:
        return figure
    by_day = by_day.asfreq("D", fill_value=0)
    below = by_day.cumsum(axis="columns") - by_day
    for kind in by_day:
        axes.bar(by_day.index, by_day[kind], bottom=below[kind], width=0.9, label=kind)
    axes.legend(frameon=False, fontsize="small")
    figure.autofmt_xdate()
    return figure


def added(before: pd.DataFrame, after: pd.DataFrame) -> pd.DataFrame:
    """The steps of ledgers that stand in ``after`` and not, word for word, in ``before``."""
    known = set(map(tuple, before.astype(object).where(before.notna(), None).to_numpy()))
    rows = after.astype(object).where(after.notna(), None).to_numpy()
    return after[[tuple(row) not in known for row in rows]].reset_index(drop=True)


def keep(
    folder: str | os.PathLike[str], plan: Reflection, steps: pd.DataFrame, **figures: Figure
) -> None:
    """Write ``reflect.diff``, ``steps.parquet`` and the figures; equal plans give equal bytes.

    Args:
        folder: Where.
        plan: What reflect planned.
        steps: The steps of ledgers that it added.
        figures: By their names in `NAMES`.
    """
    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    (home / "reflect.diff").write_text(plan.diff(), encoding="utf-8")
    write_parquet(steps, home / NAMES["steps"])
    for name, figure in figures.items():
        plots.save(figure, home / NAMES[name])
