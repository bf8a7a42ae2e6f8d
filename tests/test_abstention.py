import datetime as dt
import math

import numpy as np
import pytest

import memlab
from memlab.abstention import DOUBTED, evidence
from memlab.pipeline import Trace
from memlab.retrievers.base import run_of
from memlab.retrievers.nearness import Nearness
from memlab.types import Query

FOREIGN = (
    "Which wrestling champion coached the opera singers of Uppsala?",
    "How tall is the volcano that erupted during the emperor's coronation?",
    "Did the goalkeeper sign for the Brazilian club before the earthquake?",
)
ANSWERED = (
    "What did the roofer do at the Castle?",
    "Invoice 2025-115: to whom and for how much?",
    "upstream.keepalive on the Svendborg gateway",
)


class Told:
    """An index that says what it is told of the question's words and meaning."""

    def __init__(self, there, near, idf=(2.0, 6.0, 2.0)):
        self.found = (["a", "b", "c"], np.array(idf), np.array(there, dtype=bool).reshape(-1, 3))
        self.near = near

    def covered(self, text, rows):
        assert (text, len(rows) <= 10) == ("question", True)
        return self.found

    def nearness(self, query):
        assert query.text == "question"
        return self.near


QUESTION = Query("question", dt.datetime(2025, 11, 30, tzinfo=dt.UTC))


def judged(there, *, depth=3, cosine=None, across=0.0, spec="dense"):
    run = run_of("lexical", [(row, 1.0) for row in range(depth)])
    near = {} if cosine is None else {spec: Nearness(cosine, across)}
    return evidence(Told(there, near), QUESTION, Trace(run, {}))


def test_the_words_of_the_best_hit_and_of_all_are_weighed_by_idf():
    """Of 10: the second fact has 2 + 2, both together 2 + 2; nobody has the six."""
    found = judged([[1, 0, 0], [1, 0, 1]])
    assert (found.best, found.together, found.weight) == (0.4, 0.4, 4.0)
    assert found.missing == ("b",)
    score = 0.4 + 0.12 * 4.0 + 0.5 * 0.4
    assert found.confidence == pytest.approx(1 / (1 + math.exp(-6 * (score - 1.25))), abs=1e-5)
    assert found.confidence < DOUBTED


def test_all_words_in_one_hit_are_an_answer():
    found = judged([[1, 1, 1]])
    assert (found.best, found.together, found.missing) == (1.0, 1.0, ())
    assert found.confidence > 0.9


def test_nothing_found_is_no_confidence():
    assert judged(np.zeros((0, 3)), depth=0).confidence == 0.0


def test_a_near_meaning_answers_where_words_do_not():
    far, near = judged([[1, 0, 0]], cosine=0.1), judged([[1, 0, 0]], cosine=0.2)
    assert far.confidence < DOUBTED < near.confidence
    assert (far.nearness, far.best) == (0.1, 0.2)
    least = 0.169 - 0.1 * 0.2  # the share of the words counts a little
    assert judged([[1, 0, 0]], cosine=least).confidence == pytest.approx(0.5)


def test_cosines_across_languages_are_lower_and_that_is_allowed_for():
    found = judged([[0, 0, 0]], cosine=0.1, across=0.5)
    assert found.nearness == pytest.approx(0.1 + 0.09 * 0.5)
    assert judged([[0, 0, 0]], cosine=0.1).confidence < found.confidence < DOUBTED
    assert judged([[0, 0, 0]], cosine=0.1, across=1.0).confidence > DOUBTED


def test_words_enough_answer_however_far_the_meaning():
    assert judged([[1, 1, 1]], cosine=-0.2).confidence > DOUBTED


def test_models_differ_in_scale_and_one_of_unknown_scale_tells_nothing():
    def by(model):
        return judged([[1, 0, 0]], cosine=0.165, spec=f"dense(embedding={model!r})").confidence

    assert by("minilm") < DOUBTED < by("e5-small+minilm") < by("e5-small")
    assert by("glove") == judged([[1, 0, 0]]).confidence


def test_vectors_taken_in_another_way_have_another_scale():
    found = judged([[1, 0, 0]], cosine=0.9, spec="dense(whiten=None)")
    assert (found.nearness, found.confidence < DOUBTED) == (None, True)
    found = judged([[1, 0, 0]], cosine=0.9, spec="dense(storage='int8')")
    assert (found.nearness, found.confidence > DOUBTED) == (0.9, True)


def test_an_index_that_knows_no_words_tells_nothing():
    assert evidence(object(), QUESTION, Trace(run_of("x", []), {})) is None


@pytest.mark.parametrize("question", FOREIGN)
def test_what_the_notes_do_not_speak_of_is_doubted_and_still_shown(indexed, question):
    found = indexed.recall(question)
    assert not found.answered
    assert found.confidence < DOUBTED
    assert len(found) > 0
    assert found.notes == (
        f"nothing in the notes answers this (confidence {found.confidence:.2f})",
    )
    assert found.to_dict()["answered"] is False


@pytest.mark.parametrize("question", FOREIGN)
def test_who_wants_no_doubted_hits_gets_none(indexed, question):
    found = indexed.recall(question, abstain=True)
    assert (len(found), found.answered) == (0, False)
    assert found.notes == indexed.recall(question).notes


@pytest.mark.parametrize("question", ANSWERED)
def test_what_they_speak_of_is_answered(indexed, question):
    found = indexed.recall(question, abstain=True)
    assert found.answered
    assert found.notes == ()
    assert found.hits == indexed.recall(question).hits


@pytest.mark.parametrize("question", [*FOREIGN, *ANSWERED])
def test_it_does_not_depend_on_how_much_is_asked_for(indexed, question):
    answers = [indexed.recall(question, **many) for many in ({}, {"k": 1}, {"max_tokens": 300})]
    assert len({found.confidence for found in answers}) == 1


def test_nothing_found_is_no_answer(pages):
    with memlab.open(pages({"memory/2025-11-27.md": "- tea\n"})) as opened:
        found = opened.recall("volcano")
        assert (len(found), found.answered, found.confidence) == (0, False, 0.0)
        assert opened.recall("tea").answered


def test_a_retriever_that_tells_nothing_is_believed(indexed):
    found = indexed.recall(FOREIGN[0], retriever="sqlite-fts5")
    assert (found.confidence, found.answered, found.notes) == (None, True, ())
