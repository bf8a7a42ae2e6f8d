"""Strategies by name and parameters: ``lexical(k1=0.9)`` parses, is built, and prints back.

A strategy is a frozen dataclass: its fields are its parameters, its constructor only stores them.
Built-in ones are named by import path, so that asking for one imports no other. A plugin announces
its own through the entry point group ``memlab.<family>s``, for instance ``memlab.retrievers``.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import re
from dataclasses import dataclass, field
from typing import Any

from memlab.errors import ParameterError, UnknownNameError

_BUILT_IN = {
    "counter": {
        "bytes4": "memlab.counters:Bytes4",
        "tokenizer": "memlab.counters:Tokenizer",
        "words": "memlab.counters:Words",
    },
    "dataset": {
        "beir": "memlab.evaluation.datasets.beir:BEIR",
        "locomo": "memlab.evaluation.datasets.locomo:LoCoMo",
        "longmemeval": "memlab.evaluation.datasets.longmemeval:LongMemEval",
        "own": "memlab.evaluation.datasets.own:Own",
        "stance": "memlab.evaluation.datasets.stance:Stance",
        "trec": "memlab.evaluation.datasets.trec:TREC",
    },
    "embedding": {
        "e5-small": "memlab.embedding.e5_small:E5Small",
        "glove": "memlab.embedding.static:GloVe",
        "minilm": "memlab.embedding.minilm:MiniLM",
        "mpnet": "memlab.embedding.mpnet:MPNet",
        "ollama": "memlab.embedding.ollama:Ollama",
        "st": "memlab.embedding.sentence_transformer:SentenceTransformer",
        "static": "memlab.embedding.static:Static",
        "tfidf-svd": "memlab.embedding.tfidf_svd:TfidfSvd",
        "wordllama": "memlab.embedding.static:WordLlama",
    },
    "fusion": {
        "convex": "memlab.fusion.convex:Convex",
        "rrf": "memlab.fusion.rrf:RRF",
        "weighted": "memlab.fusion.weighted:Weighted",
    },
    "reranker": {
        "cross-encoder": "memlab.rerank.cross_encoder:CrossEncoder",
        "decay": "memlab.rerank.decay:Decay",
        "mmr": "memlab.rerank.mmr:MMR",
        "succession": "memlab.rerank.succession:Succession",
    },
    "retriever": {
        "bm25s": "memlab.retrievers.bm25s:BM25S",
        "core": "memlab.retrievers.core:Core",
        "dense": "memlab.retrievers.dense:Dense",
        "duckdb-fts": "memlab.retrievers.duckdb_fts:DuckDBFTS",
        "entity": "memlab.retrievers.entity:Entity",
        "graph": "memlab.retrievers.graph:Graph",
        "lexical": "memlab.retrievers.bm25:BM25",
        "opinion": "memlab.retrievers.opinion:Opinion",
        "sqlite-fts5": "memlab.retrievers.sqlite_fts5:SQLiteFTS5",
        "tantivy": "memlab.retrievers.tantivy:Tantivy",
        "temporal": "memlab.retrievers.temporal:Temporal",
    },
    "stance": {
        "nli": "memlab.opinions.nli:NLI",
        "ollama": "memlab.opinions.ollama:Ollama",
        "pairs": "memlab.opinions.pairs:Pairs",
        "rules": "memlab.opinions.rules:Rules",
    },
    "updater": {
        "hindsight": "memlab.opinions.hindsight:Hindsight",
        "log-odds": "memlab.opinions.log_odds:LogOdds",
        "small": "memlab.opinions.small:Small",
    },
}

_WEIGHT = re.compile(r"\s*(\d*\.?\d+)\s*\*\s*(.*)", re.DOTALL)

_added: dict[str, dict[str, type]] = {family: {} for family in _BUILT_IN}


@dataclass(frozen=True, slots=True)
class Spec:
    """A strategy's name and the parameters that differ from its defaults."""

    name: str
    parameters: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        if not self.parameters:
            return self.name
        return f"{self.name}({', '.join(f'{k}={v!r}' for k, v in self.parameters.items())})"

    @classmethod
    def parse(cls, text: str) -> Spec:
        """Read ``name`` or ``name(parameter=literal, …)``.

        Raises:
            ParameterError: If the text has another form.
        """
        match = re.fullmatch(r"([\w][\w.:/-]*)\s*(?:\((.*)\))?", text.strip(), re.DOTALL)
        if not match:
            raise ParameterError(f"{text!r} is no spec", hint="Write NAME or NAME(parameter=value)")
        try:
            call = ast.parse(f"_({match[2] or ''})", mode="eval").body
            parameters = _parameters(call)
        except (SyntaxError, ValueError) as error:
            raise ParameterError(
                f"cannot read the parameters of {text!r}",
                hint="Write them as name=value, with Python's literals",
            ) from error
        return cls(match[1], parameters)


def _parameters(call: ast.expr) -> dict[str, Any]:
    if not isinstance(call, ast.Call) or call.args or any(k.arg is None for k in call.keywords):
        raise ValueError("parameters are named")
    return {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}


@dataclass(frozen=True, slots=True)
class PipelineSpec:
    """How a pipeline is put together: see `memlab.pipeline`.

    Attributes:
        retrievers: The specs of its retrievers, none twice.
        weights: Their weights.
        stages: The specs of what follows: a fusion, where one is named, and rerankers.
    """

    retrievers: tuple[Spec, ...]
    weights: tuple[float, ...]
    stages: tuple[Spec, ...] = ()

    @classmethod
    def parse(cls, text: str) -> PipelineSpec:
        """Read ``0.5*lexical + dense | weighted | mmr``; a weight that is not there is 1.

        Raises:
            ParameterError: If the text has another form, or one retriever stands twice.
        """
        first, *stages = split(text, "|")
        retrievers, weights = [], []
        for part in split(first, "+"):
            match = _WEIGHT.fullmatch(part)
            retrievers.append(Spec.parse(match[2] if match else part))
            weights.append(float(match[1]) if match else 1.0)
        if len(set(map(str, retrievers))) < len(retrievers):
            raise ParameterError(f"one retriever stands twice in {text!r}")
        return cls(tuple(retrievers), tuple(weights), tuple(map(Spec.parse, stages)))

    def __str__(self) -> str:
        parts = [
            str(spec) if weight == 1 else f"{weight:g}*{spec}"
            for spec, weight in zip(self.retrievers, self.weights, strict=True)
        ]
        return " | ".join([" + ".join(parts), *map(str, self.stages)])


def split(text: str, separator: str) -> list[str]:
    """``text`` at each separator that stands outside brackets and quotes."""
    parts, depth, quote, start = [], 0, "", 0
    for place, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char == separator and not depth:
            parts.append(text[start:place])
            start = place + 1
    return [part.strip() for part in (*parts, text[start:])]


def register(family: str, name: str, strategy: type) -> None:
    """Add a strategy under a name, or replace the one that has it.

    Raises:
        UnknownNameError: If there is no such family.
        ParameterError: If the strategy is no dataclass.
    """
    if family not in _added:
        raise UnknownNameError("family of strategies", family, list(_added))
    if not dataclasses.is_dataclass(strategy):
        raise ParameterError(
            f"{strategy.__name__} is no dataclass", hint="Its fields are its knobs"
        )
    _added[family][name] = strategy


def names(family: str) -> list[str]:
    """All names of a family: built in, registered and announced by plugins, sorted."""
    return sorted({*_BUILT_IN[family], *_added[family], *_plugins(family)})


def knows(family: str, name: str) -> bool:
    """Whether a family has a strategy of that name."""
    return name in _added[family] or name in _BUILT_IN[family] or name in _plugins(family)


def make(family: str, spec: str | Spec) -> Any:
    """Build a strategy from its spec.

    Raises:
        UnknownNameError: If the name or a parameter is not known; it lists those that are.
        ParameterError: If the spec cannot be read or a value is not acceptable.
    """
    spec = Spec.parse(spec) if isinstance(spec, str) else spec
    known = parameters(family, spec.name)
    for parameter in spec.parameters:
        if parameter not in known:
            raise UnknownNameError(f"parameter of {spec.name}", parameter, known)
    return _find(family, spec.name)(**spec.parameters)


def parameters(family: str, name: str) -> list[str]:
    """The names of a strategy's parameters, in order.

    Raises:
        UnknownNameError: If there is no such strategy.
    """
    return [f.name for f in dataclasses.fields(_find(family, name)) if f.init]


def spec_of(strategy: Any, name: str) -> Spec:
    """The spec that builds ``strategy`` again: its name and whatever is not the default."""
    parameters = {
        f.name: getattr(strategy, f.name)
        for f in dataclasses.fields(strategy)
        if f.init and getattr(strategy, f.name) != f.default
    }
    return Spec(name, parameters)


def _find(family: str, name: str) -> Any:
    if name in _added[family]:
        return _added[family][name]
    if name in _BUILT_IN[family]:
        module, _, attribute = _BUILT_IN[family][name].partition(":")
        return getattr(importlib.import_module(module), attribute)
    plugins = _plugins(family)
    if name in plugins:
        return plugins[name].load()
    raise UnknownNameError(family, name, names(family))


def _plugins(family: str) -> dict[str, Any]:
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group=f"memlab.{family}s")}
