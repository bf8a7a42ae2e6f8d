import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.opinions.page import Entry, Ledger, confidence, is_quoted, quote, sections, written
from memlab.workspace import grammar, parts

BODY = """\
**0.60** · @Peter @[The Castle] · updated 2025-12-05
- 2025-11-27 for f-k3v9q2m8aa4c → 0.90 "Prefers concise replies (<1500 …"
- 2025-12-03 gone f-0qw27h1nbb2d-2 → 0.90 "He said "no" to it"
- 2025-12-05 hand → 0.60"""
PAGE = f"""\
---
name: x
---
# Opinions

## Peter prefers concise replies
{parts.render("opinion o-7h2kq3", BODY)}
Remarks, **0.1** of them.

## Work

### Written specs beat calls
**80%** since May
<!-- memlab:off opinion o-aaaaaa -->
"""


def test_a_body_is_read_and_written_as_it_was():
    ledger = Ledger.parse(BODY)
    assert ledger.render() == BODY
    assert (ledger.confidence, ledger.last, ledger.names) == (0.6, 0.6, ("Peter", "The Castle"))
    assert [(str(e.day), e.verb, e.fact) for e in ledger.entries] == [
        ("2025-11-27", "for", "f-k3v9q2m8aa4c"), ("2025-12-03", "gone", "f-0qw27h1nbb2d-2"),
        ("2025-12-05", "hand", ""),
    ]  # fmt: skip
    assert ledger.entries[1].quote == 'He said "no" to it'


@pytest.mark.parametrize(
    "line",
    ["- 2025-13-01 hand → 0.60", "- 2025-12-05 hand f-k3v9q2m8aa4c → 0.60", "- 2025-12-05 for → 1",
     "- 2025-12-05 hand", "a remark", "- 2025-12-05 hand → 1.2.3"],
)  # fmt: skip
def test_what_is_no_line_of_a_ledger(line):
    assert Entry.parse(line) is None


_names = st.text(st.characters(categories=("L", "M", "Nd")), min_size=1).map(grammar.canonical)
_entries = st.builds(
    Entry, st.dates(dt.date(1900, 1, 1)), st.sampled_from(["for", "against", "gone"]),
    st.just("f-k3v9q2m8aa4c"), st.integers(0, 100).map(lambda n: n / 100),
    st.text(st.characters(categories=("L", "P", "Zs"))).map(grammar.canonical),
)  # fmt: skip


_ledgers = st.builds(
    Ledger,
    st.integers(0, 100).map(lambda n: n / 100),
    st.lists(_names.filter(bool)).map(tuple),
    st.lists(_entries).map(tuple),
)


@given(_ledgers)
def test_a_ledger_survives_its_page(ledger):
    assert Ledger.parse(ledger.render()) == ledger


def test_sections_are_statements_with_their_part_prior_and_marks():
    first, second = sections(PAGE)
    assert (first.statement, first.line, first.end) == ("Peter prefers concise replies", 6, 14)
    assert (first.id, first.part.body, first.prior) == ("o-7h2kq3", BODY, None)
    assert (second.statement, second.id, second.prior) == ("Written specs beat calls", "", 0.8)
    assert (second.off, second.end) == (("o-aaaaaa",), 19)


def test_a_part_without_a_statement_of_its_own_is_known_too():
    one, other = (parts.render(f"opinion o-{n}", BODY) for n in ("aaaaaa", "bbbbbb"))
    found = sections(f"{one}\n\n## Tea\n\n{other}\n{one.replace('aaaaaa', 'cccccc')}\n")
    assert [(s.statement, s.id) for s in found] == [
        ("", "o-aaaaaa"), ("Tea", "o-bbbbbb"), ("", "o-cccccc"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.6", 0.6), (".6", 0.6), ("0,6", 0.6), ("60%", 0.6), (" 60 % ", 0.6), ("1", 1.0),
     ("high", None), ("1.2", None), ("120%", None), ("-0.1", None)],
)  # fmt: skip
def test_a_confidence_as_people_write_it(text, value):
    assert confidence(text) == value


def test_two_decimals_unless_a_person_gave_more():
    assert [written(sure) for sure in (0.6, 1.0, 0.333, 0.0)] == ["0.60", "1.00", "0.333", "0.00"]


def test_a_quote_ends_between_words_and_says_that_more_follows():
    content = "Prefers concise replies (<1500 chars) on WhatsApp"
    assert quote(content) == "Prefers concise replies (<1500 …"
    assert quote("Short.") == "Short."
    assert is_quoted(content, quote(content))
    assert is_quoted("Short. And more", "Short.")
    assert not is_quoted("Long. And more", "Short.")
    assert not is_quoted("Long. And more", "")
    assert is_quoted("x" * 90, quote("x" * 90))
