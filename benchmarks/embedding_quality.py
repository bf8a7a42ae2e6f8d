"""Recall@10 of embedding models over BEIR folders, among them other languages' notes.

MEMLAB_DATA=… python benchmarks/embedding_quality.py [--models e5-small,minilm] [--sets sib200]
"""

import argparse
import tempfile
import time
from pathlib import Path

from embedding_data import SIB200, data_folder, read_beir, recall_at

import memlab
from memlab.embedding.cache import Cache
from memlab.embedding.encode import encode

SETS = {
    **{f"sib200 {language}": folder for language, folder in SIB200.items()},
    "siblings Danish": "belebele_siblings/dan_Latn",
    "siblings Vietnamese": "belebele_siblings/vie_Latn",
    "siblings Urdu": "belebele_siblings/urd_Arab",
    "siblings Burmese": "belebele_siblings/mya_Mymr",
    "prefeval": "prefeval",
    "scifact": "scifact",
}


def main() -> None:
    """Print one line for each model and data set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", default="e5-small,minilm,wordllama,glove,tfidf-svd")
    parser.add_argument("--sets", default="sib200,siblings,prefeval")
    parser.add_argument("--cache", help="a file that keeps vectors between runs")
    options = parser.parse_args()
    data = data_folder()
    with tempfile.TemporaryDirectory() as aside:
        file = Path(options.cache or Path(aside) / "vectors.sqlite")
        with Cache(file) as cache:
            for model in options.models.split(","):
                for name, folder in SETS.items():
                    if name.split()[0] in options.sets.split(","):
                        start = time.perf_counter()
                        figure = measure(model, data / folder, cache)
                        took = time.perf_counter() - start
                        print(
                            f"{model:<12} {name:<22} recall@10 {figure:.3f}  {took:6.1f} s",
                            flush=True,
                        )


def measure(model: str, folder: Path, cache: Cache) -> float:
    """Recall@10 of one model over one folder."""
    texts, questions, grades = read_beir(folder)
    places = {name: place for place, name in enumerate(texts)}
    encoder = memlab.embedding(model).fit(list(texts.values()))
    passages = encode(encoder, list(texts.values()), cache=cache)
    asked = encode(encoder, [questions[one] for one in grades], role="query", cache=cache)
    wanted = [{places[text] for text in row} for row in grades.values()]
    return recall_at(10, passages, asked, wanted)


if __name__ == "__main__":
    main()
