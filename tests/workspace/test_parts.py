import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.workspace import parts

BODY = "## Summary\n\n- one\n- two"


@pytest.fixture
def page():
    return parts.append("# Peter\n", "summary", BODY)


def test_a_part_stands_between_its_markers(page):
    digest = parts.digest(BODY)
    assert page.split("\n") == [
        "# Peter", "", f"<!-- memlab:begin summary {digest} -->", *BODY.split("\n"),
        "<!-- memlab:end summary -->", "",
    ]  # fmt: skip
    found = parts.find(page)
    assert found.found == (parts.Part("summary", 3, 8, BODY, untouched=True),)
    assert [line for line in range(1, 9) if found.covers(line)] == [3, 4, 5, 6, 7, 8]
    assert found.faults == ()


def test_an_edit_in_it_makes_it_the_persons(page):
    part = parts.find(page.replace("- two", "- three")).get("summary")
    assert not part.untouched


@pytest.mark.parametrize(
    ("old", "new"), [("- two", "- two  "), ("\n", "\r\n"), ("- one", "- one\t")]
)
def test_trailing_space_and_line_endings_are_no_edit(page, old, new):
    assert parts.find(page.replace(old, new)).get("summary").untouched


def test_the_normal_form_is_no_edit():
    assert parts.digest("Søren Kjær a\u0308") == parts.digest("Søren Kjær ä")


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("<!-- memlab:begin a 000000 -->\n", [(1, "the part 'a' has no end")]),
        ("<!-- memlab:end a -->\n", [(1, "the part 'a' ends without having begun")]),
        (
            "<!-- memlab:begin a -->\n\n<!-- memlab:begin b -->\n\n<!-- memlab:end b -->\n",
            [(3, "the part 'b' begins inside 'a'"), (1, "the part 'a' has no end")],
        ),
        (
            "<!-- memlab:begin a -->\n\n<!-- memlab:end a -->\n\n" * 2,
            [(5, "the part 'a' stands here a second time")],
        ),
    ],
)
def test_a_fault_is_given_with_its_line(text, faults):
    assert list(parts.find(text).faults) == faults


@pytest.mark.parametrize(
    "text",
    ["```\n<!-- memlab:begin a -->\n```\n", "    <!-- memlab:begin a -->\n",
     "see <!-- memlab:begin a --> here\n", "- <!-- memlab:begin a -->\n", "memlab:begin a\n"],
)  # fmt: skip
def test_markers_count_only_as_whole_lines_outside_code(text):
    assert parts.find(text) == parts.Parts()


def test_marks_of_what_is_not_wanted_are_known_with_their_lines(page):
    text = page + "<!-- memlab:off timeline -->\n<!-- memlab:forgotten o-7h2kq3 -->\n"
    found = parts.find(text)
    assert (found.off, found.forgotten) == ({"timeline": 9}, {"o-7h2kq3": 10})


def test_an_updated_part_leaves_all_else_as_it_is(page):
    page += "\nwritten by a person\n"
    done = parts.update(page, {"summary": "- three"})
    part = parts.find(done.text).get("summary")
    assert (part.body, part.untouched, done.edited) == ("- three", True, ())
    assert done.text.startswith("# Peter\n\n")
    assert done.text.endswith("\n\nwritten by a person\n")
    assert parts.update(done.text, {"summary": "- three"}).text == done.text


def names(text):
    return [part.name for part in parts.find(text).found]


def test_a_missing_part_is_new_on_a_page_without_any_and_else_was_taken_out(page):
    fresh = parts.update("# Peter\n", {"summary": "", "related": "- a"}).text
    assert names(fresh) == ["related"]
    for known in (parts.update(page, {"summary": BODY, "related": "- a"}).text,
                  parts.update("# Peter\n", {"related": "- a"}, known=True).text):  # fmt: skip
        assert known.endswith("\n\n<!-- memlab:off related -->\n")
        assert parts.update(known, {"related": "- b"}).text == known
        again = parts.find(parts.update(known, {"related": "- b"}, back={"related"}).text)
        assert (again.get("related").body, again.off) == ("- b", {})


def test_the_list_of_what_was_there_tells_what_is_new():
    listed = "<!-- summary -->"
    text = parts.update("# P\n", {"summary": BODY, "timeline": "", "known": listed}).text
    done = parts.update(
        text, {"summary": BODY, "timeline": "- t", "known": "<!-- summary timeline -->"}
    )
    assert names(done.text) == ["summary", "timeline", "known"]  # before the next of its kin
    part = parts.find(done.text).get("summary")
    lines = done.text.split("\n")
    without = "\n".join(lines[: part.start - 1] + lines[part.end :])
    again = parts.update(without, {"summary": BODY, "timeline": "- t", "known": listed}).text
    assert parts.find(again).off.keys() == {"summary"}


def test_a_part_without_a_body_leaves_no_trace():
    bodies = {"summary": "", "related": "- a", "known": "<!-- related -->"}
    both = parts.update("# Peter\n", bodies).text
    three = parts.update(both, {**bodies, "summary": BODY}).text
    assert names(three) == ["summary", "related", "known"]
    assert parts.update(three, bodies).text == both


def test_a_part_that_a_person_edited_is_theirs_until_they_want_it_back(page):
    edited = page.replace("- two", "- three")
    done = parts.update(edited, {"summary": "- four"})
    assert (done.text, [(part.start, body) for part, body in done.edited]) == (
        edited,
        [(3, "- four")],
    )
    back = parts.update(edited, {"summary": "- four"}, back={"summary"})
    assert (parts.find(back.text).get("summary").body, back.edited) == ("- four", ())


def test_the_bold_number_of_an_opinion_alone_is_no_edit():
    body = "**0.60** · @Peter · updated 2025-12-05\n- 2025-12-05 hand → 0.60"
    text = parts.append("## Tea\n", "opinion o-7h2kq3", body)
    changed = text.replace("**0.60**", "**very sure**")
    assert parts.find(changed).get("opinion o-7h2kq3").untouched
    assert not parts.find(text.replace("@Peter", "@Andy")).get("opinion o-7h2kq3").untouched
    assert not parts.find(text.replace("hand → 0.60", "hand → 0.70")).found[0].untouched


_line = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp"))).map(str.strip)
_bodies = st.lists(_line.filter(lambda line: "<!--" not in line and "```" not in line)).map(
    lambda lines: "\n".join(["## Part", *(f"- {line}" for line in lines)])
)


@given(_bodies, _bodies)
def test_what_is_rendered_is_found_again_untouched(first, second):
    text = parts.append(parts.append("# Page\n", "a", first), "b", first)
    text = parts.update(text, {"a": second}).text
    found = parts.find(text)
    assert [(part.name, part.body, part.untouched) for part in found.found] == [
        ("a", second, True), ("b", first, True),
    ]  # fmt: skip


_tricky = st.sampled_from([
    "", "text", "# Title", "- item", "  more", "- ```", "```", "~~~", "> quote", "| a | b |",
    "|--|--|", "<div>", "</div>", "<!-- a note -->", "<!-- open", "shut -->", "    code", "1. one",
    "---", "\ttab", "<!-- memlab:begin a 000000 -->", "<!-- memlab:end a -->",
    "  <!-- memlab:end a -->", "- <!-- memlab:begin b -->", "<!-- memlab:begin b -->",
    "<!-- memlab:end b -->", "text <b>", "<!-- memlab:off c -->", "> <!-- memlab:off d -->",
    "<!-- memlab:off e --> x", "[a]: <b>",
])  # fmt: skip


@given(st.lists(_tricky, max_size=12))
def test_a_look_at_lines_finds_what_a_parse_finds(lines):
    text = "\n".join(lines)
    quick = parts.find(text)
    # a fence that is shut at once hides nothing, and makes every text one that is parsed
    slow = parts.find(f"```\n```\n{text}")
    moved = [(line - 2, message) for line, message in slow.faults]
    assert list(quick.faults) == moved
    assert [(p.name, p.start, p.body) for p in quick.found] == [
        (p.name, p.start - 2, p.body) for p in slow.found
    ]
    assert {name: line + 2 for name, line in quick.off.items()} == slow.off
