import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.tokens import Reader
from memlab.workspace import dates, times, vocabulary
from memlab.workspace.windows import shown

WRITTEN = dt.date(2025, 11, 27)


def read(text, day=None):
    """The first time of a text, then its others, as `shown` writes them."""
    hints = vocabulary.Hints(Reader(vocabulary.signs).read(text)[1])
    first, others = times.read(text, day, hints)
    return first and shown(first), list(map(shown, others))


YEARS = {
    "He played here from 1998 to 2001, there until 2004.": "1998-01-01/2001-12-31 ../2004-12-31",
    "Hermann Gröhe (1989–1994)": "1989-01-01/1994-12-31",
    "Hermann Gröhe ( 1989 – 1994 )": "1989-01-01/1994-12-31",
    "1979–1982: Lennart Carleson": "1979-01-01/1982-12-31",
    "- 1966: Stig Norén": "1966-01-01/1966-12-31",
    "the 1998-99 season": "1998-01-01/1999-12-31",
    "he scored twice, 1999–00": "1999-01-01/2000-12-31",
    "from 1914-18 on": "1914-01-01/1918-12-31",
    "chair 1996–present": "1996-01-01/..",
    "(London, 1999)": "1999-01-01/1999-12-31",
    "the early 1980s": "1980-01-01/1983-05-02",
    "after 2004": "2005-01-01/..",
    "born in 1869": "1869-01-01/1869-12-31",
    "the year 2012 and 2013": "2012-01-01/2012-12-31 2013-01-01/2013-12-31",
}


@pytest.mark.parametrize(("text", "others"), YEARS.items())
def test_a_year_is_a_time_where_something_beside_it_says_so(text, others):
    assert read(text) == (None, others.split())


@pytest.mark.parametrize(
    "text",
    ["port 9077", "port 2025", "ports 1024 and 2048 steps", "v2.0.1", "version 2.11.2025",
     "room 1984", "$2,025", "€2025", "#2025-114", "20251120", "192.168.1.20", "2025", "1984 bolts",
     "the 1500 m", "to 2000 kr", "about 2000 euro", "1500-2000 users",
     "https://x.org/2025/11/20/a", "31 Feb 2025", "a-2025", "2025.11.20.4", "5 of 9700s", "10:2025",
     "by 1999.5", "in 2025-13", "12 1998"],
)  # fmt: skip
def test_a_number_is_no_time_where_nothing_says_so(text):
    assert read(text) == (None, [])


def test_a_day_is_that_day_only():
    assert read("13 July 2024", WRITTEN) == ("2024-07-13/2024-07-13", [])


def test_all_dates_are_kept_with_the_words_beside_them():
    text = "Tea on 2025-11-03, again yesterday; none since Nov 20, or until December 5."
    assert read(text, WRITTEN) == (
        "2025-11-03/2025-11-03", ["2025-11-26/2025-11-26", "2025-11-20/..", "../2025-12-05"],
    )  # fmt: skip
    between = "from Jan 1990 to Feb 1992, since Nov 20 until Dec 5, and in 2019 or 2020"
    assert read(between, WRITTEN) == (
        "1990-01-01/1992-02-29",
        ["2025-11-20/2025-12-05", "2019-01-01/2019-12-31", "2020-01-01/2020-12-31"],
    )


def test_the_first_time_is_open_among_the_others():
    assert read("booked since Nov 20", WRITTEN) == ("2025-11-20/2025-11-20", ["2025-11-20/.."])


def test_only_so_many_are_kept():
    text = ", ".join(f"in {year}" for year in range(1900, 2000))
    first, others = read(text)
    assert first == "1900-01-01/1900-12-31"
    assert len(others) == times.MOST
    assert others[-1] == "1932-01-01/1932-12-31"


_words = st.sampled_from(
    "he she from to in since until before 1998 2001 1869 (1989-1994) 1998–99 1980s the early and "
    "between Nov 3 27, yesterday 2025-11-27 2024/25 – - port v2.0 11/27/2025 31 Feb sidste uge năm "
    "နိုဝင်ဘာ ၂၇ ရက် 1999, 99 present s ) (".split()
)
_texts = st.lists(_words, max_size=9).map(" ".join)


@given(_texts, st.none() | st.dates(dt.date(1800, 1, 1)))
def test_the_first_time_is_that_of_dates(text, day):
    hints = vocabulary.Hints(Reader(vocabulary.signs).read(text)[1])
    first, others = times.read(text, day, hints)
    assert first == dates.find(text, day)
    assert first not in others
    assert len(set(others)) == len(others)
    assert times.read(text, day, vocabulary.Hints(-1)) == (first, others)  # hints hide nothing


@given(st.text(), st.none() | st.dates())
def test_any_text_can_be_read(text, day):
    times.read(text, day, vocabulary.Hints(-1))
