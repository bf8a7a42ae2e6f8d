"""Sentences of a log's narrative, with their lines, and whether each can stand alone.

The rules know English. A sentence in another language is passed over, not guessed at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.workspace import front_matter, grammar
from memlab.workspace.markdown import BlockType, blocks, split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

_ABBREVIATION = re.compile(r"(?:\b(?:Dr|Mr|Mrs|Ms|St|no|nos|incl|approx|e\.g|i\.e|vs)\.|\(\w\))$")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_TASK = re.compile(r"\[[ xX]\]\s")
_LEAD = re.compile(r"^[\W_]*(?:\d+[:.]\d+\s+)?")
_ENGLISH = frozenset(
    "the a an of to from in on at is was are were for and with by has have had be will not no "
    "than after before until its it as this that all more".split()
)
_OTHER = frozenset(
    "og er jeg til af på ikke det hun han der som har den mor vi du "
    "em anh chị và là của không để một các cho".split()
)
# A sentence that begins so speaks of something that stands before it.
_DANGLING = frozenset(
    "he she it they this that these those there one both his her their its him them another so "
    "and but or which then also because who what why how where told same yes ok okay see told "
    "effects reasons options points sequence said".split()
)
# A diary leaves out "I" and "he" before these.
_BARE_VERB = frozenset(
    "sent told got went took made wrote found bought drove came did set held kept left gave said "
    "put read ran swam paid saw had was were asked walked passed slept leaving adds thinks feels "
    "waiting sleep does has is can could would should".split()
)
_PARTICIPLE = re.compile(r"^[A-Za-z]{2,}ed$")
_PERSON = re.compile(r"\b(?:he|she|him|his|her|hers|they|them|their)\b", re.IGNORECASE)
_OPEN = re.compile(r"^[\"'“‘«»(]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the narrative.

    Attributes:
        text: Its words as they stand, white space folded.
        start: Its first line, from 1.
        end: Its last line.
        opens_page: Whether it is in the first block of the page's text.
        opens_block: Whether its block begins with it.
        item: Whether it stands in a list.
    """

    text: str
    start: int
    end: int
    opens_page: bool
    opens_block: bool
    item: bool


def narrative(text: str) -> Iterator[Sentence]:
    """The sentences of a log outside headings, quotes, tasks, tables, code and Retain sections.

    Args:
        text: The log's text, line endings as LF.
    """
    lines = split_lines(text)
    level, retained = 7, False
    first = True
    for block in blocks(front_matter.split(text).body):
        if block.type is BlockType.HEADING:
            if block.level <= level or not retained:
                level = block.level
                retained = grammar.canonical(block.text).casefold().startswith("retain")
            continue
        quoted = lines[block.start - 1].lstrip().startswith(">")
        prose = block.type in (BlockType.PARAGRAPH, BlockType.ITEM)
        if retained or quoted or not prose or _TASK.match(block.text) or "<!--" in block.text:
            continue
        for number, (start, end) in enumerate(_split(block.text.replace("\n", " "))):
            yield Sentence(
                grammar.canonical(block.text[start:end]),
                block.start + block.text.count("\n", 0, start),
                block.start + block.text.count("\n", 0, max(start, end - 1)),
                first, number == 0, block.type is BlockType.ITEM,
            )  # fmt: skip
        first = False


def _split(text: str) -> Iterator[tuple[int, int]]:
    """Where sentences start and end, by Unicode's rules (UAX #29), abbreviations minded."""
    import icu

    breaker = icu.BreakIterator.createSentenceInstance(icu.Locale("en"))
    source = icu.UnicodeString(text)
    breaker.setText(source)
    start = begin = 0  # in characters; ICU counts UTF-16 units
    unit = 0
    for boundary in breaker:
        end = start + len(str(source[unit:boundary]))
        unit, start = boundary, end
        piece = text[begin:end]
        if _ABBREVIATION.search(piece.rstrip()) and end < len(text):
            continue
        if piece.strip():
            lead = len(piece) - len(piece.lstrip())
            yield begin + lead, begin + len(piece.rstrip())
        begin = end


def stands_alone(sentence: Sentence, names: list[int]) -> bool:
    """Whether a reader who sees nothing else knows who and what a sentence is about.

    Args:
        sentence: The sentence.
        names: Where names stand in its text.
    """
    text = sentence.text
    words = [word.casefold() for word in _WORD.findall(text)]
    if (
        len(text.split()) < 4
        or not 2 <= len(words) <= 48
        or text.endswith(("?", ":"))
        or _OPEN.match(text)
    ):
        return False
    if not _is_english(words):
        return False
    first = words[0]
    if first in _DANGLING or first in _BARE_VERB or first.partition("'")[0] in _DANGLING:
        return False
    if _PARTICIPLE.match(first) and not text[:1].islower():
        return False
    if first == "i" and re.search(r"\b(?:it|him|her|them|that)\b", text):
        return False
    person = _PERSON.search(text)
    return not person or any(at < person.start() for at in names)


def _is_english(words: list[str]) -> bool:
    foreign = sum(word in _OTHER for word in words)
    english = sum(word in _ENGLISH for word in words)
    latin = all(ord(char) < 0x250 or 0x1E00 <= ord(char) < 0x1F00 for w in words for char in w)
    return latin and foreign < 2 and (english > 0 or foreign == 0)
