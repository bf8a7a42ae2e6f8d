"""The page of each entity: a summary and a timeline, each a pure function of the evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlab.types import Kind, Trouble
from memlab.verbs.plan import Change
from memlab.workspace import entities, layout, parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memlab.store.evidence import Evidence
    from memlab.verbs.plan import Context

SUMMARY_FACTS = 7
"""A summary has at most so many bullets."""
PAGE_FACTS = 3
"""An entity without a page gets one when so many facts name it."""

_WEIGHT = {Kind.WORLD: 2, Kind.OPINION: 1, Kind.EXPERIENCE: 0}


def entity_pages(context: Context) -> Iterator[Change]:
    """The pages of entities, brought up to date with the evidence."""
    lexicon = context.corpus.lexicon
    slugs = {own: _stem(path) for own, path in lexicon.pages.items()}
    for own, facts in context.by_entity.items():
        if not context.is_new(facts):
            continue
        path = lexicon.pages.get(own)
        if path is None:
            if sum(own in fact.named for fact in facts) < PAGE_FACTS:
                continue
            slugs[own] = entities.distinct_slug(lexicon.names[own], slugs.values())
            path = f"{layout.ENTITY_FOLDER}/{slugs[own]}.md"
        if not context.readable(path):
            continue
        before = context.text(path)
        after = _page(path, before, own, facts, context)
        if after is not None and after != before:
            newest = max(fact.day for fact in facts)
            reason = f"{len(facts)} facts of evidence, the newest of {newest}"
            yield Change(path, before, after, reason)


def _page(
    path: str, before: str | None, own: str, facts: list[Evidence], context: Context
) -> str | None:
    """The page's text with its parts brought up to date; None if it must be left alone."""
    name, troubles = context.corpus.lexicon.names[own], context.troubles
    text = f"---\nname: {_yaml(name)}\n---\n\n# {name}\n" if before is None else before
    faults = parts.find(text).faults
    if faults:
        troubles += [Trouble(path, f"not written: {fault}", line) for line, fault in faults]
        return None
    done = parts.update(text, {"summary": _summary(own, facts), "timeline": _timeline(facts)})
    for part, _ in done.edited:
        message = f"a person edited the part {part.name!r}; it is left as it is"
        troubles.append(Trouble(path, message, part.start))
    return done.text


def _summary(own: str, facts: list[Evidence]) -> str:
    """The facts that say most now: of the world before opinions before events, newest first."""
    current = [fact for fact in facts if not fact.superseded]
    best = sorted(
        current, key=lambda f: (_WEIGHT[f.kind], own in f.named, f.day, f.id), reverse=True
    )
    chosen = sorted(best[:SUMMARY_FACTS], key=lambda f: (f.day, f.id), reverse=True)
    return "\n".join(["## Summary", "", *(f"- {f.content} ({f.day}, {f.id})" for f in chosen)])


def _timeline(facts: list[Evidence]) -> str:
    """Every fact under its month, oldest first."""
    return "\n".join(["## Timeline", *_months(facts)])


def _months(facts: list[Evidence]) -> Iterator[str]:
    month = ""
    for fact in sorted(facts, key=lambda f: (f.day, f.id)):
        if f"{fact.day:%Y-%m}" != month:
            month = f"{fact.day:%Y-%m}"
            yield from ("", f"### {month}", "")
        yield f"- {fact.day}: {fact.content} ({fact.id})"


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]


def _yaml(name: str) -> str:
    import yaml

    return str(yaml.safe_dump(name, allow_unicode=True, width=1_000)).removesuffix("...\n").strip()
