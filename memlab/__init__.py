"""A laboratory for memory kept as Markdown: index, recall with citations, retain, reflect.

>>> import memlab
>>> with memlab.open("~/.openclaw/workspace") as workspace:  # doctest: +SKIP
...     print(workspace.recall("what did we decide about the queue?").to_markdown())
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memlab.api import Workspace, open  # noqa: A004  # as io.open is
    from memlab.cite import Recall
    from memlab.embedding import embedding
    from memlab.errors import MemlabError
    from memlab.evaluation.experiment import experiment
    from memlab.evaluation.saved import runs
    from memlab.retrievers.decorator import retriever
    from memlab.types import Fact, Hit, Kind, Origin, Query, Run, Source, TimeRange
    from memlab.verbs.recall import recall
    from memlab.verbs.reflect import reflect
    from memlab.verbs.retain import retain

__version__ = "0.1.0"

# loaded when first asked for, so that importing memlab imports nothing else
_HOMES = {
    "Fact": "memlab.types",
    "Hit": "memlab.types",
    "Kind": "memlab.types",
    "MemlabError": "memlab.errors",
    "Origin": "memlab.types",
    "Query": "memlab.types",
    "Recall": "memlab.cite",
    "Run": "memlab.types",
    "Source": "memlab.types",
    "TimeRange": "memlab.types",
    "Workspace": "memlab.api",
    "experiment": "memlab.evaluation.experiment",
    "open": "memlab.api",
    "recall": "memlab.verbs.recall",
    "reflect": "memlab.verbs.reflect",
    "retain": "memlab.verbs.retain",
    "retriever": "memlab.retrievers.decorator",
    "runs": "memlab.evaluation.saved",
}

__all__ = [
    "Fact", "Hit", "Kind", "MemlabError", "Origin", "Query", "Recall", "Run", "Source", "TimeRange",
    "Workspace", "__version__", "embedding", "experiment", "open", "recall", "reflect", "retain",
    "retriever", "runs",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "embedding":
        return importlib.import_module("memlab.embedding")  # a package that is callable
    if name not in _HOMES:
        raise AttributeError(f"module 'memlab' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
