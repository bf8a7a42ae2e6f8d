"""Facts of a conversation, read again with what stands around them.

A turn seldom repeats what it answers. So what a fact of a conversation is worth to a question is
told by a linear model of a few cues, each between 0 and 1, in units of the best BM25 score:

    near     the better BM25 score of the turns one away and two away
    window   the share of the question's idf that the seven turns around the fact cover
    page     the share of it that its page covers
    asks     the fact is a question itself (counts against it)
    answers  the turn before it is one
    speaker  the question names who speaks
    length   the logarithm of its length
    time     the question asks when, and the fact tells a time that is not its day's

The weights were fitted with a listwise loss (Cao et al., ICML 2007, section 4) to conversations,
each left out in turn: `benchmarks/conversation.py`. A fact outside of conversations is its own
window and page, and has no neighbours.
"""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING, Any

from memlab import tokens
from memlab.retrievers.base import open_or_build
from memlab.store.arrays import map_array

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from memlab.retrievers.postings import Postings
    from memlab.store.corpus import Corpus

WEIGHTS = {
    "near": (0.37, 0.31), "window": 0.74, "page": 0.64, "asks": -0.36, "answers": 0.22,
    "speaker": 0.31, "length": 0.92, "time": 0.45,
}  # fmt: skip
"""The weight of each cue; of ``near`` one for each distance."""
CUES = tuple(WEIGHTS)
REACH = 3
"""The window of a fact are so many turns before it and after it."""

_WHEN = re.compile(r"\bwhen\b|\bhow long\b|\b(?:what|which) (?:day|date|week|month|year|time)\b")
_ASKS, _TIME = 1, 2
_MANNER = """
    SELECT row, ends_with(trim(content), '?') AS asks,
        coalesce(when_start != facts.day OR when_end != facts.day, false) AS time,
        CASE WHEN regexp_matches(content, '^[^:\\n]{1,30}: ') THEN content END AS spoken
    FROM facts JOIN pages USING (path) WHERE talk
"""


class Conversations:
    """The conversations of a corpus, and how their turns read.

    Args:
        corpus: The corpus.
        held: Its postings.
        norms: What BM25 adds to a count below the line, for each row of the corpus.
        factor: What it multiplies with.
    """

    def __init__(
        self, corpus: Corpus, held: Postings, norms: NDArray[np.float64], factor: float
    ) -> None:
        self._postings = held
        self._norms = norms
        self._factor = factor
        self._talk: NDArray[np.int32] = corpus.arrays["talk"]
        path = corpus.derived("manner.npy")
        # int32 (2, rows): what a turn does, by bits, and who speaks, by a checksum
        self._manner: NDArray[np.int32] = open_or_build(
            corpus, path, lambda: map_array(path), lambda building: _build(corpus, building)
        )

    def score(
        self, text: str, terms: Mapping[int, float], rows: NDArray[Any], cues: Sequence[str]
    ) -> NDArray[np.float64]:
        """BM25 with what the cues add, none below zero; shape (n,).

        Args:
            text: The question.
            terms: The numbers of its terms, with their idf.
            rows: The facts.
            cues: The names of the cues that count.
        """
        import numpy as np

        found = self.cues(text, terms, rows)
        added = np.zeros(len(rows))
        for cue in cues:
            added += np.dot(np.array(WEIGHTS[cue]), found[cue])
        scores: NDArray[np.float64] = found["bm25"] + added * found["best"]
        return scores.clip(0)

    def cues(
        self, text: str, terms: Mapping[int, float], rows: NDArray[Any]
    ) -> dict[str, NDArray[Any]]:
        """The cues of some facts, each of shape (n,), ``near`` of shape (2, n); see the module.

        With them come ``bm25``, what they score alone, and ``best``, the best of that.
        """
        import numpy as np

        steps = np.arange(-REACH, REACH + 1)
        around = rows[None, :] + steps[:, None]
        inside = (around >= 0) & (around < len(self._talk))
        around = np.where(inside, around, rows[None, :])
        there = self._talk[around]
        inside &= (there == self._talk[rows]) & (there > 0)
        inside[REACH] = True
        read, at = np.unique(np.where(inside, around, rows[None, :]), return_inverse=True)
        at = at.reshape(around.shape)
        counts = self._postings.counts_in(list(terms), read)
        weights = np.array(list(terms.values()))
        scores = weights @ (counts * self._factor / (counts + self._norms[read]))
        best = max(float(scores[at[REACH]].max(initial=0.0)), 1e-9)
        near = np.where(inside, scores[at], 0.0) / best
        whole = float(weights.sum()) or 1.0
        seen: NDArray[np.bool_] = np.any((counts > 0)[:, at] & inside, axis=1)
        asks = (self._manner[0] & _ASKS)[around] * inside
        return {
            "bm25": scores[at[REACH]],
            "best": np.float64(best),
            "near": np.stack(
                [np.maximum(near[REACH - step], near[REACH + step]) for step in (1, 2)]
            ),
            "window": (weights @ seen) / whole,
            "page": (weights @ self._on_page(list(terms), rows, seen)) / whole,
            "asks": asks[REACH],
            "answers": asks[REACH - 1],
            "speaker": np.isin(self._manner[1][rows], list(_named(text))),
            "length": np.log1p(self._postings.lengths[rows]) / 5,
            "time": ((self._manner[0][rows] & _TIME) > 0) * bool(_WHEN.search(text.casefold())),
        }

    def _on_page(
        self, terms: Sequence[int], rows: NDArray[Any], seen: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Which terms stand on a fact's page; outside of conversations, in its window."""
        import numpy as np

        pages = self._talk[rows]
        found = seen.copy()
        spoken = pages > 0
        for place, number in enumerate(terms):
            has = np.zeros(int(pages.max(initial=0)) + 1, dtype=bool)
            of = self._talk[self._postings.of(number)[0]]
            has[of[of < len(has)]] = True
            found[place, spoken] = has[pages[spoken]]
        return found


def _named(text: str) -> Iterator[int]:
    """A checksum of each word of a question."""
    return (_checksum(word) for word in tokens.words(tokens.fold(text)))


def _checksum(word: str) -> int:
    return zlib.crc32(word.encode()) & 0x7FFFFFFF


def _build(corpus: Corpus, path: Path) -> None:
    import numpy as np

    manner = np.zeros((2, len(corpus.arrays["talk"])), dtype=np.int32)
    for row, asks, time, spoken in corpus.connection.execute(_MANNER).fetchall():
        manner[0, row] = _ASKS * asks + _TIME * time
        words = tokens.words(tokens.fold(spoken.partition(":")[0])) if spoken else []
        manner[1, row] = _checksum(words[0]) if words else -1
    np.save(path, manner)
