import sys
from math import log1p
from pathlib import Path

import numpy as np
import pytest

import memlab
from memlab import registry
from memlab.errors import MemlabError
from memlab.retrievers.links import Links
from memlab.types import Kind, Query

sys.path.insert(0, str(Path(__file__).parent.parent / "embedding"))
from conftest import Hashed  # the fixtures of another folder

sys.path.pop(0)

NOTES = {
    "memory/2025-11-01.md": "## Retain\n- B @Rare: the violet lantern burns\n- B @Rare: a third\n",
    "memory/2025-11-10.md": "## Retain\n- B @Rare: quite another thing\n- B: something near it\n",
    "memory/2025-11-11.md": "## Retain\n- B: the day after\n",
    "memory/2025-11-20.md": "## Retain\n- B: far from all, see [[Shed]]\n",
    "memory/notes/shed.md": "---\ntitle: Shed\n---\nPlanks and nails.\n\nA saw.\n",
}
BARE = "graph(entry='lexical(neighbours=(), context=False)', words=0.0{more})"


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    monkeypatch.setitem(registry._added["embedding"], "hashed", Hashed)


@pytest.fixture
def workspace(pages):
    with memlab.open(pages(NOTES), now="2025-11-30") as opened:
        yield opened


def search(workspace, text, more="", **filters):
    corpus = workspace.corpus()
    index = registry.make("retriever", BARE.format(more=more)).index(corpus)
    run = index.search(Query(text, workspace.now(), **filters), depth=100)
    index.close()
    found = [fact.content for fact in corpus.facts(run.rows)]
    return dict(zip(found, run.scores.tolist(), strict=True))


def test_activation_is_the_best_of_weight_times_decay_over_all_ways(workspace):
    """Eight facts, three of them about one entity; no fact but the first has a word of it."""
    found = search(workspace, "violet lantern", ", floor=0.0")
    rarity = log1p((8 - 3 + 0.5) / (3 + 0.5)) / log1p((8 - 0.5) / 1.5)
    first = 0.8 * rarity
    same_day = 0.8 * (1 - 1 / 2)  # the next of two lines
    assert found["the violet lantern burns"] == 1.0
    assert found["a third"] == pytest.approx(max(first, same_day), abs=1e-5)
    assert found["quite another thing"] == pytest.approx(first, abs=1e-5)
    assert found["something near it"] == pytest.approx(first * same_day, abs=1e-5)
    assert found["the day after"] == pytest.approx(first * 0.8 * 0.3, abs=1e-5)
    assert "Planks and nails." not in found


def test_a_link_to_a_page_reaches_its_facts_and_back(workspace):
    found = search(workspace, "far from all")
    assert found["Planks and nails."] == found["A saw."] == pytest.approx(0.8)
    assert search(workspace, "Planks nails")["far from all, see [[Shed]]"] == pytest.approx(0.8)


def test_what_is_not_over_the_floor_is_not_reached(workspace):
    assert "the day after" in search(workspace, "violet lantern", ", floor=0.05")
    assert "the day after" not in search(workspace, "violet lantern", ", floor=0.2")


def test_close_meaning_links_where_there_is_a_model(pages):
    root = pages(
        {
            "memory/2025-11-01.md": "- violet lantern burns\n",
            "memory/2025-11-20.md": "- violet lantern burns still\n- quite another thing\n",
        }
    )
    with memlab.open(root, now="2025-11-30") as workspace:
        one = ", entries=1"
        assert list(search(workspace, "violet lantern", one)) == ["violet lantern burns"]
        found = search(workspace, "violet lantern", f"{one}, embedding='hashed(dimension=64)'")
        vectors = (
            Hashed(dimension=64)
            .load()
            .encode(["violet lantern burns", "violet lantern burns still"])
        )
        cosine = float(vectors[0] @ vectors[1])
        assert cosine > 0.7
        assert found["violet lantern burns still"] == pytest.approx(0.8 * cosine, abs=1e-5)


def test_one_fact_reaches_at_most_so_many_over_one_entity_those_nearest_to_it(pages):
    pages_ = {
        f"memory/2025-{1 + n // 28:02}-{1 + n % 28:02}.md": f"## Retain\n- B @Rare: number {n}\n"
        for n in range(0, 240, 2)
    }
    with memlab.open(pages(pages_), now="2025-11-30") as workspace:
        corpus = workspace.corpus()
        links = Links(corpus, fan=8)
        rows, values = links.by_entity(np.array([60]), np.array([1.0]))
        assert sorted(rows.tolist()) == list(range(56, 64))
        assert len(set(values.tolist())) == 1
        assert sorted(links.by_entity(np.array([0]), np.array([1.0]))[0].tolist()) == [*range(8)]
        last = links.by_entity(np.array([119]), np.array([1.0]))[0]
        assert sorted(last.tolist()) == list(range(112, 120))


def test_words_of_the_question_weigh(workspace):
    corpus = workspace.corpus()
    query = Query("the violet lantern and another thing", workspace.now())
    scores = [
        registry.make("retriever", f"graph(words={words})").index(corpus).search(query, depth=9)
        for words in (0.0, 1.0)
    ]
    assert len(scores[0]) > len(set(scores[1].scores[scores[1].scores > 0]))


def test_where_the_entry_finds_nothing_nothing_is_active(workspace):
    assert search(workspace, "") == {}
    assert search(workspace, "zyzzyva") == {}
    assert search(workspace, "violet", kinds=(Kind.OPINION,)) == {}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("entry='graph'", "graph cannot be its own entry"),
        ("entries=0", "entries must be at least 1, got 0"),
        ("fan=0", "fan must be at least 1, got 0"),
        ("decay=1.0", "decay must lie between 0 and 1"),
        ("floor=1.0", "floor must be at least 0 and under 1"),
        ("words=2.0", "words must lie in 0 to 1"),
    ],
)
def test_parameters_have_bounds(parameters, message):
    with pytest.raises(MemlabError, match=message):
        registry.make("retriever", f"graph({parameters})")
