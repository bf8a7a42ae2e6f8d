"""What of a run is given: the first so many facts, or whatever fits into a budget."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import islice
from numbers import Integral
from typing import TYPE_CHECKING

from memlab import abstention, budget, counters, pipeline
from memlab.budget import Packed
from memlab.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable

    from memlab.budget import Price
    from memlab.explain import Explanation
    from memlab.pipeline import Trace
    from memlab.retrievers.base import Index
    from memlab.store.corpus import Corpus
    from memlab.types import Fact, Hit, Query

K = 10
"""How many facts are given at most where neither ``k`` nor a budget says."""
DEEP = 200
"""How many facts a budget is filled from, at least."""


@dataclass(frozen=True, slots=True)
class Options:
    """How much is given and in what form; for most see `memlab.verbs.recall.recall`.

    Attributes:
        price: What a hit takes of the budget; its words and citation by default.
        skip: Whether a fact is not to be given, since it is known already.

    Raises:
        ParameterError: If a number is too small, or the counter is not known.
    """

    k: int | None = None
    max_tokens: int | None = None
    counter: str = counters.DEFAULT
    join: bool | None = None
    around: int = 0
    explain: bool = False
    abstain: bool = False
    price: Price | None = None
    skip: Callable[[Fact], bool] | None = None

    def __post_init__(self) -> None:
        for name in ("k", "max_tokens", "around"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, Integral)):
                raise ParameterError(f"{name} must be a whole number, got {value!r}")
        if self.k is not None and self.k < 1:
            raise ParameterError(f"k must be at least 1, got {self.k}")
        if self.around < 0:
            raise ParameterError(f"around must be at least 0, got {self.around}")
        budget.check(self.max_tokens)
        counters.counter(self.counter)

    @property
    def cost(self) -> Price:
        """What a hit takes by the counter that is named."""
        return partial(budget.cost, counter=counters.counter(self.counter))

    @property
    def joins(self) -> bool:
        """Whether facts on consecutive lines become one hit."""
        return self.max_tokens is not None if self.join is None else self.join

    @property
    def packs(self) -> bool:
        """Whether more is done than to take the first so many."""
        return self.max_tokens is not None or self.joins or self.around > 0

    @property
    def limit(self) -> int | None:
        """At most so many facts that were found; None for as many as fit."""
        return K if self.k is None and self.max_tokens is None else self.k

    @property
    def depth(self) -> int:
        """How many facts are asked of the index."""
        return max(self.limit or 0, DEEP if self.packs else abstention.SEEN)


@dataclass(frozen=True, slots=True)
class Bundle:
    """What is given.

    Attributes:
        hits: The hits, best first.
        confidence: That they answer, from 0 to 1; None where nothing tells.
        notes: That they seem not to.
        explanation: How they came about, where that is asked for.
    """

    hits: tuple[Hit, ...]
    confidence: float | None = None
    notes: tuple[str, ...] = ()
    explanation: Explanation | None = None


def bundle(corpus: Corpus, index: Index, query: Query, options: Options) -> Bundle:
    """The hits for a query, and what is known of them."""
    trace = pipeline.trace(corpus, index, query, depth=options.depth)
    found = pipeline.hits(corpus, trace, as_of=query.as_of)
    if options.skip:
        known = options.skip
        found = (hit for hit in found if not known(hit.fact))
    if options.packs:
        packed = budget.pack(
            found, options.max_tokens, price=options.price or options.cost,
            limit=options.limit, join=options.joins, around=_around(corpus, trace, options.around),
        )  # fmt: skip
    else:
        hits = tuple(islice(found, options.limit))
        packed = Packed(hits, hits)
    evidence = abstention.evidence(index, query, trace)
    explanation = None
    if options.explain:
        from memlab.explain import explain  # few ask for it

        explanation = explain(
            trace, packed, evidence=evidence, max_tokens=options.max_tokens,
            counter=options.counter,
        )  # fmt: skip
    if evidence is None:
        return Bundle(packed.hits, explanation=explanation)
    sure = evidence.confidence
    if not packed.hits or sure >= abstention.DOUBTED:
        return Bundle(packed.hits, sure, (), explanation)
    note = f"nothing in the notes answers this (confidence {sure:.2f})"
    return Bundle(() if options.abstain else packed.hits, sure, (note,), explanation)


def _around(corpus: Corpus, trace: Trace, count: int) -> budget.Around | None:
    """What surrounds a hit of a run; None where nothing is asked for."""
    if not count:
        return None
    return lambda hit: corpus.around(int(trace.run.rows[hit.rank - 1]), count)
