"""How a vector is kept in DuckDB: float32, float16 or int8, in arrays that are not compressed."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from memlab.errors import StoreError, UnknownNameError
from memlab.store import duck

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from memlab.store.corpus import Corpus

STORAGES = ("float32", "float16", "int8")
_TYPES = {"float32": "FLOAT", "float16": "USMALLINT", "int8": "TINYINT"}
_STEP = 8192  # vectors that are loaded at once

# The bits of a half, as DuckDB has no such type: 1 of sign, 5 of exponent, 10 of fraction. Finite
# ones only; vectors of unit length have no others.
_HALF = """
    (CASE WHEN x >= 32768 THEN -1 ELSE 1 END) * (CASE WHEN x & 31744 = 0
        THEN (x & 1023) * pow(2.0, -24) ELSE (1024 + (x & 1023)) * pow(2.0, ((x >> 10) & 31) - 25)
    END)"""


def check(storage: str) -> None:
    """Refuse a storage that there is not.

    Raises:
        UnknownNameError: It names those that there are.
    """
    if storage not in STORAGES:
        raise UnknownNameError("storage", storage, list(STORAGES))


def pack(vectors: NDArray[np.float32], storage: str) -> tuple[NDArray[Any], NDArray[np.float32]]:
    """Vectors as they are kept, and a scale for each.

    Args:
        vectors: float32, shape (n, d).
        storage: ``float32``; ``float16``, as the bits of halves; or ``int8``, each vector divided
            by a scale so that its largest number becomes 127.

    Returns:
        Codes of shape (n, d) and float32 scales of shape (n,), all 1 but for int8.
    """
    import numpy as np

    check(storage)
    scales = np.ones(len(vectors), np.float32)
    if storage == "float32":
        return np.ascontiguousarray(vectors, np.float32), scales
    if storage == "float16":
        return vectors.astype(np.float16).view(np.uint16), scales
    largest = np.abs(vectors).max(axis=1, initial=0.0)
    scales = np.where(largest > 0, largest / 127, 1).astype(np.float32)
    return np.rint(vectors / scales[:, None]).astype(np.int8), scales


def unpack(codes: NDArray[Any], scales: NDArray[np.float32], storage: str) -> NDArray[np.float32]:
    """The vectors that codes stand for; float32, shape (n, d)."""
    import numpy as np

    check(storage)
    if storage == "float32":
        return codes.astype(np.float32)
    if storage == "float16":
        return codes.view(np.float16).astype(np.float32)
    return (codes.astype(np.float32) * scales[:, None]).astype(np.float32)


def decoded(storage: str, dimension: int) -> str:
    """The SQL expression for a stored vector as an array of numbers, its scale left out."""
    check(storage)
    if storage == "float16":
        return f"list_transform(vector::INTEGER[], lambda x: {_HALF})::FLOAT[{dimension}]"
    return "vector"


def write(
    file: Path,
    corpus: Corpus,
    rows: NDArray[np.int64],
    *,
    codes: NDArray[Any],
    scales: NDArray[np.float32],
    storage: str,
) -> None:
    """A database with the vectors and what filters need of each fact.

    Args:
        file: The new file.
        corpus: The facts.
        rows: Their rows, shape (n,).
        codes: What `pack` made, shape (n, d).
        scales: Likewise, shape (n,).
        storage: How.

    Raises:
        StoreError: If it cannot be written, or does not read back as it was written.
    """
    dimension = codes.shape[1]
    with closing(duck.create(file)) as connection:
        # one thread, so that list() below meets each vector's numbers in their order
        connection.execute("SET threads = 1")
        connection.execute("PRAGMA force_compression = 'uncompressed'")
        array = f"{_TYPES[storage]}[{dimension}]"
        connection.execute(f"CREATE TABLE vectors (row INTEGER, vector {array}, scale FLOAT)")
        for start in range(0, len(rows), _STEP):
            _insert(connection, rows, codes, scales, start)
        _compare(connection, rows, codes, storage)
        connection.execute(duck.fill("ATTACH ? AS snapshot (READ_ONLY)", corpus.snapshot))
        connection.execute(
            """
            CREATE TABLE facts AS
            SELECT row, id, kind, origin, f.day, when_start, when_end, entities,
                CASE WHEN talk THEN path END AS talk
            FROM snapshot.facts AS f JOIN snapshot.pages USING (path) ORDER BY row
            """
        )
        connection.execute("DETACH snapshot")
        connection.execute("CHECKPOINT")


def _insert(
    connection: Any, rows: NDArray[Any], codes: NDArray[Any], scales: NDArray[Any], start: int
) -> None:
    import numpy as np

    end = start + _STEP
    part = codes[start:end]
    count, dimension = part.shape
    # NumPy's arrays are read where they lie; arrays of arrays are not, so vectors are put together
    numbers = {
        "place": np.repeat(np.arange(count, dtype=np.int32), dimension),
        "number": np.ascontiguousarray(part).ravel(),
    }
    heads = {
        "place": np.arange(count, dtype=np.int32),
        "row": rows[start:end].astype(np.int32),
        "scale": scales[start:end],
    }
    connection.register("numbers", numbers)
    connection.register("heads", heads)
    connection.execute(
        """
        INSERT INTO vectors SELECT row, vector, scale FROM heads JOIN
            (SELECT place, list(number) AS vector FROM numbers GROUP BY place) USING (place)
        """
    )
    connection.unregister("numbers")
    connection.unregister("heads")


def _compare(connection: Any, rows: NDArray[Any], codes: NDArray[Any], storage: str) -> None:
    """Hold the stored vectors against those that were written, by one weighted sum of each."""
    import numpy as np

    if not len(rows):
        return
    weights = 1.0 + np.arange(codes.shape[1]) % 97
    array = f"{duck.literal(weights.tolist())}::DOUBLE[{codes.shape[1]}]"
    sql = f"SELECT row, array_inner_product(vector::DOUBLE[{codes.shape[1]}], {array}) FROM vectors"
    stored = dict(connection.execute(sql).fetchall())
    written = codes.astype(np.float64) @ weights
    read = np.array([stored.get(row, np.nan) for row in rows.tolist()])
    if not np.allclose(read, written, rtol=1e-9, atol=1e-6):
        raise StoreError(f"vectors as {storage} do not read back as they were written")
