import hashlib
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.workspace.entities import Lexicon, distinct_slug, key, slug, wikilinks


@pytest.mark.parametrize(
    "spelling", ["The Castle", "@The-Castle", "the_castle", " THE  CASTLE ", "Ｔｈｅ Castle"]
)
def test_spellings_of_one_name_have_one_key(spelling):
    assert key(spelling) == "the castle"


@given(st.text())
def test_a_key_is_its_own_key_in_any_normal_form(name):
    assert key(key(name)) == key(name) or key(name).startswith("@")
    assert key(unicodedata.normalize("NFD", name)) == key(unicodedata.normalize("NFC", name))


@pytest.mark.parametrize(
    ("name", "file"),
    [("The Castle", "The-Castle"), ("@Søren", "Søren"), ("a/b: c?", "ab-c"), ("မောင်", "မောင်"),
     ("..", f"entity~{hashlib.sha256(b'..').hexdigest()[:4]}")],
)  # fmt: skip
def test_a_slug_is_a_file_name_that_keeps_script_and_case(name, file):
    assert slug(name) == file


@given(st.text())
def test_any_name_has_a_slug_that_a_file_system_can_hold(name):
    found = slug(name)
    assert found
    assert found not in {".", ".."}
    assert not set(found) & set('<>:"/\\|?*\0\n')


def test_another_entity_with_the_same_file_name_gets_a_hash():
    assert distinct_slug("Peter", []) == "Peter"
    other = distinct_slug("peter?", ["Peter"])
    assert other.startswith("peter~")
    assert len(other) == len("peter~") + 4


def test_wikilinks_give_their_targets():
    text = "[[warelay]], [[The Castle#Keys]], [[Peter|the printer]], [no](link), [[ ]]"
    assert wikilinks(text)[:3] == ["warelay", "The Castle", "Peter"]


@pytest.fixture
def lexicon():
    names = Lexicon()
    castle = names.add("The Castle", page="bank/entities/The-Castle.md")
    names.alias(castle, "Kastellet")
    for name in ("Søren", "MA", "မောင်မောင်", "tidewire", "Anne-Lise"):
        names.add(name)
    return names


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("the castle is cold", ["the castle"]),
        ("Kastellet er koldt", ["the castle"]),
        ("castles are cold", []),
        ("Søren's bike and tidewire", ["søren", "tidewire"]),
        ("SØREN", ["søren"]),
        ("So\u0308ren and S\u00f8ren", ["søren"]),
        ("ma came, MA left", ["ma"]),
        ("ma came", []),
        ("ကိုမောင်မောင်လာသည်", ["မောင်မောင်"]),
        ("tidewired", []),
        ("Anne-Lise rang", ["anne lise"]),
        ("", []),
    ],
)
def test_mentions_are_whole_words_of_any_script(lexicon, text, keys):
    assert lexicon.mentions(text) == keys


def test_a_name_resolves_by_any_of_its_spellings(lexicon):
    assert lexicon.resolve("@the-castle") == lexicon.resolve("KASTELLET") == "the castle"
    assert lexicon.resolve("nobody") is None
    assert lexicon.name_of("kastellet") == "The Castle"
    assert lexicon.name_of("nobody") == "nobody"


def test_a_name_that_is_an_entitys_own_cannot_be_anothers_alias(lexicon):
    assert not lexicon.alias("søren", "tidewire")
    assert lexicon.resolve("tidewire") == "tidewire"


def test_a_page_of_its_own_wins_over_an_alias():
    names = Lexicon()
    names.add("Peter", page="bank/entities/Peter.md")
    names.add("Pete", page="bank/entities/Pete.md")
    assert not names.alias("peter", "Pete")
    assert names.resolve("pete") == "pete"


def test_near_names_are_suggested(lexicon):
    assert lexicon.near("tidewyre") == ["tidewire"]
    assert lexicon.near("zzz") == []


def test_near_names_are_found_by_one_of_their_words():
    lexicon = Lexicon.of([(name, None, ()) for name in ("Dawn Pryce", "Merrivale", "Merryvale")])
    assert lexicon.near("Pryse") == ["Dawn Pryce"]
    assert lexicon.near("Merrivle") == ["Merrivale", "Merryvale"]
    assert lexicon.near("zyzzyva") == lexicon.near("") == []


def test_names_without_spaces_are_found_wherever_they_stand_in_the_order_of_the_text():
    lexicon = Lexicon.of([(name, None, ()) for name in ("မောင်မောင်", "သီရိ", "京")])
    assert lexicon.mentions("သီရိနဲ့မောင်မောင်") == ["သီရိ", "မောင်မောင်"]
    assert lexicon.mentions("在京") == ["京"]
    assert lexicon.mentions("သီ") == []
