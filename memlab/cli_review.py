"""``memlab conflicts`` and ``memlab proposals``: what a person looks over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from memlab.cli_common import as_json, print_json, with_workspace

if TYPE_CHECKING:
    from memlab.api import Workspace


@click.command()
@click.option("--since", metavar="WHEN", help="Only those that came up then or later.")
@click.option("--until", metavar="WHEN", help="Only those that came up then or earlier.")
@click.option("--open", "only_open", is_flag=True, help="Only those that no later day settles.")
@as_json
@with_workspace
def conflicts(
    workspace: Workspace, *, since: str | None, until: str | None, only_open: bool, as_json: bool
) -> None:
    """List facts that cannot both hold, by the day on which that came up."""
    found = workspace.conflicts(since=since, until=until)
    found = [one for one in found if not (only_open and one.settled)]
    if as_json:
        print_json([one.to_dict() for one in found])
        return
    for one in found:
        click.echo(f"{one.newer.day}  {one}")
    if not found:
        click.echo("memlab: no conflicts", err=True)
