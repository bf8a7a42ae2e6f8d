import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.tokens import fold
from memlab.types import TimeRange
from memlab.workspace import event_forms, time_words, vocabulary, window_days, window_forms
from memlab.workspace.dates import find_all
from memlab.workspace.windows import Event, Reading, Relation, read, shown, topic

SUNDAY = dt.date(2025, 11, 30)


def windows(text, day=SUNDAY):
    return [shown(window) for window in read(text, day).windows]


@pytest.mark.parametrize(
    ("text", "window"),
    [
        # dates prefer the past
        ("What happened on Nov 27?", "2025-11-27/2025-11-27"),
        ("What happened on Nov 30?", "2025-11-30/2025-11-30"),
        ("What happened on Dec 3?", "2024-12-03/2024-12-03"),
        ("What happened on 3 December 2026?", "2026-12-03/2026-12-03"),
        ("what was true during Nov 2025", "2025-11-01/2025-11-30"),
        ("in November", "2025-11-01/2025-11-30"),
        ("in December", "2024-12-01/2024-12-31"),
        ("last November", "2024-11-01/2024-11-30"),
        ("next May", "2026-05-01/2026-05-31"),
        # around
        ("around Nov 27", "2025-11-24/2025-11-30"),
        ("around November 2025", "2025-10-17/2025-12-15"),
        # open ends
        ("since last week", "2025-11-17/.."),
        ("since 2019", "2019-01-01/.."),
        ("before 1999", "../1998-12-31"),
        ("until October 3, 2025", "../2025-10-03"),
        ("after Nov 3", "2025-11-04/.."),
        # units
        ("a couple of weeks ago", "2025-11-09/2025-11-16"),
        ("a few weeks ago", "2025-10-26/2025-11-16"),
        ("a couple of months ago", "2025-08-30/2025-09-30"),
        ("a week ago", "2025-11-21/2025-11-25"),
        ("three days ago", "2025-11-27/2025-11-27"),
        ("in the last 3 days", "2025-11-27/2025-11-30"),
        ("over the past month", "2025-10-30/2025-11-30"),
        ("yesterday", "2025-11-29/2025-11-29"),
        ("the day before yesterday", "2025-11-28/2025-11-28"),
        ("the day after tomorrow", "2025-12-02/2025-12-02"),
        ("last night", "2025-11-29/2025-11-29"),
        ("lately", "2025-11-16/2025-11-30"),
        # weeks and weekdays
        ("last week", "2025-11-17/2025-11-23"),
        ("the week before last", "2025-11-10/2025-11-16"),
        ("on Monday", "2025-11-24/2025-11-24"),
        ("on Sunday", "2025-11-23/2025-11-23"),
        ("the Sunday before last", "2025-11-16/2025-11-16"),
        ("Monday last week", "2025-11-17/2025-11-17"),
        ("the last week of October", "2025-10-25/2025-10-31"),
        ("on the 21st", "2025-11-21/2025-11-21"),
        # parts
        ("at the end of last week", "2025-11-21/2025-11-23"),
        ("early November", "2025-11-01/2025-11-10"),
        ("in the middle of October", "2025-10-12/2025-10-20"),
        ("last summer", "2025-06-01/2025-08-31"),
        ("since the start of autumn", "2025-09-01/.."),
        # before and after a date
        ("the week before August 3, 2023", "2023-07-27/2023-08-02"),
        ("two weeks before August 11, 2023", "2023-07-28/2023-07-29"),
        ("in the month after 3 March 2024", "2024-03-04/2024-04-02"),
        ("3 days after Nov 3", "2025-11-05/2025-11-06"),
        # years
        ("Who ran it in 1869?", "1869-01-01/1869-12-31"),
        ("in summer 2023", "2023-06-01/2023-08-31"),
        ("at the end of summer 2023", "2023-08-01/2023-08-31"),
        ("in the 1980s", "1980-01-01/1989-12-31"),
        ("in the early 1980s", "1980-01-01/1983-05-02"),
        ("the 1998-99 season", "1998-01-01/1999-12-31"),
        ("during the 2019 to 2020 season", "2019-01-01/2020-12-31"),
        ("from Oct 1898 to 1901", "1898-10-01/1901-12-31"),
        ("from 1346 to 1369", "1346-01-01/1369-12-31"),
        ("from 1740 to Jun 1858", "1740-01-01/1858-06-30"),
        # two ends
        ("from 2004 to 2005", "2004-01-01/2005-12-31"),
        ("from Jul 1912 to 2001", "1912-07-01/2001-12-31"),
        ("between January and March", "2025-01-01/2025-03-31"),
        ("from Nov 3 to Nov 9", "2025-11-03/2025-11-09"),
        # other languages
        ("Hvad skete der i mandags?", "2025-11-24/2025-11-24"),
        ("siden sidste uge", "2025-11-17/.."),
        ("omkring 27. november", "2025-11-24/2025-11-30"),
        ("for et par uger siden", "2025-11-09/2025-11-16"),
        ("từ tuần trước", "2025-11-17/.."),
        ("Hôm qua ai đã gọi?", "2025-11-29/2025-11-29"),
        ("گزشتہ ہفتے سے پہلے", "../2025-11-16"),
        ("နိုဝင်ဘာလမှာ ဘာဖြစ်ခဲ့လဲ", "2025-11-01/2025-11-30"),
        ("၂၀၂၅ ခုနှစ် နိုဝင်ဘာ ၃ ရက်", "2025-11-03/2025-11-03"),
    ],
)
def test_a_window_is_read(text, window):
    assert windows(text) == [window]


@pytest.mark.parametrize(
    "text",
    ["", "What does Peter prefer?", "port 9077", "May I come in?", "the Friday table",
     "on Fridays", "version 2.11", "tell me about the roof", "a winter swimming club",
     "2025", "port 2025", "Which of the 2000 sensors?", "the 1500 m", "a 1984 bolt",
     "lần thứ hai", "31 Feb 2025", "99999 years ago", "until when", "in March 99999"],
)  # fmt: skip
def test_no_window_is_read(text):
    reading = read(text, SUNDAY)
    assert (reading.windows, reading.event) == ((), None)


def test_two_times_are_two_windows():
    text = "On October 3, 2025 or yesterday?"
    assert windows(text) == ["2025-10-03/2025-10-03", "2025-11-29/2025-11-29"]


def test_what_is_not_of_time_is_left():
    assert read("What did Ada say around Nov 27 of tea?", SUNDAY).rest == "what did ada say of tea?"
    assert read("What did Ada eat before the move?", SUNDAY).rest == "what did ada eat before ?"


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("the last time we tried the new glue", Event(Relation.LAST, "we tried the new glue")),
        ("What is the latest version of tidewire?", Event(Relation.LAST, "version of tidewire")),
        ("the first time we met", Event(Relation.FIRST, "we met")),
        ("before the move", Event(Relation.BEFORE, "the move")),
        ("after Ada's call, what was said?", Event(Relation.AFTER, "ada's call")),
        ("during the power cut", Event(Relation.DURING, "the power cut")),
        ("two days after the opening", Event(Relation.AFTER, "the opening", 2, exact=True)),
        ("in the month before the move", Event(Relation.BEFORE, "the move", 30)),
        ("trước khi chuyển nhà", Event(Relation.BEFORE, "chuyển nhà")),
        ("flytningen, før vi flyttede", Event(Relation.BEFORE, "vi flyttede")),
    ],
)
def test_an_event_is_read(text, event):
    assert read(text, SUNDAY).event == event


def test_the_window_of_an_event():
    move = TimeRange(dt.date(2025, 10, 10), dt.date(2025, 10, 11))

    def window(relation, days=None, *, exact=False):
        return shown(Event(relation, "the move", days, exact=exact).window(move))

    assert window(Relation.BEFORE) == "../2025-10-09"
    assert window(Relation.AFTER) == "2025-10-10/.."
    assert window(Relation.DURING) == "2025-10-10/2025-10-11"
    assert window(Relation.BEFORE, 30) == "2025-09-10/2025-10-09"
    assert window(Relation.AFTER, 7) == "2025-10-12/2025-10-18"
    assert window(Relation.AFTER, 2, exact=True) == "2025-10-12/2025-10-13"


_time_words = st.lists(
    st.sampled_from(
        "what did we do with tea on a the last first may set out mars day week before after since "
        "lately spring i dag forrige uge sidste mandag siden 3 nov now time and".split()
    ),
    max_size=6,
).map(" ".join)


@given(_time_words)
def test_a_question_with_a_time_has_a_word_of_time(text):
    """The cheap look that most questions end with passes over none that names a time."""
    if not time_words.may_tell(text):
        assert window_forms.find_all(text, SUNDAY) == []
        assert event_forms.find(text, []) is None
        assert read(text, SUNDAY) == Reading(rest=text)


def test_every_name_of_a_time_is_a_word_of_time():
    said = "|".join([*window_forms._SAID.values(), window_forms._LATELY, *window_days.SEASONS])
    names = [*vocabulary.months(), *vocabulary.phrases(), *window_days.weekdays(), *said.split("|")]
    assert [name for name in names if not time_words.may_tell(name)] == []
    assert [one for one in vocabulary.counted() if not time_words.may_tell(f"{one.before}3")] == []


@pytest.mark.parametrize("text", ["where does Peter live", "What is Ada's key?", ""])
def test_most_questions_have_none(text):
    assert read(text, SUNDAY) == Reading(rest=fold(text))


@given(text=st.text(), day=st.dates())
def test_no_question_is_an_error(text, day):
    for window in read(text, day).windows:
        assert window.start <= window.end


@given(
    words=st.lists(
        st.sampled_from(
            "the a before after since last next few couple of weeks ago month year day monday "
            "nov 27 2025 may early end this on in around between and to 3 first time past".split()
        ),
        max_size=9,
    ),
    day=st.dates(),
)
def test_no_words_of_time_are_an_error(words, day):
    for window in read(" ".join(words), day).windows:
        assert window.start <= window.end


@given(day=st.dates(dt.date(2, 1, 1), dt.date(9998, 12, 31)), asked=st.dates(dt.date(2000, 1, 1)))
def test_a_date_without_a_year_may_be_the_last_such_day(day, asked):
    months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
    found = find_all(f"{months[day.month - 1]} {day.day}", asked, past=True)
    for one in found:  # none where the year has no such day
        assert one.range.start <= asked
        assert (asked - one.range.start).days <= 366
    assert found or (day.month, day.day) == (2, 29)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Where was the regatta on Nov 27?", "where was the regatta on ?"),
        ("Where is the boat?", "Where is the boat?"),
        ("Nov 27", "Nov 27"),  # nothing else is asked
        ("Where did we go before the move?", "Where did we go before the move?"),  # no time is told
    ],
)
def test_the_topic_of_a_question_is_what_it_says_beside_times(text, left):
    assert topic(text, SUNDAY) == left
