"""What float16 and int8 lose against float32: scores, order, recall@10, and what they save.

MEMLAB_DATA=… python benchmarks/embedding_storage.py [--model minilm] [--set prefeval]
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np
from embedding_data import data_folder, read_beir, recall_at

import memlab
from memlab.embedding import storage
from memlab.embedding.cache import Cache
from memlab.embedding.encode import encode


def main() -> None:
    """Print one line for each way of keeping vectors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="minilm")
    parser.add_argument("--set", default="prefeval")
    parser.add_argument("--cache", help="a file that keeps vectors between runs")
    options = parser.parse_args()
    texts, questions, grades = read_beir(data_folder() / options.set)
    places = {name: place for place, name in enumerate(texts)}
    wanted = [{places[text] for text in row} for row in grades.values()]
    encoder = memlab.embedding(options.model).fit(list(texts.values()))
    with (
        tempfile.TemporaryDirectory() as aside,
        Cache(Path(options.cache or Path(aside) / "vectors.sqlite")) as cache,
    ):
        passages = encode(encoder, list(texts.values()), cache=cache)
        asked = encode(encoder, [questions[one] for one in grades], role="query", cache=cache)
    exact = asked @ passages.T
    best = np.argsort(-exact, axis=1, kind="stable")[:, :10]
    print(f"{options.model}, {options.set}: {len(texts)} passages, {len(wanted)} questions")
    for kind in storage.STORAGES:
        codes, scales = storage.pack(passages, kind)
        read = storage.unpack(codes, scales, kind)
        scores = asked @ read.T
        own = np.argsort(-scores, axis=1, kind="stable")[:, :10]
        same = np.mean([len(set(a) & set(b)) / 10 for a, b in zip(best, own, strict=True)])
        size = (codes.nbytes + (scales.nbytes if kind == "int8" else 0)) / len(codes)
        print(
            f"{kind:<8} {size:6.0f} bytes  score off by at most {np.abs(scores - exact).max():.1e}"
            f"  first ten kept {same:.4f}  recall@10 {recall_at(10, read, asked, wanted):.4f}"
        )


if __name__ == "__main__":
    main()
