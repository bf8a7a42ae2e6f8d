"""Facts of the time that a question asks about, read from its words.

The times of a fact are all that its words name, and the day of its page where they name none; the
one that fits best counts. How well one fits is the better of two. The first is the score of
Hindsight's temporal arm (arXiv 2512.12818, section 4.2), made for intervals of any width:

    1 - |mid_f - mid_q| / ((width_f + width_q) / 2)

which lies in 0 to 1 for intervals that overlap, and is the published form, with ``width_q / 2``
below the line, where the fact is a moment. There, a fact of several days that covers the one day
asked for would count less than nothing. The second is the mean of two shares, that of the window
which lies in the fact's time, and that of the fact's time which lies in the window: what held for
years held in any month of them. Where an end is open only shares count.
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
_OPEN = 20 * 365  # days that a time without an end, or without a beginning, is taken to last
_BEFORE = 0.5  # of the words' share: what stands before a fact, besides the fact itself
_SAME_EVENT = 0.5  # facts with so much of the best one's words speak of the event, too
_KNOWN_EVENT = 0.5  # share of an event's words that a fact must cover to date it
_AS_WELL, _MANY = 0.8, 10  # more facts with so much of that share speak of no one event


@dataclass(frozen=True, slots=True)
class Temporal:
    """Facts of the time that is read from the question; none for a question without any.

    Attributes:
        mode: ``rank``: the nearer to the middle of the window, the better. ``filter``: all facts of
            the window alike, so that their words alone rank them.
        words: The share of the score that goes by the question's other words, 0 to 1.
        floor: What a fact that only just touches the window gets of what one of the very same time
            gets, 0 to 1.
        before: In how many facts before it in its section a fact's words are looked for, too; 0 for
            none.
        guess: How much the run counts in a fusion where the window is guessed from an event, and
            not told, 0 to 1.
    """

    mode: str = "rank"
    words: float = 0.85
    floor: float = 0.2
    before: int = 10
    guess: float = 0.3

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise UnknownNameError("mode", self.mode, list(MODES))
        for name in ("words", "floor", "guess"):
            if not 0 <= getattr(self, name) <= 1:
                raise ParameterError(f"{name} must lie in 0 to 1, got {getattr(self, name)}")
        if self.before < 0:
            raise ParameterError(f"before must be at least 0, got {self.before}")

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
        self._last: tuple[Query, NDArray[np.float64]] | None = None

    def search(self, query: Query, *, depth: int) -> Run:
        """The best facts of the time asked for; none where none is."""
        reading = windows.read(query.text, query.now.date())
        if depth < 1 or not (reading.windows or reading.event):
            return run_of(self._spec, [])
        if reading.event and reading.event.of_ends:
            rows, scores = self._ends(query, reading)
        else:
            near = self._near(query, reading)
            rows = ((near > 0) & self._corpus.mask(query)).nonzero()[0]
            scores = near[rows] * self._fit(reading, rows)
        return best(self._spec, self._corpus, rows, scores, depth)

    def score(self, query: Query, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """What `search` would give those rows if it found them; shape (n,)."""
        import numpy as np

        reading = windows.read(query.text, query.now.date())
        scores = np.zeros(len(rows))
        if reading.event and reading.event.of_ends:  # it depends on what else is found
            return scores
        order = rows.argsort()
        near = self._near(query, reading)[rows[order]]
        scores[order] = near * self._fit(reading, rows[order])
        return scores

    def window(self, query: Query) -> TimeRange | None:
        """The days from the first to the last that a question asks about; None for no bound."""
        found = self._windows(query, windows.read(query.text, query.now.date()))
        if not found:
            return None
        return TimeRange(min(one.start for one in found), max(one.end for one in found))

    def certainty(self, query: Query) -> float:
        """How sure the window is: 1, or ``guess`` where only a fact about an event gives it."""
        reading = windows.read(query.text, query.now.date())
        return self._own.guess if reading.dating else 1.0

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
        if reading.dating is None:
            return list(reading.windows)
        row = self._dating(query, reading.dating)
        if row is None:
            return []
        start, end = (int(self._corpus.arrays[name][row]) for name in ("start", "end"))
        on = TimeRange(dt.date.fromordinal(start), dt.date.fromordinal(end))
        return [reading.dating.window(on)]

    def _fit(self, reading: Reading, rows: NDArray[Any]) -> NDArray[np.float64]:
        """How well rows, rising, fit the words of a question; shape (rows,)."""
        covered = self._words.covered(reading.rest, rows)
        if self._own.before and reading.windows:  # those of an event are guessed: nearby won't do
            told = self._words.told(reading.rest, rows, before=self._own.before)
            covered += _BEFORE * (told - covered)
        fit: NDArray[np.float64] = 1 - self._own.words + self._own.words * covered
        return fit

    def _near(self, query: Query, reading: Reading) -> NDArray[np.float64]:
        """How near each row is to what a question asks for; kept for scores after a search."""
        last = self._last
        if last is None or last[0] != query:
            self._last = last = query, self._nearness(self._windows(query, reading))
        return last[1]

    def _nearness(self, found: list[TimeRange]) -> NDArray[np.float64]:
        """How near the time of each row is to the nearest window, 0 to 1; 0 outside of all."""
        import numpy as np

        start, end, day = (self._corpus.arrays[name] for name in ("start", "end", "day"))
        of, first, last = self._corpus.arrays["times"]
        near = np.zeros(len(day))
        for window in found:
            begin, stop = window.start.toordinal(), window.end.toordinal()
            noted = ((day >= begin) & (day <= stop)).nonzero()[0]
            near[noted] = np.maximum(near[noted], _DAY_ALONE)
            rows = ((start <= stop) & (end >= begin)).nonzero()[0]
            near[rows] = np.maximum(near[rows], self._overlap(start[rows], end[rows], window))
            there = ((first <= stop) & (last >= begin)).nonzero()[0]
            overlap = self._overlap(first[there], last[there], window)
            np.maximum.at(near, of[there], overlap)
        return near

    def _overlap(
        self, start: NDArray[Any], end: NDArray[Any], window: TimeRange
    ) -> NDArray[np.float64]:
        """How well times that touch a window fit it; shape (n,)."""
        import numpy as np

        least, most = dt.date.min.toordinal(), dt.date.max.toordinal()
        first, last = window.start.toordinal(), window.end.toordinal()
        if self._own.mode == "filter":
            return np.ones(len(start))
        opens, ends = start <= least, end >= most
        start, end = np.where(opens, end - _OPEN, start), np.where(ends, start + _OPEN, end)
        width = end - start + 1.0
        inside = np.minimum(end, last) - np.maximum(start, first) + 1
        of_fact = np.clip(inside / width, 0.0, 1.0)
        if first <= least or last >= most:
            fit = of_fact
        else:
            of_window = np.clip(inside / (last - first + 1), 0.0, 1.0)
            apart = np.abs((start + end) / 2 - (first + last) / 2)
            middle = 1 - apart / ((width + last - first + 1) / 2)
            fit = np.maximum((of_fact + of_window) / 2, np.where(opens | ends, 0.0, middle))
        fitting: NDArray[np.float64] = self._own.floor + (1 - self._own.floor) * fit
        return fitting

    def _ends(self, query: Query, reading: Reading) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """Facts of an event with scores, the newest first, or the oldest for "the first time"."""
        import numpy as np

        allowed = self._corpus.mask(query) & (self._corpus.arrays["end"] > 0)
        if reading.windows:
            allowed &= self._nearness(list(reading.windows)) > 0
        rows = allowed.nonzero()[0]
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
        None where no fact with a time tells, or so many facts tell that no one event is meant.
        """
        import numpy as np

        known = dataclasses.replace(query, window=None, kinds=(), entities=())
        rows = self._corpus.mask(known).nonzero()[0]
        share = self._words.covered(event.text, rows).round(5)
        end = self._corpus.arrays["end"][rows]
        timed = (end > 0).nonzero()[0]
        most = share[timed].max(initial=0.0)
        if most < _KNOWN_EVENT or (share >= _AS_WELL * most).sum() > _MANY:
            return None
        order = np.lexsort((-rows[timed], end[timed], share[timed]))
        return int(rows[timed[order[-1]]])
