"""Draft, pool, judge: one's own notes as a test set, through the command line."""

import json

import pytest
from click.testing import CliRunner

from memlab.cli import main


@pytest.fixture
def cli(notes, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MEMLAB_DATA", raising=False)

    def cli(*words, code=0):
        done = CliRunner().invoke(main, ["--workspace", str(notes.with_name("notes")), *words])
        assert done.exit_code == code, done.output
        return done.output

    return cli


def read(file):
    return file.read_text(encoding="utf-8").splitlines()


def test_a_draft_is_answered_by_its_own_lines(cli, tmp_path):
    cli("eval", "init", "mine.queries.jsonl", "--count", "4")
    drafted = [json.loads(line) for line in read(tmp_path / "mine.queries.jsonl")]
    assert [row["category"] for row in drafted] == ["day", "kind", "day", "kind"]
    out = json.loads(cli("eval", "run", "lexical", "--questions", "mine.queries.jsonl", "--json"))
    found = {row["measure"]: row["value"] for row in out["measures"] if row["category"] == "all"}
    assert found["recall@10"] == 1.0


def test_two_drafts_of_one_seed_are_the_same_and_none_is_overwritten(cli, tmp_path):
    for name in ("a", "b"):
        cli("eval", "init", f"{name}.queries.jsonl", "--count", "3", "--seed", "5")
    assert read(tmp_path / "a.queries.jsonl") == read(tmp_path / "b.queries.jsonl")
    assert "there already" in cli("eval", "init", "a.queries.jsonl", code=1)


def test_marks_become_judgments(cli, tmp_path):
    cli("eval", "pool", "lexical", "--questions", "notes.queries.jsonl", "--depth", "3")
    pool = tmp_path / "pool.txt"
    marked = [line.replace("? ", "+ ", 1) if line.startswith("? ") else line for line in read(pool)]
    hits = sum(line.startswith("+ ") for line in marked)
    assert hits > 0
    pool.write_text("\n".join(marked), encoding="utf-8")
    before = read(tmp_path / "notes.qrels.tsv")
    cli("eval", "judge", "pool.txt", "--questions", "notes.queries.jsonl")
    after = read(tmp_path / "notes.qrels.tsv")
    assert after[0].split("\t") == ["query", "source", "grade", "quote", "fact"]
    assert after[1 : len(before)] == before[1:]
    assert len(after) == len(before) + hits
    # what is judged is not pooled again, nor added twice
    again = cli("eval", "judge", "pool.txt", "--questions", "notes.queries.jsonl")
    assert "0 judgments added" in again


def test_marks_on_words_that_changed_are_refused_and_nothing_is_written(cli, notes, tmp_path):
    cli("eval", "pool", "lexical", "--questions", "notes.queries.jsonl", "--depth", "5")
    pool = tmp_path / "pool.txt"
    pool.write_text("\n".join(line.replace("? ", "- ", 1) for line in read(pool)), encoding="utf-8")
    assert "Andy kept the keys" in pool.read_text(encoding="utf-8")
    page = notes.with_name("notes") / "memory" / "2025-11-27.md"
    page.write_text(page.read_text(encoding="utf-8").replace("Andy", "Pete"), encoding="utf-8")
    qrels = (tmp_path / "notes.qrels.tsv").read_bytes()
    words = ["eval", "judge", "pool.txt", "--questions", "notes.queries.jsonl"]
    assert "have changed" in cli(*words, code=1)
    assert (tmp_path / "notes.qrels.tsv").read_bytes() == qrels


def test_a_line_of_a_pool_that_cannot_be_read_is_named(cli, tmp_path):
    (tmp_path / "pool.txt").write_text("[q1] who\n* what is this\n", encoding="utf-8")
    out = cli("eval", "judge", "pool.txt", "--questions", "notes.queries.jsonl", code=1)
    assert "pool.txt:2" in out


def test_a_failed_system_is_an_exit_code(cli):
    words = ["eval", "run", "lexical", "nope", "--questions", "notes.queries.jsonl"]
    out = cli(*words, code=1)
    assert "| nope | failed |" in out
    assert "no retriever 'nope'" in out
    assert "nope  recall@10 failed" in cli("eval", "runs")


def test_datasets_are_listed_with_what_is_missing(cli):
    out = cli("datasets")
    assert "harbour" in out
    assert "set MEMLAB_DATA" in out
    assert "240 questions" in cli("datasets", "harbour")
    cli("datasets", "locomo", code=1)
    rows = json.loads(cli("datasets", "harbour", "--json"))["datasets"]
    assert rows[0]["faults"] == {}
