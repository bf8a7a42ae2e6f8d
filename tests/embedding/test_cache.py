import multiprocessing
import sqlite3
import sys
import threading

import numpy as np
import pytest

from memlab.embedding.base import Card, complete
from memlab.embedding.cache import Cache, content_key
from memlab.errors import ParameterError, StoreError

CARD = complete(Card("one", "hashed", 4, query_prefix="q: "), "weights")
OTHER = complete(Card("two", "hashed", 4), "other weights")


@pytest.fixture
def cache(tmp_path):
    with Cache(tmp_path / "embeddings.sqlite") as opened:
        yield opened


def vectors(*texts, value=1.0, card=CARD):
    return {content_key(card, text, "passage"): np.full(4, value, np.float32) for text in texts}


def test_what_is_put_is_got(cache):
    cache.put(CARD, vectors("a", "b"))
    key = content_key(CARD, "a", "passage")
    found = cache.get(CARD, [key, content_key(CARD, "c", "passage")])
    assert list(found) == [key]
    assert found[key].tolist() == [1, 1, 1, 1]
    assert found[key].dtype == np.float32


def test_models_never_meet(cache):
    cache.put(CARD, vectors("a"))
    cache.put(OTHER, vectors("a", value=2.0, card=OTHER))
    key = content_key(CARD, "a", "passage")
    assert key == content_key(OTHER, "a", "passage")  # the same text, without a prefix
    assert cache.get(CARD, [key])[key][0] == 1
    assert cache.get(OTHER, [key])[key][0] == 2


def test_fingerprints_follow_everything_that_a_vector_depends_on():
    cards = [
        complete(Card("one", "f", 4), "w"),
        complete(Card("one", "f", 4), "v"),
        complete(Card("one", "f", 5), "w"),
        complete(Card("one", "f", 4, max_tokens=9), "w"),
        complete(Card("one", "f", 4, query_prefix="q: "), "w"),
        complete(Card("one", "f", 4, passage_prefix="q: "), "w"),
        complete(Card("one", "g", 4), "w"),
    ]
    assert len({card.fingerprint for card in cards}) == len(cards)
    assert (
        complete(Card("other name", "f", 4, licence="MIT"), "w").fingerprint == cards[0].fingerprint
    )


def test_a_query_and_a_passage_of_the_same_words_are_two_things():
    assert content_key(CARD, "a", "query") != content_key(CARD, "a", "passage")
    assert content_key(CARD, "a", "query") == content_key(CARD, "q: a", "passage")


def test_a_vector_of_another_dimension_is_refused_and_nothing_of_its_batch_is_kept(cache):
    batch = vectors("a") | {b"k": np.ones(5, np.float32)}
    with pytest.raises(StoreError, match="shape"):
        cache.put(CARD, batch)
    assert cache.get(CARD, list(batch)) == {}


def test_the_limit_is_kept_and_what_was_used_last_stays(cache, monkeypatch):
    day = 100
    monkeypatch.setattr("memlab.embedding.cache._today", lambda: day)
    card = complete(Card("wide", "hashed", 1000), "w")
    old = {bytes([0, n // 256, n % 256]): np.ones(1000, np.float32) for n in range(1500)}
    cache.put(card, old)
    day = 101
    new = {bytes([1, n // 256, n % 256]): np.ones(1000, np.float32) for n in range(200)}
    cache.put(card, new)
    used = list(old)[:50]
    cache.get(card, used)
    cache.limit = 4_000_000
    assert cache.trim() > 0
    assert cache.bytes <= 4_000_000
    assert len(cache.get(card, list(new))) == 200
    assert len(cache.get(card, used)) == 50
    assert cache.limit == 4_000_000
    assert cache.trim() == 0


def test_a_limit_below_one_byte_is_refused(cache):
    with pytest.raises(ParameterError, match="at least 1"):
        cache.limit = 0


def test_look_and_clear(cache):
    cache.put(CARD, vectors("a", "b"))
    cache.put(OTHER, vectors("a", card=OTHER))
    assert [(one.name, one.vectors, one.bytes) for one in cache.kept()] == [
        ("one", 2, 32),
        ("two", 1, 16),
    ]
    assert cache.clear("one") == 2
    assert [one.name for one in cache.kept()] == ["two"]
    assert cache.clear(OTHER.fingerprint[:8]) == 1
    assert cache.clear() == 0


def test_a_damaged_file_is_put_aside(tmp_path):
    file = tmp_path / "embeddings.sqlite"
    file.write_bytes(b"this is no database" * 100)
    with Cache(file) as cache:
        cache.put(CARD, vectors("a"))
        assert len(cache.get(CARD, list(vectors("a")))) == 1
    assert file.with_name("embeddings.sqlite.damaged").exists()


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    with pytest.raises(StoreError, match="cannot be opened"):
        Cache(tmp_path / "missing" / "embeddings.sqlite")


def test_many_threads_share_one(cache):
    def work(number):
        for step in range(20):
            cache.put(CARD, vectors(f"{number}-{step}", value=number))
            cache.get(CARD, list(vectors(f"{number}-{step}")))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert cache.kept()[0].vectors == 80


def _fill(file, number):
    with Cache(file) as cache:
        for step in range(30):
            cache.put(CARD, vectors(f"{number}-{step}", "shared", value=number))


def test_several_processes_write_at_once(tmp_path):
    file = tmp_path / "embeddings.sqlite"
    context = multiprocessing.get_context("spawn" if sys.platform == "win32" else "fork")
    workers = [context.Process(target=_fill, args=(file, n)) for n in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    with Cache(file) as cache:
        assert cache.kept()[0].vectors == 91  # 3 * 30 of their own, and one that all share
    with sqlite3.connect(file) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
