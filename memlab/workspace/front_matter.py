"""YAML front matter: read where it is sound, kept as ordinary text where it is not."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field
from typing import Any

from memlab.workspace.markdown import split_lines

_FENCE = re.compile(r"---[ \t]*$")
_END = re.compile(r"(?:---|\.\.\.)[ \t]*$")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What stands before a page's text.

    Attributes:
        body: The whole text with as many lines, those of the front matter blank.
        values: What the front matter says; empty where there is none or it is malformed.
        faults: Line and message of what is wrong with it.
    """

    body: str
    values: dict[str, Any] = field(default_factory=dict)
    faults: tuple[tuple[int, str], ...] = ()

    @property
    def day(self) -> dt.date | None:
        """The ``date``, whether YAML reads it as a day, a moment or a text that begins with one."""
        value = self.values.get("date")
        if isinstance(value, dt.datetime):
            return value.date()
        if isinstance(value, dt.date):
            return value
        match = re.match(r"\d{4}-\d{2}-\d{2}", str(value or "").strip())
        try:
            return dt.date.fromisoformat(match[0]) if match else None
        except ValueError:
            return None

    def text(self, key: str) -> str:
        """A single value as text; empty where there is none."""
        value = self.values.get(key)
        return " ".join(str(value).split()) if isinstance(value, str | int | float) else ""

    def texts(self, *keys: str) -> tuple[str, ...]:
        """The values of several keys, each a text or a list of texts, in order, none twice."""
        found: dict[str, None] = {}
        for key in keys:
            value = self.values.get(key)
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, str | int | float) and str(one).strip():
                    found.setdefault(" ".join(str(one).split()))
        return tuple(found)


def split(text: str) -> FrontMatter:
    """Part a page's text from its front matter.

    Malformed front matter and one without an end are faults, and their lines stay in the body, so
    that nothing which a person wrote is lost.
    """
    if not text.startswith("---"):
        return FrontMatter(text)
    lines = split_lines(text)
    if not lines or not _FENCE.match(lines[0]):
        return FrontMatter(text)
    end = next((n for n, line in enumerate(lines[1:], start=1) if _END.match(line)), None)
    if end is None:
        return FrontMatter(_blank(lines, {0}), faults=((1, "the front matter has no end"),))
    import yaml  # takes a while, and most pages have no front matter

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        values = yaml.load("\n".join(lines[1:end]), Loader=loader)  # noqa: S506  # a safe loader
    except (yaml.YAMLError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 2 if mark else 1
        problem = getattr(error, "problem", None) or str(error)
        message = f"the front matter is no YAML ({problem}); its lines are read as text"
        return FrontMatter(_blank(lines, {0, end}), faults=((line, message),))
    if values is not None and not isinstance(values, dict):
        # a thematic break, some text, another break: no front matter at all
        return FrontMatter(text)
    body = _blank(lines, set(range(end + 1)))
    return FrontMatter(body, {str(key): value for key, value in (values or {}).items()})


def _blank(lines: list[str], which: set[int]) -> str:
    return "\n".join("" if number in which else line for number, line in enumerate(lines)) + "\n"
