import io
import json
import subprocess
import sys

import pytest
from filelock import FileLock

from memlab import api
from memlab.cli import main
from memlab.errors import MissingExtraError
from memlab.store.place import Place

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


def test_index_says_what_it_did(memlab):
    assert memlab("index")[:2] == (0, "7 pages, 26 facts, 3 entities (7 parsed, 0 removed)\n")
    code, out, err = memlab("index")
    assert (code, out) == (0, "7 pages, 26 facts, 3 entities (nothing changed)\n")
    assert err.startswith(f"memlab: {LOG}#L13: no Retain bullet, kept as experience")
    full = json.loads(memlab("index", "--full", "--json")[1])
    assert (full["pages"], full["parsed"], full["removed"]) == (7, 7, 0)


def test_recall_prints_words_with_their_citations(memlab):
    code, out, err = memlab("recall", "paper fair in Graz", "-k", "1")
    assert (code, err) == (0, "")
    assert (
        out.splitlines()[0] == "1. He is in Graz from November 27 to 30, 2025, for the paper fair."
    )
    assert out.splitlines()[1].startswith(
        f"   [{LOG}#L7 · world · 2025-11-27/2025-11-30 · @Peter] "
    )


def test_recalls_json_has_the_documented_shape(memlab):
    code, out, err = memlab("recall", "short answers", "--json", "--k", "2", "--since", "30d")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert list(found) == ["query", "now", "hits", "notes", "answered", "confidence"]
    assert found["query"] == "short answers"
    assert list(found["hits"][0]) == [
        "kind", "timestamp", "entities", "content", "source", "score", "id", "origin", "confidence",
    ]  # fmt: skip
    assert found["hits"][0]["source"] == "memory/2025-11-26.md#L20"


def test_recalls_options_are_those_of_the_verb(memlab):
    words = ("recall", "answers", "--kind", "O", "--entity", "pete", "--until", "2025-11-26",
             "--max-tokens", "100", "--retriever", "lexical(k1=0.9)", "--refresh", "always",
             "--json")  # fmt: skip
    assert [hit["confidence"] for hit in json.loads(memlab(*words)[1])["hits"]] == [0.6]


def test_nothing_found_is_success_and_is_said_on_standard_error(memlab):
    assert memlab("recall", "zeppelin") == (0, "", "memlab: no hits\n")
    code, out, err = memlab("recall", "tea", "--entity", "Petar")
    assert (code, out) == (0, "")
    assert err.splitlines()[0].startswith("memlab: no entity 'Petar'; near it: Pete")
    assert json.loads(memlab("recall", "zeppelin", "--json")[1])["hits"] == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("recall", ""), "memlab: the query is empty"),
        (("recall", "x", "--k", "0"), "memlab: k must be at least 1, got 0"),
        (("recall", "x", "--k", "many"), "Invalid value"),
        (("recall", "x", "--since", "soon"), "memlab: since: 'soon' is no day"),
        (("recall", "x", "--kind", "Q"), "memlab: no kind 'Q'"),
        (("recall", "x", "--retriever", "leksical"), "memlab: no retriever 'leksical'"),
        (("recall", "x", "--now", "noon"), "memlab: 'noon' is no moment"),
        (("recall", "x", "--colour"), "No such option"),
        (("recall",), "Missing argument 'QUERY'"),
        (("rekall", "x"), "No such command"),
        (("show", "nonsense"), "memlab: 'nonsense' is no citation"),
        (("show", f"{LOG}#L99"), f"memlab: {LOG}#L99: nothing stands there"),
        (("retain", "X @Peter: x"), "memlab: it is no Retain bullet"),
    ],
)
def test_bad_input_is_exit_code_2_and_one_message(memlab, words, message):
    code, out, err = memlab(*words)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_a_missing_workspace_is_exit_code_1(memlab, tmp_path):
    code, out, err = memlab("status", "--workspace", str(tmp_path / "absent"))
    assert (code, out) == (1, "")
    assert "does not exist" in err


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (MissingExtraError("dense recall", extra="dense"), 3, "pip install 'memlab[dense]'"),
        (KeyboardInterrupt(), 130, ""),
        (BrokenPipeError(), 141, ""),
    ],
)
def test_other_ends_have_their_exit_codes(memlab, monkeypatch, error, code, message):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(api.Workspace, "recall", fail)
    monkeypatch.setattr(sys, "stderr", io.StringIO()) if code == 141 else None
    found, out, err = memlab("recall", "x")
    assert (found, out) == (code, "")
    assert message in err


def test_options_may_stand_before_or_after_the_command(tiny, memlab):
    before = memlab("recall", "Graz", "--json")
    after = memlab("recall", "Graz", "--json", "--workspace", str(tiny), "--now", "2025-11-30")
    assert before == after


def test_retain_then_show_then_reflect(memlab):
    code, out, _ = memlab("retain", "W @Peter: has a new press")
    source, fact = out.splitlines()[0].split()
    assert (code, source) == (0, "memory/2025-11-30.md#L4")
    assert out.splitlines()[1] == "- W @Peter: has a new press"
    code, out, _ = memlab("show", fact)
    assert out.splitlines()[:2] == [source, "    4  - W @Peter: has a new press"]
    assert json.loads(memlab("show", source, "--json")[1])["facts"][0]["id"] == fact
    code, out, err = memlab("reflect", "--dry-run")
    assert code == 0
    assert "+- has a new press (2025-11-30, " in out
    assert "would write bank/entities/Peter.md" in err
    code, out, _ = memlab("reflect", "--since", "7d", "--json")
    written = json.loads(out)
    assert written["written"] is True
    assert "bank/entities/Peter.md" in [change["path"] for change in written["changes"]]
    assert memlab("reflect")[:2] == (0, "nothing to change\n")


def test_retain_reads_standard_input_and_parts(memlab, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("W @Peter: from a pipe\n"))
    assert memlab("retain", "-")[1].splitlines()[1] == "- W @Peter: from a pipe"
    words = ("retain", "is best", "--entity", "tea", "--confidence", "0.9", "--day", "2025-11-27")
    done = json.loads(memlab(*words, "--json")[1])
    assert (done["source"], done["bullet"]) == (f"{LOG}#L14", "- O(c=0.9) @tea: is best")
    assert done["id"].startswith("f-")


def test_status_is_for_people_or_programs(memlab):
    code, out, _ = memlab("status")
    assert code == 0
    assert "facts      26: " in out
    assert json.loads(memlab("status", "--json")[1])["facts"] == 26


def test_never_without_an_index_is_exit_code_1(memlab):
    code, _, err = memlab("status", "--refresh", "never")
    assert code == 1
    assert "there is no index yet" in err


def test_while_another_builds_the_index_before_is_served_where_that_is_asked_for(
    tiny, memlab, monkeypatch
):
    memlab("index")
    (tiny / "memory/2025-11-29.md").write_text("a zeppelin landed\n", encoding="utf-8")
    real = Place.lock
    monkeypatch.setattr(Place, "lock", lambda place, timeout=0.1, **_: real(place, timeout=timeout))
    with FileLock(tiny / ".memory/lock"):
        for words in (["--busy", "serve", "recall"], ["recall", "--busy", "serve"]):
            code, out, err = memlab(*words, "zeppelin paper", "-k", "30")
            assert code == 0
            assert "paper" in out
            assert "zeppelin" not in out
            assert err == "memlab: another process is at work: as of its last index\n"
        code, out, err = memlab("index", "--busy", "serve")
        assert (code, out) == (0, "7 pages, 26 facts, 3 entities (nothing changed)\n")
        assert "another process is at work" in err
        code, _, err = memlab("recall", "zeppelin")
        assert (code, "another process has been writing" in err) == (4, True)
    assert "zeppelin" in memlab("--busy", "serve", "recall", "zeppelin")[1]


@pytest.mark.parametrize(
    "words", [["recall", "paper"], ["status"], ["index"], ["show", f"{LOG}#L7"]]
)
def test_what_was_damaged_is_built_again_and_told(tiny, memlab, words):
    memlab("index")
    (snapshot,) = (tiny / ".memory").glob("*.duckdb")
    (snapshot.with_suffix(".arrays") / "tie.npy").unlink()
    code, _, err = memlab(*words)
    assert code == 0
    assert err.count(f"memlab: {snapshot.name}: built again: it is damaged") == 1
    assert "built again" not in memlab(*words)[2]


def test_doctor_fails_only_with_a_fault(memlab, monkeypatch):
    code, out, _ = memlab("doctor")
    assert code == 0
    assert "note   pages: memory/2025-11-27.md#L13: no Retain bullet" in out

    def missing(_):
        raise MissingExtraError("full text search", extra="fts")

    monkeypatch.setattr("memlab.store.duck.load_fts", missing)
    code, out, _ = memlab("doctor", "--json")
    states = {check["name"]: check["state"] for check in json.loads(out)["checks"]}
    assert (code, states["full text"]) == (1, "fault")


def test_help_lists_the_commands(memlab):
    code, out, _ = memlab("--help")
    assert code == 0
    listed = [line.split()[0] for line in out.partition("Commands:")[2].splitlines() if line]
    assert listed[:7] == ["index", "status", "recall", "retain", "reflect", "show", "doctor"]


def test_a_pipe_that_closes_early_is_no_traceback(harbour):
    command = f"{sys.executable} -m memlab.cli --workspace {harbour} recall tidewire --k 500 --json"
    program = "from memlab.cli import main; main()"
    words = [sys.executable, "-c", program, *command.split()[3:]]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.read(1)
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
