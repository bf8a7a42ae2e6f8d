"""Facts: all that a workspace holds, as a table for analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlab.errors import ParameterError
from memlab.session import mending
from memlab.types import Kind, Query
from memlab.verbs import past
from memlab.verbs.recall import day_of, window_of

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable

    import pandas as pd

    from memlab.session import Refresh, Session
    from memlab.store.corpus import Corpus

COLUMNS = (
    "kind", "origin", "day", "timestamp", "entities", "content", "source", "confidence", "heading",
    "superseded_by",
)  # fmt: skip


@mending
def facts(
    session: Session,
    *,
    since: str | dt.date | None = None,
    until: str | dt.date | None = None,
    as_of: str | dt.date | None = None,
    kinds: Iterable[str] = (),
    entities: Iterable[str] = (),
    now: dt.datetime | dt.date | str | None = None,
    refresh: Refresh | None = None,
) -> pd.DataFrame:
    """Every fact that was written or proposed, one a row, in the order of the pages.

    Args:
        session: The open workspace.
        since: Only facts of that day or later, as recall reads it; undated ones are left out.
        until: Only facts of that day or earlier, likewise.
        as_of: What was known on that day, as recall has it.
        kinds: Only facts of these kinds, by name or letter.
        entities: Only facts about all of these entities, by any of their names.
        now: The clock that days such as ``30d`` are read against.
        refresh: ``auto``, ``always`` or ``never``; the session's by default.

    Returns:
        Indexed by fact id. ``day`` is the page's day as a timestamp, or NaT; ``timestamp`` is what
        the fact speaks of, as recall prints it; ``superseded_by`` the citation of the fact that
        holds in its place.

    Raises:
        ParameterError: If a parameter is not usable.
    """
    import pandas as pd

    clock = session.now(now)
    day = None if as_of is None else day_of("as_of", as_of, clock)
    wanted = tuple(dict.fromkeys(Kind.of(kind) for kind in kinds))
    window = window_of(since, until, clock)
    corpus = session.corpus(refresh)
    held = past.held_on(corpus, day)
    keys = tuple(_key(corpus, name) for name in entities)
    query = Query("", clock, window, wanted, keys, as_of=day, held=tuple(held) if day else ())
    rows = corpus.select(query).tolist()
    found = dict(zip(rows, corpus.marked(rows, day), strict=True))
    ordered = sorted(found.items(), key=lambda pair: pair[1].source)
    table = [
        (fact.kind.value, fact.origin.value, fact.day, str(fact.when) if fact.when else None,
         fact.entities, fact.content, str(fact.source), held.get(row, fact.confidence),
         fact.heading, str(fact.superseded_by) if fact.superseded_by else None)
        for row, fact in ordered
    ]  # fmt: skip
    index = pd.Index([fact.id for _, fact in ordered], name="id", dtype=object)
    frame = pd.DataFrame(table, columns=list(COLUMNS), index=index)
    frame["day"] = pd.to_datetime(frame["day"])
    return frame


def _key(corpus: Corpus, name: str) -> str:
    """The key of an entity, by any of its names."""
    key = corpus.lexicon.resolve(name)
    if key is None:
        near = ", ".join(corpus.lexicon.near(name))
        raise ParameterError(f"no entity {name!r}", hint=f"Near it: {near}" if near else None)
    return key
