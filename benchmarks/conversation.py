"""The weights of the cues of `memlab.retrievers.conversation`, fitted with each workspace left out.

    python benchmarks/conversation.py --dataset locomo

The loss is the cross entropy between the softmax of the scores and the facts that are relevant
(ListNet's top-one loss: Cao et al., ICML 2007, section 4), with a small penalty on the weights. It
prints, for each workspace that was left out, the figures before and after, and then the weights
of all of them together, in units of the best BM25 score.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax

from memlab.evaluation import datasets, experiment
from memlab.retrievers.bm25 import BM25
from memlab.retrievers.conversation import CUES
from memlab.store.corpus import Corpus
from memlab.types import Query

PENALTY = 1e-3
CANDIDATES = 150
NAMES = ("bm25", "near 1", "near 2", *CUES[1:])


def lists(ground: Any, qrels: Any) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each question, the cues of its candidates, and the share of each in what is relevant."""
    found = []
    with Corpus(ground.place, ground.snapshot) as corpus:
        index = BM25(cues=CUES).index(corpus)
        plain = BM25(cues=()).index(corpus)
        reader = index._conversations  # noqa: SLF001  # the fit looks at what the reader sees
        if reader is None:
            return []
        rows_of = {fact: row for row, fact in _ids(corpus)}
        for question, now in ground.questions:
            relevant = {
                rows_of[fact]
                for fact, grade in qrels.get(question.id, {}).items()
                if grade > 0 and fact in rows_of
            }
            run = plain.search(Query(question.text, now), depth=CANDIDATES)
            if not relevant or not len(run):
                continue
            rows = np.union1d(run.rows, list(relevant))
            cues = reader.cues(question.text, index.terms(Query(question.text, now)), rows)
            columns = [cues["bm25"] / cues["best"], *cues["near"], *(cues[c] for c in CUES[1:])]
            there = np.isin(rows, list(relevant)).astype(float)
            found.append((np.stack(columns, axis=1).astype(float), there / there.sum()))
    return found


def _ids(corpus: Corpus) -> list[tuple[int, str]]:
    return corpus.connection.execute("SELECT row, id FROM facts").fetchall()


def fit(parts: list[list[tuple[np.ndarray, np.ndarray]]]) -> np.ndarray:
    """The weights that explain what is relevant best."""
    every = [pair for part in parts for pair in part]

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        value, slope = PENALTY * weights @ weights, 2 * PENALTY * weights
        for cues, share in every:
            logs = log_softmax(cues @ weights)
            value -= share @ logs / len(every)
            slope = slope + (np.exp(logs) - share) @ cues / len(every)
        return value, slope

    return minimize(loss, np.zeros(len(NAMES)), jac=True, method="L-BFGS-B").x


def measure(part: list[tuple[np.ndarray, np.ndarray]], weights: np.ndarray) -> dict[str, float]:
    """Recall@10 and MRR@10 among the candidates."""
    recalls, firsts = [], []
    for cues, share in part:
        best = share[np.argsort(-(cues @ weights), kind="stable")[:10]] > 0
        recalls.append(best.sum() / (share > 0).sum())
        firsts.append(1 / (1 + best.argmax()) if best.any() else 0.0)
    return {"recall@10": float(np.mean(recalls)), "mrr@10": float(np.mean(firsts))}


def main() -> None:
    """Fit, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dataset", default="locomo")
    data = datasets.load(parser.parse_args().dataset)
    grounds = experiment.prepare(data)
    qrels = experiment.judgments(data, grounds)
    parts = [lists(ground, qrels) for ground in grounds]
    plain = np.eye(len(NAMES))[0]
    for left, (ground, part) in enumerate(zip(grounds, parts, strict=True)):
        weights = fit([other for number, other in enumerate(parts) if number != left])
        row = {
            "left out": ground.name,
            "bm25": measure(part, plain),
            "cues": measure(part, weights),
        }
        print(json.dumps(row))
    weights = fit(parts)
    print(json.dumps({n: round(w / weights[0], 3) for n, w in zip(NAMES, weights, strict=True)}))


if __name__ == "__main__":
    main()
