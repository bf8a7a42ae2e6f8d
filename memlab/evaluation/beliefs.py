"""The opinions of a workspace as tables and a figure: what moved them, and how sure they were when.

All of it is read off ``bank/opinions.md``: as it is now, as git has had it, or as a reflect with
other strategies would have it.
"""

from __future__ import annotations

import datetime as dt
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memlab.evaluation.plots import figure_of, tidy
from memlab.opinions import page
from memlab.opinions.ledger import PAGE, opinions_of
from memlab.session import Session
from memlab.store.place import FOLDER
from memlab.verbs.reflect import reflect
from memlab.workspace.discover import locate

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator

    import pandas as pd
    from matplotlib.figure import Figure

STEPS = ("opinion", "statement", "day", "verb", "quote", "before", "confidence", "source")
HISTORY = ("commit", "day", "opinion", "statement", "confidence")
_SECONDS = 60.0


def steps(session: Session, *, since: dt.date | None = None) -> pd.DataFrame:
    """Every line of every ledger, by day: what happened, and the confidence before and after it.

    Args:
        session: The open workspace.
        since: Only what happened that day or later.

    Returns:
        The columns `STEPS`. ``before`` is missing for an opinion's first line, ``source`` for a
        hand and for a fact that is gone.
    """
    import pandas as pd

    rows = []
    for opinion in opinions_of(session.corpus("always")):
        before: float | None = None
        for entry in opinion.entries:
            if since is None or entry.day >= since:
                source = str(entry.source) if entry.source else None
                rows.append((
                    opinion.id, opinion.statement, entry.day, entry.verb, entry.quote, before,
                    entry.confidence, source,
                ))  # fmt: skip
            before = entry.confidence
    table = pd.DataFrame(rows, columns=list(STEPS))
    table["day"] = pd.to_datetime(table["day"])
    return table.sort_values("day", kind="stable", ignore_index=True)


def history(root: Path | None) -> pd.DataFrame:
    """The confidences as each commit of the page had them, oldest first.

    Args:
        root: The workspace's folder; None for no rows.

    Returns:
        The columns `HISTORY`; empty where the workspace is in no git checkout, or git has no such
        page. ``day`` is the commit's, local to whoever made it.
    """
    import pandas as pd

    rows = [
        (commit[:10], day, section.id, section.statement, sure)
        for commit, day, text in (_versions(root) if root else ())
        for section in page.sections(text)
        if section.part and (sure := page.Ledger.parse(section.part.body).confidence) is not None
    ]
    table = pd.DataFrame(rows, columns=list(HISTORY))
    table["day"] = pd.to_datetime(table["day"])
    return table


def replays(
    workspace: str | os.PathLike[str] | None,
    updaters: Iterable[str],
    detectors: Iterable[str],
) -> pd.DataFrame:
    """The steps of a workspace's opinions under other strategies, each by a reflect on a copy.

    Args:
        workspace: Its folder; None for no rows.
        updaters: Specs of updaters.
        detectors: Specs of stance detectors.

    Returns:
        ``detector``, ``updater`` and the columns `STEPS`.

    Raises:
        WorkspaceError: If there is no such folder.
    """
    import pandas as pd

    tables = []
    arms = [(d, u) for d in detectors for u in updaters] if workspace is not None else []
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder) / "base"
        if arms:
            shutil.copytree(
                locate(workspace), base, ignore=shutil.ignore_patterns(FOLDER, ".git")
            )  # fmt: skip
            with Session(base) as session:
                session.refresh()  # each copy has the index then
        for number, (detector, updater) in enumerate(arms):
            copy = shutil.copytree(base, Path(folder) / f"arm-{number}")
            with Session(
                copy, opinions_detector=detector, opinions_updater=updater
            ) as session:  # fmt: skip
                reflect(session)
                tables.append(steps(session).assign(detector=detector, updater=updater))
    columns = ["detector", "updater", *STEPS]
    return (
        pd.concat(tables, ignore_index=True)[columns] if tables else pd.DataFrame(columns=columns)
    )


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """By detector and updater: how many opinions and steps, and how often a side was changed.

    Args:
        table: What `replays` gave.

    Returns:
        ``opinions``, ``steps``, ``turns`` (steps across .5), and ``confidence``, the mean of those
        at last.
    """
    import pandas as pd

    rows = []
    for (detector, updater), own in table.groupby(["detector", "updater"], sort=False):
        turned = (own["before"] - 0.5) * (own["confidence"] - 0.5) < 0
        last = own.groupby("opinion")["confidence"].last()
        rows.append((detector, updater, len(last), len(own), int(turned.sum()), last.mean()))
    columns = ["detector", "updater", "opinions", "steps", "turns", "confidence"]
    return pd.DataFrame(rows, columns=columns).round(5).set_index(["detector", "updater"])


def plot_replays(table: pd.DataFrame, *, limit: int = 6) -> Figure:
    """Those opinions that moved most, one plot each, one line for each detector and updater."""
    chosen = _most_moved(table, limit)
    figure = figure_of((11.0, 0.6 + 2.1 * max(1, -(-len(chosen) // 3))))
    grid = figure.subplots(max(1, -(-len(chosen) // 3)), 3, sharey=True, squeeze=False)
    for axes, opinion in zip(grid.flat, chosen, strict=False):
        own = table[table["opinion"] == opinion]
        for (detector, updater), arm in own.groupby(["detector", "updater"], sort=False):
            axes.plot(
                arm["day"], arm["confidence"], drawstyle="steps-post", marker=".", markersize=3,
                label=f"{updater}, {detector}",
            )  # fmt: skip
        axes.set_title(_short(own["statement"].iloc[-1]), fontsize="x-small")
        axes.axhline(0.5, color="0.7", linewidth=0.6)
        axes.tick_params(axis="x", rotation=30, labelsize="x-small")
        tidy(axes)
    for axes in grid.flat[len(chosen) :]:
        axes.set_visible(False)
    grid[0][0].set(ylim=(0, 1))
    if chosen:
        grid[0][0].legend(frameon=False, fontsize="x-small")
    return figure


def plot(table: pd.DataFrame, *, limit: int = 8) -> Figure:
    """The confidences over time of those opinions that moved most, one line each.

    Args:
        table: What `steps` or `history` gave.
        limit: At most so many opinions.
    """
    figure = figure_of((9.0, 3.6))
    axes = figure.subplots()
    chosen = _most_moved(table, limit)
    for number, opinion in enumerate(chosen):
        own = table[table["opinion"] == opinion]
        axes.plot(
            own["day"], own["confidence"], drawstyle="steps-post", marker=".", markersize=4,
            linestyle="-" if number < 10 else "--", label=_short(own["statement"].iloc[-1]),
        )  # fmt: skip
    axes.axhline(0.5, color="0.7", linewidth=0.6)
    axes.set(ylim=(0, 1), ylabel="confidence")
    tidy(axes)
    if chosen:
        axes.legend(frameon=False, fontsize="x-small", loc="center left", bbox_to_anchor=(1, 0.5))
        figure.autofmt_xdate()
    else:
        axes.set_title("no opinion has a ledger yet", fontsize="small")
    return figure


def _most_moved(table: pd.DataFrame, limit: int) -> list[str]:
    """The opinions whose confidence has the widest range, the widest first."""
    ranges = table.groupby("opinion")["confidence"].agg(lambda own: own.max() - own.min())
    return list(
        ranges.astype(float).round(5).sort_values(ascending=False, kind="stable").index[:limit]
    )


def _versions(root: Path) -> Iterator[tuple[str, dt.date, str]]:
    """Hash, day and text of each commit that changed the page, oldest first."""
    log = _git(root, "log", "--reverse", "--format=%H %cs", "--", PAGE)
    for line in (log or "").splitlines():
        commit, _, day = line.partition(" ")
        text = _git(root, "show", f"{commit}:./{PAGE}")
        if text is not None:  # a commit may have deleted it
            yield commit, dt.date.fromisoformat(day), text


def _git(root: Path, *words: str) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603  # our own words; paths stand after --
            ["git", "-C", str(root), *words],  # noqa: S607  # the user's own git
            check=False, capture_output=True, text=True, encoding="utf-8", errors="replace",
            timeout=_SECONDS, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except (FileNotFoundError, subprocess.TimeoutExpired):
        return None
    return None if done.returncode else done.stdout


def _short(text: Any) -> str:
    words = str(text)
    return words if len(words) <= 48 else f"{words[:46].rstrip()} …"
