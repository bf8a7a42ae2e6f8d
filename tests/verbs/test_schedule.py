"""What is printed is what each scheduler reads: read back by its own rules."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from memlab import cli
from memlab.errors import ParameterError
from memlab.verbs.schedule import schedule

ODD = '/home/ann/100% note\'s $HOME "x" \\ `y`'
PATHS = st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), min_size=1).map(
    lambda text: f"/{text}"
)


def made(workspace="/notes", **options):
    return schedule(
        ["/opt/memlab"], Path(workspace), Path("/nb/reflect.ipynb"), Path("/reports"), **options
    )


WORDS = [
    "/opt/memlab", "--workspace", "/notes", "notebook", "run", "/nb/reflect.ipynb", "-p",
    "since=7d", "-p", "dry_run=false", "--output", "/reports",
]  # fmt: skip


def cron_words(line):
    """Cron cuts five fields off, turns ``\\%`` into ``%``, and hands the rest to a shell."""
    command = line.split(" ", 5)[5]
    assert not re.search(r"(?<!\\)%", command)
    return shlex.split(command.replace(r"\%", "%"))


def systemd_words(service):
    """Systemd's words: in double quotes where need be, with C escapes, ``%%`` and ``$$``."""
    line = re.search(r"^ExecStart=(.*)$", service, re.MULTILINE)[1]
    words = re.findall(r'"(?:\\.|[^"\\])*"|[^ ]+', line)
    return [
        re.sub(r"\\(.)", r"\1", word[1:-1] if word.startswith('"') else word)
        .replace("%%", "%").replace("$$", "$")
        for word in words
    ]  # fmt: skip


def test_every_scheduler_runs_the_same_words():
    done = made(at="4:05", since="2w")
    words = [word.replace("7d", "2w") for word in WORDS]
    assert list(done.command) == words
    assert done.cron.startswith("5 4 * * * ")
    assert cron_words(done.cron) == words
    assert systemd_words(done.service) == words
    assert "OnCalendar=*-*-* 04:05:00\n" in done.timer
    assert f"`{shlex.join(words)}`" in done.heartbeat
    assert "Exit code 4" in done.heartbeat


@given(PATHS)
def test_a_path_of_any_characters_reads_back(path):
    done = made(path)
    assert cron_words(done.cron) == list(done.command)
    assert systemd_words(done.service) == list(done.command)


def test_an_odd_path_reads_back():
    done = made(ODD)
    assert cron_words(done.cron)[2] == ODD
    assert systemd_words(done.service)[2] == ODD
    assert "``" in done.heartbeat


@pytest.mark.parametrize("at", ["24:00", "3", "03:60", "noon", ""])
def test_what_is_no_time_of_day_is_refused(at):
    with pytest.raises(ParameterError, match="no time of day"):
        made(at=at)


def test_a_path_with_a_line_break_is_refused():
    with pytest.raises(ParameterError, match="line break"):
        made("/notes\n* * * * * rm")


def test_the_command_prints_all_three_and_changes_nothing(tiny):
    before = {file: file.read_bytes() for file in tiny.rglob("*.md")}
    done = CliRunner().invoke(
        cli.main, ["--workspace", str(tiny), "schedule", "--at", "23:15"], catch_exceptions=False
    )
    assert done.exit_code == 0
    assert "\n15 23 * * * " in done.stdout
    assert "[Timer]" in done.stdout
    assert "HEARTBEAT.md" in done.stdout
    assert str(tiny) in done.stdout
    assert {file: file.read_bytes() for file in tiny.rglob("*.md")} == before
