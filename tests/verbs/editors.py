"""Editors that know nothing of memlab: run as ``python editors.py append|replace PAGE STOP``.

Each prints the lines that it saved. The two never run into each other, only into retain.
"""

import fcntl
import os
import sys
import time
from pathlib import Path


def append(page: Path, line: str) -> None:
    """Save in place, as an editor that appends does."""
    with page.open("a") as file:
        file.write(line)


def replace(page: Path, line: str) -> None:
    """Save by a rename, and only over the text that was read."""
    aside = page.with_name(".editor")
    while True:
        text = page.read_text()
        aside.write_text(text + line)
        if page.read_text() == text:
            os.replace(aside, page)
            return


def main() -> None:
    save = {"append": append, "replace": replace}[sys.argv[1]]
    page, stop = Path(sys.argv[2]), Path(sys.argv[3])
    number = 0
    while not stop.exists():
        if page.exists():
            line = f"- {sys.argv[1]} {number}\n"
            with (page.parent.parent / "editors.lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                save(page, line)
            print(line, end="", flush=True)
            number += 1
        time.sleep(0.2)


if __name__ == "__main__":
    main()
