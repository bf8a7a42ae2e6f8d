"""A text read for its stance: each content word with a sign, and its numbers as intervals."""

from __future__ import annotations

import functools
import math
import re
from dataclasses import dataclass

from memlab.opinions import cues
from memlab.tokens import fold, tokens, words

SCOPE = 8
"""A cue reaches over so many words, and never past its clause."""

_AT_MOST = r"<=?|≤|under|below|at most|less than|fewer than|no more than|up to|max(?:imum)?"
_AT_LEAST = r">=?|≥|over|above|at least|more than|no less than|min(?:imum)?"
_NUMBER = re.compile(
    rf"(?:(?P<most>{_AT_MOST})|(?P<least>{_AT_LEAST}))?\s*(?<![\w.-])(?P<value>\d+(?:[.,]\d+)*)"
    r"\s*(?P<unit>%|[^\W\d_]+)?"
)
_NUMBER_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "twelve": 12,
}  # fmt: skip
_TO = re.compile(r" to (?!\w+ing\b)")
_COUNTED = re.compile(rf"\b({'|'.join(_NUMBER_WORDS)})\b(?= [^\W\d_]+)")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a clause says.

    Attributes:
        signs: For each content stem, 1 where it is affirmed and -1 where it is turned round.
        numbers: Unit with the lowest and the highest value it may have.
        turns: The cues that turned something round.
        places: Where somebody lives or works: the slot and the name.
    """

    signs: dict[str, int]
    numbers: tuple[tuple[str, float, float], ...] = ()
    turns: tuple[str, ...] = ()
    places: tuple[tuple[str, str], ...] = ()

    @property
    def denied(self) -> bool:
        """Whether anything was turned round."""
        return bool(self.turns)


@functools.lru_cache(maxsize=20_000)
def clauses(text: str) -> tuple[Reading, ...]:
    """The whole text as one reading, then its clauses where there are several."""
    folded = fold(text)
    pieces = [piece for piece in cues.CLAUSE.split(folded) if piece and piece.strip()]
    read = [reading for piece in pieces if (reading := _read(piece)).signs]
    if not read:
        return (_read(folded),)
    whole = Reading(
        {stem: sign for reading in reversed(read) for stem, sign in reading.signs.items()},
        tuple(number for reading in read for number in reading.numbers),
        tuple(turn for reading in read for turn in reading.turns),
        tuple(place for reading in read for place in reading.places),
    )
    return (whole, *read) if len(read) > 1 else (whole,)


def stem(word: str) -> str:
    """The search token of one word."""
    return next(iter(tokens(word)), word)


def _read(clause: str) -> Reading:
    clause = cues.CONCESSION.sub(" ", clause)
    turns: list[str] = []
    spans = _turned(clause, turns)
    signs: dict[str, int] = {}
    place = 0
    left = 0  # words that the last denial still reaches
    sign = 1
    for word in words(clause):
        at = clause.find(word, place)
        place = at + len(word) if at >= 0 else place
        inside = -1 if any(start <= at < end for start, end in spans) else 1
        if (word in cues.NEGATIONS or word.endswith("n't")) and not inside < 0:
            turns.append(word)
            sign, left = (-sign if left else -1), SCOPE
            continue
        if word not in cues.STOP and not word.isdigit():
            # what is affirmed once and denied once counts as it was said last
            signs[stem(word)] = (sign if left else 1) * inside
        left = max(0, left - 1)
        if word in cues.DISLIKES:
            turns.append(word)
            sign, left = (-sign if left else -1), SCOPE
    if cues.BURMESE.search(clause):
        turns.append("မ…ဘူး")
        signs = dict.fromkeys(signs, -1)
    places = (
        ()
        if turns
        else tuple(
            (slot, match[1])
            for slot, pattern in cues.PLACES.items()
            for match in pattern.finditer(clause)
        )
    )
    return Reading(signs, _numbers(clause), tuple(turns), places)


def _turned(clause: str, turns: list[str]) -> list[tuple[int, int]]:
    """Stretches of characters that are said to hold no more, or less than another thing."""
    spans = []
    for match in cues.ENDINGS.finditer(clause):
        spans.append((match.start(), len(clause)))
        turns.append(match[0])
    prefers = cues.PREFERENCE.search(clause)
    for match in cues.OPPOSED.finditer(clause):
        # "over" is a place more often than a preference
        if match[0] == "over" and not (prefers and prefers.start() < match.start()):
            continue
        spans.append((match.end(), len(clause)))
        turns.append(match[0])
    to = _TO.search(clause, prefers.end()) if prefers else None
    if prefers and to:
        between = clause[prefers.end() : to.start()].strip()
        if between:  # "prefers tea to coffee", but "prefers to walk"
            spans.append((to.end(), len(clause)))
            turns.append("prefers … to")
    if (place := clause.find(cues.URDU_OPPOSED)) > 0:
        spans.append((clause.rfind(" ", 0, place - 1) + 1, place))
        turns.append(cues.URDU_OPPOSED)
    if moved := cues.FROM_TO.search(clause):
        spans.append(moved.span("old"))
        turns.append("from … to")
    return spans


def _numbers(clause: str) -> tuple[tuple[str, float, float], ...]:
    clause = _COUNTED.sub(lambda match: str(_NUMBER_WORDS[match[1]]), clause)
    found = []
    for match in _NUMBER.finditer(clause):
        text = match["value"]
        text = re.sub(r"[.,](?=\d{3}(?!\d))", "", text).replace(",", ".")
        if text.count(".") > 1:
            continue  # a version or an address, no quantity
        value = float(text)
        low = -math.inf if match["most"] else value
        high = math.inf if match["least"] else value
        unit = match["unit"] or ""
        found.append((unit if unit == "%" else stem(unit) if unit else "", low, high))
    return tuple(found)


def numbers_agree(one: Reading, other: Reading) -> bool | None:
    """Whether quantities of one unit can be the same; None where no unit is in both."""
    shared = {unit for unit, *_ in one.numbers} & {unit for unit, *_ in other.numbers} - {""}
    if not shared:
        return None
    return all(
        any(
            low <= top and bottom <= high
            for unit_, low, high in one.numbers if unit_ == unit
            for other_, bottom, top in other.numbers if other_ == unit
        )
        for unit in shared
    )  # fmt: skip


def places_agree(one: Reading, other: Reading) -> bool | None:
    """Whether both name the same home or work; None where they do not both name one."""
    slots = {slot for slot, _ in one.places} & {slot for slot, _ in other.places}
    if not slots:
        return None
    return all(
        {name for slot_, name in one.places if slot_ == slot}
        & {name for slot_, name in other.places if slot_ == slot}
        for slot in slots
    )
