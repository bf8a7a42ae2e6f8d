"""Why a recall gave what it gave: each retriever's ranks and scores, and what was cut."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memlab import budget, counters

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pandas as pd

    from memlab.abstention import Evidence
    from memlab.budget import Packed
    from memlab.counters import Counter
    from memlab.pipeline import Trace
    from memlab.types import Hit, Run, Source

    Places = Mapping[str, tuple[int, float]]

_SHOWN = 5  # of what was cut, as text


@dataclass(frozen=True, slots=True)
class Explained:
    """What is known of one fact that was found.

    Attributes:
        hit: The fact as it was found; its ``trace`` has each retriever's rank and score.
        stages: Its rank and score after the fusion and after each reranker, by spec.
        given: The citation of the hit that holds it; None where it is not given.
        tokens: What that hit takes of a budget, counted at its best fact.
        cut: Why it is not given; empty where it is.
    """

    hit: Hit
    stages: Places = field(default_factory=dict)
    given: Source | None = None
    tokens: int = 0
    cut: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """How an answer came about.

    Attributes:
        retriever: The pipeline's spec.
        read: What was read from the query: a window, entities.
        facts: Every fact that was looked at, by rank; those that were cut among them.
        found: How many facts each retriever found, by spec.
        evidence: How well the question's words and meaning are met; None where nothing tells.
        tokens: What the hits take.
        max_tokens: The budget; None without one.
        counter: What counted.
    """

    retriever: str
    read: Mapping[str, str]
    facts: tuple[Explained, ...]
    found: Mapping[str, int]
    evidence: Evidence | None = None
    tokens: int = 0
    max_tokens: int | None = None
    counter: str = ""

    @property
    def cut(self) -> tuple[Explained, ...]:
        """What was found and is not given."""
        return tuple(one for one in self.facts if one.cut)

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "retriever": self.retriever,
            "read": dict(self.read),
            "found": dict(self.found),
            "evidence": self.evidence.to_dict() if self.evidence else None,
            "tokens": self.tokens,
            "max_tokens": self.max_tokens,
            "counter": self.counter,
            "facts": [
                {
                    "rank": one.hit.rank, "source": str(one.hit.fact.source),
                    "id": one.hit.fact.id, "score": one.hit.score,
                    "retrievers": _plain(one.hit.trace), "stages": _plain(one.stages),
                    "given": str(one.given) if one.given else None, "tokens": one.tokens,
                    "cut": one.cut,
                }
                for one in self.facts
            ],
        }  # fmt: skip

    def to_frame(self) -> pd.DataFrame:
        """One row a fact, indexed by rank; two columns, rank and score, a retriever and stage."""
        import pandas as pd

        rows = []
        for one in self.facts:
            row: dict[str, Any] = {"source": str(one.hit.fact.source), "score": one.hit.score}
            for spec, places in self._columns(one):
                row[f"{spec} rank"], row[f"{spec} score"] = places or (None, None)
            given = str(one.given) if one.given else None
            rows.append({**row, "given": given, "tokens": one.tokens, "cut": one.cut})
        ranks = pd.Index([one.hit.rank for one in self.facts], name="rank", dtype="int64")
        return pd.DataFrame(rows, index=ranks)

    def to_text(self) -> str:
        """A table for the terminal: a line a fact, ``#rank score`` for each retriever and stage."""
        head = ["", "source", *(spec for spec, _ in self._columns(None)), "score", "tokens"]
        rows = [
            [
                str(one.hit.rank), str(one.hit.fact.source),
                *(_place(places) for _, places in self._columns(one)),
                f"{one.hit.score:.3f}", str(one.tokens) if one.tokens else f"in {one.given}",
            ]
            for one in self.facts if one.given
        ]  # fmt: skip
        table = _aligned([head, *rows]) if rows else ()
        return "\n".join([*self._about(), *table, *self._cuts()])

    def _repr_html_(self) -> str:
        """The same table for notebooks; all text is escaped."""
        notes = "".join(f"<p>{html.escape(line)}</p>" for line in (*self._about(), *self._cuts()))
        return notes + str(self.to_frame().to_html(na_rep="", escape=True))

    def _columns(self, one: Explained | None) -> Iterator[tuple[str, tuple[int, float] | None]]:
        """Each retriever and stage, with the place of a fact there."""
        stages = dict.fromkeys(spec for fact in self.facts for spec in fact.stages)
        for spec in self.found:
            yield spec, one.hit.trace.get(spec) if one else None
        for spec in stages:
            yield spec, one.stages.get(spec) if one else None

    def _about(self) -> Iterator[str]:
        yield f"retriever  {self.retriever}"
        for what, value in self.read.items():
            yield f"{what:<9}  {value}"
        if self.evidence:
            yield f"evidence   {self.evidence}"
        if self.max_tokens is not None:
            yield f"budget     {self.tokens} of {self.max_tokens} tokens ({self.counter})"

    def _cuts(self) -> Iterator[str]:
        for one in self.cut[:_SHOWN]:
            yield f"cut {one.hit.rank}. {one.hit.fact.source}: {one.cut}"
        if len(self.cut) > _SHOWN:
            yield f"cut {len(self.cut) - _SHOWN} more"


def explain(
    trace: Trace, packed: Packed, *, evidence: Evidence | None = None,
    max_tokens: int | None = None, counter: str | Counter = counters.DEFAULT,
) -> Explanation:  # fmt: skip
    """Put together what is known of an answer.

    Args:
        trace: How the run came about.
        packed: What was given and cut.
        evidence: What tells whether the notes answer.
        max_tokens: The budget.
        counter: What counted.
    """
    stages = {spec: _ranks(run) for spec, run in trace.stages}
    held = {fact.id: hit for hit in packed.hits for fact in hit.facts or (hit.fact,)}
    measure = counters.counter(counter)

    def explained(hit: Hit, cut: str = "") -> Explained:
        row = int(trace.run.rows[hit.rank - 1])
        places = {spec: ranks[row] for spec, ranks in stages.items() if row in ranks}
        if cut:
            return Explained(hit, places, cut=cut)
        holder = held[hit.fact.id]
        tokens = budget.cost(holder, measure) if holder.rank == hit.rank else 0
        return Explained(hit, places, holder.source, tokens)

    facts = [explained(hit) for hit in packed.taken]
    facts += [explained(one.hit, one.reason) for one in packed.cut]
    return Explanation(
        trace.run.retriever, trace.read(), tuple(sorted(facts, key=lambda one: one.hit.rank)),
        {spec: len(run) for spec, run in trace.parts.items()},
        evidence, packed.tokens, max_tokens, str(counter),
    )  # fmt: skip


def _ranks(run: Run) -> dict[int, tuple[int, float]]:
    pairs = zip(run.rows.tolist(), run.scores.tolist(), strict=True)
    return {row: (rank, score) for rank, (row, score) in enumerate(pairs, start=1)}


def _plain(places: Places) -> dict[str, dict[str, float]]:
    return {spec: {"rank": rank, "score": score} for spec, (rank, score) in places.items()}


def _place(place: tuple[int, float] | None) -> str:
    return f"#{place[0]} {place[1]:.3f}" if place else "–"


def _aligned(rows: list[list[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()
