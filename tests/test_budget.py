import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.budget import count, pack
from memlab.errors import ParameterError
from memlab.types import Fact, Hit, Kind, Origin, Source


def hit(content, rank=1):
    fact = Fact("f-0", Kind.WORLD, Origin.WRITTEN, content, Source("a.md", 1, 1))
    return Hit(fact, rank, 1.0)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("မ", 1), ("မောင်", -(-5 * 3 // 4))],
)
def test_four_bytes_are_a_token(text, tokens):
    assert count(text) == tokens


def test_a_hit_that_does_not_fit_is_passed_over_for_a_shorter_one():
    """ "xx a.md#L1" and a line break are 11 bytes: 3 tokens; forty letters more are 10 tokens."""
    long, short, other = hit("x" * 42), hit("yy"), hit("zz")
    assert pack([long, short, other], 6) == [short, other]
    assert pack([long, short, other], 3) == [short]
    assert pack([long, short, other], 2) == []
    assert pack([long, short, other], None) == [long, short, other]


def test_a_budget_is_at_least_one_token():
    with pytest.raises(ParameterError, match="max_tokens must be at least 1, got 0"):
        pack([], 0)


@given(st.lists(st.text()), st.integers(1, 100))
def test_packing_keeps_to_its_budget_and_to_the_order(contents, budget):
    hits = [hit(content, rank) for rank, content in enumerate(contents, start=1)]
    packed = pack(hits, budget)
    assert sum(count(f"{h.fact.content} {h.fact.source}\n") for h in packed) <= budget
    ranks = [h.rank for h in packed]
    assert ranks == sorted(ranks)
