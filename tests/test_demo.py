"""The demo's answers, without its notebooks; `make demo` runs all of it."""

import pytest

import memlab
from examples import demo


@pytest.fixture
def workspace(harbour):
    with memlab.open(harbour, now=demo.NOW) as opened:
        yield opened


def test_each_answer_cites_the_expected_line(workspace, capsys):
    assert demo.ask(workspace)
    assert "✗" not in capsys.readouterr().out


def test_what_is_retained_is_found_and_a_second_reflect_changes_nothing(workspace):
    assert demo.retain(workspace)
    assert demo.reflect(workspace)


def test_a_wrong_citation_is_seen(workspace, monkeypatch):
    (kind, query, filters, _), *_ = demo.QUESTIONS
    monkeypatch.setattr(demo, "QUESTIONS", [(kind, query, filters, "memory.md#L1")])
    assert not demo.ask(workspace)
