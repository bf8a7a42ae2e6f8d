"""What all commands share: the workspace that they work on, and how they print JSON."""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable


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

        with memlab.open(place, rev=rest.pop("rev", None), now=clock) as opened:
            return command(opened, **rest)

    return wrapped


revision = click.option("--rev", metavar="REV", help="The workspace as git has it: HEAD~30, a tag.")


as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def print_json(value: Any) -> None:
    """Print a value as JSON, any script as it is."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))
