"""What an experiment compares: systems by spec, by object, or by a class of a notebook cell."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memlab import defaults, pipeline, registry
from memlab.errors import ParameterError
from memlab.workspace.config import standing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, slots=True)
class System:
    """What an arm runs.

    Attributes:
        label: How it is called in tables.
        spec: The spec string that builds it; empty for an object that none builds.
        strategy: The retriever, or None where it is to be built from ``spec``.
    """

    label: str
    spec: str = ""
    strategy: Any = None

    def retriever(self) -> Any:
        """The retriever.

        Raises:
            UnknownNameError: If nothing is registered under its name.
            MissingExtraError: If it needs an extra that is not installed.
        """
        if self.strategy is not None:
            return self.strategy
        return pipeline.make(self.spec, embedding=standing().embedding)


def system_of(system: str | type | Any, label: str = "") -> System:
    """A system from a spec string, a class, or an object with an ``index`` method.

    Raises:
        ParameterError: If it is none of these.
    """
    if isinstance(system, System):
        return system
    if isinstance(system, str):
        spec = str(defaults.expanded(system, embedding=standing().embedding))
        return System(label or (defaults.NAME if system.strip() == defaults.NAME else spec), spec)
    strategy = system() if isinstance(system, type) else system
    if not hasattr(strategy, "index"):
        raise ParameterError(
            f"{system!r} is no system", hint="Give a spec, or a class or object with index(corpus)"
        )
    name = getattr(type(strategy), "__memlab_name__", type(strategy).__name__)
    spec = str(registry.spec_of(strategy, name)) if dataclasses.is_dataclass(strategy) else name
    return System(label or spec, "", strategy)


def systems_of(systems: Iterable[Any] | Mapping[str, Any] | Any) -> list[System]:
    """Systems, each with a label of its own.

    Raises:
        ParameterError: If there is none, or two have one label.
    """
    if isinstance(systems, dict):
        found = [system_of(system, label) for label, system in systems.items()]
    else:
        # a list has a method called index, too
        several = isinstance(systems, list | tuple | set) or not hasattr(systems, "index")
        one = isinstance(systems, str | type) or not several
        found = [system_of(system) for system in ([systems] if one else systems)]
    labels = [system.label for system in found]
    if not labels:
        raise ParameterError("there is no system to run")
    for label in labels:
        if labels.count(label) > 1:
            raise ParameterError(
                f"two systems are called {label!r}", hint="Give a dict of labels and systems"
            )
    return found
