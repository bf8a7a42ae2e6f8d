"""What a reflect found out and need not find out again. To lose it costs time only.

``reflect.json`` has two lines: by what and how it was written, and what it says. All in it stands
with a digest of what it was made from, and holds while that is the same; a file that was damaged,
or written by another memlab, says nothing.
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
from memlab.store.survey import FORMAT

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from memlab.opinions.base import Detector
    from memlab.store.place import Place

FILE = "reflect.json"
VERSION = f"3 {FORMAT}"  # its number is raised whenever the same notes give other pages
_MANY = 500_000  # stances; of more, those of other statements are most


@dataclass
class Memo:
    """The memo of one workspace.

    Attributes:
        place: The workspace's place for derived files.
        pages: By path, the hash of the page as it was left, and a digest of what it was made from.
        entities: By key, a digest of the evidence that the opinions about it were made from.
        related: By key, the entities that the page of an entity lists.
        derived: By what was derived of each thing, and by its key: a digest, and the outcome.
        stances: By a hash of detector, statement and fact: supports and contradicts.
    """

    place: Place
    pages: dict[str, list[str | None]] = field(default_factory=dict)
    entities: dict[str, str] = field(default_factory=dict)
    related: dict[str, list[str]] = field(default_factory=dict)
    derived: dict[str, dict[str, list[Any]]] = field(default_factory=dict)
    stances: dict[str, list[float]] = field(default_factory=dict)
    changed: bool = False

    @classmethod
    def load(cls, place: Place) -> Memo:
        """The memo as it was saved; an empty one where there is none that can be read."""
        with suppress(OSError, ValueError, LookupError, TypeError):
            head, kept = (place.folder / FILE).read_text(encoding="utf-8").splitlines()
            if json.loads(head) == _head(kept):
                return cls(place, **json.loads(kept))
        return cls(place)

    def save(self) -> None:
        """Keep it for the next time."""
        if not self.changed:
            return
        if len(self.stances) > _MANY:
            self.stances = {}
        kept = {
            "pages": self.pages, "entities": self.entities, "related": self.related,
            "derived": self.derived, "stances": self.stances,
        }  # fmt: skip
        text = json.dumps(kept)
        with suppress(OSError):
            replace_text(self.place.folder / FILE, f"{json.dumps(_head(text))}\n{text}\n")

    def derive(
        self,
        what: str,
        made_from: Mapping[str, str],
        make: Callable[[Collection[str]], Mapping[str, Any]],
    ) -> dict[str, Any]:
        """Something of each of many things, made anew only where what it is made from changed.

        Args:
            what: What is made.
            made_from: By key, a digest of all that it is made from; empty if that cannot be told.
            make: Given some of the keys, what is made of each, as values that JSON has; what it
                leaves out is asked for again the next time.
        """
        known = self.derived.get(what, {})
        kept = {
            own: known[own] for own, now in made_from.items()
            if now and own in known and known[own][0] == now
        }  # fmt: skip
        due = made_from.keys() - kept.keys()
        made = make(due) if due else {}
        if made or len(kept) < len(known):
            kept |= {own: [made_from[own], value] for own, value in made.items()}
            self.derived[what], self.changed = kept, True
        return {own: value for own, (_, value) in kept.items()}

    def note(self, **news: Mapping[str, Any]) -> None:
        """Note more of ``pages``, ``entities`` and ``related``."""
        for what, found in news.items():
            known = getattr(self, what)
            if not found.items() <= known.items():
                known.update(found)
                self.changed = True

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
        self._name = _fingerprint(spec, self.detector)

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each pair, in order."""
        keys = [digest(self._name, *pair) for pair in pairs]
        known = self._memo.stances
        new = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in known}
        if new:
            found = self.detector.judge(list(new.values()))
            for key, stance in zip(new, found, strict=True):
                known[key] = [stance.supports, stance.contradicts]
            self._memo.changed = True
        return [Stance(known[key][0], known[key][1]) for key in keys]


def _fingerprint(spec: str, detector: Detector) -> str:
    """All that a detector's stances depend on beside the pairs."""
    parsed = registry.Spec.parse(spec)
    stuff: list[Any] = [str(parsed), base.VERSION, features.VERSION]
    path = parsed.parameters.get("path")
    if told := getattr(detector, "fingerprint", None):
        stuff.append(told())
    elif isinstance(path, str):
        with suppress(OSError):
            stat = os.stat(path)
            stuff += [stat.st_size, stat.st_mtime_ns]
    return json.dumps(stuff)


def digest(*texts: str) -> str:
    """A short digest of some texts."""
    return hashlib.blake2b("\x1f".join(texts).encode(), digest_size=10).hexdigest()


def _head(kept: str) -> dict[str, str]:
    """The first line of a file with that as its second."""
    return {"version": VERSION, "digest": digest(kept)}
