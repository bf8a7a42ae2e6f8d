"""Texts that a model of one language cannot read."""

import numpy as np
import pytest

import memlab
from memlab.embedding.vocabulary import Vocabulary
from memlab.errors import MemlabError, ParameterError

tokenizers = pytest.importorskip("tokenizers", reason="needs extra 'embeddings'")

WORDS = ["[UNK]", "the", "tea", "is", "in", "kitchen", "3", ".", "t", "##e", "##k", "##ø"]


@pytest.fixture
def vocabulary(tmp_path):
    """A tokenizer as BERT has it, of a handful of words."""
    model = tokenizers.models.WordPiece(
        dict(zip(WORDS, range(99), strict=False)), unk_token=WORDS[0]
    )
    made = tokenizers.Tokenizer(model)
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    made.save(str(tmp_path / "tokenizer.json"))
    return Vocabulary(tmp_path)


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("the tea is in the kitchen", 1),
        ("the tea is te", 0.75),
        ("tek tek tea", 1 / 3),
        ("မီးဖို", 0),
        ("tea စာ", 0.5),
        ("3 . 3 tek", 0),  # numbers and stops are in every language
        ("", 1),
        ("3 3", 1),
    ],
)
def test_words_that_are_one_piece_are_whole(vocabulary, text, whole):
    assert vocabulary.whole([text]).tolist() == [pytest.approx(whole)]


def test_a_share_is_one():
    with pytest.raises(ParameterError, match="whole must lie in 0 to 1"):
        memlab.embedding("minilm(whole=1.5)")


def test_minilm_reads_english_and_leaves_the_rest():
    try:
        encoder = memlab.embedding("minilm").load()
    except MemlabError as error:
        pytest.skip(str(error))
    texts = ["Where does the dog sleep at night?", "Hvor sover hunden om natten?", "မီးဖိုချောင်"]
    read = np.linalg.norm(encoder.encode(texts), axis=1)
    assert read.round(5).tolist() == [1, 0, 0]
    assert (
        memlab.embedding("minilm").card.fingerprint
        != memlab.embedding("minilm(whole=0.0)").card.fingerprint
    )
