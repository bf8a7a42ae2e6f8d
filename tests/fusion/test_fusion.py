"""Fusions: exact values on small runs, and what must hold for any."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab import registry
from memlab.errors import MemlabError
from memlab.fusion.base import Fusion
from memlab.types import Run


def run(*pairs):
    return Run("x", np.array([r for r, _ in pairs]), np.array([s for _, s in pairs], float))


A = run((7, 4.0), (3, 2.0), (9, 1.0))
B = run((3, 0.8), (5, 0.4))
EMPTY = run()


def fused(spec, *runs, weights=(1, 1)):
    rows, scores = registry.make("fusion", spec).fuse(runs, weights)
    return dict(zip(rows.tolist(), scores.tolist(), strict=True))


def test_rrf_adds_reciprocal_ranks():
    assert fused("rrf", A, B) == pytest.approx(
        {7: 1 / 61, 3: 1 / 62 + 1 / 61, 9: 1 / 63, 5: 1 / 62}
    )
    assert fused("rrf(k=0)", A, B, weights=(1, 3))[3] == pytest.approx(1 / 2 + 3)


def test_weighted_divides_by_the_best():
    assert fused("weighted", A, B, weights=(1, 0.5)) == pytest.approx(
        {7: 1, 3: 0.5 + 0.5, 9: 0.25, 5: 0.25}
    )


def test_weighted_counts_a_negative_score_as_none():
    assert fused("weighted", run((1, 0.5), (2, -0.5)), EMPTY) == {1: 1, 2: 0}
    assert fused("weighted", run((2, -0.5)), EMPTY) == {2: 0}


def test_convex_brings_the_least_to_nothing_and_weights_to_one():
    assert fused("convex", A, B, weights=(3, 1)) == pytest.approx(
        {7: 0.75, 3: 0.75 / 3 + 0.25, 9: 0, 5: 0}
    )


def test_convex_theoretical_has_zero_for_the_least():
    assert fused("convex(norm='theoretical')", A, B)[9] == pytest.approx(0.125)


def test_convex_z_spans_three_deviations():
    scores = fused("convex(norm='z')", run((1, 3.0), (2, 1.0)), EMPTY, weights=(1, 0))
    assert scores == pytest.approx({1: 0.5 + 1 / 6, 2: 0.5 - 1 / 6})


def test_convex_of_equals_is_one():
    assert fused("convex", run((1, 2.0), (2, 2.0)), EMPTY, weights=(1, 0)) == {1: 1, 2: 1}


@pytest.mark.parametrize("name", registry.names("fusion"))
def test_every_fusion_keeps_the_protocol_and_nothing_of_nothing(name):
    fusion = registry.make("fusion", name)
    assert isinstance(fusion, Fusion)
    rows, scores = fusion.fuse([EMPTY, EMPTY], (1, 1))
    assert len(rows) == len(scores) == 0


RUNS = st.dictionaries(st.integers(0, 30), st.floats(0, 9), max_size=8).map(
    lambda found: run(*sorted(found.items(), key=lambda pair: -pair[1]))
)


@pytest.mark.parametrize("name", registry.names("fusion"))
@given(runs=st.lists(RUNS, min_size=1, max_size=3), data=st.data())
def test_every_fusion_has_each_row_once_whatever_the_order_of_runs(name, runs, data):
    weights = [data.draw(st.floats(0, 2)) for _ in runs]
    fusion = registry.make("fusion", name)
    rows, scores = fusion.fuse(runs, weights)
    assert rows.tolist() == sorted({row for one in runs for row in one.rows.tolist()})
    assert np.isfinite(scores).all()
    again, other = fusion.fuse(runs[::-1], weights[::-1])
    assert again.tolist() == rows.tolist()
    np.testing.assert_allclose(other, scores, atol=1e-9)


@pytest.mark.parametrize(
    "spec", ["rrf(k=-1)", "rrf(depth=0)", "convex(norm='max')", "weighted(depth=0)", "borda"]
)
def test_what_means_nothing_is_refused(spec):
    with pytest.raises(MemlabError):
        registry.make("fusion", spec)
