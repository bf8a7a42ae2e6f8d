"""Why: every step that led to a confidence, and all that became of a fact."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memlab.errors import CitationError
from memlab.opinions.base import Label
from memlab.opinions.book import Book
from memlab.opinions.ledger import opinions_of, page_of
from memlab.opinions.page import quote, written
from memlab.session import mending
from memlab.store import evidence
from memlab.verbs.conflicts import superseded
from memlab.verbs.memo import Memo
from memlab.verbs.opinion_pages import Opinions
from memlab.verbs.plan import Context, as_day
from memlab.verbs.promote import lasting
from memlab.workspace import parts, writer

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Mapping

    from memlab.opinions.fold import Step
    from memlab.opinions.ledger import Opinion
    from memlab.session import Refresh, Session
    from memlab.store.corpus import Corpus
    from memlab.types import Fact
    from memlab.verbs.ledgers import Reckoned


@dataclass(frozen=True, slots=True)
class Reason:
    """One step.

    Attributes:
        text: It in words.
        details: The same as plain values.
    """

    text: str
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Why:
    """The steps that led to something.

    Attributes:
        what: What was asked about: ``f-…`` or ``o-…``.
        title: It in words.
        reasons: The steps, oldest first.
    """

    what: str
    title: str
    reasons: tuple[Reason, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as ``memlab why --json`` prints them."""
        steps = [{"text": one.text, **one.details} for one in self.reasons]
        return {"what": self.what, "title": self.title, "steps": steps}

    def to_text(self) -> str:
        """The title, and a line for each step."""
        return "\n".join([f"{self.what}  {self.title}", *(f"  {one.text}" for one in self.reasons)])


@mending
def why(session: Session, what: str, *, refresh: Refresh | None = None) -> Why:
    """Every step of an opinion's confidence, or of what became of a fact.

    Nothing is written; the steps are reckoned as a reflect would reckon them now.

    Args:
        session: The open workspace.
        what: The id of an opinion (``o-…``) or of a fact (``f-…``).
        refresh: ``auto``, ``always`` or ``never``; the session's by default.

    Raises:
        CitationError: If there is no such opinion or fact.
    """
    corpus = session.corpus(refresh)
    context = Context(session, corpus, None, None, session.now().date(), Memo(session.place))
    path = page_of(corpus)
    opinions = Opinions(context, path, Book.read(writer.read_text(session.root / path)))
    if what.startswith("o-"):
        return _opinion(what, opinions, corpus)
    return _fact(corpus.find(what), opinions, context)


@mending
def opinions(
    session: Session, *, as_of: str | dt.date | None = None, refresh: Refresh | None = None
) -> list[Opinion]:
    """The opinions of ``bank/opinions.md``, each with its ledger, in the order of the page.

    Args:
        session: The open workspace.
        as_of: As they were at the end of that day, by their ledgers alone; those that did not exist
            yet, or have no ledger, are left out.
        refresh: ``auto``, ``always`` or ``never``; the session's by default.

    Raises:
        ParameterError: If ``as_of`` is no day.
    """
    return opinions_of(session.corpus(refresh), as_of=as_day(as_of))


def _opinion(what: str, opinions: Opinions, corpus: Corpus) -> Why:
    known = opinions.held.get(what)
    one = opinions.reckon(set(known.about) if known else set(opinions.context.digests)).get(what)
    if one is None:
        gone = what in opinions.book.unwanted
        hint = "A person took it out" if gone else "They stand in bank/opinions.md"
        raise CitationError("there is no such opinion", where=what, hint=hint)
    reasons = [_start(one), *(_step(step, one, corpus) for step in one.steps.steps)]
    reasons += [
        Reason(f"{entry.day} gone: {entry.fact} is not found any more, and counts nothing")
        for entry in one.held.before if entry.verb == "gone"
    ]  # fmt: skip
    section = opinions.sections.get(what)
    if section and section.part and not section.part.untouched:
        reasons.append(Reason("a person edited its part, so the page shows what they wrote"))
    sure = written(one.ledger.confidence or 0.0)
    return Why(what, f"{one.held.statement}: {sure}", tuple(reasons))


def _start(one: Reckoned) -> Reason:
    """Where the confidence starts."""
    first = one.held.first
    if first:
        return Reason(f"stated first by {first.id}, which gives its confidence")
    whose = "as a person wrote" if one.held.own else "as one does that gives no confidence"
    return Reason(f"starts at {written(one.held.prior)}, {whose}")


def _step(step: Step, one: Reckoned, corpus: Corpus) -> Reason:
    event = step.event
    after = written(round(step.after, 2))
    if event.founds is None:
        after = f"{written(round(step.before, 2))} → {after}"
    if event.hand is not None:
        return Reason(
            f"{event.day} a person wrote {written(event.hand)}: {after}",
            {"day": str(event.day), "label": "hand", "before": step.before, "after": step.after},
        )
    text = next(b.text for b, _ in one.said if b.fact.id == event.fact)
    cues = _cues(one.held.statement, text, one) if event.founds is None else ()
    fact = corpus.find(event.fact)
    founds = "founds it" if event.founds is not None else f"{event.label} {event.score:.2f}"
    because = f" ({'; '.join(cues)})" if cues else ""
    again = f"; told again by {', '.join(event.copies)}" if event.copies else ""
    begins = quote(fact.content)
    return Reason(
        f'{event.day} {event.fact} {fact.source} {founds}{because}: {after} "{begins}"{again}',
        {
            "day": str(event.day), "fact": event.fact, "source": str(fact.source),
            "label": str(event.label), "score": event.score, "cues": list(cues),
            "before": step.before, "after": step.after, "copies": list(event.copies),
        },
    )  # fmt: skip


def _cues(statement: str, text: str, one: Reckoned) -> tuple[str, ...]:
    """The cues that a detector went by: of the first wording that it did not find neutral."""
    for wording in (statement, *one.held.wordings):
        (stance,) = one.detector.judge([(wording, text)])
        if stance.label is not Label.NEUTRAL:
            return stance.why
    return ()


def _fact(fact: Fact, opinions: Opinions, context: Context) -> Why:
    found = evidence.find(context.corpus, ids=[fact.id])
    reasons = [Reason(f"stands at {fact.source}, {fact.kind} of {fact.day or 'no day'}")]
    if not found:
        reasons.append(Reason(_no_evidence(fact)))
    else:
        keys = set(found[0].entities) or {evidence.NOBODY}
        for reckoned in opinions.reckon(keys).values():
            reasons += _moves(fact.id, reckoned, context.corpus)
    for old, new in superseded(context.corpus).values():
        if fact.id in (old, new):
            other = context.corpus.find(new if fact.id == old else old)
            how = "its place was taken by" if fact.id == old else "it took the place of"
            reasons.append(Reason(f"{how} {other.id} {other.source}: {other.content}"))
    reasons += [
        Reason(f"lasts, so it goes to {one.page}: {one.why}")
        for own in found for one in context.subjects.of(own.subject, lasting) if one.id == fact.id
    ]  # fmt: skip
    reasons += _shown(fact.id, context)
    return Why(fact.id, fact.content, tuple(reasons))


def _no_evidence(fact: Fact) -> str:
    if not fact.source.path.startswith("memory/"):
        return "no evidence: only pages under memory/ are"
    if fact.day is None:
        return "no evidence: its page has no day"
    return f"no evidence: it is {fact.origin}, of kind {fact.kind}"


def _moves(id_: str, one: Reckoned, corpus: Corpus) -> Iterator[Reason]:
    """What a fact did to an opinion."""
    name = f"{one.held.id} {one.held.statement!r}"
    for step in one.steps.steps:
        if step.event.fact == id_:
            told = _step(step, one, corpus)
            yield Reason(f"moved {name}: {told.text}", {"opinion": one.held.id, **told.details})
        elif id_ in step.event.copies:
            text = f"of one event with {step.event.fact}, which counts for {name}"
            yield Reason(text, {"opinion": one.held.id, "copy_of": step.event.fact})


def _shown(id_: str, context: Context) -> Iterator[Reason]:
    """The generated parts that repeat a fact."""
    for path in sorted(context.hashes):
        text = context.text(path) if context.readable(path) else None
        for part in parts.find(text or "").found:
            if f"{id_})" in part.body or f"{id_} →" in part.body:
                name = part.name.removeprefix(parts.OPINION)
                yield Reason(f"shown at {path}#{name}", {"page": path, "part": name})
