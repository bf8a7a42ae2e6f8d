"""Parameters of a notebook: the annotated literals of its cell tagged ``parameters``."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Any

from memlab.errors import ParameterError

_TYPES: dict[str, type | tuple[type, ...]] = {
    "str": str,
    "int": int,
    "float": (int, float),
    "bool": bool,
    "list": (list, tuple),
    "tuple": (list, tuple),
    "dict": dict,
    "None": type(None),
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter.

    Attributes:
        name: Its name.
        annotation: Its type as written, such as ``str | None``.
        default: Its value where none is given.
        help: Its comment.
    """

    name: str
    annotation: str
    default: Any
    help: str

    def check(self, value: Any) -> Any:
        """The value, if it has one of the parameter's types.

        Raises:
            ParameterError: If it has none of them.
        """
        for name in self._types():
            # True is an int to Python, and not to a person
            fits = isinstance(value, bool) == (name == "bool") if name in _TYPES else True
            if fits and isinstance(value, _TYPES.get(name, object)):
                return value
        raise ParameterError(f"{self.name} must be {self.annotation}, got {value!r}")

    def read(self, text: str) -> Any:
        """The value that a word of the command line means for this parameter.

        Raises:
            ParameterError: If it means none.
        """
        types = self._types()
        word = text.casefold()
        if "None" in types and word in {"", "none", "null"}:
            return None
        if "bool" in types and word in {"true", "false", "yes", "no"}:
            return word in {"true", "yes"}
        if set(types) - {"str", "None", "bool"}:
            try:
                return self.check(ast.literal_eval(text))
            except (ValueError, SyntaxError):  # ParameterError is a ValueError too
                pass
        return self.check(text)

    def _types(self) -> list[str]:
        """The names of its types, without what stands in brackets."""
        bare = re.sub(r"\[.*?\]+", "", self.annotation)
        return [part.strip() for part in bare.split("|")]


def parse(cell: str) -> list[Parameter]:
    """The parameters of a cell, one a line: ``k: int = 10  # at most so many hits``.

    Raises:
        ValueError: If a line is anything else.
    """
    found: list[Parameter] = []
    lines = cell.splitlines()
    for node in ast.parse(cell).body:
        if not (isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)):
            text = f"{ast.unparse(node)!r} is not NAME: TYPE = LITERAL  # what it is"
            raise ValueError(text)  # noqa: TRY004  # of the text it is
        if node.value is None or node.end_lineno is None:
            raise ValueError(f"{node.target.id} has no default")
        # columns count bytes
        comment = lines[node.end_lineno - 1].encode()[node.end_col_offset :].decode()
        default = ast.literal_eval(node.value)
        name, annotation = node.target.id, ast.unparse(node.annotation)
        found.append(Parameter(name, annotation, default, comment.strip().lstrip("# ")))
    return found
