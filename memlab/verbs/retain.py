"""Retain: one fact, appended to the day's log under ``## Retain``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.errors import RetainError
from memlab.types import Kind, Source
from memlab.workspace import front_matter, grammar, layout, parser, parts, writer
from memlab.workspace.markdown import BlockType, blocks, split_lines
from memlab.workspace.reader import Page

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable

    from memlab.session import Session

SECTION = "## Retain"


@dataclass(frozen=True, slots=True)
class Retained:
    """A fact that was written.

    Attributes:
        id: Its id; truly identical facts get ``-2``, ``-3`` when they are indexed.
        source: Where it stands.
        bullet: The line as written.
    """

    id: str
    source: Source
    bullet: str

    def to_dict(self) -> dict[str, str]:
        """Plain values, as ``memlab retain --json`` prints them."""
        return {"id": self.id, "source": str(self.source), "bullet": self.bullet}


def retain(
    session: Session,
    text: str,
    *,
    kind: str | None = None,
    entities: Iterable[str] = (),
    confidence: float | None = None,
    day: dt.date | None = None,
    now: dt.datetime | dt.date | str | None = None,
) -> Retained:
    """Append one fact to a day's log.

    Args:
        session: The open workspace.
        text: A whole bullet (``W @Peter: lives in Berlin``), or the content alone where ``kind``,
            ``entities`` or ``confidence`` are given.
        kind: Its kind, by name or letter; an experience by default.
        entities: What it is about.
        confidence: Of an opinion, 0 to 1.
        day: The day; today by default, local to the workspace.
        now: The clock.

    Raises:
        RetainError: If it would not parse back as it was given.
        WriteError: If the log cannot be written.
    """
    names = tuple(entities)
    by_parts = kind is not None or names or confidence is not None
    bullet = _from_parts(text, kind, names, confidence) if by_parts else _from_text(text)
    if "<!--" in bullet.content:
        raise RetainError("the content has an HTML comment", hint="Remove it")
    line = f"- {grammar.render(bullet)}"
    day = day or session.now(now).date()
    path = layout.daily_path(day)
    with session.place.lock():
        number = writer.append(
            session.root / path, lambda there: _compose(path, there, line, bullet)
        )
        session.place.bump()
    fact = parser.fact_id(day, path, bullet.entities, bullet.content)
    return Retained(fact, Source(path, number, number), line)


def _compose(path: str, there: str, line: str, bullet: grammar.Bullet) -> str:
    """What to append to a log so that ``line`` stands in its Retain section."""
    added = "" if not there or there.endswith("\n") else "\n"
    if not there.strip():
        added += f"# {layout.day_of(path)}\n\n{SECTION}\n"
    else:
        found = list(blocks(front_matter.split(there).body))
        heading = next((b for b in reversed(found) if b.type is BlockType.HEADING), None)
        in_section = heading is not None and grammar.canonical(heading.text).casefold() == "retain"
        gap = "" if there.endswith("\n\n") else "\n"
        if not in_section:
            added += f"{gap}{SECTION}\n"
        elif found[-1].type not in (BlockType.ITEM, BlockType.HEADING):
            added += gap
    added += f"{line}\n"
    _check(path, there + added, bullet)
    return added


def _check(path: str, text: str, bullet: grammar.Bullet) -> None:
    """Refuse to write what would not be read back as it was given."""
    for number, fault in parts.find(text).faults:
        raise RetainError(fault, where=f"{path}#L{number}", hint="Mend the markers of the part")
    facts = parser.parse(Page(path, text, "")).facts
    last = facts[-1].fact if facts else None
    wanted = (
        len(split_lines(text)),
        bullet.kind,
        bullet.entities,
        bullet.content,
        bullet.confidence,
    )
    if last and wanted == (
        last.source.start,
        last.kind,
        last.entities,
        last.content,
        last.confidence,
    ):
        return
    raise RetainError(
        "a fact appended to this log would not be read back as it was given", where=path,
        hint="Close the code fence or comment that the log ends in",
    )  # fmt: skip


def _from_text(text: str) -> grammar.Bullet:
    try:
        bullet = grammar.parse(text.strip().removeprefix("- "))
    except grammar.BulletError as error:
        raise RetainError(f"it is no Retain bullet: {error}") from error
    return grammar.Bullet(
        bullet.kind or Kind.EXPERIENCE, bullet.entities, bullet.content, bullet.confidence
    )


def _from_parts(
    text: str, kind: str | None, names: tuple[str, ...], confidence: float | None
) -> grammar.Bullet:
    chosen = Kind.of(kind) if kind else Kind.OPINION if confidence is not None else Kind.EXPERIENCE
    if confidence is not None and chosen is not Kind.OPINION:
        raise RetainError(f"only an opinion has a confidence, not a fact of kind {chosen.value}")
    if chosen is Kind.OPINION and confidence is None:
        confidence = grammar.DEFAULT_CONFIDENCE
    if confidence is not None and not 0 <= confidence <= 1:
        raise RetainError(f"the confidence must lie in 0 to 1, got {confidence}")
    rounded = None if confidence is None else round(confidence, 5)
    content = grammar.canonical(text)
    if not content:
        raise RetainError("the content is empty")
    tagged = tuple(grammar.canonical(name.removeprefix("@")) for name in names)
    return grammar.Bullet(chosen, tagged, content, rounded)
