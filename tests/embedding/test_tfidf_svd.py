import numpy as np
import pytest

import memlab
from memlab.embedding.base import ModelError
from memlab.errors import ParameterError

pytest.importorskip("sklearn", reason="needs extra 'embeddings'")

TEXTS = [
    "the kiln was fired and the bowls cooled over night",
    "bowls from the kiln were sold at the market",
    "the radio range test failed in the fog",
    "fog delayed the radio test again",
    "မီးဖိုကို ပြင်ပြီးပြီ",
]


def test_related_texts_lie_near_each_other():
    encoder = memlab.embedding("tfidf-svd(dimension=3)").fit(TEXTS)
    (asked,) = encoder.encode(["pottery kiln"], role="query")
    scores = encoder.encode(TEXTS) @ asked
    assert set(scores.argsort()[-2:].tolist()) == {0, 1}
    assert encoder.card.dimension == 3
    assert not encoder.cacheable


def test_it_agrees_with_scikit_learns_own_transform():
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    from memlab import tokens

    vectorizer = TfidfVectorizer(analyzer=tokens.tokens, sublinear_tf=True, dtype=np.float32)
    matrix = vectorizer.fit_transform(TEXTS)
    own = TruncatedSVD(3, random_state=0).fit(matrix).transform(matrix)
    own /= np.linalg.norm(own, axis=1, keepdims=True)
    found = memlab.embedding("tfidf-svd(dimension=3)").fit(TEXTS).encode(TEXTS)
    assert np.allclose(found, own, atol=1e-4)


def test_the_same_texts_the_same_model():
    one = memlab.embedding("tfidf-svd").fit(TEXTS)
    two = memlab.embedding("tfidf-svd").fit(TEXTS)
    assert one.card.fingerprint == two.card.fingerprint
    assert one.card.fingerprint != memlab.embedding("tfidf-svd").fit(TEXTS[:3]).card.fingerprint


def test_what_was_kept_is_the_same_model(tmp_path):
    model = memlab.embedding("tfidf-svd")
    fitted = model.fit(TEXTS)
    fitted.save(tmp_path)
    restored = model.restore(tmp_path)
    assert restored.card == fitted.card
    assert (restored.encode(TEXTS) == fitted.encode(TEXTS)).all()
    (tmp_path / "tfidf-svd.npz").write_bytes(b"damaged")
    with pytest.raises(ModelError, match="cannot be read"):
        model.restore(tmp_path)


@pytest.mark.parametrize("texts", [[], [""], ["one"], ["one two"], ["same", "same"], ["…", "!"]])
def test_few_or_no_words(texts):
    encoder = memlab.embedding("tfidf-svd").fit(texts)
    found = encoder.encode([*texts, "unknown words"])
    assert found.shape == (len(texts) + 1, encoder.card.dimension)
    assert np.isfinite(found).all()
    assert not found[-1].any()


def test_it_is_fitted_not_loaded():
    with pytest.raises(ParameterError, match=r"Call fit\(texts\) first"):
        memlab.embedding("tfidf-svd").encode(["a"])
    with pytest.raises(ParameterError, match="dimension must be at least 1"):
        memlab.embedding("tfidf-svd(dimension=0)")


def test_it_serves_recall(harbour):
    with memlab.open(harbour, now="2025-11-30") as workspace:
        spec = "dense(embedding='tfidf-svd')"
        first = workspace.recall("radio range in fog", retriever=spec, k=5)
        assert "fog" in " ".join(hit.fact.content.lower() for hit in first.hits)
    with memlab.open(harbour, now="2025-11-30") as workspace:  # restored, not fitted again
        again = workspace.recall("radio range in fog", retriever=spec, k=5)
    assert [hit.fact.id for hit in again.hits] == [hit.fact.id for hit in first.hits]
