"""Nearness of pairs, against its formulas written out."""

import numpy as np
import pytest

from memlab.opinions.kernels import Nearness

ROWS = np.array([[0, 0], [0, 1], [1, 2], [1, 0]], np.int32)


def unit(count, seed):
    vectors = np.random.default_rng(seed).normal(size=(count, 8))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float16)


def near(content, difference):
    return Nearness(unit(2, 1), unit(3, 2), ROWS, content, difference)


def mean_square(x):
    return np.mean([np.sum((one - other) ** 2) for one in x for other in x])


def test_content_multiplies_nearness_of_statements_and_of_evidence():
    u, v = unit(2, 1).astype(float)[ROWS[:, 0]], unit(3, 2).astype(float)[ROWS[:, 1]]
    a, b = mean_square(u), mean_square(v)
    found = near(3.0, 0.0).between()
    for i in range(4):
        for j in range(4):
            far = np.sum((u[i] - u[j]) ** 2) / (2 * a) + np.sum((v[i] - v[j]) ** 2) / b
            assert found[i, j] == pytest.approx(3 * np.exp(-2 * far), rel=1e-4)


def test_difference_goes_by_how_the_texts_of_a_pair_differ():
    u, v = unit(2, 1).astype(float)[ROWS[:, 0]], unit(3, 2).astype(float)[ROWS[:, 1]]
    z = np.hstack([np.abs(u - v), 5 * u * v])
    found = near(0.0, 2.0).between()
    assert found[0, 2] == pytest.approx(
        2 * np.exp(-np.sum((z[0] - z[2]) ** 2) / mean_square(z)), rel=1e-4
    )
    assert np.diag(found) == pytest.approx(2)


@pytest.mark.parametrize("weights", [(1.0, 0.0), (0.0, 1.0), (0.5, 2.0)])
def test_one_pair_is_as_near_as_among_all(weights):
    ground = near(*weights)
    u, v = unit(2, 1).astype(np.float32), unit(3, 2).astype(np.float32)
    for place, (first, second) in enumerate(ROWS):
        assert ground.to(u[first], v[second]) == pytest.approx(ground.between()[place], abs=1e-5)


def test_texts_that_are_all_alike_are_near():
    same = np.ones((1, 8), np.float16)
    ground = Nearness(same, same, np.zeros((3, 2), np.int32), 1.0, 1.0)
    assert ground.between() == pytest.approx(2)
