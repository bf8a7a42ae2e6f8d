"""``memlab conflicts`` and ``memlab proposals``: what a person looks over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from memlab.cli_common import as_json, print_json, with_workspace

if TYPE_CHECKING:
    from memlab.api import Workspace
    from memlab.verbs.proposals import Review

_commit = click.option("--commit", metavar="REASON", help="Commit the write to git.")


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


@click.group()
def proposals() -> None:
    """Look over what reflect proposes for the core; nothing is applied by itself."""


@proposals.command("list")
@click.option("--all", "everything", is_flag=True, help="Applied and rejected ones too.")
@as_json
@with_workspace
def list_command(workspace: Workspace, *, everything: bool, as_json: bool) -> None:
    """List the open proposals."""
    found = [one for one in workspace.proposals() if everything or one.proposal.status == "open"]
    if as_json:
        print_json([one.to_dict() for one in found])
        return
    for one in found:
        state = one.proposal.status
        remark = f", {_fit(one)}" if state == "open" and one.fit != "fits" else ""
        click.echo(
            f"{one.proposal.name}  {state}{remark}  {one.proposal.block}: {one.proposal.title}"
        )
    if not found:
        click.echo("memlab: no proposals", err=True)


@proposals.command()
@click.argument("name")
@as_json
@with_workspace
def show(workspace: Workspace, *, name: str, as_json: bool) -> None:
    """Print the proposal NAME, or with these hex digits, with its diff and what speaks for it."""
    one = workspace.proposal(name)
    if as_json:
        print_json({**one.to_dict(), "text": one.text})
        return
    click.echo(one.text, nl=False)
    if one.proposal.status == "open":
        click.echo(f"memlab: {_fit(one)}", err=True)


@proposals.command()
@click.argument("name")
@click.option("--over-limit", is_flag=True, help="Write beyond the block's limit too.")
@_commit
@as_json
@with_workspace
def apply(
    workspace: Workspace, *, name: str, over_limit: bool, commit: str | None, as_json: bool
) -> None:
    """Write the proposal NAME to the core."""
    one = workspace.apply_proposal(name, strict=not over_limit, commit=commit)
    _say(one, "applied", f", {_fit(one)}" if one.fit != "fits" else "", as_json=as_json)


@proposals.command()
@click.argument("name")
@_commit
@as_json
@with_workspace
def reject(workspace: Workspace, *, name: str, commit: str | None, as_json: bool) -> None:
    """Refuse the proposal NAME; the same is not proposed again."""
    _say(workspace.reject_proposal(name, commit=commit), "rejected", as_json=as_json)


def _say(one: Review, status: str, remark: str = "", *, as_json: bool) -> None:
    if as_json:
        print_json({**one.to_dict(), "status": status})
    else:
        click.echo(f"{one.proposal.name}  {status}{remark}  {one.proposal.block}")


def _fit(one: Review) -> str:
    return {
        "fits": "its diff fits",
        "rebased": "the core has changed: its lines go to the end of the block",
        "stands": "the core has its lines already",
    }.get(one.fit, f"cannot be applied: {one.why_not}")
