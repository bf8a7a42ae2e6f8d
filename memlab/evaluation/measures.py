"""What is measured: names that parse and print back, computed by ``ir-measures``.

``recall@10``, ``MRR@10``, ``nDCG@10``, ``hit@10``, ``precision@10`` and any other measure by its
name in ir-measures look at the first facts of a run. ``recall@1000tok`` looks at the packed bundle
of at most 1,000 tokens that an agent would read. ``unjudged@10`` is the share of the first facts
that nobody judged: where it is high, the other figures are too low.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memlab.errors import MissingExtraError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import pandas as pd

    Ranked = Mapping[str, Sequence[str]]
    Qrels = Mapping[str, Mapping[str, int]]

DEFAULT = ("recall@5", "recall@10", "MRR@10", "nDCG@10", "hit@10")
_ALIASES = {
    "recall": "R", "mrr": "RR", "hit": "Success", "precision": "P", "map": "AP", "ndcg": "nDCG",
}  # fmt: skip
_NAME = re.compile(r"(\w+)(?:@([1-9]\d*)(tok)?)?")


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure.

    Attributes:
        name: Its name, as it was given.
        ir: Its name in ir-measures; empty for ``unjudged``.
        k: How many facts it looks at; None for all.
        tokens: The budget of the bundle that it looks at; None for measures of the run.
    """

    name: str
    ir: str
    k: int | None = None
    tokens: int | None = None

    def __str__(self) -> str:
        return self.name


def parse(name: str | Measure) -> Measure:
    """A measure from its name.

    Raises:
        UnknownNameError: If there is no such measure.
        MissingExtraError: If ir-measures is not installed.
    """
    if isinstance(name, Measure):
        return name
    library = _library()
    match = _NAME.fullmatch(name)
    word, k, in_tokens = (match[1], match[2], match[3]) if match else (name, None, None)
    if word == "unjudged" and k and not in_tokens:
        return Measure(name, "", int(k))
    if in_tokens:
        if word != "recall":
            raise UnknownNameError("measure of a bundle", name, ["recall@1000tok"])
        return Measure(name, "SetR", None, int(k or 0))
    if match and word.casefold() in _ALIASES:
        ir = _ALIASES[word.casefold()] + (f"@{k}" if k else "")
    else:
        ir = name
    try:
        parsed = library.parse_measure(ir)
    except (NameError, ValueError, SyntaxError) as error:
        known = ["recall@10", "recall@1000tok", "MRR@10", "nDCG@10", "hit@10", "unjudged@10"]
        raise UnknownNameError("measure", name, known) from error
    return Measure(name, str(parsed), int(k) if k else None)


def evaluate(
    measures: Iterable[Measure], qrels: Qrels, ranked: Ranked, bundles: Mapping[int, Ranked]
) -> pd.DataFrame:
    """The value of each measure for each question that has an answer.

    Args:
        measures: What to measure.
        qrels: For each question, the grade of each judged fact.
        ranked: For each question, the facts that were found, best first.
        bundles: For each token budget, the facts of each question's packed bundle.

    Returns:
        Float values, shape (questions, measures): an index ``question`` in the order of ``qrels``,
        a column for each measure's name. A question for which nothing was found scores 0; questions
        without an answer are left out.
    """
    import pandas as pd

    measures = list(measures)
    answerable = {q: dict(g) for q, g in qrels.items() if any(grade > 0 for grade in g.values())}
    table = pd.DataFrame(index=pd.Index(list(answerable), name="question", dtype="object"))
    on_run = [measure for measure in measures if measure.tokens is None and measure.ir]
    values = _compute(on_run, answerable, ranked)
    for measure in measures:
        if measure.tokens is not None:
            values |= _compute([measure], answerable, bundles[measure.tokens])
        elif not measure.ir:
            values[measure.name] = {
                q: _unjudged(ranked.get(q, ()), grades, measure.k)
                for q, grades in answerable.items()
            }
        table[measure.name] = [values[measure.name].get(q, 0.0) for q in answerable]
    return table.astype("float64")


def _compute(
    measures: list[Measure], qrels: dict[str, dict[str, int]], ranked: Ranked
) -> dict[str, dict[str, float]]:
    library = _library()
    parsed = {library.parse_measure(measure.ir): measure.name for measure in measures}
    names = {measure.name: str(library.parse_measure(measure.ir)) for measure in measures}
    # falling scores, all different: the ranks are given, and no tie may be broken again
    run = {
        q: {fact: float(len(ranked[q]) - rank) for rank, fact in enumerate(ranked[q])}
        for q in qrels
        if ranked.get(q)
    }
    found: dict[str, dict[str, float]] = {str(measure): {} for measure in parsed}
    if run and parsed:
        for metric in library.iter_calc(list(parsed), qrels, run):
            found[str(metric.measure)][metric.query_id] = float(metric.value)
    return {name: found[ir] for name, ir in names.items()}


def _unjudged(ranked: Sequence[str], grades: Mapping[str, int], k: int | None) -> float:
    first = ranked[:k]
    return sum(fact not in grades for fact in first) / len(first) if first else 0.0


def _library() -> Any:
    try:
        import ir_measures
    except ImportError as error:
        raise MissingExtraError("measuring", extra="eval") from error
    return ir_measures
