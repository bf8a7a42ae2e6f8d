"""What a path of the workspace means: its role, its day, and the kind of fact that it implies."""

from __future__ import annotations

import datetime as dt
import re
from enum import StrEnum

from memlab.types import Kind


class Role(StrEnum):
    """What a page is for, read off its path."""

    CORE = "core"
    DAILY = "daily"
    NOTE = "note"
    WORLD = "world"
    EXPERIENCE = "experience"
    OPINIONS = "opinions"
    ENTITY = "entity"


IMPLIED: dict[Role, Kind] = {
    Role.CORE: Kind.WORLD,
    Role.DAILY: Kind.EXPERIENCE,
    Role.NOTE: Kind.EXPERIENCE,
    Role.WORLD: Kind.WORLD,
    Role.EXPERIENCE: Kind.EXPERIENCE,
    Role.OPINIONS: Kind.OPINION,
    Role.ENTITY: Kind.OBSERVATION,
}
"""The kind of a fact that says none itself, by the role of its page."""

ENTITY_FOLDER = "bank/entities"
_TYPED = {
    "bank/world.md": Role.WORLD,
    "bank/experience.md": Role.EXPERIENCE,
    "bank/opinions.md": Role.OPINIONS,
}
_DAY = re.compile(r"(?:^|/)(\d{4}-\d{2}-\d{2})(?:[^/\d][^/]*)?\.md$", re.IGNORECASE)
_UNREAD_FOLDERS = frozenset({"node_modules", "__pycache__"})
_UNINDEXED = ("bank/proposals/",)


def is_page(path: str) -> bool:
    """Whether a file of the workspace is one of its pages."""
    return path.lower().endswith((".md", ".markdown")) and not path.startswith(_UNINDEXED)


def is_walked(folder: str) -> bool:
    """Whether a folder of that name may hold pages: hidden and derived ones do not."""
    return not folder.startswith(".") and folder not in _UNREAD_FOLDERS


def role_of(path: str) -> Role:
    """The role of a page from its path, ``/`` between the parts."""
    if path.lower() in _TYPED:
        return _TYPED[path.lower()]
    if path.startswith(f"{ENTITY_FOLDER}/"):
        return Role.ENTITY
    if "/" not in path:
        return Role.CORE
    if path.startswith("memory/") and path.count("/") == 1 and day_of(path):
        return Role.DAILY
    return Role.NOTE


def day_of(path: str) -> dt.date | None:
    """The day that a file's name gives under ``memory/``, or None, also for days that are none."""
    match = _DAY.search(path) if path.startswith("memory/") else None
    if not match:
        return None
    try:
        return dt.date.fromisoformat(match[1])
    except ValueError:
        return None


def daily_path(day: dt.date) -> str:
    """The path of a day's log."""
    return f"memory/{day.isoformat()}.md"
