import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

import memlab
from memlab import registry
from memlab.embedding.cache import Cache
from memlab.errors import MemlabError, ParameterError, UnknownNameError
from memlab.retrievers.dense import Dense
from memlab.store import duck
from memlab.types import Kind, Query, TimeRange

FIXTURES = Path(__file__).parents[2] / "data" / "fixtures"
sys.path.insert(0, str(Path(__file__).parent.parent / "embedding"))
from conftest import Hashed  # noqa: E402  # the fixtures of another folder

sys.path.pop(0)


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    monkeypatch.setitem(registry._added["embedding"], "hashed", Hashed)


@pytest.fixture(scope="module")
def read_only(tmp_path_factory):
    """One workspace for all tests that change nothing."""
    folder = tmp_path_factory.mktemp("dense") / "harbour"
    shutil.copytree(FIXTURES / "harbour", folder, ignore=shutil.ignore_patterns(".memory"))
    with memlab.open(folder, now="2025-11-30", refresh="never") as opened:
        opened.refresh()
        yield opened


@pytest.fixture
def workspace(read_only):
    return read_only


@pytest.fixture
def own(harbour):
    with memlab.open(harbour, now="2025-11-30") as opened:
        yield opened


def ask(workspace, text="the queue was rewritten", **filters):
    return Query(text, workspace.now(), **filters)


def pairs(run):
    return list(zip(run.rows.tolist(), run.scores.tolist(), strict=True))


def dense(**parameters):
    return Dense(embedding="hashed(dimension=32)", **parameters)


# vectors as the model gives them
PLAIN = {"heading": False, "whiten": None, "forms": 0, "feedback": 0.0}

FILTERS = [
    {},
    {"kinds": (Kind.OPINION,)},
    {"entities": ("tidewire",)},
    {"window": TimeRange(*(np.datetime64(d).item() for d in ("2025-10-20", "2025-10-22")))},
    {"kinds": (Kind.OBSERVATION,), "entities": ("nobody at all",)},
]


@pytest.mark.parametrize("storage", ["float32", "float16", "int8"])
@pytest.mark.parametrize("filters", FILTERS, ids=lambda f: "+".join(f) or "none")
@pytest.mark.parametrize("depth", [1, 10, 5000])
def test_the_mapped_file_answers_as_sql_does(workspace, storage, filters, depth):
    corpus = workspace.corpus()
    query = ask(workspace, **filters)
    memory = dense(storage=storage).index(corpus).search(query, depth=depth)
    sql = dense(storage=storage, scan="duckdb").index(corpus).search(query, depth=depth)
    assert pairs(memory) == pairs(sql)
    assert len(memory) <= depth
    assert set(memory.rows.tolist()) <= set(corpus.select(query).tolist())


def test_scores_are_the_cosine_rounded_and_ties_go_by_id(workspace):
    corpus = workspace.corpus()
    index = dense(**PLAIN).index(corpus)
    run = index.search(ask(workspace), depth=200)
    encoder = Hashed(dimension=32).load()
    (asked,) = encoder.encode(["the queue was rewritten"], role="query")
    for fact, score in zip(corpus.facts(run.rows[:20]), run.scores, strict=False):
        sql = duck.fill("SELECT heads FROM facts WHERE id = ?", fact.id)
        heads = corpus.connection.execute(sql).fetchone()[0]
        text = f"{', '.join(heads)}: {fact.content}" if heads else fact.content
        assert score == round(float(encoder.encode([text])[0].astype(float) @ asked), 5)
    order = list(zip((-run.scores).tolist(), corpus.ids(run.rows), strict=True))
    assert order == sorted(order)
    assert len(set(run.scores.tolist())) < len(run)  # there were ties


def test_rows_with_gaps(own, harbour):
    own.corpus()
    page = harbour / "memory" / "2025-10-02.md"
    page.write_text(page.read_text(encoding="utf-8") + "\n- a new line of the kiln\n", "utf-8")
    corpus = own.corpus("always")
    rows = corpus.select(ask(own))
    assert rows.max() > len(rows)
    query = ask(own, "a new line of the kiln")
    run = dense().index(corpus).search(query, depth=1)
    assert corpus.facts(run.rows)[0].content == "a new line of the kiln"
    assert dense(**PLAIN).index(corpus).search(query, depth=1).scores.tolist() == [1.0]


def test_a_change_embeds_new_content_alone_and_another_model_keeps_the_first(own, harbour):
    corpus = own.corpus()
    dense().index(corpus).close()
    with Cache.of(own.place) as cache:
        before = cache.kept()[0].vectors
    page = harbour / "memory" / "2025-10-02.md"
    page.write_text(page.read_text(encoding="utf-8") + "\n- a new line of the kiln\n", "utf-8")
    corpus = own.corpus("always")
    dense().index(corpus).close()
    Dense(embedding="hashed(dimension=8)").index(corpus).close()
    with Cache.of(own.place) as cache:
        kept = {one.dimension: one.vectors for one in cache.kept()}
    assert kept == {32: before + 1, 8: before + 1}


def test_vectors_of_a_model_that_became_another_are_not_searched(workspace, monkeypatch):
    corpus = workspace.corpus()
    index = dense().index(corpus)
    monkeypatch.setattr(Hashed, "restore", lambda *_: Hashed(dimension=32, salt="other").load())
    with pytest.raises(MemlabError, match="made by another"):
        index.search(ask(workspace), depth=3)


def test_an_empty_query_or_unknown_words_find_nothing(workspace):
    index = dense().index(workspace.corpus())
    assert len(index.search(ask(workspace, "  "), depth=3)) == 0
    assert len(index.search(ask(workspace, "…!"), depth=3)) == 0
    assert len(index.search(ask(workspace), depth=0)) == 0


@pytest.mark.parametrize("scan", ["memory", "duckdb"])
def test_an_empty_workspace_recalls_nothing(tmp_path, scan):
    with memlab.open(tmp_path, now="2025-11-30") as workspace:
        index = dense(scan=scan).index(workspace.corpus())
        assert len(index.search(ask(workspace), depth=3)) == 0


def test_what_a_fact_is_read_with_changes_its_vector(workspace):
    corpus = workspace.corpus()
    runs = [
        pairs(dense(**given).index(corpus).search(ask(workspace), depth=20))
        for given in ({}, {"neighbours": 1}, {"heading": False}, {"day": True})
    ]
    assert len({str(run) for run in runs}) == 4


def test_by_the_registry_and_recall(workspace):
    spec = "dense(embedding='hashed', scan='duckdb')"
    found = workspace.recall("the queue was rewritten", retriever=spec, k=3)
    assert len(found.hits) == 3
    assert list(found.hits[0].trace) == [spec]


def test_bad_parameters_name_the_known_ones():
    with pytest.raises(UnknownNameError, match="Known: duckdb, memory"):
        Dense(scan="gpu")
    with pytest.raises(UnknownNameError, match="Known: float16, float32, int8"):
        Dense(storage="int4")
    with pytest.raises(UnknownNameError, match="Known: e5-small"):
        Dense(embedding="e6-small")
    with pytest.raises(MemlabError, match="neighbours must be at least 0"):
        Dense(neighbours=-1)


def test_in_a_conversation_a_fact_gets_a_share_of_its_better_neighbour(pages):
    turns = ["the boat leaks", "tar helps", "so we tar it", "tea first", "milk too", "the boat"]
    lines = [f"- {'AdaBo'[3 * (n % 2) : 3 + 2 * (n % 2)]}: {turn}" for n, turn in enumerate(turns)]
    notes = pages({"memory/2025-11-27.md": "\n".join(lines), "memory/2025-11-28.md": "- boat\n"})
    with memlab.open(notes, now="2025-11-30") as workspace:
        corpus = workspace.corpus()
        query = Query("the boat", workspace.now())
        rows = np.arange(corpus.size)
        alone = dense(near=0.0, **PLAIN).index(corpus).score(query, rows)
        shared = dense(near=0.5, **PLAIN).index(corpus)
        best_near = [
            max([alone[r] for r in (row - 1, row + 1) if r in range(6) and row in range(6)] + [0])
            for row in range(corpus.size)
        ]
        assert corpus.arrays["talk"].tolist() == [1] * 6 + [0]
        expected = alone + 0.5 * np.array(best_near)
        np.testing.assert_allclose(shared.score(query, rows), expected, atol=2e-5)
        sql = dense(near=0.5, scan="duckdb", **PLAIN).index(corpus).search(query, depth=9)
        assert pairs(sql) == pairs(shared.search(query, depth=9))
        assert shared.score(query, sql.rows).tolist() == sql.scores.tolist()


def test_scores_of_given_rows_are_those_of_the_run(workspace):
    corpus = workspace.corpus()
    index, query = dense().index(corpus), ask(workspace)
    run = index.search(query, depth=50)
    assert index.score(query, run.rows).tolist() == run.scores.tolist()
    assert index.score(Query(" ", workspace.now()), run.rows).tolist() == [0.0] * 50


@pytest.mark.parametrize(
    "given",
    [
        {"near": 2}, {"near": -0.1}, {"whiten": 1.5}, {"whiten": -1},
        {"forms": -1}, {"forms": 17}, {"feedback": -0.1},
    ],
)  # fmt: skip
def test_shares_and_strengths_have_their_bounds(given):
    with pytest.raises(ParameterError, match=next(iter(given))):
        dense(**given)


def test_a_question_moves_to_the_best_facts_that_it_finds_by_rocchio(workspace):
    corpus, query = workspace.corpus(), ask(workspace)
    still = dense(feedback=0.0).index(corpus)
    first = still.search(query, depth=200)
    vectors = still._vectors
    told = vectors.matrix[np.searchsorted(vectors.rows, first.rows[:3])].astype(float)
    moved = still._encode(query.text) + 0.4 * np.average(told, axis=0, weights=first.scores[:3])
    scores = vectors.matrix @ (moved / np.linalg.norm(moved))
    run = dense(feedback=0.4).index(corpus).search(query, depth=10)
    pool = scores[np.searchsorted(vectors.rows, first.rows)]
    assert run.scores.tolist() == pytest.approx(sorted(pool, reverse=True)[:10], abs=2e-5)
    assert run.rows.tolist() != first.rows[:10].tolist()


@pytest.mark.parametrize("scan", ["memory", "duckdb"])
@pytest.mark.parametrize("depth", [1, 40, 300])
def test_a_shallower_run_begins_a_deeper_one_and_filters_bound_what_moves_a_question(
    workspace, scan, depth
):
    corpus = workspace.corpus()
    query = ask(workspace, kinds=(Kind.OPINION,))
    run = dense(scan=scan).index(corpus).search(query, depth=depth)
    assert pairs(run) == pairs(dense().index(corpus).search(query, depth=2 * depth))[:depth]
    assert run.rows[:1].tolist() == dense().index(corpus).search(query, depth=1).rows.tolist()


def test_nearness_is_the_mean_cosine_of_the_nearest_whatever_moves_the_question(workspace):
    corpus, query = workspace.corpus(), ask(workspace)
    plain = dense(feedback=0.0).index(corpus)
    cosines = plain.search(query, depth=10).scores
    assert plain.nearness(query).cosine == pytest.approx(cosines.mean(), abs=2e-5)
    assert plain.nearness(query).across == 0.0
    assert dense(feedback=0.9).index(corpus).nearness(query) == plain.nearness(query)
    few = ask(workspace, kinds=(Kind.OPINION,))  # 39: a fiftieth of them is none
    best = plain.search(few, depth=1).scores
    assert plain.nearness(few).cosine == pytest.approx(best[0], abs=2e-5)
    some = ask(workspace, kinds=(Kind.WORLD, Kind.OPINION))
    count = int(corpus.mask(some).sum()) // 50
    assert 1 < count < 10
    best = plain.search(some, depth=count).scores
    assert plain.nearness(some).cosine == pytest.approx(best.mean(), abs=2e-5)
    assert plain.nearness(ask(workspace, text=" ")) is None
    assert plain.nearness(ask(workspace, entities=("nobody at all",))) is None


def test_a_corpus_that_is_too_large_is_not_embedded_unasked(workspace):
    corpus = workspace.corpus()
    index = dense(most=corpus.size - 1).index(corpus)
    assert len(index.search(ask(workspace), depth=10)) == 0
    assert (
        f"{corpus.size} facts are more than {corpus.size - 1}"
        in index.read(ask(workspace))["meaning"]
    )
    assert pairs(dense(most=corpus.size).index(corpus).search(ask(workspace), depth=10)) == pairs(
        dense().index(corpus).search(ask(workspace), depth=10)
    )


class Halved(Hashed):
    """A model that reads only texts with a word of its own."""

    __slots__ = ()

    def load(self):
        encoder = super().load()
        encode = encoder.encode

        def halved(texts, *, role="passage"):
            read = np.array([["tea" in text] for text in texts]).reshape(len(texts), 1)
            return encode(texts, role=role) * read

        encoder.encode = halved
        return encoder


@pytest.fixture
def halves(monkeypatch, pages):
    """Three facts, two of which the second model can read."""
    monkeypatch.setitem(registry._added["embedding"], "halved", Halved)
    notes = pages({"memory/2025-11-27.md": "- tea with Alice\n- coffee with Alice\n- green tea\n"})
    with memlab.open(notes, now="2025-11-28") as opened:
        yield opened


BOTH = "hashed(dimension=32)+halved(salt='other', dimension=32)"


@pytest.mark.parametrize("text", ["tea with Alice", "coffee with Alice"])
def test_of_several_models_the_mean_of_those_that_read_it_counts(halves, text):
    corpus, query = halves.corpus(), ask(halves, text)
    together = Dense(embedding=BOTH, **PLAIN).index(corpus)
    one, other = (Dense(embedding=m, **PLAIN).index(corpus) for m in BOTH.split("+"))
    rows = np.arange(3)
    first, second = one.score(query, rows), other.score(query, rows)
    mean = np.where([True, False, True], (first + second) / 2, first) if "tea" in text else first
    run = together.search(query, depth=3)
    assert dict(pairs(run)) == pytest.approx(dict(zip(rows.tolist(), mean.round(5), strict=True)))
    assert together.score(query, rows).tolist() == pytest.approx(mean.round(5).tolist())
    assert together.search(query, depth=2).rows.tolist() == run.rows[:2].tolist()
    near = together.nearness(query)
    assert near.cosine == pytest.approx(mean.max(), abs=2e-5)
    assert near.across == ("tea" in text and mean.argmax() == 1)
    together.close()


def test_an_empty_name_among_models_is_an_error():
    with pytest.raises(ParameterError, match="an empty name among the models"):
        Dense(embedding="hashed+")
