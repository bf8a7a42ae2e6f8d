"""A process that is killed at any call of a write leaves the old text or the new one."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import memlab
from memlab.workspace import parser, reader

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs os.fork and SIGKILL")

LOG = "memory/2025-11-27.md"
EARLIER = "memory/2025-11-26.md"
CORE = "# Memory\n\n## Human\n\n- Peter lives in Berlin\n\n## Rules\n\n- be brief\n"
NARRATIVE = "# A day\n\nPeter signed the contract for 9 sensors at DKK 318,500.\n"


def kill(folder, operation):
    """All the copies on which an operation was killed, and the one on which it was not."""
    command = [sys.executable, Path(__file__).parent / "killer.py", folder, operation]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    return found["calls"], [folder / name for name in found["copies"]], folder / "whole"


def prepare(tmp_path, pages):
    folder = tmp_path / "killed"
    folder.mkdir()
    root = pages({"memory.md": CORE, LOG: NARRATIVE, EARLIER: NARRATIVE.replace("9", "8")})
    root.rename(folder / "template")
    return folder


def texts(root):
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*.md"))
        if ".memory" not in path.parts
    }


@pytest.mark.parametrize("operation", ["append", "replace", "rethink"])
def test_a_killed_replace_leaves_the_old_file_or_the_new_one(tmp_path, pages, operation):
    folder = prepare(tmp_path, pages)
    calls, copies, whole = kill(folder, operation)
    assert {"write", "fsync", "chmod", "replace"} <= set(calls)
    old, new = texts(folder / "template"), texts(whole)
    assert old != new
    seen = set()
    for root in copies:
        assert texts(root) in (old, new), root.name
        seen.add(texts(root) == new)
        with memlab.open(root, now="2025-11-27") as workspace:
            workspace.core_append("rules", "- next")
            assert workspace.core_view("rules") == "- be brief\n- next"
        assert list(root.glob(".*.tmp")) == []  # what the dead one left is gone
    assert seen == {False, True}


@pytest.mark.parametrize("section", ["", "\n## Retain\n- W @Peter: is here\n"])
def test_a_killed_append_leaves_at_most_one_partial_line_and_the_next_completes_it(
    tmp_path, pages, section
):
    folder = prepare(tmp_path, pages)
    template = folder / "template" / LOG
    template.write_text(NARRATIVE + section)
    old = template.read_bytes()
    calls, copies, whole = kill(folder, "retain")
    assert calls.count("fsync") >= 1
    assert calls.count("write") >= 4  # the journal, the page, the journal, the generation
    new = (whole / LOG).read_bytes()
    torn = 0
    for root in copies:
        there = (root / LOG).read_bytes()
        assert old == there[: len(old)], root.name
        assert new.startswith(there), root.name
        torn += there not in (old, new)
        with memlab.open(root, now="2025-11-27") as workspace:
            done = workspace.retain("W @Next: comes after")
            assert done.notes == ()
            assert workspace.lost() == []
        lines = (root / LOG).read_text().splitlines()
        assert lines[-1] == done.bullet
        wanted = new if there != old else old
        assert lines[: len(wanted.splitlines())] == wanted.decode().splitlines(), root.name
        facts = [fact.fact.content for fact in parser.parse(reader.read(root, LOG)).facts]
        assert facts[-1] == "comes after"
        assert facts.count("lives in København") == (there != old)
    assert torn == 1


def test_a_partial_line_without_a_journal_is_set_aside(pages):
    root = pages({LOG: NARRATIVE + "\n## Retain\n- W @Peter: is he"})
    with memlab.open(root, now="2025-11-27") as workspace:
        workspace.retain("W @Next: comes after")
    assert (root / LOG).read_text().endswith("- W @Peter: is he\n- W @Next: comes after\n")


def test_a_killed_restore_loses_nothing(tmp_path, pages):
    folder = prepare(tmp_path, pages)
    root = folder / "template"
    with memlab.open(root, now="2025-11-27") as workspace:
        done = workspace.retain("W @Peter: sails")
        (root / LOG).write_text(NARRATIVE)
        assert [one.bullet for one in workspace.lost()] == [done.bullet]
    _, copies, whole = kill(folder, "restore")
    for root in copies:
        there = (root / LOG).read_text()
        assert (whole / LOG).read_text().startswith(there)
        with memlab.open(root, now="2025-11-27") as workspace:
            workspace.lost(restore=True)
            assert workspace.lost() == []
        assert (root / LOG).read_text().count(done.bullet) == 1


@pytest.mark.slow
@pytest.mark.parametrize("operation", ["stub", "infer", "reflect"])
def test_every_other_write_leaves_each_page_old_or_new(tmp_path, pages, operation):
    folder = prepare(tmp_path, pages)
    retained = "\n## Retain\n" + "".join(f"- W @Peter: fact {n}\n" for n in range(4))
    (folder / "template" / LOG).write_text(NARRATIVE + retained)
    _, copies, whole = kill(folder, operation)
    old, new = texts(folder / "template"), texts(whole)
    assert old != new
    for root in copies:
        for path, text in texts(root).items():
            if path in (LOG, EARLIER):
                assert new[path].startswith(text), root.name
                assert text.startswith(old[path]), root.name
            else:
                assert text in (old.get(path), new[path]), root.name


@pytest.mark.slow
def test_the_next_reflect_completes_one_that_was_killed(tmp_path, pages):
    folder = prepare(tmp_path, pages)
    retained = "".join(
        f"- {kind} @{name}: {text}\n"
        for name in ("Peter", "Andy")
        for kind, text in (
            ("W", "lives in Graz"), ("O(c=0.9)", "likes green tea"), ("B", "bought green tea"),
        )
    )  # fmt: skip
    (folder / "template" / LOG).write_text(f"{NARRATIVE}\n## Retain\n{retained}")
    calls, copies, whole = kill(folder, "reflect")
    assert calls.count("replace") >= 4  # two pages of entities, that of opinions, the memo
    new = texts(whole)
    assert "bank/opinions.md" in new
    halfway = 0
    for root in copies:
        halfway += texts(folder / "template") != texts(root) != new
        with memlab.open(root, now="2025-11-27") as workspace:
            workspace.reflect()
            assert texts(root) == new, root.name
            assert workspace.reflect().changes == ()
    assert halfway
