"""``memlab stance``: what a text says of a statement, and models that tell it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memlab import registry
from memlab.cli_common import progress
from memlab.errors import ParameterError

if TYPE_CHECKING:
    from memlab.evaluation.model import Fault

_as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group()
def stance() -> None:
    """Tell whether a text supports or contradicts a statement."""


@stance.command()
@click.argument("statement")
@click.argument("evidence")
@click.option(
    "--detector",
    default="rules",
    show_default=True,
    metavar="SPEC",
    help=f"One of {', '.join(registry.names('stance'))}, with its parameters.",
)
@_as_json
def judge(statement: str, evidence: str, *, detector: str, as_json: bool) -> None:
    """Judge what EVIDENCE says of STATEMENT, with the cues that led there."""
    (found,) = registry.make("stance", detector).judge([(statement, evidence)])
    if as_json:
        row = {
            "label": found.label, "score": found.score, "supports": found.supports,
            "contradicts": found.contradicts, "why": list(found.why),
        }  # fmt: skip
        click.echo(json.dumps(row, ensure_ascii=False, indent=2))
        return
    why = f"  ({'; '.join(found.why)})" if found.why else ""
    click.echo(f"{found.label} {found.score:.2f}{why}")


@stance.command()
@click.argument("files", nargs=-1, required=True, metavar="PAIRS...")
@click.option("--output", required=True, metavar="FILE", help="Where the model goes: MODEL.npz.")
@click.option("--split", default="train", show_default=True, help="Only pairs of this split.")
@click.option("--strength", default=0.5, show_default=True, help="scikit-learn's C.")
@click.option(
    "--embedding", metavar="MODEL", help="Learn from sentence embeddings too: e5-small, minilm."
)
def train(
    files: tuple[str, ...], *, output: str, split: str, strength: float, embedding: str | None
) -> None:
    """Train a model on files of stance pairs, JSONL; use it as pairs(path='MODEL.npz').

    A pair has id, statement, evidence and label (supports, contradicts or neutral); it may have
    split. Which sorts of features are used is chosen in cross-validation over those pairs.
    """
    from memlab.embedding.encode import watched
    from memlab.evaluation.datasets.stance import read_pairs
    from memlab.opinions import training
    from memlab.opinions.base import Label

    faults: list[Fault] = []
    found = []
    for name in files:
        if not Path(name).is_file():
            raise ParameterError("no such file of stance pairs", where=name)
        found += [pair for pair in read_pairs(Path(name), faults) if pair.split in {split, "all"}]
    with progress() as advance, watched(advance):
        trained = training.train(
            [(pair.statement, pair.evidence) for pair in found],
            [Label(pair.label) for pair in found],
            embedding=embedding,
            strength=strength,
            about=f"{split} of {', '.join(Path(name).parent.name or name for name in files)}",
        )
    trained.save(Path(output))
    left_out = f", {len(faults)} left out" if faults else ""
    click.echo(
        f"wrote {output}: {len(found)} pairs{left_out}, {len(trained.names)} features, "
        f"labels {', '.join(trained.labels)}"
    )
    for name, score in trained.tried:
        used = "  (used)" if name == trained.mixture else ""
        click.echo(f"  macro-F1 {score:.3f} in cross-validation: {name}{used}")
