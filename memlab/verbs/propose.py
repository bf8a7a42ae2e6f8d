"""Which sentences of a day are worth keeping: by rules, verbatim, with their kind and entities."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.tokens import fold
from memlab.types import Kind, Source
from memlab.verbs.duplicates import NEAR, overlap, words_of
from memlab.verbs.sentences import Sentence, narrative, stands_alone
from memlab.workspace import dates, grammar

if TYPE_CHECKING:
    import datetime as dt

    from memlab.workspace.entities import Lexicon

MOST = 5
"""At most so many proposals a day."""
LEAST = 2
"""So many are proposed even if none of them is outstanding, where so many stand alone."""
ENOUGH = 1.0
"""From this score on, a sentence is proposed."""
_AN_ENTITY = 2
"""A bullet names at most so many entities."""

_NUMBER = re.compile(r"\d")
_AMOUNT = re.compile(
    r"\b(?:DKK|EUR|USD|GBP)\b|[€$£]|\d\s?(?:%|kg|mm|cm|km|m|m²|°C|ms|h|V|kr|MiB|GB|MB|cycles)\b|\d\s?%"
)
_CHANGE = re.compile(
    r"\b(?:decid\w+|agreed|approved|signed|ordered|moves?|moved|switch\w+|replac\w+|cut|cracked|"
    r"stolen|broke\w*|fail\w+|lost|paid|unpaid|due|opens?|opened|clos\w+|booked|drafted|rises?|rose|"
    r"costs?|needs?|wants?|leaks?|runs?|stores?|sold|signature|valid|cause\w*|must|never|"
    r"stays?|starts?|ended|merged|measured|hangs|allerg\w+|sprain|operation|invoice|total|"
    r"deadline|version|deliver\w+|rent|price|fixed|goes|go|found|enforced|offer)\b",
    re.IGNORECASE,
)
_OPINION = re.compile(
    r"\b(?:thinks?|believes?|prefers?|wants?|likes?|hates?|considers?|"
    r"(?:is|was|isn't) (?:not )?(?:sold on|sure|convinced)|'d (?:choose|rather)|says? (?:that )?"
    r"(?:the|it) [\w ]+ is (?:the )?(?:best|better|worse|worst))\b",
    re.IGNORECASE,
)
_SELF = re.compile(r"^(?:I|We)\b|\b(?:I've|I)\b")
_ASIDE = re.compile(r"[\"“”»«]")
_MARKUP = re.compile(r"\[\[([^\[\]|]+)(?:\|[^\[\]]*)?\]\]")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A bullet that is proposed.

    Attributes:
        bullet: The bullet.
        source: The lines that it was taken from.
        score: By how much the rules favour it.
    """

    bullet: grammar.Bullet
    source: Source
    score: float

    @property
    def line(self) -> str:
        """The bullet's line, with the lines that it comes from."""
        start, end = self.source.start, self.source.end
        lines = f"L{start}" if start == end else f"L{start}-L{end}"
        return f"- {grammar.render(self.bullet)} <!-- from {lines} -->"


def propose(path: str, text: str, day: dt.date, lexicon: Lexicon) -> list[Proposal]:
    """Two to five bullets from a log's narrative, in its order; fewer where fewer stand alone.

    Each is a sentence as it stands, with a date put after words such as "tomorrow". Sentences whose
    subject stands elsewhere are passed over, and so is what a bullet of the log says already.

    Args:
        path: The log's path.
        text: Its text, line endings as LF.
        day: Its day.
        lexicon: The names that are known.
    """
    standing = [words_of(grammar.Bullet(None, (), line)) for line in retained(text)]
    found: list[Proposal] = []
    for sentence in narrative(text):
        keys = lexicon.mentions(sentence.text)
        places = [at for own in keys for at in _places(sentence.text, own, lexicon)]
        if not stands_alone(sentence, places):
            continue
        bullet = _bullet(sentence, day, [lexicon.names[own] for own in keys])
        if bullet is None or _stands(bullet, standing):
            continue
        source = Source(path, sentence.start, sentence.end)
        found.append(Proposal(bullet, source, _score(sentence, len(keys))))
    found.sort(key=lambda one: (-one.score, one.source))
    chosen: list[Proposal] = []
    for proposal in found:
        if len(chosen) == MOST or (len(chosen) >= LEAST and proposal.score < ENOUGH):
            break
        words = words_of(proposal.bullet)
        if all(overlap(words, words_of(other.bullet)) < NEAR for other in chosen):
            chosen.append(proposal)
    return sorted(chosen, key=lambda one: one.source)


def has_proposals(text: str) -> bool:
    """Whether a log has a section of proposals, which a person has not emptied yet."""
    inside = False
    for line in text.split("\n"):
        if line.startswith("#"):
            inside = line.lstrip("# ").casefold().startswith("retain (proposed)")
        elif inside and line.startswith("- "):
            return True
    return False


def _stands(bullet: grammar.Bullet, standing: list[frozenset[str]]) -> bool:
    words = words_of(grammar.Bullet(None, (), bullet.content))
    return any(overlap(words, one) >= NEAR for one in standing)


def retained(text: str) -> list[str]:
    """What stands in a log's Retain sections already, proposed ones too, line by line."""
    found: list[str] = []
    inside = False
    for line in text.split("\n"):
        if line.startswith("#"):
            inside = line.lstrip("# ").casefold().startswith("retain")
        elif inside and line.startswith("- "):
            head, colon, content = grammar.strip_comments(line[2:]).partition(": ")
            found.append(content if colon else head)
    return found


def _places(text: str, own: str, lexicon: Lexicon) -> list[int]:
    """Where an entity's name stands, if it is spelled as it is shown."""
    first = lexicon.names[own].replace("-", " ").split()[0]
    at = fold(text).find(fold(first))
    return [at] if at >= 0 else []


def _score(sentence: Sentence, entities: int) -> float:
    text = sentence.text
    words = len(text.split())
    score = 1.0 * bool(_NUMBER.search(text)) + 0.7 * bool(_AMOUNT.search(text))
    score += 1.0 * (entities > 0) + 0.3 * (entities > 1)
    score += 1.2 * bool(_CHANGE.search(text)) + 0.8 * bool(_OPINION.search(text))
    score += 1.5 * ("**" in text) + 0.8 * sentence.opens_page + 0.3 * sentence.opens_block
    score -= 0.6 * bool(_SELF.search(text)) + 0.6 * bool(_ASIDE.search(text))
    score -= 0.6 * (words > 32)
    return round(score, 2)


def _bullet(sentence: Sentence, day: dt.date, names: list[str]) -> grammar.Bullet | None:
    text = sentence.text
    kind, confidence = Kind.WORLD, None
    if _SELF.search(text):
        kind = Kind.EXPERIENCE
    elif names and _OPINION.search(text):
        kind, confidence = Kind.OPINION, grammar.DEFAULT_CONFIDENCE
    bullet = grammar.Bullet(
        kind, tuple(names[:_AN_ENTITY]), grammar.canonical(resolved(text, day)), confidence
    )
    try:
        grammar.render(bullet)
    except ValueError:
        return None
    return bullet


def resolved(text: str, day: dt.date) -> str:
    """``text`` with the day after each word for a day: "tomorrow (2025-10-20)"."""
    folded = fold(text)
    if len(folded) != len(text):
        return text  # what was found could not be found again in the text as it stands
    for found in reversed(dates.find_all(text, day)):
        words = text[found.start : found.end]
        if not any(char.isdigit() for char in words):
            text = f"{text[: found.end]} ({found.range}){text[found.end :]}"
    return text
