"""Each updater's arithmetic, and the scenarios that an updater is held to."""

import datetime as dt
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.errors import ParameterError
from memlab.opinions import Event, Label, fold
from memlab.registry import make, names

DAY = dt.date(2025, 11, 27)
FOR, AGAINST = Label.SUPPORTS, Label.CONTRADICTS


def event(label, number=0, score=1.0, days=7, **more):
    """An event of its own week and words, so that no two are copies."""
    day = DAY + dt.timedelta(days=days * number)
    words = frozenset({f"word{number}"})
    return Event(day, f"f-{number:04}", label, score, words=words, **more)


def run(updater, prior, *labels, score=1.0):
    events = [event(label, number, score) for number, label in enumerate(labels)]
    return [step.after for step in fold(prior, events, make("updater", updater)).steps]


def sigmoid(odds):
    return 1 / (1 + math.exp(-odds))


def test_small_steps_by_the_score():
    assert run("small", 0.9, FOR) == [pytest.approx(0.9 + 0.05)]
    assert run("small", 0.9, FOR, score=0.5) == [pytest.approx(0.9 + 0.05 * 0.5)]
    assert run("small", 0.9, AGAINST, score=0.5) == [pytest.approx(0.9 - 0.1 * 0.5)]
    assert run("small", 0.98, FOR, FOR) == [1.0, 1.0]


def test_small_jumps_only_when_strong_and_repeated():
    assert run("small", 0.9, *[AGAINST] * 3) == [
        pytest.approx(0.9 - 0.1), pytest.approx(0.8 - 0.3), pytest.approx(0.5 - 0.3),
    ]  # fmt: skip
    weak = run("small", 0.9, *[AGAINST] * 3, score=0.5)
    assert weak == [
        pytest.approx(0.9 - 0.05),
        pytest.approx(0.85 - 0.05),
        pytest.approx(0.8 - 0.05),
    ]
    interrupted = run("small", 0.9, AGAINST, FOR, AGAINST)
    assert interrupted == [
        pytest.approx(0.9 - 0.1),
        pytest.approx(0.8 + 0.05),
        pytest.approx(0.85 - 0.1),
    ]


def test_small_needs_as_much_to_believe_again():
    assert run("small", 0.2, *[FOR] * 3) == [
        pytest.approx(0.2 + 0.1), pytest.approx(0.3 + 0.3), pytest.approx(0.6 + 0.05),
    ]  # fmt: skip


def test_hindsight_is_the_published_rule():
    assert run("hindsight", 0.5, FOR) == [pytest.approx(0.5 + 0.1)]
    assert run("hindsight", 0.5, AGAINST, score=0.5) == [pytest.approx(0.5 - 0.1)]
    assert run("hindsight", 0.5, AGAINST) == [pytest.approx(0.5 - 2 * 0.1)]
    assert run("hindsight", 0.95, FOR) == [1.0]
    assert run("hindsight", 0.1, AGAINST) == [0.0]
    assert run("hindsight(alpha=0.2)", 0.5, FOR) == [pytest.approx(0.5 + 0.2)]


def test_log_odds_add_up_and_fade():
    start = math.log(0.8 / 0.2)
    first = start + 0.4
    assert run("log-odds(half_life=7)", 0.8, FOR, FOR) == [
        pytest.approx(sigmoid(first), abs=1e-5),
        pytest.approx(sigmoid(first * 2 ** (-7 / 7) + 0.4), abs=1e-5),
    ]
    assert run("log-odds(half_life=0)", 0.8, *[AGAINST] * 3) == [
        pytest.approx(sigmoid(start - 0.4), abs=1e-5),
        pytest.approx(sigmoid(start - 0.4 - 0.4 * 2.5), abs=1e-5),
        # the second has crossed to the other side (-0.01), so the third is no longer against
        pytest.approx(sigmoid(start - 0.4 - 0.4 * 2.5 - 0.4), abs=1e-5),
    ]


def test_log_odds_stop_at_the_limit_but_leave_what_a_person_wrote():
    assert run("log-odds", 0.9, *[FOR] * 20)[-1] == pytest.approx(0.97)
    assert run("log-odds(half_life=0)", 0.99, FOR) == [pytest.approx(0.99)]


@pytest.mark.parametrize(
    "spec", ["small(step=2)", "hindsight(alpha=-1)", "log-odds(limit=1)", "log-odds(growth=0)"]
)
def test_a_parameter_that_means_nothing_is_refused(spec):
    with pytest.raises(ParameterError, match="must"):
        make("updater", spec)


OURS = ["small", "log-odds"]
priors = pytest.mark.parametrize("prior", [0.6, 0.7, 0.8, 0.9, 0.95])
strengths = pytest.mark.parametrize("score", [0.8, 0.9, 1.0])


@pytest.mark.parametrize("updater", OURS)
@priors
@strengths
def test_after_a_flip_the_right_side_is_believed_within_three_events(updater, prior, score):
    down = run(updater, prior, *[AGAINST] * 3, score=score)[-1]
    assert 1 - down > 0.5
    assert run(updater, 1 - prior, *[FOR] * 3, score=score)[-1] > 0.5


@pytest.mark.parametrize("updater", OURS)
@given(prior=st.floats(0, 1), score=st.floats(0, 1), before=st.integers(0, 6))
def test_one_stray_contradiction_moves_by_a_tenth_at_most(updater, prior, score, before):
    held = FOR if prior >= 0.5 else AGAINST
    stray = AGAINST if held is FOR else FOR
    events = [event(held, number, days=0) for number in range(before)]
    last = Event(DAY, "f-stray", stray, score, words=frozenset({"stray"}))
    steps = fold(prior, [*events, last], make("updater", updater)).steps
    assert abs(steps[-1].after - steps[-1].before) <= 0.1 + 2e-5


@pytest.mark.parametrize("updater", names("updater"))
@pytest.mark.parametrize("apart", [0, 1, 3])
def test_ten_copies_of_a_note_move_no_more_than_one(updater, apart):
    def copy(number):
        day = DAY + dt.timedelta(days=apart * number)
        words = frozenset("peter no longer likes long replies".split())
        return Event(day, f"f-{number}", AGAINST, words=words, entities=frozenset({"peter"}))

    rule = make("updater", updater)
    ten = fold(0.9, [copy(number) for number in range(10)], rule)
    assert ten.confidence == fold(0.9, [copy(0)], rule).confidence
    assert ten.steps[0].event.copies == tuple(f"f-{number}" for number in range(1, 10))


@pytest.mark.parametrize("prior", [0.6, 0.9])
def test_hindsight_is_quick_but_not_steady(prior):
    """Why it is not the default: one strong contradiction moves by 2a = .2, or, at a = .05, three
    do not reach the other side of .9."""
    assert run("hindsight", prior, AGAINST) == [pytest.approx(prior - 2 * 0.1)]
    assert run("hindsight(alpha=0.05)", 0.9, *[AGAINST] * 3)[-1] == pytest.approx(0.9 - 3 * 0.1)


@pytest.mark.parametrize("updater", names("updater"))
@given(
    prior=st.floats(0, 1),
    told=st.lists(st.tuples(st.sampled_from([FOR, AGAINST]), st.floats(0, 1)), max_size=8),
)
def test_a_confidence_stays_one(updater, prior, told):
    events = [event(label, number, score) for number, (label, score) in enumerate(told)]
    trajectory = fold(prior, events, make("updater", updater))
    assert all(0 <= step.after <= 1 for step in trajectory.steps)
