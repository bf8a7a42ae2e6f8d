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
    from memlab.types import Hit


def backed(corpus: Corpus, hits: Iterable[Hit], as_of: dt.date | None = None) -> tuple[Hit, ...]:
    """Hits of which each statement with a ledger has its confidence, evidence and last change.

    Args:
        corpus: The workspace's facts.
        hits: The hits.
        as_of: As its ledger was at the end of that day; None for now.
    """
    hits = tuple(hits)
    if not any(role_of(hit.fact.source.path) is Role.OPINIONS for hit in hits):
        return hits
    from memlab.opinions.ledger import opinions_of

    found = {
        opinion.row: opinion
        for opinion in opinions_of(corpus, as_of=as_of)
        if opinion.row is not None and opinion.entries
    }
    ledgers = dict(zip(corpus.ids(found), found.values(), strict=True))

    def told(hit: Hit) -> Hit:
        opinion = ledgers.get(hit.fact.id)
        if opinion is None:
            return hit
        evidence = tuple(
            Backing(entry.verb, entry.day, entry.confidence, entry.source)
            for entry in opinion.evidence
        )
        fact = replace(hit.fact, confidence=opinion.confidence)
        return replace(hit, fact=fact, evidence=evidence, changed=opinion.updated)

    return tuple(map(told, hits))
