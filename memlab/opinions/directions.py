"""Which way a text says that something goes: up, down, or nowhere; English."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from memlab.opinions import cues
from memlab.opinions.reading import stem
from memlab.tokens import fold, tokens, words

UP = frozenset(
    "increase raise rise higher high greater more elevate enhance promote induce activate "
    "activation upregulate accelerate improve improvement gain stimulate boost augment faster "
    "stronger larger longer positive positively favor expand expansion exceed excess worsen above "
    "over prolong extend strengthen potentiate facilitate enable allow drive cause lead risk "
    "superior better effective require essential necessary critical important grow growth widen "
    "double triple climb add multiply intensify escalate surge soar".split()
)
"""Words for more of a thing, or for what brings it about."""
DOWN = frozenset(
    "decrease reduce reduction lower low less fewer inhibit inhibition inhibitor suppress "
    "suppression impair impairment attenuate block prevent prevention protect protection "
    "protective downregulate decline diminish loss deficient deficiency delay slower weaker "
    "smaller shorter negative negatively inverse inversely hinder disrupt abolish abrogate "
    "knockdown knockout deplete depletion repress repression limit deteriorate inferior worse "
    "below under ineffective dispensable incapable independent unnecessary resistant silence "
    "ablation delete deletion shrink fall drop cut halve dwindle shorten weaken curb lessen "
    "alleviate mitigate relieve".split()
)
"""Words for less of a thing, or for what stands in its way."""

_DENIALS = cues.NEGATIONS | {"unlikely", "unaffected", "unchanged"}
_NOTHING = re.compile(
    r"\bno (?:significant|statistically|evidence|association|difference|effect|benefit|relationship"
    r"|change|impact|influence|\w+ difference)\b"
    r"|\bnot (?:significant|associated|differ|statistical)|\b(?:did|was|were|does|do) not\b"
    r"|\b(?:neither|similar|unaffected|unchanged)\b"
)
# "odds ratio 0.73", "HR, 1.33": below 1 is less, above is more
_RATIO = re.compile(
    r"\b(?:odds ratio|relative risk|hazard ratio|risk ratio|or|rr|hr|ratio)[^0-9]{0,25}(\d+[.·]\d+)"
)


@dataclass(frozen=True, slots=True)
class Direction:
    """What a text says of more and less.

    Attributes:
        up: How many of its words say more.
        down: How many say less.
        denied: Whether it denies anything.
        ratios: How many ratios above 1 it gives, less those below.
        nothing: How often it says that nothing differs or comes of it.
    """

    up: int
    down: int
    denied: bool
    ratios: int
    nothing: int


@functools.lru_cache(maxsize=20_000)
def direction(text: str) -> Direction:
    """Read a text."""
    table = _table()
    said = [table[word] for word in tokens(text) if word in table]
    folded = fold(text)
    ratios = [float(found.replace("·", ".")) for found in _RATIO.findall(folded)]
    return Direction(
        said.count(1),
        said.count(-1),
        any(word in _DENIALS or word.endswith("n't") for word in words(folded)),
        sum(one > 1 for one in ratios) - sum(one < 1 for one in ratios),
        len(_NOTHING.findall(folded)),
    )


def compare(statement: str, evidence: str) -> dict[str, float]:
    """Whether both go the same way, as named numbers."""
    held, said = direction(statement), direction(evidence)
    ours, theirs = _sign(held.up - held.down), _sign(said.up - said.down)
    turn = -1 if held.denied else 1
    ratio = _sign(said.ratios)
    values = {
        "way of statement": ours,
        "way of evidence": theirs,
        "statement says no": held.denied,
        "evidence says no": said.denied,
        "one way": ours * theirs,
        "one way, denials counted": ours * theirs * turn * (-1 if said.denied else 1),
        "one way, one says no": ours * theirs * (held.denied != said.denied),
        "one way, by how much": _within(2, held.up - held.down) * _within(3, said.up - said.down),
        "ratio": ours * ratio,
        "ratio, denials counted": ours * ratio * turn,
        "both say no": held.denied and said.denied,
        "one says no": held.denied != said.denied,
        "nothing found, as stated": held.denied and said.nothing > 0,
        "nothing found, but stated": not held.denied and said.nothing > 0,
        "nothing found": min(2, said.nothing),
        "statement says more": held.up > 0,
        "statement says less": held.down > 0,
    }
    return {name: float(value) for name, value in values.items()}


@functools.cache
def _table() -> dict[str, int]:
    ways = {stem(word): 1 for word in sorted(UP)}
    return {**ways, **{stem(word): -1 for word in sorted(DOWN)}}


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _within(most: int, value: int) -> int:
    return max(-most, min(most, value))
