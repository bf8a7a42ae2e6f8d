"""What a recall gives back: hits with their citations, as values, a table, Markdown or HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from memlab.abstention import DOUBTED

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator

    import pandas as pd

    from memlab.explain import Explanation
    from memlab.types import Hit

COLUMNS = ("kind", "timestamp", "entities", "content", "source", "score")
"""The keys that every hit has, in this order; ``confidence``, ``id``, ``origin`` follow.

A passage of several facts has their ids under ``facts``; citations of the same words elsewhere are
under ``copies``.
"""


def as_dict(hit: Hit) -> dict[str, Any]:
    """A hit as plain values; ``confidence`` is there for opinions only.

    ``superseded_by`` is there only where another fact has taken its place, ``evidence`` and
    ``changed`` only for an opinion with a ledger.
    """
    fact = hit.fact
    out: dict[str, Any] = {
        "kind": fact.kind.value,
        "timestamp": str(fact.when) if fact.when else None,
        "entities": list(fact.entities),
        "content": hit.content,
        "source": str(hit.source),
        "score": hit.score,
        "id": fact.id,
        "origin": fact.origin.value,
    }
    if fact.confidence is not None:
        out["confidence"] = fact.confidence
    if fact.superseded_by is not None:
        out["superseded_by"] = str(fact.superseded_by)
    if hit.facts:
        out["facts"] = [one.id for one in hit.facts]
    if hit.copies:
        out["copies"] = [str(source) for source in hit.copies]
    if hit.changed:
        out["evidence"] = [
            {"verb": one.verb, "day": one.day.isoformat(), "confidence": one.confidence,
             "source": one.source and str(one.source)}
            for one in hit.evidence
        ]  # fmt: skip
        out["changed"] = hit.changed.isoformat()
    return out


@dataclass(frozen=True)
class Recall(Sequence["Hit"]):
    """The answer to one question: hits, best first, and what should be known about them.

    Attributes:
        query: The question as it was asked.
        now: The clock against which it was read.
        hits: The hits, best first.
        notes: Remarks, such as how many undated facts a window left out.
        explanation: How it came about, where that was asked for.
        as_of: The day whose knowledge it is; None for all that there is.
        confidence: That the notes answer at all, from 0 to 1, by `memlab.abstention`; None where no
            retriever tells.
    """

    query: str
    now: dt.datetime
    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()
    explanation: Explanation | None = None
    as_of: dt.date | None = None
    confidence: float | None = None

    @property
    def answered(self) -> bool:
        """Whether the notes answer, as far as can be told; never where nothing was found."""
        return bool(self.hits) and (self.confidence is None or self.confidence >= DOUBTED)

    @overload
    def __getitem__(self, index: int) -> Hit: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, index: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[index]

    def __len__(self) -> int:
        return len(self.hits)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as ``memlab recall --json`` prints them."""
        out: dict[str, Any] = {"query": self.query, "now": self.now.isoformat()}
        if self.as_of:
            out["as_of"] = self.as_of.isoformat()
        out |= {"hits": [as_dict(hit) for hit in self.hits], "notes": list(self.notes)}
        out |= {"answered": self.answered, "confidence": self.confidence}
        return {**out, "explanation": self.explanation.to_dict()} if self.explanation else out

    def to_frame(self) -> pd.DataFrame:
        """One row a hit, indexed by rank from 1; columns as in `to_dict`."""
        import pandas as pd

        columns = [*COLUMNS, "id", "origin", "confidence", "superseded_by"]
        ranks = pd.Index([hit.rank for hit in self.hits], name="rank", dtype="int64")
        return pd.DataFrame([as_dict(hit) for hit in self.hits], columns=columns, index=ranks)

    def to_markdown(self) -> str:
        """A numbered list: the words, then kind, time, entities and citation."""
        lines = [
            f"{hit.rank}. {_indented(hit.content)}\n   {details(hit)} {hit.score:.3f}"
            for hit in self.hits
        ]
        lines += [f"> {note}" for note in self.notes]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """A table for notebooks. All text of the notes is escaped."""
        import html

        head = "".join(f"<th>{column}</th>" for column in ("", *COLUMNS))
        rows = "".join(
            f"<tr><td>{hit.rank}</td>"
            + "".join(f"<td>{html.escape(_cell(as_dict(hit)[column]))}</td>" for column in COLUMNS)
            + "</tr>"
            for hit in self.hits
        )
        notes = "".join(f"<p><em>{html.escape(note)}</em></p>" for note in self.notes)
        if self.explanation:
            notes += self.explanation._repr_html_()
        return (
            f"<p><strong>{html.escape(self.query)}</strong></p>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{notes}"
        )


def details(hit: Hit) -> str:
    """The citation of a hit, its kind, time and entities, and what took its place, in brackets."""
    fact = hit.fact
    parts = [str(hit.source), fact.kind.value]
    if fact.confidence is not None:
        parts[-1] += f" {fact.confidence:.2f}"
    if fact.origin != "written":
        parts.append(fact.origin.value)
    if fact.when:
        parts.append(str(fact.when))
    parts += [f"@{name}" for name in fact.entities]
    parts += [f"also {source}" for source in hit.copies]
    parts += map(str, hit.evidence)
    parts += [f"changed {hit.changed}"] if hit.changed else []
    parts += _succession(hit)
    return f"[{' · '.join(parts)}]"


def _succession(hit: Hit) -> Iterator[str]:
    """What took the place of a hit's facts; of a passage, with the line of the fact."""
    for fact in hit.facts or (hit.fact,):
        if fact.superseded_by is not None:
            line = f"L{fact.source.start} " if hit.facts else ""
            yield f"{line}superseded by {fact.superseded_by}"


def _indented(text: str) -> str:
    return text.replace("\n", "\n   ")


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(value)
    if isinstance(value, float):
        return f"{value:.3f}"
    return "" if value is None else str(value)
