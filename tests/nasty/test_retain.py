"""Retain bullets in every form, and what only looks like one."""

# ruff: noqa: E501  # a case is read best on one line

import pytest

KEPT = "no Retain bullet, kept as experience: "

BULLETS = [
    # kinds, entities and confidences
    ("W @Peter: a", "W @Peter | a"),
    ("B @warelay: a", "B @warelay | a"),
    ("S: a", "S | a"),
    ("O @Peter: a", "O.70 @Peter | a"),
    ("O(c=0.95) @Peter @Andy: a", "O.95 @Peter @Andy | a"),
    ("O(0.95) @Peter: a", "O.95 @Peter | a"),
    ("O(95%): a", "O.95 | a"),
    ("O(95 %) @Peter: a", "O.95 @Peter | a"),
    ("O(c=0,95): a", "O.95 | a"),
    ("O( c = .95 ): a", "O.95 | a"),
    ("O(c=0.95)@Peter: a", "O.95 @Peter | a"),
    ("W @Søren @မောင်မောင် @علی: a", "W @Søren @မောင်မောင် @علی | a"),
    ("W @So\u0308ren: a", "W @Sören | a"),
    ("W @[The Castle]: a", "W @The Castle | a"),
    ("W @Peter, @Andy: a", "W @Peter @Andy | a"),
    ("W @Peter a", "W @Peter | a"),
    ("W @Peter @Andy a", "W @Peter @Andy | a"),
    ("W @Peter: at 9:30: a", "W @Peter | at 9:30: a"),
    ("W @Peter :a", "W @Peter | :a"),
    ("W @relay: http://a.org", "W @relay | http://a.org"),
    ("@Peter: a", "B @Peter | a"),
    ("@Peter met @Andy", "B @Peter | met @Andy"),
    ("a", "B | a"),
    ("W:\ta  b", "W | a b"),
    ("W @Peter: a <!-- memlab:keep f-0123456789ab -->", "W @Peter | a"),
    ("W @Peter: a\u2028b", "W @Peter | a b"),
    # what only looks like a bullet
    ("B vitamins help", "B | B vitamins help"),
    ("W @ home", "B | W @ home"),
    ("W @: a", "B | W @: a"),
    ("X @ home", "B | X @ home"),
    ("W@Peter: a", "B | W@Peter: a"),
    ("w @Peter: a", "B | w @Peter: a"),
    ("O (c=0.95) a", "B | O (c=0.95) a"),
    ("O(n log n) a", "B | O(n log n) a"),
    ("E: a", "B | E: a"),
    ("W. H. Auden", "B | W. H. Auden"),
    ("[x] bought tea", "B | [x] bought tea"),
    ("[ ] W @Peter: a", "B | [ ] W @Peter: a"),
    ("Added [[Target]] to the roster", "B | Added [[Target]] to the roster"),
    ("**W** @Peter: a", "B | **W** @Peter: a"),
    ("peter@a.org: a", "B | peter@a.org: a"),
    ("@Peter's car", "B | @Peter's car"),
]

REFUSED = [
    ("X @Peter: a", "'X' is no kind"),
    ("W @Peter:", "it says nothing after its head"),
    ("W:", "it says nothing after its head"),
    ("O(c=1.5): a", "its confidence (c=1.5) lies outside 0 to 1"),
    ("O(c=high): a", "its confidence cannot be read"),
    ("W(c=0.5): a", "only an opinion (O) has a confidence, not W"),
]

PAGES = [
    ("a continued bullet", "## Retain\n- W @A: b\n  c\nd\n", ["L2-L4 W @A | b c d"]),
    ("a bullet's second paragraph", "## Retain\n- W @A: b\n\n  c\n", ["L2 W @A | b", "L4 B | c"]),
    ("a bullet below a bullet", "## Retain\n- W @A: b\n  - O: c\n", ["L2 W @A | b", "L3 O.70 | c"]),
    ("numbers and stars", "## Retain\n1. W: b\n* W: c\n+ W: d\n", ["L2 W | b", "L3 W | c", "L4 W | d"]),
    ("words between", "## Retain\nb\n- W: c\n", ["L2 B | b", "L3 W | c"]),
    ("any case, any level", "#### RETAIN\n- W: b\n", ["L2 W | b"]),
    ("an underlined heading", "Retain\n---\n- W: b\n", ["L3 W | b"]),
    ("a closed heading", "## Retain ##\n- W: b\n", ["L2 W | b"]),
    ("another heading", "## Retained\n- W: b\n", ["L2 B | W: b"]),
    ("the section's end", "## Retain\n- W: b\n## X\n- W: c\n", ["L2 W | b", "L4 B | W: c"]),
    ("two sections", "## Retain\n- W: b\n# X\n## Retain\n- W: c\n", ["L2 W | b", "L5 W | c"]),
    ("a proposal", "## Retain (proposed)\n- W @A: b <!-- from L3-L7 -->\n", ["L2 W proposed @A | b"]),
    ("a quoted section", "> ## Retain\n> - W: b\n", ["L2 W | b"]),
    ("bullets in a fence", "## Retain\n```\n- W: b\n```\n", ["L3 B | - W: b"]),
    ("a bullet of a table", "## Retain\n| W: b |\n|---|\n", ["L2 B | W: b"]),
    ("CRLF and a BOM", "\ufeff## Retain\r\n- W @A: b\r\n  c\r\n", ["L2-L3 W @A | b c"]),
    ("a long bullet", "## Retain\n- W @A: b1\n" + "".join(f"  b{n}\n" for n in range(2, 7)),
     ["L2-L4 W @A | b1 b2 b3", "L5-L7 W @A | b4 b5 b6"]),
    ("a head inside a long bullet", "## Retain\n- b1\n  b2\n  b3\n  X @A: b4\n  b5\n  b6\n",
     ["L2-L4 B | b1 b2 b3", "L5-L7 B | X @A: b4 b5 b6"]),
]  # fmt: skip


@pytest.mark.parametrize(("bullet", "fact"), BULLETS)
def test_a_bullet_is_read(read, bullet, fact):
    assert read(f"# Day\n\n## Retain\n\n- {bullet}\n") == ([f"L5 {fact}"], [])


@pytest.mark.parametrize(("bullet", "reason"), REFUSED)
def test_a_bullet_that_is_none_is_kept_and_reported(read, bullet, reason):
    (fact,), (trouble,) = read(f"## Retain\n- {bullet}\n")
    assert fact == f"L2 B | {bullet}"
    assert trouble.startswith(f"L2 {KEPT}{reason}")


@pytest.mark.parametrize(("text", "facts"), [p[1:] for p in PAGES], ids=[p[0] for p in PAGES])
def test_a_section_gives_these_facts(read, text, facts):
    assert read(text) == (facts, [])


@pytest.mark.parametrize(
    ("path", "fact"),
    [
        ("memory.md", "L1 W | a"),
        ("USER.md", "L1 W | a"),
        ("memory/2025-11-27.md", "L1 B | a"),
        ("memory/2025-11-27-trip.md", "L1 B | a"),
        ("memory/2025-13-99.md", "L1 B | a"),
        ("memory/notes/relay.markdown", "L1 B | a"),
        ("bank/world.md", "L1 W | a"),
        ("bank/experience.md", "L1 B | a"),
        ("bank/opinions.md", "L1 O.70 | a"),
        ("bank/entities/Søren.md", "L1 S | a"),
    ],
)
def test_a_page_implies_a_kind(read, path, fact):
    assert read("a\n", path) == ([fact], [])
