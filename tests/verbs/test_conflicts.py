"""Facts that cannot both hold are found, dated, and listed."""

import datetime as dt
import json

import pytest
from click.testing import CliRunner

import memlab
from memlab import cli
from memlab.errors import ParameterError


def log(*lines):
    return "## Retain\n\n" + "".join(f"- {line}\n" for line in lines)


@pytest.fixture
def notes(pages):
    return pages({
        "memory/2025-11-01.md": log("W @Peter: lives in Paris", "W @Anna: lives in Paris"),
        "memory/2025-11-05.md": log("W @Peter: lives in Paris."),
        "memory/2025-12-03.md": log("B @Peter: moved to Berlin", "W @Peter: uses tea"),
        "memory/2025-12-04.md": log("W @Peter: uses coffee", "W @Anna: works at Acme"),
        "memory/2025-12-05.md": log("W @Anna: is at version 2.0", "W @Anna: is at version 2.1"),
    })  # fmt: skip


def told(found):
    return [
        (one.entity, one.slot, str(one.older.source), str(one.newer.source), one.settled)
        for one in found
    ]


MOVE = ("Peter", "home", "memory/2025-11-05.md#L3", "memory/2025-12-03.md#L3", True)
VERSIONS = ("Anna", "version", "memory/2025-12-05.md#L3", "memory/2025-12-05.md#L4", False)


def test_a_later_day_settles_and_one_day_leaves_it_open(notes):
    with memlab.open(notes, now="2025-12-06") as workspace:
        found = workspace.conflicts()
    assert told(found) == [MOVE, VERSIONS]
    assert str(found[0]) == (
        "Peter, home: lives in Paris. (2025-11-05, memory/2025-11-05.md#L3) gave way to "
        "moved to Berlin (2025-12-03, memory/2025-12-03.md#L3)"
    )
    assert "is open against" in str(found[1])


def test_since_and_until_bound_the_day_on_which_a_conflict_came_up(notes):
    with memlab.open(notes, now="2025-12-06") as workspace:
        assert told(workspace.conflicts(since="2d")) == [VERSIONS]
        assert told(workspace.conflicts(until="2025-12-04")) == [MOVE]
        assert told(workspace.conflicts(since=dt.date(2025, 12, 6))) == []
        with pytest.raises(ParameterError, match="no day"):
            workspace.conflicts(since="soon")


def test_a_fact_that_a_person_kept_is_open(notes, pages):
    with memlab.open(notes, now="2025-12-06") as workspace:
        old = workspace.conflicts()[0].older.id
        pages({"memory/2025-12-06.md": log(f"W @Peter: has two homes <!-- memlab:keep {old} -->")})
        found = workspace.conflicts(refresh="always")
    assert told(found)[0] == (*MOVE[:4], False)


def test_what_is_no_evidence_makes_no_conflict(pages):
    root = pages({
        "memory/2025-11-01.md": log("W @Peter: lives in Paris"),
        "bank/world.md": log("W @Peter: lives in Berlin"),
        "memory.md": "- @Peter: lives in Rome\n",
    })  # fmt: skip
    with memlab.open(root) as workspace:
        assert workspace.conflicts() == []


def test_the_command_lists_them_as_text_and_as_json(notes):
    words = ["--workspace", str(notes), "--now", "2025-12-06", "conflicts"]
    done = CliRunner().invoke(cli.main, words, catch_exceptions=False)
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0].startswith("2025-12-03  Peter, home: lives in Paris.")
    rows = json.loads(CliRunner().invoke(cli.main, [*words, "--json"]).stdout)
    assert [(row["entity"], row["slot"], row["settled"]) for row in rows] == [
        ("Peter", "home", True), ("Anna", "version", False),
    ]  # fmt: skip
    assert rows[0]["newer"]["source"] == "memory/2025-12-03.md#L3"
    open_ones = json.loads(CliRunner().invoke(cli.main, [*words, "--open", "--json"]).stdout)
    assert [row["slot"] for row in open_ones] == ["version"]
    nothing = CliRunner().invoke(cli.main, [*words, "--since", "2026-01-01"])
    assert (nothing.stdout, nothing.exit_code) == ("", 0)


def test_a_reflect_lists_those_of_its_days(notes):
    words = ["--workspace", str(notes), "--now", "2025-12-06", "reflect", "--dry-run"]
    with memlab.open(notes, now="2025-12-06") as workspace:
        assert told(workspace.reflect(dry_run=True).conflicts) == [MOVE, VERSIONS]
        plan = workspace.reflect(since="2d", dry_run=True)
        assert told(plan.conflicts) == [VERSIONS]
        assert plan.to_dict()["conflicts"] == [plan.conflicts[0].to_dict()]
        assert told(workspace.reflect(as_of="2025-12-03", dry_run=True).conflicts) == [MOVE]
    done = CliRunner().invoke(cli.main, words, catch_exceptions=False)
    (line,) = [one for one in done.stderr.splitlines() if "conflict" in one]
    assert line.startswith("memlab: conflict: Anna, version: is at version 2.0")
