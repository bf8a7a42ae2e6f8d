"""Sixty nights, one reflect each, against one reflect at the end."""

import difflib
import itertools
import shutil
import statistics

import pytest

from tests.conftest import FIXTURES
from tests.verbs.reflecting import bank, reflect

LATE, ARRIVES = "2025-10-13", "2025-11-15"
"""The log of one day is written a month late; it has an opinion that a later one repeats."""


@pytest.fixture(scope="module")
def nights(tmp_path_factory):
    """The workspace after the last night, and the text of the bank after each."""
    root = tmp_path_factory.mktemp("nights") / "harbour"
    shutil.copytree(FIXTURES / "harbour", root, ignore=shutil.ignore_patterns(".memory"))
    logs = sorted((root / "memory").glob("2025-*.md"))
    texts = {file.stem: file.read_bytes() for file in logs}
    for file in logs:
        file.unlink()
    late = texts.pop(LATE)
    states = [bank(root)]
    for day, text in texts.items():
        (root / f"memory/{day}.md").write_bytes(text)
        if day == ARRIVES:
            (root / f"memory/{LATE}.md").write_bytes(late)
        # each night looks at a week; the one on which an old log arrives looks at all
        reflect(root, now=day, since=None if day == ARRIVES else "7d")
        states.append(bank(root))
    return root, states


def size(before, after):
    """How many lines a diff removes and adds."""
    count = 0
    for path in before.keys() | after.keys():
        old, new = (pages.get(path, b"").decode().splitlines() for pages in (before, after))
        lines = difflib.unified_diff(old, new, n=0, lineterm="")
        count += sum(not line.startswith(("---", "+++", "@@")) for line in lines)
    return count


@pytest.mark.slow
def test_sixty_nights_give_the_pages_that_one_reflect_gives(nights, harbour):
    root, states = nights
    reflect(harbour, now="2026-03-01")
    once = bank(harbour)
    assert states[-1].keys() == once.keys()
    assert [path for path, text in once.items() if states[-1][path] != text] == []
    assert reflect(root).changes == ()


@pytest.mark.slow
def test_a_night_changes_less_than_thirty_lines(nights):
    _, states = nights
    sizes = [size(before, after) for before, after in itertools.pairwise(states)]
    assert len(sizes) >= 50
    assert statistics.median(sizes) < 30


def test_a_week_night_by_night_gives_what_one_reflect_gives(pages, tmp_path):
    """The same, small: with opinions that turn, a late log, and pages that come and go."""
    told = {
        "2025-11-01": "- O(c=0.9) @Peter: likes green tea\n- W @Peter: lives in Graz\n",
        "2025-11-02": "- B @Peter @Andy: drank green tea, liked it\n- W @Andy: lives in Linz\n",
        "2025-11-03": "- B @Peter: no longer drinks green tea\n- O @Andy: boats are fun\n",
        "2025-11-04": "- W @Peter: moved to Wien\n- O(c=0.8) @Peter: likes green tea at night\n",
        "2025-11-05": "- B @Peter @Andy: gave up green tea\n- W @Andy: boats are fun in summer\n",
    }
    logs = {f"memory/{day}.md": f"## Retain\n\n{text}" for day, text in told.items()}
    for late in logs:
        root = pages({})
        shutil.rmtree(root)
        for path, text in sorted(logs.items(), key=lambda log: (log[0] == late, log[0])):
            reflect(pages({path: text}), now=path[7:17])
        once = tmp_path / f"once-{late[7:17]}"
        shutil.copytree(root / "memory", once / "memory")
        reflect(once)
        assert bank(root) == bank(once)
