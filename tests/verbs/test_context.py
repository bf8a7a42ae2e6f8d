import json

import pytest

import memlab
from memlab.counters import counter
from memlab.errors import ParameterError
from memlab.verbs.context import _line

QUESTION = "What did the roofer do at the Castle?"
MANY = "Which day did Søren test the gateway, the sensor or the radio at the Castle?"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    root = tmp_path_factory.mktemp("notes")
    (root / "memory").mkdir()
    (root / "memory.md").write_text(
        "## Human\n\n- Peter likes tea.\n- Peter lives in Berlin.\n\n## Rules\n\n- Be brief.\n",
        encoding="utf-8",
    )
    (root / "memory" / "2025-11-27.md").write_text(
        "## Retain\n- B @Peter: bought green tea\n- B @Peter: drank the tea at noon\n"
        "- O(c=0.9) @Peter: black tea is best\n",
        encoding="utf-8",
    )
    with memlab.open(root, now="2025-11-27", refresh="never") as opened:
        opened.refresh()
        yield opened


def test_the_core_comes_first_then_each_fact_with_its_citation(workspace):
    found = workspace.context("What about tea?")
    assert str(found) == found.text
    assert found.core.startswith("<memory_blocks>\n<human>\n")
    assert "- Peter likes tea." in found.core
    assert found.text.removeprefix(found.core) == (
        "<facts>\n"
        "- bought green tea\n  drank the tea at noon\n  black tea is best "
        "[memory/2025-11-27.md#L2-L4 · experience · 2025-11-27 · @Peter]\n"
        "</facts>\n"
    )
    assert found.tokens == counter("bytes4").count(found.text)
    assert found.cut == ()


def test_what_the_core_shows_is_not_given_again(workspace):
    shown = workspace.context("tea", explain=True)
    assert all(hit.fact.source.path != "memory.md" for hit in shown.recall)
    alone = workspace.context("tea", share=0)
    assert "memory.md#L3" in alone.text
    assert alone.core == ""


@pytest.mark.parametrize("spec", ["bytes4", "words"])
@pytest.mark.parametrize("max_tokens", [1, 5, 20, 60, 150, 400, 1000, 3000])
def test_it_is_never_over_the_budget(indexed, max_tokens, spec):
    found = indexed.context(QUESTION, max_tokens=max_tokens, counter=spec)
    assert counter(spec).count(found.text) == found.tokens <= max_tokens
    assert all(str(hit.source) in found.text for hit in found.recall)


def test_neither_part_starves_the_other(indexed):
    """The whole core takes more than 1,000 tokens, and so do the facts that could be given."""
    both = indexed.context(MANY, max_tokens=1000)
    core, facts = (counter("bytes4").count(text) for text in (
        both.core, both.text.removeprefix(both.core)))  # fmt: skip
    assert 350 < core < 600
    assert facts > 400
    assert any(what.startswith("core: ") for what in both.cut)
    assert any(what.endswith("more facts found, no room") for what in both.cut)
    assert f"> {both.cut[-1]}\n" in both.text


def test_what_one_part_leaves_is_the_others(indexed):
    few = indexed.context("Who is the roofer?", max_tokens=1000, k=1)
    assert counter("bytes4").count(few.core) > 800
    none = indexed.context(MANY, max_tokens=1000, share=0)
    assert none.core == ""
    assert none.tokens > 900


def test_a_core_without_room_for_its_frame_is_named(workspace):
    found = workspace.context("tea", max_tokens=70)
    assert (found.core, found.cut[0]) == ("", "core: all is left out")
    assert len(found.recall) > 0


def test_as_of_a_day_there_are_facts_alone(workspace):
    assert workspace.context("tea", as_of="2025-11-27").core == ""


def test_a_doubted_answer_says_so_in_the_text(indexed):
    question = "Which wrestling champion coached the opera singers of Uppsala?"
    found = indexed.context(question, max_tokens=1500)
    assert not found.recall.answered
    assert "> nothing in the notes answers this (confidence 0." in found.text
    assert len(indexed.context(question, max_tokens=1500, abstain=True).recall) == 0


def test_a_passage_is_one_item_with_indented_lines(workspace):
    (hit,) = workspace.context("tea", kinds=["experience"]).recall
    assert _line(hit) == (
        "- bought green tea\n  drank the tea at noon "
        "[memory/2025-11-27.md#L2-L3 · experience · 2025-11-27 · @Peter]\n"
    )


def test_as_plain_values_it_is_json(workspace):
    found = workspace.context("tea", explain=True).to_dict()
    assert json.loads(json.dumps(found)) == found
    assert set(found) == {"text", "core", "tokens", "max_tokens", "counter", "cut", "recall"}
    assert found["recall"]["explanation"]["max_tokens"] < found["max_tokens"]


def test_an_empty_workspace_gives_the_frame_and_no_fact(pages):
    with memlab.open(pages({})) as opened:
        found = opened.context("anything at all")
    assert found.text.endswith("</memory_metadata>\n\n<facts>\n</facts>\n")
    assert len(found.recall) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"question": " "}, "the query is empty"),
        ({"max_tokens": 0}, "max_tokens must be at least 1, got 0"),
        ({"max_tokens": -5}, "max_tokens must be at least 1, got -5"),
        ({"share": 1.5}, "share must lie in 0 to 1, got 1.5"),
        ({"k": 0}, "k must be at least 1, got 0"),
        ({"counter": "bytes5"}, r"no counter 'bytes5'. Known: bytes4, tokenizer, words"),
    ],
)
def test_what_is_not_usable_is_an_error(workspace, arguments, message):
    with pytest.raises(ParameterError, match=message):
        workspace.context(**{"question": "tea", **arguments})
