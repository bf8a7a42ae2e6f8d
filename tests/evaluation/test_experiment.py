"""Experiments over a workspace whose right figures can be counted by hand."""

import hashlib
import json

import pandas as pd
import pytest

import memlab
from memlab.errors import ParameterError, UnknownNameError
from memlab.evaluation.datasets.own import Own
from memlab.evaluation.experiment import experiment
from memlab.evaluation.model import StaleJudgmentError

MEASURES = ["recall@1", "recall@10", "MRR@10"]


@pytest.fixture
def run(notes, tmp_path):
    def run(systems, **options):
        options = {"reports": tmp_path / "reports", "budgets": [20, 500], **options}
        return experiment(systems, Own(str(notes)), MEASURES, k=1, depth=10, **options)

    return run


def test_figures_are_those_counted_by_hand(run, in_order):
    """In order: paragraph, three items, row. q1's answer is second; q2's are first and fifth."""
    table = run({"in order": in_order}).table(intervals=False)
    assert table.loc["in order"].to_dict() == {
        "recall@1": pytest.approx((0 + 1 / 2) / 2),
        "recall@10": 1.0,
        "MRR@10": pytest.approx((1 / 2 + 1) / 2),
        "unjudged@1": pytest.approx(1 / 2),
    }


def test_an_arm_that_failed_is_shown_as_failed(run, in_order, broken):
    report = run({"good": in_order, "bad": broken, "typo": "lexicl"}, baseline="good")
    assert report.table().loc["bad"].tolist() == ["failed"] * 4
    assert report.by_category()["bad"].isna().all()
    assert report.curve().columns.tolist() == ["good", "bad", "typo"]
    assert "bad: failed: RuntimeError: no luck today" in report.notes()
    assert any("no retriever 'lexicl'" in note for note in report.notes())


def test_all_arms_may_fail(run, broken):
    report = run({"bad": broken})
    assert report.table().loc["bad"].tolist() == ["failed"] * 4
    assert report.worst().empty
    report.to_markdown()


def test_questions_without_answer_are_left_out_and_counted(run, in_order):
    report = run(in_order)
    assert set(report.by_question["question"]) == {"q1", "q2"}
    assert "1 of 3 questions have no answer: left out" in report.notes()


def test_bundles_pack_whole_facts(run, in_order):
    """20 tokens hold the item that answers q1 or the paragraph, not both."""
    curve = run({"a": in_order}).curve()["a"]
    assert curve[500] == 1.0
    assert curve[20] < 1.0


def test_the_worst_question_comes_first_with_what_was_found_instead(run, in_order):
    worst = run(in_order).worst(n=1)
    assert worst["question"].tolist() == ["q1"]
    assert worst["wanted"].tolist() == ["memory/2025-11-27.md#L6 (2)"]
    assert worst["found"][0].startswith("memory/2025-11-27.md#L3-L4")


def test_a_saved_run_is_read_back(run):
    first, second = run("lexical"), run("lexical")
    assert [arm.reused for arm in first.arms + second.arms] == [False, True]
    pd.testing.assert_frame_equal(first.summary, second.summary)
    assert not run("lexical", reuse=False).arms[0].reused


def test_a_saved_run_is_not_read_back_after_an_edit(run, notes):
    run("lexical")
    page = notes.with_name("notes") / "memory" / "2025-11-28.md"
    page.write_text("- Peter came back from Graz\n", encoding="utf-8")
    assert not run("lexical").arms[0].reused


def test_two_runs_of_one_seed_are_byte_identical(run, tmp_path, in_order):
    digests = []
    for name in ("one", "two"):
        systems = {"lexical": "lexical", "in order": in_order}
        run(systems, output=tmp_path / name, reports=None, seed=7)
        names = ("measures.parquet", "questions.parquet", "qrels.trec", "runs/01-lexical.trec")
        files = [(tmp_path / name / file).read_bytes() for file in names]
        digests.append([hashlib.sha256(file).hexdigest() for file in files])
    assert digests[0] == digests[1]


def test_pytrec_eval_finds_the_same_in_the_saved_files(run, tmp_path, in_order):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    report = run({"a": in_order}, output=tmp_path / "out", reports=None)
    with (
        (tmp_path / "out/qrels.trec").open() as qrels,
        (tmp_path / "out/runs/01-a.trec").open() as found,
    ):
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(qrels), {"recip_rank"})
        theirs = evaluator.evaluate(pytrec_eval.parse_run(found))
    own = report.by_question.query("measure == 'MRR@10'").set_index("question")["value"]
    assert {q: theirs[q]["recip_rank"] for q in own.index} == pytest.approx(own.to_dict())


def test_runs_gives_all_of_them(run, tmp_path, in_order, broken):
    run("lexical")
    run({"mine": in_order, "bad": broken})
    table = memlab.runs(tmp_path / "reports")
    assert table["run"].nunique() == 2
    assert set(table["system"]) == {"lexical", "mine", "bad"}
    assert table.query("system == 'bad'")["status"].unique().tolist() == ["failed"]
    assert memlab.runs(tmp_path / "nowhere").empty


def test_the_manifest_says_what_was_run(run, tmp_path, in_order):
    run({"mine": in_order}, output=tmp_path / "out")
    record = json.loads((tmp_path / "out" / "experiment.json").read_text(encoding="utf-8"))
    assert record["arms"][0]["label"] == "mine"
    assert record["measures"][:3] == MEASURES
    assert (tmp_path / "out" / "run.json").is_file()


def test_stale_judgments_stop_the_experiment(run, notes):
    page = notes.with_name("notes") / "memory" / "2025-11-27.md"
    page.write_text(page.read_text(encoding="utf-8").replace("Graz", "Wien"), encoding="utf-8")
    with pytest.raises(StaleJudgmentError, match="q1"):
        run("lexical")


def test_the_workspace_is_left_as_it_was(run, notes):
    run("lexical")
    derived = notes.with_name("notes") / ".memory"
    assert [
        file for file in derived.iterdir() if "fts" in file.name or "building" in file.name
    ] == []


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"k": 0}, ParameterError),
        ({"k": 20}, ParameterError),
        ({"baseline": "x"}, UnknownNameError),
    ],
)
def test_knobs_are_checked(notes, options, error):
    with pytest.raises(error):
        experiment("lexical", Own(str(notes)), **{"depth": 10, "reports": None, **options})


def test_two_systems_of_one_label_are_refused(run):
    with pytest.raises(ParameterError, match="two systems"):
        run(["lexical", "lexical"])


def test_a_class_of_a_notebook_cell_is_a_system(run):
    @memlab.retriever("shortest")
    class Shortest:
        longest: bool = False

        def index(self, corpus):
            return _ByLength(corpus, self.longest)

    assert run(Shortest).table(intervals=False).index.tolist() == ["shortest"]
    assert run("shortest(longest=True)").arms[0].status == "done"


class _ByLength:
    def __init__(self, corpus, longest):
        self.corpus, self.longest = corpus, longest

    def search(self, query, *, depth):
        rows = self.corpus.select(query)
        facts = self.corpus.facts(rows)
        sized = [(len(fact.content), row) for fact, row in zip(facts, rows, strict=True)]
        ranked = sorted((size if self.longest else -size, int(row)) for size, row in sized)[::-1]
        from memlab.retrievers.base import run_of

        return run_of("by-length", [(row, float(score)) for score, row in ranked[:depth]])

    def close(self):
        pass


def test_a_run_that_breaks_the_contract_fails_its_arm(run):
    class Rising(_ByLength):
        def search(self, query, *, depth):
            found = super().search(query, depth=depth)
            return memlab.Run("rising", found.rows, found.scores[::-1].copy())

    class Retriever:
        def index(self, corpus):
            return Rising(corpus, longest=False)

    report = run({"rising": Retriever()})
    assert "do not fall" in report.notes()[0]


def test_the_default_is_what_the_environment_says(run, monkeypatch):
    monkeypatch.setenv("MEMLAB_EMBEDDING", "none")
    (words,) = run("default").arms
    assert "dense" not in words.system.spec
    assert words.status == "done"
    monkeypatch.setenv("MEMLAB_EMBEDDING", "no-such-model")
    with pytest.raises(UnknownNameError, match="no-such-model"):
        run("dense").arms[0].system.retriever()
