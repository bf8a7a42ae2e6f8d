"""A local cross-encoder: a tiny one, made here, with weights drawn by a fixed seed."""

import datetime as dt

import numpy as np
import pytest

import memlab
from memlab.embedding.base import ModelError
from memlab.rerank.cross_encoder import CrossEncoder
from memlab.types import Query, Run

WORDS = "who drinks tea coffee peter anna milk".split()


@pytest.fixture(scope="module")
def folder(tmp_path_factory, tiny_bert):
    folder = tmp_path_factory.mktemp("cross-encoder")
    tiny_bert(folder, WORDS, num_labels=1)
    return folder


@pytest.fixture
def corpus(pages):
    lines = "- peter drinks tea\n- anna drinks coffee\n- milk\n- anna\n"
    with memlab.open(pages({"memory/2025-11-27.md": lines}), now="2025-11-30") as opened:
        yield opened.corpus()


def by_hand(folder, question, fact):
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    with torch.no_grad():
        return float(torch.sigmoid(model(**tokenizer(question, fact, return_tensors="pt")).logits))


def reranked(corpus, rows, **parameters):
    query = Query("who drinks tea", dt.datetime(2025, 11, 30, tzinfo=dt.UTC))
    run = Run("test", np.array(rows), 1.0 - 0.1 * np.arange(len(rows)))
    return CrossEncoder(**parameters).rerank(corpus, query, run).tolist()


def test_scores_are_those_of_the_model_for_question_and_fact(folder, corpus):
    facts = [fact.content for fact in corpus.facts([2, 0, 1, 3])]
    expected = [by_hand(folder, "who drinks tea", fact) for fact in facts]
    assert reranked(corpus, [2, 0, 1, 3], path=str(folder)) == pytest.approx(expected, abs=1e-5)
    assert len(set(expected)) == 4


def test_facts_below_the_depth_follow_in_their_order(folder, corpus):
    scores = reranked(corpus, [2, 0, 1, 3], path=str(folder), depth=2)
    assert scores[:2] == pytest.approx(reranked(corpus, [2, 0], path=str(folder)), abs=1e-6)
    assert min(scores[:2]) > scores[2] > scores[3]


def test_of_no_facts_nothing_is_read(tmp_path, corpus):
    assert reranked(corpus, [], path=str(tmp_path)) == []


def test_a_folder_without_a_model_says_so(folder, tmp_path, corpus):  # noqa: ARG001  # skips too
    with pytest.raises(ModelError, match="cannot be loaded"):
        reranked(corpus, [0], path=str(tmp_path))
