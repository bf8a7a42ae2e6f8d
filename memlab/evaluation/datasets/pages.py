"""Foreign text as Markdown: one line a text, whose words come out of the parser as they went in."""

from __future__ import annotations

import re

# what would make of a paragraph something else than a paragraph, or of its words a comment
_NUMBERED = re.compile(r"(\d{1,9})([.)])(?=\s|$)")
_PUNCTUATION = re.compile(r"[#>+*=`~|_<\[-]")


def one_line(text: str) -> str:
    """The words of a text on one line: white space folded, control characters to spaces."""
    shown = "".join(
        char if char.isprintable() or char.isspace() else _visible(char) for char in text
    )
    return " ".join(shown.split()).replace("<!--", "<\\!--")


def paragraph(text: str) -> str:
    """A text as a paragraph of one line, a backslash before what would begin another block."""
    line = one_line(text)
    if _PUNCTUATION.match(line):
        return f"\\{line}"
    return _NUMBERED.sub(r"\1\\\2", line, count=1) if _NUMBERED.match(line) else line


def item(text: str) -> str:
    """A text as a list item of one line."""
    return f"- {paragraph(text)}"


def _visible(char: str) -> str:
    # joiners and marks of direction belong to words of some scripts
    return char if char in "\u200c\u200d\u200e\u200f\u00ad" else " "
