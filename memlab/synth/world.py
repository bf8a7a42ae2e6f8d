"""A world of a few people whose circumstances and opinions change; no I/O, no text files."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import datetime as dt

_ONSETS = ("B", "D", "F", "H", "J", "K", "L", "M", "N", "P", "R", "S", "T", "V", "Br", "Kl", "St")
_MIDDLES = ("a", "e", "i", "o", "u", "ai", "ei", "ou")
_CODAS = ("la", "ren", "ko", "mas", "ne", "rik", "ta", "von", "lis", "do", "mir", "sa")
_THINGS = (
    "invoice", "harvest", "bridge", "archive", "ferry", "lantern", "census", "orchard", "printer",
    "satellite", "quarry", "festival", "turbine", "manuscript", "greenhouse", "dispatch", "relay",
    "survey", "workshop", "beacon", "ledger", "pump", "kiln", "signal",
)  # fmt: skip
_ASPECTS = (
    "budget", "schedule", "colour", "noise", "warranty", "entrance", "weight", "opening", "repair",
    "delivery", "insurance", "safety", "paperwork", "lighting", "sound", "cost",
)  # fmt: skip
_VERBS = ("discussed", "inspected", "postponed", "planned", "photographed", "measured", "rejected")
SLOTS = {
    "home": ("lives in", "Where does {} live?", "Where did {} live on {}?"),
    "work": ("works at", "Where does {} work?", "Where did {} work on {}?"),
    "tool": ("uses", "What does {} use?", "What did {} use on {}?"),
}
"""What people have one of at a time: the words of a fact, and of questions about now and then."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, and becomes one line.

    Attributes:
        sort: ``change``, ``opinion`` or ``meeting``.
        kind: The letter of its Retain bullet.
        entities: Whom it is about.
        text: Its words.
        subject: What questions about it ask for: slot, topic, or topic and day.
        value: What answers them.
        confidence: Of an opinion; otherwise None.
    """

    sort: str
    kind: str
    entities: tuple[str, ...]
    text: str
    subject: str
    value: str
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """A fact or an opinion that took the place of an earlier one.

    Attributes:
        entity: Whose it is.
        subject: The slot or the topic.
        before: What held until then.
        after: What holds from then on.
        day: The day of the change.
        source: The line that tells it.
        replaces: The line that told what held before.
    """

    entity: str
    subject: str
    before: str
    after: str
    day: dt.date
    source: str
    replaces: str


@dataclass
class World:
    """Draws event after event; equal seeds draw equal events.

    Attributes:
        seed: Of all that is drawn.
        people: How many people there are.
    """

    seed: int
    people: int
    names: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)  # noqa: S311  # no secret
        self._taken: set[str] = set()
        self.names = [self._name() for _ in range(self.people)]
        # places and makes do not share a name with a person
        self._values = {
            "home": [f"{self._name()}by" for _ in range(24)],
            "work": [f"{self._name()} & Co" for _ in range(24)],
            "tool": [f"the {self._name()}-{self._random.randint(2, 9)}" for _ in range(24)],
        }
        self._state: dict[tuple[str, str], str] = {}
        self._mind: dict[tuple[str, str], tuple[bool, float]] = {}

    def event(self) -> Event:
        """What happens next: half of it meetings, a quarter changes, a quarter opinions."""
        who = self._random.choice(self.names)
        drawn = self._random.random()
        if drawn < 0.25:
            return self._change(who)
        return self._opinion(who) if drawn < 0.5 else self._meeting(who)

    def topic(self) -> str:
        """A thing and an aspect of it."""
        return f"{self._random.choice(_THINGS)} {self._random.choice(_ASPECTS)}"

    def choice(self, items: list[str]) -> str:
        """One of them."""
        return self._random.choice(items)

    def _change(self, who: str) -> Event:
        slot = self._random.choice(list(SLOTS))
        now = self._state.get((who, slot))
        value = self._random.choice([v for v in self._values[slot] if v != now])
        self._state[who, slot] = value
        again = " now" if now else ""
        return Event("change", "W", (who,), f"{who}{again} {SLOTS[slot][0]} {value}.", slot, value)

    def _opinion(self, who: str) -> Event:
        topic = f"the {self.topic()}"
        likes, sure = self._mind.get((who, topic), (self._random.random() < 0.5, 0.6))
        if (who, topic) in self._mind and self._random.random() < 0.5:
            likes, sure = not likes, 0.5
        sure = round(min(0.95, sure + 0.1), 2)
        self._mind[who, topic] = likes, sure
        value = "worth the trouble" if likes else "a waste of time"
        return Event(
            "opinion", "O", (who,), f"{who} thinks {topic} is {value}.", topic, value, sure
        )

    def _meeting(self, who: str) -> Event:
        other = self._random.choice([name for name in self.names if name != who] or [who])
        topic = f"the {self.topic()}"
        verb = self._random.choice(_VERBS)
        return Event(
            "meeting", "B", (who, other), f"{who} {verb} {topic} with {other}.", topic, other
        )

    def _name(self) -> str:
        for attempt in range(100):
            parts = [self._random.choice(part) for part in (_ONSETS, _MIDDLES, _CODAS)]
            name = "".join(parts) + (f"{len(self._taken)}" if attempt > 50 else "")
            if name not in self._taken:
                break
        self._taken.add(name)
        return name
