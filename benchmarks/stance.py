"""Stance detectors on Perspectrum, SICK and SciFact beside their floors, and updaters on scenarios.

    MEMLAB_DATA=… python benchmarks/stance.py [--sets perspectrum sick scifact]
        [--embeddings e5-small minilm] [--detectors "nli(path='FOLDER')" "ollama(model='NAME')"]

Models of pairs are trained on each set's training split, without and with each of the embeddings,
which have to be installed. Where a set has two labels, a detector's likelier side counts; else its
label.
"""

import argparse
import datetime as dt
import statistics
import sys
import time
from collections.abc import Sequence
from typing import NamedTuple

from embedding_data import data_folder

from memlab.evaluation.datasets.stance import read_pairs
from memlab.evaluation.model import StancePair
from memlab.opinions import Detector, Event, Label, fold
from memlab.opinions.pairs import Model
from memlab.opinions.training import train
from memlab.registry import make, names


class Ground(NamedTuple):
    """A set to judge: the split, floors as (system, accuracy, macro-F1), and what is asked."""

    split: str
    floors: tuple[tuple[str, float, float], ...]
    target: str


GROUNDS = {
    "perspectrum": Ground(
        "dev",
        (
            ("majority", 0.530, 0.347),
            ("negation rule", 0.587, 0.566),
            ("TF-IDF, logistic regression", 0.599, 0.598),
        ),
        "accuracy .64 without weights, .70 with",
    ),
    "sick": Ground(
        "trial",
        (
            ("majority", 0.569, 0.242),
            ("negation rule", 0.414, 0.412),
            ("TF-IDF, logistic regression", 0.810, 0.810),
        ),
        "macro-F1 .82",
    ),
    "scifact": Ground("validation", (("negation rule", 0.663, 0.595),), "macro-F1 .65"),
}


def scores(truth: Sequence[str], found: Sequence[str]) -> tuple[float, float]:
    """Accuracy, and the mean F1 of the labels."""
    each = []
    for label in sorted(set(truth)):
        hits = sum(t == f == label for t, f in zip(truth, found, strict=True))
        each.append(2 * hits / (truth.count(label) + found.count(label)))
    right = sum(t == f for t, f in zip(truth, found, strict=True))
    return right / len(truth), statistics.fmean(each)


def judge(detector: Detector, pairs: list[StancePair]) -> tuple[float, float, float]:
    """Accuracy, macro-F1, and pairs a second."""
    truth = [pair.label for pair in pairs]
    start = time.perf_counter()
    stances = detector.judge([(pair.statement, pair.evidence) for pair in pairs])
    took = time.perf_counter() - start
    three = len(set(truth)) == 3
    found = [str(stance.label if three else stance.side) for stance in stances]
    return *scores(truth, found), len(pairs) / took


def detectors(chosen: list[str], embeddings: list[str], others: list[str]) -> None:
    """Print a table of the detectors on each set."""
    print("| set | system | accuracy | macro-F1 | pairs/s |\n|---|---|---|---|---|")
    for name in chosen:
        ground = GROUNDS[name]
        for system, accuracy, f1 in ground.floors:
            print(f"| {name} | floor: {system} | {accuracy:.3f} | {f1:.3f} | |")
        pairs = read_pairs(data_folder() / name / "stance_pairs.jsonl", [])
        held = [pair for pair in pairs if pair.split == ground.split]
        for spec in ("rules", *others):
            row(name, spec, make("stance", spec), held)
        for embedding in (None, *embeddings):
            model = learnt([pair for pair in pairs if pair.split == "train"], embedding)
            row(name, f"pairs, {embedding or 'no embeddings'} ({model.mixture})", model, held)
        print(f"| {name} | asked: {ground.target} | | | |", flush=True)


def row(name: str, system: str, detector: Detector, held: list[StancePair]) -> None:
    """Print one line of the table."""
    accuracy, f1, speed = judge(detector, held)
    print(f"| {name} | {system} | {accuracy:.3f} | {f1:.3f} | {speed:.0f} |", flush=True)


def learnt(learn: list[StancePair], embedding: str | None) -> Model:
    """A model of pairs, and on the error stream what was tried and how long it took."""
    start = time.process_time()
    model = train(
        [(pair.statement, pair.evidence) for pair in learn],
        [Label(pair.label) for pair in learn],
        embedding=embedding,
    )
    tried = ", ".join(f"{name} {score:.3f}" for name, score in model.tried)
    took = time.process_time() - start
    print(f"cross-validation: {tried}; {took:.0f} s of processor", file=sys.stderr, flush=True)
    return model


def scenarios() -> None:
    """Print what each updater makes of a flip, a stray contradiction and ten copies."""

    def told(label: Label, number: int, text: str) -> Event:
        day = dt.date(2025, 11, 1) + dt.timedelta(days=number)
        words = frozenset(text.split())
        return Event(day, f"f-{number:02}", label, 0.9, words=words, entities=frozenset({"peter"}))

    against = Label.CONTRADICTS
    flip = [told(against, 7 * n, f"t{n}") for n in range(3)]
    copies = [told(against, n, "one note") for n in range(10)]
    print("\n| updater | flip from .9: 1 - c after 3 | stray: moved | ten copies: moved |")
    print("|---|---|---|---|")
    for name in names("updater"):
        updater = make("updater", name)
        flipped = 1 - fold(0.9, flip, updater).confidence
        stray = 0.9 - fold(0.9, flip[:1], updater).confidence
        ten = 0.9 - fold(0.9, copies, updater).confidence
        print(f"| {name} | {flipped:.3f} | {stray:.3f} | {ten:.3f} |")
    print("| asked | over .5 | at most .1 | as one |")


def main() -> None:
    """Run both."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sets", nargs="*", default=list(GROUNDS), choices=list(GROUNDS))
    parser.add_argument("--embeddings", nargs="*", default=["e5-small"])
    parser.add_argument("--detectors", nargs="*", default=[])
    given = parser.parse_args()
    detectors(given.sets, given.embeddings, given.detectors)
    scenarios()


if __name__ == "__main__":
    main()
