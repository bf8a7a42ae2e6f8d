"""The opinions of a workspace as tables and a figure: what moved them, and how sure they were when.

All of it is read off ``bank/opinions.md``, as it is now and as git has had it.
"""

from __future__ import annotations

import datetime as dt
import subprocess
from typing import TYPE_CHECKING, Any

from memlab.evaluation.plots import figure_of, tidy
from memlab.opinions import page
from memlab.opinions.ledger import PAGE, opinions_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pandas as pd
    from matplotlib.figure import Figure

    from memlab.session import Session

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


def history(root: Path) -> pd.DataFrame:
    """The confidences as each commit of the page had them, oldest first.

    Args:
        root: The workspace's folder.

    Returns:
        The columns `HISTORY`; empty where the workspace is in no git checkout, or git has no such
        page. ``day`` is the commit's, local to whoever made it.
    """
    import pandas as pd

    rows = [
        (commit[:10], day, section.id, section.statement, sure)
        for commit, day, text in _versions(root)
        for section in page.sections(text)
        if section.part and (sure := page.Ledger.parse(section.part.body).confidence) is not None
    ]
    table = pd.DataFrame(rows, columns=list(HISTORY))
    table["day"] = pd.to_datetime(table["day"])
    return table


def plot(table: pd.DataFrame, *, limit: int = 8) -> Figure:
    """The confidences over time of those opinions that moved most, one line each.

    Args:
        table: What `steps` or `history` gave.
        limit: At most so many opinions.
    """
    figure = figure_of((9.0, 3.6))
    axes = figure.subplots()
    ranges = table.groupby("opinion")["confidence"].agg(lambda own: own.max() - own.min())
    chosen = ranges.round(5).sort_values(ascending=False, kind="stable").index[:limit]
    for number, opinion in enumerate(chosen):
        own = table[table["opinion"] == opinion]
        axes.plot(
            own["day"], own["confidence"], drawstyle="steps-post", marker=".", markersize=4,
            linestyle="-" if number < 10 else "--", label=_short(own["statement"].iloc[-1]),
        )  # fmt: skip
    axes.axhline(0.5, color="0.7", linewidth=0.6)
    axes.set(ylim=(0, 1), ylabel="confidence")
    tidy(axes)
    if len(chosen):
        axes.legend(frameon=False, fontsize="x-small", loc="center left", bbox_to_anchor=(1, 0.5))
        figure.autofmt_xdate()
    else:
        axes.set_title("no opinion has a ledger yet", fontsize="small")
    return figure


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
