"""What somebody holds: opinions of the logs, and the statements of ``bank/opinions.md``.

A statement with a ledger carries its confidence, the facts for and against it, and when it last
changed; `OpinionIndex.held` gives them for a row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from memlab.errors import ParameterError
from memlab.registry import spec_of
from memlab.retrievers.base import best, run_of
from memlab.retrievers.words import Words
from memlab.store import duck
from memlab.store.arrays import KINDS
from memlab.tokens import fold, tokens
from memlab.types import Kind

if TYPE_CHECKING:
    import datetime as dt

    import numpy as np
    from numpy.typing import NDArray

    from memlab.opinions.ledger import Opinion as Held
    from memlab.store.corpus import Corpus
    from memlab.types import Query, Run

_CUE = re.compile(
    r"\b(?:prefer\w*|favou?rites?|(?:dis)?lik(?:es?|ed|ing)|loves?|loved|hates?|hated|enjoy\w*"
    r"|opinions?|views?|think|thinks|thought|believes?|believed|belief|feels?|felt|feelings?"
    r"|convinced|convince|persuaded|sure|certain|confident|doubts?|doubted|trusts?|attitudes?"
    r"|stance|rather|recommend\w*|consider(?:s|ed)?|satisfied|content with|happy with|fond|keen"
    r"|agrees?|agreed|disagree\w*|rates?|regards?|mind if|make of|made of it|take on|have against"
    r"|has against|worth|would .* again"
    r"|foretræk\w*|yndlings\w*|synes|syntes|mener|mente|tror|troede|holdning\w*|mening(?:en|er)?"
    r"|kan (?:godt )?lide|elsker|hader|hellere|glad for|overbevist|vurder\w*"
    r"|bevorzugt?|lieber|lieblings\w*|meint|meinung|mag|hält von|findet"
    r"|préfère|préféré\w*|aime|pense|avis|prefiere|favorit[oa]|piensa|opina|gusta)\b"
    r"|thích|ưa|ghét|nghĩ|cho rằng|ý kiến|quan điểm|tin rằng"
    r"|پسند|ترجیح|رائے|خیال|سوچتا|سوچتی|سوچتے|یقین|نفرت"
    r"|ကြိုက်|နှစ်သက်|ထင်|သဘောထား|အမြင်|ယုံကြည်|မုန်း"
)
_NO_CUE = re.compile(
    r"\b(?:look(?:s|ed)?|sounds?|smells?|tastes?|seems?|is|was|were|be|been|it) like\b"
    r"|\blike (?:an?|the|this|that|these|those)\b|\b(?:make|be|for) sure\b|\brather than\b"
    r"|\b(?:heart|success|interest|exchange|tax|pass|hourly|daily) rates?\b"
)
_BEST = 3  # opinions whose evidence is looked for
_CONFIDENT, _BACKED, _NEW = 0.3, 0.3, 0.4  # of what does not go by words: how sure, borne out, new


@dataclass(frozen=True, slots=True)
class Opinion:
    """Opinions, for a question that asks what somebody thinks or prefers; none for any other.

    Where only opinions are asked for (``kinds``), every question is such a one. An opinion's score
    goes by the question's words, whether it is about whom the question names, how sure and how new
    it is, and whether it is borne out. What the best of them rest on follows: the evidence of their
    ledgers, for and against, and what stands in the log of their day.

    Attributes:
        words: The share of the score that goes by the question's words, 0 to 1.
        evidence: The share of an opinion's score that its evidence gets at most, 0 to 1.
    """

    words: float = 0.8
    evidence: float = 0.9

    def __post_init__(self) -> None:
        for name in ("words", "evidence"):
            if not 0 <= getattr(self, name) <= 1:
                raise ParameterError(f"{name} must lie in 0 to 1, got {getattr(self, name)}")

    def index(self, corpus: Corpus) -> OpinionIndex:
        """Bind to a corpus; nothing of its own is built."""
        return OpinionIndex(self, corpus)


class OpinionIndex:
    """The opinions of one corpus."""

    def __init__(self, retriever: Opinion, corpus: Corpus) -> None:
        self._share = retriever.words
        self._evidence = retriever.evidence
        self._spec = str(spec_of(retriever, "opinion"))
        self._corpus = corpus
        self._words = Words(corpus)

    def search(self, query: Query, *, depth: int) -> Run:
        """The best opinions; none for a question that asks for none."""
        if depth < 1 or not self._asked(query):
            return run_of(self._spec, [])
        rows = self._rows[self._corpus.mask(query)[self._rows]]
        about, without = self._about(query.text, rows)
        covered = self._words.covered(_CUE.sub(" ", fold(query.text)), rows, without=without)
        scores = (0.3 + 0.7 * about) * (
            self._share * covered + (1 - self._share) * self._standing(rows, query.as_of)
        )
        told = (covered > 0) | (about > 0)
        rows, scores = rows[told], scores[told]
        if self._evidence and len(rows):
            rows, scores = self._with_evidence(query, rows, scores)
        return best(self._spec, self._corpus, rows, scores, depth)

    def read(self, query: Query) -> dict[str, str]:
        """The ``opinion`` cue of a question: the word that asks what somebody thinks."""
        cue = self._cue(query.text)
        return {"opinion": cue} if cue else {}

    def held(self, row: int) -> Held | None:
        """The opinion whose statement stands in a row, with its ledger; None for other rows."""
        return self._held.get(row)

    def close(self) -> None:
        """Nothing of its own to close."""

    def _asked(self, query: Query) -> bool:
        return query.kinds == (Kind.OPINION,) or bool(self._cue(query.text))

    @staticmethod
    def _cue(text: str) -> str:
        match = _CUE.search(_NO_CUE.sub(" ", fold(text)))
        return match[0] if match else ""

    def _about(self, text: str, rows: NDArray[Any]) -> tuple[NDArray[np.float64], frozenset[str]]:
        """The share of the question's entities that each fact is about, and their words."""
        import numpy as np

        lexicon = self._corpus.lexicon
        named = lexicon.mentions(text)
        share = np.zeros(len(rows))
        for own in named:
            share += np.isin(rows, self._corpus.rows_about(own), assume_unique=True) / len(named)
        return share, frozenset(token for own in named for token in tokens(lexicon.names[own]))

    def _with_evidence(
        self, query: Query, rows: NDArray[Any], scores: NDArray[np.float64]
    ) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """The same, with what the best opinions rest on.

        That is the evidence of its ledger, for and against, and the facts of its day, as far as
        they have its words.
        """
        import numpy as np

        arrays = self._corpus.arrays
        allowed = self._corpus.mask(query)
        allowed[rows] = False
        gained = np.zeros(len(allowed))
        chosen = np.lexsort((arrays["tie"][rows], -scores))[:_BEST]
        for fact, row, score in zip(
            self._corpus.facts(rows[chosen]), rows[chosen], scores[chosen], strict=True
        ):
            share = score * self._evidence
            cited = self._cited.get(int(row), rows[:0])
            gained[cited] = np.maximum(gained[cited], share * allowed[cited])
            if arrays["day"][row]:
                beside = (allowed & (arrays["day"] == arrays["day"][row])).nonzero()[0]
                near = np.minimum(self._words.covered(fact.content, beside), 1.0)
                gained[beside] = np.maximum(gained[beside], near * share)
        found = gained.nonzero()[0]
        return np.concatenate([rows, found]), np.concatenate([scores, gained[found]])

    def _standing(self, rows: NDArray[Any], as_of: dt.date | None) -> NDArray[np.float64]:
        """How well opinions stand, 0 to 1: how sure they are, whether borne out, how new."""
        import numpy as np

        sure, backed = self._confidence[rows], np.zeros(len(rows))
        day = self._corpus.arrays["day"][rows].astype(np.float64)
        for row, now in self._held.items():
            place = np.searchsorted(rows, row)
            held = now.as_of(as_of) if as_of else now
            if held and place < len(rows) and rows[place] == row:
                sure[place] = held.confidence
                backed[place] = len(held.evidence) / (len(held.evidence) + 1)
                day[place] = held.updated.toordinal() if held.updated else day[place]
        newest = day.max(initial=1.0)
        oldest = day[day > 0].min(initial=newest)
        new = np.clip((day - oldest) / max(newest - oldest, 1.0), 0.0, 1.0)
        standing: NDArray[np.float64] = _CONFIDENT * sure + _BACKED * backed + _NEW * new
        return standing

    @cached_property
    def _rows(self) -> NDArray[np.int64]:
        """The rows of all opinions, rising."""
        opinions: NDArray[Any] = self._corpus.arrays["kind"] == KINDS.index(Kind.OPINION)
        return opinions.nonzero()[0]

    @cached_property
    def _held(self) -> dict[int, Held]:
        from memlab.opinions.ledger import opinions_of  # not for questions that ask for none

        return {held.row: held for held in opinions_of(self._corpus) if held.row is not None}

    @cached_property
    def _cited(self) -> dict[int, NDArray[np.int64]]:
        """The rows of the evidence of each opinion that has a ledger, by the row of the opinion."""
        import numpy as np

        ids = {row: {entry.fact for entry in held.evidence} for row, held in self._held.items()}
        sql = "SELECT id, row FROM facts WHERE id IN (SELECT unnest(?::VARCHAR[]))"
        with duck.reading(self._corpus.snapshot):
            wanted = sorted(set().union(*ids.values()))
            rows = dict(self._corpus.connection.execute(duck.fill(sql, wanted)).fetchall())
        return {
            row: np.array(sorted(rows[one] for one in cited if one in rows), dtype=np.int64)
            for row, cited in ids.items()
        }

    @cached_property
    def _confidence(self) -> NDArray[np.float64]:
        """The confidence written with each fact; 0 for one that is no opinion."""
        import numpy as np

        sql = "SELECT row, confidence FROM facts WHERE confidence IS NOT NULL"
        with duck.reading(self._corpus.snapshot):
            found: Any = self._corpus.connection.execute(sql).fetchnumpy()
        sure = np.zeros(len(self._corpus.arrays["offsets"]))
        sure[found["row"]] = found["confidence"]
        return sure
