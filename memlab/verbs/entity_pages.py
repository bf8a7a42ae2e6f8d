"""The page of each entity: summary, timeline, opinions and related, each made of the evidence."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import TYPE_CHECKING

from memlab.opinions.ledger import page_of
from memlab.opinions.page import Ledger, sections, written
from memlab.store import duck, evidence
from memlab.types import Kind, Trouble
from memlab.verbs.conflicts import superseded
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
    lexicon = context.corpus.lexicon
    gone = superseded(context.corpus, context.as_of)
    held = opinions_about(context)
    made_from = _made_from(context, gone, held)
    looked_at = (context.touched | context.restated) & made_from.keys() - {evidence.NOBODY}
    due = {own for own in looked_at if _is_due(own, made_from[own], context)}
    found = evidence.by_entity(context.find(about=due) if due else ())
    slugs = {own: _stem(path) for own, path in lexicon.pages.items()}
    for own in sorted(due & found.keys()):
        facts = found[own]
        if not (context.is_new(facts) or own in context.restated):
            continue
        path = lexicon.pages.get(own)
        if path is None:
            if sum(own in fact.named for fact in facts) < PAGE_FACTS:
                context.settled[_no_page(own)] = made_from[own]
                continue
            slugs[own] = entities.distinct_slug(lexicon.names[own], slugs.values())
            path = f"{layout.ENTITY_FOLDER}/{slugs[own]}.md"
        if not context.readable(path):
            continue
        before = context.text(path)
        name = lexicon.names[own]
        text = f"---\nname: {_yaml(name)}\n---\n\n# {name}\n" if before is None else before
        standing = parts.find(text)
        if standing.faults:
            for line, fault in standing.faults:
                context.troubles.append(Trouble(path, f"not written: {fault}", line))
            continue
        bodies = {
            "summary": _summary(own, facts, gone), "timeline": _timeline(facts),
            "opinions": _section("Opinions", held.get(own, ())),
            "related": _section("Related", _related(own, facts, lexicon.names)),
        }  # fmt: skip
        done = parts.update(text, _listed(bodies, standing), back=context.back(path))
        context.keep(path, done.edited)
        if not done.edited:
            context.settled[path] = made_from[own]
        if done.text != before:
            newest = max(fact.day for fact in facts)
            reason = f"{len(facts)} facts of evidence, the newest of {newest}"
            yield Change(path, before, done.text, reason)


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


def _made_from(
    context: Context, gone: Mapping[str, str], held: Mapping[str, list[str]]
) -> dict[str, str]:
    """For each entity a digest of all that its page is made from."""
    sql = "SELECT id, entities FROM facts WHERE id IN (SELECT unnest(?::VARCHAR[])) ORDER BY id"
    lost: dict[str, list[str]] = {}
    with duck.reading(context.corpus.snapshot):
        rows = context.corpus.connection.execute(duck.fill(sql, sorted(gone))).fetchall()
    for id_, keys in rows:
        for own in keys or ():
            lost.setdefault(own, []).append(id_)
    return {
        own: hashlib.sha256(
            json.dumps([digest, lost.get(own), held.get(own)]).encode()
        ).hexdigest()[:16]
        for own, digest in context.digests.items()
    }


def _is_due(own: str, made_from: str, context: Context) -> bool:
    """Whether a page may differ from what it would be made to."""
    path = context.corpus.lexicon.pages.get(own)
    memo = context.memo
    if memo.renamed(context.corpus.lexicon.names) or (path and context.back(path)):
        return True
    if path is None:
        return not memo.is_current(_no_page(own), None, made_from)
    return not memo.is_current(path, context.hashes.get(path), made_from)


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


def _related(own: str, facts: Iterable[Evidence], names: Mapping[str, str]) -> Iterator[str]:
    """Whom most facts name together with an entity, those of most facts first."""
    met = Counter(other for fact in facts for other in fact.entities if other != own)
    often = [(-count, other) for other, count in met.items() if count >= TOGETHER]
    return (f"- {names.get(other, other)}" for _, other in sorted(often)[:RELATED])


def _section(title: str, lines: Iterable[str]) -> str:
    """A heading and lines; nothing where there are none."""
    found = list(lines)
    return "\n".join([f"## {title}", "", *found]) if found else ""


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]


def _yaml(name: str) -> str:
    import yaml

    return str(yaml.safe_dump(name, allow_unicode=True, width=1_000)).removesuffix("...\n").strip()
