"""Measures, against pytrec_eval and against arithmetic."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.errors import UnknownNameError
from memlab.evaluation.measures import evaluate, parse

pytrec_eval = pytest.importorskip("pytrec_eval", reason="needs extra 'eval'")

NAMES = {
    "recall@5": "recall_5", "recall@10": "recall_10", "MRR": "recip_rank", "nDCG@10": "ndcg_cut_10",
    "hit@5": "success_5", "precision@5": "P_5", "MAP": "map",
}  # fmt: skip
facts = st.sampled_from([f"f-{number}" for number in range(30)])
questions = st.sampled_from(["q1", "q2", "q3"])


def one(name, grades, ranked, bundles=None):
    found = evaluate([parse(name)], {"q": grades}, {"q": ranked}, bundles or {})
    return found.loc["q", name]


@given(
    st.dictionaries(questions, st.dictionaries(facts, st.integers(0, 3), min_size=1), min_size=1),
    st.dictionaries(questions, st.lists(facts, unique=True, min_size=1)),
)
def test_measures_agree_with_pytrec_eval(qrels, ranked):
    ours = evaluate([parse(name) for name in NAMES], qrels, ranked, {})
    run = {q: {f: float(-rank) for rank, f in enumerate(found)} for q, found in ranked.items()}
    evaluator = pytrec_eval.RelevanceEvaluator(
        qrels, {"recall", "recip_rank", "ndcg_cut", "success", "P", "map"}
    )
    theirs = evaluator.evaluate(run)
    assert list(ours.index) == [q for q, grades in qrels.items() if max(grades.values()) > 0]
    for question in ours.index:
        for name, key in NAMES.items():
            expected = theirs.get(question, {}).get(key, 0.0)
            assert ours.loc[question, name] == pytest.approx(expected, abs=1e-9)


def test_recall_counts_answers_among_the_first():
    assert one("recall@2", {"a": 1, "b": 1, "c": 0}, ["a", "x", "b"]) == pytest.approx(1 / 2)


def test_mrr_is_the_inverse_of_the_first_answers_rank():
    assert one("MRR@10", {"b": 1}, ["x", "y", "b"]) == pytest.approx(1 / 3)
    assert one("MRR@2", {"b": 1}, ["x", "y", "b"]) == 0


def test_ndcg_discounts_by_the_logarithm_of_the_rank():
    gain = 2 / math.log2(3) + 1 / math.log2(4)
    ideal = 2 / math.log2(2) + 1 / math.log2(3)
    assert one("nDCG@10", {"a": 2, "b": 1}, ["x", "a", "b"]) == pytest.approx(gain / ideal)


def test_a_bundle_has_no_ranks():
    assert one("recall@500tok", {"a": 1, "b": 1}, [], {500: {"q": ["x", "b"]}}) == pytest.approx(
        1 / 2
    )


def test_unjudged_is_the_share_that_nobody_looked_at():
    assert one("unjudged@4", {"a": 1, "b": 0}, ["a", "b", "x", "y"]) == pytest.approx(2 / 4)
    assert one("unjudged@4", {"a": 1}, ["x"]) == 1


def test_nothing_found_is_zero_and_no_answer_is_left_out():
    found = evaluate([parse("recall@10")], {"q1": {"a": 1}, "q2": {"a": 0}}, {}, {})
    assert found["recall@10"].to_dict() == {"q1": 0.0}


@pytest.mark.parametrize("name", ["recal@10", "precision@100tok", "recall@x", "", "nDCG@"])
def test_an_unknown_measure_names_those_that_are(name):
    with pytest.raises(UnknownNameError, match="recall@"):
        parse(name)
