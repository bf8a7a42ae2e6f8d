"""A local model of inference: a tiny one, made here, with weights drawn by a fixed seed."""

import json
import shutil
import sys

import numpy as np
import pytest
from click.testing import CliRunner

from memlab.cli import main
from memlab.embedding.base import ModelError
from memlab.errors import MissingExtraError, ParameterError
from memlab.opinions import Label, nli
from memlab.registry import make
from memlab.verbs.memo import Judge, Memo

WORDS = "peter likes tea no longer drinks coffee he does not the".split()
LABELS = ["CONTRADICTION", "entailment", "Neutral"]
PAIRS = [
    ("Peter likes tea", "Peter drinks tea"),
    ("Peter likes tea", "Peter no longer drinks tea"),
    ("Peter likes coffee", "he does not"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, tiny_bert):
    folder = tmp_path_factory.mktemp("nli")
    names = dict(enumerate(LABELS))
    tiny_bert(folder, WORDS, id2label=names, label2id={name: n for n, name in names.items()})
    return folder


@pytest.fixture
def copy(folder, tmp_path):
    """Another folder, whose configuration a test may change."""
    made = shutil.copytree(folder, tmp_path / "model")

    def change(**values):
        config = json.loads((made / "config.json").read_text(encoding="utf-8"))
        (made / "config.json").write_text(json.dumps({**config, **values}), encoding="utf-8")
        return make("stance", f"nli(path={str(made)!r})")

    return change


def by_hand(folder, premise, hypothesis):
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    with torch.no_grad():
        logits = model(**tokenizer(premise, hypothesis, return_tensors="pt")).logits[0]
    return torch.softmax(logits, 0).tolist()


def test_the_evidence_is_the_premise_and_labels_are_those_of_the_configuration(folder):
    stances = make("stance", f"nli(path={str(folder)!r})").judge(PAIRS)
    shares = []
    for (statement, evidence), stance in zip(PAIRS, stances, strict=True):
        contradicts, supports, _ = by_hand(folder, evidence, statement)
        shares.append((supports, contradicts))
        assert stance.supports == pytest.approx(supports, abs=2e-5)
        assert stance.contradicts == pytest.approx(contradicts, abs=2e-5)
        turned = by_hand(folder, statement, evidence)
        assert turned[1] != pytest.approx(supports, abs=1e-3)
    assert np.ptp(shares) > 0.05  # weights that tell nothing would pass anything


def test_another_order_of_labels_is_another_meaning(folder, copy):
    turned = copy(id2label={"0": "entailment", "1": "contradiction", "2": "neutral"})
    for ours, theirs in zip(
        make("stance", f"nli(path={str(folder)!r})").judge(PAIRS), turned.judge(PAIRS), strict=True
    ):
        assert (ours.supports, ours.contradicts) == (theirs.contradicts, theirs.supports)


def test_a_pair_is_judged_alike_alone_and_among_others(folder):
    detector = make("stance", f"nli(path={str(folder)!r})")
    assert [detector.judge([pair])[0] for pair in PAIRS] == detector.judge(PAIRS)
    assert detector.judge([]) == []


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ({"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}, "its labels are LABEL_0, LABEL_1"),
        ({"0": "entailment", "1": "not_entailment"}, "not_entailment.*has to name entailment"),
        ({"0": "entailment", "1": "entailed", "2": "neutral"}, "entailed"),
        ({}, "its labels are none"),
        (None, "has no id2label"),
        ({"1": "entailment", "2": "contradiction"}, "has no id2label"),
    ],
)
def test_a_model_that_is_none_of_inference_is_refused(copy, labels, message):
    with pytest.raises(ModelError, match=message):
        copy(id2label=labels).judge(PAIRS)


def test_weights_that_cannot_be_read_are_told(copy, tmp_path):
    detector = copy()
    (tmp_path / "model" / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(ModelError, match="cannot be loaded"):
        detector.judge(PAIRS)


@pytest.mark.parametrize("spec", ["nli", "nli(path='')", "nli(path='/nowhere')"])
def test_a_folder_that_is_not_there_is_told_at_once(spec):
    with pytest.raises(ParameterError, match=r"not the folder of a model.*downloads nothing"):
        make("stance", spec)


def test_without_the_library_the_extra_is_named(copy, monkeypatch):
    detector = copy()
    nli._load.cache_clear()
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'memlab\[embeddings\]'"):
        detector.judge(PAIRS)


def test_its_fingerprint_follows_the_files(copy):
    detector = copy()
    before = detector.fingerprint()
    assert copy().fingerprint() == before
    assert copy(id2label={"0": "entailment"}).fingerprint() != before


def test_reflect_asks_again_once_the_model_is_another(copy):
    def name():
        return Judge(f"nli(path={copy().path!r})", Memo(None))._name

    before = name()
    assert name() == before
    copy(id2label={"0": "entailment", "1": "contradiction", "2": "neutral"})
    assert name() != before


def test_the_command_judges_with_it(folder):
    words = ["stance", "judge", *PAIRS[1], "--detector", f"nli(path={str(folder)!r})", "--json"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert json.loads(done.output)["label"] in list(Label)
