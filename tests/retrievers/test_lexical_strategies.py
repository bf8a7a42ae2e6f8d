"""Every lexical strategy against BM25 written out plainly, on random corpora."""

import datetime as dt
from collections import Counter
from math import log, log10

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import memlab
from memlab import registry
from memlab.retrievers import bm25, postings
from memlab.types import Query, TimeRange

LOG = "memory/2025-11-27.md"
K1, B = 1.2, 0.75
DAY = len("27 November 2025".split())
# words that stemming leaves as they are, the first of them in nearly every fact
WORDS = ["tea", "milk", "boat", "rain", "moss", "fog", "tar"]
FREE = ("lexical", "duckdb-fts", "bm25s")  # k1 and b are free
EXTRAS = {"tantivy": "tantivy", "bm25s": "bm25s"}


def idf_lucene(n, df):
    return log(1 + (n - df + 0.5) / (df + 0.5))


def idf_duckdb(n, df):
    return log10((n - df + 0.5) / (df + 0.5) + 1)


def idf_sqlite(n, df):
    return max(log((n - df + 0.5) / (df + 0.5)), 1e-6)


STRATEGIES = {
    "lexical": idf_lucene,
    "bm25s": idf_lucene,
    "tantivy": idf_lucene,
    "duckdb-fts": idf_duckdb,
    "sqlite-fts5": idf_sqlite,
}


@pytest.fixture(params=STRATEGIES, scope="module")
def strategy(request):
    if module := EXTRAS.get(request.param):
        pytest.importorskip(module, reason="needs the extra 'lexical'")
    return request.param


def plain_bm25(facts, terms, idf):
    """Text to score, by the formula alone; each fact has the words of its day beside its own."""
    counts = [Counter(fact.split()) for fact in facts]
    average = DAY + sum(len(fact.split()) for fact in facts) / len(facts)
    scores = {}
    for fact, tf in zip(facts, counts, strict=True):
        norm = K1 * (1 - B + B * (DAY + len(fact.split())) / average)
        scores[fact] = sum(
            idf(len(facts), sum(term in count for count in counts))
            * tf[term] * (K1 + 1) / (tf[term] + norm)
            for term in set(terms)
        )  # fmt: skip
    return {fact: score for fact, score in scores.items() if any(t in fact.split() for t in terms)}


def open_with(folder, facts):
    (folder / "memory").mkdir(parents=True, exist_ok=True)
    (folder / LOG).write_text("".join(f"- {fact}\n" for fact in facts))
    return memlab.open(folder, now="2025-11-30", refresh="always")


def search(workspace, strategy, text, depth=10, **filters):
    corpus = workspace.corpus()
    index = registry.make("retriever", strategy).index(corpus)
    run = index.search(Query(text, workspace.now(), **filters), depth=depth)
    index.close()
    found = [fact.content for fact in corpus.facts(run.rows)]
    return list(zip(found, run.scores.tolist(), strict=True))


facts_ = st.lists(
    st.lists(st.sampled_from([*WORDS, "tea", "tea"]), min_size=1, max_size=9).map(" ".join),
    min_size=1, max_size=30, unique=True,
)  # fmt: skip


@settings(max_examples=15)
@given(facts=facts_, terms=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4))
def test_scores_are_those_of_the_formula(strategy, tmp_path_factory, facts, terms):
    with open_with(tmp_path_factory.mktemp("notes"), facts) as workspace:
        spec = f"{strategy}(k1={K1}, b={B})" if strategy in FREE else strategy
        found = dict(search(workspace, spec, " ".join(terms), depth=len(facts)))
    expected = plain_bm25(facts, terms, STRATEGIES[strategy])
    assert found == pytest.approx(expected, abs=2e-5)


@pytest.mark.parametrize("dense", [0, 1, 1000])
@settings(max_examples=30)
@given(facts=facts_, terms=st.lists(st.sampled_from(WORDS), min_size=1), depth=st.integers(1, 6))
def test_a_short_run_is_the_head_of_a_long_one(tmp_path_factory, dense, facts, terms, depth):
    """The frequent terms are passed over where they cannot matter, and so change nothing."""
    with (
        open_with(tmp_path_factory.mktemp("notes"), facts * 3) as workspace,
        pytest.MonkeyPatch.context() as patch,
    ):
        long = search(workspace, "lexical", " ".join(terms), depth=1000)
        # so that each term is one of those that may be passed over
        patch.setattr(bm25, "_BATCH", 1)
        patch.setattr(postings, "_DENSE", dense)
        assert search(workspace, "lexical", " ".join(terms), depth=depth) == long[:depth]


def test_filters_bound_every_strategy(strategy, pages):
    notes = pages(
        {
            LOG: "## Retain\n- W @Ada: tea\n- B @Bo: tea\n",
            "memory/2025-11-20.md": "## Retain\n- W @Ada: tea with milk\n",
        }
    )
    with memlab.open(notes, now="2025-11-30") as workspace:
        day = TimeRange.day(dt.date(2025, 11, 27))
        assert {text for text, _ in search(workspace, strategy, "tea", window=day)} == {"tea"}
        about = search(workspace, strategy, "tea", depth=1, entities=("bo",))
        assert [text for text, _ in about] == ["tea"]
        assert len(search(workspace, strategy, "tea")) == 3


def test_generated_lines_are_not_found(strategy, pages):
    part = "<!-- memlab:begin summary 000000 -->\ntea\n<!-- memlab:end summary -->\n"
    with memlab.open(pages({"bank/entities/Ada.md": f"# Ada\n{part}"})) as workspace:
        assert search(workspace, strategy, "tea") == []


def test_a_query_without_a_known_word_finds_nothing(strategy, pages):
    with memlab.open(pages({LOG: "- tea\n"})) as workspace:
        for text in ("🙂", "coffee", "-", '"'):
            assert search(workspace, strategy, text) == []


def test_an_empty_workspace_is_searched_in_vain(strategy, tmp_path):
    with memlab.open(tmp_path) as workspace:
        assert search(workspace, strategy, "tea") == []


def test_a_damaged_index_is_built_again(strategy, pages):
    with memlab.open(pages({LOG: "- tea\n- milk\n"})) as workspace:
        before = search(workspace, strategy, "tea")
        for derived in workspace.place.folder.glob("index-*"):
            if derived.suffix in (".duckdb", ".arrays"):
                continue
            for file in derived.rglob("*") if derived.is_dir() else [derived]:
                if file.is_file():
                    file.write_bytes(b"\0")
        assert search(workspace, strategy, "tea") == before


TALK = "# Talk\n" + "".join(
    f"- {speaker}: {said}\n"
    for speaker, said in [
        ("Ada", "where did you go"), ("Bo", "to the boat"), ("Ada", "nice"), ("Bo", "fog all day"),
        ("Ada", "rain here"), ("Bo", "moss"), ("Ada", "tar"), ("Bo", "milk"),
    ]
)  # fmt: skip


def scored(notes, spec, text):
    with memlab.open(notes, now="2025-11-30") as workspace:
        return dict(search(workspace, spec, text))


def test_in_a_conversation_a_fact_gets_a_share_of_its_neighbours(pages):
    notes = pages({LOG: TALK})
    (alone,) = scored(notes, "lexical(neighbours=(), cues=())", "boat").values()
    assert scored(notes, "lexical(neighbours=(0.3, 0.15), cues=())", "boat") == {
        "Bo: to the boat": alone,
        "Ada: where did you go": round(0.3 * alone, 5),
        "Ada: nice": round(0.3 * alone, 5),
        "Bo: fog all day": round(0.15 * alone, 5),
    }


def test_the_better_neighbour_counts_and_pages_are_apart(pages):
    notes = pages({LOG: TALK, "memory/2025-11-28.md": TALK.replace("tar", "boat boat")})
    alone = scored(notes, "lexical(neighbours=(), context=False, cues=())", "moss rain")
    found = scored(notes, "lexical(neighbours=(0.5,), context=False, cues=())", "moss rain")
    rain, moss = alone["Ada: rain here"], alone["Bo: moss"]
    assert found["Ada: rain here"] == pytest.approx(rain + 0.5 * moss, abs=1e-5)
    assert found["Bo: moss"] == pytest.approx(moss + 0.5 * rain, abs=1e-5)
    assert "Ada: where did you go" not in found


def test_notes_that_are_no_conversation_are_scored_fact_by_fact(pages):
    notes = pages({LOG: "- Milk: two litres\n- Tea: none\n- Tar: some\n- Moss: ask Bo\n- boat\n"})
    assert scored(notes, "lexical", "tea").keys() == {"Tea: none"}


def test_headings_and_days_are_context(pages):
    notes = pages({LOG: "# Boat trip\n\n## Retain\n- W: tea\n", "memory/2025-10-02.md": "- milk\n"})
    assert scored(notes, "lexical", "boat").keys() == {"tea"}
    assert scored(notes, "lexical", "in October").keys() == {"milk"}
    assert scored(notes, "lexical", "retain") == {}
    assert scored(notes, "lexical(context=False)", "boat") == {}


def test_function_words_count_only_where_there_is_nothing_else(pages):
    notes = pages({LOG: "- what is it\n- tea for two\n"})
    assert scored(notes, "lexical", "what is for tea").keys() == {"tea for two"}
    assert scored(notes, "lexical", "what is it?").keys() == {"what is it"}
