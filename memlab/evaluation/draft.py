"""Draft questions about a workspace: known items, for a person to reword.

A fact is drawn, and its rarest words make a question that it answers, as Azzopardi, de Rijke and
Balog (SIGIR 2007, section 3) simulate known-item topics. Such questions are easier than a person's,
who does not remember the words: a draft is where one starts, not what one reports.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memlab import tokens
from memlab.errors import ParameterError, WriteError
from memlab.evaluation.datasets import own
from memlab.types import Kind, Query

if TYPE_CHECKING:
    import os

    from memlab.session import Session
    from memlab.types import Fact

CATEGORIES = ("entity", "day", "kind")
_WORDS = 3
_OPENING = {
    Kind.WORLD: "What is known of",
    Kind.EXPERIENCE: "What happened with",
    Kind.OPINION: "What is the opinion on",
    Kind.OBSERVATION: "What was noticed about",
}


@dataclass(frozen=True, slots=True)
class Drafted:
    """What was drafted.

    Attributes:
        questions: The file of questions.
        qrels: The file of judgments.
        counts: How many questions there are of each category.
    """

    questions: Path
    qrels: Path
    counts: dict[str, int]


def draft(
    session: Session, file: str | os.PathLike[str], *, questions: int = 30, seed: int = 0
) -> Drafted:
    """Write questions about a workspace, each with the line that answers.

    Args:
        session: The open workspace.
        file: ``NAME.queries.jsonl``; the judgments go to ``NAME.qrels.tsv`` beside it.
        questions: How many, spread over the categories ``entity``, ``day`` and ``kind``.
        seed: Of the draw.

    Raises:
        ParameterError: If the name ends otherwise, or fewer than one question is asked for.
        WriteError: If one of the files is there already: a person's work may be in it.
    """
    place = Path(file)
    if not place.name.endswith(own.QUESTIONS):
        raise ParameterError(f"a question file is named NAME{own.QUESTIONS}", where=str(place))
    if questions < 1:
        raise ParameterError(f"questions must be at least 1, got {questions}")
    qrels = own.qrels_of(place)
    for taken in (place, qrels):
        if taken.exists():
            raise WriteError("is there already", where=str(taken), hint="Choose another name")
    rows, judged = _draw(session, questions, seed)
    place.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    place.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    own.write_qrels(qrels, judged)
    counts = Counter(row["category"] for row in rows)
    return Drafted(place, qrels, {c: counts[c] for c in CATEGORIES if counts[c]})


def _draw(
    session: Session, count: int, seed: int
) -> tuple[list[dict[str, str]], list[tuple[str, str, int, str, str]]]:
    corpus = session.corpus()
    now = session.now()
    rows = corpus.select(Query("", now))
    facts = sorted(corpus.facts(rows), key=lambda fact: fact.source)
    words = [_words(fact) for fact in facts]
    spread = Counter(word for own_words in words for word in set(own_words))
    random.Random(seed).shuffle(order := list(range(len(facts))))  # noqa: S311  # no secret
    day = max((fact.day for fact in facts if fact.day), default=now.date())
    drafted: list[dict[str, str]] = []
    judged = []
    used: set[str] = set()
    left = {category: iter(order) for category in CATEGORIES}
    while left and len(drafted) < count:
        for category in list(left)[: count - len(drafted)]:
            for i in left[category]:
                fact = facts[i]
                rare = sorted(dict.fromkeys(words[i]), key=lambda word: (spread[word], word))
                text = _question(category, fact, sorted(rare[:_WORDS], key=words[i].index))
                if text and fact.id not in used:
                    break
            else:
                # no fact fits this category any more
                del left[category]
                continue
            used.add(fact.id)
            id_ = f"{category}-{sum(row['category'] == category for row in drafted) + 1:03}"
            drafted.append({"id": id_, "category": category, "query": text, "now": str(day)})
            quote = own.quote(session.root, fact.source)
            judged.append((id_, str(fact.source), 1, quote, fact.id))
    return drafted, judged


def _words(fact: Fact) -> list[str]:
    """Words that may stand in a question: no names of entities, which have their own place."""
    names = {word for name in fact.entities for word in tokens.words(name)}
    return [w for w in tokens.words(fact.content) if len(w) > 3 and w not in names]


def _question(category: str, fact: Fact, words: list[str]) -> str:
    """The question that a fact answers; empty where its category does not fit the fact."""
    if len(words) < 2:
        return ""
    about = ", ".join(words)
    if category == "entity":
        return f"{fact.entities[0]}: {about}?" if fact.entities else ""
    if category == "day":
        return f"What was on {fact.day} about {about}?" if fact.day else ""
    return f"{_OPENING[fact.kind]} {about}?"
