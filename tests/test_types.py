import dataclasses
import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.errors import CitationError, ParameterError
from memlab.types import Kind, Source, TimeRange, Trouble


@pytest.mark.parametrize("kind", Kind)
def test_a_kind_goes_by_its_name_and_its_letter(kind):
    assert Kind.of(kind.value.upper()) is Kind.of(kind.letter.lower()) is kind


def test_the_letters_are_those_of_retain_bullets():
    assert {kind.value: kind.letter for kind in Kind} == {
        "world": "W", "experience": "B", "opinion": "O", "observation": "S",
    }  # fmt: skip


def test_an_unknown_kind_is_an_error_that_lists_the_known():
    with pytest.raises(ParameterError, match=r"no kind 'x'\. Known: world \(W\), experience \(B\)"):
        Kind.of("x")


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("memory/2025-11-27.md#L12", Source("memory/2025-11-27.md", 12, 12)),
        ("a b#c.md#L1-L3", Source("a b#c.md", 1, 3)),
        (" memory.md#L1-3 ", Source("memory.md", 1, 3)),
    ],
)
def test_a_citation_is_read(text, source):
    assert Source.parse(text) == source


@pytest.mark.parametrize(
    "text", ["", "memory.md", "memory.md#12", "memory.md#L0", "memory.md#L3-L1", "#L1", "a#L1x"]
)
def test_what_is_no_citation_is_refused(text):
    with pytest.raises(CitationError, match="is no citation"):
        Source.parse(text)


@given(
    st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1).filter(
        lambda path: path == path.strip()
    ),
    st.integers(1, 999_999),
    st.integers(0, 4),
)
def test_a_citation_reads_back_as_itself(path, start, more):
    source = Source(path, start, start + more)
    assert Source.parse(str(source)) == source


def test_a_range_of_days_is_closed_and_in_order():
    day = dt.date(2025, 11, 27)
    assert str(TimeRange.day(day)) == "2025-11-27"
    assert str(TimeRange(day, dt.date(2025, 12, 1))) == "2025-11-27/2025-12-01"
    with pytest.raises(ParameterError, match=r"ends \(2025-11-27\) before it starts \(2025-11-28"):
        TimeRange(dt.date(2025, 11, 28), day)


def test_a_trouble_names_file_and_line():
    assert str(Trouble("a.md", "odd")) == "a.md: odd"
    assert str(Trouble("a.md", "odd", 3)) == "a.md#L3: odd"


def test_values_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Source("a.md", 1, 1).start = 2
