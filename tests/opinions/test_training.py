"""What a model learns from, with vectors that need no weights."""

import itertools
import json
from dataclasses import dataclass

import numpy as np
import pytest
from click.testing import CliRunner

import memlab
from memlab import registry
from memlab.cli import main
from memlab.embedding.base import Card, Embedding, MissingModelError, ModelError, complete, unit
from memlab.errors import ParameterError
from memlab.evaluation.datasets.stance import read_pairs
from memlab.opinions import Label, training, vectors
from memlab.opinions.pairs import load
from memlab.opinions.training import train

pytest.importorskip("sklearn", reason="needs extra 'embeddings'")


@dataclass(frozen=True, slots=True)
class Initials(Embedding):
    """A text is the letters that its words begin with, so that words never seen have a meaning."""

    salt: str = ""

    @property
    def card(self):
        return complete(Card("initials", "initials", 26), self.salt)

    def load(self):
        if self.salt == "absent":
            raise MissingModelError("initials", "pip install initials")
        return Loaded(self.card)


class Loaded:
    cacheable = True
    asked = 0

    def __init__(self, card):
        self.card = card

    def encode(self, texts, *, role="passage"):
        assert role == "query"
        type(self).asked += len(texts)
        out = np.zeros((len(texts), 26))
        for place, text in enumerate(texts):
            for word in text.lower().split():
                out[place, ord(word[0]) - ord("a")] += 1
        return unit(out)

    def save(self, folder):
        pass


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    monkeypatch.setitem(registry._added["embedding"], "initials", Initials)
    vectors.encoder.cache_clear()
    vectors.vector.cache_clear()


def invented(count):
    """No word stands twice, but what is for begins with g, and what is against with b."""
    letters = ("".join(three) for three in itertools.product("acdefhijkl", repeat=3))
    pairs, labels = [], []
    for number, word in zip(range(count), letters, strict=False):
        label = list(Label)[number % 2]
        initial = "g" if label is Label.SUPPORTS else "b"
        told = f"{initial}{word} {initial}x{word} {initial}y{word}"
        pairs.append((f"p{word} px{word} s{word} r{word}", f"{told} s{word} r{word}"))
        labels.append(label)
    return pairs, labels


PAIRS, LABELS = invented(60)


def test_embeddings_are_used_where_they_tell_more():
    model = train(PAIRS[:40], LABELS[:40], embedding="initials")
    assert model.mixture in {"cues, words, content", "cues, words, difference"}
    tried = dict(model.tried)
    assert tried[model.mixture] > tried["cues and words"] + 0.3
    found = [stance.label for stance in model.judge(PAIRS[40:])]
    assert found == LABELS[40:]


def test_embeddings_are_left_where_they_tell_less():
    pairs = [(f"likes {a}{b}", f"{no} likes {b}{a}") for a, b, no in itertools.product(
        "acde", "fhij", ("not", "truly"))]  # fmt: skip
    labels = [Label.CONTRADICTS, Label.SUPPORTS] * 16
    model = train(pairs, labels, embedding="initials")
    assert model.mixture in {mixture.name for mixture in training.PLAIN}
    assert model.embedded is None


def test_a_saved_model_judges_the_same_and_a_text_is_embedded_once(tmp_path):
    model = train(PAIRS, LABELS, embedding="initials", about="invented")
    model.save(tmp_path / "model.npz")
    kept = load(str(tmp_path / "model.npz"))
    assert (kept.mixture, kept.tried, kept.about) == (model.mixture, model.tried, "invented")
    assert kept.embedded.fingerprint == Initials().card.fingerprint
    for one, other in zip(kept.judge(PAIRS), model.judge(PAIRS), strict=True):
        assert one.supports == pytest.approx(other.supports, abs=1e-4)
    before = Loaded.asked
    assert kept.judge(PAIRS) == kept.judge(PAIRS)
    assert before == Loaded.asked


def test_the_same_pairs_give_the_same_model(tmp_path):
    for name in ("one", "two"):
        train(PAIRS, LABELS, embedding="initials").save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_vectors_are_kept_for_the_next_training():
    train(PAIRS, LABELS, embedding="initials")
    before = Loaded.asked
    vectors.encoder.cache_clear()
    train(PAIRS, LABELS, embedding="initials")
    assert before == Loaded.asked


def test_another_model_of_embeddings_is_refused(tmp_path, monkeypatch):
    train(PAIRS, LABELS, embedding="initials").save(tmp_path / "model.npz")
    vectors.encoder.cache_clear()
    monkeypatch.setattr(Initials, "card", property(lambda _: complete(Card("i", "i", 26), "new")))
    with pytest.raises(ModelError, match=r"not the model that .* trained with\. Train it again"):
        load(str(tmp_path / "model.npz")).judge(PAIRS)


def test_a_model_of_embeddings_that_is_missing_names_its_package():
    with pytest.raises(MissingModelError, match="pip install initials"):
        train(PAIRS, LABELS, embedding="initials(salt='absent')")


def test_of_too_many_pairs_some_are_learnt_from(monkeypatch):
    monkeypatch.setattr(training, "MOST", 30)
    model = train(PAIRS, LABELS, embedding="initials")
    assert len(model.embedded.near.rows) == 30
    assert len(train(PAIRS, LABELS).names) > 0


def test_a_rare_label_is_not_judged_rarer_still():
    pairs, labels = invented(80)
    kept = [n for n, label in enumerate(labels) if label is Label.SUPPORTS or n % 10 == 1]
    model = train([pairs[n] for n in kept], [labels[n] for n in kept], embedding="initials")
    (stance,) = model.judge([("pz py sz rz", "bz bx by sz rz")])
    assert stance.label is Label.CONTRADICTS


@pytest.mark.parametrize("strength", [0, -1, float("nan")])
def test_a_strength_that_is_none_is_refused(strength):
    with pytest.raises(ParameterError, match="strength must be above 0"):
        train(PAIRS, LABELS, strength=strength)


def test_the_command_trains_with_embeddings_and_reflect_judges_with_the_model(tmp_path, pages):
    data, out = tmp_path / "pairs.jsonl", tmp_path / "model.npz"
    rows = [
        {"id": n, "statement": s, "evidence": e, "label": label, "split": "train"}
        for n, ((s, e), label) in enumerate(zip(PAIRS, LABELS, strict=True))
    ]
    data.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    words = ["stance", "train", str(data), "--output", str(out), "--embedding", "initials"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert len([line for line in done.output.splitlines() if "in cross-validation" in line]) == 4
    assert done.output.count("(used)") == 1

    said = [
        "- O(c=0.7) @Peter: prefers short replies",
        "- B @Peter: bad blank boring short replies",
    ]
    root = pages({
        f"memory/2025-11-0{day}.md": f"## Retain\n\n{line}\n" for day, line in enumerate(said, 1)
    })  # fmt: skip
    with memlab.open(
        root, now="2025-12-01", opinions_detector=f"pairs(path={str(out)!r})"
    ) as notes:
        notes.reflect()
        (opinion,) = notes.opinions()
    assert opinion.confidence < 0.7


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "split", "least"),
    [("perspectrum", "dev", 0.64), ("sick", "trial", 0.82), ("scifact", "validation", 0.65)],
)
def test_without_embeddings_it_reaches_what_was_asked_for(data_dir, name, split, least):
    from sklearn.metrics import f1_score

    pairs = read_pairs(data_dir / name / "stance_pairs.jsonl", [])
    learn = [pair for pair in pairs if pair.split == "train"]
    held = [pair for pair in pairs if pair.split == split]
    model = train([(p.statement, p.evidence) for p in learn], [Label(p.label) for p in learn])
    found = [
        stance.label.value for stance in model.judge([(p.statement, p.evidence) for p in held])
    ]
    assert f1_score([pair.label for pair in held], found, average="macro") >= least
