"""The typed pages: what lasts, in a part after a person's text, made of the evidence alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlab.store import duck, succession
from memlab.tokens import words
from memlab.types import Trouble
from memlab.verbs.conflicts import superseded
from memlab.verbs.durable import EXPERIENCE, WORLD, Durable, durable
from memlab.verbs.plan import Change
from memlab.workspace import layout, parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memlab.store.corpus import Corpus
    from memlab.store.evidence import Evidence
    from memlab.verbs.plan import Context

PART = "promoted"
_TITLES = {WORLD: "World", EXPERIENCE: "Experience"}
_ROLES = {WORLD: layout.Role.WORLD, EXPERIENCE: layout.Role.EXPERIENCE}


def typed_pages(context: Context) -> Iterator[Change]:
    """``bank/world.md`` and ``bank/experience.md``, brought up to date with the evidence."""
    # a page is of all the evidence: any that is new may be a note of long ago, written late
    if not context.is_new(context.facts):
        return
    found = promotions(context)
    gone = superseded(context.corpus, context.as_of)
    for page in _TITLES:
        own = [one for one in found if one.page == page]
        yield from _changes(page, own, gone, context)


def promotions(context: Context) -> list[Durable]:
    """The facts that last, each with the rule that it meets."""
    corpus = context.corpus
    said = succession.sayings_of(corpus)
    ids = corpus.ids(one.row for one in said)
    return durable(context.facts, {id_: one.claims for id_, one in zip(ids, said, strict=True)})


def _changes(
    page: str, own: Sequence[Durable], gone: Mapping[str, str], context: Context
) -> Iterator[Change]:
    path = _spelled(page, context.corpus)
    if not context.readable(path):
        return
    before = context.text(path)
    text = f"# {_TITLES[page]}\n" if before is None else before
    found = parts.find(text)
    if found.faults:
        context.troubles += [Trouble(path, f"not written: {m}", line) for line, m in found.faults]
        return
    if not own and not found.get(PART):
        return
    body = "\n".join(line_of(one.fact, gone.get(one.fact.id)) for one in own)
    # by this a page whose part a person took out is told from one that never had it
    bodies = {PART: body, parts.KNOWN: f"<!-- {PART} -->" if body else ""}
    updated = parts.update(text, bodies, back=context.back(path))
    context.keep(path, updated.edited)
    if updated.text != before:
        lost = sum(one.fact.id in gone for one in own)
        newest = f", the newest of {own[-1].fact.day}" if own else ""
        struck = f", {lost} of them superseded" if lost else ""
        yield Change(path, before, updated.text, f"{len(own)} facts that last{struck}{newest}")


def text_of(fact: Evidence) -> str:
    """A fact's words, after the name of whom it is about where they do not say it."""
    if fact.names and not set(words(fact.names[0])) <= set(words(fact.content)):
        return f"{fact.names[0]}: {fact.content}"
    return fact.content


def line_of(fact: Evidence, taker: str | None = None) -> str:
    """A line of the part: a fact with day and id, or struck through with what took its place."""
    text = text_of(fact)
    return f"- ~~{text}~~ → {taker}" if taker else f"- {text} ({fact.day}, {fact.id})"


def _spelled(page: str, corpus: Corpus) -> str:
    """The page's path as the workspace spells it."""
    sql = duck.fill("SELECT path FROM pages WHERE role = ? ORDER BY path", _ROLES[page])
    with duck.reading(corpus.snapshot):
        found = corpus.connection.execute(sql).fetchone()
    return str(found[0]) if found else page
