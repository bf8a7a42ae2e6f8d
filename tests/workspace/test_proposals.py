import datetime as dt
import difflib
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.workspace import proposals

BEFORE = "# Memory\n\n## Human\n\n- Speaks Danish\n"
AFTER = BEFORE + "- Peter lives in Berlin\n"


def diff(before, after):
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    lines = difflib.unified_diff(old, new, "a/memory.md", "b/memory.md")
    return "".join(x if x.endswith("\n") else f"{x}\n\\ No newline at end of file\n" for x in lines)


def page(before=BEFORE, after=AFTER, **more):
    given = {"block": "human", "why": "said thrice: often", "evidence": ["f-a", "f-b"],
             "title": "Peter lives in Berlin", **more}  # fmt: skip
    return proposals.render(diff=diff(before, after), **given)


def read(text, path="bank/proposals/2025-12-03-0a1b2c.md"):
    return proposals.parse(path, text)


def test_a_page_reads_back():
    one = read(page())
    assert (one.status, one.block, one.why) == ("open", "human", "said thrice: often")
    assert (one.evidence, one.title) == (("f-a", "f-b"), "Peter lives in Berlin")
    assert (one.name, one.digest, one.faults) == ("2025-12-03-0a1b2c", "0a1b2c", ())
    (hunk,) = one.hunks
    assert hunk.added == ("- Peter lives in Berlin",)
    assert not one.removes


def test_the_digest_covers_block_and_text():
    wanted = hashlib.sha256(b"human\n- tea").hexdigest()[:6]
    assert proposals.path_of(dt.date(2025, 12, 3), "human", "- tea") == (
        f"bank/proposals/2025-12-03-{wanted}.md"
    )
    assert proposals.digest("other", "- tea") != wanted


def test_a_status_is_changed_and_nothing_else():
    text = page() + "\nstatus: mine\n"
    changed = proposals.with_status(text, "rejected")
    assert changed == text.replace("status: open", "status: rejected", 1)
    assert read(changed).status == "rejected"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "its status '' is none of"),
        ("---\nstatus: maybe\n---\n", "its status 'maybe' is none of"),
        ("---\nstatus: open\n---\n\nno diff\n", "it has no fenced diff that changes a line"),
        ("---\nstatus: [\n---\n", "the front matter is no YAML"),
    ],
)
def test_what_is_wrong_with_a_page_is_told(text, fault):
    assert any(fault in one for one in read(text).faults)


def test_a_diff_with_fences_inside_stands_in_a_longer_fence():
    before = "## Human\n\n```\ncode\n```\n"
    one = read(page(before, before + "\n- tea\n"))
    assert proposals.apply(before, one.hunks) == before + "\n- tea\n"


def test_an_editor_that_trims_blank_lines_does_no_harm():
    text = "\n".join(line.rstrip() for line in page().split("\n"))
    assert proposals.apply(BEFORE, read(text).hunks) == AFTER


def test_a_last_line_that_gets_its_ending_is_no_removal():
    one = read(page(BEFORE.rstrip("\n"), AFTER))
    assert one.hunks[0].added == ("- Peter lives in Berlin",)
    assert not one.removes


def test_a_diff_does_not_apply_where_its_lines_stand_twice_or_not_at_all():
    hunks = read(page()).hunks
    assert proposals.apply(BEFORE + BEFORE, hunks) is None
    assert proposals.apply(BEFORE.replace("Danish", "German"), hunks) is None


def test_hunks_make_a_file_of_nothing():
    assert proposals.anew(read(page("", AFTER)).hunks) == AFTER


_lines = st.lists(st.sampled_from(["a", "b", "c", "", "- d", "## e", "```"]), max_size=8).map(
    lambda lines: "".join(f"{number} {line}\n" for number, line in enumerate(lines))
)


@given(
    _lines, st.lists(st.sampled_from(["- x", "y", "```", ""]), min_size=1, max_size=3), st.data()
)
def test_what_was_rendered_applies(before, new, data):
    lines = before.splitlines(keepends=True)
    at = data.draw(st.integers(0, len(lines)))
    after = "".join(
        [*lines[:at], *(f"new {n} {line}\n" for n, line in enumerate(new)), *lines[at:]]
    )
    hunks = read(page(before, after)).hunks
    assert (proposals.apply(before, hunks) if before else proposals.anew(hunks)) == after
