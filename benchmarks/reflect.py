"""A nightly reflect over a week, as a workspace grows: ``python benchmarks/reflect.py``.

Made-up workspaces of 200 entities: a year of logs, reflected over but for the last night, whose log
is then written. Printed are the CPU and wall time of that night's reflect with the index warm, the
same once more with nothing new, and one without a memo, with what was held and written; then the
CPU time of each page maker in the first of them. With ``--daily`` the logs are of so many facts a
day, and it is the years that grow.
"""

from __future__ import annotations

import argparse
import datetime as dt
import gc
import random
import shutil
import tempfile
import time
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import memlab
from memlab.synth.themes import THEMES
from memlab.synth.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memlab.verbs.plan import Change, Context, Maker

module = import_module("memlab.verbs.reflect")
PEOPLE = 200
STATEMENTS = 300
LAST = dt.date(2025, 12, 31)


def logs(facts: int, days: int, seed: int = 0) -> dict[str, str]:
    """A log for each day: half of the facts about what people hold, half of what they do."""
    draw = random.Random(seed)  # no secret
    world = World(seed, PEOPLE)
    # each statement is one person's, of one theme
    held = [
        (world.names[number % PEOPLE], THEMES[(number + number // PEOPLE) % len(THEMES)])
        for number in range(STATEMENTS)
    ]
    told: set[int] = set()
    texts = {}
    for number in range(days):
        day = LAST - dt.timedelta(days=days - 1 - number)
        lines = []
        for _ in range((number + 1) * facts // days - number * facts // days):
            if draw.random() < 0.5:
                event = world.event()
                about = " ".join(f"@{name}" for name in event.entities)
                kind = "B" if event.kind == "O" else event.kind  # the statements are those below
                lines.append(f"- {kind} {about}: {event.text}")
                continue
            which = draw.randrange(STATEMENTS)
            who, theme = held[which]
            if which not in told:
                told.add(which)
                lines.append(f"- O(c=0.7) @{who}: {theme.statement.format(who=who)}")
            else:
                notes = theme.supports if draw.random() < 0.7 else theme.against
                lines.append(f"- B @{who}: {draw.choice(notes).format(who=who)} ({number})")
        texts[day.isoformat()] = "## Retain\n\n" + "\n".join(lines) + "\n"
    return texts


def measure(facts: int, days: int) -> None:
    """Print one row of the table."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "notes"
        (root / "memory").mkdir(parents=True)
        texts = logs(facts, days)
        last = texts.popitem()
        for day, text in texts.items():
            (root / f"memory/{day}.md").write_text(text, encoding="utf-8")
        before = (LAST - dt.timedelta(days=1)).isoformat()
        with memlab.open(root, now=before, refresh="always") as workspace:
            workspace.reflect()
            workspace.reflect()  # as on a day without news: what the first one wrote is looked at
        (root / f"memory/{last[0]}.md").write_text(last[1], encoding="utf-8")
        with memlab.open(root, now=LAST, refresh="always") as workspace:
            workspace.corpus()
            without = Path(folder) / "without"
            shutil.copytree(root, without)
            spent: Counter[str] = Counter()
            night = timed(workspace, spent)
            entities = workspace.corpus().counts()["entities"]
            again = timed(workspace)
            held = len(workspace.opinions())
        (without / ".memory/reflect.json").unlink()
        with memlab.open(without, now=LAST, refresh="always") as workspace:
            workspace.corpus()
            fresh = timed(workspace)
        cells = [f"{facts:,}", str(entities), str(held)]
        cells += [f"{cpu:.2f} / {wall:.2f} s, {pages} pages" for cpu, wall, pages in (night, again)]
        cells.append(f"{fresh[0]:.2f} / {fresh[1]:.2f} s")
        cells.append(", ".join(f"{name} {cpu:.2f}" for name, cpu in spent.items()))
        print(f"| {' | '.join(cells)} |", flush=True)


def timed(
    workspace: memlab.Workspace, spent: Counter[str] | None = None
) -> tuple[float, float, int]:
    """CPU and wall seconds of a reflect over a week, and how many pages it wrote.

    Args:
        workspace: The workspace, its index warm.
        spent: The CPU seconds of each maker are added to it.
    """

    def counted(maker: Maker) -> Maker:
        def changes(context: Context) -> Iterator[Change]:
            start = time.process_time()
            found = list(maker(context))
            if spent is not None:
                spent[maker.__name__] += time.process_time() - start
            yield from found

        return changes

    makers, module.MAKERS = module.MAKERS, tuple(map(counted, module.MAKERS))
    gc.collect()
    gc.freeze()  # a scheduler's process does not hold what those before it left behind
    cpu, wall = time.process_time(), time.perf_counter()
    try:
        done = workspace.reflect(since="7d")
    finally:
        module.MAKERS = makers
    return time.process_time() - cpu, time.perf_counter() - wall, len(done.changes)


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--facts", nargs="*", type=int, default=[2_500, 10_000, 40_000])
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--daily", type=int, help="facts a day, of as many days as that takes")
    args = parser.parse_args()
    columns = "facts", "entities", "opinions", "a night: CPU / wall", "nothing new"
    print(f"| {' | '.join((*columns, 'without a memo', 'makers'))} |")
    print("|---|---|---|---|---|---|---|")
    for facts in args.facts:
        measure(facts, facts // args.daily if args.daily else args.days)


if __name__ == "__main__":
    main()
