"""The command line: thin, each command one verb.

Exit codes: 0 done (also when nothing was found), 1 failed or faults found, 2 bad input, 3 an extra
is missing, 4 another process is at work, 130 interrupted. What was asked for goes to standard
output, all else to standard error.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

import click

from memlab import __version__
from memlab.cli_common import as_json as _as_json
from memlab.cli_common import busy as _busy
from memlab.cli_common import print_json as _print_json
from memlab.cli_common import progress as _progress
from memlab.cli_common import refresh as _refresh
from memlab.cli_common import revision as _revision
from memlab.cli_common import with_workspace as _common
from memlab.errors import MemlabError

if TYPE_CHECKING:
    from memlab.api import Workspace
    from memlab.types import Trouble

_FIRST = (
    "index", "status", "recall", "retain", "reflect", "show", "doctor", "context", "lost", "core",
)  # fmt: skip
_ELSEWHERE = {
    "recall": "memlab.cli_recall:recall",
    "context": "memlab.cli_recall:context",
    "facts": "memlab.cli_recall:facts",
    "retain": "memlab.cli_core:retain",
    "lost": "memlab.cli_core:lost",
    "core": "memlab.cli_core:core",
    "datasets": "memlab.cli_eval:datasets",
    "eval": "memlab.cli_eval:evaluate",
    "models": "memlab.cli_models:models",
    "cache": "memlab.cli_models:cache",
    "notebook": "memlab.cli_notebook:notebook",
    "reflect": "memlab.cli_reflect:reflect",
    "opinions": "memlab.cli_reflect:opinions",
    "why": "memlab.cli_reflect:why",
    "stance": "memlab.cli_opinions:stance",
    "conflicts": "memlab.cli_review:conflicts",
    "proposals": "memlab.cli_review:proposals",
    "schedule": "memlab.cli_nightly:schedule",
}
"""Commands that are imported only when they are asked for."""


class _Commands(click.Group):
    """Lists commands in the order in which one needs them, and turns errors into exit codes."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's own name
        known = dict.fromkeys((*_FIRST, *_ELSEWHERE, *self.commands))
        return [name for name in known if name in self.commands or name in _ELSEWHERE]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _ELSEWHERE and cmd_name not in self.commands:
            module, _, attribute = _ELSEWHERE[cmd_name].partition(":")
            self.add_command(getattr(importlib.import_module(module), attribute), cmd_name)
        return super().get_command(ctx, cmd_name)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().main(*args, **{**kwargs, "standalone_mode": False})
        except click.ClickException as error:
            error.show()
            sys.exit(error.exit_code)
        except click.Abort:
            sys.exit(130)
        except MemlabError as error:
            click.echo(f"memlab: {error}", err=True)
            sys.exit(error.exit_code)
        except BrokenPipeError:
            sys.stderr.close()  # the reader has gone: say nothing, as a filter does
            sys.exit(141)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--workspace", metavar="DIR", help="The workspace's folder, for every command.")
@click.option("--now", metavar="DATE", help="The clock, for every command.")
@_busy
@click.version_option(__version__, prog_name="memlab")
def main(workspace: str | None, now: str | None, busy: str | None) -> None:
    """Memory kept as Markdown: index it, recall facts with citations, retain, reflect.

    The workspace is --workspace, else MEMLAB_WORKSPACE, else what OpenClaw is configured with.
    """


@main.command()
@click.option("--full", is_flag=True, help="Build from nothing, not only what changed.")
@_busy
@_as_json
@_common
def index(workspace: Workspace, *, full: bool, as_json: bool) -> None:
    """Bring the index up to date and say what it holds."""
    from memlab.session import Session, mending

    @mending
    def contents(session: Session) -> tuple[dict[str, Any], list[Trouble]]:
        corpus = session.corpus("never")  # looked at a moment ago
        with _progress() as progress:
            session.index(corpus, progress=progress)
        return corpus.counts(), corpus.troubles()

    with _progress() as progress:
        done = workspace.refresh(full=full, progress=progress)
    counts, troubles = contents(workspace)
    done = workspace.last or done
    if as_json:
        _print_json(
            {**counts, "parsed": done.parsed, "removed": done.removed, "index": str(done.snapshot)}
        )
    else:
        state = f"{done.parsed} parsed, {done.removed} removed" if done.built else "nothing changed"
        held = ", ".join(f"{counts[what]} {what}" for what in ("pages", "facts", "entities"))
        click.echo(f"{held} ({state})")
    for trouble in (*done.troubles, *troubles):
        if trouble not in workspace.mended:  # these every command tells
            click.echo(f"memlab: {trouble}", err=True)


@main.command()
@_as_json
@_refresh
@_revision
@_common
def status(workspace: Workspace, *, as_json: bool, refresh: Any) -> None:
    """Say where the index is and how much it holds."""
    found = workspace.status(refresh=refresh)
    if as_json:
        _print_json(found)
        return
    kinds = ", ".join(f"{count} {kind}" for kind, count in found["kinds"].items())
    click.echo(f"workspace  {found['workspace']}")
    if "revision" in found:
        click.echo(f"revision   {found['revision']}")
    click.echo(f"index      {found['index']} ({found['index_bytes']:,} bytes)")
    click.echo(f"pages      {found['pages']}, from {found['first_day']} to {found['last_day']}")
    click.echo(f"facts      {found['facts']}: {kinds}")
    click.echo(f"entities   {found['entities']}")
    click.echo(f"retriever  {found['retriever']}")
    click.echo(f"troubles   {len(found['troubles'])}")
    for trouble in found["troubles"]:
        click.echo(f"           {trouble}")


@main.command()
@click.argument("what")
@_revision
@_as_json
@_common
def show(workspace: Workspace, *, what: str, as_json: bool) -> None:
    """Print the lines that WHAT cites: memory/2025-11-27.md#L12 or f-…."""
    found = workspace.show(what)
    if as_json:
        _print_json(found.to_dict())
    else:
        click.echo(found.to_text())


@main.command()
@_as_json
@_common
def doctor(workspace: Workspace, *, as_json: bool) -> None:
    """Look for faults of the workspace, the index and the installation."""
    checks = workspace.doctor()
    if as_json:
        _print_json({"checks": [check.to_dict() for check in checks]})
    else:
        for check in checks:
            first, *rest = check.message.splitlines()
            click.echo(f"{check.state:<6} {check.name}: {first}")
            for line in rest:
                click.echo(f"       {line}")
    if any(check.state == "fault" for check in checks):
        sys.exit(1)


if __name__ == "__main__":
    main()
