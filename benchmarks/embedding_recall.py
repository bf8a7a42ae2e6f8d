"""Whole recall by the default with the vectors of two models, apart from encoding the question.

    python benchmarks/embedding_recall.py [--facts 100000]

The vectors are noise: search does not care, and a hundred thousand facts need not be embedded. The
default, its parts by words alone and bare `lexical` are timed in turns.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from embedding_dense import Noise
from notes import write

import memlab
from memlab import registry
from memlab.defaults import expanded


def main() -> None:
    """Print p50 of a whole recall by each strategy."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--facts", type=int, default=100_000)
    parser.add_argument("--folder", type=Path, help="Keep the workspace here, to run again.")
    options = parser.parse_args()
    registry.register("embedding", "noise", Noise)
    strategies = {
        "lexical": "lexical",
        "default, words alone": str(expanded("default", embedding="none")),
        "default, one model": str(expanded("default", embedding="noise")),
        "default, two models": str(expanded("default", embedding="noise+noise(seed=1)")),
    }
    with tempfile.TemporaryDirectory() as aside:
        folder = options.folder or Path(aside) / "workspace"
        queries = write(folder, options.facts)
        with memlab.open(folder, now="2025-11-30") as workspace:
            took: dict[str, list[float]] = {name: [] for name in strategies}
            for query in [*queries[:3], *queries]:
                for name, spec in strategies.items():
                    start = time.perf_counter()
                    workspace.recall(query, retriever=spec)
                    took[name].append(time.perf_counter() - start)
    medians = {name: statistics.median(each[3:]) * 1000 for name, each in took.items()}
    for name, median in medians.items():
        print(f"{name:<22} p50 {median:6.2f} ms  {median / medians['lexical']:5.2f} times lexical")


if __name__ == "__main__":
    main()
