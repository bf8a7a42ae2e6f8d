import datetime as dt
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.tokens import Reader, fold
from memlab.types import TimeRange
from memlab.workspace import vocabulary
from memlab.workspace.dates import find, find_all, normal, since_day

WRITTEN = dt.date(2025, 11, 27)  # a Thursday
NOW = dt.datetime(2025, 11, 27, 0, 30, tzinfo=dt.timezone(dt.timedelta(hours=1)))


def days(first, last=None):
    return TimeRange(dt.date.fromisoformat(first), dt.date.fromisoformat(last or first))


@pytest.mark.parametrize(
    ("text", "range_"),
    [
        ("on 2025-11-03 it rained", days("2025-11-03")),
        ("13 July 2024", days("2024-07-13")),
        ("July 13, 2024", days("2024-07-13")),
        ("July 13th, 2024", days("2024-07-13")),
        ("the 3rd of November 2025", days("2025-11-03")),
        ("Nov 3", days("2025-11-03")),
        ("Jan 5", days("2026-01-05")),
        ("den 3. november 2025", days("2025-11-03")),
        ("3/11/2025", days("2025-11-03")),
        ("11/27/2025", days("2025-11-27")),
        ("3.11.2025", days("2025-11-03")),
        ("July 2024", days("2024-07-01", "2024-07-31")),
        ("2024-02", days("2024-02-01", "2024-02-29")),
        ("in 2023", days("2023-01-01", "2023-12-31")),
        ("November 27 to 30, 2025", days("2025-11-27", "2025-11-30")),
        ("5-19 January 2026", days("2026-01-05", "2026-01-19")),
        ("from 2025-11-27 to 2025-12-01", days("2025-11-27", "2025-12-01")),
        ("ngày 3 tháng 11 năm 2025", days("2025-11-03")),
        ("3 نومبر 2025", days("2025-11-03")),
        ("13 July 1869", days("1869-07-13")),
        ("March 1842", days("1842-03-01", "1842-03-31")),
        ("۳ نومبر ۲۰۲۵", days("2025-11-03")),
        ("နိုဝင်ဘာလ ၃ ရက်", days("2025-11-03")),
    ],
)
def test_days_and_ranges_are_read(text, range_):
    assert find(text, WRITTEN) == range_


@pytest.mark.parametrize(
    ("text", "range_"),
    [
        ("yesterday", days("2025-11-26")),
        ("tomorrow", days("2025-11-28")),
        ("3 days ago", days("2025-11-24")),
        ("in 2 weeks", days("2025-12-11")),
        ("last month", days("2025-10-01", "2025-10-31")),
        ("last week", days("2025-11-17", "2025-11-23")),
        ("last year", days("2024-01-01", "2024-12-31")),
        ("i går", days("2025-11-26")),
        ("i forgårs", days("2025-11-25")),
        ("hôm qua", days("2025-11-26")),
        ("گزشتہ کل", days("2025-11-26")),
        ("မနေ့က", days("2025-11-26")),
        ("last Monday", days("2025-11-24")),
    ],
)
def test_relative_days_are_read_against_the_day_of_writing(text, range_):
    assert find(text, WRITTEN) == range_
    assert find(text, None) is None


@pytest.mark.parametrize(
    "text",
    ["port 9077", "port 2025", "version 2.11.2025", "v10.11.2024", "room 1984", "412 km", "",
     "31 Feb 2025", "2025-13-01", "#2025-114", "invoice 2025-115", "at 13:20", "we march on",
     "10.0.11.2025", "it may 5%"],
)  # fmt: skip
def test_what_is_no_date_stays_what_it_is(text):
    assert find(text, WRITTEN) is None


def test_a_year_is_the_nearest_one_to_the_day_of_writing():
    assert find("Dec 30", dt.date(2026, 1, 2)) == days("2025-12-30")
    assert find("Jan 2", dt.date(2025, 12, 30)) == days("2026-01-02")
    assert find("29 Feb", dt.date(2024, 3, 1)) == days("2024-02-29")


def test_all_dates_come_in_order():
    found = find_all("2025-11-03, yesterday, and Nov 20", WRITTEN)
    assert [one.range for one in found] == [
        days("2025-11-03"), days("2025-11-26"), days("2025-11-20"),
    ]  # fmt: skip


@given(st.dates(dt.date(1900, 1, 1), dt.date(2099, 12, 31)))
def test_a_date_in_iso_form_or_in_words_is_that_very_day(day):
    assert find(f"on {day.isoformat()},", None) == TimeRange.day(day)
    assert find(f"on {day.day} {day:%B} {day.year},", None) == TimeRange.day(day)


@given(st.text(), st.none() | st.dates())
def test_any_text_can_be_searched(text, day):
    assert all(one.start < one.end for one in find_all(text, day))


def test_a_digit_that_python_does_not_know_yet_is_none():
    assert find_all("\U00011bf0 Nov 3", WRITTEN)[0].range == days("2025-11-03")


@given(st.integers(0, 99_999), st.sampled_from("dwmy"), st.dates())
def test_any_span_before_any_day_is_a_day_or_an_honest_error(count, unit, day):
    now = dt.datetime.combine(day, dt.time(), dt.UTC)
    try:
        found = since_day(f"{count}{unit}", now)
    except OverflowError:
        assert count * {"d": 1, "w": 7, "m": 31, "y": 366}[unit] > (day - dt.date.min).days - 366
    else:
        assert found <= day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("30d", dt.date(2025, 10, 28)),  # 27 November less 27 days is 31 October, less 3 more
        ("2w", dt.date(2025, 11, 13)),
        ("6m", dt.date(2025, 5, 27)),
        ("1y", dt.date(2024, 11, 27)),
        ("2025-11-03", dt.date(2025, 11, 3)),
        ("yesterday", dt.date(2025, 11, 26)),
        ("Nov 2025", dt.date(2025, 11, 1)),
    ],
)
def test_since_counts_from_the_local_day(text, day):
    assert since_day(text, NOW) == day


def test_since_refuses_what_is_no_day():
    with pytest.raises(ValueError, match="'soon' is no day; write 2025-11-27, 30d"):
        since_day("soon", NOW)


_words = st.sampled_from(
    ["nov", "9", "Nov", "November", "the", "27", "3rd", "2025", "1999,", "-", "–", "to", "of", "(5",
     "2025-11-27", "11/27/2025", "9077", "v2.0", "yesterday", "sidste", "uge", "i", "dag", "days",
     "ago", "næste", "tháng", "11", "ngày", "နိုဝင်ဘာ", "၂၇", "ရက်", "နှစ်", "۳", "نومبر", "may", "x_nov",
     "nov.", "2\u201011\u20102025", "½", "٢٧", "sept", "in", "MÄRZ"]
)  # fmt: skip
_texts = st.lists(st.tuples(_words, st.sampled_from(["", " ", " ", "\u00a0"])).map("".join)).map(
    "".join
)


@given(_texts)
def test_a_text_that_names_a_day_looks_as_if_it_may(text):
    _, signs = Reader(vocabulary.signs).read(text)
    assert vocabulary.Hints(signs).any() or not find_all(text, WRITTEN)


@pytest.mark.parametrize("text", ["port 9077", "ten days", "he may come", "", "12 eggs"])
def test_a_text_without_signs_of_a_day_need_not_be_looked_at(text):
    _, signs = Reader(vocabulary.signs).read(text)
    assert not vocabulary.Hints(signs).any()


@given(_texts)
def test_months_are_marked_letter_by_letter(text):
    folded = normal(text)
    marked = vocabulary.mark_months(folded)
    assert len(marked) == len(folded)
    for run in re.finditer(f"{vocabulary.ANY_MONTH}+", marked):
        name = folded[run.start() : run.end()]
        assert vocabulary.month_of(run[0]) == vocabulary.months()[name]
        assert all(char == run[0][0] for char in run[0])
    rest = [(a, b) for a, b in zip(marked, folded, strict=True) if a != b]
    assert all(re.match(vocabulary.ANY_MONTH, a) for a, _ in rest)


@pytest.mark.parametrize("text", ["november", "nov 3", "3.nov.", "x_nov", "tháng 11", "نومبر"])
def test_a_name_of_a_month_is_marked(text):
    assert re.search(vocabulary.ANY_MONTH, vocabulary.mark_months(fold(text)))


@pytest.mark.parametrize("text", ["novel", "3nov", "nov\u0301", "\u0301nov", "maybe", "sepp"])
def test_a_part_of_a_word_is_no_month(text):
    assert vocabulary.mark_months(text) == text


def test_a_month_that_is_another_word_too_is_not_clear():
    marked = vocabulary.mark_months("may nov november")
    assert re.fullmatch(f"(?!{vocabulary.CLEAR_MONTH}).{{7}} {vocabulary.CLEAR_MONTH}{{8}}", marked)
