import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memlab
from memlab import budget
from memlab.errors import CoreError, ParameterError, WriteError
from memlab.verbs.tools import tool_schemas
from memlab.workspace import core

TEXT = """\
# Memory

## Human
<!-- memlab:block limit=60 description="Whom I help" -->

- Peter lives in Berlin
- Peter likes tea

```
## no heading
```

## Standing rules

be brief

## Human

a second one

## Fixed
<!-- memlab:block read-only -->

never

## Empty
"""
LONG = "x" * 80


@pytest.fixture
def workspace(pages):
    root = pages({"memory.md": TEXT, "SOUL.md": "# Soul\n\nI am Pip.\n", "notes/a.md": "fact\n"})
    with memlab.open(root, now="2025-11-27", timezone="Europe/Copenhagen") as opened:
        yield opened


def text_of(workspace):
    return (workspace.root / "memory.md").read_bytes().decode()


def test_a_block_is_a_section_of_level_two(workspace):
    found = {block.label: block for block in workspace.core_blocks()}
    assert list(found) == [
        "core", "human", "standing-rules", "human-2", "fixed", "empty", "SOUL",
    ]  # fmt: skip
    human = found["human"]
    assert human.value.startswith("- Peter lives in Berlin\n- Peter likes tea\n\n```\n## no")
    assert (human.limit, human.description, human.read_only) == (60, "Whom I help", False)
    assert (found["core"].value, found["empty"].value) == ("# Memory", "")
    assert found["fixed"].read_only
    assert found["SOUL"].read_only
    assert found["SOUL"].value == "# Soul\n\nI am Pip."


def test_line_one_is_the_first_of_the_body(workspace):
    assert workspace.core_view("human-2", line_numbers=True) == "1→ a second one"
    with pytest.raises(CoreError, match=r"nobody: there is no such block. There are: core, human"):
        workspace.core_view("nobody")


def test_append_adds_a_line_and_touches_no_other(workspace):
    done = workspace.core_append("standing-rules", "be kind")
    assert done.block.value == "be brief\nbe kind"
    assert text_of(workspace) == TEXT.replace("be brief\n", "be brief\nbe kind\n")
    workspace.core_append("empty", "filled")
    assert text_of(workspace).endswith("## Empty\n\nfilled\n")


def test_replace_wants_the_text_once(workspace):
    workspace.core_replace("standing-rules", "brief", "short")
    assert "\nbe short\n" in text_of(workspace)
    before = text_of(workspace)
    with pytest.raises(CoreError, match=r"no replacement was performed.*2 times, in lines 1, 2"):
        workspace.core_replace("human", "Peter", "Pete")
    with pytest.raises(CoreError, match="does not stand there verbatim"):
        workspace.core_replace("human", "Anna", "Pete")
    with pytest.raises(CoreError, match="old: is empty"):
        workspace.core_replace("human", "", "Pete")
    assert text_of(workspace) == before


def test_insert_goes_after_a_line(workspace):
    workspace.core_rethink("empty", "one\ntwo")
    for line, text in ((0, "top"), (-1, "end"), (2, "middle")):
        workspace.core_insert("empty", text, line=line)
    assert workspace.core_view("empty") == "top\none\nmiddle\ntwo\nend"
    with pytest.raises(CoreError, match=r"no line 6\. Give 0 for the top, 1 to 5, or -1"):
        workspace.core_insert("empty", "x", line=6)


def test_rethink_rewrites_a_block_or_makes_one(workspace):
    workspace.core_rethink("standing-rules", "one\n\ntwo")
    assert workspace.core_view("standing-rules") == "one\n\ntwo"
    done = workspace.core_rethink("open-questions", "- which harbour?")
    assert done.block.label == "open-questions"
    assert text_of(workspace).endswith("\n## Open questions\n\n- which harbour?\n")
    workspace.core_rethink("standing-rules", "")
    assert workspace.core_view("standing-rules") == ""


def test_a_core_file_is_made_where_there_is_none_and_its_name_kept_where_there_is(pages):
    root = pages({"MEMORY.md": "## A\n\na\n"})
    with memlab.open(root) as workspace:
        workspace.core_rethink("b", "b")
        assert (root / "MEMORY.md").read_text() == "## A\n\na\n\n## B\n\nb\n"
        (root / "MEMORY.md").unlink()
        workspace.core_rethink("b", "b")
    assert (root / "memory.md").read_text() == "## B\n\nb\n"


@pytest.mark.parametrize("label", ["SOUL", "fixed"])
def test_what_is_read_only_is_not_written(workspace, label):
    with pytest.raises(CoreError, match="read-only: nothing was written"):
        workspace.core_append(label, "x")
    assert text_of(workspace) == TEXT


@pytest.mark.parametrize("text", ["12→ a", "a\n 3→b"])
def test_line_numbers_are_refused(workspace, text):
    for write in (
        lambda: workspace.core_append("empty", text),
        lambda: workspace.core_replace("human-2", text, "x"),
        lambda: workspace.core_insert("empty", text),
        lambda: workspace.core_rethink("empty", text),
    ):
        with pytest.raises(CoreError, match="line numbers, which are for display only"):
            write()


@pytest.mark.parametrize("text", ["## New block", "title\n---", "```\nopen", "<!-- open"])
def test_a_text_that_would_not_be_one_block_is_refused(workspace, text):
    with pytest.raises(CoreError, match="would not be read back as one block"):
        workspace.core_append("standing-rules", text)
    assert text_of(workspace) == TEXT


def test_a_limit_is_enforced_or_only_told(workspace):
    with pytest.raises(CoreError, match=r"more than its limit\. Shorten it"):
        workspace.core_append("human", LONG)
    assert text_of(workspace) == TEXT
    done = workspace.core_append("human", LONG, strict=False)
    assert done.over == len(workspace.core_view("human")) - 60
    assert str(done).endswith("too many: shorten it")


def test_a_crlf_file_takes_an_lf_text_and_stays_one(workspace):
    (workspace.root / "memory.md").write_bytes(b"## A\r\n\r\none\r\ntwo\r\n")
    workspace.core_replace("a", "one\ntwo", "one\nhalf\ntwo")
    assert (workspace.root / "memory.md").read_bytes() == b"## A\r\n\r\none\r\nhalf\r\ntwo\r\n"


def test_mixed_line_endings_stay_where_nothing_was_changed(workspace):
    (workspace.root / "memory.md").write_bytes(b"## A\r\n\none\r\ntwo\n\n## B\nb\r\n")
    workspace.core_replace("a", "two", "2")
    assert (workspace.root / "memory.md").read_bytes() == b"## A\r\n\none\r\n2\n\n## B\nb\r\n"


def test_a_write_is_one_commit_of_one_file_with_its_reason(workspace):
    def git(*words):
        command = ["git", "-C", workspace.root, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    with pytest.raises(WriteError, match="is in no git checkout"):
        workspace.core_append("empty", "x", commit="why")
    assert text_of(workspace) == TEXT
    git("init", "-q")
    git("config", "user.name", "t")
    git("config", "user.email", "t@example.org")
    git("add", "SOUL.md")
    done = workspace.core_append("empty", "x", commit="he asked for it")
    assert git("log", "--format=%H %s") == f"{done.commit} he asked for it"
    assert git("show", "--format=", "--name-only", "HEAD") == "memory.md"
    assert git("status", "--porcelain", "SOUL.md") == "A  SOUL.md"
    kept = workspace.retain("W @Peter: sails", commit="heard it")
    assert git("show", "--format=%s", "--name-only", "HEAD").split() == [
        "heard", "it", kept.source.path,
    ]  # fmt: skip
    with pytest.raises(ParameterError, match="reason of a commit is empty"):
        workspace.retain("W @Peter: rows", commit=" ")


def test_the_render_is_lettas(workspace):
    text = workspace.core_render()
    assert text.startswith("<memory_blocks>\n<core>\n<metadata>\n- chars_current=8\n")
    assert (
        "<human>\n<description>\nWhom I help\n</description>\n<metadata>\n"
        f"- chars_current={len(workspace.core_view('human'))}\n- chars_limit=60\n</metadata>\n"
        "<value>\n- Peter lives in Berlin\n"
    ) in text
    assert "<SOUL>\n<metadata>\n- read_only=true\n" in text
    assert "- time: 2025-11-27 12:00 CET" in text
    assert "1→ be brief" in workspace.core_render(line_numbers=True)


@given(max_tokens=st.integers(60, 400))
def test_a_render_never_exceeds_its_budget(indexed, max_tokens):
    text = indexed.core_render(max_tokens=max_tokens)
    assert budget.count(text) <= max_tokens
    whole = [block for block in indexed.core_blocks() if block.value in text]
    named = [block for block in indexed.core_blocks() if block.label in text]
    assert len(whole) <= len(named) == len(indexed.core_blocks())


def test_a_budget_below_the_frame_is_an_error(workspace):
    with pytest.raises(ParameterError, match="the frame alone takes"):
        workspace.core_render(max_tokens=5)


@given(value=st.text(alphabet="ab#- \n`→<é", max_size=40))
def test_what_is_written_is_read_back_or_refused(value):
    before = core.find("memory.md", TEXT)
    block = next(one for one in before if one.label == "standing-rules")
    after = core.find("memory.md", core.with_value(TEXT, block, value))
    others = [(one.label, one.value) for one in before if one.label != block.label]
    if [(one.label, one.value) for one in after if one.label != block.label] == others:
        found = next(one for one in after if one.label == block.label)
        assert [line for line in found.lines if line.strip()] == [
            line for line in value.split("\n") if line.strip()
        ]


def test_archival_stands_on_retain_and_recall(workspace):
    first = workspace.archival_insert("sails on Sundays", tags=["Peter"])
    again = workspace.archival_insert("sails on Sundays", tags=["Peter"])
    assert (first.written, again.written, again.source) == (True, False, first.source)
    workspace.archival_insert("sails too", tags=["Anna"], kind="world")

    def contents(**options):
        return [hit.fact.content for hit in workspace.archival_search("sails", **options)]

    assert sorted(contents()) == ["sails on Sundays", "sails too"]
    assert contents(tags=["Anna"]) == ["sails too"]
    assert sorted(contents(tags=["Anna", "Peter"])) == ["sails on Sundays", "sails too"]
    assert contents(tags=["Anna", "Peter"], tag_match_mode="all") == []
    assert len(contents(start="2025-11-27", end="2025-11-27")) == 2
    assert contents(end="2025-11-26") == []


def test_tools_answer_in_text_and_never_raise(workspace):
    call = workspace.call_tool
    assert call("core_append", {"label": "empty", "content": "x"}) == "empty: 1 of 5000 characters"
    assert call("core_view", {"label": "empty"}) == "x"
    assert call("core_view", {"label": "zzz"}).startswith("error: zzz: there is no such block")
    assert call("core_burn", {}).startswith("error: no tool 'core_burn'")
    assert call("core_view", {}) == "error: core_view: label missing"
    assert call("core_view", {"label": 3}).startswith("error: core_view: label must be of type")
    assert call("core_view", {"label": "a", "b": 1}).startswith("error: no argument of core_view")
    assert call("archival_insert", {"content": "rows"}).startswith("kept: memory/2025-11-27.md#L")
    assert '"content": "rows"' in call("archival_search", {"query": "rows"})


def test_every_tool_has_a_schema_of_its_arguments():
    schemas = {one["function"]["name"]: one["function"] for one in tool_schemas()}
    assert list(schemas) == [
        "core_view", "core_append", "core_replace", "core_insert", "core_rethink",
        "archival_insert", "archival_search",
    ]  # fmt: skip
    for schema in schemas.values():
        assert set(schema["parameters"]["required"]) <= set(schema["parameters"]["properties"])
