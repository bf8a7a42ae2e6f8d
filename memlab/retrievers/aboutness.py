"""Which entity each fact is about first, and which facts stand on an entity's own page.

    first.npy   int32 (rows,): the number of the fact's first entity, -1 for none
    page.npy    bool (rows,): whether the fact stands on an entity's page

The first entity is the one of the page, else the first before the colon, else the first named.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from memlab.errors import StoreError
from memlab.retrievers.base import open_or_build
from memlab.store import duck
from memlab.store.arrays import map_array
from memlab.store.corpus import Corpus

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

_NAME = "aboutness"
_FILES = ("first.npy", "page.npy")


class Aboutness:
    """Both arrays, mapped into memory.

    Args:
        folder: Where they lie.

    Raises:
        StoreError: If they are not there or damaged.
    """

    def __init__(self, folder: Path) -> None:
        try:
            self.first: NDArray[np.int32] = map_array(folder / _FILES[0])
            self.page: NDArray[np.bool_] = map_array(folder / _FILES[1])
        except (OSError, ValueError) as error:
            raise StoreError(f"is damaged: {error}", where=str(folder)) from error

    @classmethod
    def of(cls, corpus: Corpus) -> Aboutness:
        """Those of a corpus, made where they are not there yet."""
        path = corpus.derived(_NAME)
        return open_or_build(corpus, path, lambda: cls(path), lambda folder: _build(corpus, folder))


def _build(corpus: Corpus, folder: Path) -> None:
    import numpy as np

    size = len(corpus.arrays["offsets"])
    first, page = np.full(size, -1, dtype=np.int32), np.zeros(size, dtype=np.bool_)
    wanted = "true"
    if _carry(corpus, first, page):
        wanted = duck.among(corpus.arrays["touched"].tolist())
    sql = f"""
        WITH numbered AS (SELECT key, row_number() OVER (ORDER BY rowid) - 1 AS n FROM entities)
        SELECT row, coalesce(n, -1) AS first, name IS NOT NULL AS page
        FROM facts JOIN pages USING (path) LEFT JOIN numbered ON numbered.key = facts.entities[1]
        WHERE {wanted}
    """
    with duck.reading(corpus.snapshot):
        found: Any = corpus.connection.execute(sql).fetchnumpy()
    first[found["row"]], page[found["row"]] = found["first"], found["page"]
    folder.mkdir(exist_ok=True)
    for file, array in zip(_FILES, (first, page), strict=True):
        np.save(folder / file, array)


def _carry(corpus: Corpus, first: NDArray[np.int32], page: NDArray[np.bool_]) -> bool:
    """Fill in what the snapshot before has, if rows were carried over from it."""
    import numpy as np

    before = corpus.place.previous()
    if before is None or corpus.arrays.base != before.name:
        return False
    with suppress(StoreError), Corpus(corpus.place, before) as other:
        held = Aboutness(other.derived(_NAME))
        numbers = {own: number for number, (own, *_) in enumerate(corpus.arrays.entities)}
        # by the numbers that entities have now; the last one is for none
        now = np.array([*(numbers.get(own, -1) for own, *_ in other.arrays.entities), -1])
        both = min(len(first), len(held.first))
        first[:both], page[:both] = now[held.first[:both]], held.page[:both]
        gone = corpus.arrays["offsets"] < 0
        first[gone], page[gone] = -1, False
        return True
    return False
