"""Two nightly runs never overlap."""

import subprocess
import sys

import pytest

import memlab
from memlab.errors import BusyError
from memlab.verbs.nightly import Turn

HOLDER = """
import sys, memlab
from memlab.verbs.nightly import Turn
with memlab.open(sys.argv[1]) as workspace:
    turn = Turn(workspace)
    print("taken", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tiny):
    """Another process that has the turn until its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tiny)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    assert process.stdout.readline() == "taken\n"
    yield process
    process.kill()
    process.communicate()


def test_a_second_process_is_told_at_once_who_is_at_work(tiny, holder):
    with memlab.open(tiny) as workspace, pytest.raises(BusyError) as caught:
        Turn(workspace)
    assert caught.value.exit_code == 4
    assert f"another nightly run is at work on this workspace (process {holder.pid}, since" in str(
        caught.value
    )


def test_a_turn_is_over_when_its_process_is_killed(tiny, holder):
    holder.kill()
    holder.wait()
    with memlab.open(tiny) as workspace:
        Turn(workspace).over()


def test_turns_follow_each_other_and_hinder_no_other_writer(tiny):
    with memlab.open(tiny, now="2025-11-30") as workspace:
        turn = Turn(workspace)
        assert workspace.retain("W @Peter: prints maps").written
        assert workspace.reflect().written
        with memlab.open(tiny) as other, pytest.raises(BusyError):
            Turn(other)
        turn.over()
        Turn(workspace).over()


def test_a_workspace_of_its_own_has_turns_of_its_own(tiny, harbour):
    with memlab.open(tiny) as one, memlab.open(harbour) as other:
        first, second = Turn(one), Turn(other)
        first.over()
        second.over()
