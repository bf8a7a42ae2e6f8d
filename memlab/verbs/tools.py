"""The tools that an agent calls: their schemas for any model, and the call itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memlab.errors import MemlabError, ParameterError, UnknownNameError
from memlab.verbs import archival, core

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memlab.session import Session

_LABEL = {"type": "string", "description": "The block's label."}
_TEXT = {"type": "string", "description": "The text, without line numbers."}
_TAGS = {"type": "array", "items": {"type": "string"}, "description": "Entities it is about."}
_DAY = {"type": "string", "description": "A day, 2025-11-27, or 30d, 2w, 6m, 1y ago."}

_TOOLS: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "core_view": (
        "Show a block of core memory.",
        {"label": _LABEL, "line_numbers": {"type": "boolean", "description": "For core_insert."}},
        ["label"],
    ),
    "core_append": (
        "Add lines at the end of a block of core memory.",
        {"label": _LABEL, "content": _TEXT}, ["label", "content"],
    ),
    "core_replace": (
        "Replace a text that stands in a block of core memory verbatim and exactly once.",
        {"label": _LABEL, "old": _TEXT, "new": {**_TEXT, "description": "Empty, to remove it."}},
        ["label", "old", "new"],
    ),
    "core_insert": (
        "Insert lines after a line of a block of core memory.",
        {"label": _LABEL, "text": _TEXT, "line": {
            "type": "integer", "minimum": -1, "description": "0 is the top, -1 the end."}},
        ["label", "text"],
    ),
    "core_rethink": (
        "Rewrite a block of core memory as a whole, or make a new one.",
        {"label": _LABEL, "text": _TEXT}, ["label", "text"],
    ),
    "archival_insert": (
        "Keep a fact that makes sense alone, outside core memory.",
        {"content": _TEXT, "tags": _TAGS, "kind": {
            "type": "string", "enum": ["world", "experience", "opinion"]}},
        ["content"],
    ),
    "archival_search": (
        "Find facts that were kept or noted, each with its citation.",
        {"query": {"type": "string"}, "tags": _TAGS,
         "tag_match_mode": {"type": "string", "enum": ["any", "all"]},
         "top_k": {"type": "integer", "minimum": 1, "maximum": 50}, "start": _DAY, "end": _DAY},
        ["query"],
    ),
}  # fmt: skip


def tool_schemas() -> list[dict[str, Any]]:
    """Every tool as a JSON schema of a function, in the form that Ollama and OpenAI share."""
    return [
        {
            "type": "function",
            "function": {
                "name": name,
                "description": description,
                "parameters": {
                    "type": "object",
                    "properties": properties,
                    "required": required,
                    "additionalProperties": False,
                },
            },
        }
        for name, (description, properties, required) in _TOOLS.items()
    ]


def call_tool(
    session: Session,
    name: str,
    arguments: Mapping[str, Any],
    *,
    strict: bool = True,
    commit: str | None = None,
) -> str:
    """Call a tool as a model asked for it; what went wrong is an answer too, not an exception.

    Args:
        session: The open workspace.
        name: The tool's name.
        arguments: Its arguments, by the schema.
        strict: Refuse what makes a block longer than its limit.
        commit: Commit writes of the core to git, for this reason.

    Returns:
        Text or JSON for the model to read; errors begin with ``error:``.
    """
    try:
        _valid(name, arguments)
        return _call(session, name, dict(arguments), strict=strict, commit=commit)
    except MemlabError as error:
        return f"error: {error}"


def _call(
    session: Session, name: str, given: dict[str, Any], *, strict: bool, commit: str | None
) -> str:
    if name == "core_view":
        return core.core_view(session, **given) or "(empty)"
    if name == "archival_insert":
        kept = archival.archival_insert(session, **given)
        state = "kept" if kept.written else "known already"
        notes = [*map(str, kept.similar[:1]), *kept.notes] if kept.written else []
        return "; ".join([f"{state}: {kept.source}", *notes])
    if name == "archival_search":
        hits = archival.archival_search(session, **given)
        rows = [
            {
                "content": hit.fact.content, "source": str(hit.fact.source),
                "timestamp": str(hit.fact.when) if hit.fact.when else None,
                "tags": list(hit.fact.entities), "kind": hit.fact.kind.value,
            }
            for hit in hits
        ]  # fmt: skip
        return json.dumps(rows, ensure_ascii=False)
    return str(getattr(core, name)(session, **given, strict=strict, commit=commit))


def _valid(name: str, arguments: Mapping[str, Any]) -> None:
    """Refuse arguments that the schema does not allow: models send those too."""
    if name not in _TOOLS:
        raise UnknownNameError("tool", name, list(_TOOLS))
    _, properties, required = _TOOLS[name]
    types = {"string": str, "boolean": bool, "integer": int, "array": list}
    for key, value in arguments.items():
        if key not in properties:
            raise UnknownNameError(f"argument of {name}", key, list(properties))
        kind = properties[key]["type"]
        wrong = not isinstance(value, types[kind]) or (kind == "integer" and value is True)
        if wrong or (kind == "array" and not all(isinstance(one, str) for one in value)):
            raise ParameterError(f"{key} must be of type {kind}, got {value!r}", where=name)
        if value not in properties[key].get("enum", [value]):
            raise ParameterError(f"{key} must be one of {properties[key]['enum']}", where=name)
    if missing := [key for key in required if key not in arguments]:
        raise ParameterError(f"{', '.join(missing)} missing", where=name)
