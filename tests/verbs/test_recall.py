import pytest

import memlab
from memlab.errors import ParameterError, StoreError

LOG = "memory/2025-11-27.md"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    root = tmp_path_factory.mktemp("notes")
    (root / "memory").mkdir()
    (root / "memory" / "2025-10-28.md").write_text(
        "## Retain\n- W @Peter: tea in October\n", encoding="utf-8"
    )
    (root / LOG).write_text(
        "## Retain\n- O(c=0.9) @Peter @Andy: tea is best\n- B @[The Castle]: tea was bought\n"
        "- W @ThisIsNotRaw: port 9077\n",
        encoding="utf-8",
    )
    (root / "memory.md").write_text("Undated tea.\n", encoding="utf-8")
    with memlab.open(root, now="2025-11-27", refresh="never") as opened:
        opened.refresh()
        yield opened


def contents(found):
    return sorted(hit.fact.content for hit in found)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, ["Undated tea.", "tea in October", "tea is best", "tea was bought"]),
        ({"kinds": ["opinion"]}, ["tea is best"]),
        ({"kinds": ["O", "b"]}, ["tea is best", "tea was bought"]),
        ({"entities": ["peter"]}, ["tea in October", "tea is best"]),
        ({"entities": ["Peter", "@Andy"]}, ["tea is best"]),
        ({"entities": ["the-castle"]}, ["tea was bought"]),
        ({"since": "30d"}, ["tea in October", "tea is best", "tea was bought"]),
        ({"since": "29d"}, ["tea is best", "tea was bought"]),
        ({"until": "2025-10-31"}, ["tea in October"]),
        ({"since": "2025-11-01", "until": "2025-11-26"}, []),
        ({"k": 1, "kinds": ["opinion"]}, ["tea is best"]),
    ],
)
def test_filters_bound_the_answer(workspace, filters, expected):
    assert contents(workspace.recall("tea", **filters)) == expected


def test_undated_facts_that_a_window_leaves_out_are_counted(workspace):
    assert workspace.recall("tea", since="30d").notes == ("1 undated fact was left out",)
    assert workspace.recall("tea").notes == ()


def test_hits_are_ranked_from_one_with_falling_scores(workspace):
    found = workspace.recall("tea", retriever="lexical")
    assert [hit.rank for hit in found] == [1, 2, 3, 4]
    order = [(-hit.score, hit.fact.id) for hit in found]
    assert order == sorted(order)
    assert all(hit.trace == {"lexical": (hit.rank, hit.score)} for hit in found)


def test_k_hits_are_the_first_of_more(workspace):
    assert workspace.recall("tea", k=2).hits == workspace.recall("tea", k=4).hits[:2]


def test_an_unknown_entity_gives_no_hits_and_a_note_with_near_names(workspace):
    found = workspace.recall("tea", entities=["Petar"])
    assert (found.hits, found.notes) == ((), ("no entity 'Petar'; near it: Peter",))


def test_a_budget_takes_whole_facts_only(workspace):
    """The shortest citation and content is "Undated tea. memory.md#L1\\n": 26 bytes, 7 tokens."""
    assert contents(workspace.recall("tea", max_tokens=7)) == ["Undated tea."]
    assert len(workspace.recall("tea", max_tokens=6)) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"query": ""}, "the query is empty"),
        ({"query": " \n"}, "the query is empty"),
        ({"k": 0}, "k must be at least 1, got 0"),
        ({"kinds": ["x"]}, "no kind 'x'"),
        ({"since": "soon"}, "since: 'soon' is no day"),
        ({"since": "2025-11-27", "until": "2025-11-26"}, "lies after until"),
        ({"max_tokens": 0}, "max_tokens must be at least 1"),
        ({"now": "noon"}, "'noon' is no moment"),
        ({"retriever": "leksical"}, "no retriever 'leksical'"),
        ({"refresh": "often"}, "no refresh policy 'often'"),
    ],
)
def test_a_parameter_that_is_not_usable_is_an_error(workspace, arguments, message):
    with pytest.raises(ParameterError, match=message):
        workspace.recall(**{"query": "tea", **arguments})


@pytest.mark.parametrize(
    ("query", "hits"),
    [("tea?", 4), ('"tea', 4), ("-tea", 4), ("tea'; DROP TABLE docs; --", 4), ("🙂 tea", 4),
     ("🙂", 0), ("x", 0), ("NOT tea", 4), ("tea*", 4), ("9077", 1), ("\\", 0)],
)  # fmt: skip
def test_a_query_is_words_and_never_operators(workspace, query, hits):
    assert len(workspace.recall(query)) == hits


def test_the_function_is_the_method(workspace):
    assert memlab.recall(workspace, "tea") == workspace.recall("tea")


def test_without_an_index_never_is_an_error_that_tells_the_command(pages):
    with (
        memlab.open(pages({})) as opened,
        pytest.raises(StoreError, match=r"there is no index yet\. Run: memlab index"),
    ):
        opened.recall("tea", refresh="never")
