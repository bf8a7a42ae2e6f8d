"""``memlab.toml`` at a workspace's root: every key optional, every unknown key an error.

A table's key has an underscore as a keyword: ``opinions.updater`` is ``opinions_updater``.
"""

from __future__ import annotations

import datetime as dt
import os
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from memlab.errors import ParameterError, UnknownNameError
from memlab.workspace.reader import MAX_BYTES

if TYPE_CHECKING:
    from pathlib import Path
    from zoneinfo import ZoneInfo

FILE = "memlab.toml"
ENVIRONMENT = "MEMLAB_EMBEDDING"


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a workspace.

    Attributes:
        timezone: The zone of its days, an IANA name; None for the machine's.
        retriever: The spec of the retriever, or of a pipeline; see `memlab.defaults`.
        embedding: The spec of the embedding model of retrievers that name none, or of several with
            ``+`` between them; empty for the best small ones that were measured, as far as they are
            installed; ``none`` to recall by words alone.
        max_file_bytes: Larger files are left out.
        opinions_detector: The spec of what tells whether a fact supports an opinion.
        opinions_updater: The spec of what moves an opinion's confidence.
    """

    timezone: str | None = None
    retriever: str = "default"
    embedding: str = ""
    max_file_bytes: int = MAX_BYTES
    opinions_detector: str = "rules"
    opinions_updater: str = "small"

    def __post_init__(self) -> None:
        if self.max_file_bytes < 1:
            raise ParameterError(
                f"must be at least 1, got {self.max_file_bytes}", where="max_file_bytes"
            )
        _zone(self.timezone)

    def now(self, now: dt.datetime | dt.date | str | None = None) -> dt.datetime:
        """The clock, in the workspace's zone.

        Args:
            now: A moment (a naive one is local), a day (its noon), either in ISO form, or None.

        Raises:
            ParameterError: If the text is no moment.
        """
        zone = _zone(self.timezone)
        if now is None:
            return dt.datetime.now(zone).astimezone(zone)
        if isinstance(now, str):
            now = _moment(now)
        if not isinstance(now, dt.datetime):
            now = dt.datetime.combine(now, dt.time(12))
        return now.replace(tzinfo=zone) if now.tzinfo is None and zone else now.astimezone(zone)


def load(root: Path, **overrides: Any) -> Config:
    """The configuration of the workspace at ``root``: keywords, then the file, then ``MEMLAB_…``.

    ``MEMLAB_EMBEDDING`` is the model where neither of the others names one.

    Raises:
        ParameterError: If the file is no TOML, a key is unknown, or a value is not usable.
    """
    place = root / FILE
    settings: dict[str, Any] = {}
    try:
        text = place.read_text(encoding="utf-8")
        import tomllib  # most workspaces have no such file

        settings = tomllib.loads(text)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        raise ParameterError(f"cannot be read as TOML: {error}", where=str(place)) from error
    kinds = {
        "timezone": str, "retriever": str, "embedding": str, "max_file_bytes": int,
        "opinions_detector": str, "opinions_updater": str,
    }  # fmt: skip
    settings = _flat(settings)
    for key, value in settings.items():
        if key not in kinds:
            raise UnknownNameError(f"setting in {place}", key, list(kinds))
        if not isinstance(value, kinds[key]) or isinstance(value, bool):
            raise ParameterError(
                f"{key} must be a {kinds[key].__name__}, got {value!r}", where=str(place)
            )
    known = {f.name for f in fields(Config)}
    for key in overrides:
        if key not in known:
            raise UnknownNameError("setting", key, sorted(known))
    given = {key: value for key, value in overrides.items() if value is not None}
    return replace(standing(), **{**settings, **given})


def standing() -> Config:
    """What holds where neither a file nor a call says otherwise: defaults and the environment."""
    return Config(embedding=os.environ.get(ENVIRONMENT, ""))


def _flat(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings with those of the table ``opinions`` as ``opinions_detector`` and so on."""
    table = settings.get("opinions")
    if not isinstance(table, dict):
        return settings
    rest = {key: value for key, value in settings.items() if key != "opinions"}
    return rest | {f"opinions_{key}": value for key, value in table.items()}


def _zone(name: str | None) -> ZoneInfo | None:
    if name is None:
        return None
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ParameterError(
            f"no time zone {name!r}", hint="Write an IANA name such as Europe/Copenhagen"
        ) from error


def _moment(text: str) -> dt.datetime | dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        pass
    try:
        return dt.datetime.fromisoformat(text)
    except ValueError:
        raise ParameterError(
            f"{text!r} is no moment", hint="Write 2025-11-27 or 2025-11-27T09:30"
        ) from None
