"""Against a real HTTP server on loopback that answers as Ollama does, well and badly."""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from memlab.errors import MissingExtraError, ParameterError, StoreError
from memlab.opinions import Label, Stance
from memlab.registry import make

pytest.importorskip("ollama", reason="needs extra 'ollama'")

PAIRS = [("Peter likes tea", "Peter drinks tea"), ("Peter likes tea", "Peter hates tea")]


class Server(HTTPServer):
    """Answers with what a test puts into ``answers``, the last one again and again."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = []
        self.asked = []


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(body)
        place = min(len(self.server.asked), len(self.server.answers)) - 1
        text = json.dumps({"model": body["model"], "response": self.server.answers[place]})
        self.send_response(200)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def detector(server):
    return make("stance", f"ollama(model='m', host='http://127.0.0.1:{server.server_port}')")


def test_each_pair_is_asked_for_by_itself_and_the_same_each_time(server):
    server.answers = [
        '{"label": "supports", "score": 0.9}', '{"label": "contradicts", "score": 0.75}',
    ]  # fmt: skip
    first, second = detector(server).judge(PAIRS)
    assert (first.label, first.score) == (Label.SUPPORTS, 0.9)
    assert (second.label, second.score) == (Label.CONTRADICTS, 0.75)
    assert second.supports == pytest.approx((1 - 0.75) / 2)
    for body, (statement, evidence) in zip(server.asked, PAIRS, strict=True):
        assert body["model"] == "m"
        assert body["options"] == {"temperature": 0, "seed": 0}
        assert body["format"]["properties"]["label"]["enum"] == list(Label)
        assert body["prompt"].index(statement) < body["prompt"].index(evidence)


@pytest.mark.parametrize("label", list(Label))
@pytest.mark.parametrize("score", [0, 0.2, 1])
def test_the_label_is_the_models_however_little_sure(server, label, score):
    server.answers = [json.dumps({"label": label, "score": score})]
    (stance,) = detector(server).judge(PAIRS[:1])
    assert stance.label is label
    assert stance.score == pytest.approx(max(score, 0.34))


@pytest.mark.parametrize(
    "answer",
    [
        "", "supports", "[]", "null", "{}", '{"label": "supports"}',
        '{"label": "maybe", "score": 0.5}', '{"label": "supports", "score": "high"}',
        '{"label": "supports", "score": "0.5"}', '{"label": "supports", "score": true}',
        '{"label": "supports", "score": 1.5}', '{"label": "supports", "score": NaN}',
        '{"label": ["supports"], "score": 1}',
    ],
)  # fmt: skip
def test_an_answer_out_of_the_schema_is_neutral_and_says_so(server, answer):
    server.answers = [answer]
    (stance,) = detector(server).judge(PAIRS[:1])
    assert stance == Stance(0.33, 0.33, stance.why)
    assert stance.label is Label.NEUTRAL
    (why,) = stance.why
    assert why.startswith("the model's answer does not follow the schema")


def test_no_server_says_how_to_start_one():
    nobody = make("stance", "ollama(model='m', host='http://127.0.0.1:9')")
    with pytest.raises(StoreError, match="Start it: ollama serve"):
        nobody.judge(PAIRS)


def test_a_model_has_to_be_named():
    with pytest.raises(ParameterError, match=r"Write ollama\(model='NAME'\)"):
        make("stance", "ollama")


def test_without_the_client_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ollama", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'memlab\[ollama\]'"):
        make("stance", "ollama(model='m')").judge(PAIRS)
