"""``memlab reflect``, ``memlab opinions`` and ``memlab why``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from memlab.cli_common import SINCE, as_json, print_json, with_workspace
from memlab.cli_common import progress as progress_bar

if TYPE_CHECKING:
    from memlab.api import Workspace


@click.command()
@click.option("--since", metavar="WHEN", help=f"Only what has facts of then or later: {SINCE}.")
@click.option("--until", metavar="WHEN", help="Only what has facts of then or earlier.")
@click.option("--as-of", metavar="DAY", help="As if the pages of later days were not there.")
@click.option("--dry-run", is_flag=True, help="Show what would change as a diff, write nothing.")
@click.option("--infer", is_flag=True, help="Propose bullets from those days' narrative, too.")
@click.option(
    "--take-back", multiple=True, metavar="PAGE#PART",
    help="Write a part although a person edited it or took it out; repeatable.",
)  # fmt: skip
@as_json
@with_workspace
def reflect(workspace: Workspace, *, as_json: bool, dry_run: bool, **options: Any) -> None:
    """Bring the pages of bank/ up to date: entities, opinions, what lasts."""
    with progress_bar() as progress:
        done = workspace.reflect(dry_run=dry_run, progress=progress, **options)
    if as_json:
        print_json({**done.to_dict(), **({"diff": done.diff()} if dry_run else {})})
        return
    if dry_run:
        click.echo(done.diff(), nl=False)
    for change in done.changes:
        verb = "would write" if dry_run else "wrote"
        click.echo(f"{verb} {change.path}: {change.reason}", err=dry_run)
    for day in done.inferred:
        verb = "would propose" if dry_run else "proposed"
        click.echo(f"{verb} {len(day.proposals)} bullets for {day.day}", err=dry_run)
    if not (done.changes or done.inferred):
        click.echo("nothing to change", err=dry_run)
    for trouble in done.troubles:
        click.echo(f"memlab: {trouble}", err=True)
    for conflict in done.conflicts:
        if not conflict.settled:
            click.echo(f"memlab: conflict: {conflict}", err=True)
    for one in done.withheld:
        click.echo(f"{one.diff()}memlab: to have it so: --take-back '{one.name}'", err=True)


@click.command()
@click.option("--as-of", metavar="DAY", help="As they were at the end of that day.")
@as_json
@with_workspace
def opinions(workspace: Workspace, *, as_of: str | None, as_json: bool) -> None:
    """List what is held, how surely, and on how much evidence."""
    found = workspace.opinions(as_of=as_of)
    if as_json:
        print_json([one.to_dict() for one in found])
        return
    for one in found:
        number = f"{one.confidence:.2f}"
        click.echo(f"{number}  {one.id or '-':8}  {one.statement}  ({len(one.evidence)} facts)")
    if not found:
        click.echo("memlab: no opinions", err=True)


@click.command()
@click.argument("what")
@as_json
@with_workspace
def why(workspace: Workspace, *, what: str, as_json: bool) -> None:
    """Tell every step that led to a confidence (o-…), or what became of a fact (f-…)."""
    found = workspace.why(what)
    if as_json:
        print_json(found.to_dict())
    else:
        click.echo(found.to_text())
