"""Stance by rules: what both texts speak of, and whether one of them turns it round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.opinions import cues
from memlab.opinions.base import Stance, check_unit
from memlab.opinions.reading import Reading, clauses, numbers_agree, places_agree

if TYPE_CHECKING:
    from collections.abc import Sequence

_OPPOSED = 2.0  # one word turned round says more than one word in common
_CERTAIN = 0.95


@dataclass(frozen=True, slots=True)
class Votes:
    """What speaks for and against, word by word.

    Attributes:
        shared: How many content words, antonyms counted, both texts have.
        share: The same as a share of the shorter text's words, in [0, 1].
        covered: The same as a share of the statement's words, in [0, 1].
        total: The sum of the votes: above 0 for, below 0 against.
        why: The cues.
    """

    shared: int
    share: float
    covered: float
    total: float
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """Negations, antonyms, verbs of liking, numbers, "no longer", "instead of", in ten languages.

    A content word in both texts votes against where only one of them denies it (-2), and for where
    both do (1); a word whose antonym stands in the other text votes the other way round. Numbers of
    one unit that cannot be the same vote -2, and so do two homes or two places of work. Without a
    vote, what is shared supports. Of the evidence, the clause with most in common decides, the last
    of equals.
    Where too little is shared, the stance is neutral and leans as praise and blame do.

    Attributes:
        near: The share of the shorter text's content words that must be shared, in [0, 1].
    """

    near: float = 0.3

    def __post_init__(self) -> None:
        check_unit(near=self.near)

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each (statement, evidence) pair."""
        return [self._judge(statement, evidence) for statement, evidence in pairs]

    def _judge(self, statement: str, evidence: str) -> Stance:
        held = clauses(statement)[0]
        vote = best_votes(held, evidence)
        # one shared word is most often the name of whom both are about
        alone = vote.shared == 1 and vote.share < 1
        if not vote.shared or vote.share < self.near or alone:
            return _lean(held, clauses(evidence)[0])
        if vote.total >= 0:
            # support of a part is weak support; a contradiction of a part is one
            sure = 0.35 + 0.6 * vote.covered
            rest = (1 - sure) / 4
            return Stance(sure, rest, vote.why)
        sure = min(_CERTAIN, 0.5 + 0.5 * vote.share)
        rest = (1 - sure) / 4
        return Stance(rest, sure, vote.why)


def best_votes(held: Reading, evidence: str) -> Votes:
    """The votes of the evidence's clause that has most in common with what is held."""
    whole, *parts = clauses(evidence)
    counted = [votes(held, part) for part in parts] or [votes(held, whole)]
    return max(reversed(counted), key=lambda vote: vote.shared)


def _lean(held: Reading, said: Reading) -> Stance:
    """A neutral stance that leans as far as negation and praise tell."""
    parity = -1 if held.denied != said.denied else 1
    lean = 2 * tone(held) * tone(said) + parity
    return Stance(0.3, 0.2) if lean >= 0 else Stance(0.2, 0.3, ("negation", "praise and blame"))


def votes(held: Reading, said: Reading) -> Votes:
    """The votes of one clause."""
    total, shared = 0.0, 0
    why: list[str] = []
    table = cues.antonyms()
    for stem, sign in held.signs.items():
        if stem in said.signs:
            shared += 1
            if sign != said.signs[stem]:
                total -= _OPPOSED
            elif sign < 0:
                total += 1.0
            continue
        for other in sorted(table.get(stem, frozenset()) & said.signs.keys() - held.signs.keys()):
            shared += 1
            total += _OPPOSED * (-sign * said.signs[other])
            why.append(f"{stem} / {other}")
            break
    if numbers_agree(held, said) is False:
        total -= _OPPOSED
        shared += 1
        why.append("other numbers")
    if places_agree(held, said) is False:
        total -= _OPPOSED
        shared += 1
        why.append("another place")
    least = min(len(held.signs), len(said.signs))
    why += [*held.turns, *said.turns]
    share = min(1.0, shared / least) if least else 0.0
    covered = min(1.0, shared / max(1, len(held.signs)))
    return Votes(shared, share, covered, total, tuple(why))


def tone(reading: Reading) -> int:
    """Whether a text praises (1), blames (-1), or neither (0)."""
    table = cues.feelings()
    score = sum(table.get(stem, 0) * sign for stem, sign in reading.signs.items())
    return (score > 0) - (score < 0)
