"""Notes as people and programs leave them: every block a fact, on its very lines."""

# ruff: noqa: E501  # a case is read best on one line

import pytest

BEGIN, END = "<!-- memlab:begin summary 5d1c0a -->\n", "<!-- memlab:end summary -->\n"
INNER = "<!-- memlab:begin b -->\n"
NO_END, NO_BEGIN = "the part 'summary' has no end", "the part 'summary' ends without having begun"
NO_YAML = "the front matter is no YAML"

CASES = [
    # front matter
    ("front matter", "---\ntitle: T\n---\nx\n", ["L4 B | x"], []),
    ("front matter after a BOM", "\ufeff---\ntitle: T\n---\nx\n", ["L4 B | x"], []),
    ("front matter with CRLF", "---\r\ntitle: T\r\n---\r\nx\r\n", ["L4 B | x"], []),
    ("front matter with lone CR", "---\rtitle: T\r---\rx\r", ["L4 B | x"], []),
    ("front matter that is empty", "---\n---\nx\n", ["L3 B | x"], []),
    ("front matter that dots end", "---\na: 1\n...\nx\n", ["L4 B | x"], []),
    ("front matter without end", "---\ntitle: T\n\nx\n", ["L2 B | title: T", "L4 B | x"],
     ["L1 the front matter has no end"]),
    ("front matter that is no YAML", "---\na: [\n---\nx\n", ["L2 B | a: [", "L4 B | x"],
     [f"L3 {NO_YAML}"]),
    ("front matter with a tab", "---\na:\n\t- b\n---\nx\n", ["L2-L3 B | a: - b", "L5 B | x"],
     [f"L3 {NO_YAML}"]),
    ("front matter with an impossible day", "---\nd: 2025-02-31\n---\nx\n",
     ["L2 B | d: 2025-02-31", "L4 B | x"], [f"L1 {NO_YAML}"]),
    ("a break, words, a break", "---\nwords\n---\nx\n", ["L4 B | x"], []),
    ("four dashes are no front matter", "----\na: 1\n----\n", ["L2-L3 B | a: 1"], []),
    ("a template's braces", "---\ntags: {{tags}}\n---\nx\n", ["L2 B | tags: {{tags}}", "L4 B | x"],
     [f"L2 {NO_YAML}"]),
    # tables
    ("a table", "| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 | 4 |\n", ["L3 B | 1 | 2", "L4 B | 3 | 4"], []),
    ("a table without edges", "a | b\n--|--\n1 | 2\n", ["L3 B | 1 | 2"], []),
    ("a table with an escaped bar", "| a |\n|---|\n| x\\|y |\n", ["L3 B | x|y"], []),
    ("a table with a blank row", "| a |b|\n|---|---|\n| | |\n| 1 | |\n", ["L4 B | 1 |"], []),
    ("a table of a header alone", "| a | b |\n|---|---|\n", ["L1 B | a | b"], []),
    ("a table right after words", "words\n| a |\n|---|\n| 1 |\n", ["L1 B | words", "L4 B | 1"], []),
    ("a table in a quote", "> | a |\n> |---|\n> | 1 |\n", ["L3 B | 1"], []),
    ("bars that are no table", "a | b\nc | d\n", ["L1-L2 B | a | b c | d"], []),
    # code
    ("a fence", "```py\n\nx = 1\n\n```\ny\n", ["L3 B | x = 1", "L6 B | y"], []),
    ("a fence without end", "~~~\nx\n\n# y\n", ["L2-L4 B | x # y"], []),
    ("a fence inside a longer one", "````\n```\nx\n```\n````\n", ["L2-L4 B | ``` x ```"], []),
    ("an empty fence", "```\n```\nx\n", ["L3 B | x"], []),
    ("a fence in an item", "- a\n  ```\n  x\n  ```\n- b\n", ["L1 B | a", "L3 B | x", "L5 B | b"], []),
    ("indented code", "x\n\n    y = 1\n\n\tz\n", ["L1 B | x", "L3-L5 B | y = 1 z"], []),
    ("a Retain section in a fence", "```\n## Retain\n- W @A: x\n```\n",
     ["L2-L3 B | ## Retain - W @A: x"], []),
    ("long code", "```\n" + "".join(f"l{n}\n" for n in range(1, 8)) + "```\n",
     ["L2-L4 B | l1 l2 l3", "L5-L8 B | l4 l5 l6 l7"], []),
    # lists
    ("nested lists", "- a\n  - b\n    1. c\n- d\n", ["L1 B | a", "L2 B | b", "L3 B | c", "L4 B | d"],
     []),
    ("an item of two paragraphs", "- a\n\n  b\n  c\n", ["L1 B | a", "L3-L4 B | b c"], []),
    ("a lazy continuation", "- a\nb\n", ["L1-L2 B | a b"], []),
    ("every marker", "- a\n+ b\n* c\n1. d\n2) e\n", [f"L{n} B | {c}" for n, c in enumerate("abcde", 1)],
     []),
    ("tasks", "- [ ] a\n- [x] b\n- [X] c\n- [-] d\n",
     ["L1 B | [ ] a", "L2 B | [x] b", "L3 B | [X] c", "L4 B | [-] d"], []),
    ("items after tabs", "-\ta\n\t- b\n", ["L1 B | a", "L2 B | b"], []),
    ("empty items", "-\n- \n- a\n", ["L3 B | a"], []),
    ("an item of items", "- - a\n", ["L1 B | a"], []),
    # quotes, links, comments, math, HTML
    ("a callout", "> [!note] T\n> a\n\n> [!tip]- b\n", ["L1-L2 B | [!note] T a", "L4 B | [!tip]- b"], []),
    ("a list in a callout", "> [!note]\n> - a\n>   - b\n", ["L1 B | [!note]", "L2 B | a", "L3 B | b"],
     []),
    ("a quote in a quote", "> > a\n> b\n", ["L1-L2 B | a b"], []),
    ("wikilinks", "[[A#p|b]] met ![[c.png]]\n", ["L1 B | [[A#p|b]] met ![[c.png]]"], []),
    ("a comment alone", "<!-- a\n\nb -->\nc\n", ["L4 B | c"], []),
    ("a long comment", "<!--\n" + "a\n" * 9 + "-->\nb\n", ["L12 B | b"], []),
    ("a long comment in words", "b\nc <!-- " + "a\n" * 7 + "--> d\n", ["L1-L4 B | b c", "L5-L9 B | d"],
     []),
    ("a comment in words", "a <!-- b\nc --> d\n", ["L1-L2 B | a d"], []),
    ("a comment without end in words", "a <!-- b\nc\n", ["L1-L2 B | a <!-- b c"], []),
    ("a comment without end", "a\n\n<!-- b\nc\n", ["L1 B | a", "L3-L4 B | <!-- b c"], []),
    ("reference links", "[a][r] b\n\n[r]: http://x.org 'T'\n",
     ["L1 B | [a][r] b", "L3 B | [r]: http://x.org 'T'"], []),
    ("footnotes", "a[^1]\n\n[^1]: b\n    c\n", ["L1 B | a[^1]", "L3-L4 B | [^1]: b c"], []),
    ("math", "$$\na_1 | b\n$$\n\n$x<y$\n", ["L1-L3 B | $$ a_1 | b $$", "L5 B | $x<y$"], []),
    ("bare tags", "<details>\n<summary>\n\na\n\n</details>\n", ["L4 B | a"], []),
    ("tags around words", "<div>\na\n</div>\n", ["L1-L3 B | <div> a </div>"], []),
    ("headings with nothing below", "# a\n\n## b\n## c\n\nd\n", ["L3 B | b", "L6 B | d"], []),
    ("an underlined heading", "a\n===\n\nb\nc\n---\n", ["L4-L6 B | b c"], []),
    ("hashes that are no heading", "#tag a\n####### b\n", ["L1-L2 B | #tag a ####### b"], []),
    ("breaks", "a\\\nb  \nc\n\n***\n\nd\n", ["L1-L3 B | a\\ b c", "L7 B | d"], []),
    ("a long paragraph", "".join(f"l{n}\n" for n in range(1, 12)),
     ["L1-L3 B | l1 l2 l3", "L4-L7 B | l4 l5 l6 l7", "L8-L11 B | l8 l9 l10 l11"], []),
    # lines
    ("nothing", "", [], []),
    ("white space alone", " \n\t\n\f\n", [], []),
    ("a BOM alone", "\ufeff", [], []),
    ("no final newline", "a\n\nb", ["L1 B | a", "L3 B | b"], []),
    ("CRLF", "a\r\nb\r\n\r\n- c\r\n  d\r\n", ["L1-L2 B | a b", "L4-L5 B | c d"], []),
    ("lone CR", "a\rb\r\r- c\r", ["L1-L2 B | a b", "L4 B | c"], []),
    ("all line endings", "a\n\nb\r\n\r\nc\r\rd", ["L1 B | a", "L3 B | b", "L5 B | c", "L7 B | d"], []),
    ("a form feed ends no line", "a\fb\n\nc\n", ["L1 B | a b", "L3 B | c"], []),
    ("nor do other separators", "a\u2028b\x85c\x0bd\n\ne\n", ["L1 B | a b c d", "L3 B | e"], []),
    ("wide letters", "| 名 | 年 |\n|--|--|\n| 東京 | 駅 |\n\n😀 x\n", ["L3 B | 東京 | 駅", "L5 B | 😀 x"], []),
    ("a decomposed letter", "So\u0308ren a\n", ["L1 B | Sören a"], []),
    ("UTF-16 with a mark", "a\r\n\r\nသည်\r\n".encode("utf-16"), ["L1 B | a", "L3 B | သည်"], []),
    # generated parts
    ("a part", f"{BEGIN}- a\n{END}b\n", ["L2 S generated | a", "L4 B | b"], []),
    ("a Retain section in a part", f"{BEGIN}## Retain\n- W @A: a\n{END}\n# B\n\nb\n",
     ["L3 S generated | W @A: a", "L8 B | b"], []),
    ("a part without end", f"a\n\n{BEGIN}- b\n\n## Retain\n- W @A: c\n",
     ["L1 B | a", "L4 B proposed | b", "L7 W proposed @A | c"], [f"L3 {NO_END}"]),
    ("an end without begin", f"- a\n{END}b\n", ["L1 B proposed | a", "L3 B | b"], [f"L2 {NO_BEGIN}"]),
    ("parts in a part", f"{BEGIN}a\n\n{INNER}b\n{INNER.replace('begin', 'end')}c\n{END}d\n", ["L2 S generated | a", "L5 S generated | b", "L7 S generated | c", "L9 B | d"],
     ["L4 the part 'b' begins inside 'summary'"]),
    ("a part twice", f"{BEGIN}a\n{END}\n{BEGIN}b\n{END}", ["L2 S generated | a", "L6 S generated | b"],
     ["L5 the part 'summary' stands here a second time"]),
    ("markers in a fence", f"```\n{BEGIN}```\na\n", ["L4 B | a"], []),
    ("markers in words", f"see {BEGIN}a\n", ["L1-L2 B | see a"], []),
    ("a part between CRLF", f"{BEGIN}a\n{END}b\n".replace("\n", "\r\n"),
     ["L2 S generated | a", "L4 B | b"], []),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "facts", "troubles"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_a_note_gives_these_facts_on_these_lines(read, text, facts, troubles):
    found, met = read(text)
    assert found == facts
    assert len(met) == len(troubles)
    assert all(map(str.startswith, met, troubles))
