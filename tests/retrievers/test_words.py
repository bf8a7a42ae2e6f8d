import math

import numpy as np
import pytest

import memlab
from memlab.retrievers import words
from memlab.retrievers.words import Words

PAGES = {
    f"memory/{page}.md": "\n\n".join(
        [f"# {page}"] * (page % 2)
        + [f"fact {n} {'ada' * (n % 7 == page)} {'tea cup ' * (n % 5 == 0)}" for n in range(20)]
    )
    for page in range(6)
}


@pytest.fixture
def index(pages):
    with memlab.open(pages(PAGES), now="2025-11-30") as workspace:
        yield Words(workspace.corpus())


def naive(index, text, rows, before):
    """The same share by looking at every fact before each."""
    corpus = index._corpus
    size = len(corpus.arrays["section"])
    terms = [number for word in text.split() if (number := index.postings.find(word)) is not None]
    has = {number: index.postings.frequency(number) for number in terms}
    facts = index.postings.size
    idf = {number: math.log(1 + (facts - n + 0.5) / (n + 0.5)) for number, n in has.items()}
    share = []
    for row in rows:
        near = [row]
        while len(near) <= before and near[-1] > 0:
            if corpus.arrays["section"][near[-1] - 1] != corpus.arrays["section"][row]:
                break
            near.append(near[-1] - 1)
        told = [n for n in terms if set(near) & set(index.postings.of(n)[0].tolist())]
        share.append(sum(idf[n] for n in told) / sum(idf.values()))
    assert size >= len(rows)
    return share


@pytest.mark.parametrize("few", [0, 10**9], ids=["each is looked for", "all are gone through"])
@pytest.mark.parametrize("before", [0, 1, 4, 50])
def test_what_is_told_is_what_the_facts_before_have(index, few, before, monkeypatch):
    monkeypatch.setattr(words, "_FEW", few)
    rows = np.arange(1, len(index._corpus.arrays["section"]), 3)
    text = "ada tea cup unheard"
    told = index.told(text, rows, before=before)
    assert told.tolist() == pytest.approx(naive(index, text, rows.tolist(), before))
    assert 0 < told.mean() < 1


def test_covered_is_the_same_whichever_way_rows_are_looked_for(index, monkeypatch):
    rows = np.arange(0, len(index._corpus.arrays["section"]), 2)
    found = []
    for few in (0, 10**9):
        monkeypatch.setattr(words, "_FEW", few)
        found.append(index.covered("ada tea 3", rows).tolist())
    assert found[0] == found[1]
    assert max(found[0]) > 0


def test_in_a_conversation_a_turn_is_told_by_itself(pages):
    chat = "".join(f"- Ada: {word}\n- Bob: fine {word}\n" for word in ("tea", "cup", "pot", "jug"))
    with memlab.open(pages({"memory/2025-11-03.md": chat}), now="2025-11-30") as workspace:
        corpus = workspace.corpus()
        assert (corpus.arrays["talk"] > 0).all()
        told = Words(corpus).told("tea", np.arange(8), before=5)
    assert told.tolist() == [1.0, 1.0, *[0.0] * 6]


def test_nothing_is_told_by_words_that_no_fact_has(index):
    rows = np.arange(4)
    assert index.told("unheard", rows, before=3).tolist() == [0.0] * 4
    assert index.told("", rows, before=3).tolist() == [0.0] * 4
