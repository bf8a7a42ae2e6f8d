"""Install a wheel into an environment of its own and use it there, outside the checkout.

Usage: python tools/check_wheel.py dist/memlab-0.1.0-py3-none-any.whl
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def check_contents(wheel: Path) -> None:
    """Everything in memlab/, schema.sql and py.typed among it, and nothing else."""
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    source = {
        file.relative_to(ROOT).as_posix()
        for file in ROOT.glob("memlab/**/*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert {"memlab/store/schema.sql", "memlab/py.typed"} <= source
    assert packed == source, f"the wheel and memlab/ differ in {sorted(packed ^ source)}"


def install(wheel: Path, home: Path) -> Path:
    """A new environment with the wheel and its core dependencies; the path of its commands."""
    venv.create(home, symlinks=True)
    commands = home / "bin"
    pip = [sys.executable, "-m", "pip", "--python", str(commands / "python"), "-qq"]
    subprocess.run([*pip, "install", "--no-compile", str(wheel)], check=True)
    return commands


def a_bullet(workspace: Path) -> tuple[str, str]:
    """The words of the first Retain bullet of the notes, and the source that recall must name."""
    for page in sorted(workspace.glob("memory/*.md")):
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
            if bullet := re.match(r"- [WB] @.*?: (.+)", line):
                return bullet[1], f"{page.relative_to(workspace).as_posix()}#L{number}"
    raise AssertionError(f"no Retain bullet in {workspace}")


def check_use(commands: Path, version: str, home: Path) -> None:
    """The version, an index and a recall, from a folder that knows nothing of the checkout."""

    def memlab(*arguments: str) -> str:
        environment = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith(("MEMLAB_", "OPENCLAW_", "PYTHONPATH"))
        }
        return subprocess.run(
            [commands / "memlab", *arguments],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
            cwd=home,
            env=environment,
        ).stdout

    workspace = shutil.copytree(ROOT / "data/fixtures/harbour", home / "workspace")
    words, source = a_bullet(workspace)
    assert version in memlab("--version")
    memlab("index", "--workspace", str(workspace))
    found = json.loads(memlab("recall", words, "--json", "--workspace", str(workspace)))
    sources = [hit["source"] for hit in found["hits"]]
    assert source in sources, f"{words!r} stands on {source}, but recall named {sources}"


def main() -> None:
    """Check the wheel named on the command line."""
    wheel = Path(sys.argv[1]).resolve()
    check_contents(wheel)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        check_use(install(wheel, home / "venv"), wheel.name.split("-")[1], home)
    print(f"{wheel.name}: holds memlab alone, installs with its core, indexes and recalls")


if __name__ == "__main__":
    main()
