import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.counters import Bytes4, Words, counter
from memlab.errors import ParameterError, UnknownNameError


@pytest.mark.parametrize(
    ("spec", "text", "tokens"),
    [
        ("bytes4", "nine bytes", -(-10 // 4)),
        ("bytes4", "", 0),
        ("words", "It's 9:30, isn't it?", 5 + 5),
        ("words", "ကျေးဇူး တင်ပါတယ်။", 4 + 1),
        ("words", "", 0),
    ],
)
def test_a_counter_by_its_name(spec, text, tokens):
    assert counter(spec).count(text) == tokens


def test_a_counter_itself_is_taken_too():
    own = Words()
    assert counter(own) is own


@given(st.lists(st.text()), st.sampled_from([Bytes4(), Words()]))
def test_a_whole_is_no_more_than_its_lines(lines, own):
    whole = "".join(f"{line}\n" for line in lines)
    assert own.count(whole) <= sum(own.count(f"{line}\n") for line in lines)


def test_a_tokenizer_counts_as_its_model_does(tmp_path):
    tokenizers = pytest.importorskip("tokenizers", reason="needs extra 'embeddings'")
    model = tokenizers.models.WordLevel({"[UNK]": 0, "tea": 1, "black": 2}, unk_token="[UNK]")  # noqa: S106  # no secret
    made = tokenizers.Tokenizer(model)
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    made.enable_truncation(2)
    made.save(str(tmp_path / "tokenizer.json"))
    for path in (tmp_path, tmp_path / "tokenizer.json"):
        assert counter(f"tokenizer(path={str(path)!r})").count("black tea, black tea") == 5


def test_what_is_no_counter_says_so(tmp_path):
    with pytest.raises(UnknownNameError, match="Known: bytes4, tokenizer, words"):
        counter("tiktoken")
    with pytest.raises(ParameterError, match=r"Write tokenizer\(path='tokenizer.json'\)"):
        counter("tokenizer")
    with pytest.raises(ParameterError, match="there is no such file"):
        counter(f"tokenizer(path={str(tmp_path / 'none.json')!r})")
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(ParameterError, match="is no tokenizer"):
        counter(f"tokenizer(path={str(tmp_path)!r})")
