import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from memlab.errors import ParameterError, StoreError
from memlab.ollama import LocalModel
from memlab.verbs.loop import ollama_model

pytest.importorskip("ollama", reason="needs extra 'ollama'")


@pytest.fixture
def server():
    """A server that answers as Ollama does; gives its address and what it was asked."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append((self.path, body))
            message = {"role": "assistant", "content": "hello"}
            code = 404 if body["model"] == "absent" else 200
            text = json.dumps({"model": "m", "response": "{}", "message": message, "error": "none"})
            self.send_response(code)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}", asked
        running.shutdown()
        thread.join()


def test_a_model_is_asked_for_json_of_a_schema_and_the_same_each_time(server):
    host, asked = server
    assert LocalModel("m", host=host).generate("why", schema={"type": "object"}) == "{}"
    ((path, body),) = asked
    assert (path, body["prompt"], body["format"]) == ("/api/generate", "why", {"type": "object"})
    assert body["options"] == {"temperature": 0, "seed": 0}


def test_a_chat_carries_the_tools(server):
    host, asked = server
    answer = ollama_model("m", host=host)([{"role": "user", "content": "hi"}])
    assert answer["content"] == "hello"
    assert asked[0][1]["tools"][0]["function"]["name"] == "core_view"


def test_a_server_that_is_not_there_or_refuses_is_an_error_with_a_mend(server):
    host, _ = server
    for name, place in (("absent", host), ("m", "http://127.0.0.1:9")):
        with pytest.raises(StoreError, match="Start it: ollama serve"):
            LocalModel(name, host=place).generate("why", schema={})
    with pytest.raises(ParameterError, match="name is empty"):
        LocalModel(" ")
