"""``memlab retain``, ``memlab lost`` and ``memlab core``: what writes memory."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from memlab.cli_common import as_json, print_json, with_workspace

if TYPE_CHECKING:
    from memlab.api import Workspace
    from memlab.verbs.core import CoreWrite
    from memlab.verbs.retain import Retained

# so that "- W @Peter: …" and "- tea" are texts, not options
_TEXTS = {"ignore_unknown_options": True}
_commit = click.option("--commit", metavar="REASON", help="Commit the write to git.")
_over = click.option("--over-limit", is_flag=True, help="Write beyond the block's limit too.")


@click.command(context_settings=_TEXTS)
@click.argument("text", required=False)
@click.option("--kind", metavar="KIND", help="world, experience or opinion, or W, B, O.")
@click.option(
    "--entity", "entities", multiple=True, metavar="NAME", help="What it is about; repeatable."
)
@click.option("--confidence", type=float, metavar="C", help="Of an opinion, 0 to 1.")
@click.option("--supersedes", metavar="FACT", help="What it replaces: an id or a citation.")
@click.option("--unless-known", is_flag=True, help="Write nothing if the same fact stands already.")
@click.option("--stub", is_flag=True, help="Make a page for each entity that has none.")
@_commit
@click.option("--day", metavar="DATE", help="The day of the log; today by default.")
@click.option("--infer", metavar="DATE", help="Propose bullets from that day's narrative instead.")
@click.option("--dry-run", is_flag=True, help="With --infer: show them, write nothing.")
@click.option("--model", metavar="NAME", help="With --infer: rewrite by this model of Ollama.")
@as_json
@with_workspace
def retain(
    workspace: Workspace, *, text: str | None, infer: str | None, day: str | None, dry_run: bool,
    model: str | None, as_json: bool, commit: str | None, **options: Any,
) -> None:  # fmt: skip
    """Append a fact to the day's log: a bullet such as "W @Peter: lives in Berlin".

    With --kind, --entity or --confidence, TEXT is the content alone. "-" reads standard input: one
    fact, or several where each line begins with "- ".
    """
    if infer is not None:
        if text is not None:
            raise click.UsageError("give TEXT or --infer, not both")
        _infer(workspace, infer, dry_run=dry_run, model=model, commit=commit, as_json=as_json)
        return
    if text is None:
        raise click.UsageError("give TEXT, or - for standard input")
    texts = _facts(sys.stdin.read()) if text == "-" else [text]
    done = [workspace.retain(one, now=day, commit=commit, **options) for one in texts]
    found = [one.to_dict() for one in done]
    if as_json:
        print_json(found[0] if len(found) == 1 else found)
    for one in done:
        if not as_json:
            click.echo(f"{one.source}  {one.id}\n{one.bullet}")
        _remark(one)


def _facts(text: str) -> list[str]:
    """One fact, or several where each line is a bullet."""
    lines = [line for line in text.splitlines() if line.strip()]
    return lines if len(lines) > 1 and all(line.startswith("- ") for line in lines) else [text]


def _remark(done: Retained) -> None:
    state = "" if done.written else "not written: "
    made = [f"made {page}" for page in done.stubs]
    for remark in (*made, *(f"{state}{similar}" for similar in done.similar), *done.notes):
        click.echo(f"memlab: {remark}", err=True)


def _infer(workspace: Workspace, day: str, *, as_json: bool, **options: Any) -> None:
    done = workspace.infer(day, **options)
    if as_json:
        print_json(done.to_dict())
        return
    for proposal in done.proposals:
        click.echo(proposal.line)
    for note in done.notes:
        click.echo(f"memlab: {note}", err=True)
    if not done.proposals and not done.notes:
        click.echo("memlab: nothing to propose", err=True)


@click.command()
@click.option("--restore", is_flag=True, help="Write them again, at the end of their logs.")
@click.option("--forget", is_flag=True, help="They were meant to go: do not name them again.")
@as_json
@with_workspace
def lost(workspace: Workspace, *, restore: bool, forget: bool, as_json: bool) -> None:
    """List retained facts that stand on their page no longer, as after a save of an old buffer."""
    found = workspace.lost(restore=restore, forget=forget)
    if as_json:
        print_json([one.to_dict() for one in found])
        return
    for one in found:
        click.echo(f"{one.source or one.path}  {one.id}\n{one.bullet}")
    if not found:
        click.echo("memlab: nothing is lost", err=True)


@click.group()
def core() -> None:
    """Show and edit the blocks that an agent always has before it."""


@core.command()
@click.argument("label", required=False)
@click.option("--line-numbers", is_flag=True, help="Show them; they are no part of the text.")
@as_json
@with_workspace
def view(workspace: Workspace, *, label: str | None, line_numbers: bool, as_json: bool) -> None:
    """Print a block's text, or list the blocks."""
    if label is not None:
        text = workspace.core_view(label, line_numbers=line_numbers)
        print_json({"label": label, "value": text}) if as_json else click.echo(text)
        return
    blocks = workspace.core_blocks()
    if as_json:
        print_json([
            {
                "label": one.label, "path": one.path, "chars_current": len(one.value),
                "chars_limit": one.limit, "read_only": one.read_only,
                "description": one.description,
            }
            for one in blocks
        ])  # fmt: skip
        return
    for one in blocks:
        state = "  read-only" if one.read_only else ""
        click.echo(f"{one.label}  {len(one.value)} of {one.limit} characters  {one.path}{state}")


@core.command()
@click.option("--max-tokens", type=int, metavar="N", help="At most so many tokens in all.")
@click.option("--line-numbers", is_flag=True, help="Show them, with a warning.")
@with_workspace
def render(workspace: Workspace, **options: Any) -> None:
    """Print all blocks as the text that begins a prompt."""
    click.echo(workspace.core_render(**options), nl=False)


@core.command(context_settings=_TEXTS)
@click.argument("label")
@click.argument("content")
@_over
@_commit
@as_json
@with_workspace
def append(
    workspace: Workspace, *, label: str, content: str, over_limit: bool, commit: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Add lines at the end of a block; "-" reads them from standard input."""
    done = workspace.core_append(label, _given(content), strict=not over_limit, commit=commit)
    _say(done, as_json=as_json)


@core.command(context_settings=_TEXTS)
@click.argument("label")
@click.argument("old")
@click.argument("new")
@_over
@_commit
@as_json
@with_workspace
def replace(
    workspace: Workspace, *, label: str, old: str, new: str, over_limit: bool, commit: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Replace a text that stands in a block exactly once."""
    done = workspace.core_replace(label, old, new, strict=not over_limit, commit=commit)
    _say(done, as_json=as_json)


@core.command(context_settings=_TEXTS)
@click.argument("label")
@click.argument("text")
@click.option("--line", type=int, default=-1, help="After which line: 0 the top, -1 the end.")
@_over
@_commit
@as_json
@with_workspace
def insert(
    workspace: Workspace, *, label: str, text: str, line: int, over_limit: bool, commit: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Insert lines after a line of a block; "-" reads them from standard input."""
    done = workspace.core_insert(
        label, _given(text), line=line, strict=not over_limit, commit=commit
    )
    _say(done, as_json=as_json)


@core.command(context_settings=_TEXTS)
@click.argument("label")
@click.argument("text")
@_over
@_commit
@as_json
@with_workspace
def rethink(
    workspace: Workspace, *, label: str, text: str, over_limit: bool, commit: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Rewrite a block, or make a new one; "-" reads its text from standard input."""
    done = workspace.core_rethink(label, _given(text), strict=not over_limit, commit=commit)
    _say(done, as_json=as_json)


@core.command()
def tools() -> None:
    """Print the tools' schemas as JSON, for any model that calls functions."""
    from memlab.verbs.tools import tool_schemas

    print_json(tool_schemas())


def _given(text: str) -> str:
    return sys.stdin.read().rstrip("\n") if text == "-" else text


def _say(done: CoreWrite, *, as_json: bool) -> None:
    if as_json:
        print_json(done.to_dict())
    else:
        click.echo(str(done))
