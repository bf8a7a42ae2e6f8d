"""Show: the lines behind a citation or a fact id, as they stand on the page now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memlab.cite import as_dict
from memlab.errors import CitationError
from memlab.session import mending
from memlab.types import Fact, Hit, Source
from memlab.verbs import past
from memlab.workspace import writer
from memlab.workspace.markdown import split_lines

if TYPE_CHECKING:
    from memlab.session import Refresh, Session


@dataclass(frozen=True, slots=True)
class Shown:
    """What stands at a citation.

    Attributes:
        source: The citation.
        lines: The lines, without their endings.
        facts: The facts that they hold.
    """

    source: Source
    lines: tuple[str, ...]
    facts: tuple[Fact, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as ``memlab show --json`` prints them."""
        facts = [as_dict(Hit(fact, 0, 0.0)) for fact in self.facts]
        for fact in facts:
            del fact["score"]
        return {"source": str(self.source), "lines": list(self.lines), "facts": facts}

    def to_text(self) -> str:
        """The lines with their numbers, then each fact's id, kind and time."""
        numbered = [
            f"{number:>5}  {line}"
            for number, line in enumerate(self.lines, start=self.source.start)
        ]
        details = [
            f"{fact.id}  {fact.kind.value}  {fact.when or 'undated'}  {fact.source}"
            + (f"  superseded by {fact.superseded_by}" if fact.superseded_by else "")
            for fact in self.facts
        ]
        return "\n".join([str(self.source), *numbered, *details])


@mending
def show(session: Session, what: str, *, refresh: Refresh | None = None) -> Shown:
    """The lines that a citation (``memory/2025-11-27.md#L12``) or a fact id (``f-…``) names.

    Raises:
        CitationError: If it is neither, or there is nothing there.
    """
    corpus = session.corpus(refresh)
    if what.startswith("f-"):
        facts = [corpus.find(what)]
        source = facts[0].source
    else:
        source = Source.parse(what)
        facts = corpus.touching(source)
    path = facts[0].source.path if facts else source.path
    place = session.root / path
    if not place.resolve().is_relative_to(session.root.resolve()):
        raise CitationError("lies outside the workspace", where=what)
    text = writer.read_text(place)
    lines = split_lines(text) if text is not None else []
    if source.start > len(lines):
        has = f"it has {len(lines)} lines" if text is not None else "there is no such page"
        raise CitationError(f"nothing stands there: {has}", where=what)
    found = tuple(lines[source.start - 1 : source.end])
    shown = Source(path, source.start, source.start + len(found) - 1)
    return Shown(shown, found, past.as_held(corpus, facts))
