"""A conformance kit for retrievers: does one keep the rules that all that is built on them needs?

    def test_mine():
        memlab.testing.check_retriever("mine(half_life=7.0)")

It makes a small workspace of its own, or takes yours, asks many odd questions, and raises an
`AssertionError` that says which rule was broken, by which query.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memlab import registry
from memlab.session import Session
from memlab.store.corpus import Corpus
from memlab.types import Kind, Origin, Query, Run, TimeRange

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memlab.retrievers.base import Index, Retriever

NOW = dt.datetime(2025, 11, 30, 12, tzinfo=dt.UTC)
"""The clock of all questions."""

QUESTIONS = (
    "tea",
    "What does Peter prefer for breakfast these days?",
    "Tell me about The Castle",
    "When did the ferry last leave, and what did Mette think of it?",
    "What happened around Nov 20, and since last week?",
    "Who repaired the roof before the storm?",
    "Hvad syntes Søren om færgen i mandags?",
    "မောင်မောင် ဘာကြိုက်လဲ",
    "پیٹر کو کیا پسند ہے؟",
    "Trời hôm qua thế nào?",
)
"""Questions that the own workspace answers, of many sorts."""

ODD = (
    "", " ", "?", "…", "🙂", "\0", "\ud800", "'; DROP TABLE facts; --", '"tea', "-tea", "te*", "(",
    "NOT", "AND OR", "\\", "%", "?" * 300, "tea " * 200, "@", "[[", "before", "since",
    "31 Feb 2025", "99999 years ago", "last", "in 9999", "a\u0301\u0301\u0301", "\u202etea",
)  # fmt: skip
"""Questions that mean little or nothing, and must not be errors."""

_PAGES = {
    "memory.md": "# Core\n\n## Human\nPeter drinks tea without milk.\n\n## Rules\nShort replies.\n",
    "bank/entities/The-Castle.md": (
        "---\nname: The Castle\naliases: [the depot, Kastellet]\n---\n# The Castle\n\n"
        "An old depot by the harbour with a leaking roof.\n"
    ),
    "bank/entities/Peter.md": "# Peter\n\nDrinks tea, repairs roofs, lives near [[The Castle]].\n",
    "bank/opinions.md": "# Opinions\n\n## Peter prefers tea to coffee\n\nFirmly so.\n",
    "memory/notes/tea.md": "# Tea\n\n- Assam is a strong tea.\n- Sencha is a green tea.\n",
}
_DAYS = 24


def _log(day: dt.date, number: int) -> str:
    """A day's log; many of its facts are like those of other days, so that scores tie."""
    return (
        f"# {day}\n\nThe ferry left at {7 + number % 4}:15, and Mette thought it early.\n\n"
        "Peter and Mette had tea at The Castle.\n\n"
        + ("The storm took a part of the roof.\n\n" if number == 9 else "")
        + "## Retain\n"
        f"- B @Peter @[The Castle]: repaired the roof with {number + 2} slates\n"
        f"- O(c=0.{5 + number % 5}) @Peter: tea is better than coffee for breakfast\n"
        f"- W @Mette: the ferry of line {number % 3} is late in November\n"
        "- B @Søren: Færgen var til tiden i mandags, syntes han.\n"
        "- O(c=0.8) @မောင်မောင်: မောင်မောင် လက်ဖက်ရည် ကြိုက်တယ်။\n"
        "\n## Retain (proposed)\n- W @Mette: the roof holds <!-- from L3 -->\n"
    )


def make_workspace(folder: Path) -> Path:
    """Write the kit's own workspace into a folder: a core, a bank, 24 daily logs; returns it."""
    pages = dict(_PAGES)
    for number in range(_DAYS):
        day = dt.date(2025, 11, 5) + dt.timedelta(days=number)
        pages[f"memory/{day}.md"] = _log(day, number)
    for path, text in pages.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def check_retriever(retriever: str | Retriever, corpus: Corpus | Any = None) -> None:
    """Check that a retriever keeps the rules.

    Its parameters are those of a frozen dataclass and print back; runs repeat, also of an index
    that was closed and opened again; scores are rounded to 1e-5 and fall, ties go by fact id, no
    fact stands twice; a short run is the head of a long one; filters by time, kind, entity, origin
    and ``as_of`` bound it; an empty corpus and odd questions are no errors.

    Args:
        retriever: A retriever, or the spec of a registered one.
        corpus: What to ask about: a corpus, or an open workspace; the kit's own by default. Give
            one with facts that the retriever finds.

    Raises:
        AssertionError: If a rule is broken; it says which.
        UnknownNameError: If there is no retriever of that name.
    """
    made = registry.make("retriever", retriever) if isinstance(retriever, str) else retriever
    _check_parameters(made, retriever if isinstance(retriever, str) else "")
    with tempfile.TemporaryDirectory(prefix="memlab-") as folder:
        with Session(_new(folder, "empty"), now=NOW, timezone="UTC") as session:
            _check_empty(made, session.corpus())
        if corpus is None:
            root = make_workspace(_new(folder, "notes"))
            with Session(root, now=NOW, timezone="UTC") as session:
                _check_on(made, session.corpus())
        else:
            _check_on(made, corpus if isinstance(corpus, Corpus) else corpus.corpus())


def _new(folder: str, name: str) -> Path:
    place = Path(folder) / name
    place.mkdir()
    return place


def _check_parameters(made: Any, spec: str) -> None:
    name = type(made).__name__
    _require(dataclasses.is_dataclass(made), f"{name} is no dataclass: its fields are its knobs")
    for field in dataclasses.fields(made):
        try:
            setattr(made, field.name, getattr(made, field.name))
        except dataclasses.FrozenInstanceError:
            continue
        raise AssertionError(f"{name} is not frozen: {field.name} can be set")
    if not spec:
        return
    known = registry.Spec.parse(spec).name
    printed = str(registry.spec_of(made, known))
    again = registry.make("retriever", printed)
    _require(again == made, f"{spec} prints as {printed}, which builds another: {again}")


def _check_empty(made: Any, corpus: Corpus) -> None:
    index = made.index(corpus)
    for text in ("tea", "What does Peter prefer since last week?", ""):
        run = index.search(Query(text, NOW), depth=5)
        _require(len(run) == 0, f"an empty corpus has no facts, but {text!r} found {len(run)}")
    index.close()


def _check_on(made: Any, corpus: Corpus) -> None:
    index = made.index(corpus)
    first: dict[str, Run] = {}
    for query, what in _queries(corpus):
        depths = (10,) if query.text in ODD else (0, 1, 5, 10, 1000)
        runs = {depth: _search(index, query, depth, what) for depth in depths}
        for depth, run in runs.items():
            _check_run(run, corpus, query, depth, what)
        _check_heads(runs, what)
        _check_same(runs[10], _search(index, query, 10, what), f"{what}: asked twice")
        _check_certainty(index, query, what)
        _check_read(index, query, what)
        first[what] = runs[10]
    index.close()
    again = made.index(corpus)
    for query, what in _queries(corpus):
        run = _search(again, query, 10, what)
        _check_same(first[what], run, f"{what}: closed and opened again")
    again.close()
    _require(
        any(len(run) for run in first.values()),
        "nothing was found by any question: nothing is shown",
    )


def _queries(corpus: Corpus) -> Iterator[tuple[Query, str]]:
    """Queries of all sorts, each with words that name it in a message."""
    for text in (*QUESTIONS, *ODD):
        yield Query(text, NOW), repr(text[:60])
    entities = [own for own, *_ in corpus.arrays.entities[:2]] or ["nobody"]
    filters: dict[str, dict[str, Any]] = {
        "window": {"window": TimeRange(dt.date(2025, 11, 10), dt.date(2025, 11, 14))},
        "no day": {"window": TimeRange(dt.date(1901, 1, 1), dt.date(1901, 1, 2))},
        "kinds": {"kinds": (Kind.OPINION,)},
        "two kinds": {"kinds": (Kind.WORLD, Kind.EXPERIENCE)},
        "an entity": {"entities": (entities[0],)},
        "entities": {"entities": tuple(entities)},
        "an unknown entity": {"entities": ("nobody at all",)},
        "written alone": {"origins": (Origin.WRITTEN,)},
        "proposed alone": {"origins": (Origin.PROPOSED,)},
        "a day to know nothing after": {"as_of": dt.date(2025, 11, 14)},
        "all": {
            "window": TimeRange(dt.date(2025, 11, 1), dt.date(2025, 11, 30)),
            "kinds": (Kind.OPINION,), "entities": (entities[0],), "origins": (Origin.WRITTEN,),
        },
    }  # fmt: skip
    for name, given in filters.items():
        for text in QUESTIONS[1:4]:
            yield Query(text, NOW, **given), f"{text!r}, filtered by {name}"


def _search(index: Index, query: Query, depth: int, what: str) -> Run:
    try:
        return index.search(query, depth=depth)
    except Exception as error:
        raise AssertionError(f"{what}, depth {depth}: raised {error!r}") from error


def _check_run(run: Run, corpus: Corpus, query: Query, depth: int, what: str) -> None:
    import numpy as np

    _require(isinstance(run, Run), f"{what}: gave no Run, but {type(run).__name__}")
    _require(len(run.rows) == len(run.scores), f"{what}: as many scores as rows are needed")
    _require(len(run) <= depth, f"{what}: {len(run)} facts at depth {depth}")
    rows, scores = run.rows.tolist(), run.scores.tolist()
    _require(bool(np.isfinite(run.scores).all()), f"{what}: a score is no finite number")
    rounded = [round(score, 5) for score in scores]
    _require(rounded == scores, f"{what}: scores are not rounded to 1e-5: {scores[:3]}")
    _require(len(set(rows)) == len(rows), f"{what}: a fact stands twice in one run")
    allowed = corpus.mask(query)
    there = [0 <= row < len(allowed) and bool(allowed[row]) for row in rows]
    _require(all(there), f"{what}: a fact was found that the filters do not allow")
    order = list(zip([-score for score in scores], corpus.ids(rows), strict=True))
    _require(order == sorted(order), f"{what}: not in the order of (-score, fact id)")


def _check_certainty(index: Any, query: Query, what: str) -> None:
    if hasattr(index, "certainty"):
        sure = index.certainty(query)
        _require(0 <= sure <= 1, f"{what}: certainty gave {sure!r}, not a number from 0 to 1")


def _check_read(index: Any, query: Query, what: str) -> None:
    if not hasattr(index, "read"):
        return
    found = index.read(query)
    texts = isinstance(found, dict) and all(isinstance(t, str) for t in (*found, *found.values()))
    _require(texts, f"{what}: read gave {found!r}, not texts by name")


def _check_heads(runs: dict[int, Run], what: str) -> None:
    longest = runs[max(runs)]
    for depth, run in runs.items():
        head = Run(run.retriever, longest.rows[:depth], longest.scores[:depth])
        _check_same(head, run, f"{what}: depth {depth} is no head of depth {max(runs)}")


def _check_same(one: Run, other: Run, what: str) -> None:
    pairs = [list(zip(run.rows, run.scores, strict=True)) for run in (one, other)]
    _require(pairs[0] == pairs[1], f"{what}: the runs differ")


def _require(kept: bool, rule: str) -> None:  # noqa: FBT001  # it reads as a sentence
    if not kept:
        raise AssertionError(rule)
