"""A statement and a text as named numbers, from which a linear model tells the stance."""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from typing import TYPE_CHECKING

from memlab.opinions import cues, directions
from memlab.opinions.reading import Reading, clauses, numbers_agree
from memlab.opinions.rules import best_votes, tone
from memlab.tokens import fold, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

VERSION = 2
"""Raised whenever the features of some pair change, so that old models are refused."""
_OF_WORDS = ("e:", "ce:", "b:", "-:", "+:")


def features(statement: str, evidence: str) -> dict[str, float]:
    """The features of one pair: overlaps, cues and directions, then words."""
    held, said = clauses(statement)[0], clauses(evidence)[0]
    out = dict(_dense(statement, evidence, held, said))
    out |= directions.compare(statement, evidence)
    claim = -1 if held.denied else 1
    ours, theirs = _stems(statement), _stems(evidence)
    out |= _unit("e:", theirs)
    # "ban it" makes of a text's blame a support
    out |= {f"c{name}": claim * value for name, value in _unit("e:", theirs).items()}
    out |= _unit("b:", _bigrams(evidence))
    out |= _unit("-:", ours - theirs)
    out |= _unit("+:", theirs - ours)
    return out


def of_words(name: str) -> bool:
    """Whether a feature is a word of one of the texts; the others are the cues."""
    return name.startswith(_OF_WORDS)


def _dense(
    statement: str, evidence: str, held: Reading, said: Reading
) -> Iterator[tuple[str, float]]:
    ours, theirs = Counter(held.signs), Counter(said.signs)
    one, other = ours.keys(), theirs.keys()
    shared = len(one & other)
    vote = best_votes(held, evidence)
    grams = _trigrams(statement), _trigrams(evidence)
    words = _words(statement), _words(evidence)
    agree = numbers_agree(held, said)
    values = {
        "share of statement": shared / max(1, len(one)),
        "share of evidence": shared / max(1, len(other)),
        "jaccard": shared / max(1, len(one | other)),
        "trigrams": len(grams[0] & grams[1]) / max(1, len(grams[0] | grams[1])),
        "order": _common(*words) / max(1, *map(len, words)),
        "bigrams": _jaccard(_bigrams(statement), _bigrams(evidence)),
        "only in statement": math.log1p(len(one - other)),
        "only in evidence": math.log1p(len(other - one)),
        "all of statement": float(one <= other),
        "all of evidence": float(other <= one),
        "opposed": min(3.0, max(0.0, -vote.total)),
        "antonyms": float(any("/" in why for why in vote.why)),
        "numbers agree": float(agree is True),
        "numbers differ": float(agree is False),
        "statement denied": float(held.denied),
        "evidence denied": float(said.denied),
        "one denied": float(held.denied != said.denied),
        "tone of evidence": float(tone(said)),
        "tone of both": float(tone(held) * tone(said)),
        "tone by claim": float(tone(said) * (-1 if held.denied else 1)),
    }
    yield from values.items()
    for name in ("share of statement", "share of evidence", "jaccard", "order"):
        yield f"one denied, {name}", values["one denied"] * values[name]
        yield f"opposed, {name}", float(values["opposed"] > 0) * values[name]
        yield f"{name} squared", values[name] ** 2
        # a step in a linear model: far, near, same
        for cut in (0.5, 0.7, 0.9):
            yield f"{name} over {cut}", float(values[name] > cut)


def _unit(prefix: str, names: Iterable[str]) -> dict[str, float]:
    """Each name once, all of them together of length 1."""
    distinct = sorted(set(names))
    return {f"{prefix}{name}": 1 / math.sqrt(len(distinct)) for name in distinct}


@functools.lru_cache(maxsize=20_000)
def _words(text: str) -> tuple[str, ...]:
    return tuple(token for token in tokens(text) if not token.startswith("·"))


def _stems(text: str) -> frozenset[str]:
    return frozenset(_words(text)) - cues.STOP


def _bigrams(text: str) -> frozenset[str]:
    words = _words(text)
    return frozenset(f"{one} {other}" for one, other in itertools.pairwise(words))


@functools.lru_cache(maxsize=20_000)
def _trigrams(text: str) -> frozenset[str]:
    folded = f" {' '.join(fold(text).split())} "
    return frozenset(folded[start : start + 3] for start in range(len(folded) - 2))


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(other) + 1)
    for word in one[:60]:
        diagonal = 0
        for place, its in enumerate(other[:60], start=1):
            diagonal, row[place] = (
                row[place],
                diagonal + 1 if word == its else max(row[place], row[place - 1]),
            )
    return row[min(60, len(other))]
