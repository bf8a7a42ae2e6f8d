"""Every kind of trouble that docs/troubles.md lists has the tests that it names."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROWS = [
    line for line in (ROOT / "docs/troubles.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| Trouble")
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS)
def test_a_trouble_has_its_test(row):
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", row)
    assert named
    for file, test in named:
        assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8")


def test_there_are_troubles():
    assert len(ROWS) >= 20
