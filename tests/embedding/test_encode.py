import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from memlab.embedding.base import ModelError
from memlab.embedding.cache import Cache
from memlab.embedding.encode import encode, watched


@pytest.fixture
def cache(tmp_path):
    with Cache(tmp_path / "embeddings.sqlite") as opened:
        yield opened


def test_vectors_come_in_the_order_of_the_texts_each_encoded_once(hashed):
    encoder = hashed.load()
    texts = ["a cat", "two dogs and a cat", "a cat", "dog"]
    found = encode(encoder, texts)
    assert found.shape == (4, 16)
    assert (found[0] == found[2]).all()
    assert encoder.batches == [["two dogs and a cat", "a cat", "dog"]]  # the longest first
    assert np.allclose(np.linalg.norm(found, axis=1), 1)


def test_only_new_texts_are_encoded(hashed, cache):
    first, second = hashed.load(), hashed.load()
    one = encode(first, ["alpha", "beta", "gamma"], cache=cache)
    two = encode(second, ["beta", "delta", "alpha"], cache=cache)
    assert second.batches == [["delta"]]
    assert (two[0] == one[1]).all()
    assert (two[2] == one[0]).all()


def test_no_texts_no_vectors(hashed, cache):
    assert encode(hashed.load(), [], cache=cache).shape == (0, 16)


def test_progress_says_rate_and_time_left(hashed):
    seen = []
    with watched(lambda *state: seen.append(state)):
        encode(hashed.load(), [f"text {n}" for n in range(10)])
    assert [(done, total) for _, done, total in seen] == [(4, 10), (8, 10), (10, 10)]
    assert all("/s, " in verb and verb.endswith(" left") for verb, _, _ in seen)
    assert seen[-1][0].endswith("0:00 left")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (np.ones((2, 5)), "vectors of 5 numbers, not of 16"),
        (np.ones((3, 16)), "for 2 texts"),
        (np.full((2, 16), np.nan), "not finite"),
    ],
)
def test_what_no_model_may_answer_is_refused(hashed, cache, monkeypatch, answer, message):
    encoder = hashed.load()
    monkeypatch.setattr(encoder, "encode", lambda *_, **__: answer)
    with pytest.raises(ModelError, match=message):
        encode(encoder, ["a", "b"], cache=cache)
    assert cache.kept()[0].vectors == 0


def test_an_interrupt_loses_the_running_batch_alone(hashed, cache, monkeypatch):
    encoder = hashed.load()
    whole, count = encoder.encode, 0

    def interrupted(texts, *, role):
        nonlocal count
        count += 1
        if count == 3:
            raise KeyboardInterrupt
        return whole(texts, role=role)

    monkeypatch.setattr(encoder, "encode", interrupted)
    with pytest.raises(KeyboardInterrupt):
        encode(encoder, [f"text {n}" for n in range(20)], cache=cache)
    assert cache.kept()[0].vectors == 2 * encoder.batch


KILLED = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from conftest import Hashed
from memlab.embedding.cache import Cache
from memlab.embedding.encode import encode

encoder = Hashed().load()
whole = encoder.encode

def slow(texts, *, role):
    print(len(encoder.batches), flush=True)  # this batch is running now, all before it are done
    time.sleep(0.05)
    return whole(texts, role=role)

encoder.encode = slow
with Cache(Path(sys.argv[2])) as cache:
    encode(encoder, [f"text number {n}" for n in range(400)], cache=cache)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
@pytest.mark.parametrize("after", [1, 6])
def test_a_killed_run_loses_at_most_one_batch_and_corrupts_nothing(hashed, tmp_path, after):
    file = tmp_path / "embeddings.sqlite"
    here = str(Path(__file__).parent)
    command = [sys.executable, "-c", KILLED, here, str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        begun = 0
        for line in process.stdout:
            begun = int(line)
            if begun == after:
                time.sleep(0.02)
                os.kill(process.pid, signal.SIGKILL)
                break
        process.wait()
    assert process.returncode == -signal.SIGKILL
    connection = sqlite3.connect(file)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    with Cache(file) as cache:
        kept = cache.kept()[0].vectors
        assert kept >= begun * 4  # the batches that were done; at most the running one is lost
        encoder = hashed.load()
        texts = [f"text number {n}" for n in range(400)]
        found = encode(encoder, texts, cache=cache)
        assert sum(map(len, encoder.batches)) == 400 - kept
    assert (found == encode(hashed.load(), texts)).all()


def test_cards_are_plain_values(hashed):
    from memlab.embedding.encode import as_dict

    assert json.loads(json.dumps(as_dict(hashed.card)))["dimension"] == 16
