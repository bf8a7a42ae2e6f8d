"""Run the README's examples, and with --write put their output into it.

    python tools/readme.py --write

A ``console`` block holds commands after ``$`` and what they print; all run in order, in a folder
with a copy of the harbour fixture named ``notes``.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
NOT_OURS = ("MEMLAB_", "OPENCLAW_")


def prepare(folder: Path) -> dict[str, str]:
    """Copy the fixture into a folder; the environment in which the examples are true."""
    ignore = shutil.ignore_patterns(".memory")
    shutil.copytree(ROOT / "data/fixtures/harbour", folder / "notes", ignore=ignore)
    kept = {key: value for key, value in os.environ.items() if not key.startswith(NOT_OURS)}
    ours = {"MEMLAB_WORKSPACE": "notes", "MEMLAB_EMBEDDING": "none"}
    return {**kept, **ours, "TZ": "Europe/Copenhagen", "PYTHONUTF8": "1"}


def rerun(block: str, folder: Path, environment: dict[str, str]) -> str:
    """The block as it is when its commands run now."""
    made = []
    for line in block.splitlines():
        if line.startswith("$ "):
            program, *words = shlex.split(line.removeprefix("$ "))
            assert program == "memlab", line
            command = [sys.executable, "-m", "memlab.cli", *words]
            done = subprocess.run(
                command, check=False, cwd=folder, env=environment, text=True, encoding="utf-8",
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )  # fmt: skip
            made += [line, *done.stdout.splitlines()]
    return "\n".join([*made, ""])


def main() -> int:
    """Print what differs, or write it; 1 if something differs still."""
    text = README.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        environment = prepare(Path(folder))
        new = BLOCK.sub(lambda match: rerun(match[0], Path(folder), environment), text)
    if new == text:
        print("README.md: all examples are real")
        return 0
    if "--write" in sys.argv:
        README.write_text(new, encoding="utf-8")
        print("README.md: written")
        return 0
    print("README.md: some examples have changed; run: python tools/readme.py --write")
    return 1


if __name__ == "__main__":
    sys.exit(main())
