"""``memlab datasets`` and ``memlab eval``: measure systems on public sets and on own notes."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memlab.errors import MemlabError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memlab.evaluation.datasets.own import Own
    from memlab.evaluation.model import Dataset

_as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_questions = click.option(
    "--questions", metavar="FILE", help="Your own NAME.queries.jsonl about --workspace."
)


def _of_root(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """An option that stands before the command's name or after it."""
    return value or ctx.find_root().params.get(parameter.name or "")


_workspace = click.option(
    "--workspace", metavar="DIR", callback=_of_root, help="The workspace's folder."
)
_now = click.option("--now", metavar="DATE", callback=_of_root, help="The clock.")
_dataset = click.option(
    "--dataset",
    default="harbour",
    show_default=True,
    metavar="NAME",
    help="A data set or its spec.",
)


@click.command()
@click.argument("names", nargs=-1)
@click.option("--check", is_flag=True, help="Read them all: count questions, lines and faults.")
@_as_json
def datasets(names: tuple[str, ...], *, check: bool, as_json: bool) -> None:
    """List the data sets and whether they are there; with NAMES, read and count these.

    Exit code 1 if one that was to be read cannot be.
    """
    from memlab.evaluation.datasets import CATALOGUE

    rows = [_read_dataset(name, read=check or bool(names)) for name in names or CATALOGUE]
    if as_json:
        _print_json({"datasets": rows})
    else:
        for row in rows:
            click.echo(f"{row['name']:<16}{_told(row)}")
    if (check or names) and any("error" in row for row in rows):
        sys.exit(1)


@click.group("eval")
def evaluate() -> None:
    """Measure which system finds the lines that answer, on data sets or on your own notes."""


@evaluate.command()
@click.argument("systems", nargs=-1, required=True, metavar="SYSTEM...")
@_dataset
@_questions
@click.option("--measure", "measures", multiple=True, help="Such as recall@10; repeatable.")
@click.option("--baseline", metavar="SYSTEM", help="Tested against; the first system by default.")
@click.option("-k", "--k", default=10, show_default=True, help="The cut for unjudged@k.")
@click.option("--depth", default=100, show_default=True, help="Hits asked for.")
@click.option(
    "--budget", "budgets", multiple=True, type=int, help="Tokens of a bundle; repeatable."
)
@click.option("--seed", default=0, show_default=True, help="Of intervals and tests.")
@click.option("--reports", default="reports", show_default=True, metavar="DIR")
@click.option("--output", metavar="DIR", help="Write just there.")
@click.option(
    "--reuse/--no-reuse", default=True, help="Read saved runs back where nothing changed."
)
@_workspace
@_as_json
def run(
    systems: tuple[str, ...], *, dataset: str, questions: str | None,
    workspace: str | None, measures: tuple[str, ...], budgets: tuple[int, ...], as_json: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Ask each SYSTEM (a retriever's spec) all questions, and print tables as Markdown.

    Runs, figures and a manifest go to DIR/<data set>/<time>. Exit code 1 if a system failed.
    """
    from memlab.evaluation.experiment import BUDGETS, experiment
    from memlab.evaluation.measures import DEFAULT

    chosen = _own(questions, workspace) if questions else dataset
    with _progress() as progress:
        report = experiment(
            systems, chosen, measures or DEFAULT, budgets=budgets or BUDGETS, progress=progress,
            **options,
        )  # fmt: skip
    if as_json:
        _print_json({
            "dataset": report.dataset.name, "notes": report.notes(),
            "measures": json.loads(report.summary.to_json(orient="records")),
            "timings": json.loads(report.timings.to_json(orient="records")),
        })  # fmt: skip
    else:
        click.echo(report.to_markdown(), nl=False)
    if any(arm.status != "done" for arm in report.arms):
        sys.exit(1)


@evaluate.command()
@click.argument("file", required=False)
@click.option("--count", default=30, show_default=True, help="How many questions.")
@click.option("--seed", default=0, show_default=True, help="Of the draw.")
@_workspace
@_now
@_as_json
def init(
    file: str | None, *, count: int, seed: int, workspace: str | None, now: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Draft questions about the workspace into FILE, eval/<workspace>.queries.jsonl by default.

    Each draws on one fact, by entity, day or kind. Reword them: they still use the fact's words.
    """
    from memlab.evaluation.draft import draft
    from memlab.session import Session

    with Session(workspace, now=now) as session:
        place = file or str(Path("eval") / f"{session.root.name}.queries.jsonl")
        done = draft(session, place, questions=count, seed=seed)
    if as_json:
        counts = done.counts
        _print_json({"questions": str(done.questions), "qrels": str(done.qrels), "counts": counts})
        return
    for written in (done.questions, done.qrels):
        click.echo(f"wrote {written}")
    told = ", ".join(f"{count} by {category}" for category, count in done.counts.items())
    click.echo(f"{told}; next: memlab eval run lexical --questions {done.questions}")


@evaluate.command()
@click.argument("systems", nargs=-1, required=True, metavar="SYSTEM...")
@_dataset
@_questions
@click.option("--depth", default=10, show_default=True, help="How many hits of each system.")
@click.option("--output", metavar="FILE", help="The file to mark; pool.txt by default.")
@_workspace
def pool(
    systems: tuple[str, ...], *, dataset: str, questions: str | None, depth: int,
    output: str | None, workspace: str | None,
) -> None:  # fmt: skip
    """Write the hits that nobody has judged yet into a text file, for a person to mark."""
    from memlab.evaluation.pool import pool as make_pool

    chosen = _own(questions, workspace) if questions else dataset
    with _progress() as progress:
        done = make_pool(systems, chosen, output or "pool.txt", depth=depth, progress=progress)
    click.echo(f"wrote {done.file}: {done.hits} hits of {done.questions} questions")
    for message in done.failed:
        click.echo(f"memlab: {message}", err=True)
    if done.failed:
        sys.exit(1)


@evaluate.command()
@click.argument("file")
@click.option("--questions", required=True, metavar="FILE", help="Your NAME.queries.jsonl.")
@_workspace
def judge(file: str, *, questions: str, workspace: str | None) -> None:
    """Add the marks in the pool FILE to the judgments beside your questions.

    Marks whose words have changed since are refused, all by name, and nothing is written.
    """
    from memlab.evaluation.pool import judge as take_over

    done = take_over(file, _own(questions, workspace))
    click.echo(f"{done.qrels}: {done.added} judgments added, {done.open} hits still unjudged")


@evaluate.command("runs")
@click.option("--reports", default="reports", show_default=True, metavar="DIR")
@click.option("--measure", default="recall@10", show_default=True)
@_as_json
def saved_runs(reports: str, measure: str, *, as_json: bool) -> None:
    """List the saved experiments, with one measure over all questions."""
    from memlab.evaluation.saved import runs

    table = runs(reports)
    table = table[(table["measure"] == measure) & (table["category"] == "all")]
    columns = ["run", "dataset", "system", "status", "value", "low", "high", "questions"]
    if as_json:
        _print_json({"runs": json.loads(table[columns].to_json(orient="records"))})
    else:
        for row in table[columns].to_dict("records"):
            value = f"{row['value']:.3f}" if row["status"] == "done" else row["status"]
            click.echo(f"{row['run']}  {row['system']}  {measure} {value}")


def _read_dataset(name: str, *, read: bool) -> dict[str, Any]:
    from memlab.evaluation import datasets as sets

    row: dict[str, Any] = {"name": name, "spec": sets.CATALOGUE.get(name, name)}
    try:
        row["path"] = str(sets.where(name))
        if read:
            row |= _counted(sets.load(name))
    except MemlabError as error:
        row["error"] = str(error)
    return row


def _counted(data: Dataset) -> dict[str, Any]:
    return {
        "workspaces": len(data.workspaces), "questions": len(data.questions),
        "judgments": len(data.judgments), "pairs": len(data.pairs),
        "categories": data.category_counts(), "faults": data.fault_counts(),
    }  # fmt: skip


def _told(row: dict[str, Any]) -> str:
    if "error" in row:
        return f"missing  {row['error']}"
    if "questions" not in row:
        return f"there    {row['path']}"
    faults = ", ".join(f"{count} x {sort}" for sort, count in row["faults"].items())
    return (
        f"{row['workspaces']} workspaces, {row['questions']} questions, "
        f"{row['judgments']} judgments" + (f"; faults: {faults}" if faults else "")
    )


def _own(questions: str, workspace: str | None) -> Own:
    from memlab.evaluation.datasets.own import QUESTIONS, Own
    from memlab.workspace.discover import locate

    place = Path(questions)
    if not place.is_file():
        raise ParameterError("no such file of questions", where=questions)
    beside = place.with_name(place.name.removesuffix(QUESTIONS))
    root = beside if workspace is None and beside.is_dir() else locate(workspace)
    return Own(str(place.absolute()), str(root))


def _print_json(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None] | None]:
    """What is done, on one line of a terminal that looks on."""
    if not sys.stderr.isatty():
        yield None
        return

    def advance(what: str, done: int, total: int) -> None:
        click.echo(f"\r\x1b[K{what}: {done} of {total}", err=True, nl=False)

    try:
        yield advance
    finally:
        click.echo("\r\x1b[K", err=True, nl=False)
