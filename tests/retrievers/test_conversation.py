"""What stands around a turn of a conversation, and what it is worth."""

import numpy as np
import pytest

import memlab
from memlab import registry
from memlab.errors import UnknownNameError
from memlab.retrievers.conversation import CUES, WEIGHTS
from memlab.types import Query

TURNS = [
    "Ada: What did you plant in spring?",
    "Bo: Mostly beans.",
    "Ada: Lovely. We went sailing on 3 May 2025.",
    "Bo: With the old dinghy?",
    "Ada: Yes, it leaks.",
    "Bo: Tar helps.",
    "Ada: So I hear.",
    "Bo: The garden needs rain",
]
LOG = "memory/2025-05-10.md"


@pytest.fixture
def corpus(pages):
    notes = pages(
        {LOG: "".join(f"- {turn}\n" for turn in TURNS), "memory/2025-05-11.md": "- A dinghy!\n"}
    )
    with memlab.open(notes, now="2025-06-01") as workspace:
        yield workspace.corpus()


def ask(corpus, text, **parameters):
    index = registry.make("retriever", registry.Spec("lexical", parameters)).index(corpus)
    run = index.search(Query(text, memlab.open(corpus.place.root, now="2025-06-01").now()), depth=9)
    facts = [fact.content for fact in corpus.facts(run.rows)]
    return dict(zip(facts, run.scores.tolist(), strict=True))


def cues(corpus, text):
    index = registry.make("retriever", "lexical").index(corpus)
    query = Query(text, memlab.open(corpus.place.root, now="2025-06-01").now())
    return index._conversations.cues(text, index.terms(query), np.arange(corpus.size))


def test_the_answer_is_found_by_the_question_before_it(corpus):
    found = ask(corpus, "what did Bo plant in spring", neighbours=(0.3,), context=False)
    assert next(iter(found)) == "Bo: Mostly beans."
    plain = ask(corpus, "what did Bo plant in spring", cues=(), neighbours=(0.3,), context=False)
    assert next(iter(plain)) == TURNS[0]


def test_cues_are_what_they_say(corpus):
    found = cues(corpus, "when did Ada sail the dinghy")
    assert found["asks"].tolist() == [1, 0, 0, 1, 0, 0, 0, 0, 0]
    assert found["answers"].tolist() == [0, 1, 0, 0, 1, 0, 0, 0, 0]
    assert found["speaker"].tolist() == [1, 0, 1, 0, 1, 0, 1, 0, 0]
    assert found["time"].tolist() == [0, 0, 1, 0, 0, 0, 0, 0, 0]
    assert cues(corpus, "did Ada sail the dinghy")["time"].tolist() == [0] * 9


def test_windows_end_with_the_page(corpus):
    found = cues(corpus, "dinghy")
    # the dinghy stands in turn 3: turns 0 to 6 have it in their window, all of them on their page
    assert found["window"].tolist() == [1] * 7 + [0, 1]
    assert found["page"].tolist() == [1] * 9
    assert found["near"][0].astype(bool).tolist() == [False] * 2 + [True, False, True] + [False] * 4


def test_scores_are_bm25_and_the_weighted_cues(corpus):
    text = "when did Ada sail the dinghy"
    found = cues(corpus, text)
    bonus = sum(np.dot(np.array(WEIGHTS[cue]), found[cue]) for cue in CUES)
    expected = (found["bm25"] + bonus * found["best"]).clip(0).round(5)
    scores = ask(corpus, text)
    contents = [fact.content for fact in corpus.facts(range(corpus.size))]
    for content, score in scores.items():
        assert score == pytest.approx(expected[contents.index(content)], abs=1e-5)


def test_a_cue_can_be_left_out(corpus):
    text = "did Ada sail the dinghy"
    without = tuple(cue for cue in CUES if cue != "speaker")
    every, some = ask(corpus, text), ask(corpus, text, cues=without)
    best = cues(corpus, text)["best"]
    bonus = WEIGHTS["speaker"] * best
    assert every["Ada: Yes, it leaks."] - some["Ada: Yes, it leaks."] == pytest.approx(
        bonus, abs=2e-5
    )
    assert every["Bo: Tar helps."] == some["Bo: Tar helps."]


def test_an_unknown_cue_is_an_error():
    with pytest.raises(UnknownNameError, match="window"):
        registry.make("retriever", "lexical(cues=('tone',))")


def test_a_run_has_the_scores_of_its_rows(corpus):
    index = registry.make("retriever", "lexical").index(corpus)
    query = Query("tar for the dinghy", memlab.open(corpus.place.root, now="2025-06-01").now())
    run = index.search(query, depth=9)
    np.testing.assert_allclose(index.score(query, run.rows), run.scores, atol=1e-5)
