import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.retrievers import inversion
from memlab.retrievers.inversion import Occurrences
from memlab.retrievers.postings import Postings

TERMS = ["a", "b", "tea", "tee", "æble", "မြို့", "zz", "·abc"]
_texts = st.lists(st.sampled_from(TERMS), min_size=1, max_size=6).map(" ".join)
_facts = st.dictionaries(st.integers(0, 12), _texts, max_size=8)


def built(folder, facts, size):
    """An index of facts, from nothing."""
    terms = sorted({term for text in facts.values() for term in text.split()}, key=str.encode)
    pairs = [(terms.index(term), row) for row, text in facts.items() for term in text.split()]
    numbers, rows = np.array(pairs, dtype=np.int32).reshape(-1, 2).T
    inversion.build(folder, Occurrences(terms, numbers, rows), size)
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@given(_facts, _facts, st.integers(13, 15), st.integers(13, 15))
def test_an_index_that_was_updated_is_the_one_that_is_built_from_nothing(before, now, was, size):
    """A row that has another text is one that went and one that came, under another number."""
    stay = {row: text for row, text in now.items() if before.get(row) == text}
    came = {row: text for row, text in now.items() if row not in before}
    removed = np.array(sorted(before.keys() - stay.keys()), dtype=np.int64)
    with tempfile.TemporaryDirectory() as folder:
        one, other, third = (Path(folder) / name for name in "abc")
        built(one, before, was)
        inversion.update(other, Postings(one), came.items(), removed, size)
        found = {file.name: file.read_bytes() for file in other.iterdir()}
        assert found == built(third, stay | came, size)


def test_a_term_is_found_with_its_rows_and_counts(tmp_path):
    facts = {0: "tea tea", 2: "tea a", 3: "b"}
    built(tmp_path / "postings", facts, 5)
    held = Postings(tmp_path / "postings")
    assert [part.tolist() for part in held.of(held.find("tea"))] == [[0, 2], [2, 1]]
    assert held.place(b"tea") == (2, True)
    assert held.place(b"c") == (2, False)
    assert held.find("c") is None
    assert held.lengths.tolist() == [2, 0, 2, 1, 0]
    assert held.average_length == pytest.approx(5 / 3)
