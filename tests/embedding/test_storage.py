import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from memlab.embedding import storage
from memlab.embedding.base import unit
from memlab.errors import UnknownNameError

LOSS = {"float32": 0.0, "float16": 2**-11, "int8": 1 / 254}  # of the largest number, at most


@given(
    arrays(np.float32, st.tuples(st.integers(1, 5), st.integers(1, 9)),
           elements=st.floats(-1, 1, width=32)),
    st.sampled_from(storage.STORAGES),
)  # fmt: skip
def test_the_loss_has_a_bound(vectors, kind):
    vectors = unit(vectors)
    read = storage.unpack(*storage.pack(vectors, kind), kind)
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    assert (np.abs(read - vectors) <= LOSS[kind] * largest + 1e-7).all()
    assert read.dtype == np.float32


def test_sizes():
    vectors = unit(np.ones((2, 10), np.float32))
    sizes = {kind: storage.pack(vectors, kind)[0].nbytes for kind in storage.STORAGES}
    assert sizes == {"float32": 80, "float16": 40, "int8": 20}


def test_every_half_is_read_by_sql_as_numpy_reads_it():
    import duckdb

    bits = np.arange(65536, dtype=np.uint16)
    bits = bits[np.isfinite(bits.view(np.float16))]
    with duckdb.connect() as connection:
        numbers = f"(SELECT unnest({bits.tolist()}) AS x)"
        read = dict(connection.sql(f"FROM {numbers}").project(f"x, {storage._HALF}").fetchall())
    assert [read[int(b)] for b in bits] == bits.view(np.float16).astype(float).tolist()


def test_unknown_storage():
    with pytest.raises(UnknownNameError, match="Known: float16, float32, int8"):
        storage.check("bfloat16")
