"""Die at every system call of a write, in turn: ``python killer.py FOLDER OPERATION``.

``FOLDER/template`` is a workspace. The operation runs once on a copy of it, ``FOLDER/whole``, and
its calls that change files are listed. Then, for each of them, it runs on a copy of its own and the
process is killed right before the call; for a write also after half of its bytes. Each run is a
fork, so that nothing is imported twice. Prints the calls and the copies as JSON.
"""

import json
import os
import shutil
import signal
import sys
from pathlib import Path

import memlab
import memlab.store.stats
import memlab.store.survey
import memlab.verbs.infer
import memlab.verbs.lost
import memlab.verbs.prompt
import memlab.verbs.reflect
import memlab.verbs.retain

CALLS = ("write", "fsync", "replace", "rename", "unlink", "remove", "chmod", "mkdir", "link")
OPERATIONS = {
    "retain": lambda w: w.retain("W @Søren: lives in København"),
    "stub": lambda w: w.retain("W @Nobody: is new", stub=True),
    "infer": lambda w: w.infer("2025-11-26"),
    "append": lambda w: w.core_append("human", "- likes tea"),
    "replace": lambda w: w.core_replace("human", "Peter", "Pétur"),
    "rethink": lambda w: w.core_rethink("plans", "- sail\n- rest"),
    "reflect": lambda w: w.reflect(),
    "restore": lambda w: w.lost(restore=True),
}


class Killer:
    """Counts calls, and dies at one of them."""

    def __init__(self, number: int, *, half: bool) -> None:
        self.number = number
        self.half = half
        self.seen: list[str] = []

    def install(self) -> None:
        """Take the place of the calls."""
        for name in CALLS:
            setattr(os, name, self.counted(name, getattr(os, name)))
        write_text = Path.write_text

        def small(path, text, **options):  # the derived files that are replaced whole
            partly = (lambda: write_text(path, text[: len(text) // 2])) if self.half else None
            self.at("write", partly)
            return write_text(path, text, **options)

        Path.write_text = small

    def counted(self, name, call):
        """The call, counted."""

        def wrapped(*args, **options):
            part = name == "write" and self.half
            self.at(name, (lambda: call(args[0], args[1][: len(args[1]) // 2])) if part else None)
            return call(*args, **options)

        return wrapped

    def at(self, name, before=None):
        """Note a call; die if it is the one."""
        self.seen.append(name)
        if len(self.seen) == self.number:
            if before:
                before()
            os.kill(os.getpid(), signal.SIGKILL)


def run(root: Path, operation: str, number: int, *, half: bool) -> list[str]:
    """Run in a fork; the calls made, or none where it died."""
    shutil.copytree(root.parent / "template", root)
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        killer = Killer(number, half=half)
        write = os.write
        # how old a page is decides whether more is noted of it: no two runs are equally fast
        memlab.store.stats.now_ns = memlab.store.survey.now_ns = lambda: 0
        with memlab.open(root, now="2025-11-27") as workspace:
            if operation in ("stub", "infer", "reflect"):
                workspace.corpus()
            killer.install()
            OPERATIONS[operation](workspace)
        write(writer, json.dumps(killer.seen).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    died = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    assert died == (number > 0), (operation, number, status)
    return json.loads(text) if text else []


def main() -> None:
    folder, operation = Path(sys.argv[1]), sys.argv[2]
    calls = run(folder / "whole", operation, 0, half=False)
    copies = []
    for number, call in enumerate(calls, start=1):
        for half in (False, True) if call == "write" else (False,):
            root = folder / f"{number}-{call}{'-half' if half else ''}"
            run(root, operation, number, half=half)
            copies.append(root.name)
    print(json.dumps({"calls": calls, "copies": copies}))


if __name__ == "__main__":
    main()
