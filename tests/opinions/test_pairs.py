"""The trained model, on a handful of pairs; figures on real data are the benchmark's."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from memlab.cli import main
from memlab.errors import ParameterError
from memlab.opinions import Label
from memlab.opinions.features import features
from memlab.opinions.pairs import load
from memlab.opinions.training import train
from memlab.registry import make

THINGS = ["tea", "coffee", "long walks", "early meetings", "short replies", "the new office"]
PAIRS = [(f"Peter likes {thing}", f"Peter enjoys {thing} a lot") for thing in THINGS]
PAIRS += [(f"Peter likes {thing}", f"Peter does not like {thing}") for thing in THINGS]
PAIRS += [(f"Peter likes {thing}", "Anna took the ferry at noon") for thing in THINGS]
LABELS = [label for label in Label for _ in THINGS]


@pytest.fixture(scope="module")
def model():
    pytest.importorskip("sklearn", reason="needs extra 'embeddings'")
    return train(PAIRS, LABELS, strength=10, min_count=1, about="six things")


def test_features_are_counted_over_stems():
    found = features("Peter likes tea", "Peter likes green tea")
    assert found["share of statement"] == 3 / 3
    assert found["share of evidence"] == 3 / 4
    assert found["jaccard"] == 3 / 4
    assert found["order"] == 3 / 4  # peter, like, tea of four words
    assert found["+:green"] == 1
    assert found["e:green"] == 1 / np.sqrt(4)
    assert found["one denied"] == 0


def test_the_model_tells_what_it_was_taught(model):
    stances = model.judge(
        [
            ("Peter likes fish", "Peter enjoys fish a lot"),
            ("Peter likes fish", "Peter does not like fish"),
            ("Peter likes fish", "Anna took the train at noon"),
        ]
    )
    assert [stance.label for stance in stances] == list(Label)


def test_a_saved_model_judges_the_same(model, tmp_path):
    model.save(tmp_path / "model.npz")
    judged = make("stance", f"pairs(path={str(tmp_path / 'model.npz')!r})").judge(PAIRS)
    for one, other in zip(judged, model.judge(PAIRS), strict=True):
        assert one.supports == pytest.approx(other.supports, abs=1e-4)
    assert load(str(tmp_path / "model.npz")).about == "six things"


@pytest.mark.usefixtures("model")
def test_two_labels_give_two_shares():
    two = train(PAIRS[:12], LABELS[:12], strength=10, min_count=1)
    (stance,) = two.judge(PAIRS[6:7])
    assert stance.label is Label.CONTRADICTS
    assert stance.neutral <= 2e-5


@pytest.mark.parametrize("content", [None, b"", b"no zip", b"PK\x03\x04 half"])
def test_what_is_no_model_is_an_error_with_the_next_step(tmp_path, content):
    path = tmp_path / "model.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ParameterError, match=r"is no stance model.*memlab stance train"):
        make("stance", f"pairs(path={str(path)!r})").judge(PAIRS)


def test_a_model_has_to_be_named():
    with pytest.raises(ParameterError, match=r"needs a model.*memlab stance train"):
        make("stance", "pairs")


def test_one_label_is_nothing_to_learn():
    with pytest.raises(ParameterError, match="at least two labels"):
        train(PAIRS[:6], LABELS[:6])


@pytest.mark.usefixtures("model")
def test_the_commands_train_and_judge(tmp_path):
    rows = [
        {"id": n, "split": "train", "statement": s, "evidence": e, "label": label}
        for n, ((s, e), label) in enumerate(zip(PAIRS, LABELS, strict=True))
    ]
    data, out = tmp_path / "pairs.jsonl", tmp_path / "model.npz"
    data.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    done = CliRunner().invoke(main, ["stance", "train", str(data), "--output", str(out)])
    assert done.exit_code == 0, done.output
    assert "18 pairs" in done.output
    words = ["stance", "judge", "Peter likes tea", "Peter no longer drinks tea"]
    assert CliRunner().invoke(main, words).output == "contradicts 0.83  (no longer)\n"
    spec = f"pairs(path={str(out)!r})"
    judged = CliRunner().invoke(main, [*words, "--detector", spec, "--json"])
    assert json.loads(judged.output)["label"] in list(Label)


def test_a_missing_file_of_pairs_is_bad_input(tmp_path):
    words = ["stance", "train", str(tmp_path / "none.jsonl"), "--output", "model.npz"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
