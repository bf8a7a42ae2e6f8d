"""Notebooks as programs: their parameters, their runs, and what a run leaves."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import memlab
from memlab import cli, manifest, notebooks, parameters
from memlab.errors import MissingExtraError, ParameterError, UnknownNameError
from memlab.evaluation.saved import read_parquet
from memlab.verbs.nightly import Turn

CELL = """\
k: int = 10  # at most so many hits
since: str | None = None  # first day
dry_run: bool = False  # write nothing
depths: list[int] = [1, 5]  # each a column
weight: float = 0.5  # ære # og mere
"""


def a_notebook(place: Path, *cells: str) -> Path:
    made = [
        {"cell_type": "code", "id": f"c{number}", "source": cell, "outputs": [],
         "execution_count": None, "metadata": {"tags": ["parameters"]} if number == 0 else {}}
        for number, cell in enumerate(cells)
    ]  # fmt: skip
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    text = {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    place.write_text(json.dumps(text), encoding="utf-8")
    return place


@pytest.fixture
def notebook(tmp_path):
    return notebooks.find(a_notebook(tmp_path / "trial.ipynb", CELL))


def test_parameters_are_read_with_their_types_and_comments():
    assert parameters.parse(CELL) == [
        parameters.Parameter("k", "int", 10, "at most so many hits"),
        parameters.Parameter("since", "str | None", None, "first day"),
        parameters.Parameter("dry_run", "bool", default=False, help="write nothing"),
        parameters.Parameter("depths", "list[int]", [1, 5], "each a column"),
        parameters.Parameter("weight", "float", 0.5, "ære # og mere"),
    ]


@pytest.mark.parametrize(
    "cell", ["k = 10", "k: int", "k: int = len('a')", "print(1)", "k: int = ("]
)
def test_a_cell_of_anything_else_is_refused(tmp_path, cell):
    with pytest.raises(ParameterError, match=r"odd\.ipynb: cannot be read as a notebook"):
        notebooks.find(a_notebook(tmp_path / "odd.ipynb", cell))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cells": [{}]}', '{"cells": 3}'])
def test_a_file_that_is_no_notebook_is_refused(tmp_path, text):
    (tmp_path / "odd.ipynb").write_text(text, encoding="utf-8")
    with pytest.raises(ParameterError, match="cannot be read as a notebook"):
        notebooks.find(tmp_path / "odd.ipynb")


def test_values_not_given_are_the_defaults(notebook):
    assert notebook.check({"k": 3}) == {
        "k": 3, "since": None, "dry_run": False, "depths": [1, 5], "weight": 0.5
    }  # fmt: skip


def test_an_unknown_parameter_is_an_error_that_names_the_known_ones(notebook):
    with pytest.raises(
        UnknownNameError, match="Known: depths, dry_run, k, since, weight"
    ) as caught:
        notebook.check({"kk": 3})
    assert caught.value.name == "kk"


@pytest.mark.parametrize(
    ("name", "value"),
    [("k", "3"), ("k", True), ("k", None), ("since", 7), ("dry_run", 1), ("depths", 5)],
)
def test_a_value_of_another_type_is_an_error(notebook, name, value):
    with pytest.raises(ParameterError, match=f"{name} must be"):
        notebook.check({name: value})


@pytest.mark.parametrize(
    ("name", "word", "value"),
    [
        ("k", "3", 3),
        ("since", "7d", "7d"),
        ("since", "7", "7"),
        ("since", "none", None),
        ("dry_run", "TRUE", True),
        ("depths", "[1, 2]", [1, 2]),
        ("weight", "1", 1),
    ],
)
def test_words_of_the_command_line_are_read_by_type(notebook, name, word, value):
    assert notebook.read({name: word}) == {name: value}


@pytest.mark.parametrize(("name", "word"), [("k", "x"), ("k", "0.5"), ("dry_run", "7")])
def test_a_word_that_means_no_value_is_an_error(notebook, name, word):
    with pytest.raises(ParameterError, match=f"{name} must be"):
        notebook.read({name: word})


def test_an_unknown_notebook_is_an_error_that_names_the_known_ones():
    with pytest.raises(UnknownNameError, match=r"Known: .*reflect"):
        notebooks.find("reflekt")


def test_without_papermill_the_extra_is_named(monkeypatch, notebook):
    monkeypatch.setattr(notebooks.importlib.util, "find_spec", {"nbconvert": 1}.get)
    with pytest.raises(MissingExtraError, match=r"pip install 'memlab\[notebooks\]'"):
        notebooks.run(notebook)


def test_two_runs_within_a_second_have_folders_of_their_own(tmp_path):
    import datetime as dt

    moment = dt.datetime(2025, 11, 30, 1, 2, 3, tzinfo=dt.timezone(dt.timedelta(hours=1)))
    names = [manifest.new_folder(tmp_path, "reflect", moment).name for _ in range(3)]
    assert names == ["20251130T000203Z", "20251130T000203Z-2", "20251130T000203Z-3"]


def test_facts_are_a_table_in_the_order_of_the_pages(tiny):
    with memlab.open(tiny, now="2025-11-30") as workspace:
        facts = workspace.facts()
        assert len(facts) == workspace.status()["facts"]
        recent = workspace.facts(since="3d", kinds=["W"])
    assert list(facts.source) == sorted(facts.source, key=memlab.Source.parse)
    assert facts.index.is_unique
    assert str(facts.day.dtype).startswith("datetime64")
    assert list(recent.source) == ["memory/2025-11-27.md#L7", "memory/2025-11-27.md#L11"]


@pytest.fixture
def papermill():
    return pytest.importorskip("papermill", reason="needs extra 'notebooks'")


@pytest.mark.usefixtures("papermill")
def test_the_notebook_of_reflect_writes_pages_and_leaves_its_report(tiny, tmp_path):
    words = ["--workspace", str(tiny), "--now", "2025-11-30", "notebook", "run", "reflect"]
    options = ["-p", "dry_run=false", "--output", str(tmp_path / "reports")]
    done = CliRunner().invoke(cli.main, [*words, *options], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    (folder,) = (tmp_path / "reports" / "reflect").iterdir()
    assert done.stdout == f"{folder}\n"
    assert {file.name for file in folder.iterdir()} == {
        "reflect.ipynb", "reflect.html", "run.json", "reflect.diff", "steps.parquet",
        "confidence.svg", "facts-by-day.svg",
    }  # fmt: skip

    record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert record["parameters"] == {
        "workspace": str(tiny), "since": None, "dry_run": False, "now": "2025-11-30",
        "output": str(folder),
    }  # fmt: skip
    assert record["status"] == "done"
    assert record["notebook"] == "reflect"
    assert record["versions"]["memlab"] == memlab.__version__
    assert {"python", "duckdb", "papermill"} <= record["versions"].keys()
    assert record["start"] < record["end"]
    assert record["machine"]["architecture"]
    assert {"commit", "dirty"} <= record.keys()
    assert re.fullmatch(r"[0-9a-f]{64}", record["fingerprints"]["notebook"])

    diff = (folder / "reflect.diff").read_text(encoding="utf-8")
    assert "+++ b/bank/entities/Peter.md" in diff
    assert "memlab:begin summary" in (tiny / "bank/entities/Peter.md").read_text(encoding="utf-8")
    page = (folder / "reflect.html").read_text(encoding="utf-8")
    assert "a second reflect would change 0" in page
    assert not re.search(r"(?:src|href)=[\"']?https?://|import .{0,40}https?://", page)


@pytest.mark.usefixtures("papermill")
def test_a_nightly_run_beside_another_stops_with_a_code_of_its_own(tiny, tmp_path):
    words = ["--workspace", str(tiny), "notebook", "run", "reflect", "-p", "dry_run=false"]
    before = {file: file.read_bytes() for file in tiny.rglob("*.md")}
    with memlab.open(tiny) as workspace:
        turn = Turn(workspace)
        done = CliRunner().invoke(cli.main, [*words, "--output", str(tmp_path / "reports")])
        turn.over()
    assert done.exit_code == 4
    assert "BusyError" in done.stderr
    assert "another nightly run is at work on this workspace (process" in done.stderr
    assert {file: file.read_bytes() for file in tiny.rglob("*.md")} == before
    (folder,) = (tmp_path / "reports" / "reflect").iterdir()
    record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert record["status"] == "failed"


@pytest.mark.usefixtures("papermill")
def test_the_notebook_of_opinion_drift_leaves_tables_and_figures(harbour, tmp_path):
    pytest.importorskip("sklearn", reason="needs extra 'embeddings'")
    given = {
        "workspace": str(harbour),
        "scenarios": ["flipping"],
        "updaters": ["small"],
        "stories": 2,
    }
    done = notebooks.run("opinion_drift", given, reports=tmp_path)
    tables = {"measures.parquet", "curves.parquet", "workspace.parquet"}
    figures = {"trajectories", "changes", "reliability", "order", "workspace", "history"}
    assert {file.name for file in done.folder.iterdir()} == {
        "opinion_drift.ipynb", "opinion_drift.html", "run.json", *tables,
        *(f"{name}.svg" for name in figures),
    }  # fmt: skip
    measures = read_parquet(done.folder / "measures.parquet")
    assert list(measures["form"]) == ["given", "rules", "reflect"]
    assert measures["changes"].tolist() == [4, 4, 4]
    own = read_parquet(done.folder / "workspace.parquet")
    assert own["opinion"].nunique() > 5
    assert not (harbour / "bank" / "opinions.md").read_text(encoding="utf-8").count("memlab:begin")


@pytest.mark.usefixtures("papermill")
@pytest.mark.parametrize(
    ("option", "error", "code"),
    [("since=soon", "ParameterError: since: 'soon' is no day", 2),
     ("workspace=/no/such/folder", "WorkspaceError: /no/such/folder", 1)],
)  # fmt: skip
def test_a_nightly_run_that_fails_exits_as_its_error_does(tiny, tmp_path, option, error, code):
    words = ["--workspace", str(tiny), "notebook", "run", "reflect", "-p", option]
    done = CliRunner().invoke(cli.main, [*words, "--output", str(tmp_path / "reports")])
    assert done.exit_code == code
    assert error in done.stderr
    assert done.stdout == ""


@pytest.mark.usefixtures("papermill")
def test_a_cell_that_fails_is_an_error_and_what_ran_is_kept(tmp_path):
    place = a_notebook(tmp_path / "trial.ipynb", CELL, "print(k)", "half = k / 0\nprint(half)")
    with pytest.raises(
        notebooks.NotebookError, match=r"ZeroDivisionError: .*'half = k / 0'"
    ) as error:
        notebooks.run(place, {"k": 71}, reports=tmp_path / "reports")
    folder = error.value.folder
    record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert record["status"] == "failed"
    assert "ZeroDivisionError" in record["error"]
    assert record["parameters"]["k"] == 71
    assert "71" in (folder / "trial.html").read_text(encoding="utf-8")


def test_notebooks_are_listed_with_their_parameters():
    done = CliRunner().invoke(cli.main, ["notebook", "list"], catch_exceptions=False)
    assert "reflect: Reflect" in done.stdout
    assert "dry_run=True" in done.stdout
    rows = json.loads(CliRunner().invoke(cli.main, ["notebook", "list", "--json"]).stdout)
    assert [row["name"] for row in rows] == sorted(row["name"] for row in rows)


def test_a_parameter_without_a_value_is_refused():
    done = CliRunner().invoke(cli.main, ["notebook", "run", "reflect", "-p", "dry_run"])
    assert done.exit_code == 2
    assert "Write -p KEY=VALUE" in done.stderr
