"""Pipelines: their specs, and what they do to runs."""

import numpy as np
import pytest

import memlab
from memlab import pipeline
from memlab.errors import MemlabError, ParameterError, UnknownNameError
from memlab.registry import PipelineSpec
from memlab.types import Query


@pytest.fixture
def workspace(tmp_path):
    log = tmp_path / "memory" / "2025-11-27.md"
    log.parent.mkdir()
    log.write_text("# Day\n\n- Tea with Alice at the harbour\n- Tea alone\n- Coffee with Alice\n")
    (log.parent / "2025-11-20.md").write_text("# Day\n\n- Tea with Alice at the harbour again\n")
    with memlab.open(tmp_path, now="2025-11-28") as opened:
        yield opened


def contents(workspace, retriever, query="tea Alice"):
    return [hit.fact.content for hit in workspace.recall(query, retriever=retriever)]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("lexical", "lexical"),
        (" lexical ( k1 = 1.2 ) ", "lexical(k1=1.2)"),
        ("lexical+0.50 * tantivy", "lexical + 0.5*tantivy"),
        (".5*lexical + 1*bm25s|rrf( k=10 )|mmr", "0.5*lexical + bm25s | rrf(k=10) | mmr"),
        ("dense(embedding='st:/a+b|c)')", "dense(embedding='st:/a+b|c)')"),
    ],
)
def test_a_spec_is_read_and_prints_back(text, canonical):
    assert str(PipelineSpec.parse(text)) == canonical
    assert PipelineSpec.parse(canonical) == PipelineSpec.parse(text)


@pytest.mark.parametrize("text", ["", "lexical +", "| mmr", "lexical + lexical", "2*", "a b"])
def test_what_is_no_spec_is_an_error(text):
    with pytest.raises(ParameterError):
        PipelineSpec.parse(text)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("lexicall", "lexical"),
        ("lexical | borda", "weighted"),
        ("lexical | mmr(trad=1)", "trade"),
        ("lexical | mmr | rrf", "decay"),
    ],
)
def test_an_unknown_name_lists_the_known_ones(text, named):
    with pytest.raises(UnknownNameError, match=named):
        pipeline.make(text)


def test_one_retriever_alone_is_left_as_it_is(workspace):
    corpus = workspace.corpus()
    query = Query("tea Alice", workspace.now())
    alone = memlab.registry.make("retriever", "lexical").index(corpus).search(query, depth=3)
    piped = pipeline.make("lexical").index(corpus).search(query, depth=3)
    assert piped.rows.tolist() == alone.rows.tolist()
    assert piped.scores.tolist() == alone.scores.tolist()
    assert piped.retriever == "lexical"


def test_a_hit_keeps_each_retrievers_rank_and_score(workspace):
    hits = workspace.recall("tea Alice", retriever="lexical + sqlite-fts5 | rrf")
    alone = {
        hit.fact.id: (hit.rank, hit.score)
        for hit in workspace.recall("tea Alice", retriever="lexical")
    }
    assert all(set(hit.trace) == {"lexical", "sqlite-fts5"} for hit in hits)
    assert {hit.fact.id: hit.trace["lexical"] for hit in hits} == alone


def test_a_weight_of_nothing_leaves_the_order_to_the_other(workspace):
    assert contents(workspace, "lexical + 0*sqlite-fts5") == contents(workspace, "lexical")


def test_decay_puts_the_newer_first(workspace):
    plain = contents(workspace, "lexical", "harbour")
    decayed = contents(workspace, "lexical | decay(half_life=1, share=1)", "harbour")
    assert sorted(plain) == sorted(decayed)
    assert decayed[0] == "Tea with Alice at the harbour"


def test_mmr_puts_what_was_said_already_later(workspace):
    plain = contents(workspace, "lexical", "tea Alice harbour")
    varied = contents(workspace, "lexical | mmr(trade=0.3)", "tea Alice harbour")
    assert plain[0] == varied[0]
    assert {plain[0], plain[1]} == {
        "Tea with Alice at the harbour",
        "Tea with Alice at the harbour again",
    }
    assert varied[1] not in plain[:2]


def test_mmr_of_relevance_alone_changes_no_order(workspace):
    assert contents(workspace, "lexical | mmr(trade=1, depth=2)") == contents(workspace, "lexical")


def test_rerankers_give_falling_scores(workspace):
    hits = workspace.recall("tea Alice", retriever="lexical | mmr(depth=2) | decay")
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    "text",
    ["lexical | decay(half_life=0)", "lexical | decay(share=2)", "lexical | mmr(trade=2)",
     "lexical | mmr(depth=0)", "lexical | cross-encoder(path='/nowhere')"],
)  # fmt: skip
def test_a_parameter_that_means_nothing_is_refused(text):
    with pytest.raises(MemlabError):
        pipeline.make(text)


def test_fusion_looks_as_deep_as_is_wanted(workspace):
    index = pipeline.make("lexical + sqlite-fts5 | weighted(depth=1)").index(workspace.corpus())
    run = index.search(Query("tea Alice", workspace.now()), depth=4)
    assert len(run) == 4
    assert np.all(np.diff(run.scores) <= 0)


def test_meaning_counts_more_where_words_find_little(pages):
    pytest.importorskip("sklearn", reason="needs extra 'embeddings'")
    notes = pages(
        {"memory/2025-11-27.md": "- tea with Alice\n- the boat leaks\n- coffee at noon\n"}
    )
    spec = "lexical(context=False) + 0.5*dense(embedding='tfidf-svd') | weighted(lift={})"
    with memlab.open(notes, now="2025-11-28") as workspace:
        corpus = workspace.corpus()

        def scored(text, lift):
            index = pipeline.make(spec.format(lift)).index(corpus)
            return pipeline.trace(corpus, index, Query(text, workspace.now()), depth=3)

        flat, lifted = scored("tea unheard", 0.0), scored("tea unheard", 1.0)
        whole, dated = scored("boat leaks", 1.0), scored("boat leaks on Nov 27", 1.0)
    assert flat.run.scores[0] == pytest.approx(1.5)  # the best by words and by meaning
    times = (lifted.run.scores[0] - 1.0) / 0.5
    told = lifted.read()["meaning"]
    assert told.startswith(f"counts {times:.2f} times, since words cover ")
    assert times > 2  # a word that no fact has is the rarest of all
    assert flat.read() == {}
    assert whole.read()["meaning"] == "counts 1.00 times, since words cover 100% of the question"
    assert dated.read()["meaning"] == whole.read()["meaning"]  # a day is met by a day


def test_a_retriever_that_guesses_counts_less(pages):
    notes = pages(
        {"memory/2025-11-20.md": "- the move took all day\n", "memory/2025-11-27.md": "- tea\n"}
    )
    with memlab.open(notes, now="2025-11-28") as workspace:
        corpus = workspace.corpus()
        index = pipeline.make("lexical + 0.5*temporal(guess=0.2) | weighted").index(corpus)

        def traced(text):
            return pipeline.trace(corpus, index, Query(text, workspace.now()), depth=3)

        guessed, told = traced("tea after the move"), traced("tea on Nov 27")
    tea = [fact.content for fact in corpus.facts(guessed.run.rows)].index("tea")
    assert guessed.run.scores[tea] == pytest.approx(1.0 + 0.2 * 0.5)
    assert guessed.read()["temporal"] == "counts 0.20 times, since it guesses"
    assert told.run.scores[0] == pytest.approx(1.0 + 0.5)
    assert "temporal" not in told.read()
