import json
import subprocess
import sys

import pytest

from memlab.cli import main

LOG = "memory/2025-11-27.md"


@pytest.fixture
def memlab(tiny, capsys):
    """Runs a command over the tiny workspace: its exit code, standard output and error."""

    def run(*words):
        try:
            main(["--workspace", str(tiny), "--now", "2025-11-30", *words])
        except SystemExit as done:
            code = done.code
        else:
            code = 0
        return code, *capsys.readouterr()

    return run


def test_context_prints_what_an_agent_sees_and_nothing_else(memlab):
    code, out, err = memlab("context", "paper fair in Graz", "--max-tokens", "800")
    assert code == 0
    assert out.startswith("<memory_blocks>\n")
    assert out.endswith("</facts>\n")
    assert f"[{LOG}#L7 · world · 2025-11-27/2025-11-30 · @Peter]\n" in out
    assert err.splitlines()[0].endswith(" of 800 tokens")


def test_context_as_json_is_that_of_the_library(memlab):
    words = ("context", "paper fair in Graz", "-k", "1", "--share", "0", "--around", "1")
    found = json.loads(memlab(*words, "--json")[1])
    assert found["core"] == ""
    assert found["text"] == memlab(*words)[1]
    assert (found["max_tokens"], found["counter"]) == (2000, "bytes4")
    assert len(found["recall"]["hits"]) == 1


def test_context_explains_on_standard_error(memlab):
    words = ("context", "paper fair in Graz", "--max-tokens", "800")
    plain, told = memlab(*words), memlab(*words, "--explain")
    assert told[1] == plain[1]
    assert told[2].startswith("retriever  ")
    assert told[2].endswith(plain[2])


def test_recall_explains_below_its_hits(memlab):
    words = ("recall", "paper fair in Graz", "-k", "2")
    plain, told = memlab(*words)[1], memlab(*words, "--explain")[1]
    table = told.removeprefix(plain).lstrip("\n").splitlines()
    assert told.startswith(plain)
    assert table[0].startswith("retriever  ")
    assert any(line.startswith(f"1  {LOG}#L7") and "#1 " in line for line in table)


def test_recall_in_a_budget_names_its_counter_and_what_it_cut(memlab):
    words = ("--max-tokens", "30", "--counter", "words", "--explain", "--no-join")
    _, out, err = memlab("recall", "Peter tea Graz answers", *words)
    assert " of 30 tokens (words)" in out
    assert "\ncut " in out
    assert err == ""


def test_recall_abstains_where_it_is_asked_to(memlab):
    question = "Which wrestling champion coached the opera singers of Graz?"
    doubted, none = memlab("recall", question), memlab("recall", question, "--abstain")
    assert doubted[1].splitlines()[-1].startswith("> nothing in the notes answers this (confid")
    assert none[:2] == (0, "")
    assert none[2].splitlines()[-1] == "memlab: no hits"
    assert "memlab: nothing in the notes answers this" in none[2]


def test_a_recall_loads_no_more_than_it_needs(memlab, tiny):
    """Once the index stands, a process spends its time on imports: none may creep in."""
    question = ["--workspace", str(tiny), "recall", "paper fair"]
    memlab("recall", "paper fair")  # what is derived stands now
    code = f"""if True:
        import numpy, sys
        before = {{*sys.modules}}
        from memlab.cli import main
        try:
            main({question!r})
        finally:
            print(*sys.modules.keys() - before, file=sys.stderr)
    """
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, encoding="utf-8"
    )
    loaded = set(done.stderr.split())
    assert "Graz" in done.stdout
    assert "memlab.retrievers.bm25" in loaded
    few_ask = {"numpy.ma", "html", "tomllib", "memlab.explain", "memlab.opinions.ledger"}
    of_time = {"memlab.workspace.window_forms", "icu", "regex"}  # for questions of a time alone
    assert loaded.isdisjoint(
        few_ask | of_time | {"duckdb", "pandas", "yaml", "markdown_it", "difflib"}
    )
