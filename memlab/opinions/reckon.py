"""From evidence to ledgers: which facts bear on an opinion, and what they make of it. No I/O.

A ledger is a function of the opinion's statement, the evidence, and what a person wrote by hand;
what stood in it before has no part, but for hands and for facts that are not found any more.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.opinions.base import Event, Label, Stance
from memlab.opinions.fold import fold
from memlab.opinions.page import Entry, Ledger, quote
from memlab.opinions.statements import Topics, bears_on, heading, name_tokens, reach, told
from memlab.store.evidence import MENTION_LENGTH, NOBODY
from memlab.types import Kind
from memlab.workspace.grammar import DEFAULT_CONFIDENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memlab.opinions.base import Updater
    from memlab.opinions.fold import Trajectory
    from memlab.opinions.founding import Held
    from memlab.store.evidence import Evidence

    Judge = Callable[[Sequence[tuple[str, str]]], list[Stance]]


@dataclass(frozen=True, slots=True)
class Bearing:
    """A fact that may say something of an opinion.

    Attributes:
        fact: The fact.
        text: Its words as a detector gets them.
    """

    fact: Evidence
    text: str


def bearings(held: Held, by_key: Mapping[str, Iterable[Evidence]]) -> list[Bearing]:
    """The facts that bear on an opinion, from its founding on, by day and id.

    They share an entity with it and enough of its topics, and are short or name the entity.

    Args:
        held: The opinion.
        by_key: The evidence about each entity, by its key.
    """
    names = name_tokens(held.names)
    wanted = held.topics()
    within = reach(topic for topics in wanted for topic in topics)
    found: dict[str, Evidence] = {fact.id: fact for fact in (*held.bullets, *held.linked)}
    for key in held.about:
        for fact in by_key.get(key, ()):
            if fact.id in found or within.isdisjoint(fact.tokens):  # as most are
                continue
            mine = Topics.of(fact.tokens).without(names)
            short = len(fact.content) <= MENTION_LENGTH or key in fact.named
            if short and any(bears_on(wording, mine) for wording in wanted):
                found[fact.id] = fact
    ordered = sorted(found.values(), key=lambda fact: (fact.day, fact.id))
    if held.first:
        ordered = ordered[ordered.index(held.first) :]
    return [
        Bearing(
            fact, told(fact.content, [held.about[key] for key in held.about if key in fact.heads])
        )
        for fact in ordered
    ]


def judged(held: Held, found: Sequence[Bearing], judge: Judge) -> list[tuple[Bearing, Stance]]:
    """What each fact says of the opinion; those that say nothing are left out.

    Where the heading finds a fact neutral, what the founder said decides: a heading that was worded
    anew keeps its evidence. An opinion that is held with confidence ``c`` says ``c`` for what it
    says, and ``1 - c`` for its contrary.
    """
    stances: dict[str, Stance] = {}
    left = list(found)
    for wording in held.wordings:
        for bearing, given in zip(left, judge([(wording, b.text) for b in left]), strict=True):
            fact = bearing.fact
            itself = fact.kind is Kind.OPINION and wording == heading(fact.content, fact.names)
            # what it says itself it supports, whatever a detector makes of it
            stance = Stance(1.0, 0.0) if itself else given
            if stance.label is not Label.NEUTRAL or fact.id not in stances:
                stances[fact.id] = stance
        left = [b for b in left if stances[b.fact.id].label is Label.NEUTRAL]
    out = []
    for bearing in found:
        fact, stance = bearing.fact, stances[bearing.fact.id]
        if fact.kind is Kind.OPINION and fact.confidence is not None:
            stance = tempered(stance, fact.confidence)
        if stance.label is not Label.NEUTRAL or fact is held.first:
            out.append((bearing, stance))
    return out


def tempered(stance: Stance, sure: float) -> Stance:
    """The stance of a text whose writer is only so sure of it, in [0, 1]."""
    supports, contradicts = stance.supports, stance.contradicts
    return Stance(
        round(supports * sure + contradicts * (1 - sure), 5),
        round(supports * (1 - sure) + contradicts * sure, 5),
    )


def trajectory(
    held: Held, said: Iterable[tuple[Bearing, Stance]], updater: Updater,
    pages: Mapping[str, frozenset[str]],
) -> Trajectory:  # fmt: skip
    """The steps of an opinion's confidence.

    Args:
        held: The opinion.
        said: What `judged` gave.
        updater: What moves the confidence.
        pages: The pages that the targets of wikilinks are, by target.
    """
    events = []
    for bearing, stance in said:
        fact = bearing.fact
        founds = _founds(fact, stance) if fact is held.first else None
        events.append(
            Event(
                fact.day, fact.id, stance.label, stance.score, founds=founds,
                entities=frozenset(fact.entities or (NOBODY,)),
                words=frozenset(token for token in fact.tokens if not token.startswith("·")),
                page=fact.path,
                links=frozenset(page for link in fact.links for page in pages.get(link, ())),
            )
        )  # fmt: skip
    hands = (entry for entry in held.before if entry.verb == "hand")
    events += [Event(hand.day, hand=hand.confidence) for hand in hands]
    return fold(held.prior, events, updater)


def _founds(fact: Evidence, stance: Stance) -> float:
    """Where an opinion starts: at the confidence of the fact, turned round if the statement was."""
    sure = DEFAULT_CONFIDENCE if fact.confidence is None else fact.confidence
    low, high = sorted((sure, round(1 - sure, 5)))
    return {Label.SUPPORTS: high, Label.CONTRADICTS: low}.get(stance.label, sure)


def ledger(held: Held, steps: Trajectory, facts: Mapping[str, Evidence]) -> Ledger:
    """The ledger of an opinion; its facts that are not found any more stay, and count nothing.

    Args:
        held: The opinion.
        steps: What `trajectory` gave.
        facts: The evidence by id.
    """
    entries = []
    for step in steps.steps:
        event = step.event
        if event.hand is not None:
            entries.append(Entry(event.day, "hand", "", event.hand))
            continue
        verb = "against" if event.label is Label.CONTRADICTS else "for"
        words = quote(facts[event.fact].content)
        entries.append(Entry(event.day, verb, event.fact, round(step.after, 2), words))
    entries += [entry for entry in held.before if entry.verb == "gone"]
    entries.sort(key=lambda entry: (entry.day, entry.verb == "hand", entry.fact))
    sure = round(steps.prior, 2)
    for place, entry in enumerate(entries):
        if entry.verb == "gone":
            entries[place] = dataclasses.replace(entry, confidence=sure)
        sure = entries[place].confidence
    return Ledger(sure, held.names, tuple(entries))
