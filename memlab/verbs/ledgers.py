"""Ledgers from the evidence of a workspace: `memlab.opinions.reckon` with its facts looked up."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from memlab import registry
from memlab.opinions import reckon
from memlab.opinions.page import is_quoted
from memlab.store import duck
from memlab.store.evidence import NOBODY
from memlab.verbs.memo import Judge

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Mapping, Sequence

    from memlab.opinions.base import Detector, Stance
    from memlab.opinions.fold import Trajectory
    from memlab.opinions.founding import Held
    from memlab.opinions.page import Entry, Ledger
    from memlab.opinions.reckon import Bearing
    from memlab.store.evidence import Evidence
    from memlab.verbs.plan import Context


@dataclass(frozen=True, slots=True)
class Reckoned:
    """An opinion, what each fact said of it, the steps of its confidence, and its ledger.

    Attributes:
        held: The opinion.
        said: The facts that are for or against it, each with its stance.
        steps: The steps of its confidence.
        ledger: The same as the page has it.
        detector: What told the stances.
    """

    held: Held
    said: tuple[tuple[Bearing, Stance], ...]
    steps: Trajectory
    ledger: Ledger
    detector: Detector


class Ledgers:
    """The evidence about some entities, and what it makes of opinions about them.

    Args:
        context: The reflect.
        keys: The entities.
    """

    def __init__(self, context: Context, keys: Iterable[str]) -> None:
        config = context.session.config
        self._context = context
        self._judge = Judge(config.opinions_detector, context.memo)
        self._updater = registry.make("updater", config.opinions_updater)
        pulled = context.about(set(keys))
        self._facts = {fact.id: fact for fact in pulled}
        self._by_key: dict[str, list[Evidence]] = {}
        for fact in pulled:
            for key in fact.entities or (NOBODY,):
                self._by_key.setdefault(key, []).append(fact)
        self._on_day: dict[dt.date, list[Evidence]] = {}

    def reckon(self, held: Held, bullets: Sequence[Evidence], entries: Sequence[Entry]) -> Reckoned:
        """The ledger of an opinion.

        Args:
            held: The opinion.
            bullets: The opinions of the logs that state it, by day and id.
            entries: What its ledger has, and the hands that are new.
        """
        before, linked = self._lost(entries)
        before = [entry for entry in entries if entry.verb == "hand"] + before
        held = dataclasses.replace(
            held, bullets=tuple(bullets), before=tuple(before), linked=tuple(linked)
        )
        facts = self._facts | {fact.id: fact for fact in (*linked, *bullets)}
        said = reckon.judged(held, reckon.bearings(held, self._by_key), self._judge)
        steps = reckon.trajectory(held, said, self._updater, self._pages)
        ledger = reckon.ledger(held, steps, facts)
        return Reckoned(held, tuple(said), steps, ledger, self._judge.detector)

    def _lost(self, entries: Sequence[Entry]) -> tuple[list[Entry], list[Evidence]]:
        """Entries whose facts are gone, and the facts that took the place of such."""
        as_of = self._context.as_of
        cited = {
            entry.fact for entry in entries
            if entry.fact not in self._facts and not (as_of and entry.day > as_of)
        } - {""}  # fmt: skip
        if cited:
            cited -= {fact.id for fact in self._context.find(ids=cited)}
        gone, linked = [], []
        for entry in entries:
            if entry.fact in cited:
                fits = [f for f in self._facts_of(entry.day) if is_quoted(f.content, entry.quote)]
                if len(fits) == 1:
                    linked += fits
                else:
                    gone.append(dataclasses.replace(entry, verb="gone"))
        return gone, linked

    def _facts_of(self, day: dt.date) -> list[Evidence]:
        if day not in self._on_day:
            self._on_day[day] = self._context.find(day=day)
        return self._on_day[day]

    @cached_property
    def _pages(self) -> Mapping[str, frozenset[str]]:
        """The pages of evidence by what a wikilink writes: a path or a file's name."""
        corpus = self._context.corpus
        sql = "SELECT path FROM pages WHERE starts_with(path, 'memory/') AND day IS NOT NULL"
        with duck.reading(corpus.snapshot):
            paths = [path for (path,) in corpus.connection.execute(sql).fetchall()]
        found: dict[str, set[str]] = {}
        for path in paths:
            bare = path.rpartition(".")[0]
            for name in (path, bare, bare.rpartition("/")[2]):
                found.setdefault(name, set()).add(path)
        return {name: frozenset(pages) for name, pages in found.items()}
