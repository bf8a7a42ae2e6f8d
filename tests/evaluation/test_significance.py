"""Intervals and tests, against arithmetic and scipy."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.evaluation.significance import holm, intervals, paired_p

pytest.importorskip("scipy", reason="needs extra 'eval'")


def test_holm_steps_down():
    """Smallest of three times 3, the next times 2, the last times 1, never falling."""
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])


def test_holm_leaves_out_what_was_not_tested():
    assert holm([math.nan, 0.02]) == pytest.approx([math.nan, 0.02], nan_ok=True)


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_only_raises_and_keeps_the_order(p_values):
    corrected = holm(p_values)
    assert all(p <= c <= 1 for p, c in zip(p_values, corrected, strict=True))
    order = np.argsort(p_values, kind="stable")
    assert list(np.array(corrected)[order]) == sorted(corrected)


def test_the_test_is_exact_for_few_questions():
    """All four questions better: 2 of the 16 ways to flip the signs are as far from zero."""
    ours = np.array([[0.5], [0.6], [0.7], [0.9]])
    assert paired_p(ours, np.zeros((4, 1))) == pytest.approx([2 / 16])


def test_no_difference_is_no_evidence():
    same = np.array([[0.5], [0.25]])
    assert paired_p(same, same).tolist() == [1.0]
    assert np.isnan(paired_p(same[:1], same[:1])).all()


def test_an_interval_holds_the_mean_and_narrows_with_more_questions():
    draw = np.random.default_rng(1).random
    wide, narrow = (intervals(draw((n, 1)), ["w"] * n)[0] for n in (30, 3000))
    assert narrow[0] < 0.5 < narrow[1]
    assert wide[1] - wide[0] > 5 * (narrow[1] - narrow[0])


def test_an_interval_agrees_with_scipys_bootstrap():
    from scipy import stats

    values = np.random.default_rng(3).random(200)
    theirs = stats.bootstrap(
        (values,), np.mean, method="percentile", n_resamples=9999, rng=np.random.default_rng(0)
    ).confidence_interval
    ours = intervals(values[:, None], ["w"] * 200, resamples=9999)[0]
    assert ours == pytest.approx([theirs.low, theirs.high], abs=0.005)


def test_conversations_are_drawn_whole():
    """Two conversations, all right and all wrong: a mean is 0, 1/2 or 1, however many questions."""
    values = np.array([[1.0]] * 50 + [[0.0]] * 50)
    assert intervals(values, ["a"] * 50 + ["b"] * 50)[0].tolist() == [0.0, 1.0]


def test_no_question_no_interval():
    assert np.isnan(intervals(np.empty((0, 2)), [])).all()
