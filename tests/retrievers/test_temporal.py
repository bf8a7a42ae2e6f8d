import datetime as dt

import numpy as np
import pytest

import memlab
from memlab import registry
from memlab.errors import MemlabError
from memlab.types import Kind, Query

NOTES = {
    "memory/2025-10-10.md": "- The move to the new flat took all day.\n- Tea at noon.\n",
    "memory/2025-11-03.md": "- The glue held for an hour.\n- Tea with Ada.\n",
    "memory/2025-11-20.md": "- The glue let go at once.\n- Ada is in Graz from Nov 24 to Nov 30.\n",
    "memory/2025-11-26.md": "- Tea with Bo.\n- The dentist is booked for 2025-12-04.\n",
    "memory/2025-11-27.md": "- Tea, and a letter from Ada.\n",
    "memory.md": "Ada likes tea.\n",
}


@pytest.fixture
def workspace(pages):
    with memlab.open(pages(NOTES), now="2025-11-30", timezone="UTC") as opened:
        yield opened


def search(workspace, text, spec="temporal", now=None, **filters):
    corpus = workspace.corpus()
    index = registry.make("retriever", spec).index(corpus)
    run = index.search(Query(text, workspace.now(now), **filters), depth=100)
    found = [fact.content for fact in corpus.facts(run.rows)]
    return dict(zip(found, run.scores.tolist(), strict=True))


def reads(workspace, text):
    index = registry.make("retriever", "temporal").index(workspace.corpus())
    return index.read(Query(text, workspace.now()))


def test_nearness_is_one_less_the_distance_of_the_middles_over_the_mean_width(workspace):
    """Around Nov 27: 24 to 30, its middle 27, 7 days wide."""
    found = search(workspace, "around Nov 27", "temporal(words=0.0, floor=0.0)")
    assert found == {
        "Tea, and a letter from Ada.": pytest.approx(1.0),  # Nov 27 itself
        "Ada is in Graz from Nov 24 to Nov 30.": pytest.approx(1.0),  # the very same days
        "Tea with Bo.": pytest.approx(1 - 1 / ((1 + 7) / 2)),  # one day from the middle
        # noted in the window, and speaks of another day
        "The dentist is booked for 2025-12-04.": pytest.approx(0.5),
    }


def test_the_floor_is_what_the_edge_gets(workspace):
    found = search(workspace, "around Nov 27", "temporal(words=0.0, floor=0.6)")
    assert found["Tea with Bo."] == pytest.approx(0.6 + 0.4 * 0.75)


def test_a_filter_counts_all_of_the_window_alike_so_that_words_rank(workspace):
    found = search(workspace, "Bo around Nov 27", "temporal(mode='filter', words=0.5)")
    assert next(iter(found)) == "Tea with Bo."
    assert found["Tea, and a letter from Ada."] == found["Ada is in Graz from Nov 24 to Nov 30."]


def test_a_fact_counts_by_its_own_range_and_not_by_its_day_alone(workspace):
    assert "Ada is in Graz from Nov 24 to Nov 30." in search(workspace, "on Nov 28")
    assert list(search(workspace, "Where is the dentist on 2025-12-04?")) == [
        "The dentist is booked for 2025-12-04."
    ]


def test_open_ends(workspace):
    assert list(search(workspace, "tea since Nov 26")) == [
        "Tea with Bo.", "Tea, and a letter from Ada.", "The dentist is booked for 2025-12-04.",
        "Ada is in Graz from Nov 24 to Nov 30.",
    ]  # fmt: skip
    assert set(search(workspace, "before November")) == {
        "The move to the new flat took all day.", "Tea at noon.",
    }  # fmt: skip


def test_the_clock_decides(workspace):
    assert next(iter(search(workspace, "tea yesterday", now="2025-11-28"))).startswith("Tea, and")
    # two days from the middle of a week; the week covers the day, and is a seventh inside it
    fit = max(1 - 2 / 4, (1 + 1 / 7) / 2)
    assert search(workspace, "tea yesterday", now="2025-11-30") == {
        "Ada is in Graz from Nov 24 to Nov 30.": pytest.approx(0.15 * (0.2 + 0.8 * fit), abs=1e-5)
    }


def test_the_last_time_is_the_newest_of_what_matches(workspace):
    assert list(search(workspace, "the last time we tried the glue")) == [
        "The glue let go at once.", "The glue held for an hour.",
    ]  # fmt: skip
    assert next(iter(search(workspace, "the first time we tried the glue"))) == (
        "The glue held for an hour."
    )


def test_an_event_bounds_the_window_by_its_day(workspace):
    after = list(search(workspace, "When was there tea after the move?"))
    assert all("Tea" in fact for fact in after[:4])
    assert len(after) == 9  # all that has a day, that of the move among them
    assert search(workspace, "What was there before the move?") == {}
    assert set(search(workspace, "tea during the move")) == {
        "Tea at noon.", "The move to the new flat took all day.",
    }  # fmt: skip


def test_an_event_that_no_fact_tells_of_bounds_nothing(workspace):
    assert search(workspace, "tea before the earthquake") == {}


@pytest.mark.parametrize(("rest", "dated"), [(9, True), (10, False)])
def test_a_kind_of_event_that_many_facts_speak_of_has_no_day(pages, rest, dated):
    """The flood is dated once; nine facts more, without a day, may speak of it, and ten not."""
    lines = [f"- The flood rose {n} times." for n in range(rest)]
    notes = {"memory/2025-10-10.md": "- The flood came.\n", "bank/world.md": "\n".join(lines)}
    with memlab.open(pages(notes), now="2025-11-30") as opened:
        assert bool(search(opened, "What was there during the flood?")) is dated
        found = {"window": "2025-10-10/2025-10-10"} if dated else {}
        where = "memory/2025-10-10.md#L1" if dated else "not found"
        assert reads(opened, "What was there during the flood?") == {
            **found, "event": f"during: the flood ({where})",
        }  # fmt: skip


def test_half_of_the_words_of_an_event_date_it(workspace):
    assert search(workspace, "tea during the move to the new flat") != {}
    assert search(workspace, "tea during the move of Bo's piano to Graz by lorry") == {}


@pytest.mark.parametrize("text", ["", "tea", "What does Ada like?", "port 2025"])
def test_a_question_without_a_time_finds_nothing(workspace, text):
    assert search(workspace, text) == {}


def test_undated_facts_have_no_time(workspace):
    assert "Ada likes tea." not in search(workspace, "Ada's tea in the past year")


def test_other_languages(workspace):
    assert "Tea, and a letter from Ada." in search(workspace, "te omkring 27. november")
    assert "Tea with Bo." in search(workspace, "trà ngày 26 tháng 11 năm 2025")


def test_filters_bound_it(workspace):
    assert search(workspace, "around Nov 27", kinds=(Kind.WORLD,)) == {}


def test_what_was_read_is_told(workspace):
    assert reads(workspace, "on Nov 27") == {"window": "2025-11-27/2025-11-27"}
    assert reads(workspace, "since last week") == {"window": "2025-11-17/.."}
    assert reads(workspace, "before the move") == {
        "window": "../2025-10-09", "event": "before: the move (memory/2025-10-10.md#L1)",
    }  # fmt: skip
    assert reads(workspace, "before the earthquake") == {
        "event": "before: the earthquake (not found)"
    }
    assert reads(workspace, "tea") == {}


def test_the_window_is_there_for_others_to_filter_by(workspace):
    index = registry.make("retriever", "temporal").index(workspace.corpus())
    window = index.window(Query("on Nov 20 or Nov 27", workspace.now()))
    assert (window.start, window.end) == (dt.date(2025, 11, 20), dt.date(2025, 11, 27))
    assert index.window(Query("tea", workspace.now())) is None


LAST = "the last time that Ada called"
LIVES = {
    "memory/notes.md": """\
# Players

Ada Lovel played for Graz from 1998 to 2001, then for Linz until 2004.

Later she coached Wels (2006-2010).

She retired in 2012.

## Others

The stadium was built from 1900 to 1999, and again in Sep 2000.
""",
    "memory/2025-11-26.md": "- Ada Lovel called.\n",
}
GRAZ, WELS, RETIRED, STADIUM = (
    "Ada Lovel played for Graz from 1998 to 2001, then for Linz until 2004.",
    "Later she coached Wels (2006-2010).", "She retired in 2012.",
    "The stadium was built from 1900 to 1999, and again in Sep 2000.",
)  # fmt: skip


@pytest.fixture
def lives(pages):
    with memlab.open(pages(LIVES), now="2025-11-30", timezone="UTC") as opened:
        yield opened


def fit(lives, text):
    return search(lives, text, "temporal(words=0.0, floor=0.0)")


def test_every_time_that_a_fact_names_counts(lives):
    assert fit(lives, "from 1998 to 2001")[GRAZ] == 1
    assert GRAZ in fit(lives, "in 2003")
    assert list(fit(lives, "from 2006 to 2010")) == [WELS]


def test_the_time_that_fits_best_counts(lives):
    assert fit(lives, "in Sep 2000")[STADIUM] == 1
    year = 366
    covers = (30 / (4 * 365 + 1) + 1) / 2  # the month lies in the four years
    assert fit(lives, "in Sep 2000")[GRAZ] > covers
    part = (30 / year + 1) / 2  # the month of the fact in the year that is asked for
    assert fit(lives, "in 2000")[STADIUM] >= round(part, 5)


def test_a_long_time_that_covers_the_window_counts_less_than_a_short_one(lives):
    found = fit(lives, "in May 1999")
    assert found[GRAZ] > found[STADIUM] > 0.5
    assert found[STADIUM] == pytest.approx((1 + 31 / (100 * 365 + 24)) / 2, abs=1e-5)


def test_a_time_without_an_end_is_taken_to_last_twenty_years(lives):
    assert fit(lives, "in 2004")[GRAZ] == pytest.approx((1 + 366 / (20 * 365 + 1)) / 2, abs=1e-5)
    assert GRAZ not in fit(lives, "in 2005")


def test_where_the_window_is_open_the_share_inside_counts(lives):
    found = fit(lives, "since 2008")
    assert found[RETIRED] == 1
    inside = (dt.date(2010, 12, 31) - dt.date(2008, 1, 1)).days + 1
    assert found[WELS] == pytest.approx(inside / (5 * 365 + 1), abs=1e-5)


def test_further_times_date_no_fact(lives):
    """They say what it may be found by; its own time stays the one of the formats."""
    corpus = lives.corpus()
    whens = {
        fact.content: fact.when for fact in corpus.facts(corpus.select(Query("", lives.now())))
    }
    assert whens[GRAZ] is None
    assert str(whens[STADIUM]) == "2000-09-01/2000-09-30"
    assert str(whens[RETIRED]) == "2012-01-01/2012-12-31"


def test_what_stands_before_a_fact_in_its_section_tells_whom_it_is_about(lives):
    alone = search(lives, "Ada Lovel in 2008", "temporal(before=0)")
    near = search(lives, "Ada Lovel in 2008", "temporal(before=1)")
    # Ada's name stands in the fact before: half of the words' share of the score
    assert near[WELS] == pytest.approx(alone[WELS] * (0.15 + 0.85 / 2) / 0.15, rel=1e-3)
    far = search(lives, "Ada Lovel in 2012", "temporal(before=1)")
    assert search(lives, "Ada Lovel in 2012", "temporal(before=2)")[RETIRED] > far[RETIRED]
    other = [search(lives, "Ada in Sep 2000", f"temporal(before={n})")[STADIUM] for n in (0, 9)]
    assert other[0] == other[1]  # another section


def test_an_event_needs_the_words_of_the_fact_itself(workspace):
    text = "What did Ada do after the move?"
    assert search(workspace, text, "temporal(before=0)") == search(workspace, text)


@pytest.mark.parametrize(
    "text", ["Ada from 1998 to 2004", "Ada since 2008", "before Ada called", "tea", LAST]
)
def test_the_score_of_given_facts_is_what_a_search_gives_them(lives, text):
    index = registry.make("retriever", "temporal").index(lives.corpus())
    query = Query(text, lives.now())
    run = index.search(query, depth=100)
    rows = np.arange(len(lives.corpus().arrays["day"]))[::-1]
    scores = dict(zip(rows.tolist(), index.score(query, rows).round(5).tolist(), strict=True))
    found = dict(zip(run.rows.tolist(), run.scores.tolist(), strict=True))
    # the newest of something depends on what is found: others get nothing
    assert {row: score for row, score in scores.items() if score} == (found if text != LAST else {})


def test_parameters_have_bounds():
    with pytest.raises(MemlabError, match="before must be at least 0, got -1"):
        registry.make("retriever", "temporal(before=-1)")
    with pytest.raises(MemlabError, match="Known: filter, rank"):
        registry.make("retriever", "temporal(mode='guess')")
    with pytest.raises(MemlabError, match="words must lie in 0 to 1, got 2"):
        registry.make("retriever", "temporal(words=2)")
    with pytest.raises(MemlabError, match="floor must lie in 0 to 1, got -1"):
        registry.make("retriever", "temporal(floor=-1)")
