"""From a page to its facts: a pure function of the page's path and text."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from memlab.tokens import Reader, tokens
from memlab.types import Fact, Kind, Origin, Source, TimeRange, Trouble
from memlab.workspace import entities, front_matter, grammar, parts, times, vocabulary
from memlab.workspace.layout import IMPLIED, Role, day_of, role_of
from memlab.workspace.markdown import Block, BlockType, blocks

if TYPE_CHECKING:
    import datetime as dt

    from memlab.workspace.reader import Page

_FACT_ID = r"f-[0-9a-hjkmnp-tv-z]{12}(?:-[0-9]+)?"
_SUPERSEDES = re.compile(rf"<!--\s*supersedes\s+({_FACT_ID})\s*-->")
_KEEP = re.compile(rf"<!--\s*memlab:keep\s+({_FACT_ID})\s*-->")
_BARE_TAGS = re.compile(r"(?:</?[A-Za-z][\w-]*\s*/?>\s*)+")
_SPEAKER = re.compile(r"[^\W\d_][\w .'’-]{0,30}:(?=\s)")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_RETAIN = {"retain": Origin.WRITTEN, "retain (proposed)": Origin.PROPOSED}
# Crockford's base32 in lower case: no i, l, o, u to misread
_BASE32 = "0123456789abcdefghjkmnpqrstvwxyz"
_READER = Reader(vocabulary.signs)
_BASE32_PAIRS = [first + second for first in _BASE32 for second in _BASE32]


class ParsedFact(NamedTuple):
    """A fact with what only its page can tell of it; entities are not yet known by key.

    Attributes:
        id: Its id, without a suffix.
        path: Its page.
        start: Its first line.
        end: Its last line.
        kind: What sort of claim it is.
        origin: Who put it there.
        content: Its words.
        heading: The headings above it.
        day: The day of its page.
        when: The time that it speaks of, else its day.
        times: Further times that its words name.
        confidence: Of an opinion.
        heads: Entities before its colon, as spelled.
        tags: Entities named by ``@`` in its content.
        links: Targets of its wikilinks.
        supersedes: The id of the fact that it says it supersedes.
        keeps: The id of a fact that, it says, nothing supersedes.
        tokens: Its search tokens, a space between them: of its head's entities and its content.
        context: Likewise of what stands around it: headings, day, a table's header.
    """

    id: str
    path: str
    start: int
    end: int
    kind: Kind
    origin: Origin
    content: str
    heading: str
    day: dt.date | None
    when: TimeRange | None
    times: tuple[TimeRange, ...]
    confidence: float | None
    heads: tuple[str, ...]
    tags: tuple[str, ...]
    links: tuple[str, ...]
    supersedes: str | None
    keeps: str | None
    tokens: str
    context: str

    @property
    def fact(self) -> Fact:
        """The fact, about the entities of its head alone."""
        return Fact(
            self.id, self.kind, self.origin, self.content, Source(self.path, self.start, self.end),
            self.day, self.when, self.heads, self.confidence, self.heading,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """A page's facts and what it says of itself.

    Attributes:
        path: Its path from the workspace's root.
        sha256: The hash of its bytes.
        role: Its role.
        day: Its day: of its name, else of its front matter.
        title: Its title: of its front matter, else its first heading, else its file's stem.
        name: Of an entity page, the entity's name; otherwise None.
        aliases: Other names of the entity or page.
        talk: Whether it reads like a conversation: speaker after speaker.
        facts: Its facts, in order.
        troubles: What did not go as written.
    """

    path: str
    sha256: str
    role: Role
    day: dt.date | None
    title: str
    name: str | None
    aliases: tuple[str, ...]
    talk: bool
    facts: tuple[ParsedFact, ...]
    troubles: tuple[Trouble, ...]


def fact_id(day: dt.date | None, path: str, names: tuple[str, ...], content: str) -> str:
    """The id of a fact, before any suffix: ``f-`` and 60 bits of SHA-256 in base32.

    It is taken over the day (the path if undated), the sorted keys of the entities before the colon
    and the content; kind, confidence and line are left out, so a fact may move and keep its id.
    """
    keys = "\x1e".join(sorted(map(entities.key, names)))
    stuff = f"{day or path}\x1f{keys}\x1f{content}"
    bits = int.from_bytes(hashlib.sha256(stuff.encode()).digest()[:8]) >> 4
    pairs = _BASE32_PAIRS
    return (
        f"f-{pairs[bits >> 50]}{pairs[bits >> 40 & 1023]}{pairs[bits >> 30 & 1023]}"
        f"{pairs[bits >> 20 & 1023]}{pairs[bits >> 10 & 1023]}{pairs[bits & 1023]}"
    )


def parse(page: Page) -> ParsedPage:
    """All facts of a page, with what was odd about it."""
    matter = front_matter.split(page.text)
    return _PageParser(page, matter).run()


def _is_talk(facts: list[ParsedFact]) -> bool:
    """Whether most facts begin with a speaker's name, and the same few speak again and again."""
    spoken = [match[0] for one in facts if (match := _SPEAKER.match(one.content))]
    return len(spoken) > max(3, len(facts) / 2) and len(set(spoken)) <= len(spoken) / 2


class _PageParser:
    """The state of walking over one page's blocks."""

    def __init__(self, page: Page, matter: front_matter.FrontMatter) -> None:
        self.page = page
        self.matter = matter
        self.role = role_of(page.path)
        self.day = day_of(page.path) or matter.day
        self.whole_day = TimeRange.day(self.day) if self.day else None
        self.parts = parts.find(matter.body)
        spans = (range(part.start, part.end + 1) for part in self.parts.found)
        self.generated = frozenset(chain.from_iterable(spans))  # lines
        self.headings: list[tuple[int, str]] = []  # level and text of those above, outermost first
        self.heading = ""
        self.context: str | None = None  # search tokens of what is above, once asked for
        self.section: Origin | None = (
            None  # inside a Retain section: of written or proposed bullets
        )
        self.bullet = grammar.Bullet(None, (), "")  # the last one of a Retain section
        self.facts: list[ParsedFact] = []
        self.troubles = [Trouble(page.path, text, line) for line, text in matter.faults]
        self.troubles += [Trouble(page.path, text, line) for line, text in self.parts.faults]

    def run(self) -> ParsedPage:
        found = list(blocks(self.matter.body))
        for block, following in zip_longest(found, found[1:]):
            if block.type is BlockType.HEADING:
                self._heading(block, following)
            else:
                self._block(block)
        stem = self.page.path.rpartition("/")[2].rpartition(".")[0]
        top = next((b.text for b in found if b.type is BlockType.HEADING and b.level == 1), "")
        title = self.matter.text("title") or grammar.canonical(top) or stem
        name = (self.matter.text("name") or title) if self.role is Role.ENTITY else None
        aliases = self.matter.texts("aliases", "alias")
        if self.role is Role.ENTITY:
            aliases += tuple(
                a for a in (title, stem.partition("~")[0]) if a not in (name, *aliases)
            )
        return ParsedPage(
            self.page.path, self.page.sha256, self.role, self.day, title, name, aliases,
            _is_talk(self.facts), tuple(self.facts), tuple(self.troubles),
        )  # fmt: skip

    def _heading(self, block: Block, following: Block | None) -> None:
        while self.headings and self.headings[-1][0] >= block.level:
            self.headings.pop()
        self._enter()
        text = grammar.canonical(block.text)
        nested = following is not None and (
            following.type is not BlockType.HEADING or following.level > block.level
        )
        is_statement = self.role is Role.OPINIONS and block.level > 1
        if is_statement or not nested:
            self._add(block, grammar.Bullet(None, (), text))
        self.headings.append((block.level, text))
        self._enter()

    def _enter(self) -> None:
        """Note what the headings above the next block say."""
        texts = [text for _, text in self.headings]
        self.heading = " > ".join(texts)
        self.context = None
        sections = (_RETAIN.get(text.casefold()) for text in texts)
        self.section = next((origin for origin in sections if origin), None)

    def _block(self, block: Block) -> None:
        text = block.text
        if "<!--" in text:
            text = grammar.strip_comments(text)
        text = grammar.canonical(text)
        if not text or (block.type is BlockType.HTML and _BARE_TAGS.fullmatch(text)):
            return
        bullet = None
        implied = IMPLIED[self.role]
        if self.section and block.type is BlockType.ITEM and block.start not in self.generated:
            try:
                bullet = self._continued(text) if block.continued else grammar.parse(text)
            except grammar.BulletError as error:
                message = f"no Retain bullet, kept as {implied.value}: {error}"
                self.troubles.append(Trouble(self.page.path, message, block.start))
            else:
                implied = Kind.EXPERIENCE
                self.bullet = bullet
        self._add(block, bullet or grammar.Bullet(None, (), text), implied)

    def _continued(self, text: str) -> grammar.Bullet:
        """A further piece of a long bullet has the head of the first."""
        return self.bullet._replace(content=text)

    def _add(self, block: Block, bullet: grammar.Bullet, implied: Kind | None = None) -> None:
        if not bullet.content:
            return
        kind = bullet.kind or implied or IMPLIED[self.role]
        origin = self.section or Origin.WRITTEN
        if block.start in self.generated:
            kind, origin = Kind.OBSERVATION, Origin.GENERATED
        elif self.parts.doubtful and self.parts.doubts(block.start):
            origin = Origin.PROPOSED  # recallable, and no evidence until somebody mends the markers
        confidence = bullet.confidence
        if kind is Kind.OPINION and confidence is None:
            confidence = grammar.DEFAULT_CONFIDENCE
        path, heads, content = self.page.path, bullet.entities, bullet.content
        words, signs = _READER.read(" ".join((*heads, content)))
        when, others = times.read(content, self.day, vocabulary.Hints(signs))
        commented = "<!--" in block.text
        supersedes = _SUPERSEDES.search(block.text) if commented else None
        keeps = _KEEP.search(block.text) if commented else None
        fact = ParsedFact(
            fact_id(self.day, path, heads, content), path, block.start, block.end, kind, origin,
            content, self.heading, self.day, when or self.whole_day, others, confidence, heads,
            tuple(grammar.tags(content)), tuple(entities.wikilinks(content)),
            supersedes[1] if supersedes else None, keeps[1] if keeps else None,
            words, self._context(block),
        )  # fmt: skip
        self.facts.append(fact)

    def _context(self, block: Block) -> str:
        """Search tokens of the headings above but "Retain", the day and the table's header."""
        if self.context is None:
            above = [text for _, text in self.headings if text.casefold() not in _RETAIN]
            day = (
                f"{self.day.day} {_MONTHS[self.day.month - 1]} {self.day.year}" if self.day else ""
            )
            self.context = " ".join(tokens(" ".join([*above, day])))
        if block.context:
            return " ".join([self.context, *tokens(block.context)]).lstrip()
        return self.context
