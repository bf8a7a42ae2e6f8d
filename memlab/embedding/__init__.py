"""Embedding models, one family a file: ``memlab.embedding("e5-small")`` gives one.

The package is callable, so that it may have the name of what it gives.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memlab.embedding.base import Embedding

DEFAULT = "e5-small"
"""The best small model that was measured, across languages; see docs/embeddings.md."""

# what a name before a colon takes after it
_ARGUMENTS = {"st": "path", "static": "path", "ollama": "model"}


def embedding(spec: str | Embedding = DEFAULT) -> Embedding:
    """An embedding model, not loaded yet.

    Args:
        spec: A name such as ``minilm``; ``st:/folder``, ``static:/folder`` or ``ollama:model``;
            parameters in brackets behind either, as in ``minilm(batch=16)``; or a model itself.

    Raises:
        UnknownNameError: If there is no such name or parameter.
        ParameterError: If the spec cannot be read or a value is not usable.
    """
    from memlab import registry
    from memlab.embedding.base import Embedding

    if isinstance(spec, Embedding):
        return spec
    family, colon, rest = spec.partition(":")
    if colon and family in _ARGUMENTS:
        # a folder may have any letters, so the rest is no spec; parameters are what ends it
        argument, bracket, parameters = rest.partition("(")
        if bracket and not parameters.rstrip().endswith(")"):
            argument, parameters = rest, ""
        parsed = registry.Spec.parse(f"{family}({parameters}" if parameters else family)
        given = {_ARGUMENTS[family]: argument.strip(), **parsed.parameters}
        return _made(registry.Spec(family, given))
    return _made(spec)


def several(specs: str) -> list[str]:
    """The models of a text such as ``e5-small+minilm``; a ``+`` in brackets parts nothing.

    Raises:
        ParameterError: If one of several is empty.
    """
    from memlab import registry
    from memlab.errors import ParameterError

    found = [spec.strip() for spec in registry.split(specs, "+")]
    if len(found) > 1 and not all(found):
        raise ParameterError(f"an empty name among the models of {specs!r}")
    return found


def _made(spec: Any) -> Embedding:
    from memlab import registry

    made: Embedding = registry.make("embedding", spec)
    return made


class _Callable(ModuleType):
    def __call__(self, spec: str | Embedding = DEFAULT) -> Embedding:
        """See `embedding`."""
        return embedding(spec)


sys.modules[__name__].__class__ = _Callable
