import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.workspace.front_matter import split
from memlab.workspace.markdown import split_lines


def test_front_matter_is_read_and_its_lines_are_blank():
    matter = split("---\nname: Peter\naliases: [Pete, 7]\n---\n# Peter\n")
    assert matter.body == "\n\n\n\n# Peter\n"
    assert matter.text("name") == "Peter"
    assert matter.texts("aliases", "alias", "name") == ("Pete", "7", "Peter")
    assert matter.faults == ()


@pytest.mark.parametrize("text", ["", "# Title\n", "--- no fence\n", "text\n---\na: 1\n---\n"])
def test_a_page_without_front_matter_is_all_body(text):
    matter = split(text)
    assert (matter.body, matter.values, matter.faults) == (text, {}, ())


def test_a_break_some_text_and_another_break_is_no_front_matter():
    text = "---\nonly words\n---\n"
    assert split(text).body == text


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("---\nname: Peter\n", 1, "the front matter has no end"),
        ("---\nname: [Peter\nage: 3\n---\nbody\n", 3, "is no YAML"),
        ("---\nwhen: 2025-02-31\n---\nbody\n", 1, "is no YAML"),
    ],
)
def test_malformed_front_matter_is_a_fault_and_its_lines_stay_text(text, line, message):
    matter = split(text)
    ((where, what),) = matter.faults
    assert where == line
    assert message in what
    assert matter.body.splitlines()[1] == text.splitlines()[1]


@pytest.mark.parametrize(
    ("value", "day"),
    [("2025-11-20", dt.date(2025, 11, 20)), ("2025-11-20 09:30:00", dt.date(2025, 11, 20)),
     ("'2025-11-20, a Thursday'", dt.date(2025, 11, 20)), ("yesterday", None), ("7", None),
     ("'2025-99-99'", None)],
)  # fmt: skip
def test_a_date_is_a_day_in_any_of_its_forms(value, day):
    assert split(f"---\ndate: {value}\n---\n").day == day


def test_crlf_and_three_dots_end_it_too():
    matter = split("---\r\nname: Peter\r\n...\r\nbody\r\n")
    assert matter.values == {"name": "Peter"}
    assert matter.body == "\n\n\nbody\n"


@given(st.text())
def test_no_line_is_ever_lost_or_shifted(text):
    page = f"---\n{text}\n---\nbody\n"
    matter = split(page)
    lines = split_lines(matter.body)
    assert len(lines) == len(split_lines(page))
    assert lines[-1] == "body"
