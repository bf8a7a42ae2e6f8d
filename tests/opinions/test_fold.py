import datetime as dt
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.errors import ParameterError
from memlab.opinions import Event, Label, distinct, fold
from memlab.opinions.small import Small
from memlab.tokens import tokens

FOR, AGAINST, NEUTRAL = Label.SUPPORTS, Label.CONTRADICTS, Label.NEUTRAL


def on(day, fact, label=FOR, text="", **more):
    entities = frozenset({"peter"})
    words = frozenset(tokens(text or fact))
    return Event(dt.date(2025, 12, day), fact, label, words=words, entities=entities, **more)


def hand(day, confidence):
    return Event(dt.date(2025, 12, day), hand=confidence)


def afters(*events, prior=0.7):
    return [step.after for step in fold(prior, events, Small()).steps]


def test_no_event_leaves_the_prior():
    assert fold(0.7, [], Small()).confidence == 0.7


def test_each_event_is_a_step_and_neutral_ones_are_none():
    events = [on(1, "f-a"), on(2, "f-b", NEUTRAL), on(3, "f-c", AGAINST)]
    assert afters(*events) == [pytest.approx(0.7 + 0.05), pytest.approx(0.75 - 0.1)]


def test_an_old_note_written_late_gives_what_a_replay_gives():
    old, new = on(1, "f-old"), on(9, "f-new", AGAINST)
    assert fold(0.7, [new, old], Small()) == fold(0.7, [old, new], Small())


def test_notes_of_one_day_are_ordered_by_fact_id():
    events = [on(1, "f-b", AGAINST), on(1, "f-a")]
    assert [step.event.fact for step in fold(0.7, events, Small()).steps] == ["f-a", "f-b"]


def test_the_fold_starts_again_from_a_hand():
    events = [on(1, "f-a", AGAINST), hand(5, 0.6), on(9, "f-b", AGAINST)]
    # the second contradiction is the first since the hand, so no repeated evidence
    assert afters(*events) == [pytest.approx(0.7 - 0.1), 0.6, pytest.approx(0.6 - 0.1)]


def test_a_hand_comes_last_on_its_day_and_the_later_of_two_counts():
    assert afters(hand(1, 0.2), hand(1, 0.4), on(1, "f-a")) == [pytest.approx(0.7 + 0.05), 0.2, 0.4]


def test_the_confidence_of_any_day():
    trajectory = fold(0.7, [on(2, "f-a"), on(2, "f-b"), hand(5, 0.3)], Small())
    days = [dt.date(2025, 12, day) for day in (1, 2, 4, 5, 31)]
    assert [trajectory.at(day) for day in days] == [0.7, 0.8, 0.8, 0.3, 0.3]


SAME = "Peter asked for short replies on WhatsApp"


def test_one_event_told_in_three_notes_counts_once_with_the_earliest():
    told = [on(1, "f-a", text=SAME), on(2, "f-b", text=f"{SAME} again"), on(4, "f-c", text=SAME)]
    (event,) = distinct(told)
    assert (event.fact, event.copies) == ("f-a", ("f-b", "f-c"))


@pytest.mark.parametrize(
    "other",
    [
        on(5, "f-b", text=SAME),  # four days later
        on(2, "f-b", AGAINST, text=SAME),  # says the contrary
        on(2, "f-b", text="Peter wrote a long letter to his sister"),
    ],
    ids=["later", "contrary", "other words"],
)
def test_these_are_two_events(other):
    assert len(distinct([on(1, "f-a", text=SAME), other])) == 2


def test_facts_without_a_common_entity_are_two_events():
    one = on(1, "f-a", text=SAME)
    other = Event(one.day, "f-b", FOR, words=one.words, entities=frozenset({"anna"}))
    assert len(distinct([one, other])) == 2


def test_a_jaccard_of_three_in_five_is_enough():
    one, other = on(1, "f-a", text="aa bb cc dd"), on(1, "f-b", text="aa bb cc ee")
    assert len(one.words & other.words) / len(one.words | other.words) == 3 / 5
    assert len(distinct([one, other])) == 1


def test_a_fact_that_links_to_the_others_page_tells_the_same():
    note = on(1, "f-a", page="memory/call.md")
    log = on(2, "f-b", page="memory/2025-12-02.md", links=frozenset({"memory/call.md"}))
    assert len(distinct([note, log])) == 1


def test_the_same_fact_twice_is_once():
    assert distinct([on(1, "f-a"), on(1, "f-a")]) == [on(1, "f-a")]


_rows = st.tuples(
    st.integers(1, 20),
    st.sampled_from([FOR, AGAINST, NEUTRAL]),
    st.sampled_from(["a b c", "a b c d", "b c d e", "x y"]),
)


@given(st.lists(_rows, max_size=12), st.randoms())
def test_the_order_of_arrival_does_not_matter(rows, chance: random.Random):
    events = [on(day, f"f-{n}", label, text) for n, (day, label, text) in enumerate(rows)]
    shuffled = list(events)
    chance.shuffle(shuffled)
    assert fold(0.7, shuffled, Small()) == fold(0.7, events, Small())


def test_what_is_no_event_is_refused():
    with pytest.raises(ParameterError, match="either a fact's or a hand's"):
        Event(dt.date(2025, 12, 1))
    with pytest.raises(ParameterError, match=r"lies in 0 to 1, got 1\.5"):
        hand(1, 1.5)
    with pytest.raises(ParameterError, match="lies in 0 to 1, got -1"):
        fold(-1, [], Small())
