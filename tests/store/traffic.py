"""What each process of `test_processes` does: ``python traffic.py ROLE ROOT``, until told.

The editor counts up, each page in one rename and the first page before the second. So at any moment
the first page says n twice, and the second n or n - 1; whatever else an answer says was never true.
`said` is written after both pages: an answer that is not stale says at least that.
"""

import os
import re
import sys
import time
from pathlib import Path

import memlab

FIRST, SECOND = "memory/2025-11-02.md", "memory/2025-11-01.md"  # read in the other order
ANCHORS = 8
PAUSE = 0.4  # seconds between edits, in which a build has to read the pages once
LEAST = 3  # answers and builds that each process must have seen, however slow the machine is


def first(number):
    return f"pair alpha says {number}\n\nmore\n\npair beta says {number}\n"


def second(number):
    return f"pair gamma says {number}\n"


def prepare(root):
    (root / "memory").mkdir(parents=True)
    for number in range(1, ANCHORS + 1):
        filler = "".join(f"- filler {number} {line}\n" for line in range(20))
        (root / f"memory/2025-10-{number:02}.md").write_text(f"anchor {number}\n\n{filler}")
    replace(root / FIRST, first(0))
    replace(root / SECOND, second(0))
    (root.parent / "said").write_text("0")
    with memlab.open(root) as workspace:
        workspace.refresh()


def replace(place, text):
    aside = place.with_name(f".{place.name}.tmp")
    aside.write_text(text)
    os.replace(aside, place)


def edit(root):
    for number in range(1, 1_000_000):
        replace(root / FIRST, first(number))
        time.sleep(PAUSE)
        replace(root / SECOND, second(number))
        replace(root.parent / "said", str(number))
        yield
        time.sleep(PAUSE)


def rebuild(root):
    with memlab.open(root, now="2025-11-30") as workspace:
        while True:
            done = workspace.refresh(full=True)
            assert done.built, done
            yield
            for _ in range(3):
                time.sleep(0.1)
                workspace.refresh()


def recall(root, *, refresh, busy="wait"):
    """Ask again and again; each answer must have been true, and not before what was promised."""
    said = [(time.monotonic(), 0)]
    latest = 0
    with memlab.open(root, now="2025-11-30", refresh=refresh, busy=busy) as workspace:
        while True:
            asked = time.monotonic()
            said.append((asked, int((root.parent / "said").read_text())))
            oldest = {
                "always": said[-1][1],
                # what was said a second before the question
                "auto": max(n for when, n in said if when <= max(asked - 1.0, said[0][0])),
                "serve": latest,
            }["serve" if busy == "serve" else refresh]
            hits = [hit.fact.content for hit in workspace.recall("pair says", k=20)]
            found = dict(re.fullmatch(r"pair (\w+) says (\d+)", text).groups() for text in hits)
            alpha, beta, gamma = (int(found[name]) for name in ("alpha", "beta", "gamma"))
            assert len(hits) == 3, hits
            assert alpha == beta, found
            assert alpha - 1 <= gamma <= alpha, found
            assert gamma >= oldest, (found, oldest)
            assert gamma >= latest, (found, latest)
            latest = gamma
            anchors = workspace.recall("anchor", k=20, refresh="never")
            assert len(anchors) == ANCHORS, anchors
            yield


ROLES = {
    "edit": edit,
    "rebuild": rebuild,
    "always": lambda root: recall(root, refresh="always"),
    "auto": lambda root: recall(root, refresh="auto"),
    "serve": lambda root: recall(root, refresh="auto", busy="serve"),
}


def main():
    role, root = sys.argv[1], Path(sys.argv[2])
    count = 0
    for _ in ROLES[role](root):
        count += 1
        if count >= LEAST and (root.parent / f"stop-{role}").exists():
            break
    print(count)


if __name__ == "__main__":
    main()
