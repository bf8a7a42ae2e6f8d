"""Notes through a detector and an updater: from words to a confidence."""

import datetime as dt

import pytest

from memlab.opinions import Event, fold
from memlab.registry import make
from memlab.tokens import tokens

STATEMENT = "Peter likes tea"
FLIP = ["Peter no longer drinks tea", "Peter switched from tea to coffee",
    "Peter does not like tea any more"]  # fmt: skip


def confidence(prior, notes, updater, detector="rules"):
    """One note a day, all about Peter."""
    stances = make("stance", detector).judge([(STATEMENT, note) for note in notes])
    events = [
        Event(
            dt.date(2025, 12, 1) + dt.timedelta(days=number), f"f-{number:02}", stance.label,
            stance.score, entities=frozenset({"peter"}), words=frozenset(tokens(note)),
        )
        for number, (note, stance) in enumerate(zip(notes, stances, strict=True))
    ]  # fmt: skip
    return fold(prior, events, make("updater", updater)).confidence


ours = pytest.mark.parametrize("updater", ["small", "log-odds"])


@ours
def test_three_notes_tell_of_a_change_of_mind(updater):
    assert 1 - confidence(0.9, FLIP, updater) > 0.5


@ours
@pytest.mark.parametrize("note", FLIP)
def test_one_stray_note_moves_by_a_tenth_at_most(updater, note):
    assert 0 < 0.9 - confidence(0.9, [note], updater) <= 0.1


@ours
def test_ten_days_of_one_note_move_no_more_than_one(updater):
    assert confidence(0.9, FLIP[:1] * 10, updater) == confidence(0.9, FLIP[:1], updater)


@ours
def test_notes_about_other_things_move_nothing(updater):
    notes = ["Peter repaired the fence", "The ferry leaves at noon"]
    assert confidence(0.9, notes, updater) == 0.9


def test_small_steps_through_the_rules():
    # two of three words, peter and tea, are shared by the first two notes: scores of .5 + .5 * 2/3
    first = 0.9 - 0.1 * (0.5 + 0.5 * 2 / 3)
    assert confidence(0.9, FLIP[:1], "small") == pytest.approx(first, abs=1e-5)
    assert confidence(0.9, FLIP[:2], "small") == pytest.approx(first - 0.3, abs=1e-5)
