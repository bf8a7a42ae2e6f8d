"""What the default loses without each of its parts, with intervals: the README's ablation.

    MEMLAB_DATA=… python benchmarks/ablation.py harbour locomo --measure recall@10 [--words]

For each part the mean difference to the default by question, with its 95% bootstrap interval over
questions; on the fixtures also over the questions of the part's own category.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

import numpy as np

from memlab import experiment
from memlab.defaults import NONE, expanded
from memlab.evaluation.significance import intervals
from memlab.registry import PipelineSpec, Spec

OWN = {"dense": "paraphrase", "entity": "entity", "temporal": "temporal", "opinion": "opinion"}
"""The category of the fixtures that each retriever is made for."""


def variants(default: PipelineSpec) -> dict[str, str]:
    """The default under its name, and what is left of it without each part."""
    found = {"default": str(default)}
    for spec in default.retrievers[1:]:
        found[f"without {spec.name}"] = str(without(default, spec.name))
    found["without the cues of conversations"] = str(changed(default, "lexical", cues=()))
    if any(spec.name == "dense" for spec in default.retrievers):
        for name in ("e5-small", "minilm"):
            found[f"dense by {name} alone"] = str(changed(default, "dense", embedding=name))
        parts: dict[str, Any] = {"heading": False, "near": 0.0, "whiten": None, "forms": 0, "feedback": 0.0}  # fmt: skip  # noqa: E501
        for name, value in parts.items():
            found[f"dense without {name}"] = str(changed(default, "dense", **{name: value}))
        found["without lift"] = str(staged(default, Spec("weighted", {"lift": 0.0})))
        found["rrf for weighted"] = str(staged(default, Spec("rrf")))
    found["with 0.3*graph"] = str(
        replace(
            default,
            retrievers=(*default.retrievers, Spec("graph")),
            weights=(*default.weights, 0.3),
        )
    )
    return found


def without(default: PipelineSpec, name: str) -> PipelineSpec:
    """The same without one retriever."""
    kept = [n for n, spec in enumerate(default.retrievers) if spec.name != name]
    return replace(
        default,
        retrievers=tuple(default.retrievers[n] for n in kept),
        weights=tuple(default.weights[n] for n in kept),
    )


def changed(default: PipelineSpec, name: str, **parameters: Any) -> PipelineSpec:
    """The same with other parameters of one retriever."""
    return replace(
        default,
        retrievers=tuple(
            Spec(name, {**spec.parameters, **parameters}) if spec.name == name else spec
            for spec in default.retrievers
        ),
    )


def staged(default: PipelineSpec, fusion: Spec) -> PipelineSpec:
    """The same with another fusion."""
    return replace(default, stages=(fusion, *default.stages[1:]))


def main() -> None:
    """Print one row a variant and data set."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("datasets", nargs="+")
    parser.add_argument("--measure", action="append", help="Repeatable; recall@10 by default.")
    parser.add_argument("--words", action="store_true", help="Of the default by words alone.")
    given = parser.parse_args()
    systems = variants(expanded("default", embedding=NONE if given.words else ""))
    measures = given.measure or ["recall@10"]
    for name in given.datasets:
        report = experiment(systems, name, measures, baseline="default", reports=None)
        for measure in measures:
            values = report.by_question[report.by_question["measure"] == measure]
            wide = values.pivot_table(
                index=["question", "category"], columns="system", values="value"
            )
            print(f"\n{name}, {measure}: the default {wide['default'].mean():.3f}")
            for system in list(systems)[1:]:
                print(f"{system:<36} {row(wide, system)}", flush=True)


def row(wide: Any, system: str) -> str:
    """What a system differs by over all questions, and over those that the part is made for."""
    each = wide[system] - wide["default"]
    own = OWN.get(system.removeprefix("without "))
    if not system.startswith("without ") or own not in wide.index.levels[1]:
        return difference(each)
    return f"{difference(each)}   {own} {difference(each.xs(own, level='category'))}"


def difference(each: Any) -> str:
    """A mean difference and its interval."""
    values = each.dropna().to_numpy()
    low, high = intervals(values[:, None], [str(n) for n in range(len(values))])[0]
    return f"{np.mean(values):+.3f} [{low:+.3f}, {high:+.3f}]"


if __name__ == "__main__":
    main()
