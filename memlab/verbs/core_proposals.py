"""What reflect proposes for the core: lasting facts and firm opinions that it lacks.

Each is a page of ``bank/proposals/`` for a person to apply or to reject; the core itself is never
written. A fact is proposed once it was said on `EVENTS` occasions more than three days apart, and
is not superseded; an opinion once it is held with `FIRM` or more on as many events for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.errors import WriteError
from memlab.opinions.fold import NEAR_DAYS
from memlab.opinions.ledger import page_of
from memlab.opinions.page import Ledger, sections
from memlab.store import succession
from memlab.tokens import query_terms, tokens, words
from memlab.types import Kind, Trouble
from memlab.verbs.conflicts import superseded
from memlab.verbs.core import core_blocks
from memlab.verbs.durable import groups
from memlab.verbs.plan import Change
from memlab.verbs.promote import text_of
from memlab.workspace import core, proposals, writer

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence

    from memlab.store.evidence import Evidence
    from memlab.verbs.plan import Context
    from memlab.workspace.core import CoreBlock

EVENTS = 3
"""So many occasions are much support."""
FIRM = 0.9
"""An opinion with at least this confidence is firm."""
LACKS = 0.8
"""The core has a text when one of its lines has so much of its words."""
BLOCK = "Human"
"""The heading of the block that is proposed where the core has none to write to."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that the core may lack.

    Attributes:
        text: Its words.
        names: Whom it is about.
        day: The day of the newest evidence that it needs.
        why: What speaks for it.
        evidence: Ids of facts, and of the opinion first where it is one.
    """

    text: str
    names: tuple[str, ...]
    day: dt.date
    why: str
    evidence: tuple[str, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """By which it is known again, however it is worded: the opinion, or the first facts."""
        return self.evidence[: 1 if self.evidence[0].startswith("o-") else EVENTS]


def core_proposals(context: Context) -> Iterator[Change]:
    """A page for each text that the core lacks and that was never proposed before."""
    if not context.is_new(context.facts):
        return
    found = [*_facts(context), *_opinions(context)]
    if not found:
        return
    try:
        blocks = core_blocks(context.session)
    except WriteError as error:
        context.troubles.append(Trouble(str(error.where), f"not read: it {error.message}"))
        return
    digests, spent = _known(context)
    path = next((one for one in core.NAMES if context.text(one) is not None), core.NAMES[0])
    before = context.text(path)
    for one in found:
        if not lacks(blocks, one.text) or not spent.isdisjoint(one.keys):
            continue
        line = f"- {one.text}"
        label, after = _placed(before or "", blocks, path, line, one.names)
        if proposals.digest(label, line) not in digests:
            text = proposals.render(
                block=label, why=one.why, evidence=one.evidence, title=one.text,
                diff=Change(path, before, after, "").diff(),
            )  # fmt: skip
            page = proposals.path_of(one.day, label, line)
            yield Change(page, None, text, f"proposed for the core: {one.why}")


def lacks(blocks: Sequence[CoreBlock], text: str) -> bool:
    """Whether no line of the core has most of a text's words."""
    wanted = set(query_terms(text))
    return bool(wanted) and not any(
        len(wanted & set(tokens(line))) >= LACKS * len(wanted)
        for block in blocks
        for line in block.lines
    )


def _facts(context: Context) -> Iterator[Candidate]:
    """Facts that were said on enough occasions; what they say last, before it was enough."""
    gone = superseded(context.corpus, context.as_of)
    own = [
        fact for fact in context.facts
        if fact.heads and fact.kind is not Kind.OPINION
    ]  # fmt: skip
    for group in _alike(context, own):
        if group[-1].id in gone:
            continue
        needed = _occasions(group)[:EVENTS]
        if len(needed) == EVENTS:
            last = needed[-1]
            why = f"said on {EVENTS} occasions, from {needed[0].day} to {last.day}"
            ids = tuple(fact.id for fact in needed)
            yield Candidate(text_of(last), last.names, last.day, why, ids)


def _alike(context: Context, facts: list[Evidence]) -> list[list[Evidence]]:
    """Facts that say the same: in much the same words, or of one slot the same."""
    said = [one for one in succession.sayings_of(context.corpus) if len(one.claims) == 1]
    ids = context.corpus.ids(one.row for one in said)
    claim = {id_: (one.entity, one.claims[0]) for id_, one in zip(ids, said, strict=True)}
    found: dict[object, list[Evidence]] = {}
    for number, group in enumerate(groups(facts)):
        for fact in group:
            own = claim.get(fact.id)
            if own is None:
                key: object = number
            elif own[1].denied:
                continue
            else:
                key = (own[0], own[1].slot, own[1].words, own[1].scope)
            found.setdefault(key, []).append(fact)
    return [sorted(own, key=lambda fact: (fact.day, fact.id)) for own in found.values()]


def _occasions(facts: list[Evidence]) -> list[Evidence]:
    """The first fact of each occasion; what is at most three days after another is of its own."""
    found: list[Evidence] = []
    before: Evidence | None = None
    for fact in facts:
        if before is None or (fact.day - before.day).days > NEAR_DAYS:
            found.append(fact)
        before = fact
    return found


def _opinions(context: Context) -> Iterator[Candidate]:
    """Opinions that are firm, by the page of opinions as it is planned."""
    path = page_of(context.corpus)
    text = context.text(path) if context.readable(path) else None
    for section in sections(text or ""):
        ledger = Ledger.parse(section.part.body) if section.part else None
        if ledger is None or not section.statement or (ledger.confidence or 0) < FIRM:
            continue
        held = [entry for entry in ledger.entries if entry.verb == "for"]
        if len(held) >= EVENTS and ledger.entries[-1].verb != "against":
            day = ledger.entries[-1].day
            why = f"held with {ledger.confidence:.2f} on {len(held)} events, the last of {day}"
            ids = (section.id, *(entry.fact for entry in held))
            yield Candidate(section.statement, ledger.names, day, why, ids)


def _known(context: Context) -> tuple[set[str], set[str]]:
    """The digests of all proposals that there are, and what each rests on first."""
    digests: set[str] = set()
    spent: set[str] = set()
    for file in sorted((context.session.root / proposals.FOLDER).glob("*.md")):
        path = f"{proposals.FOLDER}/{file.name}"
        if context.readable(path):
            one = proposals.parse(path, writer.read_text(file) or "")
            digests.add(one.digest)
            spent.update(one.evidence[:1])
    return digests, spent


def _placed(
    text: str, blocks: Sequence[CoreBlock], path: str, line: str, names: Sequence[str]
) -> tuple[str, str]:
    """The label of the block that a line goes to, and the core's file with it there."""
    own = [one for one in blocks if one.path == path and not one.read_only]
    about = {word for name in names for word in words(name)}
    ranked = sorted(own, key=lambda one: -len(about & set(words(one.value))))
    best = ranked[0] if ranked and about & set(words(ranked[0].value)) else None
    best = best or next((one for one in own if one.label == core.slug(BLOCK)), None)
    if best is None:
        return core.slug(BLOCK), core.with_block(text, BLOCK, line)
    return best.label, core.with_value(text, best, "\n".join([*best.lines, line]))
