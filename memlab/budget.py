"""Packing: the best whole facts that fit into what an agent can read."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memlab.counters import Bytes4
from memlab.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memlab.counters import Counter
    from memlab.types import Fact, Hit

    Around = Callable[[Hit], Sequence[Fact]]
    Price = Callable[[Hit], int]

LINES = 5
"""A citation has at most so many lines, so a passage of several facts has no more."""

count = Bytes4().count
"""The tokens of a text by the counter ``bytes4``, in which the bench counts."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A fact that was found and is not given.

    Attributes:
        hit: The fact, with the rank that it had.
        reason: Why.
    """

    hit: Hit
    reason: str

    def __str__(self) -> str:
        return f"{self.hit.rank}. {self.hit.fact.source}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Packed:
    """What fits.

    Attributes:
        hits: The hits, best first.
        taken: The facts that were found and are given, each as it was found, by rank.
        cut: What was found and does not fit, or stands there already, by rank.
        tokens: What the hits take.
    """

    hits: tuple[Hit, ...]
    taken: tuple[Hit, ...] = ()
    cut: tuple[Cut, ...] = ()
    tokens: int = 0


def cost(hit: Hit, counter: Counter | None = None) -> int:
    """What a hit takes: its words, its citation, and a line break."""
    sources = " ".join(map(str, (hit.source, *hit.copies)))
    return (counter or Bytes4()).count(f"{hit.content} {sources}\n")


def check(max_tokens: int | None) -> None:
    """Refuse a budget of less than one token.

    Raises:
        ParameterError: If it is.
    """
    if max_tokens is not None and max_tokens < 1:
        raise ParameterError(f"max_tokens must be at least 1, got {max_tokens}")


def pack(
    hits: Iterable[Hit],
    max_tokens: int | None = None,
    *,
    price: Price = cost,
    limit: int | None = None,
    join: bool = False,
    around: Around | None = None,
) -> Packed:
    """The hits that fit, best first: each is taken whole or passed over for a shorter one.

    A fact whose words a better hit has already is not given again; its citation joins that hit's.

    Args:
        hits: Hits, best first; no more are drawn than are needed.
        max_tokens: What they may take in all; None for no bound.
        price: What a hit takes; `cost` by default.
        limit: At most so many of the facts that were found; None for no bound.
        join: Give facts on consecutive lines of one section as one hit, cited once.
        around: What surrounds a hit's fact, itself among it, in the order of lines. It is given
            with the hit where it fits, else the fact alone is.

    Raises:
        ParameterError: If the budget is less than one token.
    """
    check(max_tokens)
    bundle = _Bundle(max_tokens, price, join=join or around is not None)
    for hit in hits:
        if limit is not None and len(bundle.taken) >= limit:
            break
        bundle.take(hit, around)
        if bundle.left is not None and bundle.left < 1:
            break
    hits = (bundle.hits[place] for place in sorted(bundle.hits))
    return Packed(tuple(hits), tuple(bundle.taken), tuple(bundle.cut), bundle.tokens)


@dataclass(slots=True)
class _Bundle:
    """Hits that were taken so far, by place; a passage has the place of its best fact."""

    max_tokens: int | None
    price: Price
    join: bool
    hits: dict[int, Hit] = field(default_factory=dict)
    taken: list[Hit] = field(default_factory=list)
    cut: list[Cut] = field(default_factory=list)
    tokens: int = 0
    _places: dict[str, int] = field(default_factory=dict)
    _words: dict[str, list[Fact]] = field(default_factory=dict)

    @property
    def left(self) -> int | None:
        return None if self.max_tokens is None else self.max_tokens - self.tokens

    def take(self, hit: Hit, around: Around | None) -> None:
        """Add a hit in the first form that fits."""
        if hit.fact.id in self._places:  # it stands there as the neighbour of a better one
            self.taken.append(hit)
            return
        if (twin := self._twin(hit.fact)) is not None:
            self._cite(hit, twin)
            return
        wanted = 0
        forms = [self._run(hit, around(hit))] if around else []
        for facts in (*forms, (hit.fact,)):
            grown, places = self._joined(hit, facts)
            before = sum(self.price(self.hits[place]) for place in places)
            wanted = self.price(grown) - before
            if self.left is None or wanted <= self.left:
                self._put(grown, places)
                self.tokens += wanted
                self.taken.append(hit)
                return
        self.cut.append(Cut(hit, f"takes {wanted} tokens, {self.left} were left"))

    def _run(self, hit: Hit, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        """The run of facts about a hit's, of few lines, that stands in no hit yet."""
        start = end = next(n for n, fact in enumerate(facts) if fact.id == hit.fact.id)
        grew = True
        while grew:  # outwards, before and after in turn
            grew = False
            for edge in (start - 1, end + 1):
                first, last = min(edge, start), max(edge, end)
                if not 0 <= edge < len(facts) or _lines(facts[first : last + 1]) > LINES:
                    continue
                if facts[edge].id not in self._places and self._twin(facts[edge]) is None:
                    start, end, grew = first, last, True
        return tuple(facts[start : end + 1])

    def _joined(self, hit: Hit, facts: tuple[Fact, ...]) -> tuple[Hit, list[int]]:
        """The hit of these facts and of those that they touch, and the places of the latter."""
        places: list[int] = []
        path = hit.fact.source.path
        for place, other in self.hits.items() if self.join else ():
            if other.fact.source.path != path or other.copies:
                continue
            one = other.facts or (other.fact,)
            if _touch(one, facts) and _lines(_sorted(one, facts)) <= LINES:
                facts = _sorted(one, facts)
                places.append(place)
        if len(facts) == 1 and not hit.facts:
            return hit, places
        best = self.hits[min(places)] if places else hit
        return replace(best, facts=facts if len(facts) > 1 else ()), places

    def _put(self, hit: Hit, places: list[int]) -> None:
        place = min(places, default=hit.rank)
        for other in places:
            del self.hits[other]
        self.hits[place] = hit
        for fact in hit.facts or (hit.fact,):
            if fact.id not in self._places:
                self._words.setdefault(_plain(fact), []).append(fact)
            self._places[fact.id] = place

    def _twin(self, fact: Fact) -> Fact | None:
        """What has the same words already, about the same entities as far as is said."""
        for other in self._words.get(_plain(fact), ()):
            one, two = set(fact.entities), set(other.entities)
            if one <= two or two <= one:
                return other
        return None

    def _cite(self, hit: Hit, twin: Fact) -> None:
        """Add a copy's citation to a hit of its words alone, if there is room."""
        place = self._places[twin.id]
        kept = self.hits[place]
        cited = replace(kept, copies=(*kept.copies, hit.fact.source))
        wanted = self.price(cited) - self.price(kept)
        if not kept.facts and (self.left is None or wanted <= self.left):
            self.hits[place] = cited
            self.tokens += wanted
        self.cut.append(Cut(hit, f"a copy of {twin.source}"))


def _sorted(one: Sequence[Fact], other: Sequence[Fact]) -> tuple[Fact, ...]:
    return tuple(sorted((*one, *other), key=lambda fact: fact.source))


def _plain(fact: Fact) -> str:
    return " ".join(unicodedata.normalize("NFC", fact.content).split())


def _lines(facts: Sequence[Fact]) -> int:
    """How many lines facts of one page span."""
    return facts[-1].source.end - facts[0].source.start + 1


def _touch(one: Sequence[Fact], other: Sequence[Fact]) -> bool:
    """Whether two runs of facts follow each other on consecutive lines of one section."""
    first, second = sorted((one, other), key=lambda facts: facts[0].source)
    upper, lower = first[-1], second[0]
    return (
        upper.source.path == lower.source.path
        and upper.heading == lower.heading
        and lower.source.start == upper.source.end + 1
    )
