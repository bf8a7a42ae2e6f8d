import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab import tokens as tokeniser
from memlab.tokens import fold, has_spaces, query_terms, tokens, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The queues were drained", ["the", "queue", "were", "drain"]),
        ("Søren's hus på Ærø", ["søren", "hus", "på", "ærø"]),
        ("cuộc họp ngày mai", ["cuộc", "họp", "ngày", "mai"]),
        ("ملاقات کل ہے", ["ملاقات", "کل", "ہے", "·ملا", "·لاق", "·اقا", "·قات"]),
        ("connection.update", ["connection.update", "connect", "updat"]),
        ("port 9077", ["port", "9077"]),
        ("", []),
        ("… — ?!", []),
    ],
)  # fmt: skip
def test_tokens_are_stems_and_parts_of_code(text, found):
    assert tokens(text) == found


def test_a_flag_is_found_with_and_without_its_dashes():
    assert {"--drain", "drain"} <= set(tokens("tidewire --drain"))


def test_burmese_has_words_though_no_spaces():
    assert len(words("မနေ့က ဈေးသွားသည်")) > 2
    assert not has_spaces("မောင်မောင်")
    assert has_spaces("Søren")


def test_spellings_that_look_alike_are_one():
    assert tokens("Café ＡＢＣ ﬁle") == tokens("cafe\u0301 abc file".replace("cafe", "Cafe"))


@pytest.mark.parametrize("emoji", ["🙂", "👩‍🔧", "🇩🇰"])
def test_an_emoji_does_not_shift_the_words_after_it(emoji):
    assert [word for word in words(f"{emoji} tea {emoji}coffee") if word.isalpha()] == [
        "tea", "coffee",
    ]  # fmt: skip


@given(st.text())
def test_folding_is_a_fixed_point_in_any_normal_form(text):
    assert fold(fold(text)) == fold(text)
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text))


@given(st.text())
def test_tokens_have_no_space_and_repeat(text):
    found = tokens(text)
    assert all(token and len(token.split()) == 1 for token in found)
    assert tokens(text) == found


@given(st.text(), st.text())
def test_words_of_two_lines_are_those_of_each(first, second):
    assert words(f"{first}\n{second}") == words(first) + words(second)


def test_threads_do_not_share_a_breaker():
    texts = [f"tea {number} coffee" for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(words, texts)) == [text.split() for text in texts]


def test_a_question_is_its_topic():
    assert query_terms("Where is the queue, and what is the queue?") == ["queue"]
    assert query_terms("Hvornår skal mor opereres?")[:2] == ["mor", "operer"]


def test_a_question_of_function_words_keeps_them():
    assert query_terms("who is it") == ["who", "is", "it"]


def test_danish_is_told_from_english_by_its_function_words():
    assert "·ope" in tokens("hun skal opereres og det er snart")
    assert not any(token.startswith("·") for token in tokens("the operation is on Monday"))


_SCRIPTS = st.sampled_from(
    ["a", "b'", "’s", " ", "\n", "\u00a0", "\u202f", "\x1c", "\x85", "_", "-", "--k", "2.5", ".",
     ",", "v2.0.1", "မနေ့", "ไทย", "中文", "かな", "カタ", "æ", "\u0301", "\u200d", "\u200b", "🙂",
     "🇩🇰", "👩‍🔧", "ملا", "ß", "ﬁ", "½", "٣", "x_y", "a:b", "O'Neil", "ᄀ", "ᅡ", "\u1039", "क", "्",
     'ש"']
)  # fmt: skip


@given(st.lists(_SCRIPTS, max_size=25).map("".join))
def test_words_are_those_that_unicode_finds_in_the_whole_text(text):
    """Text is segmented piece by piece, Latin pieces by a pattern; ICU gives the same for all."""
    folded = fold(text)
    found = [word for word in tokeniser._icu_segments(folded) if word.strip("_")]
    assert words(text) == found


def test_what_is_remembered_of_texts_is_bounded(monkeypatch):
    monkeypatch.setattr(tokeniser.Cached, "ROOM", 10)
    lengths = tokeniser.Cached(len)
    assert list(map(lengths.__getitem__, map(str, range(1000)))) == [
        len(str(n)) for n in range(1000)
    ]
    assert lengths["x" * 1000] == 1000
    assert len(lengths) <= 10


@given(st.lists(_SCRIPTS | st.sampled_from(["og ", "det ", "er ", "the ", "skal"])).map("".join))
def test_a_reader_gives_the_tokens_of_a_text_and_the_signs_of_its_pieces(text):
    reader = tokeniser.Reader(len)
    for _ in range(2):  # the second time from what it remembers
        signs = 0
        for piece in fold(text).split():
            signs |= len(piece)
        assert reader.read(text) == (" ".join(tokens(text)), signs)
