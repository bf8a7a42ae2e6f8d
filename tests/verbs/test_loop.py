import pytest

import memlab
from examples import control_loop
from memlab.verbs.loop import Step, converse, scripted


@pytest.fixture
def workspace(pages):
    with memlab.open(pages({"memory.md": "## Rules\n\nbe brief\n"}), now="2025-11-27") as opened:
        yield opened


def test_what_is_written_in_a_turn_stands_in_the_prompt_of_the_next(workspace):
    script = [
        Step((("core_append", {"label": "rules", "content": "be kind"}),), "{0}"),
        Step((("core_burn", {}),), "{line}", find="kind"),
    ]
    first, second = converse(workspace, scripted(script), ["one", "two"])
    assert "be kind" not in first.core
    assert first.reply == "rules: 16 of 5000 characters"
    assert "be brief\nbe kind" in second.core
    assert second.reply == "be kind"
    assert second.calls[0][2].startswith("error: no tool 'core_burn'")


def test_a_model_that_only_calls_tools_is_stopped(workspace):
    endless = [Step((("core_view", {"label": "rules"}),) * 100)]
    (turn,) = converse(workspace, scripted(endless), ["one"], steps=3)
    assert (len(turn.calls), turn.reply) == (3, "")


def test_the_example_runs_offline(capsys):
    control_loop.main([])
    out = capsys.readouterr().out
    assert "-> kept: memory/2025-11-30.md#L20" in out
    assert "DKK 23,118 is paid on 1 December" in out
    assert out.endswith(f"   = {control_loop.RULE}\n")
