"""``memlab models`` and ``memlab cache``: what embeds, and what was embedded."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING, Any

import click

from memlab.errors import ParameterError

if TYPE_CHECKING:
    from memlab.embedding.cache import Cache
    from memlab.embedding.catalogue import State

_UNITS = {"": 1, "K": 1000, "M": 1000**2, "G": 1000**3}
_as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_workspace = click.option("--workspace", metavar="DIR", help="The workspace's folder.")


@click.command()
@click.option("--verify", is_flag=True, help="Hold files against the hashes they came with.")
@click.option(
    "--measure", "measured", multiple=True, metavar="NAME", help="Measure a speed here; repeatable."
)
@_as_json
def models(*, verify: bool, measured: tuple[str, ...], as_json: bool) -> None:
    """List the embedding models that are here, and those that could be.

    Speeds are sentences a second with one thread: measured on this machine where --measure was run,
    otherwise the reference of docs/embeddings.md, marked with ~.
    """
    from memlab.defaults import MODELS
    from memlab.embedding import catalogue

    for name in measured:
        catalogue.known(name)
        catalogue.measure(name)
    found = catalogue.states(verify=verify)
    if as_json:
        click.echo(json.dumps([state.to_dict() for state in found], ensure_ascii=False, indent=2))
    else:
        rows: list[tuple[str, ...]] = [
            ("model", "here", "numbers", "MB", "tokens", "per s", "languages", "licence")
        ]
        rows += [_row(state, default=state.known.name in MODELS) for state in found]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            click.echo("  ".join(cells).rstrip())
        for state in found:
            if not state.installed:
                click.echo(f"\n{state.known.name}: {state.install}")
        click.echo("\nAlso: st:FOLDER, static:FOLDER, ollama:MODEL. * is used by default.")
    faults = [f"memlab: {state.known.name}: {state.fault}" for state in found if state.fault]
    for fault in faults:
        click.echo(fault, err=True)
    if faults:
        sys.exit(1)


def _row(state: State, *, default: bool) -> tuple[str, ...]:
    known = state.known
    return (
        f"{known.name}{'*' if default else ''}",
        "damaged" if state.fault else "yes" if state.installed else "no",
        str(known.dimension), str(known.megabytes), str(known.max_tokens or "-"),
        f"{state.speed:.0f}" if state.speed else f"~{known.reference:.0f}", known.languages,
        known.licence,
    )  # fmt: skip


@click.group(invoke_without_command=True)
@click.pass_context
def cache(ctx: click.Context) -> None:
    """Look at the vectors that a workspace keeps, limit or clear them."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(show_cache)


@cache.command("show")
@_workspace
@_as_json
@click.pass_context
def show_cache(ctx: click.Context, workspace: str | None, *, as_json: bool) -> None:
    """Say which models' vectors there are, how many and how large."""
    with _cache(ctx, workspace) as opened:
        kept, size, limit = opened.kept(), opened.bytes, opened.limit
    if as_json:
        found = {"bytes": size, "limit": limit, "models": [one.to_dict() for one in kept]}
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
        return
    for one in kept:
        click.echo(
            f"{one.name}  {one.fingerprint[:12]}  {one.vectors:,} vectors of {one.dimension}  "
            f"{one.bytes:,} bytes"
        )
    click.echo(f"{size:,} of {limit:,} bytes")


@cache.command("clear")
@click.option("--model", metavar="NAME", help="Only this model's, by name or fingerprint.")
@_workspace
@_as_json
@click.pass_context
def clear_cache(
    ctx: click.Context, model: str | None, workspace: str | None, *, as_json: bool
) -> None:
    """Forget vectors; they are computed again when they are needed."""
    with _cache(ctx, workspace) as opened:
        removed = opened.clear(model)
    click.echo(json.dumps({"removed": removed}) if as_json else f"{removed:,} vectors forgotten")


@cache.command("limit")
@click.argument("size")
@_workspace
@click.pass_context
def limit_cache(ctx: click.Context, size: str, workspace: str | None) -> None:
    """Keep at most SIZE of vectors, such as 500M or 2G; what was unused for longest goes first."""
    with _cache(ctx, workspace) as opened:
        opened.limit = _bytes(size)
        removed = opened.trim()
        click.echo(f"at most {opened.limit:,} bytes; {removed:,} vectors forgotten")


def _bytes(size: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMG]?)B?", size.strip(), re.IGNORECASE)
    if not match:
        raise ParameterError(f"{size!r} is no size", hint="Write 500M or 2G")
    return int(float(match[1]) * _UNITS[match[2].upper()])


def _cache(ctx: click.Context, workspace: str | None) -> Cache:
    from memlab.embedding.cache import Cache
    from memlab.store.place import Place
    from memlab.workspace.discover import locate

    outer: dict[str, Any] = ctx.find_root().params
    return Cache.of(Place(locate(workspace or outer.get("workspace"))))
