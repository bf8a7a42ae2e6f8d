"""What reflect proposes for the core: lasting facts and firm opinions that it lacks.

Each is a page of ``bank/proposals/`` for a person to apply or to reject; the core itself is never
written. A fact is proposed once it was said on `EVENTS` occasions more than three days apart, and
is not superseded; an opinion once it is held with `FIRM` or more on as many events for it.
"""

from __future__ import annotations

import datetime as dt
import functools
from typing import TYPE_CHECKING, NamedTuple

from memlab.errors import WriteError
from memlab.opinions.fold import NEAR_DAYS
from memlab.opinions.ledger import page_of
from memlab.opinions.page import Ledger, sections
from memlab.store.stats import stamp
from memlab.tokens import query_terms, tokens, words
from memlab.types import Kind, Trouble
from memlab.verbs.core import core_blocks
from memlab.verbs.durable import groups
from memlab.verbs.plan import Change
from memlab.verbs.promote import text_of
from memlab.workspace import core, proposals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memlab.store.evidence import Evidence
    from memlab.verbs.plan import Context
    from memlab.workspace.core import CoreBlock
    from memlab.workspace.slots import Claim

EVENTS = 3
"""So many occasions are much support."""
FIRM = 0.9
"""An opinion with at least this confidence is firm."""
LACKS = 0.8
"""The core has a text when one of its lines has so much of its words."""
BLOCK = "Human"
"""The heading of the block that is proposed where the core has none to write to."""


class Candidate(NamedTuple):
    """A text that the core may lack.

    Attributes:
        day: The day of the newest evidence that it needs, by ISO 8601.
        text: Its words.
        names: Whom it is about.
        why: What speaks for it.
        evidence: Ids of facts, and of the opinion first where it is one.
        last: Of facts, the id of the last that says so.
    """

    day: str
    text: str
    names: Sequence[str]
    why: str
    evidence: Sequence[str]
    last: str = ""

    @property
    def keys(self) -> Sequence[str]:
        """By which it is known again, however it is worded: the opinion, or the first facts."""
        return self.evidence[: 1 if self.evidence[0].startswith("o-") else EVENTS]


def core_proposals(context: Context) -> Iterator[Change]:
    """A page for each text that the core lacks and that was never proposed before."""
    if not context.touched:
        return
    found = [*_facts(context), *_opinions(context)]
    digests, spent = _known(context) if found else (set(), set())
    found = [one for one in found if spent.isdisjoint(one.keys)]
    if not found:
        return
    try:
        blocks = core_blocks(context.session)
    except WriteError as error:
        context.troubles.append(Trouble(str(error.where), f"not read: it {error.message}"))
        return
    path = next((one for one in core.NAMES if context.text(one) is not None), core.NAMES[0])
    before = context.text(path)
    for one in found:
        if not lacks(blocks, one.text):
            continue
        line = f"- {one.text}"
        label, after = _placed(before or "", blocks, path, line, one.names)
        digest = proposals.digest(label, line)
        if digest not in digests:
            digests.add(digest)
            text = proposals.render(
                block=label, why=one.why, evidence=one.evidence, title=one.text,
                diff=Change(path, before, after, "").diff(),
            )  # fmt: skip
            page = proposals.path_of(dt.date.fromisoformat(one.day), label, line)
            yield Change(page, None, text, f"proposed for the core: {one.why}")


def lacks(blocks: Iterable[CoreBlock], text: str) -> bool:
    """Whether no line of the core has most of a text's words."""
    wanted = set(query_terms(text))
    return bool(wanted) and not any(
        len(wanted & _words(line)) >= LACKS * len(wanted)
        for block in blocks
        for line in block.lines
    )


@functools.lru_cache(maxsize=4096)
def _words(line: str) -> frozenset[str]:
    """The search tokens of a line of the core, which many texts are compared with."""
    return frozenset(tokens(line))


def _facts(context: Context) -> list[Candidate]:
    """Facts that were said on enough occasions, oldest first; no superseded ones."""
    found = (Candidate(*row) for row in context.subjects.derive("often", often))
    gone = context.gone
    standing = (one for one in found if one.last not in gone)
    return sorted(standing, key=lambda one: (one.day, one.last))


def often(facts: Iterable[Evidence], claims: Mapping[str, Sequence[Claim]]) -> list[Candidate]:
    """What was said of a subject on enough occasions, as it was worded on the last of them.

    Args:
        facts: The facts about it.
        claims: What facts claim, by their ids.
    """
    found = []
    for group in _alike([fact for fact in facts if fact.kind is not Kind.OPINION], claims):
        needed = _occasions(group)[:EVENTS]
        if len(needed) == EVENTS:
            last = needed[-1]
            why = f"said on {EVENTS} occasions, from {needed[0].day} to {last.day}"
            ids = [fact.id for fact in needed]
            found.append(
                Candidate(last.day.isoformat(), text_of(last), last.names, why, ids, group[-1].id)
            )
    return found


def _alike(
    facts: Iterable[Evidence], claims: Mapping[str, Sequence[Claim]]
) -> list[list[Evidence]]:
    """Facts that say the same: in much the same words, or of one slot the same."""
    found: dict[object, list[Evidence]] = {}
    for number, group in enumerate(groups(facts)):
        for fact in group:
            said = claims.get(fact.id, ())
            if len(said) != 1:
                key: object = number
            elif said[0].denied:
                continue
            else:
                key = (said[0].slot, said[0].words, said[0].scope)
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
            day = ledger.entries[-1].day.isoformat()
            why = f"held with {ledger.confidence:.2f} on {len(held)} events, the last of {day}"
            ids = (section.id, *(entry.fact for entry in held))
            yield Candidate(day, section.statement, ledger.names, why, ids)


def _known(context: Context) -> tuple[set[str], set[str]]:
    """The digests of all proposals that there are, and what each rests on first."""

    def read(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
        paths = {name: f"{proposals.FOLDER}/{name}" for name in sorted(names)}
        pages = (
            (name, proposals.parse(path, context.text(path) or ""))
            for name, path in paths.items() if context.readable(path)
        )  # fmt: skip
        return {name: (one.digest, *one.evidence[:1]) for name, one in pages}

    files = (context.session.root / proposals.FOLDER).glob("*.md")
    found = context.memo.derive("proposals", {file.name: stamp(file) for file in files}, read)
    return {one[0] for one in found.values()}, {id_ for one in found.values() for id_ in one[1:]}


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
