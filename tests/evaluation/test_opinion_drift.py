"""Opinions under change: each measure by hand, and two runs alike."""

import datetime as dt
import math

import pytest

from memlab.errors import ParameterError, UnknownNameError
from memlab.evaluation import drift_forms, drift_measures
from memlab.evaluation.opinion_drift import MEASURES, compare, keep
from memlab.opinions import Label, fold
from memlab.opinions.small import Small
from memlab.registry import make
from memlab.synth import opinions
from memlab.synth.opinions import START, Note, Story

FOR, AGAINST = Label.SUPPORTS, Label.CONTRADICTS
WORDS = ("tea", "ferry", "bread", "kiln", "rope", "lamp", "mast", "tide")


def day(number):
    return START + dt.timedelta(days=number)


def story(*labels, changes=(), every=5):
    """One note in so many days, each in words of its own."""
    notes = tuple(
        Note(day(every * number), f"Peter {WORDS[number % 8]} {number} {label}", label)
        for number, label in enumerate(labels, start=1)
    )
    return Story("trial", 0, "Peter", "Peter likes tea", notes, tuple(map(day, changes)))


def folded(one):
    return fold(opinions.PRIOR, drift_forms.given(one), Small())


def delays(one):
    return list(drift_measures.delays_of(one, folded(one), drift_forms.given(one)))


def test_a_delay_counts_the_events_and_days_from_the_change_to_the_belief():
    # .7 → .61 → .31: the second note against is strong and repeated, on day 15
    one = story(FOR, AGAINST, AGAINST, changes=[6])
    steps = [0.7 + 0.05 * 0.9, 0.745 - 0.1 * 0.9, 0.655 - 0.3]
    assert [step.after for step in folded(one).steps] == pytest.approx(steps)
    assert delays(one) == [(2, 15 - 6)]


def test_a_change_that_is_never_believed_has_no_delay():
    assert delays(story(FOR, FOR, FOR, changes=[6])) == [None]


def test_a_change_must_be_believed_before_the_next():
    one = story(FOR, AGAINST, AGAINST, FOR, changes=[6, 12])
    assert delays(one) == [None, (0, 0)]


def test_copies_are_one_event_of_a_delay():
    again = Note(day(11), "Peter ferry 2 contradicts", AGAINST)
    one = story(FOR, AGAINST, AGAINST, changes=[6])
    one = Story(
        "trial", 0, "Peter", one.statement, (*one.notes[:2], again, one.notes[2]), (day(6),)
    )
    assert delays(one) == [(2, 9)]


def test_a_false_flip_is_a_turn_to_the_wrong_side_without_a_change():
    turned = (AGAINST, AGAINST, FOR, FOR, AGAINST, AGAINST)
    assert drift_measures.false_flips(story(*turned), folded(story(*turned))) == 2
    true = story(FOR, AGAINST, AGAINST, changes=[6])
    assert drift_measures.false_flips(true, folded(true)) == 0


def test_at_a_half_neither_side_is_believed():
    assert not drift_measures.is_right(story(FOR), fold(0.5, [], Small()), day(1))


def test_a_naive_fold_takes_events_as_they_come_and_copies_as_events():
    one = story(FOR, AGAINST, AGAINST)
    first, *against = drift_forms.given(one)
    rule = Small()
    late = drift_measures.arrival(0.7, [*against, first], rule)
    # .61, .31, and .31 + .1 * .9 for what now comes last and goes against what is held
    assert late == pytest.approx(0.7 - 0.09 - 0.3 + 0.09)
    assert fold(0.7, [*against, first], rule) == fold(0.7, [first, *against], rule)
    assert drift_measures.arrival(0.7, [first] * 3, rule) == pytest.approx(0.7 + 3 * 0.045)


def test_the_order_of_arrival_moves_a_naive_fold_alone():
    events = [drift_forms.given(one) for one in opinions.stories("repetition", count=3)]
    found = drift_measures.order(events, make("updater", "small"), seed=1)
    assert found["spread"] == 0
    assert found["spread_arrival"] > 0.3


@pytest.mark.parametrize("updater", ["small", "log-odds"])
def test_a_flip_is_believed_within_three_events_that_tell_of_it(updater):
    for one in opinions.stories("flipping", count=25, seed=3):
        events = drift_forms.given(one)
        trajectory = fold(opinions.PRIOR, events, make("updater", updater))
        found = list(drift_measures.delays_of(one, trajectory, events))
        assert len(found) == 2
        assert all(delay is not None and delay[0] <= 3 for delay in found)


def test_agreement_is_the_share_of_stances_as_meant():
    told = opinions.stories("flipping", count=2)
    assert drift_measures.agreement(told, [drift_forms.given(one) for one in told]) == 1
    judged = drift_forms.judged(told, {"rules": make("stance", "rules")})["rules"]
    assert [len(events) for events in judged] == [len(one.notes) for one in told]
    assert 0.5 < drift_measures.agreement(told, judged) < 1


def test_calibration_is_the_mean_squared_error():
    pytest.importorskip("sklearn", reason="needs extra 'embeddings'")
    error = drift_measures.brier([True, False], [0.8, 0.4])
    assert error == pytest.approx((0.2**2 + 0.4**2) / 2)


@pytest.fixture(scope="module")
def drift():
    pytest.importorskip("sklearn", reason="needs extra 'embeddings'")
    return compare(["stable", "flipping"], ["small", "log-odds"], stories=2, seed=5)


def test_every_scenario_form_and_updater_has_a_row(drift):
    assert list(drift.measures.columns) == list(MEASURES)
    assert len(drift.measures) == 2 * 3 * 2
    given = drift.measures[drift.measures["form"] == "given"].set_index(["scenario", "updater"])
    assert given.loc[("flipping", "small"), "changes"] == 2 * 2
    assert given.loc[("flipping", "small"), "not_believed"] == 0
    assert given.loc[("flipping", "small"), "delay_events"] <= 3
    assert math.isnan(given.loc[("stable", "small"), "delay_events"])
    assert given["spread"].max() == 0
    assert len(drift.curves) == len(drift.measures) * 2 * opinions.DAYS
    wide = drift.wide("brier")
    assert list(wide.columns) == ["given", "rules", "reflect"]
    assert drift.overall().loc[("given", "small"), "not_believed"] == 0


def test_reflect_keeps_the_ledgers_that_the_detector_gives():
    """Its own choice of facts apart, the real thing is the detector and the updater."""
    told = opinions.stories("flipping", count=3, seed=2)
    kept = drift_forms.reflected(told, ["small"], "rules")["small"]
    judged = drift_forms.judged(told, {"rules": make("stance", "rules")})["rules"]
    assert len(kept) == 3
    for story, ledger, events in zip(told, kept, judged, strict=True):
        alone = fold(opinions.PRIOR, events, Small())
        assert len(ledger.steps) > 10
        apart = [abs(ledger.at(day) - alone.at(day)) for day in story.days]
        assert sum(apart) / len(apart) < 0.1


def test_two_runs_leave_the_same_bytes(drift, tmp_path):
    pytest.importorskip("pyarrow", reason="needs extra 'eval'")
    pytest.importorskip("matplotlib", reason="needs extra 'notebooks'")
    again = compare(["stable", "flipping"], ["small", "log-odds"], stories=2, seed=5)
    for name, one in (("one", drift), ("two", again)):
        keep(tmp_path / name, one.plots(), measures=one.measures, curves=one.curves)
    names = sorted(file.name for file in (tmp_path / "one").iterdir())
    assert names == [
        "changes.svg", "curves.parquet", "measures.parquet", "order.svg", "reliability.svg",
        "trajectories.svg",
    ]  # fmt: skip
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_what_cannot_be_compared_is_refused():
    pytest.importorskip("sklearn", reason="needs extra 'embeddings'")
    with pytest.raises(ParameterError, match="at least one scenario"):
        compare([])
    with pytest.raises(UnknownNameError, match="updater"):
        compare(["stable"], ["bold"])
