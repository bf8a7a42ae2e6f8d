import dataclasses
import functools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.budget import LINES, cost, count, pack
from memlab.counters import Words
from memlab.errors import ParameterError
from memlab.types import Fact, Hit, Kind, Origin, Source


def fact(content, line=1, path="a.md", *, end=None, heading="", entities=()):
    source = Source(path, line, end or line)
    return Fact(
        f"f-{path}-{line}", Kind.WORLD, Origin.WRITTEN, content, source, heading=heading,
        entities=entities,
    )  # fmt: skip


def ranked(*facts):
    return [Hit(one, rank, 1 / rank) for rank, one in enumerate(facts, start=1)]


def given_(packed):
    return [(str(hit.source), hit.content) for hit in packed.hits]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("မ", 1), ("မောင်", -(-5 * 3 // 4))],
)
def test_four_bytes_are_a_token(text, tokens):
    assert count(text) == tokens


def test_a_hit_that_does_not_fit_is_passed_over_for_a_shorter_one():
    """ "xx a.md#L1" and a line break are 11 bytes: 3 tokens; forty letters more are 10 tokens."""
    hits = ranked(fact("x" * 42), fact("yy", 3), fact("zz", 5))
    long, short, other = hits
    assert pack(hits, 6).hits == (short, other)
    assert pack(hits, 3).hits == (short,)
    assert pack(hits, 2).hits == ()
    assert pack(hits).hits == (long, short, other)


def test_what_was_cut_says_why():
    packed = pack(ranked(fact("x" * 42), fact("yy", 3), fact("zz", 5), fact("yy", 7)), 7)
    assert [(cut.hit.rank, cut.reason) for cut in packed.cut] == [
        (1, "takes 13 tokens, 7 were left"),
        (4, "a copy of a.md#L3"),
    ]
    assert str(packed.cut[1]) == "4. a.md#L7: a copy of a.md#L3"
    assert packed.tokens == 3 + 3
    assert [hit.rank for hit in packed.taken] == [2, 3]


def test_a_budget_is_at_least_one_token():
    with pytest.raises(ParameterError, match="max_tokens must be at least 1, got 0"):
        pack([], 0)


def test_no_more_hits_are_drawn_than_a_limit_or_a_full_budget_needs():
    hits = iter(ranked(fact("xx"), fact("yy", 3), fact("zz", 5), fact("aa", 7)))
    assert len(pack(hits, limit=2).hits) == 2
    assert next(hits).fact.content == "aa"  # one is drawn to see that the limit is reached
    hits = iter(ranked(fact("xx"), fact("yy", 3)))
    assert len(pack(hits, 3).hits) == 1
    assert next(hits).fact.content == "yy"


def test_another_counter_counts():
    """ "one two a.md#L1": two words, then a.md and L1, and two marks."""
    (hit,) = ranked(fact("one two"))
    assert cost(hit, Words()) == 2 + 2 + 2
    price = functools.partial(cost, counter=Words())
    assert pack([hit], 6, price=price).hits == (hit,)
    assert pack([hit], 5, price=price).hits == ()


# copies


def test_the_same_words_are_given_once_with_both_citations():
    one, other = fact("He  lives\nhere.", 1, "a.md"), fact("He lives here.", 9, "b.md")
    packed = pack(ranked(one, other), 50)
    assert [(str(hit.source), *map(str, hit.copies)) for hit in packed.hits] == [
        ("a.md#L1", "b.md#L9")
    ]
    assert packed.tokens == cost(packed.hits[0])


def test_a_copy_whose_citation_has_no_room_is_still_a_copy():
    """ "He lives. a.md#L1\\n" is 18 bytes, 5 tokens; with " b.md#L9" 26, 7 tokens."""
    hits = ranked(fact("He lives."), fact("He lives.", 9, "b.md"))
    assert [hit.copies for hit in pack(hits, 6).hits] == [()]
    assert [len(hit.copies) for hit in pack(hits, 7).hits] == [1]


@pytest.mark.parametrize(
    ("one", "other", "copies"),
    [
        (("Peter",), ("Peter",), True),
        (("Peter",), (), True),
        (("Peter",), ("Peter", "Berlin"), True),
        (("Peter",), ("Andy",), False),
        (("Peter", "Andy"), ("Andy", "Berlin"), False),
    ],
)
def test_the_same_words_about_other_entities_are_no_copy(one, other, copies):
    hits = ranked(fact("likes tea", entities=one), fact("likes tea", 9, entities=other))
    assert len(pack(hits).hits) == (1 if copies else 2)


# passages


def test_consecutive_lines_are_one_citation_at_the_place_of_the_best():
    hits = ranked(fact("b", 2), fact("elsewhere", 2, "b.md"), fact("c", 3), fact("a", 1))
    packed = pack(hits, join=True)
    assert given_(packed) == [("a.md#L1-L3", "a\nb\nc"), ("b.md#L2", "elsewhere")]
    assert packed.hits[0].fact.content == "b"
    assert [hit.rank for hit in packed.hits] == [1, 2]
    assert [hit.rank for hit in packed.taken] == [1, 2, 3, 4]


def test_a_fact_between_two_joins_both():
    assert given_(pack(ranked(fact("a", 1), fact("c", 3), fact("b", 2)), join=True)) == [
        ("a.md#L1-L3", "a\nb\nc")
    ]


def test_a_citation_has_five_lines_at_most():
    hits = ranked(*(fact(str(line), line) for line in range(1, 8)))
    assert [source for source, _ in given_(pack(hits, join=True))] == ["a.md#L1-L5", "a.md#L6-L7"]
    long = ranked(fact("a", 1, end=4), fact("b", 5, end=6))
    assert [source for source, _ in given_(pack(long, join=True))] == ["a.md#L1-L4", "a.md#L5-L6"]


@pytest.mark.parametrize(
    "other",
    [fact("b", 3), fact("b", 2, "b.md"), fact("b", 2, heading="Retain")],
    ids=["a line between", "another page", "another section"],
)
def test_what_does_not_belong_together_stays_apart(other):
    assert len(pack(ranked(fact("a", 1), other), join=True).hits) == 2


def test_a_citation_saved_makes_room():
    """Apart: "aa a.md#L1\\n" and "bb a.md#L2\\n" are 3 + 3 tokens; "aa\\nbb a.md#L1-L2\\n" is 5."""
    hits = ranked(fact("aa", 1), fact("bb", 2))
    assert len(pack(hits, 5).hits) == 1
    assert given_(pack(hits, 5, join=True)) == [("a.md#L1-L2", "aa\nbb")]


PAGE = [fact(word, line) for line, word in enumerate("zero one two three four five".split(), 1)]


def near(count_):
    def around(hit):
        at = PAGE.index(hit.fact)
        return PAGE[max(0, at - count_) : at + count_ + 1]

    return around


def test_neighbours_come_along_where_they_fit():
    """ "one\\ntwo\\nthree a.md#L2-L4\\n" is 25 bytes, 7 tokens; "two a.md#L3\\n" 12 bytes, 3."""
    hits = ranked(PAGE[2])
    assert given_(pack(hits, 7, around=near(1))) == [("a.md#L2-L4", "one\ntwo\nthree")]
    assert given_(pack(hits, 6, around=near(1))) == [("a.md#L3", "two")]
    assert given_(pack(hits, around=near(3))) == [("a.md#L1-L5", "zero\none\ntwo\nthree\nfour")]


def test_a_hit_that_came_along_is_not_given_again():
    packed = pack(ranked(PAGE[2], PAGE[3], PAGE[5]), around=near(1))
    assert given_(packed) == [("a.md#L2-L6", "one\ntwo\nthree\nfour\nfive")]
    assert [hit.rank for hit in packed.taken] == [1, 2, 3]


words = st.text("ab မ", min_size=1, max_size=30)
facts = st.builds(
    fact, words, st.integers(1, 12), st.sampled_from(["a.md", "b.md"]),
    entities=st.sampled_from([(), ("Peter",), ("Andy",)]),
)  # fmt: skip
pages = st.lists(facts, unique_by=lambda one: one.id, max_size=20)


@given(pages, st.integers(1, 100), st.booleans())
def test_packing_keeps_to_its_budget_to_the_order_and_to_each_fact_once(facts, budget, join):
    hits = ranked(*facts)
    packed = pack(hits, budget, join=join)
    assert sum(map(cost, packed.hits)) == packed.tokens <= budget
    assert [hit.rank for hit in packed.hits] == sorted(hit.rank for hit in packed.hits)
    held = [one.id for hit in packed.hits for one in hit.facts or (hit.fact,)]
    assert sorted(held) == sorted(hit.fact.id for hit in packed.taken)
    ends = [hit.source.end - hit.source.start + 1 for hit in packed.hits]
    assert all(lines <= LINES for lines in ends)


@given(pages, st.integers(1, 3))
def test_around_holds_each_fact_once_too(facts, count_):
    page = sorted(facts, key=lambda one: one.source)

    def around(hit):
        own = [one for one in page if one.source.path == hit.fact.source.path]
        at = own.index(hit.fact)
        return own[max(0, at - count_) : at + count_ + 1]

    packed = pack(ranked(*facts), 60, around=around)
    held = [one.id for hit in packed.hits for one in hit.facts or (hit.fact,)]
    assert len(held) == len(set(held))
    assert {hit.fact.id for hit in packed.taken} <= set(held)
    assert sum(map(cost, packed.hits)) == packed.tokens <= 60


def test_a_hit_keeps_its_rank_score_and_trace_in_a_passage():
    best = dataclasses.replace(ranked(fact("b", 2))[0], trace={"lexical": (1, 2.5)}, score=2.5)
    (hit,) = pack([best, *ranked(fact("x", 9), fact("c", 3))[1:]], join=True).hits
    assert (hit.rank, hit.score, hit.trace) == (1, 2.5, {"lexical": (1, 2.5)})
