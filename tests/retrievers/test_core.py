import pytest

import memlab
from memlab import registry
from memlab.errors import MemlabError
from memlab.types import Query

NOTES = {
    "memory.md": "# Core\n\n## Human\nPeter drinks tea.\n\nPeter drinks milk.\n",
    "SOUL.md": "# Soul\n\nKind, and fond of tea.\n",
    "memory/2025-11-27.md": "Peter drinks tea.\n\nTea for all.\n",
    "bank/world.md": "Tea grows in Assam.\n",
}


def search(root, text, spec="core", depth=100):
    with memlab.open(root, now="2025-11-30") as workspace:
        corpus = workspace.corpus()
        index = registry.make("retriever", spec).index(corpus)
        run = index.search(Query(text, workspace.now()), depth=depth)
        return [str(fact.source) for fact in corpus.facts(run.rows)]


def test_only_the_core_is_searched_and_only_what_has_words_is_found(pages):
    root = pages(NOTES)
    assert search(root, "What tea does Peter drink?") == [
        "memory.md#L4", "memory.md#L6", "SOUL.md#L3",
    ]  # fmt: skip
    assert search(root, "Assam") == []
    assert search(root, "") == []


def test_it_is_small_whatever_the_depth(pages):
    root = pages({"memory.md": "".join(f"- tea number {n}\n" for n in range(30))})
    assert len(search(root, "tea")) == 10
    assert len(search(root, "tea", "core(most=3)")) == 3
    assert len(search(root, "tea", "core(most=3)", depth=2)) == 2


def test_a_workspace_without_a_core(pages):
    assert search(pages({"memory/2025-11-27.md": "tea"}), "tea") == []


def test_parameters_have_bounds():
    with pytest.raises(MemlabError, match="most must be at least 1, got 0"):
        registry.make("retriever", "core(most=0)")
