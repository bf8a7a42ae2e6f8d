"""What a model is given of a fact: its words, alone or with what stands around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.errors import ParameterError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memlab.store.corpus import Corpus

VERSION = 3
"""Raised whenever the same facts give other texts, or vectors are kept with other things."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a fact is read with.

    Attributes:
        neighbours: How many facts before and after it on its page.
        heading: Whether with the headings above it; in a conversation they tell nothing of it.
        day: Whether with the day of its page.
    """

    neighbours: int = 0
    heading: bool = False
    day: bool = False

    def __post_init__(self) -> None:
        if self.neighbours < 0:
            raise ParameterError(f"neighbours must be at least 0, got {self.neighbours}")


@dataclass(frozen=True, slots=True)
class Passages:
    """The texts of a corpus.

    Attributes:
        rows: int64, shape (n,), rising; rows may have gaps.
        order: int32, shape (n,): the place of each fact when all are sorted by id.
        texts: What a model is given, in the order of the rows.
    """

    rows: NDArray[np.int64]
    order: NDArray[np.int32]
    texts: list[str]


def passages(corpus: Corpus, context: Context | None = None) -> Passages:
    """All facts of a corpus as texts.

    Args:
        corpus: The facts.
        context: What each is read with; None for nothing but itself.
    """
    import numpy as np

    context = context or Context()
    sql = """
        SELECT row, (row_number() OVER (ORDER BY id) - 1)::INTEGER, heads, content, heading, day,
            path, start_line FROM facts ORDER BY row
    """
    found = corpus.connection.execute(sql).fetchall()
    bare = [_bare(heads, content) for _, _, heads, content, *_ in found]
    texts = _with_neighbours(bare, found, context.neighbours) if context.neighbours else bare
    rows = np.array([row for row, *_ in found], np.int64)
    if context.heading or context.day:
        spoken = (corpus.arrays["talk"][rows] > 0).tolist()
        texts = [
            " · ".join([*_around("" if talk else heading, day, context), text])
            for text, talk, (*_, heading, day, _, _) in zip(texts, spoken, found, strict=True)
        ]
    order = np.array([place for _, place, *_ in found], np.int32)
    return Passages(rows, order, texts)


def _bare(heads: list[str], content: str) -> str:
    """A fact's words; whom a bullet names before its colon belongs to them."""
    return f"{', '.join(heads)}: {content}" if heads else content


def _around(heading: str, day: object, context: Context) -> list[str]:
    parts = [str(day)] if context.day and day else []
    return [*parts, heading] if context.heading and heading else parts


def _with_neighbours(
    bare: list[str], found: list[tuple[object, ...]], neighbours: int
) -> list[str]:
    pages: dict[object, list[int]] = {}
    for place, row in enumerate(found):
        pages.setdefault(row[6], []).append(place)
    texts = list(bare)
    for places in pages.values():
        places.sort(key=lambda place: (found[place][7], place))
        for at, place in enumerate(places):
            near = places[max(0, at - neighbours) : at + neighbours + 1]
            texts[place] = "\n".join(bare[one] for one in near)
    return texts
