"""How often recall says that nothing answers: of questions that have an answer, and of others.

    MEMLAB_DATA=… python benchmarks/abstention.py harbour locomo prefeval --embedding none

Questions without an answer are those that a data set marks so, and those of other workspaces: of
each other data set, and of the next workspace of the same one, a hundred each.
"""

import argparse
import random
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from memlab.evaluation import datasets
from memlab.evaluation.lines import Lines, resolve
from memlab.evaluation.model import Dataset, Question
from memlab.session import Session
from memlab.types import Query
from memlab.verbs.bundle import Options, bundle

SAMPLE = 100


def answered(session: Session, question: Question) -> tuple[bool, set[str]]:
    """Whether recall says that it answers, and the facts that it found."""
    index = session.index(session.corpus())
    query = Query(question.text, session.now(question.now))
    found = bundle(session.corpus(), index, query, Options())
    sure = found.confidence is None or found.confidence >= 0.5
    return bool(found.hits) and sure, {hit.fact.id for hit in found.hits}


def own(data: Dataset, settings: Mapping[str, str]) -> tuple[float, float, float, int, int]:
    """Recall@10, what of it is doubted, the share of unanswerable doubted, and counts of both."""
    recall, lost, doubted = [], [], []
    for name, root in data.workspaces.items():
        asked = [question for question in data.questions if question.workspace == name]
        ids = {question.id for question in asked}
        with Session(root, **settings) as session:
            lines = Lines(session.corpus())
            judged = [one for one in data.judgments if one.question in ids]
            qrels = resolve(judged, lines, root)
            for question in asked:
                good = {fact for fact, grade in qrels.get(question.id, {}).items() if grade > 0}
                sure, found = answered(session, question)
                if question.category == "unanswerable":
                    doubted.append(not sure)
                elif good:
                    recall.append(len(found & good) / len(good))
                    lost.append(0.0 if sure else recall[-1])
    return _mean(recall), _mean(lost), _mean(doubted), len(recall), len(doubted)


def foreign(root: Path, questions: Sequence[Question], settings: Mapping[str, str]) -> float:
    """The share of questions about something else that are doubted."""
    with Session(root, **settings) as session:
        return _mean([not answered(session, one)[0] for one in questions])


def strangers(name: str, sets: dict[str, Dataset]) -> Iterator[tuple[str, Path, list[Question]]]:
    """Where questions come from, the workspace they are asked of, and the questions."""
    chance = random.Random(0)
    data = sets[name]
    places = list(data.workspaces)
    for at, place in enumerate(places if len(places) > 1 else ()):
        asked = [one for one in data.questions if one.workspace == place]
        other = places[(at + 1) % len(places)]
        yield f"{name}, next workspace", data.workspaces[other], _some(chance, asked)
    for other_name, other_data in sets.items():
        if other_name != name:
            asked = [one for one in other_data.questions if one.category != "unanswerable"]
            yield other_name, data.workspaces[places[0]], _some(chance, asked)


def _some(chance: random.Random, asked: list[Question]) -> list[Question]:
    return chance.sample(asked, min(SAMPLE, len(asked)))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else float("nan")


def main() -> None:
    """Print one row a data set, and one a source of strange questions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("datasets", nargs="+")
    parser.add_argument("--retriever", default="default")
    parser.add_argument("--embedding", default="", help="none, to go by words alone")
    given = parser.parse_args()
    settings = {"retriever": given.retriever, "embedding": given.embedding}
    sets = {name: datasets.load(name) for name in given.datasets}
    with tempfile.TemporaryDirectory() as folder:
        if "harbour" in sets:  # the fixture itself stays as it is
            ((name, root),) = sets["harbour"].workspaces.items()
            shutil.copytree(root, Path(folder) / name, ignore=shutil.ignore_patterns(".memory"))
            moved = {name: Path(folder) / name}
            fields = vars(sets["harbour"]) | {"workspaces": moved}
            sets["harbour"] = Dataset(**fields)
        for name, data in sets.items():
            recall, lost, doubted, count, without = own(data, settings)
            print(
                f"{name}: {count} answerable, recall@10 {recall:.3f}, lost {lost:.3f}", flush=True
            )
            if without:
                print(f"  {without} marked unanswerable: {doubted:.2f} doubted", flush=True)
            shares: dict[str, list[float]] = {}
            for source, root, asked in strangers(name, sets):
                shares.setdefault(source, []).append(foreign(root, asked, settings))
            for source, values in shares.items():
                print(f"  from {source}: {_mean(values):.2f} doubted", flush=True)


if __name__ == "__main__":
    main()
