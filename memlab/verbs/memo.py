"""What a reflect found out and need not find out again. To lose it costs time only.

reflect.json    digests of what each page was made from; stances by statement and fact
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memlab import registry
from memlab.opinions import base, features
from memlab.opinions.base import Stance
from memlab.store.place import replace_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memlab.opinions.base import Detector
    from memlab.store.place import Place

FILE = "reflect.json"
VERSION = 1
_MANY = 500_000  # stances; of more, those of other statements are most


@dataclass
class Memo:
    """The memo of one workspace.

    Attributes:
        place: The workspace's place for derived files.
        pages: By path, the hash of the page as it was left, and a digest of what it was made from.
        entities: By key, a digest of the evidence that the opinions about it were made from.
        names: By key, the name of each entity.
        stances: By a hash of detector, statement and fact: supports and contradicts.
    """

    place: Place
    pages: dict[str, list[str | None]] = field(default_factory=dict)
    entities: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    stances: dict[str, list[float]] = field(default_factory=dict)
    changed: bool = False

    @classmethod
    def load(cls, place: Place) -> Memo:
        """The memo as it was saved; an empty one where there is none that can be read."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            kept = json.loads((place.folder / FILE).read_text(encoding="utf-8"))
            if kept.pop("version") == VERSION:
                return cls(place, **kept)
        return cls(place)

    def save(self) -> None:
        """Keep it for the next time."""
        if not self.changed:
            return
        if len(self.stances) > _MANY:
            self.stances = {}
        kept = {
            "version": VERSION, "pages": self.pages, "entities": self.entities,
            "names": self.names, "stances": self.stances,
        }  # fmt: skip
        with suppress(OSError):
            replace_text(self.place.folder / FILE, json.dumps(kept, ensure_ascii=False))

    def renamed(self, names: Mapping[str, str]) -> bool:
        """Whether an entity goes by another name than when pages were last made."""
        return any(names.get(own, name) != name for own, name in self.names.items())

    def is_current(self, path: str, sha256: str | None, made_from: str) -> bool:
        """Whether a page stands as it was left, and would be made from the same again."""
        return self.pages.get(path) == [sha256, made_from]


class Judge:
    """A detector that is asked once for each pair, ever.

    Args:
        spec: The detector's spec.
        memo: Where stances are kept.
    """

    def __init__(self, spec: str, memo: Memo) -> None:
        self.detector: Detector = registry.make("stance", spec)
        self._memo = memo
        self._name = _fingerprint(spec)

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each pair, in order."""
        keys = [_digest(self._name, *pair) for pair in pairs]
        known = self._memo.stances
        new = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in known}
        if new:
            found = self.detector.judge(list(new.values()))
            for key, stance in zip(new, found, strict=True):
                known[key] = [stance.supports, stance.contradicts]
            self._memo.changed = True
        return [Stance(known[key][0], known[key][1]) for key in keys]


def _fingerprint(spec: str) -> str:
    """All that a detector's stances depend on beside the pairs."""
    parsed = registry.Spec.parse(spec)
    stuff: list[Any] = [str(parsed), base.VERSION, features.VERSION]
    path = parsed.parameters.get("path")
    if isinstance(path, str):
        with suppress(OSError):
            stat = os.stat(path)
            stuff += [stat.st_size, stat.st_mtime_ns]
    return json.dumps(stuff)


def _digest(*texts: str) -> str:
    return hashlib.blake2b("\x1f".join(texts).encode(), digest_size=10).hexdigest()
