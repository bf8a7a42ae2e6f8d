"""What is held, and was held on a day: opinions, as sure as their ledgers say."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memlab.workspace.layout import Role, role_of

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable

    from memlab.store.corpus import Corpus
    from memlab.types import Fact


def held_on(corpus: Corpus, day: dt.date | None) -> dict[int, float]:
    """The rows of the statements of ``bank/opinions.md`` that were held on a day, and how surely.

    The page has no day; what tells is the ledger of each. A statement without one is left out.

    Args:
        corpus: The workspace's facts.
        day: The day; None for now, when one without a ledger is held as its person wrote.
    """
    from memlab.opinions.ledger import opinions_of

    found = opinions_of(corpus, as_of=day)
    return {opinion.row: opinion.confidence for opinion in found if opinion.row is not None}


def as_held(corpus: Corpus, facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Facts, of which each statement of ``bank/opinions.md`` is as sure as it is held now."""
    facts = tuple(facts)
    if not any(role_of(fact.source.path) is Role.OPINIONS for fact in facts):
        return facts
    held = held_on(corpus, None)
    sure = dict(zip(corpus.ids(held), held.values(), strict=True))
    return tuple(replace(fact, confidence=sure.get(fact.id, fact.confidence)) for fact in facts)
