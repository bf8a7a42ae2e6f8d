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


def test_a_part_that_is_off_is_known(page):
    assert parts.find(parts.append_off(page, "timeline")).off == {"timeline"}


def test_a_replaced_part_leaves_all_else_as_it_is(page):
    page += "\nwritten by a person\n"
    new = parts.replace(page, "summary", "- three")
    part = parts.find(new).get("summary")
    assert (part.body, part.untouched) == ("- three", True)
    assert new.startswith("# Peter\n\n")
    assert new.endswith("\n\nwritten by a person\n")
    assert parts.replace(new, "summary", "- three") == new
    with pytest.raises(KeyError):
        parts.replace(new, "absent", "")


_line = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp"))).map(str.strip)
_bodies = st.lists(_line.filter(lambda line: "<!--" not in line and "```" not in line)).map(
    lambda lines: "\n".join(["## Part", *(f"- {line}" for line in lines)])
)


@given(_bodies, _bodies)
def test_what_is_rendered_is_found_again_untouched(first, second):
    text = parts.append(parts.append("# Page\n", "a", first), "b", first)
    text = parts.replace(text, "a", second)
    found = parts.find(text)
    assert [(part.name, part.body, part.untouched) for part in found.found] == [
        ("a", second, True), ("b", first, True),
    ]  # fmt: skip
