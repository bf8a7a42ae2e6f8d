"""A page read from its bytes and parsed, each fact and trouble as one line of text."""

import re

import pytest

from memlab.workspace import reader
from memlab.workspace.markdown import split_lines
from memlab.workspace.parser import parse


@pytest.fixture
def read(pages):
    """Facts and troubles of one page, which is written and read as bytes.

    A fact is ``L2-L3 O.95 proposed @Peter | its words (2025-12-01)``: lines, the kind's letter with
    an opinion's confidence, the origin unless written, the entities before the colon, the content,
    and the time unless it is the page's day. A trouble is ``L1 its message``.
    """

    def run(text, path="memory/2025-11-27.md"):
        page = reader.read(pages({path: text}), path)
        parsed = parse(page)
        lines = split_lines(page.text)
        for one in parsed.facts:
            assert_stands_there(one.fact, lines)
        return (
            [rendered(one.fact) for one in parsed.facts],
            [f"L{trouble.line} {trouble.message}" for trouble in parsed.troubles],
        )

    return run


def assert_stands_there(fact, lines):
    assert fact.source.end - fact.source.start < 5
    there = " ".join(lines[fact.source.start - 1 : fact.source.end])
    assert all(word in there for word in re.findall(r"[a-zA-Z0-9]+", fact.content))


def rendered(fact):
    confidence = "" if fact.confidence is None else f"{fact.confidence:.2f}".lstrip("0")
    origin = "" if fact.origin == "written" else f" {fact.origin}"
    entities = "".join(f" @{name}" for name in fact.entities)
    when = "" if fact.when is None or str(fact.when) == str(fact.day) else f" ({fact.when})"
    lines = str(fact.source).rpartition("#")[2]
    return f"{lines} {fact.kind.letter}{confidence}{origin}{entities} | {fact.content}{when}"
