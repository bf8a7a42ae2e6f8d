"""More, less and nothing, as texts say them."""

import pytest

from memlab.opinions.directions import compare, direction


@pytest.mark.parametrize(
    ("text", "up", "down"),
    [
        ("Aspirin increases the risk of bleeding", 2, 0),
        ("Aspirin reduced mortality and lowers fever", 0, 2),
        ("Higher doses suppress growth", 2, 1),
        ("Peter lives in Paris", 0, 0),
    ],
)
def test_words_of_more_and_of_less_are_counted_in_any_form(text, up, down):
    found = direction(text)
    assert (found.up, found.down) == (up, down)


def test_ratios_above_and_below_one_are_told_apart():
    assert direction("lower death rate (OR, 0.73 [95% CI, 0.54 to 0.98])").ratios == -1
    assert direction("an odds ratio of 1.24, and a hazard ratio of 1·4").ratios == 2
    assert direction("two or 3 of them").ratios == 0


def test_what_finds_nothing_is_counted():
    assert direction("There was no significant difference; groups were similar").nothing == 2
    assert direction("There was a difference").nothing == 0


def test_denials_have_no_scope_here():
    assert direction("It doesn't help").denied
    assert direction("Unlikely to help").denied
    assert not direction("It helps").denied


def test_both_texts_are_compared():
    same = compare("Tea increases sleep", "Sleep was enhanced by tea")
    other = compare("Tea increases sleep", "Tea shortens sleep")
    assert (same["one way"], other["one way"]) == (1, -1)
    denied = compare("Tea does not increase sleep", "Sleep was enhanced by tea")
    assert (denied["one way"], denied["one way, denials counted"]) == (1, -1)
    assert compare("Tea increases sleep", "Sleep was unchanged")["nothing found, but stated"] == 1
    assert compare("Tea increases risk", "RR 0.8 in drinkers of tea")["ratio"] == -1
    assert compare("Tea grows, climbs, soars, surges", "It grows")["one way, by how much"] == 2 * 1
