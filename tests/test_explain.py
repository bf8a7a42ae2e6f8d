import json

import pytest

import memlab

FUSED = "lexical + sqlite-fts5 | rrf | decay(half_life=3.0)"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    root = tmp_path_factory.mktemp("notes")
    (root / "memory").mkdir()
    (root / "memory" / "2025-11-20.md").write_text(
        "## Retain\n- W @Peter: black tea from Assam\n- W @Peter: tea\n", encoding="utf-8"
    )
    (root / "memory" / "2025-11-27.md").write_text(
        "## Retain\n- W @Andy: black tea with milk and far too much sugar in it\n", encoding="utf-8"
    )
    (root / "memory.md").write_text("- Black tea from Assam.\n- tea\n", encoding="utf-8")
    with memlab.open(root, now="2025-11-27", refresh="never", retriever="lexical") as opened:
        opened.refresh()
        yield opened


def test_nothing_is_explained_unless_asked(workspace):
    found = workspace.recall("black tea")
    assert found.explanation is None
    assert "explanation" not in found.to_dict()


def test_an_explanation_changes_no_answer(workspace):
    plain, told = (workspace.recall("black tea", explain=explain) for explain in (False, True))
    assert (told.hits, told.notes, told.confidence) == (plain.hits, plain.notes, plain.confidence)


def test_each_fact_has_the_rank_and_score_of_each_retriever_and_stage(workspace):
    found = workspace.recall("black tea", retriever=FUSED, explain=True)
    alone = {
        spec: {hit.fact.id: (hit.rank, hit.score) for hit in workspace.recall(
            "black tea", retriever=spec)}
        for spec in ("lexical", "sqlite-fts5")
    }  # fmt: skip
    explanation = found.explanation
    assert explanation.retriever == FUSED
    assert explanation.found == {"lexical": 5, "sqlite-fts5": 5}
    for one in explanation.facts:
        own = one.hit.fact.id
        assert one.hit.trace == {spec: ranks[own] for spec, ranks in alone.items()}
        assert set(one.stages) == {"rrf", "decay(half_life=3.0)"}
        assert one.stages["decay(half_life=3.0)"] == (one.hit.rank, one.hit.score)
    fused = {one.stages["rrf"][0] for one in explanation.facts}
    assert fused == {1, 2, 3, 4, 5}
    assert any(one.stages["rrf"][0] != one.hit.rank for one in explanation.facts)


def test_what_the_budget_cut_is_there_with_the_reason(workspace):
    found = workspace.recall("black tea", max_tokens=26, explain=True)
    explanation = found.explanation
    reasons = {str(one.hit.fact.source): one.cut for one in explanation.facts}
    assert [reason for reason in reasons.values() if reason.startswith("takes ")]
    assert "a copy of" in " ".join(reasons.values())
    assert {one.hit.fact.id for one in explanation.facts if not one.cut} == {
        fact.id for hit in found for fact in hit.facts or (hit.fact,)
    }
    assert sum(one.tokens for one in explanation.facts) == explanation.tokens <= 26
    assert [one.hit.rank for one in explanation.facts] == sorted(
        one.hit.rank for one in explanation.facts
    )


def test_a_joined_fact_names_the_citation_that_holds_it(workspace):
    found = workspace.recall("black tea", join=True, entities=["Peter"], explain=True)
    (hit,) = found
    first, second = found.explanation.facts
    assert {str(first.given), str(second.given)} == {"memory/2025-11-20.md#L2-L3"}
    assert (first.tokens > 0, second.tokens) == (True, 0)
    assert hit.source == first.given
    assert "in memory/2025-11-20.md#L2-L3" in found.explanation.to_text()


def test_evidence_names_the_words_that_are_missing(workspace):
    evidence = workspace.recall("black coffee", explain=True).explanation.evidence
    assert evidence.missing == ("coffe",)
    assert 0 < evidence.best < 1
    assert "missing: coffe" in str(evidence)


def test_as_text_it_is_a_table(workspace):
    text = workspace.recall("black tea", max_tokens=26, explain=True).explanation.to_text()
    lines = text.splitlines()
    assert lines[0] == "retriever  lexical"
    assert lines[1].startswith("evidence   confidence ")
    assert lines[2].startswith("budget     ")
    assert lines[2].endswith(" of 26 tokens (bytes4)")
    assert lines[3].split() == ["source", "lexical", "score", "tokens"]
    assert lines[4].startswith("1  ")
    assert " #1 " in lines[4]
    assert any(line.startswith("cut ") for line in lines)


def test_as_values_table_and_html(workspace):
    found = workspace.recall("black tea", retriever=FUSED, max_tokens=26, explain=True)
    values = found.to_dict()["explanation"]
    assert json.loads(json.dumps(values)) == values
    frame = found.explanation.to_frame()
    assert list(frame.index) == [one["rank"] for one in values["facts"]]
    for spec in ("lexical", "sqlite-fts5", "rrf", "decay(half_life=3.0)"):
        assert {f"{spec} rank", f"{spec} score"} <= set(frame.columns)
    assert list(frame["cut"]) == [one["cut"] for one in values["facts"]]
    shown = found._repr_html_()
    assert "lexical rank" in shown


def test_html_escapes_what_was_read_and_cited(pages):
    root = pages({"memory/<b>.md": "tea & <i>milk</i>\n"})
    with memlab.open(root) as opened:
        shown = opened.recall("tea <b>milk</b>", explain=True)._repr_html_()
    assert "<b>" not in shown
    assert "<i>" not in shown
    assert "&lt;b&gt;.md" in shown


def test_nothing_found_is_explained_too(workspace):
    found = workspace.recall("volcano", explain=True)
    assert found.explanation.facts == ()
    assert found.explanation.to_text().startswith("retriever  lexical\n")
    assert len(found.explanation.to_frame()) == 0
