import numpy as np
import pytest

from memlab.embedding import forms


@pytest.fixture(scope="module")
def asked():
    """Vectors of 40 questions: a shared direction, a lesser one, noise."""
    chance = np.random.default_rng(3)
    made = 0.05 * chance.standard_normal((40, 24))
    made[:, 0] += 1
    made[:, 1] += chance.choice([-0.5, 0.5], 40)
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


def test_the_questions_are_many_and_none_stands_twice():
    assert len(forms.texts()) == len(set(forms.texts())) > 80
    assert all(text == text.strip() and len(text) > 5 for text in forms.texts())


def test_the_first_directions_are_what_the_questions_share(asked):
    found = forms.directions(asked)
    assert found.shape == (forms.MOST, 24)
    np.testing.assert_allclose(found @ found.T, np.eye(forms.MOST), atol=1e-5)
    assert abs(found[0, 0]) > 0.95
    assert abs(found[1, 1]) > 0.95


def test_a_question_loses_those_directions_and_keeps_its_length(asked):
    found = forms.directions(asked)[:2]
    vector = np.zeros(24, np.float32)
    vector[[0, 5]] = 0.8, 0.6
    bare = forms.without(vector, found)
    assert np.linalg.norm(bare) == pytest.approx(1, abs=1e-6)
    np.testing.assert_allclose(found @ bare, 0, atol=1e-6)
    assert bare[5] > 0.95


def test_a_question_of_nothing_but_a_form_stays(asked):
    found = forms.directions(asked)[:2]
    assert forms.without(found[0], found).tolist() == found[0].tolist()
    zero = np.zeros(24, np.float32)
    assert forms.without(zero, found).tolist() == zero.tolist()


@pytest.mark.parametrize("vectors", [np.zeros((5, 8)), np.zeros((0, 8)), np.eye(8)[:1]])
def test_a_model_that_knows_none_of_the_words_has_no_directions(vectors):
    found = forms.directions(vectors.astype(np.float32))
    assert found.shape == (int(vectors.any()), 8)
