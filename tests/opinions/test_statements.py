"""Whether a fact bears on a statement, by the topics of both."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.opinions import cues
from memlab.opinions.statements import bears_on, reach

_topics = st.frozensets(
    st.sampled_from(["tea", "green", "harbour", *sorted(cues.antonyms())[:8]]), max_size=6
)


@pytest.mark.parametrize(
    ("fact", "bears"),
    [
        ({"tea", "green"}, True),
        ({"tea", "harbour", "boat", "ferri"}, True),  # half of the shorter, and half of it
        ({"harbour", "boat"}, False),
        (set(), False),
    ],
)
def test_a_fact_bears_on_a_statement_that_it_shares_enough_topics_with(fact, bears):
    assert bears_on(frozenset({"tea", "green"}), frozenset(fact)) is bears


@given(_topics, _topics)
def test_what_bears_on_a_statement_is_within_its_reach(statement, fact):
    if bears_on(statement, fact):
        assert not reach(statement).isdisjoint(fact)
    assert statement <= reach(statement)
