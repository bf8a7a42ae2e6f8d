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
is named as given up, or something else for the very same purpose, takes a value's place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from memlab.tokens import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SLOTS = ("home", "work", "uses", "prefers", "status", "version", "owns")
SINGLE = frozenset({"home", "work", "status", "version"})
"""Slots that hold one value at a time."""

_STATES = {
    "done": "done finished complete completed shipped delivered closed resolved",
    "waiting": "blocked stuck paused waiting postponed on-hold",
    "open": "open active ongoing running live underway in-progress",
    "ended": "cancelled canceled dropped abandoned discontinued",
}
_STATE = {word: name for name, group in _STATES.items() for word in group.split()}
_STATE_WORDS = "|".join(sorted((re.sub("-", "[- ]", word) for word in _STATE), reverse=True))
_NUMBER = r"(?:v\d+(?:\.\d+)*[\w.-]*|\d+(?:\.\d+)+[\w.-]*)"

_REST = r"(?P<rest>.+)"
_OLD = r"(?P<old>.+?)"
_JOB = r"(?:took|has|got|accepted|started) (?:a|her|his|their) new job"
_RAISED = r"(?:been |was )?(?:upgraded|updated|bumped)"
_NOT = r"(?P<no>no longer|not|does not|doesn't|do not|don't|stopped|quit|gave up)"
_RULES: tuple[tuple[str, str], ...] = (
    ("home", rf"(?:{_NOT} )?(?:lives?|living|resides?|based) (?:in|at|on) {_REST}"),
    ("home", rf"(?:moved|relocated)(?: from {_OLD})?(?: back)? to {_REST}"),
    ("home", rf"(?P<no>moved (?:away|out)) (?:from|of) {_REST}"),
    ("home", rf"(?:bor|wohnt|lebt|habite|vive) (?:nu |jetzt )?(?:i|in|på|à|en) {_REST}"),
    ("home", rf"(?:er flyttet|flyttede)(?: fra {_OLD})? til {_REST}"),
    ("work", rf"(?:{_NOT} )?(?:works?|working|employed)(?: as [^,]+?)? (?:at|for|by) {_REST}"),
    ("work", rf"{_JOB} (?:at|with) {_REST}"),
    ("work", rf"(?:changed|switched) jobs?(?: from {_OLD})? to {_REST}"),
    ("work", rf"(?P<no>quit|resigned from|left (?:her|his|their) job at) {_REST}"),
    ("work", rf"(?:arbejder|arbeitet) (?:nu |jetzt )?(?:hos|for|bei) {_REST}"),
    ("version", rf"(?:at |on |runs |running )*version (?P<rest>{_NUMBER}|\d+)$"),
    ("version", rf"(?:at|on|runs|running) (?P<rest>{_NUMBER})$"),
    ("version", rf"(?:(?:current|latest) )?version(?: is|:) (?P<rest>{_NUMBER}|\d+)$"),
    ("version", rf"version (?P<rest>{_NUMBER}|\d+) (?:is out|is live|was released|has shipped)$"),
    ("version", rf"{_RAISED}(?: from (?P<old>{_NUMBER}))? to (?:version )?(?P<rest>{_NUMBER})$"),
    ("status", rf"status(?: is|:)(?: now)? (?P<rest>{_STATE_WORDS})$"),
    ("status", rf"(?:been )?(?P<rest>{_STATE_WORDS})$"),
    ("uses", rf"(?:{_NOT} )?(?:uses?|using) {_REST}"),
    ("uses", rf"(?:switched|changed|migrated|moved)(?: from {_OLD})? to {_REST}"),
    ("uses", rf"replaced {_OLD} (?:with|by) {_REST}"),
    ("prefers", rf"(?:{_NOT} )?prefers? {_REST}"),
    ("owns", rf"(?:{_NOT} )?owns? {_REST}"),
    ("owns", rf"(?P<no>sold|gave away|got rid of) {_REST}"),
    ("owns", rf"(?:traded|swapped|exchanged) {_OLD} for {_REST}"),
)
_COMPILED = tuple((slot, re.compile(pattern, re.IGNORECASE)) for slot, pattern in _RULES)

_LEAD = r"(?:(?:since|as of) [^,]{1,30}, |(?:now|today|currently),? )?"
_PRONOUN = r"(?:he|she|they|it|han|hun|er|sie|il|elle)"
_BEFORE_VERB = r"(?:'s |(?:is|are|has|have|now|currently|still|recently|just|finally) )*"
_CLAUSE = re.compile(
    r"(?<=[.!;])(?<!\b[A-Z]\.)\s+|;\s*|,? and (?=(?:now )?[a-z]+s |(?:moved|switched|sold) )"
)
_TAIL = re.compile(
    r"(?:\s*[,(–—]| (?:since|as of|now|these days|again|with|near|because|while|where|which|who"
    r"|and|but|siden|seit)\b).*$",
    re.IGNORECASE,
)
_BOUNDED = re.compile(
    r"\b(?:until|till|temporarily|part[- ]time|sometimes|often|mostly|every|during|between"
    r"|weekdays?|weekends?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|for (?:an?|the|one|two|three|four|five|six|\d+|some|this|next)\b.*"
    r"\b(?:nights?|days?|weeks?|months?|years?|spring|summer|autumn|fall|winter|while|term)"
    r"|if|unless|maybe|perhaps|probably|in (?:his|her|their) (?:dreams?|head))\b",
    re.IGNORECASE,
)
_PURPOSE = re.compile(r" (?:for|to|as|on|in|at|when|before|after|while)(?: |$)", re.IGNORECASE)
_RATHER = re.compile(r" (?:instead of|rather than|in place of|over) ", re.IGNORECASE)
_PREFERRED_TO = re.compile(r" to ", re.IGNORECASE)
_ARTICLES = frozenset("a an the his her their its my our one".split())


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
    """

    slot: str
    value: str
    words: frozenset[str]
    scope: frozenset[str] = frozenset()
    over: frozenset[str] = frozenset()
    denied: bool = False


def claims(text: str, names: Iterable[str] = ()) -> tuple[Claim, ...]:
    """The claims that a text makes about its first entity, in order.

    Args:
        text: The words of a fact, after its head.
        names: All spellings of the entity. The subject must be one of them; in the first sentence
            it may be missing, or be a pronoun of the third person.
    """
    return _claims(text, frozenset(names))


def replaces(newer: Claim, older: Claim) -> bool:
    """Whether an older claim about the same entity does not hold beside a newer one.

    A value that contains the other's words ("Copenhagen", "Islands Brygge in Copenhagen") agrees.
    """
    if newer.slot != older.slot or (newer.scope and older.scope and newer.scope != older.scope):
        return False
    same = newer.words <= older.words or older.words <= newer.words
    if newer.denied or older.denied:
        return same and newer.denied != older.denied
    if same:
        return False
    if newer.over:
        return newer.over <= older.words or older.words <= newer.over
    if newer.slot in SINGLE:
        return True
    return bool(newer.scope) and newer.scope == older.scope


@lru_cache(maxsize=50_000)
def _claims(text: str, names: frozenset[str]) -> tuple[Claim, ...]:
    if text.rstrip().endswith("?"):
        return ()
    named = "|".join(re.escape(name) for name in sorted(names, key=lambda n: (-len(n), n)))
    own = rf"@?(?:{named})(?: \([^)]*\))? ?" if named else r"(?!)"
    first = re.compile(rf"{_LEAD}(?:{own}|{_PRONOUN} ?)?{_BEFORE_VERB}", re.IGNORECASE)
    later = re.compile(rf"{_LEAD}{own}{_BEFORE_VERB}", re.IGNORECASE)
    bare = re.compile(_BEFORE_VERB, re.IGNORECASE)
    found: list[Claim] = []
    subject = first
    for clause in _clauses(text):
        start = subject.match(clause)
        claim = _read(clause[start.end() :]) if start else None
        if claim:
            found.append(claim)
        # "lives in Berlin and works at Acme": the second verb has the first one's subject
        subject = bare if claim and not clause.endswith((".", "!")) else later
    return tuple(found)


def _clauses(text: str) -> Iterator[str]:
    for piece in _CLAUSE.split(text.strip()):
        if piece.strip():
            yield piece.strip()


def _read(predicate: str) -> Claim | None:
    predicate = predicate.strip().rstrip(".!;").strip()
    for slot, pattern in _COMPILED:
        if (match := pattern.fullmatch(predicate)) and (claim := _claim(slot, match)):
            return claim
    return None


def _claim(slot: str, match: re.Match[str]) -> Claim | None:
    parts = match.groupdict()
    rest, denied = parts["rest"], bool(parts.get("no"))
    if _BOUNDED.search(rest):
        return None
    if slot == "status":
        name = re.sub(r"\s", "-", rest.casefold())
        return Claim(slot, rest, frozenset({_STATE[name]}))
    scope: frozenset[str] = frozenset()
    over = _words(parts.get("old") or "")
    if slot not in SINGLE:
        rest, rather, end = _split(_RATHER, rest)
        rest, _, scope_text = _split(_PURPOSE, rest)
        if slot == "prefers" and not rather and scope_text.startswith("to "):
            end, scope_text = scope_text.removeprefix("to "), ""
        end, _, late = _split(_PURPOSE, end)
        scope, over = _words(scope_text or late), over or _words(end)
    value = _TAIL.sub("", rest).strip()
    # "moved to Obsidian for notes" is no home
    if slot in {"home", "work"} and (not _is_name(value) or " for " in value):
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


def _is_name(value: str) -> bool:
    """Whether a place or a firm is named: "Berlin", "the Castle", "a flat in Graz"."""
    bare = re.sub(
        r"^(?:an? (?:\w+ )?(?:flat|house|room|apartment|village) (?:in|on) )?(?:the )?", "", value
    )
    return bool(bare) and not bare[0].islower()


def _words(text: str) -> frozenset[str]:
    return frozenset(words(text)) - _ARTICLES
