"""Exact dense search at 100,000 x 384 against a bare NumPy product, in turns, warm.

python benchmarks/embedding_dense.py [--facts 100000]
"""

import argparse
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from embedding_data import write_workspace

import memlab
from memlab import registry
from memlab.embedding.base import Card, Embedding, complete, unit
from memlab.types import Kind, Query, TimeRange


@dataclass(frozen=True, slots=True)
class Noise(Embedding):
    """A vector of noise for each text, the same for the same run: search does not care."""

    dimension: int = 384
    seed: int = 0

    @property
    def card(self) -> Card:
        """Its card."""
        return complete(Card(f"noise(seed={self.seed})", "noise", self.dimension), self.seed)

    def load(self) -> "NoiseEncoder":
        """Make one."""
        return NoiseEncoder(self.card, self.seed)


class NoiseEncoder:
    """Noise."""

    cacheable = False
    batch = 10_000

    def __init__(self, card: Card, seed: int) -> None:
        self.card = card
        self._seed = seed

    def encode(self, texts: list[str], *, role: str = "passage") -> np.ndarray:
        """Noise of unit length."""
        chance = np.random.default_rng([self._seed, len(texts), len(role)])
        return unit(chance.standard_normal((len(texts), self.card.dimension)))

    def save(self, folder: Path) -> None:
        """Nothing."""


def main() -> None:
    """Print p50 of the product, of each scan and of a search with filters."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--facts", type=int, default=100_000)
    parser.add_argument("--times", type=int, default=60)
    options = parser.parse_args()
    registry.register("embedding", "noise", Noise)
    with tempfile.TemporaryDirectory() as aside:
        folder = Path(aside) / "workspace"
        write_workspace(folder, options.facts, words=6)
        with memlab.open(folder, now="2025-11-30") as workspace:
            corpus = workspace.corpus()
            start = time.perf_counter()
            index = workspace.index(corpus, "dense(embedding='noise')")
            print(f"{options.facts} facts indexed in {time.perf_counter() - start:.1f} s")
            report(workspace, corpus, index, options.times)


def report(workspace: memlab.Workspace, corpus: object, index: object, times: int) -> None:
    """Take turns, so that whatever else the machine does meets all alike."""
    matrix = np.array(index._vectors.matrix)  # noqa: SLF001  # the same numbers, in memory
    now = workspace.now()
    chance = np.random.default_rng(7)
    asked = unit(chance.standard_normal((times, matrix.shape[1])))
    day = TimeRange(*(np.datetime64(d).item() for d in ("2023-02-01", "2023-03-01")))
    calls = {
        "bare product": lambda q: matrix @ q,
        "bare product and top 10": lambda q: np.argpartition(matrix @ q, -10)[-10:],
        "dense": lambda q: index.search_vector(q, Query("x", now), depth=10),
        "dense, depth 100": lambda q: index.search_vector(q, Query("x", now), depth=100),
        "dense, one kind": lambda q: index.search_vector(
            q, Query("x", now, kinds=(Kind.EXPERIENCE,)), depth=10
        ),
        "dense, one month": lambda q: index.search_vector(q, Query("x", now, day), depth=10),
    }
    took: dict[str, list[float]] = {name: [] for name in calls}
    for q in asked:
        for name, call in calls.items():
            start = time.perf_counter()
            call(q)
            took[name].append(time.perf_counter() - start)
    product = statistics.median(took["bare product"])
    for name, each in took.items():
        p50 = statistics.median(each)
        print(f"{name:<26} p50 {p50 * 1000:7.2f} ms  {p50 / product:5.2f} times the product")
    for storage in ("float32", "float16", "int8"):
        spec = f"dense(embedding='noise', scan='duckdb', storage={storage!r})"
        scan = workspace.index(corpus, spec)
        each = []
        for q in asked[:5]:
            start = time.perf_counter()
            scan.search_vector(q, Query("x", now), depth=10)
            each.append(time.perf_counter() - start)
        print(f"duckdb, {storage:<18} p50 {statistics.median(each) * 1000:7.1f} ms")


if __name__ == "__main__":
    main()
