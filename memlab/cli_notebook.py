"""``memlab notebook``: list notebooks, and run one with its parameters."""

from __future__ import annotations

import json
import sys

import click

from memlab.errors import ParameterError


@click.group()
def notebook() -> None:
    """Run a notebook as a program, or list those that there are."""


@notebook.command("run")
@click.argument("name")
@click.option("-p", "--parameter", "given", multiple=True, metavar="KEY=VALUE", help="Repeatable.")
@click.option("--output", "reports", metavar="DIR", help="Where reports go; reports by default.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def run_command(
    ctx: click.Context, name: str, given: tuple[str, ...], reports: str | None, *, as_json: bool
) -> None:
    """Run the notebook NAME, or the file NAME if it ends in .ipynb.

    The run's folder, DIR/<name>/<time>, gets the executed notebook, the same as HTML, and run.json.
    memlab's own --workspace and --now are handed to parameters of these names.
    """
    from memlab import notebooks

    found = notebooks.find(name)
    outer = ctx.find_root().params
    words: dict[str, str] = {
        key: outer[key]
        for key in ("workspace", "now")
        if outer.get(key) is not None and key in found.parameters
    }
    words |= dict(_split(word) for word in given)
    done = notebooks.run(found, found.read(words), reports=reports, progress=sys.stderr.isatty())
    if as_json:
        paths = {key: str(getattr(done, key)) for key in ("folder", "notebook", "html", "manifest")}
        click.echo(json.dumps(paths, ensure_ascii=False, indent=2))
    else:
        click.echo(done.folder)


@notebook.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_command(*, as_json: bool) -> None:
    """List the notebooks and their parameters."""
    from memlab import notebooks

    found = notebooks.known()
    if as_json:
        rows = [
            {
                "name": one.name,
                "title": one.title,
                "path": str(one.path),
                "parameters": [
                    {"name": p.name, "type": p.annotation, "default": p.default, "help": p.help}
                    for p in one.parameters.values()
                ],
            }
            for one in found
        ]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for one in found:
        click.echo(f"{one.name}: {one.title}")
        for p in one.parameters.values():
            click.echo(f"  {f'{p.name}={p.default}':<24} {p.help}")


def _split(word: str) -> tuple[str, str]:
    key, equals, value = word.partition("=")
    if not equals or not key.strip():
        raise ParameterError(f"{word!r} is no parameter", hint="Write -p KEY=VALUE")
    return key.strip(), value
