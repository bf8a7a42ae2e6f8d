"""The typed pages: what lasts, in a part after a person's text, made of the evidence alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from memlab.store import duck
from memlab.tokens import words
from memlab.types import Trouble
from memlab.verbs.durable import EXPERIENCE, WORLD, durable
from memlab.verbs.memo import digest
from memlab.verbs.plan import Change
from memlab.workspace import layout, parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memlab.store.corpus import Corpus
    from memlab.store.evidence import Evidence
    from memlab.verbs.plan import Context
    from memlab.workspace.slots import Claim

PART = "promoted"
_TITLES = {WORLD: "World", EXPERIENCE: "Experience"}
_ROLES = {WORLD: layout.Role.WORLD, EXPERIENCE: layout.Role.EXPERIENCE}


class Lasting(NamedTuple):
    """A fact that lasts, as a page has it.

    Attributes:
        page: The typed page that it goes to.
        day: The day of the fact's page, by ISO 8601.
        id: The fact's id.
        text: Its words, and whom it is about.
        why: The rule that it meets.
    """

    page: str
    day: str
    id: str
    text: str
    why: str


def typed_pages(context: Context) -> Iterator[Change]:
    """``bank/world.md`` and ``bank/experience.md``, brought up to date with the evidence."""
    # a page is of all the evidence: any that is new may be a note of long ago, written late
    if not context.touched:
        return
    made_from = digest(context.subjects.digest, json.dumps(sorted(context.gone.items())))
    for page, title in _TITLES.items():
        path = _spelled(page, context.corpus)
        if not context.is_settled(path, made_from) and context.readable(path):
            found = (Lasting(*row) for row in context.subjects.derive("lasting", lasting))
            own = sorted(one for one in found if one.page == page)
            yield from _changes(path, title, own, context)
            context.settle(path, made_from)


def lasting(facts: Sequence[Evidence], claims: Mapping[str, Sequence[Claim]]) -> list[Lasting]:
    """The facts of a subject that last, by day and id."""
    return [
        Lasting(one.page, one.fact.day.isoformat(), one.fact.id, text_of(one.fact), one.why)
        for one in durable(facts, claims)
    ]


def _changes(path: str, title: str, own: Sequence[Lasting], context: Context) -> Iterator[Change]:
    before = context.text(path)
    text = f"# {title}\n" if before is None else before
    found = parts.find(text)
    if found.faults:
        context.troubles += [Trouble(path, f"not written: {m}", line) for line, m in found.faults]
        return
    if not own and not found.get(PART):
        return
    gone = context.gone
    body = "\n".join(line_of(one, gone.get(one.id)) for one in own)
    # by this a page whose part a person took out is told from one that never had it
    bodies = {PART: body, parts.KNOWN: f"<!-- {PART} -->" if body else ""}
    updated = parts.update(text, bodies, back=context.back(path))
    context.keep(path, updated.edited)
    if updated.text != before:
        lost = sum(one.id in gone for one in own)
        newest = f", the newest of {own[-1].day}" if own else ""
        struck = f", {lost} of them superseded" if lost else ""
        yield Change(path, before, updated.text, f"{len(own)} facts that last{struck}{newest}")


def text_of(fact: Evidence) -> str:
    """A fact's words, after the name of whom it is about where they do not say it."""
    if fact.names and not set(words(fact.names[0])) <= set(words(fact.content)):
        return f"{fact.names[0]}: {fact.content}"
    return fact.content


def line_of(one: Lasting, taker: str | None = None) -> str:
    """A line of the part: a fact with day and id, or struck through with what took its place."""
    if taker:
        return f"- ~~{one.text}~~ → {taker}"
    return f"- {one.text} ({one.day}, {one.id})"


def _spelled(page: str, corpus: Corpus) -> str:
    """The page's path as the workspace spells it."""
    sql = duck.fill("SELECT path FROM pages WHERE role = ? ORDER BY path", _ROLES[page])
    with duck.reading(corpus.snapshot):
        found = corpus.connection.execute(sql).fetchone()
    return str(found[0]) if found else page
