"""Facts of the time that a question asks about, read from its words.

The time of a fact is the range that it names, else the day of its page. The score is that of
Hindsight's temporal arm (arXiv 2512.12818, section 4.2), made for intervals of any width:

    1 - |mid_f - mid_q| / ((width_f + width_q) / 2)

which lies in 0 to 1 for intervals that overlap, and is the published form, with ``width_q / 2``
below the line, where the fact is a moment. There, a fact of several days that covers the one day
asked for would count less than nothing.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memlab.errors import ParameterError, UnknownNameError
from memlab.registry import spec_of
from memlab.retrievers.base import best, run_of
from memlab.retrievers.words import Words
from memlab.types import TimeRange
from memlab.workspace import windows
from memlab.workspace.windows import Relation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memlab.store.corpus import Corpus
    from memlab.types import Query, Run
    from memlab.workspace.windows import Event, Reading

MODES = ("rank", "filter")
_DAY_ALONE = 0.5  # of a fact that was noted on a day that is asked for, and speaks of another
_SAME_EVENT = 0.5  # facts with so much of the best one's words speak of the event, too
_KNOWN_EVENT = 0.3  # share of an event's words that a fact must cover to date it


@dataclass(frozen=True, slots=True)
class Temporal:
    """Facts of the time that is read from the question; none for a question without any.

    Attributes:
        mode: ``rank``: the nearer to the middle of the window, the better. ``filter``: all facts of
            the window alike, so that their words alone rank them.
        words: The share of the score that goes by the question's other words, 0 to 1.
        floor: What a fact at the window's edge gets of what one in its middle gets, 0 to 1; 0 is
            the published score.
    """

    mode: str = "rank"
    words: float = 0.85
    floor: float = 0.5

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise UnknownNameError("mode", self.mode, list(MODES))
        for name in ("words", "floor"):
            if not 0 <= getattr(self, name) <= 1:
                raise ParameterError(f"{name} must lie in 0 to 1, got {getattr(self, name)}")

    def index(self, corpus: Corpus) -> TemporalIndex:
        """Bind to a corpus; nothing of its own is built."""
        return TemporalIndex(self, corpus)


class TemporalIndex:
    """The times of one corpus."""

    def __init__(self, retriever: Temporal, corpus: Corpus) -> None:
        self._own = retriever
        self._spec = str(spec_of(retriever, "temporal"))
        self._corpus = corpus
        self._words = Words(corpus)

    def search(self, query: Query, *, depth: int) -> Run:
        """The best facts of the time asked for; none where none is."""
        reading = windows.read(query.text, query.now.date())
        if depth < 1 or not (reading.windows or reading.event):
            return run_of(self._spec, [])
        event = reading.event
        if event and event.relation in (Relation.LAST, Relation.FIRST):
            rows, near = self._ends(query, reading)
            return best(self._spec, self._corpus, rows, near, depth)
        found = self._windows(query, reading)
        rows = self._touching(query, found)
        near = self._nearness(rows, found)
        rows, near = rows[near > 0], near[near > 0]
        share = self._own.words
        scores = near * (1 - share + share * self._words.covered(reading.rest, rows))
        return best(self._spec, self._corpus, rows, scores, depth)

    def window(self, query: Query) -> TimeRange | None:
        """The days from the first to the last that a question asks about; None for no bound."""
        found = self._windows(query, windows.read(query.text, query.now.date()))
        if not found:
            return None
        return TimeRange(min(one.start for one in found), max(one.end for one in found))

    def read(self, query: Query) -> dict[str, str]:
        """What is read from a question: its ``window``, and the fact that dates its ``event``."""
        reading = windows.read(query.text, query.now.date())
        found = {"window": ", ".join(map(windows.shown, self._windows(query, reading)))}
        if reading.event:
            row = self._dating(query, reading.event)
            where = str(self._corpus.facts([row])[0].source) if row is not None else "not found"
            found["event"] = f"{reading.event.relation}: {reading.event.text} ({where})"
        return {name: text for name, text in found.items() if text}

    def close(self) -> None:
        """Nothing of its own to close."""

    def _windows(self, query: Query, reading: Reading) -> list[TimeRange]:
        """The windows of a question; where it has none, the one that its event gives."""
        if reading.windows or reading.event is None:
            return list(reading.windows)
        if reading.event.relation in (Relation.LAST, Relation.FIRST):
            return []
        row = self._dating(query, reading.event)
        if row is None:
            return []
        start, end = (int(self._corpus.arrays[name][row]) for name in ("start", "end"))
        on = TimeRange(dt.date.fromordinal(start), dt.date.fromordinal(end))
        return [reading.event.window(on)]

    def _touching(self, query: Query, found: list[TimeRange] | None) -> NDArray[np.int64]:
        """The dated rows that a query's filters allow, those of some windows alone if given."""
        start, end, day = (self._corpus.arrays[name] for name in ("start", "end", "day"))
        inside = end > 0
        if found is not None:
            inside &= False
            for window in found:
                first, last = window.start.toordinal(), window.end.toordinal()
                inside |= ((start <= last) & (end >= first)) | ((day >= first) & (day <= last))
            inside &= end > 0
        return (inside & self._corpus.mask(query)).nonzero()[0]

    def _nearness(self, rows: NDArray[Any], found: list[TimeRange]) -> NDArray[np.float64]:
        """How near each fact's time is to the nearest window, 0 to 1; 0 outside of all."""
        import numpy as np

        near = np.zeros(len(rows))
        start, end, day = (self._corpus.arrays[name][rows] for name in ("start", "end", "day"))
        for window in found:
            first, last = window.start.toordinal(), window.end.toordinal()
            inside = (start <= last) & (end >= first)
            noted = ~inside & (day >= first) & (day <= last)
            bounded = window.start > dt.date.min and window.end < dt.date.max
            if self._own.mode == "rank" and bounded:
                apart = np.abs((start + end) / 2 - (first + last) / 2)
                width = (end - start + 1 + last - first + 1) / 2
                value = self._own.floor + (1 - self._own.floor) * (1 - apart / width)
            else:
                value = np.ones(len(rows))
            value = np.where(inside, value, np.where(noted, _DAY_ALONE, 0.0))
            near = np.maximum(near, value)
        return near

    def _ends(self, query: Query, reading: Reading) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """Facts of an event with scores, the newest first, or the oldest for "the first time"."""
        import numpy as np

        rows = self._touching(query, list(reading.windows) or None)
        share = self._words.covered(reading.event.text if reading.event else "", rows)
        close = share >= _SAME_EVENT * share.max(initial=0.0)
        rows, share = rows[close & (share > 0)], share[close & (share > 0)]
        if not len(rows):
            return rows, share
        day = self._corpus.arrays["end"][rows].astype(np.float64)
        order = (day - day.min()) / max(day.max() - day.min(), 1.0)
        order = 1 - order if reading.event and reading.event.relation is Relation.FIRST else order
        return rows, share / share.max() * (0.5 + 0.5 * order)

    def _dating(self, query: Query, event: Event) -> int | None:
        """The row of the fact that says best when an event was; of equals the newest.

        It need not be of the kinds, entities or days that are asked for, but must have been known.
        """
        import numpy as np

        arrays = self._corpus.arrays
        known = dataclasses.replace(query, window=None, kinds=(), entities=())
        rows = (self._corpus.mask(known) & (arrays["end"] > 0)).nonzero()[0]
        share = self._words.covered(event.text, rows)
        if share.max(initial=0.0) < _KNOWN_EVENT:
            return None
        order = np.lexsort((-rows, arrays["end"][rows], share.round(5)))
        return int(rows[order[-1]])
