"""What the benchmarks of embedding models share: data sets, a workspace of many facts, a clock."""

import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

SIB200 = {
    "Danish": "sib200/eng-dan_Latn",
    "Vietnamese": "sib200/eng-vie_Latn",
    "Urdu": "sib200/eng-urd_Arab",
    "Burmese": "sib200/eng-mya_Mymr",
}


def data_folder() -> Path:
    """The folder of public data sets; stops the script where it is not known."""
    if "MEMLAB_DATA" not in os.environ:
        sys.exit("needs the data sets: set MEMLAB_DATA to their folder")
    return Path(os.environ["MEMLAB_DATA"])


def read_beir(
    folder: Path,
) -> tuple[dict[str, str], dict[str, str], dict[str, dict[str, int]]]:
    """Texts and questions by id, and for each question the grades of texts."""
    texts = {}
    for line in (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        texts[row["_id"]] = f"{row.get('title', '')} {row['text']}".strip()
    questions = {}
    for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        questions[row["_id"]] = row["text"]
    grades: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        question, text, grade = line.split("\t")
        if int(grade) > 0:
            grades.setdefault(question, {})[text] = int(grade)
    return texts, questions, grades


def recall_at(
    k: int,
    passages: np.ndarray,
    asked: np.ndarray,
    wanted: list[set[int]],
) -> float:
    """The mean share of the wanted passages among the first k; unit vectors, ties by place."""
    scores = np.round(asked.astype(np.float64) @ passages.astype(np.float64).T, 5)
    best = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    shares = [
        len(places & set(row.tolist())) / len(places)
        for places, row in zip(wanted, best, strict=True)
    ]
    return statistics.fmean(shares)


def write_workspace(folder: Path, facts: int, *, words: int = 25, seed: int = 0) -> None:
    """A workspace of daily pages with a hundred facts each; the same for the same seed."""
    chance = random.Random(seed)  # nothing here is a secret
    vocabulary = [
        "".join(chance.choices("aeiourstlnmkpdg", k=chance.randint(2, 9))) for _ in range(20000)
    ]
    (folder / "memory").mkdir(parents=True)
    day = np.datetime64("2023-01-01")
    for start in range(0, facts, 100):
        lines = [
            f"- B @Person{chance.randint(1, 50)}: {' '.join(chance.choices(vocabulary, k=words))}"
            for _ in range(min(100, facts - start))
        ]
        page = folder / "memory" / f"{day}.md"
        page.write_text("## Retain\n" + "\n".join(lines) + "\n", encoding="utf-8")
        day += 1


def p50_ms(call: Callable[[int], object], times: int) -> float:
    """The median of so many calls, in milliseconds; each is told its number."""
    took = []
    for number in range(times):
        start = time.perf_counter()
        call(number)
        took.append(time.perf_counter() - start)
    return statistics.median(took) * 1000
