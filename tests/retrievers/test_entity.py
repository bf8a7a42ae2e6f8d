import pytest

import memlab
from memlab import registry
from memlab.errors import MemlabError
from memlab.types import Origin, Query

NOTES = {
    "bank/entities/Alice.md": (
        "---\naliases: [Al]\n---\n# Alice\n\nKeeps bees and repairs clocks.\n"
    ),
    "bank/entities/Søren.md": "# Søren\n\nEn tømrer fra Aarhus.\n",
    "bank/entities/The-Castle.md": (
        "---\nname: The Castle\naliases: [the depot, Kastellet]\n---\n# The Castle\n\n"
        "A shed by the water.\n\n"
        "<!-- memlab:begin summary 000000 -->\n- Generated words on The Castle.\n"
        "<!-- memlab:end summary -->\n"
    ),
    "bank/entities/Merrivale.md": "# Merrivale\n\nA customer in England.\n",
    "bank/entities/Merryvale.md": "# Merryvale\n\nA café on the corner.\n",
    "memory/2025-11-01.md": (
        "## Retain\n"
        "- B @Alice: fixed the old clock\n"
        "- B @Bo: saw Alice at the market\n"
        "- W @[The Castle] @Alice: Alice has a key to the door\n"
        "- B @မောင်မောင်: အိုးတွေ ထုတ်တယ်\n"
        "- B: nothing of anybody\n"
    ),
    "memory/2025-11-20.md": "## Retain\n- B @Alice: fixed the new clock\n",
}


@pytest.fixture
def workspace(pages):
    with memlab.open(pages(NOTES), now="2025-11-30") as opened:
        yield opened


def search(workspace, text, spec="entity", **filters):
    corpus = workspace.corpus()
    index = registry.make("retriever", spec).index(corpus)
    run = index.search(Query(text, workspace.now(), **filters), depth=100)
    found = [fact.content for fact in corpus.facts(run.rows)]
    return dict(zip(found, run.scores.tolist(), strict=True))


def reads(workspace, text):
    index = registry.make("retriever", "entity").index(workspace.corpus())
    return index.read(Query(text, workspace.now()))


ALICE = [
    "Keeps bees and repairs clocks.", "fixed the new clock", "fixed the old clock",
    "saw Alice at the market", "Alice has a key to the door",
]  # fmt: skip


def test_tell_me_about_gives_the_page_then_what_is_about_it_first_then_mentions(workspace):
    found = list(search(workspace, "Tell me about Alice"))
    assert found[:3] == ALICE[:3]  # the page; of two facts alike, the newer
    assert set(found) == set(ALICE)


@pytest.mark.parametrize("name", ["Alice", "alice", "ALICE", "Al", "Alice's"])
def test_any_name_and_case(workspace, name):
    assert set(search(workspace, f"What of {name}?")) == set(ALICE)


@pytest.mark.parametrize("name", ["The Castle", "the castle", "the depot", "Kastellet"])
def test_aliases(workspace, name):
    assert set(search(workspace, f"what is in {name}")) == {
        "A shed by the water.", "Alice has a key to the door",
    }  # fmt: skip


def test_any_script(workspace):
    assert list(search(workspace, "မောင်မောင်ဘာလုပ်လဲ")) == ["အိုးတွေ ထုတ်တယ်"]
    assert list(search(workspace, "Hvem er Søren?")) == ["En tømrer fra Aarhus."]


def test_near_spellings_stay_apart(workspace):
    assert list(search(workspace, "Merrivale")) == ["A customer in England."]
    assert list(search(workspace, "Merryvale")) == ["A café on the corner."]


def test_facts_that_name_more_of_the_entities_come_first(workspace):
    assert next(iter(search(workspace, "Alice and The Castle"))) == "Alice has a key to the door"


def test_the_words_of_the_question_rank_and_the_name_itself_does_not(workspace):
    assert next(iter(search(workspace, "Which bees does Alice keep?"))) == ALICE[0]
    assert next(iter(search(workspace, "Has Alice the key to the door?"))) == ALICE[4]


def test_a_score_is_the_share_of_entities_times_the_fit(workspace):
    """One entity, no other words known: .4 for being first, .4 for its page, .2 for being new."""
    found = search(workspace, "Alice", "entity(words=0.0)")
    assert found["Keeps bees and repairs clocks."] == pytest.approx(0.4 + 0.4)  # no day
    assert found["fixed the new clock"] == pytest.approx(0.4 + 0.2)
    assert found["fixed the old clock"] == pytest.approx(0.4)
    assert found["saw Alice at the market"] == 0.0


def test_no_name_finds_nothing(workspace):
    assert search(workspace, "Who has a key to the door?") == {}
    assert search(workspace, "") == {}


def test_generated_facts_are_left_out_unless_asked_for(workspace):
    assert "Generated words on The Castle." not in search(workspace, "The Castle")
    every = search(workspace, "The Castle", origins=tuple(Origin))
    assert "Generated words on The Castle." in every


def test_a_typo_is_suggested_and_not_merged(workspace):
    assert search(workspace, "What does Merrivle buy?") == {}
    assert reads(workspace, "What does Merrivle buy?") == {"perhaps": "Merrivale, Merryvale"}
    assert reads(workspace, "Alise and Alice")["entities"] == "Alice"


def test_what_was_read_is_told(workspace):
    assert reads(workspace, "Did Al see the depot?") == {"entities": "Alice, The Castle"}
    assert reads(workspace, "the key to the door") == {}


def test_after_a_change_facts_are_about_what_they_are_about_now(workspace, pages):
    search(workspace, "Alice")
    pages({"memory/2025-11-21.md": "## Retain\n- B @Alice: sold the bees\n"})
    workspace.corpus("always")
    assert "sold the bees" in search(workspace, "Alice")


def test_parameters_have_bounds():
    with pytest.raises(MemlabError, match=r"words must lie in 0 to 1, got 1\.5"):
        registry.make("retriever", "entity(words=1.5)")
