"""Against a real HTTP server on loopback that speaks Ollama's protocol, well and badly."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

import memlab
from memlab.embedding.base import ModelError
from memlab.errors import MissingExtraError, ParameterError

pytest.importorskip("ollama", reason="needs extra 'ollama'")

DIGEST = "0a109f422b47e3a30ba2b10eca18548e944e8a23073ee3f3e947efcf3c45e59f"


class Server(ThreadingHTTPServer):
    """What it answers with is set by the test."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.models = {"nomic-embed-text:latest": DIGEST}
        self.dimension = 6
        self.delay = 0.0
        self.status = 200
        self.spoil = lambda vectors: vectors
        self.asked = []

    @property
    def host(self):
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        models = [
            {"model": name, "digest": d, "size": 99} for name, d in self.server.models.items()
        ]
        self.answer({"models": models})

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked["input"])
        if self.server.status != 200:
            self.answer({"error": "llama runner has terminated"}, self.server.status)
            return
        time.sleep(self.server.delay)
        vectors = [
            [
                float(len(text)),
                *[float(ord(text[0]) % 7 + n) for n in range(self.server.dimension - 1)],
            ]
            for text in asked["input"]
        ]
        self.answer({"model": asked["model"], "embeddings": self.server.spoil(vectors)})

    def answer(self, value, status=200):
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client has given up, as some tests want it to


@pytest.fixture
def server():
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def model(server, **parameters):
    given = "".join(f", {name}={value!r}" for name, value in parameters.items())
    return memlab.embedding(f"ollama:nomic-embed-text(host={server.host!r}{given})")


def test_vectors_in_batches_of_unit_length(server):
    encoder = model(server, batch=2, query_prefix="search_query: ").load()
    server.asked.clear()
    found = encoder.encode(["a", "bb", "ccc"])
    assert server.asked == [["a", "bb"], ["ccc"]]
    assert found.shape == (3, 6)
    assert np.allclose(np.linalg.norm(found, axis=1), 1)
    encoder.encode(["x"], role="query")
    assert server.asked[-1] == ["search_query: x"]
    assert encoder.encode([]).shape == (0, 6)


def test_the_card_is_the_servers(server):
    card = model(server).card
    assert (card.name, card.dimension, card.bytes) == ("ollama:nomic-embed-text", 6, 99)
    server.models["nomic-embed-text:latest"] = "another digest"
    assert model(server).card.fingerprint != card.fingerprint


def test_a_proxy_is_not_asked(server, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert model(server).card.dimension == 6


def test_no_server_says_how_to_start_one():
    with pytest.raises(ModelError, match=r"no Ollama server answers\. Start it: ollama serve"):
        memlab.embedding("ollama:nomic-embed-text(host='http://127.0.0.1:9')").load()


def test_a_missing_model_says_how_to_get_it_and_what_there_is(server):
    server.models = {"mxbai-embed-large:latest": "d"}
    with pytest.raises(ModelError, match=r"mxbai-embed-large.*ollama pull nomic-embed-text"):
        model(server).load()


def test_a_slow_answer_ends_in_time(server):
    encoder = model(server, timeout=0.3).load()
    server.delay = 5.0
    start = time.monotonic()
    with pytest.raises(ModelError, match=r"did not answer within 0\.3 s"):
        encoder.encode(["a"])
    assert time.monotonic() - start < 3


def test_a_failing_server_is_quoted(server):
    encoder = model(server).load()
    server.status = 500
    with pytest.raises(ModelError, match="llama runner has terminated"):
        encoder.encode(["a"])


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda vectors: [row[:-1] for row in vectors], "vectors of 5 numbers, not of 6"),
        (lambda vectors: [vectors[0], vectors[1][:-1]], r"vectors of \[5, 6\] numbers"),
        (lambda vectors: vectors[:1], "1 vectors of"),
        (lambda vectors: [[] for _ in vectors], "numbers for 2 texts"),
        (lambda vectors: [[float("nan")] * 6 for _ in vectors], "not finite"),
        (lambda _: "none", "failed"),
    ],
)
def test_answers_that_no_model_may_give_are_refused(server, spoil, message):
    encoder = model(server).load()
    server.spoil = spoil
    with pytest.raises(ModelError, match=message):
        encoder.encode(["a", "b"])


def test_a_server_that_goes_away_is_an_error_not_another_model(server):
    encoder = model(server).load()
    server.shutdown()
    server.socket.close()
    with pytest.raises(ModelError):
        encoder.encode(["a"])


@pytest.mark.parametrize("spec", ["ollama", "ollama:x(batch=0)", "ollama:x(timeout=0)"])
def test_unusable_parameters_are_refused(spec):
    with pytest.raises(ParameterError):
        memlab.embedding(spec)


def test_without_the_client_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ollama", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'memlab\[ollama\]'"):
        memlab.embedding("ollama:nomic-embed-text").load()
