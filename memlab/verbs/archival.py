"""Archival memory, as MemGPT has it, on retain and recall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from memlab.errors import ParameterError
from memlab.verbs.recall import recall
from memlab.verbs.retain import Retained, retain

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable

    from memlab.session import Session
    from memlab.types import Hit


def archival_insert(
    session: Session,
    content: str,
    *,
    tags: Iterable[str] = (),
    kind: str | None = None,
    now: dt.datetime | dt.date | str | None = None,
) -> Retained:
    """Retain a fact about some entities, unless it is known word for word.

    Args:
        session: The open workspace.
        content: What is to be kept; it must make sense alone.
        tags: The entities that it is about.
        kind: Its kind; an experience by default.
        now: The clock.

    Raises:
        RetainError: If it would not read back as it was given.
    """
    return retain(
        session, content, kind=kind or "experience", entities=tags, unless_known=True, now=now
    )


def archival_search(
    session: Session,
    query: str,
    *,
    tags: Iterable[str] = (),
    tag_match_mode: Literal["any", "all"] = "any",
    top_k: int = 10,
    start: str | dt.date | None = None,
    end: str | dt.date | None = None,
    now: dt.datetime | dt.date | str | None = None,
) -> list[Hit]:
    """The facts that answer a query, best first.

    Args:
        session: The open workspace.
        query: A question or some words.
        tags: Only facts about these entities.
        tag_match_mode: About any of them, or about all.
        top_k: At most so many.
        start: Only facts of that day or later.
        end: Only facts of that day or earlier; the day itself counts to its end.
        now: The clock.

    Raises:
        ParameterError: If a parameter is not usable.
    """
    if tag_match_mode not in ("any", "all"):
        raise ParameterError(f"tag_match_mode must be 'any' or 'all', got {tag_match_mode!r}")
    names = tuple(tags)
    wanted = [(name,) for name in names] if tag_match_mode == "any" and names else [names]
    found: dict[str, Hit] = {}
    for entities in wanted:
        for hit in recall(
            session, query, k=top_k, since=start, until=end, entities=entities, now=now
        ):
            found.setdefault(hit.fact.id, hit)
    return sorted(found.values(), key=lambda hit: (-hit.score, hit.fact.id))[:top_k]
