"""What the default loses without each of its parts, with intervals: the README's ablation.

    MEMLAB_DATA=… python benchmarks/ablation.py harbour locomo --measure recall@10 [--words]

For each part the mean difference to the default by question, with its 95% bootstrap interval over
questions; on the fixtures also over the questions of the part's own category. With ``--beside``
what each retriever adds to plain words instead: the table of docs/recall.md.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from typing import Any

import numpy as np

from memlab import experiment
from memlab.defaults import NONE, expanded
from memlab.evaluation.significance import intervals
from memlab.registry import PipelineSpec, Spec

OWN = {
    "dense": "paraphrase", "entity": "entity", "temporal": "temporal", "opinion": "opinion",
    "graph": "multi-hop",
}  # fmt: skip
"""The category of the fixtures that each retriever is made for."""
GRAPH = 0.3
"""The weight of the graph, which is no part of the default."""


def variants(default: PipelineSpec) -> dict[str, str]:
    """The default under its name, and what is left of it without each part."""
    found = {"default": str(default)}
    for spec in default.retrievers[1:]:
        found[f"without {spec.name}"] = str(without(default, spec.name))
    found["without the cues of conversations"] = str(changed(default, "lexical", cues=()))
    found["a guessed time counts in full"] = str(changed(default, "temporal", guess=1.0))
    if any(spec.name == "dense" for spec in default.retrievers):
        for name in ("e5-small", "minilm"):
            found[f"dense by {name} alone"] = str(changed(default, "dense", embedding=name))
        parts: dict[str, Any] = {"heading": False, "near": 0.0, "whiten": None, "forms": 0, "feedback": 0.0}  # fmt: skip  # noqa: E501
        for name, value in parts.items():
            found[f"dense without {name}"] = str(changed(default, "dense", **{name: value}))
        found["without lift"] = str(staged(default, Spec("weighted", {"lift": 0.0})))
        found["rrf for weighted"] = str(staged(default, Spec("rrf")))
    found[f"with {GRAPH}*graph"] = str(
        replace(
            default,
            retrievers=(*default.retrievers, Spec("graph")),
            weights=(*default.weights, GRAPH),
        )
    )
    return found


def beside(default: PipelineSpec) -> dict[str, str]:
    """Plain words, and what they are with each other part of the default, the graph and the core.

    Args:
        default: The default by words alone.
    """
    plain = "lexical(cues=())"
    pairs = zip(default.weights[1:], default.retrievers[1:], strict=True)
    parts = [f"{weight}*{spec}" for weight, spec in pairs]
    return {"plain words": f"{plain} | weighted"} | {
        f"with {part}": f"{plain} + {part} | weighted"
        for part in (*parts, f"{GRAPH}*graph", "0.2*core")
    }


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
    parser.add_argument("--beside", action="store_true", help="What each adds to plain words.")
    given = parser.parse_args()
    default = expanded("default", embedding=NONE if given.words or given.beside else "")
    systems = beside(default) if given.beside else variants(default)
    base, *others = systems
    measures = given.measure or ["recall@10"]
    for name in given.datasets:
        report = experiment(systems, name, measures, baseline=base, reports=None)
        for measure in measures:
            values = report.by_question[report.by_question["measure"] == measure]
            wide = values.pivot_table(
                index=["question", "category"], columns="system", values="value"
            )
            print(f"\n{name}, {measure}: {base} {wide[base].mean():.3f}")
            for system in others:
                print(f"{system:<36} {row(wide, base, system)}", flush=True)


def row(wide: Any, base: str, system: str) -> str:
    """What a system differs by over all questions, and over those that the part is made for."""
    each = wide[system] - wide[base]
    own = OWN.get(re.sub(r"^(without |with [\d.]+\*)", "", system))
    if own not in wide.index.levels[1]:
        return difference(each)
    return f"{difference(each)}   {own} {difference(each.xs(own, level='category'))}"


def difference(each: Any) -> str:
    """A mean difference and its interval."""
    values = each.dropna().to_numpy()
    low, high = intervals(values[:, None], [str(n) for n in range(len(values))])[0]
    return f"{np.mean(values):+.3f} [{low:+.3f}, {high:+.3f}]"


if __name__ == "__main__":
    main()
