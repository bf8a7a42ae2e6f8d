"""What all commands share: the workspace that they work on, and how they print."""

from __future__ import annotations

import functools
import json
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memlab.store.build import Progress


def with_workspace(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--workspace`` and ``--now``, before or after the command's name."""

    @click.option("--workspace", metavar="DIR", help="The workspace's folder.")
    @click.option("--now", metavar="DATE", help="The clock: 2025-11-27 or 2025-11-27T09:30.")
    @click.pass_context
    @functools.wraps(command)
    def wrapped(ctx: click.Context, /, workspace: str | None, now: str | None, **rest: Any) -> Any:
        outer = ctx.find_root().params
        place, clock = workspace or outer.get("workspace"), now or outer.get("now")
        import memlab

        busy: Any = rest.pop("busy", None) or outer.get("busy") or "wait"
        with memlab.open(place, rev=rest.pop("rev", None), now=clock, busy=busy) as opened:
            try:
                return command(opened, **rest)
            finally:
                if opened.last and opened.last.busy:
                    click.echo("memlab: another process is at work: as of its last index", err=True)
                for trouble in opened.mended:
                    click.echo(f"memlab: {trouble}", err=True)

    return wrapped


revision = click.option("--rev", metavar="REV", help="The workspace as git has it: HEAD~30, a tag.")


SINCE = "a day, or 30d, 2w, 6m, 1y before now"
"""What the help says of a day."""

refresh = click.option(
    "--refresh",
    type=click.Choice(["auto", "always", "never"]),
    help="When to look whether pages changed; never opens the index as it is.",
)

busy = click.option(
    "--busy",
    type=click.Choice(["wait", "serve"]),
    help="Where another process builds: wait for it, or serve the index before.",
)

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def print_json(value: Any) -> None:
    """Print a value as JSON, any script as it is."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


@contextmanager
def progress() -> Iterator[Progress | None]:
    """A progress bar for long work, where a terminal looks on."""
    if not sys.stderr.isatty():
        yield None
        return
    bar: Any = None

    def advance(verb: str, done: int, total: int) -> None:
        nonlocal bar
        if bar is None and total >= 20:
            bar = click.progressbar(length=total, label=verb, file=sys.stderr)
            bar.__enter__()
        if bar is not None:
            bar.update(done - bar.pos)

    try:
        yield advance
    finally:
        if bar is not None:
            bar.__exit__(None, None, None)
