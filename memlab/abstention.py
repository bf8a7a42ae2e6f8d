"""Whether the notes answer at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Evidence:
    """How well a question's words and meaning are met."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {}
