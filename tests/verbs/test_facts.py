"""All facts as a table: ``facts()`` and ``memlab facts``."""

import csv
import io
import json

import pandas as pd
import pytest
from click.testing import CliRunner

import memlab
from memlab.cli import main
from memlab.errors import ParameterError

LOGS = {
    "memory/2025-01-10.md": "## Retain\n- W @Peter: lives in Berlin\n- B @Anna @Peter: at tea\n",
    "memory/2025-02-10.md": "## Retain\n- O(c=0.9) @Peter: prefers green tea\n",
    "memory/2025-03-10.md": "## Retain\n- W @Peter: moved to Lisbon\n",
    "memory.md": "Peter drinks tea.\n",
}
BERLIN, LISBON = "memory/2025-01-10.md#L2", "memory/2025-03-10.md#L2"


@pytest.fixture
def root(pages):
    return pages(LOGS)


@pytest.fixture
def workspace(root):
    with memlab.open(root, now="2025-12-31") as opened:
        yield opened


@pytest.fixture
def command(root):
    def run(*words):
        done = CliRunner().invoke(main, ["--workspace", str(root), "facts", *words])
        return done.exit_code, done.stdout, done.stderr

    return run


def test_each_fact_is_a_row_in_the_order_of_the_pages(workspace):
    facts = workspace.facts()
    assert facts["source"].is_monotonic_increasing
    assert len(facts) == 5
    row = facts[facts["source"] == "memory/2025-02-10.md#L2"].iloc[0]
    assert row["kind"] == "opinion"
    assert row["entities"] == ("Peter",)
    assert row["confidence"] == 0.9
    assert row["day"] == pd.Timestamp("2025-02-10")
    assert facts["day"].isna().sum() == 1


def test_a_fact_tells_which_one_took_its_place(workspace):
    by = workspace.facts().set_index("source")["superseded_by"].dropna()
    assert by.to_dict() == {BERLIN: LISBON}


def test_as_of_a_day_there_is_nothing_later(workspace):
    facts = workspace.facts(as_of="2025-02-28")
    assert set(facts["source"].str[:17]) == {"memory/2025-01-10", "memory/2025-02-10"}
    assert facts["superseded_by"].isna().all()


def test_facts_are_about_all_entities_that_are_named(workspace):
    assert len(workspace.facts(entities=["Peter"])) == 5
    assert workspace.facts(entities=["peter", "Anna"])["content"].tolist() == ["at tea"]


def test_an_entity_that_nobody_knows_is_an_error_that_names_near_ones(workspace):
    with pytest.raises(ParameterError, match=r"no entity 'Petra'.*Near it: Peter"):
        workspace.facts(entities=["Petra"])


def test_the_command_prints_a_line_a_fact(command):
    code, out, _ = command("--kind", "W", "--since", "2025-01-01")
    assert code == 0
    assert out.splitlines() == [
        f"{BERLIN}  world  lives in Berlin (superseded by {LISBON})",
        f"{LISBON}  world  moved to Lisbon",
    ]


def test_the_command_prints_csv(command):
    rows = list(csv.DictReader(io.StringIO(command("--csv", "--entity", "Anna")[1])))
    assert [row["entities"] for row in rows] == ["Anna; Peter"]
    assert rows[0]["id"].startswith("f-")


def test_the_command_prints_json(command):
    found = json.loads(command("--json")[1])
    assert [one["day"] for one in found] == [
        None,
        "2025-01-10",
        "2025-01-10",
        "2025-02-10",
        "2025-03-10",
    ]
    assert found[1]["superseded_by"] == LISBON
    assert found[4]["confidence"] is None


def test_the_command_tells_that_there_are_none(command):
    assert command("--since", "2026-01-01") == (0, "", "memlab: no facts\n")
    assert command("--csv", "--json")[0] == 2
