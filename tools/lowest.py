"""Print a pip constraint for each direct dependency: the lowest version that pyproject.toml admits.

Usage: python tools/lowest.py dev,notebooks
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

PROJECT = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]


def constraints(requirements: list[str]) -> Iterator[str]:
    """One for each requirement, and for those of the extras of memlab itself among them."""
    for requirement in requirements:
        if own := re.fullmatch(r"memlab\[(.+)\]", requirement):
            for extra in own[1].split(","):
                yield from constraints(PROJECT["optional-dependencies"][extra])
        else:
            yield re.sub(r"(\[.*\])?>=([^,]+).*", r"==\2", requirement)


print(*constraints([*PROJECT["dependencies"], f"memlab[{sys.argv[1]}]"]), sep="\n")
