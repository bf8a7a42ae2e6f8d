"""Made-up changes of mind, and the truth beside them."""

import datetime as dt

import pytest

import memlab
from memlab.errors import ParameterError, UnknownNameError
from memlab.opinions import Label
from memlab.synth import opinions

FOR, AGAINST, BESIDE = Label.SUPPORTS, Label.CONTRADICTS, Label.NEUTRAL
each = pytest.mark.parametrize("scenario", opinions.SCENARIOS)


@each
def test_equal_seeds_tell_equal_stories_and_others_tell_others(scenario):
    first = opinions.stories(scenario, count=6, seed=3)
    assert first == opinions.stories(scenario, count=6, seed=3)
    assert first != opinions.stories(scenario, count=6, seed=4)
    assert len({story.who for story in first}) == 6


@each
def test_notes_are_in_order_within_the_days_and_of_all_kinds(scenario):
    for story in opinions.stories(scenario, count=5):
        days = [note.day for note in story.notes]
        assert days == sorted(days)
        assert set(days) <= set(story.days[1:])
        assert {FOR, BESIDE} <= {note.label for note in story.notes}
        assert all(story.who in note.text for note in story.notes)


def told(story, label):
    return [note for note in story.notes if note.label is label]


def test_what_is_stable_is_never_contradicted():
    for story in opinions.stories("stable"):
        assert (told(story, AGAINST), story.changes) == ([], ())


def test_what_flips_is_told_as_it_is_on_each_day():
    for story in opinions.stories("flipping"):
        assert len(story.changes) == 2
        first, second = story.changes
        assert [story.holds(day) for day in (first - dt.timedelta(1), first, second)] == [
            True, False, True,
        ]  # fmt: skip
        assert all(story.holds(note.day) for note in told(story, FOR))
        assert not any(story.holds(note.day) for note in told(story, AGAINST))


def test_drift_changes_the_share_of_notes_that_support():
    for_before = against_before = for_after = against_after = 0
    for story in opinions.stories("drifting", count=20):
        (change,) = story.changes
        for_before += sum(note.day < change for note in told(story, FOR))
        for_after += sum(note.day >= change for note in told(story, FOR))
        against_before += sum(note.day < change for note in told(story, AGAINST))
        against_after += sum(note.day >= change for note in told(story, AGAINST))
    assert for_before / (for_before + against_before) > 0.7
    assert for_after / (for_after + against_after) < 0.3


def test_noise_is_about_one_note_in_five():
    stories = opinions.stories("noisy", count=40)
    against = sum(len(told(story, AGAINST)) for story in stories)
    held = sum(len(told(story, FOR)) for story in stories)
    assert 0.15 < against / (against + held) < 0.25
    assert not any(story.changes for story in stories)


def test_repetition_is_one_text_twenty_times_in_ten_days():
    for story in opinions.stories("repetition"):
        copies = told(story, AGAINST)
        assert len(copies) == 20
        assert len({note.text for note in copies}) == 1
        assert (copies[-1].day - copies[0].day).days == 9


def test_stories_are_written_as_logs_that_read_back(tmp_path):
    stories = opinions.stories("noisy", count=2)
    opinions.write(stories, tmp_path / "notes")
    with memlab.open(tmp_path / "notes") as workspace:
        facts = workspace.facts()
        assert workspace.status()["troubles"] == []
    held = facts[facts["kind"] == "opinion"]
    assert dict(zip(held["content"], held["confidence"], strict=True)) == {
        story.statement: opinions.PRIOR for story in stories
    }
    assert len(facts) == 2 + sum(len(story.notes) for story in stories)


def test_what_cannot_be_told_is_refused():
    with pytest.raises(UnknownNameError, match="Known: drifting, flipping"):
        opinions.stories("boring")
    with pytest.raises(ParameterError, match="at least 1, got 0"):
        opinions.stories("stable", count=0)
