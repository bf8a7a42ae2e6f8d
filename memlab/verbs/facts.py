"""Facts: all that a workspace holds, as a table for analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlab.types import Kind, Query
from memlab.verbs.recall import window_of

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable

    import pandas as pd

    from memlab.session import Refresh, Session

COLUMNS = (
    "kind", "origin", "day", "timestamp", "entities", "content", "source", "confidence", "heading",
)  # fmt: skip


def facts(
    session: Session,
    *,
    since: str | dt.date | None = None,
    until: str | dt.date | None = None,
    kinds: Iterable[str] = (),
    now: dt.datetime | dt.date | str | None = None,
    refresh: Refresh | None = None,
) -> pd.DataFrame:
    """Every fact that was written or proposed, one a row, in the order of the pages.

    Args:
        session: The open workspace.
        since: Only facts of that day or later, as recall reads it; undated ones are left out.
        until: Only facts of that day or earlier, likewise.
        kinds: Only facts of these kinds, by name or letter.
        now: The clock that ``since`` and ``until`` are read against.
        refresh: ``auto``, ``always`` or ``never``; the session's by default.

    Returns:
        Indexed by fact id. ``day`` is the page's day as a timestamp, or NaT; ``timestamp`` is what
        the fact speaks of, as recall prints it.

    Raises:
        ParameterError: If a parameter is not usable.
    """
    import pandas as pd

    clock = session.now(now)
    wanted = tuple(dict.fromkeys(Kind.of(kind) for kind in kinds))
    query = Query("", clock, window_of(since, until, clock), wanted)
    corpus = session.corpus(refresh)
    found = sorted(corpus.facts(corpus.select(query)), key=lambda fact: fact.source)
    rows = [
        (fact.kind.value, fact.origin.value, fact.day, str(fact.when) if fact.when else None,
         fact.entities, fact.content, str(fact.source), fact.confidence, fact.heading)
        for fact in found
    ]  # fmt: skip
    index = pd.Index([fact.id for fact in found], name="id", dtype=object)
    frame = pd.DataFrame(rows, columns=list(COLUMNS), index=index)
    frame["day"] = pd.to_datetime(frame["day"])
    return frame
