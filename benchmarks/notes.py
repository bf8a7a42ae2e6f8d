"""Plain workspaces of any size for the benchmarks of speed: words drawn by Zipf's law.

`memlab.synth` makes workspaces that mean something; these only weigh something, so that a million
facts are made in a minute and the words are as unevenly spread as in real text.
"""

from __future__ import annotations

import datetime as dt
import itertools
import random
from pathlib import Path

VOCABULARY = 50_000
ENTITIES = 200


def write(folder: Path, facts: int, *, days: int | None = None, seed: int = 7) -> list[str]:
    """Write a workspace of daily logs, unless it is there; returns 100 queries of six words.

    Args:
        folder: Where.
        facts: How many Retain bullets of 15 to 35 words.
        days: How many logs; a hundred bullets each by default.
        seed: The same seed gives the same workspace.
    """
    rng = random.Random(seed)
    words = ["".join(rng.choice("bcdfghjklmnprstvwz") + rng.choice("aeiouy") for _ in range(rng.randint(1, 4))) + rng.choice(["", "n", "r", "s", "ed", "ing"]) for _ in range(VOCABULARY)]  # fmt: skip  # noqa: E501
    weights = list(itertools.accumulate(1 / (rank + 1) for rank in range(VOCABULARY)))
    queries: list[str] = []
    days = days or -(-facts // 100)
    (folder / "memory").mkdir(parents=True, exist_ok=True)
    for number in range(days):
        day = dt.date(2000, 1, 1) + dt.timedelta(days=number)
        lines = [f"# {day}", "", "## Retain"]
        for _ in range(facts // days):
            text = rng.choices(words, cum_weights=weights, k=rng.randint(15, 35))
            if rng.random() < 0.2:
                text.insert(5, str(rng.randint(1, 10_000)))
            if rng.random() < 0.05:
                text.insert(5, f"on Nov {rng.randint(1, 28)}")
            if rng.random() < 200 / facts and len(queries) < 100:
                queries.append(" ".join(rng.sample(text, 6)))
            lines.append(
                f"- {rng.choice('WBBO')} @Entity{rng.randrange(ENTITIES)}: {' '.join(text)}"
            )
        file = folder / "memory" / f"{day}.md"
        if not file.exists():
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return queries
