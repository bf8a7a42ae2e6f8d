"""Whitening: what it does to a corpus, exactly where that is known."""

import numpy as np
import pytest

from memlab.embedding.whitening import Whitening, check
from memlab.errors import ParameterError


@pytest.fixture
def crowded():
    """Unit vectors in a narrow cone that is longer one way than the other."""
    rng = np.random.default_rng(7)
    vectors = rng.normal([5, 0, 0, 0], [0.1, 1, 0.3, 0.3], (4000, 4))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def spread(vectors):
    return np.linalg.eigvalsh(np.cov(vectors.T.astype(float)))


def test_whitened_vectors_are_of_unit_length_about_nothing(crowded):
    white = Whitening.fit(crowded, 0.25)(crowded)
    np.testing.assert_allclose(np.linalg.norm(white, axis=1), 1, atol=1e-6)
    assert np.abs(crowded.mean(0)).max() > 0.9
    assert np.abs(white.mean(0)).max() < 0.2


def test_the_stronger_the_rounder(crowded):
    ratio = [
        (found := spread(Whitening.fit(crowded, strength)(crowded)))[-1] / found[-3]
        for strength in (0, 0.25, 1)
    ]
    assert ratio[0] > ratio[1] > ratio[2]


def test_an_unknown_question_stays_nothing(crowded):
    assert not Whitening.fit(crowded, 0.25)(np.zeros((1, 4), np.float32)).any()


@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_few_facts_change_little(crowded, count):
    few = crowded[:count]
    cosines = few @ few.T
    white = Whitening.fit(few, 0.25)(few)
    assert np.isfinite(white).all()
    assert ((white @ white.T) > 0).all() or count == 2
    np.testing.assert_allclose(np.diag(white @ white.T), np.diag(cosines), atol=1e-5)


def test_it_is_read_as_it_was_written(crowded, tmp_path):
    made = Whitening.fit(crowded, 0.5)
    made.save(tmp_path)
    assert (Whitening.load(tmp_path)(crowded) == made(crowded)).all()


@pytest.mark.parametrize("strength", [-0.1, 1.1])
def test_a_strength_lies_in_0_to_1(strength):
    with pytest.raises(ParameterError):
        check(strength)
