"""Many processes retain into one log while editors save it."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

import memlab

LOG = "memory/2025-11-27.md"
WORKER = (
    "import sys, memlab\n"
    "with memlab.open(sys.argv[1], now='2025-11-27') as workspace:\n"
    "    for number in range(int(sys.argv[3])):\n"
    "        workspace.retain(f'W @Peter: worker {sys.argv[2]}, box {number}, {number ** 5:x}')\n"
)


def start(*words, **options):
    return subprocess.Popen([sys.executable, *map(str, words)], text=True, **options)


def test_eight_processes_retain_200_facts_each_while_two_editors_save(pages):
    pytest.importorskip("fcntl")
    root = pages({LOG: "# A day\n\nprose\n"})
    stop = root / "stop"
    editor = Path(__file__).parent / "editors.py"
    editors = [
        start(editor, how, root / LOG, stop, stdout=subprocess.PIPE)
        for how in ("append", "replace")
    ]
    workers = [start("-c", WORKER, root, number, 200) for number in range(8)]
    facts = [f"- W @Peter: worker {w}, box {n}, {n**5:x}" for w in range(8) for n in range(200)]
    # the editors end before the last facts, so that what they may lose is missed by a retain
    while (root / LOG).read_text().count("worker") < 1500:
        assert all(worker.poll() in (None, 0) for worker in workers)
        time.sleep(0.05)
    stop.touch()
    saved = [line for one in editors for line in one.communicate(timeout=60)[0].splitlines()]
    assert [worker.wait(120) for worker in workers] == [0] * 8
    lines = (root / LOG).read_text().splitlines()
    assert len(saved) > 10
    assert sorted(set(saved) - set(lines)) == []
    assert sorted(line for line in lines if "worker" in line) == sorted(facts)
    with memlab.open(root) as workspace:
        kept = workspace.facts(kinds=["world"])
    assert sorted(kept["content"]) == sorted(fact.partition(": ")[2] for fact in facts)
