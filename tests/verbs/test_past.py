"""What was known on a day: ``recall(as_of=)``."""

import datetime as dt

import pytest
from click.testing import CliRunner

import memlab
from memlab import registry
from memlab.cli import main
from memlab.errors import MissingExtraError, ParameterError
from memlab.types import Origin, Query
from memlab.workspace import parts

LOGS = {
    "memory/2025-01-10.md": "## Retain\n- W @Peter: lives in Berlin near the tea house\n",
    "memory/2025-02-10.md": "## Retain\n- O(c=0.9) @Peter: prefers green tea\n- B @Anna: tea\n",
    "memory/2025-03-10.md": "## Retain\n- W @Peter: moved to Lisbon, no tea house\n",
    "memory.md": "Peter drinks tea.\n",
    "memory/notes/tea.md": "Tea kinds that Peter knows.\n",
    "bank/entities/Peter.md": parts.append("# Peter\n", "summary", "- Peter and tea, in short"),
}


@pytest.fixture
def workspace(pages):
    with memlab.open(pages(LOGS), now="2025-12-31") as opened:
        yield opened


def sources(found):
    return sorted(str(hit.source) for hit in found)


def day(text):
    return dt.date.fromisoformat(text)


@pytest.mark.parametrize(
    ("as_of", "expected"),
    [
        ("2025-01-09", []),
        ("2025-01-10", ["memory/2025-01-10.md#L2"]),
        ("2025-02-28", ["memory/2025-01-10.md#L2", "memory/2025-02-10.md#L2",
                        "memory/2025-02-10.md#L3"]),
        ("2099-01-01", ["memory/2025-01-10.md#L2", "memory/2025-02-10.md#L2",
                        "memory/2025-02-10.md#L3", "memory/2025-03-10.md#L2"]),
    ],
)  # fmt: skip
def test_dated_pages_up_to_the_day_and_nothing_else(workspace, as_of, expected):
    assert sources(workspace.recall("tea", as_of=as_of)) == expected
    assert sources(workspace.recall("tea", as_of=day(as_of))) == expected


@pytest.mark.parametrize("retriever", registry.names("retriever"))
def test_no_retriever_knows_better(workspace, retriever):
    spec = "dense(embedding='tfidf-svd')" if retriever == "dense" else retriever
    for as_of in ("2025-01-09", "2025-02-10"):
        for text in ("what tea does Peter prefer", "tea since January"):
            try:
                found = workspace.recall(text, as_of=as_of, retriever=spec)
            except MissingExtraError as error:
                pytest.skip(str(error))
            assert all(hit.fact.day and hit.fact.day <= day(as_of) for hit in found)


def test_it_bounds_what_since_and_until_leave(workspace):
    found = workspace.recall("tea", as_of="2025-02-28", since="2025-02-01")
    assert sources(found) == ["memory/2025-02-10.md#L2", "memory/2025-02-10.md#L3"]
    assert sources(workspace.recall("tea", as_of="2025-02-28", since="2025-03-01")) == []
    found = workspace.recall("tea", as_of="2025-02-28", until="2025-01-31", kinds=["world"])
    assert sources(found) == ["memory/2025-01-10.md#L2"]


def test_what_was_superseded_later_was_not_yet(workspace):
    spec = "lexical | succession"
    now = workspace.recall("Berlin", retriever=spec)
    assert [hit.fact.content[:8] for hit in now] == ["moved to", "lives in"]
    (then,) = workspace.recall("Berlin", retriever=spec, as_of="2025-02-28")
    assert then.fact.superseded_by is None


def test_generated_facts_are_out_whatever_is_asked_for(workspace):
    corpus = workspace.corpus()
    query = Query("", workspace.now(), origins=tuple(Origin))
    assert any(f.origin is Origin.GENERATED for f in corpus.facts(corpus.select(query)))
    then = Query("", workspace.now(), origins=tuple(Origin), as_of=day("2025-12-30"))
    assert {f.origin for f in corpus.facts(corpus.select(then))} == {Origin.WRITTEN}


def test_undated_facts_are_counted_and_a_day_before_all_is_told(workspace):
    found = workspace.recall("tea", as_of="2025-01-09")
    assert found.notes == ("no page is of 2025-01-09 or earlier", "2 undated facts were left out")
    assert found.to_dict()["as_of"] == "2025-01-09"
    assert "as_of" not in workspace.recall("tea").to_dict()


def test_the_clock_goes_back_with_the_day(workspace):
    found = workspace.recall("tea", as_of="2025-02-15", since="10d")
    assert found.now.date() == day("2025-02-15")
    assert sources(found) == ["memory/2025-02-10.md#L2", "memory/2025-02-10.md#L3"]
    assert workspace.recall("tea", as_of="2025-02-15", now="2025-02-20").now.day == 20
    assert workspace.recall("tea", as_of="2099-01-01").now.date() == day("2025-12-31")
    assert sources(workspace.recall("tea", as_of="300d", now="2025-12-31")) == [
        "memory/2025-01-10.md#L2", "memory/2025-02-10.md#L2", "memory/2025-02-10.md#L3",
    ]  # fmt: skip


@pytest.mark.parametrize("as_of", ["2025-02-30", "31 Feb 2025", "soonish", ""])
def test_what_is_no_day_is_an_error(workspace, as_of):
    with pytest.raises(ParameterError, match="as_of"):
        workspace.recall("tea", as_of=as_of)


def test_opinions_are_as_sure_as_they_were(workspace, pages):
    (fact,) = (hit.fact for hit in workspace.recall("green"))
    body = (
        "**0.60** · @Peter · updated 2025-04-05\n"
        f'- 2025-02-10 for {fact.id} → 0.90 "prefers green tea"\n'
        "- 2025-04-05 hand → 0.60"
    )
    held = parts.append("## Peter likes tea green\n", "opinion o-7h2kq3", body)
    pages({"bank/opinions.md": f"{held}\n## Tea is good for Peter\n"})
    workspace.refresh()
    statement = "bank/opinions.md#L1"

    def sure(as_of, **filters):
        found = workspace.recall("Peter tea", as_of=as_of, **filters)
        return {str(hit.source): hit.fact.confidence for hit in found}

    assert statement not in sure("2025-02-09")
    assert sure("2025-02-10")[statement] == 0.9
    assert sure("2025-04-05")[statement] == 0.6
    assert sure("2025-04-05", kinds=["opinion"])[statement] == 0.6
    for spec in ("duckdb-fts", "tantivy"):
        assert sure("2025-02-10", retriever=spec)[statement] == 0.9
    # a statement without a ledger has no day on which it began
    assert not any(source.endswith("#L7") for source in sure("2025-12-30"))
    assert statement not in sure("2025-04-05", since="2025-01-01")


def test_the_command_has_it(workspace):
    options = ["recall", "tea", "--workspace", str(workspace.root), "--as-of", "2025-01-31"]
    done = CliRunner().invoke(main, options)
    assert done.exit_code == 0
    assert "2025-01-10.md#L2" in done.output
    assert "2025-02-10.md" not in done.output
    assert CliRunner().invoke(main, [*options[:-1], "2025-02-30"]).exit_code == 2
