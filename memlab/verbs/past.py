"""What was known on a day: the opinions that were held then, as sure as they were then."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Mapping

    from memlab.store.corpus import Corpus
    from memlab.types import Fact, Hit


def held_on(corpus: Corpus, day: dt.date) -> dict[int, float]:
    """The rows of the statements of ``bank/opinions.md`` that were held on a day, and how surely.

    The page has no day; what tells is the ledger of each. A statement without one is left out.
    """
    from memlab.opinions.ledger import opinions_of

    found = opinions_of(corpus, as_of=day)
    return {opinion.row: opinion.confidence for opinion in found if opinion.row is not None}


def as_held(hits: Iterable[Hit], sure: Mapping[str, float]) -> tuple[Hit, ...]:
    """Hits with the confidence that opinions had, by fact id, for the one that they have now."""

    def then(fact: Fact) -> Fact:
        return replace(fact, confidence=sure[fact.id]) if fact.id in sure else fact

    return tuple(
        replace(hit, fact=then(hit.fact), facts=tuple(map(then, hit.facts))) for hit in hits
    )
