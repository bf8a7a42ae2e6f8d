import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.workspace import markdown
from memlab.workspace.markdown import MAX_LINES, BlockType, blocks, split_lines

PAGE = """\
# Title

A paragraph
over two lines.

- one
- two
  goes on

  its second paragraph
  - nested

> quoted

| a | b |
|---|---|
| 1 | 2 |
| 3 | 4 |

```sh
ls

cat
```

<!-- a comment -->
"""


def test_each_block_has_its_lines():
    assert [(b.type.value, b.text, b.start, b.end) for b in blocks(PAGE)] == [
        ("heading", "Title", 1, 1),
        ("paragraph", "A paragraph\nover two lines.", 3, 4),
        ("item", "one", 6, 6),
        ("item", "two\ngoes on", 7, 8),
        ("paragraph", "its second paragraph", 10, 10),
        ("item", "nested", 11, 11),
        ("paragraph", "quoted", 13, 13),
        ("row", "1 | 2", 17, 17),
        ("row", "3 | 4", 18, 18),
        ("code", "ls\n\ncat", 21, 23),
        ("html", "<!-- a comment -->", 26, 26),
    ]


def test_a_row_knows_its_header_and_code_its_language():
    found = list(blocks(PAGE))
    assert [b.context for b in found if b.type is BlockType.ROW] == ["a | b", "a | b"]
    assert [b.context for b in found if b.type is BlockType.CODE] == ["sh"]


def test_a_table_without_rows_is_its_header():
    (only,) = blocks("| a | b |\n|---|---|\n")
    assert (only.type, only.text, only.start) == (BlockType.ROW, "a | b", 1)


def test_a_setext_heading_spans_its_underline():
    (heading,) = blocks("Title\n=====\n")
    assert (heading.level, heading.start, heading.end) == (1, 1, 2)


def test_a_long_block_is_split_evenly():
    """12 lines in pieces of at most 5: three of 4."""
    found = list(blocks("\n".join(f"line {n}" for n in range(12))))
    assert [(b.start, b.end) for b in found] == [(1, 4), (5, 8), (9, 12)]


def test_reference_definitions_stay_text():
    (found,) = blocks("[relay]: https://example.org\n")
    assert found.text == "[relay]: https://example.org"


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_every_line_ending_counts_alike(ending):
    assert [(b.text, b.start, b.end) for b in blocks(PAGE.replace("\n", ending))] == [
        (b.text, b.start, b.end) for b in blocks(PAGE)
    ]


@pytest.mark.parametrize(
    ("text", "lines"),
    [("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\r\nb\rc\n\n", ["a", "b", "c", ""]),
     ("a\u2028b", ["a\u2028b"])],
)  # fmt: skip
def test_lines_end_where_commonmark_ends_them(text, lines):
    assert split_lines(text) == lines


_pieces = st.sampled_from(
    ["# H", "- item", "  - sub", "1. one", "> quote", "```", "    code", "| a | b |", "|---|---|",
     "text", "", "---", "<!-- c -->", "<div>", "===", "မောင်", "\t- tab", "* * *", "~~~ py"]
)  # fmt: skip


@given(st.lists(_pieces), st.sampled_from(["\n", "\r\n", "\r"]))
def test_the_words_of_every_block_stand_on_its_lines(parts, ending):
    text = ending.join(parts)
    lines = split_lines(text)
    for block in blocks(text):
        assert 1 <= block.start <= block.end <= len(lines)
        if block.type is not BlockType.HEADING:
            assert block.end - block.start < MAX_LINES
        there = " ".join(lines[block.start - 1 : block.end])
        for word in re.findall(r"\w+", block.text):
            assert word in there


@given(st.text())
def test_any_text_has_blocks_within_it(text):
    count = len(split_lines(text))
    assert all(1 <= block.start <= block.end <= count for block in blocks(text))


# lines of which most read alone, and some only together, are a block of another sort
_starts = st.sampled_from(
    ["", "", "", "# ", "## ", "#", "- ", "- ", "* ", "+ ", "-  ", "  ", "    ", "\t", "1. ", "2) ",
     "> ", "```", "~~~", "| a | b |", "|---|", "---", "===", "***", "___", "<div>", "<!-- c", "-->",
     "- [ ] ", "- - ", "  - ", "- # ", "[a]: b", "**b**", "`c`", "12 ", "12. ", "7:15", "\u00a0",
     "မောင်", "- @Peter: ", ":--", ">", "\0"]
)  # fmt: skip
_ends = st.sampled_from(
    ["", "", "text", "two words", " ", "  ", " #", "a | b", "|", "---", "\u00a0", "\t", "\x0b",
     "\x1c", "\u2028", "- x", "# h", "```", "<b>", "*", "1. x", "==="]
)  # fmt: skip


@given(
    st.lists(st.tuples(_starts, _ends, _ends).map("".join), max_size=9),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_plain_sections_are_read_as_the_parser_reads_them(lines, ending):
    text = ending.join(lines)
    assert list(blocks(text)) == list(markdown._parsed_blocks(text))


def test_plain_sections_are_read_without_the_parser(monkeypatch):
    monkeypatch.delattr(markdown, "_parsed_blocks")
    text = "# Log\n\nTea with\nAndy.\n\n## Retain\n- W @Andy: tea\n  and cake\n* **2** cups\n"
    assert [(b.type.value, b.text, b.start, b.end) for b in blocks(text)] == [
        ("heading", "Log", 1, 1),
        ("paragraph", "Tea with\nAndy.", 3, 4),
        ("heading", "Retain", 6, 6),
        ("item", "W @Andy: tea\nand cake", 7, 8),
        ("item", "**2** cups", 9, 9),
    ]
