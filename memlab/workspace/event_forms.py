"""The event by which a question places something in time: "the last time we met", "before it".

Only the notes know when it was; see `memlab.workspace.windows`.
"""

from __future__ import annotations

import re

from memlab.tokens import words
from memlab.workspace import spans
from memlab.workspace.windows import Event, Relation

_LAST = re.compile(
    r"\b(?:(?:the )?last time(?: that)?|when (?:did|was|were|have|has|had) (?P<who>.+?) last"
    r"|(?:the )?(?:most recent(?:ly)?|latest|newest)|senest|sidste gang|nyeste|lần cuối"
    r"|lần gần nhất|mới nhất)\b(?P<event>[^?.!;]*)"
    r"|(?P<event2>[^?.!;]*)(?:آخری بار|پچھلی بار|تازہ ترین|နောက်ဆုံး|အရင်တစ်ခေါက်)"
    r"(?P<event3>[^?.!;]*)"
)
_FIRST = re.compile(r"\b(?:the )?(?:first time(?: that)?|første gang|lần đầu)\b(?P<event>[^?.!;]*)")
_OFFSET = re.compile(
    r"\b(?:(?P<n>\d{1,3}|an?|the|one|two|three|four|five|six|seven) )?"
    r"(?P<unit>day|night|morning|evening|week|month|year)s? (?P<side>before|after)\b"
    r"(?P<event>[^?!;,]+)"
)
_EVENT = re.compile(
    r"\b(?:(?P<before>before|prior to|until|till|før|indtil|trước khi)"
    r"|(?P<after>after|since|efter at|siden|sau khi|kể từ khi)"
    r"|(?P<during>during|at the time of|trong khi))\b(?! when\b)(?P<event>[^?!;,]+)"
)
_EVENT_SUFFIX = re.compile(
    r"(?P<event>[^?!;,،۔؟]+?)\s?(?:(?P<before>سے پہلے|سے قبل|မတိုင်ခင်|မတိုင်မီ)|(?P<after>کے بعد|ပြီးနောက်))"
)
_NOT_EVENTS = frozenset(
    "all that this it then now and or him her them us me you long else another a the be".split()
)  # what "after" may be followed by without naming anything


def find(text: str, taken: list[tuple[int, int]]) -> Event | None:
    """The event of a question, if it names one without a date.

    Args:
        text: The question, folded.
        taken: Where it names times that were read already, each from its start to its end.
    """
    for pattern, relation in ((_LAST, Relation.LAST), (_FIRST, Relation.FIRST)):
        if match := pattern.search(text):
            named = " ".join(part for part in match.groups() if part) or text
            return Event(relation, named.strip())
    match = _OFFSET.search(text)
    if match and _names(match, text, taken):
        days, exact = spans.counted(match["n"], match["unit"])
        return Event(Relation(match["side"]), match["event"].strip(), days, exact=exact)
    for pattern in (_EVENT, _EVENT_SUFFIX):
        for match in pattern.finditer(text):
            if _names(match, text, taken):
                side = next(name for name in ("before", "after", "during") if match[name])
                return Event(Relation(side), match["event"].strip())
    return None


def _names(match: re.Match[str], text: str, taken: list[tuple[int, int]]) -> bool:
    """Whether what follows the word names something, and is no time that was read already."""
    start, end = match.span("event")
    if any(start < stop and begin < end for begin, stop in taken):
        return False
    named = words(text[start:end])
    return any(word not in _NOT_EVENTS for word in named)
