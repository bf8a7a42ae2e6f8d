"""Three processes recall, a fourth rebuilds, a fifth edits: nothing fails, is stale or partial."""

import importlib.util
import subprocess
import sys
import time
from pathlib import Path

import pytest

TRAFFIC = Path(__file__).with_name("traffic.py")


def load():
    spec = importlib.util.spec_from_file_location("traffic", TRAFFIC)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("seconds", [5, pytest.param(30, marks=pytest.mark.slow)])
def test_every_answer_was_true_at_some_moment_and_is_not_stale(tmp_path, seconds):
    traffic = load()
    root = tmp_path / "notes"
    traffic.prepare(root)
    running = {
        role: subprocess.Popen(
            [sys.executable, str(TRAFFIC), role, str(root)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for role in traffic.ROLES
    }  # fmt: skip
    time.sleep(seconds)
    for role in sorted(running, key="edit".__eq__):  # the editor goes on to the end
        (tmp_path / f"stop-{role}").touch()
        out, err = running[role].communicate(timeout=240)
        assert (role, running[role].returncode, err) == (role, 0, "")
        assert int(out) >= traffic.LEAST, role
    assert not list((root / ".memory").glob(".building-*"))
