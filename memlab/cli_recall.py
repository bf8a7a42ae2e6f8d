"""``memlab recall``, ``memlab context`` and ``memlab facts``: what the notes say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from memlab.cli_common import (
    SINCE,
    as_json,
    busy,
    print_json,
    progress,
    refresh,
    revision,
    with_workspace,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from memlab.api import Workspace

_KINDS = "Only world, experience, opinion or observation, or W, B, O, S"


def _filtered(command: Callable[..., Any]) -> Callable[..., Any]:
    """What all take: which facts."""
    options = (
        click.option("--since", metavar="WHEN", help=f"Only facts of then or later: {SINCE}."),
        click.option("--until", metavar="WHEN", help="Only facts of then or earlier."),
        click.option("--as-of", metavar="WHEN", help="What was known then; see docs/time.md."),
        click.option(
            "--kind", "kinds", multiple=True, metavar="KIND", help=f"{_KINDS}; repeatable."
        ),
        click.option(
            "--entity", "entities", multiple=True, metavar="NAME",
            help="Only facts about it; repeatable.",
        ),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def _asked(command: Callable[..., Any]) -> Callable[..., Any]:
    """What both questions take: the question, its filters, how it is searched and told."""
    options = (
        click.argument("query"),
        _filtered,
        click.option(
            "--counter", metavar="SPEC", default="bytes4", show_default=True,
            help="What counts tokens: bytes4, words, or tokenizer(path='tokenizer.json').",
        ),
        click.option(
            "--around", default=0, metavar="N",
            help="Give each hit with up to N facts before and after it.",
        ),
        click.option("--abstain", is_flag=True, help="No hits where the notes do not answer."),
        click.option("--retriever", metavar="SPEC", help="For instance: lexical(k1=0.9)."),
        click.option("--explain", is_flag=True, help="Say how each was found and what was cut."),
        refresh,
        busy,
        revision,
        as_json,
        with_workspace,
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@click.option(
    "-k", "--k", type=int, metavar="N",
    help="At most so many facts; 10 by default, with a budget as many as fit.",
)  # fmt: skip
@click.option("--max-tokens", type=int, metavar="N", help="At most so many tokens in all.")
@click.option(
    "--join/--no-join", default=None,
    help="Cite facts on consecutive lines once; by default with a budget.",
)  # fmt: skip
@_asked
def recall(workspace: Workspace, *, query: str, as_json: bool, **options: Any) -> None:
    """Find the facts that answer QUERY, each with file and line."""
    with progress() as shown:
        found = workspace.recall(query, progress=shown, **options)
    if as_json:
        print_json(found.to_dict())
        return
    if found.hits:
        click.echo(found.to_markdown())
    if found.explanation:
        click.echo(
            f"\n{found.explanation.to_text()}" if found.hits else found.explanation.to_text()
        )
    for note in () if found.hits else (*found.notes, "no hits"):
        click.echo(f"memlab: {note}", err=True)


@click.command()
@click.option("-k", "--k", type=int, metavar="N", help="At most so many facts; else what fits.")
@click.option(
    "--max-tokens", default=2_000, show_default=True, metavar="N",
    help="At most so many tokens in all.",
)  # fmt: skip
@click.option(
    "--share", default=0.5, show_default=True, metavar="S",
    help="The part of them that the core may take from the facts; 0 for no core.",
)  # fmt: skip
@_asked
def context(workspace: Workspace, *, query: str, as_json: bool, **options: Any) -> None:
    """Print what an agent should see for QUERY: its core and the facts, within one budget."""
    with progress() as shown:
        found = workspace.context(query, progress=shown, **options)
    if as_json:
        print_json(found.to_dict())
        return
    click.echo(found.text, nl=False)
    if found.recall.explanation:
        click.echo(found.recall.explanation.to_text(), err=True)
    click.echo(f"memlab: {found.tokens} of {found.max_tokens} tokens", err=True)
    for what in found.cut:
        click.echo(f"memlab: {what}", err=True)


@click.command()
@_filtered
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
@refresh
@revision
@as_json
@with_workspace
def facts(workspace: Workspace, *, as_csv: bool, as_json: bool, **options: Any) -> None:
    """List all facts, in the order of the pages: to read, to count, to load elsewhere."""
    if as_csv and as_json:
        raise click.UsageError("--csv and --json exclude each other.")
    found = workspace.facts(**options)
    if as_csv:
        table = found.assign(entities=found["entities"].str.join("; "))
        click.echo(table.to_csv(lineterminator="\n"), nl=False)
        return
    if as_json:
        days = found["day"].dt.strftime("%Y-%m-%d")
        table = found.assign(day=days, entities=found["entities"].map(list)).astype(object)
        print_json(table.where(table.notna(), None).reset_index().to_dict("records"))
        return
    told = found["source"] + "  " + found["kind"] + "  " + found["content"]
    told += (" (superseded by " + found["superseded_by"] + ")").fillna("")
    for line in told:
        click.echo(line)
    if found.empty:
        click.echo("memlab: no facts", err=True)
