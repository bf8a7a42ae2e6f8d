"""Made-up workspaces: repeatable, and true to what they claim."""

import hashlib

import pytest

import memlab
from memlab import synth
from memlab.errors import ParameterError, WriteError
from memlab.evaluation.datasets.own import Own
from memlab.evaluation.lines import Lines, resolve
from memlab.types import Source


@pytest.fixture
def made(tmp_path):
    return synth.generate(tmp_path / "small", facts=300, days=20, people=5, questions=50, seed=3)


def digest(folder):
    files = sorted(
        file for file in folder.rglob("*") if file.is_file() and ".memory" not in file.parts
    )
    return [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]


def line(truth, source):
    cited = Source.parse(source)
    text = (truth.workspace / cited.path).read_text(encoding="utf-8")
    return text.splitlines()[cited.start - 1]


def test_one_seed_gives_one_workspace(tmp_path):
    for name, seed in (("a", 7), ("b", 7), ("c", 8)):
        synth.generate(tmp_path / name / "w", facts=100, seed=seed)
    a, b, c = (digest(tmp_path / name) for name in "abc")
    assert a == b != c


def test_every_event_is_one_fact(made):
    with memlab.open(made.workspace) as workspace:
        assert workspace.corpus().size == made.facts == 300
        assert workspace.corpus().troubles() == []


def test_each_judged_line_is_a_fact(made):
    data = Own(str(made.questions)).load()
    with memlab.open(made.workspace) as workspace:
        lines = Lines(workspace.corpus())
    qrels = resolve(data.judgments, lines, made.workspace)
    assert {fact for grades in qrels.values() for fact in grades} <= lines.facts
    assert len(data.questions) == 50
    assert set(made.categories) <= {"current", "past", "opinion", "event", "unanswerable"}


def test_only_the_latest_line_answers_a_question_about_now(made):
    data = Own(str(made.questions)).load()
    for question in data.questions:
        if question.category == "current":
            judged = [j for j in data.judgments if j.question == question.id]
            best = max(judged, key=lambda j: (j.source.path, j.source.start))
            assert [j for j in judged if j.grade] == [best]


def test_a_change_names_both_its_lines(made):
    assert made.changes
    for change in made.changes:
        assert change.after in line(made, change.source)
        assert change.before in line(made, change.replaces)
        assert change.before != change.after


def test_it_refuses_to_write_over_anything(made):
    with pytest.raises(WriteError, match="there already"):
        synth.generate(made.workspace)


@pytest.mark.parametrize("wrong", [{"facts": 0}, {"days": 0}, {"people": 1}, {"questions": -1}])
def test_numbers_are_checked(tmp_path, wrong):
    with pytest.raises(ParameterError, match="at least"):
        synth.generate(tmp_path / "w", **wrong)
