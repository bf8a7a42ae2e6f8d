"""What the rules say of everyday notes, and why."""

import pytest

from memlab.errors import ParameterError
from memlab.opinions import Label, Stance
from memlab.opinions.reading import clauses, numbers_agree
from memlab.opinions.rules import Rules, votes
from memlab.registry import make

SHORT = "Peter prefers concise replies (<1500 chars) on WhatsApp"
TEA = "Peter likes tea"
UNDER = "Peter prefers replies under 1500 characters"


def stance(statement, evidence):
    (found,) = Rules().judge([(statement, evidence)])
    return found


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        (SHORT, "Asked again for short replies on WhatsApp"),
        ("Peter likes coffee", "Peter switched from tea to coffee"),
        ("Peter prefers coffee", "Peter ordered coffee instead of tea"),
        ("Peter prefers tea over coffee", "Peter prefers tea to coffee"),
        ("Peter hates meetings", "Peter avoids meetings"),
        ("Peter lives in Paris", "Peter lives in Paris, near the canal"),
        (UNDER, "Peter wants replies of 800 characters"),
        ("The team uses version 3 of the API", "The deploy ran on version 3 of the API"),
        ("Lan thích cà phê", "Lan rất thích cà phê"),
    ],
)
def test_this_supports(statement, evidence):
    assert stance(statement, evidence).label is Label.SUPPORTS


@pytest.mark.parametrize(
    ("statement", "evidence", "cue"),
    [
        (TEA, "Peter does not like tea", "not"),
        (TEA, "Peter hates tea", "like / hate"),
        (TEA, "Peter no longer drinks tea", "no longer"),
        (TEA, "Peter switched from tea to coffee", "from … to"),
        (TEA, "Peter gave up tea; he drinks water", "gave up"),
        (SHORT, "Peter asked for long, detailed replies on WhatsApp", "concis / detail"),
        ("Peter prefers tea", "Peter ordered coffee instead of tea", "instead of"),
        ("Peter prefers tea to coffee", "Peter prefers coffee to tea", "prefers … to"),
        ("Peter hates meetings", "Peter really enjoys meetings now", "hate / enjoy"),
        ("Peter likes working from home", "Peter can't stand working from home", "can't stand"),
        (UNDER, "Peter wants replies of 3000 characters", "other numbers"),
        ("Anna drinks two cups a day", "Anna drinks 5 cups a day", "other numbers"),
        ("Peter lives in Paris", "Peter moved to Berlin", "another place"),
        ("Peter lives in Paris", "Peter lives in Berlin now", "another place"),
        ("Anna works at Maersk", "Anna works for the harbour office", "another place"),
        ("Peter drikker kaffe", "Peter drikker ikke længere kaffe", "ikke længere"),
        ("Peter dricker kaffe", "Peter dricker inte kaffe", "inte"),
        ("Peter trinkt Kaffee", "Peter trinkt keinen Kaffee", "keinen"),
        ("Peter drinkt koffie", "Peter drinkt niet meer koffie", "niet meer"),
        ("Marie boit du café", "Marie ne boit plus de café", "ne"),
        ("Ana bebe café", "Ana ya no bebe café", "ya no"),
        ("Lan thích cà phê", "Lan không thích cà phê", "không"),
        ("علی چائے پیتا ہے", "علی چائے نہیں پیتا", "نہیں"),
        ("ကိုကို ကော်ဖီ ကြိုက်တယ်", "ကိုကို ကော်ဖီ မကြိုက်ဘူး", "မ…ဘူး"),
    ],
)
def test_this_contradicts_and_says_why(statement, evidence, cue):
    found = stance(statement, evidence)
    assert found.label is Label.CONTRADICTS
    assert cue in found.why


@pytest.mark.parametrize(
    "evidence", ["The ferry leaves at noon", "Peter repaired the fence", "", "12", "—"]
)
def test_what_has_little_in_common_is_neutral(evidence):
    assert stance(TEA, evidence).label is Label.NEUTRAL


def test_the_clause_that_speaks_of_it_decides():
    evidence = "Peter does not like coffee, but he likes tea"
    assert stance(TEA, evidence).label is Label.SUPPORTS
    assert stance("Peter likes coffee", evidence).label is Label.CONTRADICTS


def test_a_score_grows_with_what_is_shared():
    # peter, like and tea are all there: .35 + .6 * 3/3
    assert stance(TEA, "Peter likes tea").supports == pytest.approx(0.35 + 0.6 * 3 / 3)
    # peter and like alone: weak support
    part = stance("Peter likes long walks", "Peter likes coffee")
    assert part.supports == pytest.approx(0.35 + 0.6 * 2 / 4)
    # peter and tea of peter, drink, tea: .5 + .5 * 2/3; the rest goes to contradicts by a quarter
    found = stance(TEA, "Peter no longer drinks tea")
    assert found.contradicts == pytest.approx(0.5 + 0.5 * 2 / 3)
    assert found.supports == pytest.approx((1 - found.contradicts) / 4)


def test_votes_are_counted_word_by_word():
    held, said = clauses("Peter likes tea")[0], clauses("Peter does not like tea")[0]
    # peter stands before the negation; like and tea stand behind it
    assert said.signs == {"peter": 1, "like": -1, "tea": -1}
    assert votes(held, said).total == -2 - 2
    assert votes(said, said).total == 1 + 1


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ("under 1500 chars", "800 chars", True),
        ("under 1500 chars", "3,000 chars", False),
        ("at least 3 cups", "up to 5 cups", True),
        ("3 cups", "3 spoons", None),
        ("two cups", "2 cups", True),
        ("version 1.2.3 chars", "version 2 chars", None),
        ("20%", "30%", False),
    ],
)
def test_numbers_of_one_unit_are_compared(one, other, agree):
    assert numbers_agree(clauses(one)[0], clauses(other)[0]) is agree


def test_a_stance_has_a_label_a_side_and_a_score():
    assert (Stance(0.6, 0.3).label, Stance(0.6, 0.3).score) == (Label.SUPPORTS, 0.6)
    neutral = Stance(0.2, 0.3)
    assert (neutral.label, neutral.side) == (Label.NEUTRAL, Label.CONTRADICTS)
    assert neutral.score == pytest.approx(1 - 0.2 - 0.3)
    assert Stance(0.5, 0.5).label is Label.NEUTRAL
    with pytest.raises(ParameterError, match="no stance"):
        Stance(0.8, 0.3)


def test_a_threshold_outside_the_unit_is_refused():
    assert make("stance", "rules(near=0.5)") == Rules(near=0.5)
    with pytest.raises(ParameterError, match="near must lie in 0 to 1"):
        make("stance", "rules(near=2)")
