import datetime as dt
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import memlab
from memlab.errors import ParameterError, RetainError, WriteError
from memlab.types import Kind
from memlab.workspace import parser, reader
from memlab.workspace.grammar import canonical

DAY = dt.date(2025, 11, 27)
LOG = "memory/2025-11-27.md"


@pytest.fixture
def workspace(pages):
    with memlab.open(pages({}), now="2025-11-27", timezone="Europe/Copenhagen") as opened:
        yield opened


def text_of(workspace, path=LOG):
    return (workspace.root / path).read_bytes().decode()


def last_fact(root, path):
    return parser.parse(reader.read(root, path)).facts[-1].fact


def test_the_first_fact_of_a_day_makes_its_log(workspace):
    done = workspace.retain("W @Peter: lives in Berlin")
    assert text_of(workspace) == "# 2025-11-27\n\n## Retain\n- W @Peter: lives in Berlin\n"
    assert (str(done.source), done.bullet) == (f"{LOG}#L4", "- W @Peter: lives in Berlin")
    assert done.to_dict()["id"] == done.id == last_fact(workspace.root, LOG).id


def test_what_was_retained_is_recalled_at_once(workspace):
    assert len(workspace.recall("Berlin")) == 0
    done = workspace.retain("W @Peter: lives in Berlin")
    (hit,) = workspace.recall("Berlin")
    assert (hit.fact.id, hit.fact.source, hit.fact.kind) == (done.id, done.source, Kind.WORLD)


def test_a_fact_may_be_given_by_its_parts(workspace):
    done = workspace.retain(
        " is\nbest ", entities=["Peter", "@The Castle", "Søren"], confidence=0.95
    )
    assert done.bullet == "- O(c=0.95) @Peter @[The Castle] @Søren: is best"
    assert workspace.retain("tea", kind="o").bullet == "- O(c=0.7): tea"
    assert workspace.retain("B vitamins help", kind="world").bullet == "- W: B vitamins help"


@pytest.mark.parametrize(
    ("there", "added"),
    [
        ("## Retain\n- W: a\n", "- W: x\n"),
        ("## Retain\n- W: a", "\n- W: x\n"),
        ("## Retain\n", "- W: x\n"),
        ("## Retain\n\n- W: a\n\n", "- W: x\n"),
        ("## retain\n- W: a\n", "- W: x\n"),
        ("## Retain\n- W: a\n\ntext\n", "\n- W: x\n"),
        ("# Day\n\ntext\n", "\n## Retain\n- W: x\n"),
        ("# Day\n\ntext", "\n\n## Retain\n- W: x\n"),
        ("## Retain\n- W: a\n\n## Evening\n", "\n## Retain\n- W: x\n"),
        ("## Retain (proposed)\n- W: a\n", "\n## Retain\n- W: x\n"),
        ("## Retain\n- W: a\n  over two lines\n", "- W: x\n"),
        ("---\ntitle: a\n---\n## Retain\n", "- W: x\n"),
        ("# Day\n| a |\n|---|\n", "\n## Retain\n- W: x\n"),
        ("# Day\n- a list\n", "\n## Retain\n- W: x\n"),
        ("\n\n", "# 2025-11-27\n\n## Retain\n- W: x\n"),
    ],
)
def test_a_fact_goes_to_the_end_and_no_line_above_it_shifts(workspace, pages, there, added):
    pages({LOG: there})
    workspace.retain("W: x")
    assert text_of(workspace) == there + added


@pytest.mark.parametrize(
    ("there", "after"),
    [
        (b"# Day\r\n\r\ntext\r\n", b"# Day\r\n\r\ntext\r\n\r\n## Retain\r\n- W: x\r\n"),
        (b"\xef\xbb\xbf## Retain\n", b"\xef\xbb\xbf## Retain\n- W: x\n"),
        (b"## Retain\r\n- W: a", b"## Retain\r\n- W: a\r\n- W: x\r\n"),
    ],
)
def test_line_endings_and_bom_stay(workspace, pages, there, after):
    pages({LOG: there})
    done = workspace.retain("W: x")
    assert (workspace.root / LOG).read_bytes() == after
    assert done.source.start == after.count(b"\n")


@pytest.mark.parametrize(
    "there",
    ["# Day\n```\ncode\n", "# Day\n~~~ py\n", "<!-- open\n", "## Retain\n<script>\n"],
)
def test_nothing_is_written_into_an_open_fence_or_comment(workspace, pages, there):
    pages({LOG: there})
    with pytest.raises(RetainError, match="Close the code fence or comment"):
        workspace.retain("W: x")
    assert text_of(workspace) == there


def test_nothing_is_written_to_a_page_whose_parts_are_broken(workspace, pages):
    there = "# Day\n\n<!-- memlab:begin summary 000000 -->\n"
    pages({LOG: there})
    with pytest.raises(RetainError, match=f"{LOG}#L3: the part 'summary' has no end"):
        workspace.retain("W: x")
    assert text_of(workspace) == there


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"text": "X @Peter: gone"}, RetainError, "no Retain bullet: 'X' is no kind"),
        ({"text": "W @Peter:"}, RetainError, "nothing after its head"),
        ({"text": ""}, RetainError, "empty|nothing"),
        ({"text": " ", "kind": "W"}, RetainError, "the content is empty"),
        ({"text": "a <!-- b -->"}, RetainError, "HTML comment"),
        ({"text": "bell \x07"}, RetainError, "control characters"),
        ({"text": "x", "kind": "Q"}, ParameterError, "no kind 'Q'"),
        ({"text": "x", "kind": "W", "confidence": 0.5}, RetainError, "only an opinion"),
        ({"text": "x", "confidence": 1.5}, RetainError, "must lie in 0 to 1, got 1.5"),
        ({"text": "x", "entities": ["a]b"]}, RetainError, "would not parse back"),
        ({"text": "x", "entities": ["@"]}, RetainError, "would not parse back"),
    ],
)
def test_what_would_not_read_back_is_refused_and_nothing_written(
    workspace, arguments, error, message
):
    with pytest.raises(error, match=message):
        workspace.retain(**arguments)
    assert not (workspace.root / LOG).exists()


@pytest.mark.parametrize(
    ("now", "day"),
    [
        ("2025-11-27T23:59", "2025-11-27"),
        ("2025-11-28T00:00", "2025-11-28"),
        ("2025-11-27T22:59+00:00", "2025-11-27"),  # 23:59 in Copenhagen, an hour east of UTC
        ("2025-11-27T23:00+00:00", "2025-11-28"),
        ("2025-07-27T22:00+00:00", "2025-07-28"),  # in summer two hours
    ],
)
def test_the_day_is_the_workspaces_own(workspace, now, day):
    assert workspace.retain("W: x", now=now).source.path == f"memory/{day}.md"


def test_a_day_may_be_given(workspace):
    assert workspace.retain("W: x", day=dt.date(2025, 1, 2)).source.path == "memory/2025-01-02.md"


def test_a_log_that_is_not_utf8_is_left_alone(workspace, pages):
    pages({LOG: b"caf\xe9\n"})
    with pytest.raises(WriteError, match="is not UTF-8"):
        workspace.retain("W: x")
    assert (workspace.root / LOG).read_bytes() == b"caf\xe9\n"


_content = st.text(st.characters(exclude_categories=("Cs", "Cc"))).map(canonical)


@settings(max_examples=50)
@given(
    content=_content.filter(lambda text: text and "<!--" not in text),
    kind=st.sampled_from(["W", "B", "O", "S"]),
    day=st.dates(dt.date(2000, 1, 1), dt.date(2000, 3, 1)),
)
def test_any_unicode_reads_back_from_the_page_as_it_was_given(tmp_path_factory, content, kind, day):
    root = tmp_path_factory.mktemp("notes", numbered=True)
    with memlab.open(root) as workspace:
        done = workspace.retain(content, kind=kind, day=day)
        again = workspace.retain(content, kind=kind, day=day)
    fact = last_fact(root, done.source.path)
    assert (fact.content, fact.kind, fact.id) == (content, Kind.of(kind), done.id)
    assert fact.source == again.source
    assert again.source.start == done.source.start + 1


def test_four_processes_retain_25_facts_each_and_all_are_there_once(workspace):
    code = (
        "import sys, memlab\n"
        "with memlab.open(sys.argv[1], now='2025-11-27') as workspace:\n"
        "    for number in range(25):\n"
        "        workspace.retain(f'W @Peter: fact {sys.argv[2]}-{number}')\n"
    )
    command = [sys.executable, "-c", code, str(workspace.root)]
    running = [subprocess.Popen([*command, str(number)]) for number in range(4)]
    assert [process.wait(60) for process in running] == [0, 0, 0, 0]
    lines = text_of(workspace).splitlines()
    assert lines[:3] == ["# 2025-11-27", "", "## Retain"]
    wanted = {f"- W @Peter: fact {process}-{n}" for process in range(4) for n in range(25)}
    assert len(lines) == 3 + 4 * 25
    assert set(lines[3:]) == wanted
