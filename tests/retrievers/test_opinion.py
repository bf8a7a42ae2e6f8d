import pytest

import memlab
from memlab import registry
from memlab.errors import MemlabError
from memlab.types import Kind, Query

NOTES = {
    "bank/opinions.md": (
        "# Opinions\n\n## Peter prefers short replies\n"
        "<!-- memlab:begin opinion o-7h2kq3 {digest} -->\n"
        "**0.95** · @Peter · updated 2025-11-20\n"
        '- 2025-11-10 for {first} → 0.90 "Wants replies …"\n'
        '- 2025-11-20 against {second} → 0.95 "Asked for …"\n'
        "<!-- memlab:end opinion o-7h2kq3 -->\n\n"
        "## Ada thinks little of meetings\n\nSo she says.\n"
    ),
    "memory/2025-11-10.md": (
        "He put three messages into one and sent it.\n\n"
        "## Retain\n"
        "- B @Peter: Wants replies that fit on one screen\n"
        "- O(c=0.6) @Peter: tea is better than coffee\n"
        "- W @Peter: The tea came from Assam\n"
    ),
    "memory/2025-11-20.md": (
        "Over tea he said that coffee gives him a headache.\n\n"
        "## Retain\n"
        "- B @Peter: Asked for the long report this time\n"
        "- O(c=0.9) @Peter: tea is better than coffee by far\n"
        "- O(c=0.5) @Ada: tea is dull\n"
    ),
}


@pytest.fixture
def workspace(pages):
    from memlab.workspace import parts

    root = pages({path: text for path, text in NOTES.items() if path != "bank/opinions.md"})
    with memlab.open(root, now="2025-11-30") as opened:
        ids = {fact.content: fact.id for fact in opened.corpus().facts(range(8))}
        page = NOTES["bank/opinions.md"].format(
            digest="000000",
            first=ids["Wants replies that fit on one screen"],
            second=ids["Asked for the long report this time"],
        )
        body = "\n".join(page.splitlines()[4:7])
        pages({"bank/opinions.md": page.replace("000000", parts.digest(body))})
        opened.corpus("always")
        yield opened


def index_of(workspace, spec="opinion"):
    return registry.make("retriever", spec).index(workspace.corpus())


def search(workspace, text, spec="opinion", **filters):
    run = index_of(workspace, spec).search(Query(text, workspace.now(), **filters), depth=100)
    found = [fact.content for fact in workspace.corpus().facts(run.rows)]
    return dict(zip(found, run.scores.tolist(), strict=True))


ALONE = "opinion(evidence=0.0)"


def test_what_somebody_prefers_the_newest_and_surest_first(workspace):
    found = list(search(workspace, "What does Peter prefer, tea or coffee?", ALONE))
    assert found[:2] == ["tea is better than coffee by far", "tea is better than coffee"]
    assert found.index("tea is dull") > 1  # not about Peter


def test_opinions_alone_without_their_evidence(workspace):
    run = index_of(workspace, ALONE).search(
        Query("What does Peter think of tea?", workspace.now()), depth=100
    )
    assert {fact.kind for fact in workspace.corpus().facts(run.rows)} == {Kind.OPINION}


def test_the_ledger_of_a_statement_is_there(workspace):
    index = index_of(workspace)
    query = Query("What does Peter prefer, long or short replies?", workspace.now())
    row = int(index.search(query, depth=1).rows[0])
    held = index.held(row)
    assert (held.statement, held.confidence) == ("Peter prefers short replies", 0.95)
    assert [(entry.verb, str(entry.source)) for entry in held.evidence] == [
        ("for", "memory/2025-11-10.md#L4"), ("against", "memory/2025-11-20.md#L4"),
    ]  # fmt: skip
    assert str(held.updated) == "2025-11-20"
    assert index.held(row + 1000) is None


def test_evidence_for_and_against_follows_its_opinion(workspace):
    found = list(search(workspace, "Does Peter like short replies?"))
    assert found[0] == "Peter prefers short replies"
    assert {"Wants replies that fit on one screen", "Asked for the long report this time"} <= set(
        found[1:]
    )


def test_what_the_log_of_the_day_says_of_it_follows(workspace):
    found = list(search(workspace, "Does Peter like tea better than coffee?"))
    beside = "Over tea he said that coffee gives him a headache."
    assert found.index("tea is better than coffee by far") < found.index(beside)


@pytest.mark.parametrize(
    "text",
    ["What does Peter prefer?", "Peter's opinion of tea", "What would Ada rather drink?",
     "Does Ada like tea?", "Hvad synes Peter om te?", "Peter thích gì?", "پیٹر کو کیا پسند ہے؟",
     "Peter ဘာကြိုက်လဲ"],
)  # fmt: skip
def test_cues_of_many_languages(workspace, text):
    assert index_of(workspace).read(Query(text, workspace.now())).keys() == {"opinion"}
    if "Peter" in text or "Ada" in text:
        assert search(workspace, text)


@pytest.mark.parametrize(
    "text", ["", "Where does Peter live?", "What does the tea look like?", "Make sure of Ada"]
)
def test_a_question_that_asks_for_no_opinion_finds_none(workspace, text):
    assert search(workspace, text) == {}
    assert index_of(workspace).read(Query(text, workspace.now())) == {}


def test_where_only_opinions_are_asked_for_no_cue_is_needed(workspace):
    found = search(workspace, "tea", kinds=(Kind.OPINION,))
    assert set(found) == {
        "tea is better than coffee by far", "tea is better than coffee", "tea is dull",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["words", "evidence"])
def test_parameters_have_bounds(name):
    with pytest.raises(MemlabError, match=f"{name} must lie in 0 to 1, got -1"):
        registry.make("retriever", f"opinion({name}=-1)")
