"""Retain beyond one plain line: what stands already, what it replaces, what editors lose."""

import os
import subprocess
import sys

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import memlab
from memlab.cli import main
from memlab.errors import CitationError, RetainError
from memlab.verbs.duplicates import on_page
from memlab.verbs.logs import Log
from memlab.workspace import grammar, parser, reader

LOG = "memory/2025-11-27.md"
HOUR = 3600


@pytest.fixture
def workspace(pages):
    with memlab.open(pages({}), now="2025-11-27", timezone="Europe/Copenhagen") as opened:
        yield opened


def text_of(workspace, path=LOG):
    return (workspace.root / path).read_text()


def test_a_duplicate_is_written_and_said(workspace):
    first = workspace.retain("W @Peter: lives in Berlin near the old harbour")
    assert first.similar == ()
    again = workspace.retain("W @peter: lives in Berlin near the old harbour")
    (similar,) = again.similar
    assert (similar.exact, similar.source) == (True, first.source)
    assert str(similar).startswith(f"the same stands at {LOG}#L4: lives in Berlin")


def test_a_near_duplicate_is_said_with_its_share(workspace):
    workspace.retain("W @Peter: lives in Berlin near the old harbour")
    near = workspace.retain("W @Peter: lives in Berlin near the harbour").similar[0]
    # of {peter, live, in, berlin, near, the, old, harbour} all but one
    assert (near.exact, near.overlap) == (False, pytest.approx(7 / 8))
    assert workspace.retain("W @Peter: sold his boat").similar == ()


def test_a_duplicate_on_another_day_is_found_in_the_index(workspace):
    first = workspace.retain("W @Peter: lives in Berlin near the old harbour", now="2025-11-26")
    workspace.corpus("always")
    done = workspace.retain("W @Peter: lives in Berlin near the old harbour")
    assert [(one.source, one.exact) for one in done.similar] == [(first.source, True)]


def test_unless_known_writes_nothing_twice(workspace):
    first = workspace.retain("W @Peter: lives in Berlin", unless_known=True)
    text = text_of(workspace)
    again = workspace.retain("W @Peter: lives in Berlin", unless_known=True)
    assert (again.written, again.source, again.id) == (False, first.source, first.id)
    assert text_of(workspace) == text


def test_on_a_long_page_the_very_same_is_found_anywhere():
    page = "- W @Peter: sails\n" + "".join(f"- W @Anna: counts {n}\n" for n in range(900))
    (found,) = on_page(LOG, page, grammar.parse("W @Peter: sails"))
    assert (found.source.start, found.exact) == (1, True)


@pytest.mark.parametrize("by", ["id", "source"])
def test_what_a_fact_supersedes_is_written_after_it(workspace, by):
    old = workspace.retain("W @Peter: lives in Berlin", now="2025-11-26")
    new = workspace.retain("W @Peter: lives in Bonn", supersedes=str(getattr(old, by)))
    assert new.bullet == f"- W @Peter: lives in Bonn <!-- supersedes {old.id} -->"
    parsed = parser.parse(reader.read(workspace.root, LOG)).facts[-1]
    assert (parsed.fact.content, parsed.supersedes) == ("lives in Bonn", old.id)
    assert new.id == parsed.fact.id


def test_what_supersedes_nothing_is_refused(workspace):
    done = workspace.retain("W @Peter: lives in Berlin")
    text = text_of(workspace)
    for what, error, message in (
        ("f-aaaaaaaaaaaa", CitationError, "no such fact"),
        ("memory/2025-11-27.md#L99", RetainError, "no fact to supersede stands there"),
        (done.id, RetainError, "cannot supersede itself"),
        ("Berlin", CitationError, "is no citation"),
    ):
        with pytest.raises(error, match=message):
            workspace.retain("W @Peter: lives in Berlin", supersedes=what)
    assert text_of(workspace) == text


def test_a_stub_is_made_on_request_alone(workspace):
    workspace.retain("W @Peter: sails")
    assert not (workspace.root / "bank").exists()
    done = workspace.retain("W @Peter @[Søren Kjær]: sail", stub=True)
    assert done.stubs == ("bank/entities/Peter.md", "bank/entities/Søren-Kjær.md")
    page = text_of(workspace, done.stubs[1])
    assert page == "---\nname: Søren Kjær\n---\n\n# Søren Kjær\n"
    assert workspace.retain("W @peter: rows", stub=True).stubs == ()


def stale_save(workspace):
    """An editor saves what it loaded before a retain, an hour later."""
    workspace.retain("W @Peter: sails")
    loaded = text_of(workspace)
    lost = workspace.retain("W @Anna: rows on Sundays")
    place = workspace.root / LOG
    place.write_text(loaded + "\nedited\n")
    later = place.stat().st_mtime + HOUR
    os.utime(place, (later, later))
    return lost


def test_a_save_of_a_stale_buffer_is_reported_by_the_next_retain_once(workspace):
    lost = stale_save(workspace)
    (note,) = workspace.retain("W @Peter: eats").notes
    assert note.startswith(f"{LOG}: a retained fact stands there no longer")
    assert lost.bullet in note
    assert workspace.retain("W @Peter: sleeps").notes == ()
    assert lost.bullet not in text_of(workspace)


def test_a_save_of_a_stale_buffer_is_reported_by_doctor_until_it_is_settled(workspace):
    lost = stale_save(workspace)

    def check():
        return next(one for one in workspace.doctor() if one.name == "retained")

    assert check().state == "note"
    assert lost.bullet in check().message
    (again,) = workspace.lost(restore=True)
    assert text_of(workspace).endswith(f"edited\n\n{lost.bullet}\n")
    assert str(again.source) == f"{LOG}#L{len(text_of(workspace).splitlines())}"
    assert check().state == "ok"


def test_a_loss_that_was_meant_is_forgotten(workspace):
    lost = stale_save(workspace)
    assert [one.id for one in workspace.lost(forget=True)] == [lost.id]
    assert workspace.lost() == []
    assert workspace.retain("W @Peter: eats").notes == ()


def test_a_bullet_that_a_person_edited_is_not_lost(workspace):
    workspace.retain("W @Anna: rows on Sundays with Peter")
    place = workspace.root / LOG
    place.write_text(text_of(workspace).replace("Sundays", "Mondays"))
    assert workspace.lost() == []


def test_a_save_that_cannot_have_seen_a_bullet_does_not_lose_it(workspace):
    """It was made within the second in which the bullet was written."""
    workspace.retain("W @Peter: sails")
    loaded = text_of(workspace)
    lost = workspace.retain("W @Anna: rows on Sundays")
    (workspace.root / LOG).write_text(loaded)
    (note,) = workspace.retain("W @Peter: eats").notes
    assert "written again" in note
    assert text_of(workspace).splitlines()[-2:] == [lost.bullet, "- W @Peter: eats"]


def test_a_journal_that_is_gone_or_damaged_stops_nothing(workspace):
    workspace.retain("W @Peter: sails")
    (journal,) = (workspace.root / ".memory" / "retained").iterdir()
    with journal.open("ab") as file:
        file.write(b'{"id": "f-cut')
    with memlab.open(workspace.root, now="2025-11-27") as other:
        other.retain("W @Peter: rows")
        assert other.lost() == []
    journal.unlink()
    workspace.retain("W @Peter: eats")
    assert len(text_of(workspace).splitlines()) == 3 + 3


def test_a_fact_is_visible_to_the_next_recall_of_another_process(workspace):
    assert len(workspace.recall("harbour")) == 0
    code = "import sys, memlab; memlab.open(sys.argv[1], now='2025-11-27').retain('W: harbour')"
    subprocess.run([sys.executable, "-c", code, workspace.root], check=True)
    assert len(workspace.recall("harbour")) == 1


_pieces = st.sampled_from([
    "- W: a\n", "- plain\n", "prose\n", "\n", "  more\n", "```\n", "<!-- x\n", "-->\n", "# H\n",
    "## Retain\n", "===\n", "---\n", "> q\n", "- ```\n", "  ```\n", "1. one\n", "<div>\n", "|a|\n",
])  # fmt: skip


@given(start=st.lists(_pieces, max_size=6), added=st.lists(_pieces, max_size=5), cut=st.booleans())
def test_a_log_that_is_known_in_part_is_judged_as_one_that_is_read_anew(start, added, cut):
    bullets = [("- W @Peter: x", grammar.parse("W @Peter: x"))]

    def composed(log, there):
        try:
            return log.compose(there, bullets)
        except RetainError:
            return None

    log = Log(LOG)
    there = "# Day\n" + "".join(start)
    first = composed(log, there)
    if first is None:
        return
    log.saw(there + first, bullets[0][0])
    kept = there + first
    if cut:  # an editor took some bullet out
        kept = kept.replace("- W: a\n", "", 1)
    later = kept + "".join(added)
    assert composed(log, later) == composed(Log(LOG), later)


@pytest.fixture
def run(workspace):
    def invoke(*words, input=None):  # noqa: A002  # click's own name
        words = ["--workspace", str(workspace.root), "--now", "2025-11-27", *words]
        return CliRunner().invoke(main, words, input=input)

    return invoke


def test_the_command_reads_one_fact_or_several_bullets(run, workspace):
    assert run("retain", "-", input="W @Peter: over\ntwo lines\n").exit_code == 0
    done = run("retain", "-", "--json", input="- W @Peter: one\n- B @Anna: two\n")
    assert done.exit_code == 0
    assert text_of(workspace).splitlines()[3:] == [
        "- W @Peter: over two lines", "- W @Peter: one", "- B @Anna: two",
    ]  # fmt: skip


def test_the_command_says_what_it_noticed(run):
    run("retain", "W @Peter: lives in Berlin")
    done = run("retain", "W @Peter: lives in Berlin", "--unless-known", "--stub")
    assert "memlab: not written: the same stands at memory/2025-11-27.md#L4" in done.stderr
    assert "memlab: made bank/entities/Peter.md" in done.stderr
    assert run("retain").exit_code == 2
    assert run("retain", "x", "--infer", "2025-11-27").exit_code == 2


def test_the_commands_of_the_core_and_of_losses(run, workspace):
    assert run("core", "rethink", "plans", "-", input="- sail\n").output == (
        "plans: 6 of 5000 characters\n"
    )
    run("core", "append", "plans", "- rest")
    run("core", "replace", "plans", "sail", "row")
    run("core", "insert", "plans", "first", "--line", "0")
    assert run("core", "view", "plans", "--line-numbers").output == (
        "1→ first\n2→ - row\n3→ - rest\n"
    )
    assert run("core", "view").output == "plans  18 of 5000 characters  memory.md\n"
    assert "<plans>" in run("core", "render", "--max-tokens", "200").output
    assert '"core_append"' in run("core", "tools").output
    assert run("core", "replace", "plans", "zzz", "x").exit_code == 2
    stale_save(workspace)
    assert "rows on Sundays" in run("lost").output
    assert run("lost", "--restore", "--json").exit_code == 0
    assert run("lost").stderr == "memlab: nothing is lost\n"
