"""Context: what an agent should see for a question, its core and the facts, within one budget."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from memlab import counters
from memlab.cite import Recall, details
from memlab.errors import ParameterError
from memlab.session import mending
from memlab.verbs import prompt
from memlab.verbs.bundle import Options
from memlab.verbs.prompt import Rendered
from memlab.verbs.recall import find

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable

    from memlab.counters import Counter
    from memlab.session import Refresh, Session
    from memlab.store.build import Progress
    from memlab.types import Hit

MAX_TOKENS = 2_000
SHARE = 0.5
"""The part of the budget that the core may take where core and facts together do not fit."""

_START, _END = "<facts>\n", "</facts>\n"
_NOTES = 30  # tokens that are kept for notes where the budget is large


@dataclass(frozen=True, slots=True)
class Context:
    """What an agent should see.

    Attributes:
        text: Exactly that: the core, then the facts, each with its citation.
        core: The core's part of it; empty where not even its frame had room.
        recall: The facts, as recall gives them.
        tokens: What the text takes.
        max_tokens: The budget.
        counter: The spec of what counted.
        cut: What there was no room for: blocks of the core, facts.
    """

    text: str
    core: str
    recall: Recall
    tokens: int
    max_tokens: int
    counter: str
    cut: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as ``memlab context --json`` prints them."""
        return {
            "text": self.text, "core": self.core, "tokens": self.tokens,
            "max_tokens": self.max_tokens, "counter": self.counter, "cut": list(self.cut),
            "recall": self.recall.to_dict(),
        }  # fmt: skip


@mending
def context(
    session: Session,
    question: str,
    *,
    max_tokens: int = MAX_TOKENS,
    k: int | None = None,
    counter: str = counters.DEFAULT,
    share: float = SHARE,
    around: int = 0,
    explain: bool = False,
    abstain: bool = False,
    since: str | dt.date | None = None,
    until: str | dt.date | None = None,
    as_of: str | dt.date | None = None,
    kinds: Iterable[str] = (),
    entities: Iterable[str] = (),
    now: dt.datetime | dt.date | str | None = None,
    retriever: str | None = None,
    refresh: Refresh | None = None,
    progress: Progress | None = None,
) -> Context:
    """The core and the facts that answer ``question``, together never over the budget.

    The core comes first, and whole where it takes no more than its share of the budget or the facts
    leave it room; else it is cut as `memlab.verbs.prompt.core_render` says. The facts get all that
    it leaves. A fact whose lines the core shows is not given again.

    Args:
        session: The open workspace.
        question: A question or some words.
        max_tokens: At most so many tokens in all, those of the frames among them.
        k: At most so many facts; as many as fit by default.
        counter: What counts tokens.
        share: What part of the budget the core may take from the facts, 0 to 1; 0 for no core.
        around: As in `memlab.verbs.recall.recall`, as are all that follow.
        explain: Keep how the facts were found in ``recall.explanation``.
        abstain: Give no facts where nothing in the notes answers.
        since: Only facts of that day or later.
        until: Only facts of that day or earlier.
        as_of: What was known on that day; there is no core then, since it has no day.
        kinds: Only facts of these kinds.
        entities: Only facts about all of these entities.
        now: The clock.
        retriever: The spec of the retriever.
        refresh: ``auto``, ``always`` or ``never``.
        progress: Called while an index is built.

    Raises:
        ParameterError: If the question is empty or a parameter is not usable.
    """
    Options(k, max_tokens, counter, around=around)  # what is not usable is an error before the core
    if not 0 <= share <= 1:
        raise ParameterError(f"share must lie in 0 to 1, got {share}")
    measure = counters.counter(counter)

    def core_within(tokens: int) -> Rendered:
        if share == 0 or as_of is not None:
            return Rendered("")
        room = tokens - measure.count("\n")
        try:
            core = prompt.render(
                session, max_tokens=room, counter=measure, now=now, refresh=refresh
            )
        except ParameterError:  # not even the frame fits
            return Rendered("", left_out=("all",))
        return replace(core, text=f"{core.text}\n")

    def facts_beside(core: Rendered) -> Recall:
        room = max_tokens - measure.count(core.text) - measure.count(_START + _END)
        room -= _NOTES if room > 10 * _NOTES else 0
        options = Options(
            k, max(room, 1), counter, join=True, around=around, explain=True, abstain=abstain,
            price=lambda hit: measure.count(_line(hit)), skip=core.holds,
        )  # fmt: skip
        return find(
            session, question, options, since=since, until=until, as_of=as_of, kinds=kinds,
            entities=entities, now=now, retriever=retriever, refresh=refresh, progress=progress,
        )  # fmt: skip

    core = core_within(max_tokens)
    if measure.count(core.text) > share * max_tokens:
        core = core_within(max(1, int(share * max_tokens)))
    found = facts_beside(core)
    hits = list(found.hits)
    if core.left_out or core.cut:  # what the facts leave is the core's
        notes = (*found.notes, *_cuts(found, hits))
        facts = _facts(hits, notes, max_tokens - measure.count(core.text), measure)
        core = core_within(max_tokens - measure.count(facts))
        hits = [hit for hit in hits if not core.holds(hit.fact)]
    room = max_tokens - measure.count(core.text)
    cut = _cuts(found, hits)
    while not (text := _facts(hits, (*found.notes, *cut), room, measure)) and hits:
        hits.pop()  # what a tokenizer counts may not add up
        cut = _cuts(found, hits)
    return Context(
        core.text + text, core.text,
        replace(found, hits=tuple(hits), explanation=found.explanation if explain else None),
        measure.count(core.text + text), max_tokens, counter, (*_core_cuts(core), *cut),
    )  # fmt: skip


def _line(hit: Hit) -> str:
    content = hit.content.replace("\n", "\n  ")
    return f"- {content} {details(hit)}\n"


def _facts(hits: list[Hit], notes: Iterable[str], room: int, measure: Counter) -> str:
    """The facts between their marks, and such notes as there is room for."""
    lines = [_line(hit) for hit in hits]
    text = "".join([_START, *lines, _END])
    if measure.count(text) > room:
        return ""
    for note in notes:
        lines.append(f"> {note}\n")
        longer = "".join([_START, *lines, _END])
        if measure.count(longer) > room:
            break
        text = longer
    return text


def _cuts(found: Recall, hits: list[Hit]) -> list[str]:
    if found.explanation is None or not found.hits:
        return []
    given = {fact.id for hit in hits for fact in hit.facts or (hit.fact,)}
    left_out = [one for one in found.explanation.facts if one.hit.fact.id not in given]
    more = sum(not one.cut.startswith("a copy") for one in left_out)
    if not more:
        return []
    return [f"{more} more fact{'s' if more > 1 else ''} found, no room"]


def _core_cuts(core: Rendered) -> list[str]:
    return [
        *(f"core: {label} is left out" for label in core.left_out),
        *(f"core: {label} is cut" for label in core.cut),
    ]
