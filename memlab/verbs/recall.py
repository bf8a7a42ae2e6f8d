"""Recall: the facts that answer a question, each with its citation."""

from __future__ import annotations

import dataclasses
import datetime as dt
from typing import TYPE_CHECKING

from memlab import counters
from memlab.cite import Recall
from memlab.errors import ParameterError
from memlab.session import mending
from memlab.types import Kind, Query, TimeRange
from memlab.verbs import past
from memlab.verbs.backing import backed
from memlab.verbs.bundle import Options, bundle

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memlab.session import Refresh, Session
    from memlab.store.build import Progress
    from memlab.store.corpus import Corpus


@mending
def recall(
    session: Session,
    query: str,
    *,
    k: int | None = None,
    since: str | dt.date | None = None,
    until: str | dt.date | None = None,
    as_of: str | dt.date | None = None,
    kinds: Iterable[str] = (),
    entities: Iterable[str] = (),
    max_tokens: int | None = None,
    counter: str = counters.DEFAULT,
    join: bool | None = None,
    around: int = 0,
    explain: bool = False,
    abstain: bool = False,
    now: dt.datetime | dt.date | str | None = None,
    retriever: str | None = None,
    refresh: Refresh | None = None,
    progress: Progress | None = None,
) -> Recall:
    """The facts that answer ``query``, best first.

    Args:
        session: The open workspace.
        query: A question or some words, in any language.
        k: At most so many of the facts that are found; 10 by default, with a budget as many as
            fit.
        since: Only facts of that day or later: a day, or ``30d``, ``2w``, ``6m``, ``1y`` ago.
        until: Only facts of that day or earlier, likewise.
        as_of: What was known on that day, likewise: pages up to it, no generated parts and no
            undated pages, opinions as sure as they were. What was superseded later is not marked.
        kinds: Only facts of these kinds, by name or letter.
        entities: Only facts about all of these entities, by any of their names.
        max_tokens: At most so many tokens of content and citations. What fits is taken whole, best
            first, and the same words are given once.
        counter: What counts tokens: ``bytes4``, ``words`` or ``tokenizer(path='…')``.
        join: Give facts on consecutive lines as one hit with one citation; by default with a
            budget.
        around: Give each hit with up to so many facts before and after it in its section, five
            lines in all; in a budget where they fit.
        explain: Keep how the answer came about in ``explanation``.
        abstain: Give no hits where nothing in the notes answers; by default they are given, and a
            note says so.
        now: The clock; by default noon of ``as_of``, where that is given and past.
        retriever: The spec of the retriever; the configured one by default.
        refresh: ``auto``, ``always`` or ``never``; the session's by default.
        progress: Called while an index is built.

    Raises:
        ParameterError: If the query is empty or a parameter is not usable.
        StoreError: If the index is damaged, and was not to be built again or still is.
    """
    options = Options(
        k, max_tokens, counter, join=join, around=around, explain=explain, abstain=abstain
    )
    return find(
        session, query, options, since=since, until=until, as_of=as_of, kinds=kinds,
        entities=entities, now=now, retriever=retriever, refresh=refresh, progress=progress,
    )  # fmt: skip


def find(
    session: Session,
    query: str,
    options: Options,
    *,
    since: str | dt.date | None = None,
    until: str | dt.date | None = None,
    as_of: str | dt.date | None = None,
    kinds: Iterable[str] = (),
    entities: Iterable[str] = (),
    now: dt.datetime | dt.date | str | None = None,
    retriever: str | None = None,
    refresh: Refresh | None = None,
    progress: Progress | None = None,
) -> Recall:
    """The facts that answer ``query``, as much and in the form that options say; see `recall`."""
    if not query.strip():
        raise ParameterError("the query is empty", hint="Ask a question or give some words")
    clock = session.now(now)
    day = None if as_of is None else day_of("as_of", as_of, clock)
    if day and now is None and day < clock.date():
        clock = session.config.now(day)
    window = window_of(since, until, clock)
    wanted = tuple(dict.fromkeys(Kind.of(kind) for kind in kinds))
    asked = Query(query, clock, window, wanted, as_of=day)
    names = tuple(entities)

    def answer(corpus: Corpus) -> Recall:
        keys, notes = _resolve(corpus, names)
        if notes:
            return Recall(query, clock, (), tuple(notes), as_of=day)
        held = past.held_on(corpus, day) if day else {}
        about = dataclasses.replace(asked, entities=keys, held=tuple(held))
        index = session.index(corpus, retriever, progress=progress)
        found = bundle(corpus, index, about, options)
        hits = backed(corpus, found.hits, day)
        if day and not corpus.mask(Query("", clock, as_of=day, held=tuple(held))).any():
            notes.append(f"no page is of {day} or earlier")
        if undated := corpus.undated(about):
            facts = "fact was" if undated == 1 else "facts were"
            notes.append(f"{undated} undated {facts} left out")
        notes += found.notes
        return Recall(query, clock, hits, tuple(notes), found.explanation, day, found.confidence)

    return answer(session.corpus(refresh, progress=progress))


def window_of(
    since: str | dt.date | None, until: str | dt.date | None, now: dt.datetime
) -> TimeRange | None:
    """The closed days that ``since`` and ``until`` bound; None where neither is given.

    Raises:
        ParameterError: If one is no day, or ``since`` lies after ``until``.
    """
    if since is None and until is None:
        return None
    first = dt.date.min if since is None else day_of("since", since, now)
    last = dt.date.max if until is None else day_of("until", until, now)
    if first > last:
        raise ParameterError(f"since ({first}) lies after until ({last})")
    return TimeRange(first, last)


def day_of(name: str, day: str | dt.date, now: dt.datetime) -> dt.date:
    """A day as a verb is given it: a date, or a text such as ``2025-11-27`` or ``30d``.

    Raises:
        ParameterError: If it is no day; it names the parameter.
    """
    if isinstance(day, dt.datetime):
        return day.date()
    if isinstance(day, dt.date):
        return day
    from memlab.workspace.dates import since_day  # its patterns take a while to load

    try:
        return since_day(day, now)
    except (ValueError, OverflowError) as error:
        raise ParameterError(f"{name}: {error}") from error


def _resolve(corpus: Corpus, names: Iterable[str]) -> tuple[tuple[str, ...], list[str]]:
    """The keys of entities, and a note on each that nobody knows."""
    keys: list[str] = []
    notes: list[str] = []
    for name in names:
        own = corpus.lexicon.resolve(name)
        if own:
            keys.append(own)
            continue
        near = corpus.lexicon.near(name)
        notes.append(f"no entity {name!r}" + (f"; near it: {', '.join(near)}" if near else ""))
    return tuple(dict.fromkeys(keys)), notes
