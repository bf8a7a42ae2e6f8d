"""A retriever by decorator: for a class that is written in a notebook, a script or a test."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, TypeVar, cast

from memlab import registry
from memlab.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T", bound=type)


def retriever(name: str) -> Callable[[_T], _T]:
    """Register a class as a retriever, under a name that every spec may then use.

    The class has ``index(corpus)``, as `memlab.retrievers.base.Retriever` says. Its annotated
    fields are its parameters; it is made a frozen dataclass unless it is a dataclass already.
    Running a cell again replaces what was registered before.

    >>> @retriever("first-facts")
    ... class FirstFacts:
    ...     depth: int = 3
    ...
    ...     def index(self, corpus): ...
    >>> registry.make("retriever", "first-facts(depth=5)").depth
    5

    Args:
        name: Its name.

    Raises:
        ParameterError: If the name cannot stand in a spec, or the class has no ``index``.
    """
    if registry.Spec.parse(name).name != name.strip():
        raise ParameterError(f"{name!r} is no name", hint="Use letters, digits and - . : /")

    def register(strategy: _T) -> _T:
        if not callable(getattr(strategy, "index", None)):
            raise ParameterError(f"{strategy.__name__} has no index(corpus)")
        if not dataclasses.is_dataclass(strategy):
            strategy = cast("_T", dataclasses.dataclass(frozen=True)(strategy))
        strategy.__memlab_name__ = name  # type: ignore[attr-defined]
        registry.register("retriever", name, strategy)
        return strategy

    return register
