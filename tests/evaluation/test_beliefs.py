"""Opinions as tables, from the page and from git."""

import datetime as dt
import os
import shutil
import subprocess

import pandas as pd
import pytest

import memlab
from memlab.evaluation import beliefs, nightly_report
from memlab.opinions.page import Entry, Ledger
from memlab.workspace import parts

LOG = """\
## Retain

- O(c=0.7) @Peter: Peter likes tea
- B @Peter: Peter no longer drinks tea
"""
DAY = dt.date(2025, 11, 27)


def page(*entries, sure=None):
    ledger = Ledger(sure or entries[-1].confidence, ("Peter",), entries)
    part = parts.render("opinion o-7h2kq3", ledger.render())
    return f"# Opinions\n\n## Peter likes tea\n{part}\nRemarks, kept.\n"


def entry(day, verb, fact, sure):
    return Entry(dt.date(2025, 11, day), verb, fact, sure, "Peter no longer …" if fact else "")


@pytest.fixture
def ids(pages):
    with memlab.open(pages({"memory/2025-11-27.md": LOG})) as workspace:
        return list(workspace.facts().index)


@pytest.fixture
def workspace(pages, ids):
    text = page(entry(27, "for", ids[0], 0.7), entry(28, "against", ids[1], 0.61),
                entry(30, "hand", "", 0.9))  # fmt: skip
    root = pages({"memory/2025-11-27.md": LOG, "bank/opinions.md": text})
    with memlab.open(root, now="2025-11-30") as opened:
        yield opened


def test_each_line_of_a_ledger_is_a_step_with_what_was_before(workspace):
    table = beliefs.steps(workspace)
    assert list(table.columns) == list(beliefs.STEPS)
    assert list(table["verb"]) == ["for", "against", "hand"]
    assert table["before"].tolist()[1:] == [0.7, 0.61]
    assert table["before"].isna().tolist() == [True, False, False]
    assert table["confidence"].tolist() == [0.7, 0.61, 0.9]
    assert table["source"].tolist()[:2] == ["memory/2025-11-27.md#L3", "memory/2025-11-27.md#L4"]
    recent = beliefs.steps(workspace, since=dt.date(2025, 11, 30))
    assert recent[["verb", "before"]].to_numpy().tolist() == [["hand", 0.61]]


def test_only_steps_that_were_not_there_before_are_added(workspace):
    table = beliefs.steps(workspace)
    assert nightly_report.added(table, table).empty
    assert nightly_report.added(table.iloc[:2], table)["verb"].tolist() == ["hand"]
    assert len(nightly_report.added(table.iloc[:0], table)) == 3


def test_a_workspace_without_ledgers_has_no_steps(tiny):
    with memlab.open(tiny) as opened:
        table = beliefs.steps(opened)
        assert table.empty
        assert nightly_report.added(table, table).empty


def test_git_tells_what_each_commit_had(pages):
    if shutil.which("git") is None:
        pytest.skip("needs git")
    root = pages({"bank/opinions.md": page(entry(27, "for", "f-aaaaaaaaaaaa", 0.7))})

    def git(*words, day):
        stamp = f"{day}T12:00:00+00:00"
        clock = {"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp}
        who = ["-c", "user.name=a", "-c", "user.email=a@b"]
        command = [shutil.which("git"), "-C", root, *who, *words]
        subprocess.run(command, check=True, env={**os.environ, **clock})

    assert beliefs.history(root).empty
    git("init", "--quiet", day=DAY)
    assert beliefs.history(root).empty
    for day, sure in (("2025-11-27", 0.7), ("2025-12-02", 0.4)):
        pages({"bank/opinions.md": page(entry(27, "for", "f-aaaaaaaaaaaa", 0.7), sure=sure)})
        git("add", ".", day=day)
        git("commit", "--quiet", "-m", "night", day=day)
    table = beliefs.history(root)
    assert list(table.columns) == list(beliefs.HISTORY)
    assert table["confidence"].tolist() == [0.7, 0.4]
    assert [str(day.date()) for day in table["day"]] == ["2025-11-27", "2025-12-02"]
    assert set(table["opinion"]) == {"o-7h2kq3"}
    assert table["commit"].nunique() == 2


def test_strategies_are_compared_on_copies(workspace):
    before = {file: file.read_bytes() for file in workspace.root.rglob("*.md")}
    table = beliefs.replays(workspace.root, ["small", "hindsight"], ["rules"])
    assert {file: file.read_bytes() for file in workspace.root.rglob("*.md")} == before
    assert set(table["opinion"]) == {"o-7h2kq3"}
    found = beliefs.summary(table)
    assert list(found.index) == [("rules", "small"), ("rules", "hindsight")]
    # both end with the hand of the page, and only what was before it differs
    assert found["confidence"].tolist() == [0.9, 0.9]
    assert beliefs.replays(None, ["small"], ["rules"]).empty
    assert beliefs.summary(beliefs.replays(None, ["small"], ["rules"])).empty


def test_a_turn_is_a_step_across_a_half():
    rows = [("o-a", 0.7, 0.4), ("o-a", 0.4, 0.5), ("o-a", 0.5, 0.3), ("o-b", None, 0.2)]
    table = pd.DataFrame(rows, columns=["opinion", "before", "confidence"])
    (found,) = beliefs.summary(table.assign(detector="d", updater="u")).to_dict("records")
    assert found == {"opinions": 2, "steps": 4, "turns": 1, "confidence": (0.3 + 0.2) / 2}


def test_the_figure_has_a_line_for_each_opinion_that_moved_most(workspace):
    pytest.importorskip("matplotlib", reason="needs extra 'notebooks'")
    table = beliefs.steps(workspace)
    (axes,) = beliefs.plot(table).axes
    (label,) = axes.get_legend().get_texts()
    assert label.get_text() == "Peter likes tea"
    assert list(axes.lines[0].get_ydata()) == [0.7, 0.61, 0.9]
    (empty,) = beliefs.plot(table.iloc[:0]).axes
    assert not any(axes.get_visible() for axes in beliefs.plot_replays(table.iloc[:0]).axes)
    assert empty.get_title() == "no opinion has a ledger yet"


def test_a_report_of_the_same_night_has_the_same_bytes(workspace, tmp_path):
    pytest.importorskip("matplotlib", reason="needs extra 'notebooks'")
    pytest.importorskip("pyarrow", reason="needs extra 'eval'")
    for name in ("one", "two"):
        plan, table = workspace.reflect(dry_run=True), beliefs.steps(workspace)
        figures = {
            "confidence": beliefs.plot(table), "facts": nightly_report.facts_by_day(workspace)
        }  # fmt: skip
        nightly_report.keep(tmp_path / name, plan, table, **figures)
    files = sorted(file.name for file in (tmp_path / "one").iterdir())
    assert files == sorted([*nightly_report.NAMES.values(), "reflect.diff"])
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_facts_by_day_of_an_empty_workspace_is_an_empty_figure(pages):
    pytest.importorskip("matplotlib", reason="needs extra 'notebooks'")
    with memlab.open(pages({"notes.md": "undated\n"})) as opened:
        (axes,) = nightly_report.facts_by_day(opened).axes
    assert len(axes.patches) == 0
