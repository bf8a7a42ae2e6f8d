"""Facts about the people, places and things that a question names.

An entity is found by its name, its page's title or an alias, whole words in any script and case;
names that are only spelled alike stay apart. What a question may have misspelled is told by
``read``, and changes nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memlab.errors import ParameterError
from memlab.registry import spec_of
from memlab.retrievers.aboutness import Aboutness
from memlab.retrievers.base import best, run_of
from memlab.retrievers.words import Words
from memlab.tokens import tokens, words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memlab.store.corpus import Corpus
    from memlab.types import Query, Run

_FIRST = 0.4  # of what does not go by words: that the fact is about the entity first,
_PAGE = 0.4  # stands on the entity's page,
_NEW = 0.2  # is new
_SHORT = 4  # letters; a shorter word is no misspelled name


@dataclass(frozen=True, slots=True)
class Entity:
    """Facts linked to the entities that a question names; none where it names none.

    A fact's score is the square of the share of the question's entities that it names, rare ones
    counting more, times how well it fits: by the question's other words, and by whether it is about
    the entity first, stands on its page, and is new.

    Attributes:
        words: The share of the fit that goes by the question's words, 0 to 1.
    """

    words: float = 0.7

    def __post_init__(self) -> None:
        if not 0 <= self.words <= 1:
            raise ParameterError(f"words must lie in 0 to 1, got {self.words}")

    def index(self, corpus: Corpus) -> EntityIndex:
        """Bind to a corpus; make what tells which entity each fact is about."""
        return EntityIndex(self, corpus, Aboutness.of(corpus))


class EntityIndex:
    """The entities of one corpus."""

    def __init__(self, retriever: Entity, corpus: Corpus, about: Aboutness) -> None:
        self._share = retriever.words
        self._spec = str(spec_of(retriever, "entity"))
        self._corpus = corpus
        self._about = about
        self._words = Words(corpus)
        self._numbers = {own: n for n, (own, *_) in enumerate(corpus.arrays.entities)}

    def search(self, query: Query, *, depth: int) -> Run:
        """The best facts about the entities of a question; none where it names none."""
        import numpy as np

        named = self._corpus.lexicon.mentions(query.text)
        if not named or depth < 1:
            return run_of(self._spec, [])
        size = len(self._corpus.arrays["offsets"])
        share = np.zeros(size)
        weights = {own: self._weight(own) for own in named}
        for own, weight in weights.items():
            share[self._corpus.rows_about(own)] += weight / sum(weights.values())
        rows = (self._corpus.mask(query) & (share > 0)).nonzero()[0]
        scores = share[rows] ** 2 * self._fit(query.text, named, rows)
        return best(self._spec, self._corpus, rows, scores, depth)

    def read(self, query: Query) -> dict[str, str]:
        """The ``entities`` of a question, and ``perhaps`` those whose names it misspells."""
        lexicon = self._corpus.lexicon
        named = lexicon.mentions(query.text)
        taken = {word for own in named for word in words(lexicon.names[own])}
        unknown = [
            word
            for word in dict.fromkeys(words(query.text))
            if len(word) >= _SHORT and word not in taken and not self._words.known(word)
        ]
        near = dict.fromkeys(
            name for word in unknown for name in lexicon.near(word) if lexicon.resolve(name)
        )
        found = {
            "entities": ", ".join(lexicon.names[own] for own in named),
            "perhaps": ", ".join(name for name in near if lexicon.resolve(name) not in named),
        }
        return {name: text for name, text in found.items() if text}

    def close(self) -> None:
        """Nothing of its own to close."""

    def _weight(self, own: str) -> float:
        """How telling an entity is: its idf over the facts; at least a little."""
        about = len(self._corpus.rows_about(own))
        return math.log1p((self._corpus.size - about + 0.5) / (about + 0.5)) + 0.1

    def _fit(self, text: str, named: list[str], rows: NDArray[Any]) -> NDArray[np.float64]:
        import numpy as np

        arrays = self._corpus.arrays
        numbers = [self._numbers[own] for own in named]
        spelled = [
            spelling for number in numbers for _, name, _, aliases in [arrays.entities[number]]
            for spelling in (name, *aliases)
        ]  # fmt: skip
        # the words that all facts about an entity have tell nothing
        without = frozenset(token for spelling in spelled for token in tokens(spelling))
        covered = self._words.covered(text, rows, without=without)
        first = np.isin(self._about.first[rows], numbers)
        day = arrays["day"][rows].astype(np.float64)
        newest = day.max(initial=1.0)
        oldest = day[day > 0].min(initial=newest)
        new = np.clip((day - oldest) / max(newest - oldest, 1.0), 0.0, 1.0)
        rest = _FIRST * first + _PAGE * (first & self._about.page[rows]) + _NEW * new
        fit: NDArray[np.float64] = self._share * covered + (1 - self._share) * rest
        return fit
