import datetime as dt
import math
import re
from contextlib import closing

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.errors import StoreError
from memlab.store import duck


@pytest.fixture(scope="module")
def memory():
    with duckdb.connect(":memory:") as connection:
        yield connection


@pytest.fixture
def file(tmp_path):
    place = tmp_path / "a.duckdb"
    with closing(duck.create(place)) as connection:
        connection.execute("CREATE TABLE t AS SELECT 7 AS x")
    return place


_text = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"))
_numbers = st.integers(-(2**31), 2**31 - 1)
_values = st.none() | st.booleans() | _numbers | st.dates() | _text | st.lists(_text)


@given(value=_values)
def test_a_literal_is_read_back_as_the_value(memory, value):
    assert memory.execute(duck.fill("SELECT ?", value)).fetchone() == (value,)


@given(value=st.floats(-1e9, 1e9))
def test_a_number_is_read_back_as_the_number(memory, value):
    (found,) = memory.execute(duck.fill("SELECT ?::DOUBLE", value)).fetchone()
    assert math.isclose(found, value, rel_tol=1e-12, abs_tol=1e-300)


def test_a_question_mark_in_a_value_is_no_place():
    assert duck.fill("SELECT ?, ?", "what?", "it's") == "SELECT 'what?', 'it''s'"


def test_values_and_places_must_be_as_many():
    with pytest.raises(ValueError, match="1 values for 2 places"):
        duck.fill("SELECT ?, ?", 1)


def test_a_value_of_another_type_is_refused():
    with pytest.raises(TypeError, match="no literal for timedelta"):
        duck.literal(dt.timedelta(1))


def test_a_file_is_opened_read_only_and_hardened(file, tmp_path):
    (tmp_path / "x.csv").write_text("a\n1\n")
    with closing(duck.open_read_only(file)) as connection:
        assert connection.execute("SELECT x FROM t").fetchone() == (7,)
        for sql in (
            "INSERT INTO t VALUES (8)",
            f"FROM read_csv('{tmp_path / 'x.csv'}')",
            f"ATTACH '{tmp_path / 'other.duckdb'}'",
            "SET enable_external_access = true",
            "SET threads = 4",
        ):
            with pytest.raises(duckdb.Error):
                connection.execute(sql)


def test_one_file_can_be_opened_twice_in_a_process(file):
    with closing(duck.open_read_only(file)) as one, closing(duck.open_read_only(file)) as two:
        assert one.execute("FROM t").fetchall() == two.execute("FROM t").fetchall() == [(7,)]


@pytest.mark.parametrize("raw", [None, b"", b"no database", b"DUCK" * 4096])
def test_what_is_no_database_is_an_error_that_names_the_file(tmp_path, raw):
    file = tmp_path / "b.duckdb"
    if raw is not None:
        file.write_bytes(raw)
    with pytest.raises(StoreError, match=r"b\.duckdb: cannot be opened"):
        duck.open_read_only(file)


def test_a_full_text_extension_that_is_missing_is_an_error_that_tells_the_mend(monkeypatch):
    monkeypatch.setattr(duck.importlib.util, "find_spec", lambda _: None)
    mend = f"pip install 'duckdb-extension-fts=={duckdb.__version__}'"
    with (
        duckdb.connect(":memory:") as connection,
        pytest.raises(StoreError, match=re.escape(mend)),
    ):
        duck.load_fts(connection)
