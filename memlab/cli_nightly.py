"""``memlab schedule``: what to copy into a scheduler, to reflect every night."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memlab.cli_common import as_json, print_json, with_workspace

if TYPE_CHECKING:
    from memlab.api import Workspace


@click.command()
@click.option("--at", default="03:30", show_default=True, metavar="TIME", help="Local time.")
@click.option("--since", default="7d", show_default=True, metavar="WHEN", help="As of reflect.")
@click.option("--output", metavar="DIR", help="Where reports go; reports by default.")
@as_json
@with_workspace
def schedule(
    workspace: Workspace, *, at: str, since: str, output: str | None, as_json: bool
) -> None:
    """Print a cron line, systemd units and an OpenClaw heartbeat task; nothing is installed."""
    from memlab import notebooks
    from memlab.verbs.schedule import schedule as made

    found = notebooks.find("reflect")
    reports = Path(output) if output else found.path.parent.parent / "reports"
    beside = Path(sys.executable).with_name("memlab")
    program = [str(beside)] if beside.is_file() else [sys.executable, "-m", "memlab.cli"]
    done = made(
        program, workspace.root, found.path.absolute(), reports.absolute(), at=at, since=since
    )
    print_json(done.to_dict()) if as_json else click.echo(done.to_text())
