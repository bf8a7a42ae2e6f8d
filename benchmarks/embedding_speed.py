"""Sentences a second: memlab against the library called bare, in turns, and a query's time.

MEMLAB_DATA=… python benchmarks/embedding_speed.py [--models e5-small,minilm] [--texts 512]
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from embedding_data import data_folder, p50_ms, read_beir

import memlab
from memlab.embedding.base import Encoder
from memlab.embedding.cache import Cache
from memlab.embedding.encode import encode
from memlab.embedding.sentence_transformer import SentenceEncoder


def main() -> None:
    """Print one line for each model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", default="minilm,e5-small,wordllama,glove,tfidf-svd")
    parser.add_argument("--texts", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cpu", action="store_true", help="count processor time, not the wall's")
    options = parser.parse_args()
    clock = time.process_time if options.cpu else time.perf_counter
    texts = list(read_beir(data_folder() / "prefeval")[0].values())[: options.texts]
    print(f"{len(texts)} texts of {statistics.fmean(len(t.split()) for t in texts):.0f} words")
    for model in options.models.split(","):
        encoder = memlab.embedding(model).fit(texts)
        encode(encoder, texts[:64])
        query = p50_ms(partial(ask, encoder, texts), 40)
        line = f"{model:<12} query p50 {query:6.2f} ms"
        if isinstance(encoder, SentenceEncoder):
            own, bare = compare(encoder, texts, options.rounds, clock)
            line += f"  memlab {own:6.1f}/s  bare {bare:6.1f}/s  memlab/bare {own / bare:.3f}"
        else:
            start = clock()
            encode(encoder, texts)
            line += f"  memlab {len(texts) / (clock() - start):6.0f}/s"
        print(line, flush=True)


def ask(encoder: Encoder, texts: list[str], number: int) -> None:
    """Encode one query."""
    encoder.encode([texts[number]], role="query")


def compare(
    encoder: SentenceEncoder, texts: list[str], rounds: int, clock: Callable[[], float]
) -> tuple[float, float]:
    """Medians of sentences a second, memlab's and the library's, with as many threads."""
    import torch

    from memlab.embedding import sentence_transformer

    library = sentence_transformer._model(encoder._folder)  # noqa: SLF001  # the very same weights
    torch.set_num_threads(sentence_transformer.default_threads())
    prefix = encoder.card.prefix("passage")
    prefixed = [prefix + text for text in texts]
    own, bare = [], []
    with tempfile.TemporaryDirectory() as aside:
        for number in range(rounds):
            # a cache of its own each time, so that nothing is found and everything is written
            with Cache(Path(aside) / f"{number}.sqlite") as cache:
                start = clock()
                encode(encoder, texts, cache=cache)
                own.append(len(texts) / (clock() - start))
            start = clock()
            library.encode(prefixed, batch_size=encoder.batch, normalize_embeddings=True)
            bare.append(len(texts) / (clock() - start))
    return statistics.median(own), statistics.median(bare)


if __name__ == "__main__":
    main()
