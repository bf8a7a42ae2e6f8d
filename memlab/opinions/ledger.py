"""Opinions with their ledgers, read off ``bank/opinions.md`` alone."""

from __future__ import annotations

import bisect
import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.errors import WriteError
from memlab.opinions import page
from memlab.store import duck
from memlab.types import Source
from memlab.workspace import entities, grammar, layout, writer

if TYPE_CHECKING:
    import datetime as dt

    from memlab.opinions.page import Entry
    from memlab.store.corpus import Corpus

PAGE = "bank/opinions.md"


@dataclass(frozen=True, slots=True)
class Opinion:
    """A statement with a confidence, and what it rests on.

    Attributes:
        id: ``o-`` and six base32 characters, fixed at creation; empty while it has no ledger.
        statement: Its words, as the heading has them.
        entities: The keys of those whom it is about.
        confidence: How sure, in [0, 1].
        updated: The day of the last event; None without one.
        entries: The ledger: facts for and against, and a person's hand, oldest first.
        source: Where its heading stands.
        row: The row of its heading in the corpus; None where the snapshot has none.
    """

    id: str
    statement: str
    entities: tuple[str, ...]
    confidence: float
    updated: dt.date | None = None
    entries: tuple[Entry, ...] = ()
    source: Source | None = None
    row: int | None = None

    @property
    def evidence(self) -> tuple[Entry, ...]:
        """The facts for and against it that still stand, oldest first."""
        return tuple(entry for entry in self.entries if entry.label.sign)

    def trajectory(self) -> list[tuple[dt.date, float]]:
        """Each day on which something happened, with the confidence at its end, oldest first."""
        return list({entry.day: entry.confidence for entry in self.entries}.items())

    def at(self, day: dt.date) -> float | None:
        """The confidence at the end of a day; None before the first event."""
        after = bisect.bisect_right(self.entries, day, key=lambda entry: entry.day)
        return self.entries[after - 1].confidence if after else None

    def to_dict(self) -> dict[str, object]:
        """Plain values, as ``memlab opinions --json`` prints them."""
        return {
            "id": self.id, "statement": self.statement, "entities": list(self.entities),
            "confidence": self.confidence, "updated": self.updated and self.updated.isoformat(),
            "source": str(self.source),
            "ledger": [
                {"day": entry.day.isoformat(), "verb": entry.verb, "fact": entry.fact,
                 "confidence": entry.confidence, "quote": entry.quote,
                 "source": entry.source and str(entry.source)}
                for entry in self.entries
            ],
        }  # fmt: skip

    def as_of(self, day: dt.date) -> Opinion | None:
        """The opinion as it was at the end of a day; None if it did not exist yet."""
        entries = tuple(entry for entry in self.entries if entry.day <= day)
        if not entries:
            return None
        last = entries[-1]
        return dataclasses.replace(
            self, confidence=last.confidence, updated=last.day, entries=entries
        )


def page_of(corpus: Corpus) -> str:
    """The path of the page of opinions, whatever its spelling; `PAGE` where there is none yet."""
    sql = duck.fill("SELECT path FROM pages WHERE role = ? ORDER BY path", layout.Role.OPINIONS)
    with duck.reading(corpus.snapshot):
        found = corpus.connection.execute(sql).fetchone()
    return str(found[0]) if found else PAGE


def opinions_of(corpus: Corpus, *, as_of: dt.date | None = None) -> list[Opinion]:
    """The opinions of a workspace, in the order of the page.

    They are read from the page as it is now; the corpus tells where their evidence stands.

    Args:
        corpus: The workspace's facts.
        as_of: As they were at the end of that day, by their ledgers; those without one are left
            out. None for now: then the bold number counts, also where a person just changed it.
    """
    path = page_of(corpus)
    try:
        text = writer.read_text(corpus.place.root / path)
    except WriteError:
        return []
    if text is None:
        return []
    sections = [section for section in page.sections(text) if section.statement]
    ledgers = [page.Ledger.parse(one.part.body) if one.part else None for one in sections]
    cited = {entry.fact for ledger in ledgers if ledger for entry in ledger.entries}
    sources = _sources(corpus, cited)
    headings = _headings(corpus, path)
    found = []
    for section, ledger in zip(sections, ledgers, strict=True):
        row, about = headings.get((section.line, section.statement), (None, ()))
        source = Source(path, section.line, section.line)
        if ledger is None:
            sure = grammar.DEFAULT_CONFIDENCE if section.prior is None else section.prior
            found.append(Opinion("", section.statement, about, sure, source=source, row=row))
            continue
        names = (corpus.lexicon.resolve(name) or entities.key(name) for name in ledger.names)
        entries = tuple(
            dataclasses.replace(entry, source=sources.get(entry.fact)) for entry in ledger.entries
        )
        bold = ledger.last if ledger.confidence is None else ledger.confidence
        found.append(
            Opinion(
                section.id, section.statement, tuple(dict.fromkeys(names)) or about, bold or 0.0,
                entries[-1].day if entries else None, entries, source, row,
            )
        )  # fmt: skip
    if as_of is None:
        return found
    return [then for opinion in found if (then := opinion.as_of(as_of))]


def _sources(corpus: Corpus, ids: set[str]) -> dict[str, Source]:
    """Where the facts of those ids stand; those that are not found are left out."""
    sql = """
        SELECT id, path, start_line, end_line FROM facts
        WHERE id IN (SELECT unnest(?::VARCHAR[]))
    """
    with duck.reading(corpus.snapshot):
        rows = corpus.connection.execute(duck.fill(sql, sorted(ids))).fetchall()
    return {id_: Source(path, start, end) for id_, path, start, end in rows}


def _headings(corpus: Corpus, path: str) -> dict[tuple[int, str], tuple[int, tuple[str, ...]]]:
    """Row and entities of each fact of the page, by line and content."""
    sql = duck.fill("SELECT start_line, content, row, entities FROM facts WHERE path = ?", path)
    with duck.reading(corpus.snapshot):
        rows = corpus.connection.execute(sql).fetchall()
    return {(line, content): (row, tuple(keys or ())) for line, content, row, keys in rows}
