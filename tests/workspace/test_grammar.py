import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.errors import RetainError
from memlab.types import Kind
from memlab.workspace import grammar
from memlab.workspace.grammar import Bullet, BulletError, canonical, parse, render, tags

W, B, O, S = Kind.WORLD, Kind.EXPERIENCE, Kind.OPINION, Kind.OBSERVATION  # noqa: E741


@pytest.mark.parametrize(
    ("text", "bullet"),
    [
        ("W @Peter: lives in Berlin", Bullet(W, ("Peter",), "lives in Berlin")),
        ("B @warelay: restarted", Bullet(B, ("warelay",), "restarted")),
        ("S: seen often", Bullet(S, (), "seen often")),
        ("W @Peter @Andy: are brothers", Bullet(W, ("Peter", "Andy"), "are brothers")),
        ("W @Peter, @Andy: are brothers", Bullet(W, ("Peter", "Andy"), "are brothers")),
        ("W @[The Castle]: is cold", Bullet(W, ("The Castle",), "is cold")),
        ("W @Søren: er her", Bullet(W, ("Søren",), "er her")),
        ("W @မောင်မောင်: လာသည်", Bullet(W, ("မောင်မောင်",), "လာသည်")),
        ("@Peter: no kind", Bullet(None, ("Peter",), "no kind")),
        ("W @Peter lives in Berlin", Bullet(W, ("Peter",), "lives in Berlin")),
        ("W @Peter: at 9:30: tea", Bullet(W, ("Peter",), "at 9:30: tea")),
        ("plain words", Bullet(None, (), "plain words")),
    ],
)
def test_a_bullet_has_kind_entities_and_content(text, bullet):
    assert parse(text) == bullet


@pytest.mark.parametrize(
    ("given", "confidence"),
    [("", 0.7), ("(c=0.95)", 0.95), ("(0.95)", 0.95), ("(95%)", 95 / 100), ("(c=0,95)", 0.95),
     ("(c=1)", 1.0), ("(c=0)", 0.0), ("(c=.5)", 0.5)],
)  # fmt: skip
def test_an_opinion_gives_its_confidence_in_many_ways(given, confidence):
    assert parse(f"O{given} @Peter: tea is best") == Bullet(
        O, ("Peter",), "tea is best", confidence
    )


@pytest.mark.parametrize(
    "text",
    ["B vitamins help", "W. H. Auden wrote it", "O(n log n) is fast", "E: is a note",
     "[x] bought tea", "https://example.org: a link", "@Peter's car is red"],
)  # fmt: skip
def test_text_that_only_looks_like_a_head_stays_text(text):
    assert parse(text) == Bullet(None, (), text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("W @Peter:", "nothing after its head"),
        ("X @Peter: is no kind", "'X' is no kind; the kinds are W, B, O, S"),
        ("W(c=0.5) @Peter: has a confidence", "only an opinion"),
        ("O(c=1.5) @Peter: too sure", "outside 0 to 1"),
        ("O(c=high) @Peter: unread", "cannot be read"),
    ],
)
def test_a_bullet_that_is_none_says_why(text, why):
    with pytest.raises(BulletError, match=why.replace("(", r"\(")):
        parse(text)


def test_tags_are_found_in_content_and_mail_addresses_are_none():
    assert tags("met @Peter, @[The Castle] and a@example.org, (@Søren)") == [
        "Peter", "The Castle", "Søren",
    ]  # fmt: skip


def test_canonical_form_is_nfc_with_single_spaces():
    assert canonical("  a\u0308\t b\r\n c ") == "ä b c"


@given(st.text())
def test_canonical_form_is_a_fixed_point(text):
    assert canonical(canonical(text)) == canonical(text)


_words = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1).map(canonical)
_names = _words.filter(lambda name: name and not set(name) & set("[]"))


@st.composite
def bullets(draw):
    kind = draw(st.sampled_from([W, B, O, S]))
    return Bullet(
        kind,
        tuple(draw(st.lists(_names, max_size=3))),
        draw(_words.filter(bool)),
        draw(st.integers(0, 100_000)) / 100_000 if kind is O else None,
    )


@given(bullets())
def test_parse_undoes_render_for_any_unicode(bullet):
    text = render(bullet)
    assert parse(text) == bullet
    assert len(text.splitlines()) == 1


@given(st.text())
def test_parse_never_fails_but_with_a_reason(text):
    try:
        bullet = parse(text)
    except BulletError:
        return
    assert unicodedata.is_normalized("NFC", bullet.content)
    assert bullet.content == canonical(bullet.content)


@pytest.mark.parametrize("control", ["\0", "\x07", "\x1b", "\x7f", "\ud800"])
def test_control_characters_are_refused(control):
    with pytest.raises(RetainError, match="control characters"):
        render(Bullet(W, (), f"bell{control}"))


@pytest.mark.parametrize(
    "bullet",
    [
        Bullet(W, (), ""),
        Bullet(W, (), " edges "),
        Bullet(W, (), "a\u0308"),
        Bullet(None, (), "W: a head in the content"),
        Bullet(W, ("a]b",), "a bracket in a name"),
        Bullet(W, ("",), "no name"),
        Bullet(O, (), "no confidence", None),
    ],
)
def test_what_would_not_read_back_is_refused(bullet):
    with pytest.raises(RetainError):
        render(bullet)


_heads = st.sampled_from(
    ["W", "O", "X", "(c=0.9)", "(c=2)", "(n", "@Peter", "@[The Castle]", "@[a", "b]", ":", ": ",
     " ", ",", "@Peter's", "x", "…", "is", "C"]
)  # fmt: skip


@given(st.lists(_heads).map("".join))
def test_a_head_that_was_read_before_is_read_alike(text):
    def read(function):
        try:
            return function(canonical(text))
        except BulletError as error:
            return str(error)

    assert read(parse) == read(grammar._parse)


@given(st.text(alphabet=st.sampled_from(" ab\n\t\u00a0\u0301e\x1c")) | st.text())
def test_canonical_form_is_what_splitting_gives(text):
    assert canonical(text) == " ".join(unicodedata.normalize("NFC", text).split())
