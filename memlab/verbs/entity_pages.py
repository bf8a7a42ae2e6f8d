"""The page of each entity: summary, timeline, opinions and related, each made of the evidence."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from memlab.opinions.ledger import page_of
from memlab.opinions.page import Ledger, sections, written
from memlab.store import evidence
from memlab.types import Kind, Trouble
from memlab.verbs.memo import digest
from memlab.verbs.plan import Change
from memlab.workspace import entities, layout, parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memlab.store.evidence import Evidence
    from memlab.verbs.plan import Context

SUMMARY_FACTS = 7
"""A summary has at most so many bullets."""
PAGE_FACTS = 3
"""An entity without a page gets one when so many facts name it."""
RELATED = 7
"""At most so many entities are listed as related …"""
TOGETHER = 2
"""… each of which at least so many facts name together with the page's own."""
ALIKE = 0.6
"""Of facts that have so much of their words in common (Jaccard) a summary has one."""


def entity_pages(context: Context) -> Iterator[Change]:
    """The pages of entities, brought up to date with the evidence."""
    names, pages, gone = context.corpus.lexicon.names, context.corpus.lexicon.pages, context.gone
    made_from = _Inputs(context)
    looked_at = (context.touched | context.restated) & context.digests.keys() - {evidence.NOBODY}
    due = {
        own for own in looked_at
        if not context.is_settled(pages.get(own) or _no_page(own), made_from(own))
    }  # fmt: skip
    found = evidence.by_entity(context.about(due))
    slugs = {own: _stem(path) for own, path in pages.items()}
    for own in sorted(due & found.keys()):
        facts = found[own]
        if not (context.is_new(facts) or own in context.restated):
            continue
        related = _related(own, facts)
        path = pages.get(own)
        if path is None:
            if sum(own in fact.named for fact in facts) < PAGE_FACTS:
                context.settle(_no_page(own), made_from(own, related))
                continue
            slugs[own] = entities.distinct_slug(names[own], slugs.values())
            path = f"{layout.ENTITY_FOLDER}/{slugs[own]}.md"
        if not context.readable(path):
            continue
        before = context.text(path)
        name = names[own]
        text = f"---\nname: {_yaml(name)}\n---\n\n# {name}\n" if before is None else before
        standing = parts.find(text)
        if standing.faults:
            for line, fault in standing.faults:
                context.troubles.append(Trouble(path, f"not written: {fault}", line))
            continue
        bodies = {
            "summary": _summary(own, facts, gone), "timeline": _timeline(facts),
            "opinions": _section("Opinions", made_from.held.get(own, ())),
            "related": _section("Related", (f"- {names.get(other, other)}" for other in related)),
        }  # fmt: skip
        done = parts.update(text, _listed(bodies, standing), back=context.back(path))
        context.keep(path, done.edited)
        context.settle(path, made_from(own, related))
        if done.text != before:
            newest = max(fact.day for fact in facts)
            reason = f"{len(facts)} facts of evidence, the newest of {newest}"
            yield Change(path, before, done.text, reason)


class _Inputs:
    """What the pages of entities are made from.

    Args:
        context: The reflect.

    Attributes:
        held: A line for each opinion about each entity, by its key.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self.held = opinions_about(context)

    def __call__(self, own: str, related: Sequence[str] | None = None) -> str:
        """A digest of all that the page of an entity is made from.

        Args:
            own: The entity's key.
            related: Those that it lists as related; None for those that it listed when it was made.
        """
        context = self._context
        if related is None:
            related = context.memo.related.get(own, ())
        else:
            context.related[own] = list(related)
        names = [context.corpus.lexicon.names.get(other) for other in related]
        gone = context.superseded
        lost = sorted(
            gone[row][0] for row in context.corpus.rows_about(own).tolist() if row in gone
        )
        return digest(json.dumps([context.digests[own], lost, self.held.get(own), names]))


def opinions_about(context: Context) -> dict[str, list[str]]:
    """A line for each opinion about each entity, by its key, as the page of opinions has them."""
    path = page_of(context.corpus)
    text = context.text(path) if context.readable(path) else None
    resolve = context.corpus.lexicon.resolve
    found: dict[str, list[str]] = {}
    for section in sections(text or ""):
        if section.part is None or not section.statement:
            continue
        ledger = Ledger.parse(section.part.body)
        line = f"- **{written(ledger.confidence or 0)}** {section.statement} ({section.id})"
        for name in ledger.names:
            found.setdefault(resolve(name) or entities.key(name), []).append(line)
    return found


def _no_page(own: str) -> str:
    """Under what the memo has an entity without a page."""
    return f"@{own}"


def _listed(bodies: Mapping[str, str], standing: parts.Parts) -> dict[str, str]:
    """The bodies, and the list of those that are put there or were taken out by a person.

    Without the list, a part that a person took out would be one that is new.
    """
    known = parts.names_known(standing) or set()
    taken = {name for name in bodies if name in standing.off or standing.get(name) is None} & known
    names = [name for name, body in bodies.items() if body or name in taken]
    return {**bodies, parts.KNOWN: f"<!-- {' '.join(names)} -->"}


def _summary(own: str, facts: Sequence[Evidence], gone: Mapping[str, str]) -> str:
    """The facts that say most and still hold: of the world before events, the newest first.

    Opinions are none of them: what is believed stands in a part of its own.
    """
    ranked = sorted(
        (fact for fact in facts if fact.id not in gone and fact.kind is not Kind.OPINION),
        key=lambda f: (f.kind is Kind.WORLD, own in f.heads, own in f.named, f.day, f.id),
        reverse=True,
    )
    chosen: list[Evidence] = []
    for fact in ranked:
        if len(chosen) < SUMMARY_FACTS and not any(_alike(fact, other) for other in chosen):
            chosen.append(fact)
    return _section("Summary", (f"- {f.content} ({f.day}, {f.id})" for f in chosen))


def _alike(one: Evidence, other: Evidence) -> bool:
    shared = len(one.tokens & other.tokens)
    return shared > 0 and shared >= ALIKE * len(one.tokens | other.tokens)


def _timeline(facts: Iterable[Evidence]) -> str:
    """Every fact under its month, oldest first."""
    lines = ["## Timeline"]
    month = ""
    for fact in sorted(facts, key=lambda f: (f.day, f.id)):
        if f"{fact.day:%Y-%m}" != month:
            month = f"{fact.day:%Y-%m}"
            lines += ["", f"### {month}", ""]
        sure = "" if fact.confidence is None else f"opinion {written(fact.confidence)}, "
        lines.append(f"- {fact.day}: {fact.content} ({sure}{fact.id})")
    return "\n".join(lines)


def _related(own: str, facts: Iterable[Evidence]) -> list[str]:
    """Whom most facts name together with an entity, those of most facts first."""
    met = Counter(other for fact in facts for other in fact.entities if other != own)
    often = [(-count, other) for other, count in met.items() if count >= TOGETHER]
    return [other for _, other in sorted(often)[:RELATED]]


def _section(title: str, lines: Iterable[str]) -> str:
    """A heading and lines; nothing where there are none."""
    found = list(lines)
    return "\n".join([f"## {title}", "", *found]) if found else ""


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]


def _yaml(name: str) -> str:
    import yaml

    return str(yaml.safe_dump(name, allow_unicode=True, width=1_000)).removesuffix("...\n").strip()
