"""The table of slots: what a text says that its entity has one of at a time.

``claims(text, names)`` reads a fact's words, given the spellings of its first entity, as claims of
one slot each; ``replaces(newer, older)`` says whether two claims of one entity cannot both hold.
Pure, and narrow by intent: what is not plainly said of that entity, now and without condition, is
no claim. "Used to live in", "would move to", "his sister lives in", "for two weeks" are none.

| slot | said by |
|---|---|
| home | lives in, is based in, moved to |
| work | works at, works for, has a new job at |
| uses | uses X for Y, switched from X to Y, replaced X with Y, stopped using X |
| prefers | prefers X for Y, prefers X to Y |
| status | status: X, is now on hold |
| version | is at version 2.1, was upgraded to 2.1 |
| owns | owns X, sold X, traded X for Y |

Home, work, status and version hold one value at a time. Of the others a person has many: only what
is named as given up, or something else for the very same purpose, takes a value's place. The forms
of each, in several languages, are those of `memlab.workspace.slot_forms`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from memlab.tokens import words
from memlab.workspace.slot_forms import CUES, FORMS, STATE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["CUES", "SINGLE", "SLOTS", "Claim", "claims", "replaces"]

SLOTS = ("home", "work", "uses", "prefers", "status", "version", "owns")
SINGLE = frozenset({"home", "work", "status", "version"})
"""Slots that hold one value at a time."""

_COMPILED = tuple((slot, re.compile(pattern, re.IGNORECASE)) for slot, pattern in FORMS)
_UNNAMED = [re.sub(r"\?P<\w+>", "?:", pattern) for _, pattern in FORMS]
_VERB_LAST = [pattern for pattern in _UNNAMED if re.match(r"(?:\(\?:)+\.\+", pattern)]
_VERB_FIRST = [pattern for pattern in _UNNAMED if pattern not in _VERB_LAST]
# most texts have none of the forms, which one pattern tells faster than one after the other; those
# that end in their verb look at every place of a text, and no text in ASCII has them
_HAS_FORM = re.compile("|".join(_VERB_FIRST), re.IGNORECASE).fullmatch
_HAS_OTHER_FORM = re.compile("|".join(_VERB_LAST), re.IGNORECASE).fullmatch

_NOW = r"(?:now|currently|these days|today|nu|nå|jetzt|ahora|giờ|bây giờ|hiện|اب|အခု|ယခု)"
_LEAD = re.compile(r"(?:(?:since|as of) [^,]{1,30}, |(?:now|today|currently),? )?", re.IGNORECASE)
_PRONOUN = re.compile(r"(?:he|she|they|it|han|hun|er|sie|il|elle) ", re.IGNORECASE)
_BEFORE_VERB = re.compile(
    rf"(?:'s |{_NOW} ?\b|(?:is|are|has(?! an? )|have|still|recently|just|finally) )*\s*",
    re.IGNORECASE,
)
_AFTER_NAME = re.compile(r"(?:က|သည်)?(?: \([^)]*\))?(?: |(?='s ))")
_SPACES = {ord("-"): " ", ord("_"): " "}
_IS_NOW = re.compile(rf"(?<!\w){_NOW}(?!\w)", re.IGNORECASE)
_CLAUSE = re.compile(
    r"(?<=[.!;])(?<!\b[A-Z]\.)\s+|(?<=[။۔])\s*|;\s*"
    r"|,? and (?=(?:now )?[a-z]+s |(?:moved|switched|sold) )"
)
_END = " .!;။۔"
_WHEN = re.compile(
    rf"[, ]*\b(?:{_NOW}|again|at last|yesterday|earlier|(?:last|this) (?:week|weekend|month|year"
    r"|night|morning|afternoon|evening|spring|summer|autumn|fall|winter|(?:mon|tues|wednes|thurs"
    r"|fri|satur|sun)day)|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|(?:a|two|three|\d+) (?:days?|weeks?|months?) ago)$",
    re.IGNORECASE,
)
_LONGEST_WHEN = 24  # characters
_TAIL = re.compile(
    r"(?:\s*[,(–—]| (?:since|as|now|these days|again|with|near|because|while|where|which|who"
    r"|and|but|siden|seit|med|fordi|mit|weil|wie|avec|con|porque|với|vì)\b).*$",
    re.IGNORECASE,
)
_BOUNDED = re.compile(
    r"\b(?:until|till|temporarily|part[- ]time|sometimes|often|mostly|every|during|between"
    r"|weekdays?|weekends?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|for (?:an?|the|one|two|three|four|five|six|\d+|some|this|next)\b.*"
    r"\b(?:nights?|days?|weeks?|months?|years?|spring|summer|autumn|fall|winter|while|term)"
    r"|tomorrow|soon|next (?:week|month|year|spring|summer|autumn|fall|winter)"
    r"|til|bis|jusqu|hasta|midlertidigt|vorübergehend|temporairement|temporalmente|tạm"
    r"|(?:i|für|pour|por|trong) \w+ (?:\w+ )?(?:uger?|måned(?:er)?|wochen?|monate?|semaines?|mois"
    r"|semanas?|meses|tuần|tháng)|if|unless|maybe|perhaps|probably|except|apart|only"
    r"|in (?:his|her|their) (?:dreams?|head))\b",
    re.IGNORECASE,
)
_PURPOSE = re.compile(r" (?:for|to|as|on|in|at|by|when|before|after|while)(?: |$)", re.IGNORECASE)
_RATHER = re.compile(r" (?:instead of|rather than|in place of|over) ", re.IGNORECASE)
_CALLED = re.compile(r" (?:called|named) .*$", re.IGNORECASE)
_ARTICLES = frozenset(
    """a an the his her their its my our it this that these one et en den det ein eine einen un une
    le la el""".split()
)
_DWELLING = re.compile(
    r"^(?:an? (?:\w+ ){0,2}(?:flat|house|room|apartment|village|cottage|cabin|suburb) (?:in|on) )?"
    r"(?:the )?"
)
_IN_NAMES = frozenset(
    "of the de la le les du des and & am an der die upon near in on at van den el von i på".split()
)
_WORKPLACES = frozenset(
    """bakery bank brewery café cafe clinic college company council factory farm gallery
    garage hospital hotel library museum newspaper nursery pharmacy restaurant school shop startup
    theatre university workshop""".split()
)


class _Subject(Enum):
    """How a clause must name who it speaks of."""

    ANY = 0
    NAMED = 1
    NONE = 2


@dataclass(frozen=True, slots=True)
class Claim:
    """What a text says of one slot.

    Attributes:
        slot: One of `SLOTS`.
        value: What the slot holds, as written.
        words: Its words, folded, without articles; a status is the group of its word.
        scope: The words of the purpose or occasion, where one is given.
        over: The words of what it took the place of, where that is named.
        denied: Whether the slot is said not to hold the value.
        now: Whether the text says that it is so now.
    """

    slot: str
    value: str
    words: frozenset[str]
    scope: frozenset[str] = frozenset()
    over: frozenset[str] = frozenset()
    denied: bool = False
    now: bool = False


def claims(text: str, names: Iterable[str] = (), *, named: bool = False) -> tuple[Claim, ...]:
    """The claims that a text makes about its first entity, in order.

    Args:
        text: The words of a fact, after its head.
        names: All spellings of the entity. The subject must be one of them; in the first sentence
            it may be missing, or be a pronoun of the third person.
        named: The first sentence must name it too, as in a text without a head.
    """
    return _claims(text, frozenset(names), named=named)


def replaces(newer: Claim, older: Claim) -> bool:
    """Whether an older claim about the same entity does not hold beside a newer one.

    A value that contains the other's words ("Copenhagen", "Islands Brygge in Copenhagen") agrees.
    """
    apart = newer.scope and older.scope and newer.scope != older.scope
    if newer.slot != older.slot or apart:
        return False
    same = newer.words <= older.words or older.words <= newer.words
    if newer.denied or older.denied:
        return same and newer.denied != older.denied
    if newer.over and not same:
        return newer.over <= older.words or older.words <= newer.over
    if same or newer.scope != older.scope:
        return False
    changed = newer.now and _of_one_sort(newer.value, older.value)
    return newer.slot in SINGLE or bool(newer.scope) or changed


@lru_cache(maxsize=50_000)
def _claims(text: str, names: frozenset[str], *, named: bool) -> tuple[Claim, ...]:
    if text.rstrip().endswith(("?", "؟")):
        return ()
    spellings = sorted(map(_plain, names), key=lambda name: (-len(name), name))
    found: list[Claim] = []
    need = _Subject.NAMED if named else _Subject.ANY
    for clause in _clauses(text):
        said = (_read(clause, predicate) for predicate in _predicates(clause, spellings, need))
        claim = next(filter(None, said), None)
        if claim:
            found.append(claim)
        # "lives in Berlin and works at Acme": the second verb has the first one's subject
        goes_on = claim is not None and not clause.endswith((".", "!"))
        need = _Subject.NONE if goes_on else _Subject.NAMED
    return tuple(found)


def _clauses(text: str) -> Iterator[str]:
    for piece in _CLAUSE.split(text.strip()):
        if piece and piece.strip():
            yield piece.strip()


def _predicates(clause: str, spellings: list[str], need: _Subject) -> list[str]:
    """What a clause may say of the entity; nothing where its subject is another."""
    if need is _Subject.NONE:
        return [clause]
    clause = clause[_end(_LEAD, clause) :].removeprefix("@")
    plain = _plain(clause)
    for name in spellings:
        if plain.startswith(name) and (after := _AFTER_NAME.match(plain, len(name))):
            return [clause[after.end() :]]
    # "er" is "is" in Danish and "he" in German
    pronoun = _end(_PRONOUN, clause)
    return [] if need is _Subject.NAMED else [clause, clause[pronoun:]][: 1 + bool(pronoun)]


def _read(clause: str, predicate: str) -> Claim | None:
    """The claim of a predicate, or None where it makes none."""
    predicate = predicate[_end(_BEFORE_VERB, predicate) :].rstrip(_END)
    while when := _WHEN.search(predicate, max(0, len(predicate) - _LONGEST_WHEN)):
        predicate = predicate[: when.start()].rstrip(_END)
    if not _HAS_FORM(predicate) and (predicate.isascii() or not _HAS_OTHER_FORM(predicate)):
        return None
    for slot, pattern in _COMPILED:
        if (match := pattern.fullmatch(predicate)) and (claim := _claim(slot, match)):
            return replace(claim, now=True) if _IS_NOW.search(clause) else claim
    return None


def _claim(slot: str, match: re.Match[str]) -> Claim | None:
    parts = match.groupdict()
    rest, denied = parts["rest"], bool(parts.get("no"))
    if _BOUNDED.search(parts.get("tail") or ("" if slot == "status" else rest)):
        return None
    if slot == "status":
        line, group = STATE[re.sub(r"\s", "-", rest.casefold())]
        return Claim(slot, rest, frozenset({group}), frozenset({str(line)}))
    scope = _words(parts.get("scope") or "")
    over = _words(parts.get("old") or "")
    if slot not in SINGLE:
        rest, rather, end = _split(_RATHER, rest)
        rest, _, scope_text = _split(_PURPOSE, _CALLED.sub("", rest))
        if slot == "prefers" and not rather and scope_text.startswith("to "):
            end, scope_text = scope_text.removeprefix("to "), ""
        end, _, late = _split(_PURPOSE, end)
        purpose = _TAIL.sub("", scope_text or late)
        scope, over = scope or _words(purpose), over or _words(end)
    value = _TAIL.sub("", rest).strip()
    if slot in {"home", "work"} and not _is_place(value, work=slot == "work"):
        return None
    found = _words(value.removeprefix("v") if slot == "version" else value)
    return Claim(slot, value, found, scope, over, denied) if found else None


def _split(pattern: re.Pattern[str], text: str) -> tuple[str, str, str]:
    """What stands before a match, the match, and all from its word on; the text where none is."""
    match = pattern.search(text)
    if not match or not text[: match.start()].strip():
        return text, "", ""
    rest = text[match.end() :] if pattern is not _PURPOSE else text[match.start() :]
    return text[: match.start()], match[0], rest.strip()


def _is_place(value: str, *, work: bool) -> bool:
    """Whether a place or a firm is named: "Berlin", "the Castle", "a flat in Graz"; "a bakery"."""
    first, *others = _DWELLING.sub("", value).split() or [""]
    if work and (others or [first])[-1].casefold() in _WORKPLACES:
        return True
    return bool(first) and all(
        not word[0].islower() or (word in _IN_NAMES and word is not first)
        for word in (first, *others)
    )


def _of_one_sort(one: str, other: str) -> bool:
    """Whether two values of several words have their last one in common."""
    first, second = words(one), words(other)
    return min(len(first), len(second)) > 1 and first[-1] == second[-1]


def _words(text: str) -> frozenset[str]:
    return frozenset(words(text)) - _ARTICLES


def _plain(text: str) -> str:
    """As long as ``text``: names are compared without case, hyphens and underscores as spaces."""
    return text.translate(_SPACES).lower() if len(text.lower()) == len(text) else text


def _end(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.match(text)
    return match.end() if match else 0
