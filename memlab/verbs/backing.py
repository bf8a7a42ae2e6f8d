"""What the opinions among some hits rest on, as their ledgers have it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memlab.types import Backing
from memlab.workspace.layout import Role, role_of

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable

    from memlab.store.corpus import Corpus
    from memlab.types import Fact, Hit


def backed(corpus: Corpus, hits: Iterable[Hit], as_of: dt.date | None = None) -> tuple[Hit, ...]:
    """Hits of which each statement of ``bank/opinions.md`` is as sure as it is held.

    One with a ledger has its evidence and last change too.

    Args:
        corpus: The workspace's facts.
        hits: The hits.
        as_of: As its ledger was at the end of that day; None for now.
    """
    hits = tuple(hits)
    paths = {fact.source.path for hit in hits for fact in (hit.fact, *hit.facts)}
    if not any(role_of(path) is Role.OPINIONS for path in paths):
        return hits
    from memlab.opinions.ledger import opinions_of

    found = {one.row: one for one in opinions_of(corpus, as_of=as_of) if one.row is not None}
    held = dict(zip(corpus.ids(found), found.values(), strict=True))

    def sure(fact: Fact) -> Fact:
        return replace(fact, confidence=held[fact.id].confidence) if fact.id in held else fact

    def told(hit: Hit) -> Hit:
        hit = replace(hit, fact=sure(hit.fact), facts=tuple(map(sure, hit.facts)))
        opinion = held.get(hit.fact.id)
        if opinion is None or not opinion.entries:
            return hit
        evidence = tuple(
            Backing(entry.verb, entry.day, entry.confidence, entry.source)
            for entry in opinion.evidence
        )
        return replace(hit, evidence=evidence, changed=opinion.updated)

    return tuple(map(told, hits))
