"""Which entity each fact is about first, and which facts stand on an entity's own page.

    first.npy   int32 (rows,): the number of the fact's first entity, -1 for none
    page.npy    bool (rows,): whether the fact stands on an entity's page

The first entity is the one of the page, else the first before the colon, else the first named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memlab.errors import StoreError
from memlab.retrievers.base import open_or_build
from memlab.store import duck
from memlab.store.arrays import map_array

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from memlab.store.corpus import Corpus

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
        path = corpus.derived("aboutness")
        return open_or_build(corpus, path, lambda: cls(path), lambda folder: _build(corpus, folder))


def _build(corpus: Corpus, folder: Path) -> None:
    import numpy as np

    sql = """
        WITH numbered AS (SELECT key, row_number() OVER (ORDER BY rowid) - 1 AS n FROM entities)
        SELECT row, coalesce(n, -1) AS first, name IS NOT NULL AS page
        FROM facts JOIN pages USING (path) LEFT JOIN numbered ON numbered.key = facts.entities[1]
    """
    with duck.reading(corpus.snapshot):
        found: Any = corpus.connection.execute(sql).fetchnumpy()
    size = len(corpus.arrays["offsets"])
    folder.mkdir(exist_ok=True)
    for file, column, empty, kind in zip(
        _FILES, ("first", "page"), (-1, False), (np.int32, np.bool_), strict=True
    ):
        array: NDArray[Any] = np.full(size, empty, dtype=kind)
        array[found["row"]] = found[column]
        np.save(folder / file, array)
