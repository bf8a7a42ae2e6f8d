"""From a query to ranked hits: retrieve, fuse, rerank, pack.

A pipeline is written as ``lexical + 0.5*dense | weighted | decay(half_life=30)``: retrievers with
their weights, then a fusion, then rerankers, each a spec as `memlab.registry` has it. One retriever
alone is a pipeline too, and a pipeline is a retriever.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from memlab import defaults, registry
from memlab.errors import ParameterError, UnknownNameError
from memlab.registry import Spec
from memlab.rerank.base import Extending
from memlab.retrievers.base import best, distinct
from memlab.store import duck
from memlab.types import Hit, Run

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    import numpy as np
    from numpy.typing import NDArray

    from memlab.fusion.base import Fusion
    from memlab.rerank.base import Reranker
    from memlab.retrievers.base import Index, Retriever
    from memlab.retrievers.nearness import Nearness
    from memlab.store.build import Progress
    from memlab.store.corpus import Corpus
    from memlab.types import Query

FUSION = "weighted"
"""How runs are fused where a pipeline does not say."""

_READ = 50  # facts that are read at once
_LEAST = 0.1  # of a question that words are taken to cover, so that no weight grows without bound
_SPARE = 2  # times as many facts are fused as are wanted, so that the last ones are right too


@dataclass(frozen=True, slots=True)
class Trace:
    """How a run came about.

    Attributes:
        run: The run.
        parts: The run of each retriever, by its spec.
        read: Tells what the retrievers read from the query, such as a window or entities.
        stages: The run after the fusion, and after each reranker, by its spec.
    """

    run: Run
    parts: Mapping[str, Run]
    read: Callable[[], Mapping[str, str]] = dict
    stages: tuple[tuple[str, Run], ...] = ()


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Retrievers, the fusion of their runs, and rerankers; a retriever itself.

    Attributes:
        spec: As it is written.
        retrievers: Each retriever by its spec.
        weights: Its weight, in the same order.
        fusion: What makes one run of theirs; None for a single retriever that nothing is done to.
        rerankers: What orders the run anew, in turn.
        stages: The specs of the fusion, where there is one, and of the rerankers.
    """

    spec: str
    retrievers: Mapping[str, Retriever]
    weights: tuple[float, ...]
    fusion: Fusion | None = None
    rerankers: tuple[Reranker, ...] = ()
    stages: tuple[str, ...] = ()

    def index(self, corpus: Corpus) -> PipelineIndex:
        """Bind all retrievers to a corpus."""
        indexes = {spec: one.index(corpus) for spec, one in self.retrievers.items()}
        return PipelineIndex(self, corpus, indexes)

    def watched(self, progress: Progress | None) -> AbstractContextManager[None]:
        """Inside, whatever is embedded tells its progress."""
        if not any(hasattr(one, "embedding") for one in self.retrievers.values()):
            return nullcontext()
        from memlab.embedding.encode import watched  # not for those who embed nothing

        return watched(progress)


class PipelineIndex:
    """A pipeline bound to one corpus.

    Args:
        pipeline: The pipeline.
        corpus: The corpus.
        indexes: The index of each retriever.
    """

    def __init__(self, pipeline: Pipeline, corpus: Corpus, indexes: Mapping[str, Index]) -> None:
        self._pipeline = pipeline
        self._corpus = corpus
        self._indexes = indexes

    def search(self, query: Query, *, depth: int) -> Run:
        """The best facts for a query; see `memlab.retrievers.base.Index`."""
        return self.trace(query, depth=depth).run

    def trace(self, query: Query, *, depth: int) -> Trace:
        """The same, with what each retriever found and read."""
        pipeline = self._pipeline
        wanted = max(_SPARE * depth, pipeline.fusion.depth) if pipeline.fusion else depth
        parts = {spec: one.search(query, depth=wanted) for spec, one in self._indexes.items()}
        run, why = next(iter(parts.values())), dict[str, str]()
        if pipeline.fusion:
            runs = list(parts.values())
            weights, why = self._weighed(query, runs)
            if pipeline.fusion.completes:
                runs = self._completed(query, runs)
            rows, scores = pipeline.fusion.fuse(runs, weights)
            run = best(pipeline.spec, self._corpus, rows, scores, wanted)
        stages = [run] if pipeline.fusion else []
        for reranker in pipeline.rerankers:
            if isinstance(reranker, Extending):
                run = reranker.extend(self._corpus, query, run)
            scores = reranker.rerank(self._corpus, query, run)
            run = best(pipeline.spec, self._corpus, run.rows, scores, wanted)
            stages.append(run)
        run = Run(pipeline.spec, run.rows[:depth], run.scores[:depth])
        named = tuple(zip(pipeline.stages, stages, strict=True))
        return Trace(run, parts, lambda: dict(self._read(query, why)), named)

    def covered(self, text: str, rows: NDArray[np.int64]) -> Any:
        """See `memlab.retrievers.bm25.BM25Index.covered`; None without a retriever of words."""
        index: Any = next((i for i in self._indexes.values() if hasattr(i, "covered")), None)
        return index and index.covered(text, rows)

    def nearness(self, query: Query) -> dict[str, Nearness]:
        """How near the nearest facts are in meaning, by the spec of each retriever that tells."""
        told = {spec: getattr(index, "nearness", None) for spec, index in self._indexes.items()}
        found = {spec: near(query) for spec, near in told.items() if near}
        return {spec: value for spec, value in found.items() if value is not None}

    def close(self) -> None:
        """Close all indexes."""
        for index in self._indexes.values():
            index.close()

    def _weighed(self, query: Query, runs: Sequence[Run]) -> tuple[list[float], dict[str, str]]:
        """The weights for a query, and for some retrievers why they are not those that were given.

        What is not sure what the question asks counts less; what goes by meaning counts the more
        the less of the question words cover.
        """
        pipeline = self._pipeline
        weights, why = list(pipeline.weights), {}
        for place, (spec, index) in enumerate(self._indexes.items()):
            certainty: Any = getattr(index, "certainty", None)
            if certainty is not None and (sure := certainty(query)) < 1:
                weights[place] *= sure
                why[Spec.parse(spec).name] = f"counts {sure:.2f} times, since it guesses"
        lift = pipeline.fusion.lift if pipeline.fusion else 0.0
        meaning = [getattr(one, "by_meaning", False) for one in pipeline.retrievers.values()]
        if lift and any(meaning) and (share := self._coverage(query, runs)) is not None:
            times = max(share, _LEAST) ** -lift
            pairs = zip(weights, meaning, strict=True)
            weights = [weight * times if by else weight for weight, by in pairs]
            why["meaning"] = (
                f"counts {times:.2f} times, since words cover {share:.0%} of the question"
            )
        return weights, why

    def _coverage(self, query: Query, runs: Sequence[Run]) -> float | None:
        """How much of a question words cover; None where no retriever of words found anything."""
        for index, run in zip(self._indexes.values(), runs, strict=True):
            coverage: Any = getattr(index, "coverage", None)
            if coverage is not None and len(run):
                return float(coverage(query, run))
        return None

    def _completed(self, query: Query, runs: list[Run]) -> list[Run]:
        """The runs, each with the facts that only others found, scored by its own retriever."""
        import numpy as np

        rows = distinct(np.concatenate([run.rows for run in runs]))
        done = []
        for index, run in zip(self._indexes.values(), runs, strict=True):
            score: Any = getattr(index, "score", None)
            more = np.setdiff1d(rows, run.rows, assume_unique=True)
            if score is not None and len(run) and len(more):
                scores = np.concatenate([run.scores, score(query, more)])
                done.append(Run(run.retriever, np.concatenate([run.rows, more]), scores))
            else:
                done.append(run)
        return done

    def _read(self, query: Query, why: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        yield from why.items()
        for index in self._indexes.values():
            read: Any = getattr(index, "read", None)
            if read is not None:
                yield from read(query).items()


def make(text: str, *, embedding: str = "") -> Pipeline:
    """Build a pipeline from its spec.

    Args:
        text: What `PipelineSpec.parse` takes, or ``default``.
        embedding: The embedding model of retrievers that take one and name none; ``none`` for a
            default without one.

    Raises:
        UnknownNameError: If a name or parameter is not known; it lists those that are.
        ParameterError: If the text cannot be read.
    """
    plan = defaults.expanded(text, embedding=embedding)
    specs = tuple(_with_embedding(spec, embedding) for spec in plan.retrievers)
    plan = replace(plan, retrievers=specs)
    retrievers = {str(spec): registry.make("retriever", spec) for spec in specs}
    fusion: Fusion | None = None
    stages = list(plan.stages)
    names = tuple(map(str, stages))
    if stages and registry.knows("fusion", stages[0].name):
        fusion = registry.make("fusion", stages.pop(0))
    elif len(retrievers) > 1 or stages:
        fusion, names = registry.make("fusion", FUSION), (FUSION, *names)
    for stage in stages:
        if not registry.knows("reranker", stage.name):
            known = [*registry.names("fusion"), *registry.names("reranker")]
            raise UnknownNameError("fusion or reranker", stage.name, known)
    rerankers = tuple(registry.make("reranker", stage) for stage in stages)
    return Pipeline(str(plan), retrievers, plan.weights, fusion, rerankers, names)


def search(corpus: Corpus, index: Index, query: Query, *, k: int) -> list[Hit]:
    """The best ``k`` hits for a query.

    Raises:
        ParameterError: If ``k`` is less than 1.
    """
    if k < 1:
        raise ParameterError(f"k must be at least 1, got {k}")
    return list(hits(corpus, trace(corpus, index, query, depth=k), as_of=query.as_of))


def trace(corpus: Corpus, index: Index, query: Query, *, depth: int) -> Trace:
    """The run of an index for a query, with what is known of how it came about."""
    with duck.reading(corpus.snapshot, IndexError):
        if isinstance(index, PipelineIndex):
            return index.trace(query, depth=depth)
        run = index.search(query, depth=depth)
        return Trace(run, {run.retriever: run})


def hits(corpus: Corpus, trace: Trace, *, as_of: dt.date | None = None) -> Iterator[Hit]:
    """The facts of a run as hits, best first; they are read as they are drawn, some at a time.

    Args:
        corpus: What the run is of.
        trace: The run, and how it came about.
        as_of: The day on whose knowledge facts are marked as superseded; None for all there is.
    """
    run, found = trace.run, _places(trace)
    for start in range(0, len(run), _READ):
        rows = run.rows[start : start + _READ].tolist()
        scores = run.scores[start : start + _READ].tolist()
        read = zip(corpus.marked(rows, as_of), rows, scores, strict=True)
        for rank, (fact, row, score) in enumerate(read, start=start + 1):
            yield Hit(fact, rank, score, found.get(row, {}))


def _places(trace: Trace) -> dict[int, dict[str, tuple[int, float]]]:
    """For each row of the run, by retriever, the rank and score that it had there."""
    places: dict[int, dict[str, tuple[int, float]]] = {int(row): {} for row in trace.run.rows}
    for spec, part in trace.parts.items():
        pairs = zip(part.rows.tolist(), part.scores.tolist(), strict=True)
        for rank, (row, score) in enumerate(pairs, start=1):
            if row in places:
                places[row][spec] = (rank, score)
    return places


def _with_embedding(spec: Spec, embedding: str) -> Spec:
    if embedding in ("", defaults.NONE) or "embedding" in spec.parameters:
        return spec
    if "embedding" not in registry.parameters("retriever", spec.name):
        return spec
    return Spec(spec.name, {**spec.parameters, "embedding": embedding})
