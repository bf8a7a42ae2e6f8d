"""Indexing cold and again with a warm cache, after one page has changed.

python benchmarks/embedding_reindex.py [--model minilm] [--facts 10000]
"""

import argparse
import tempfile
import time
from pathlib import Path

from embedding_data import write_workspace

import memlab


def main() -> None:
    """Print both times and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="minilm")
    parser.add_argument("--facts", type=int, default=10_000)
    parser.add_argument("--words", type=int, default=25)
    options = parser.parse_args()
    spec = f"dense(embedding={options.model!r})"
    # neither time has the library's import in it
    memlab.embedding(options.model).fit(["a", "b"]).encode(["a"])
    with tempfile.TemporaryDirectory() as aside:
        folder = Path(aside) / "workspace"
        write_workspace(folder, options.facts, words=options.words)
        times = []
        for number in range(3):
            with memlab.open(folder, now="2025-11-30") as workspace:
                start = time.perf_counter()
                corpus = workspace.corpus()
                parsed = time.perf_counter()
                workspace.index(corpus, spec)
                times.append((parsed - start, time.perf_counter() - parsed))
            page = folder / "memory" / "2023-01-01.md"
            page.write_text(
                page.read_text(encoding="utf-8") + f"- B one more fact, the {number}th\n"
            )
    for name, (parsed, indexed) in zip(("cold", "warm", "warm again"), times, strict=True):
        print(f"{name:<12} snapshot {parsed:7.2f} s  vectors {indexed:7.2f} s")
    cold, warm = sum(times[0]), sum(times[1])
    print(f"{options.model}, {options.facts} facts: warm/cold {warm / cold:.4f}, asked for .05")


if __name__ == "__main__":
    main()
