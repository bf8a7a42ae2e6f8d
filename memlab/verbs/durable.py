"""Which facts last: rules that a person can read, each fact by its words and its fellows alone.

To ``bank/world.md`` goes a fact of a Retain head that

1. says what its entity has one of (`memlab.workspace.slots`), or
2. is of the world, and says since when it holds, or that it always or never does, or
3. is of the world, and says what is, in the present, and names no day, or
4. is of the world, and was said again more than three days later.

To ``bank/experience.md`` goes an experience with a Retain head that draws a lesson, gives a reason,
or was told again more than three days later. Of facts that say the same the last is taken.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.opinions.fold import NEAR_DAYS, NEAR_WORDS
from memlab.store.evidence import MENTION_LENGTH
from memlab.types import Kind
from memlab.workspace import dates

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memlab.store.evidence import Evidence
    from memlab.workspace.slots import Claim

WORLD = "bank/world.md"
EXPERIENCE = "bank/experience.md"

_SINCE = re.compile(
    r"\b(?:since|always|never|as a rule|permanently|for good|siden|altid|aldrig|sedan|alltid|seit"
    r"|immer|niemals|sinds|altijd|depuis|toujours|jamais|desde|siempre|nunca|luôn|không bao giờ)\b"
    r"|ہمیشہ|အမြဲ",
    re.IGNORECASE,
)
_LESSON = re.compile(
    r"\b(?:lessons?|learn(?:ed|t)|from now on|next time|never again|in future|turned out"
    r"|should have|better to|fremover|næste gang|künftig|nächstes mal|la prochaine fois"
    r"|la próxima vez)\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because|the reason|the cause|caused by|due to a|fordi|weil|parce que|porque|eftersom)\b",
    re.IGNORECASE,
)
_IS = frozenset(
    "is are has have am does lives works uses owns prefers keeps wants likes needs costs takes "
    "speaks shares runs asks holds means belongs pays weighs knows plays reads writes wears eats "
    "drinks can cannot must may er har bor hedder ejer är heter ist sind hat heißt wohnt là có"
    .split()
)  # fmt: skip
_WAS = re.compile(
    r"\w+ed|was|were|had|did|went|came|got|gave|took|made|found|said|told|saw|left|met|bought"
    r"|sold|sent|wrote|began|broke|fell|ran|held|kept|lost|won|paid|flew|drove|spoke|thought"
    r"|will|would|var|havde|blev|war|hatte|wurde"
)
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Durable:
    """A fact that lasts.

    Attributes:
        fact: The fact.
        page: The typed page that it goes to.
        why: The rule that it meets, in words.
    """

    fact: Evidence
    page: str
    why: str


def durable(facts: Iterable[Evidence], claims: Mapping[str, Sequence[Claim]]) -> list[Durable]:
    """The facts that last, by day and id.

    Args:
        facts: The evidence, by day and id.
        claims: What facts claim of their first entities, by id.
    """
    own = [
        fact for fact in facts
        if fact.heads and fact.kind in (Kind.WORLD, Kind.EXPERIENCE)
        and len(fact.content) <= MENTION_LENGTH
    ]  # fmt: skip
    found = []
    for group in groups(own):
        last = group[-1]
        again = (last.day - group[0].day).days > NEAR_DAYS
        page, why = _rule(last, claims.get(last.id, ()), group[0] if again else None)
        if why:
            found.append(Durable(last, page, why))
    return sorted(found, key=lambda one: (one.fact.day, one.fact.id))


def _rule(fact: Evidence, claims: Sequence[Claim], first: Evidence | None) -> tuple[str, str]:
    """The page that a fact goes to, and why; empty where no rule is met."""
    held = [claim.slot for claim in claims if not claim.denied]
    if held:
        return WORLD, f"it says what {fact.names[0]} has one of: {held[0]}"
    if claims:  # only what holds no more: it strikes another fact through
        return WORLD, ""
    page, why = (
        (WORLD, _lasts(fact)) if fact.kind is Kind.WORLD else (EXPERIENCE, _teaches(fact.content))
    )
    if not why and first:
        why = f"it was said before, on {first.day} ({first.id})"
    return page, why


def _lasts(fact: Evidence) -> str:
    if cue := _SINCE.search(fact.content):
        return f"it says how long it holds: {cue[0]!r}"
    if says_what_is(fact.content) and dates.find(fact.content, fact.day) is None:
        return "it says what is, and names no day"
    return ""


def _teaches(text: str) -> str:
    if cue := _LESSON.search(text):
        return f"it draws a lesson: {cue[0]!r}"
    if cue := _REASON.search(text):
        return f"it gives a reason: {cue[0]!r}"
    return ""


def says_what_is(text: str) -> bool:
    """Whether the first verb that is known here is one of the present."""
    for match in _WORD.finditer(text):
        word = match[0].casefold()
        if word in _IS:
            return True
        if _WAS.fullmatch(word):
            return False
    return False


def groups(facts: Iterable[Evidence]) -> list[list[Evidence]]:
    """Facts of one kind about the same first entity that say the same, each group in their order.

    Two say the same if they have a Jaccard of words of .6 or more.
    """
    apart: dict[tuple[str, Kind], list[Evidence]] = defaultdict(list)
    for fact in facts:
        apart[fact.heads[0], fact.kind].append(fact)
    return [group for own in apart.values() for group in _alike(own)]


def _alike(facts: Sequence[Evidence]) -> list[list[Evidence]]:
    """Facts in groups of those that say the same.

    Only pairs with a word in common among their rarest are compared (prefix filter: Chaudhuri,
    Ganti and Kaushik 2006), so that no pair is missed and few are looked at.
    """
    count = Counter(token for fact in facts for token in fact.tokens)
    ordered = sorted(count, key=lambda token: (count[token], token))
    rank = {token: place for place, token in enumerate(ordered)}
    root = list(range(len(facts)))

    def find(place: int) -> int:
        while root[place] != place:
            root[place] = root[root[place]]
            place = root[place]
        return place

    seen: dict[str, list[int]] = defaultdict(list)
    for place, fact in enumerate(facts):
        rare = sorted(fact.tokens, key=rank.__getitem__)
        prefix = rare[: len(rare) - math.ceil(NEAR_WORDS * len(rare)) + 1]
        for other in {other for token in prefix for other in seen[token]}:
            first, second = find(other), find(place)
            if first != second and _is_near(fact.tokens, facts[other].tokens):
                root[max(first, second)] = min(first, second)
        for token in prefix:
            seen[token].append(place)
    out: dict[int, list[Evidence]] = {}
    for place, fact in enumerate(facts):
        out.setdefault(find(place), []).append(fact)
    return list(out.values())


def _is_near(one: frozenset[str], other: frozenset[str]) -> bool:
    shared = len(one & other)
    return shared > 0 and shared >= NEAR_WORDS * (len(one) + len(other) - shared)
