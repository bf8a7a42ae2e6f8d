"""Recall by words: index speed, memory, what one changed page costs, and latency beside Tantivy.

    python benchmarks/lexical.py --facts 100000
    python benchmarks/lexical.py --facts 1000000 --strategies lexical tantivy
    python benchmarks/lexical.py --cold

Each figure is a median; what is compared is measured in turns in one process, since machines are
noisy. Processes are started anew where memory or a cold start is measured. The default is measured
by words alone, without an embedding model.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from notes import write

import memlab
from memlab import pipeline, tokens
from memlab.types import Query


def main() -> None:
    """Run what the command line asks for and print one figure a line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--facts", type=int, default=100_000)
    parser.add_argument("--strategies", nargs="*", default=["default", "lexical", "duckdb-fts", "sqlite-fts5", "tantivy", "bm25s"])  # fmt: skip  # noqa: E501
    parser.add_argument("--folder", type=Path, help="Keep the workspace here, to run again.")
    parser.add_argument("--cold", action="store_true", help="Only whole cold processes.")
    options = parser.parse_args()
    os.environ["MEMLAB_EMBEDDING"] = "none"
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        if options.cold:
            cold(folder / "cold")
            return
        root = folder / str(options.facts)
        queries = write(root, options.facts)
        index(root, options.facts)
        strategies(root, queries, options.strategies)


def index(root: Path, facts: int) -> None:
    """`memlab index` from nothing, as a process; then one page changes."""
    shutil.rmtree(root / ".memory", ignore_errors=True)
    command = [sys.executable, "-m", "memlab.cli", "--workspace", str(root), "index"]
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    full = time.perf_counter() - started
    show("index from nothing, facts a second", facts / full)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    show("peak memory of the largest process, MiB", usage.ru_maxrss / 1024)
    show("processor seconds", usage.ru_utime + usage.ru_stime)
    size = sum(file.stat().st_size for file in (root / ".memory").rglob("*") if file.is_file())
    show("index on disk, MiB", size / 2**20)
    page = sorted((root / "memory").glob("*.md"))[-3]
    ratios = []
    with memlab.open(root, refresh="always") as workspace:
        workspace.recall("warm up")
        for number in range(5):
            word = f"zyzzyva{number}x{time.time_ns()}"  # new, also where the folder was kept
            with page.open("a", encoding="utf-8") as file:
                file.write(f"- W @Entity1: {word}\n")
            started = time.perf_counter()
            found = workspace.recall(word)
            ratios.append((time.perf_counter() - started) / full)
            if len(found) != 1:
                raise SystemExit("the changed page was not found")
    show("recall sees a changed page, share of a full build", statistics.median(ratios))


def strategies(root: Path, queries: list[str], names: list[str]) -> None:
    """Build each index, then time each query on all of them in turn, and on Tantivy called bare."""
    workspace = memlab.open(root, now="2025-11-30")
    corpus = workspace.corpus()
    timed: dict[str, Callable[[str], object]] = {}
    for name in names:
        started = time.perf_counter()
        found = pipeline.make(name, embedding="none").index(corpus)
        show(f"{name}: build, seconds", time.perf_counter() - started)
        timed[f"{name}, index alone"] = lambda text, found=found: found.search(
            Query(text, workspace.now()), depth=10
        )
        timed[f"{name}, whole recall"] = lambda text, name=name: workspace.recall(
            text, retriever=name
        )
    timed["default, whole recall"] = workspace.recall
    if "tantivy" in names:
        timed["tantivy called bare"] = bare_tantivy(corpus.derived("tantivy"))
    times: dict[str, list[float]] = {name: [] for name in timed}
    for text in [*queries[:3], *queries]:
        for name, call in timed.items():
            started = time.perf_counter()
            call(text)
            times[name].append(time.perf_counter() - started)
    medians = {name: statistics.median(spent[3:]) * 1000 for name, spent in times.items()}
    for name, median in medians.items():
        show(f"{name}: p50, ms", median)
    bare = medians.get("tantivy called bare")
    for name in ("lexical, whole recall", "default, whole recall"):
        if bare and name in medians:
            show(f"{name} / tantivy called bare", medians[name] / bare)


def bare_tantivy(folder: Path) -> Callable[[str], object]:
    """Tantivy on the same tokens, without anything of memlab but the tokeniser."""
    import tantivy

    held = tantivy.Index.open(str(folder))
    searcher, schema = held.searcher(), held.schema

    def search(text: str) -> object:
        terms = [
            (tantivy.Occur.Should, tantivy.Query.term_query(schema, "tokens", term))
            for term in dict.fromkeys(tokens.tokens(text))
        ]
        return searcher.search(tantivy.Query.boolean_query(terms), 10)

    return search


def cold(root: Path) -> None:
    """A whole `memlab recall` process, beside one that only imports duckdb and numpy."""
    query = write(root, 10_000)[0]
    memlab_command = [sys.executable, "-m", "memlab.cli", "--workspace", str(root), "recall", query]
    commands = {
        "memlab recall": memlab_command,
        "import duckdb, numpy": [sys.executable, "-c", "import duckdb, numpy"],
    }
    subprocess.run([*memlab_command[:5], "index"], check=True, stdout=subprocess.DEVNULL)
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(11):
        for name, command in commands.items():
            started = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            times[name].append(time.perf_counter() - started)
    recall, base = (statistics.median(spent[1:]) * 1000 for spent in times.values())
    show("memlab recall, cold process, ms", recall)
    show("import duckdb, numpy, ms", base)
    show("allowed: 1.5 times that and 120 ms", 1.5 * base + 120)


def show(what: str, value: float) -> None:
    """One figure, for people and for programs."""
    print(json.dumps({"what": what, "value": round(value, 4)}), flush=True)


if __name__ == "__main__":
    main()
