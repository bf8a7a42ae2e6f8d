"""Blocks of a Markdown text with exact line spans, by markdown-it-py (CommonMark and tables).

Lines are counted from 1 and end at LF, CRLF or a lone CR, as CommonMark has it. Sections that are
nothing but a heading, plain paragraphs and plain items, as most of a log is, are read line by line,
in a twentieth of the time and to the very same blocks.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAX_LINES = 5
"""A citation spans at most so many lines; longer blocks are split."""

# Nothing goes beyond a heading at the start of its line, if nothing encloses it.
_SECTION = re.compile(r"\n(?=#{1,6} )")
_STARTS_HTML = re.compile(r"^[ \t>*+\-\d.)]*<", re.MULTILINE)
# A line that can only be a heading, or the words of an item or a paragraph: what may start or end
# any other block stands not at its start.
_FLAT = re.compile(
    r"(?:(#{1,6}) +(?=\S)|([-*+] |  )?"
    r"(?=[^\s#*+\-\d<=>_`|~:]|\d+(?![\d.)])|\*\*[^\W_]|`[^`]))(.*)"
)
_ITEM_LEVEL = 2  # within the list and the item

_COMMENT = re.compile(r"<!--(?:(?!-->).)*\n.*?-->", re.DOTALL)


class BlockType(StrEnum):
    """What sort of block it is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    ROW = "row"
    CODE = "code"
    HTML = "html"


class Block(NamedTuple):
    """A leaf block, or a piece of at most `MAX_LINES` lines of one.

    Attributes:
        type: What sort of block it is.
        text: Its text without list, quote and fence markers; lines parted by LF.
        start: Its first line, from 1.
        end: Its last line.
        level: Of a heading, 1 to 6; else the depth of the containers around it.
        context: Of a table row, the table's header; of code, the info string.
        continued: Whether it goes on where the block before it was split.
    """

    type: BlockType
    text: str
    start: int
    end: int
    level: int = 0
    context: str = ""
    continued: bool = False

    def moved(self, lines: int) -> Block:
        """The same block so many lines further down."""
        return self._replace(start=self.start + lines, end=self.end + lines)


def split_lines(text: str) -> list[str]:
    """The lines of ``text`` without their endings; a final line ending opens no further line."""
    lines = re.split(r"\r\n|\r|\n", text)
    if lines[-1] == "":
        lines.pop()
    return lines


def blocks(text: str) -> Iterator[Block]:
    """The blocks of ``text`` that hold words, in order."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    start = 0
    for section in [text] if _encloses(text) else _SECTION.split(text):
        lines = section.split("\n")
        found = _flat_blocks(lines, start)
        if found is None:
            found = [block.moved(start) for block in _parsed_blocks(section)]
        yield from found
        start += len(lines)


def _encloses(text: str) -> bool:
    """Whether something in a text may enclose a line that looks like a heading: code or HTML."""
    return "```" in text or "~~~" in text or ("<" in text and bool(_STARTS_HTML.search(text)))


def _flat_blocks(lines: list[str], before: int) -> list[Block] | None:
    """The blocks of lines that hold headings, plain paragraphs and plain items; None if others.

    Args:
        lines: The lines.
        before: How many lines stand before them.
    """
    found: list[Block] = []
    held: list[str] = []  # the lines of a paragraph or item that may go on
    in_item = False
    for number, line in enumerate(lines, start=before + 1):
        if not line.strip(" \t"):
            _put(found, held, number, in_item=in_item)
            in_item = False
            continue
        match = _FLAT.fullmatch(line)
        if not match or (line[-1].isspace() and line.rstrip() != line.rstrip(" \t")):
            return None  # also for a line whose end is trimmed by some versions alone
        hashes, lead, words = match.groups()
        if lead == "  ":
            if not (in_item and held):
                return None
            held.append(words)
        elif lead or hashes:
            _put(found, held, number, in_item=in_item)
            in_item = not hashes
            if lead:
                held.append(words)
            elif words.rstrip().endswith("#"):
                return None
            else:
                found.append(Block(BlockType.HEADING, words.strip(), number, number, len(hashes)))
        else:
            held.append(words)
    _put(found, held, before + len(lines) + 1, in_item=in_item)
    return found


def _put(found: list[Block], held: list[str], end: int, *, in_item: bool) -> None:
    """Add the paragraph or item whose lines are held, and hold nothing more.

    Args:
        found: What to add to.
        held: The lines.
        end: The line after them.
        in_item: Whether they are an item's.
    """
    if held:
        kind, level = (BlockType.ITEM, _ITEM_LEVEL) if in_item else (BlockType.PARAGRAPH, 0)
        held[-1] = held[-1].rstrip()
        found.extend(_pieces(kind, held, end - len(held), level))
        held.clear()


def _parsed_blocks(text: str) -> Iterator[Block]:
    """The blocks of any text."""
    tokens = _parser().parse(text)
    index = 0
    in_item = False  # the next paragraph is the text of a list item
    while index < len(tokens):
        token = tokens[index]
        if token.type == "list_item_open":
            in_item = True
        elif token.type in ("heading_open", "paragraph_open"):
            yield from _text_block(token, tokens[index + 1], in_item=in_item)
            in_item = False
        elif token.type == "table_open":
            index = yield from _table(tokens, index)
        elif token.type in ("fence", "code_block", "html_block"):
            yield from _literal(token)
            in_item = False
        index += 1


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    # reference definitions stay text: what a person wrote is recallable, links included
    parser.disable("reference")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def _span(token: Token) -> tuple[int, int]:
    first, last = token.map or (0, 0)  # every block token that is asked has one
    return first + 1, last


def _text_block(token: Token, inline: Token, *, in_item: bool) -> Iterator[Block]:
    start, end = _span(token)
    if token.type == "heading_open":
        yield Block(BlockType.HEADING, inline.content, start, end, int(token.tag[1]))
        return
    kind = BlockType.ITEM if in_item else BlockType.PARAGRAPH
    yield from _pieces(kind, inline.content.split("\n"), start, token.level)


def _table(tokens: list[Token], index: int) -> Generator[Block, None, int]:
    """The rows of a table; returns the index of its closing token."""
    level = tokens[index].level
    header: Block | None = None
    rows = 0
    cells: list[str] = []
    in_head = True
    while tokens[index].type != "table_close":
        token = tokens[index]
        if token.type == "tbody_open":
            in_head = False
        elif token.type == "tr_open":
            row, cells = token, []
        elif token.type == "inline":
            cells.append(token.content)
        elif token.type == "tr_close":
            start, _ = _span(row)
            text = " | ".join(cells) if any(cells) else ""
            if in_head:
                header = Block(BlockType.ROW, text, start, start, level)
            else:
                rows += 1
                context = header.text if header else ""
                yield Block(BlockType.ROW, text, start, start, level, context)
        index += 1
    if header and not rows:
        yield header
    return index


def _literal(token: Token) -> Iterator[Block]:
    """Code and HTML: their lines, blank ones at the edges left out."""
    start, _ = _span(token)
    if token.type == "fence":
        start += 1
    kind = BlockType.HTML if token.type == "html_block" else BlockType.CODE
    lines = token.content.split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    while lines and not lines[0].strip():
        lines.pop(0)
        start += 1
    if lines:
        yield from _pieces(kind, lines, start, token.level, token.info.strip())


def _pieces(
    kind: BlockType, lines: list[str], start: int, level: int, context: str = ""
) -> Iterator[Block]:
    """``lines`` as blocks of at most `MAX_LINES` lines, as even as can be."""
    count = -(-len(lines) // MAX_LINES)
    if count > 1:  # no piece would know that it stands in a comment
        lines = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), "\n".join(lines)).split(
            "\n"
        )
    for number in range(count):
        first = number * len(lines) // count
        last = (number + 1) * len(lines) // count
        text = "\n".join(lines[first:last])
        yield Block(kind, text, start + first, start + last - 1, level, context, number > 0)
