"""Whatever is asked, of every lexical strategy: words are words, and nothing else has a meaning."""

import itertools

import pytest

import memlab
from memlab import registry
from memlab.errors import MissingExtraError, ParameterError

LEXICAL = ("lexical", "duckdb-fts", "sqlite-fts5", "tantivy", "bm25s")

NOTES = (
    """\
- The queue broke because connection.update timed out.

- We drain with --drain and read v2.0.1 of the notes.

- Port 9077 is the relay's.

- Nguyễn Văn Thành mua phở ở Huế.

- Taget lækker, og Søren svarer ikke.

- بلال نے کشتی کی مرمت کی۔

- မောင်မောင် ရန်ကုန်မှာ နေတယ်။

- Her blood-pressure was high, said the e-mail.

- The band is called AND OR NOT NEAR.

- O'Brien's table was dropped; SELECT him for the team.

- 東京タワーへ行った。

- The café on Straße 5 sells naïve art.

- R is a language, C another.

- """
    + "x" * 300
    + " is a long word.\n"
)

DISTINCT = " ".join(f"word{number}" for number in range(12_000))

# the query, and what the first hit begins with; None where nothing is to be found
QUERIES = [
    ("why did the queue break?", "The queue"),
    ("connection.update", "The queue"),
    ("CONNECTION.UPDATE", "The queue"),
    ("update", "The queue"),
    ("connection:update", "The queue"),
    ('"connection.update" timed', "The queue"),
    ('queue"', "The queue"),
    ("'queue'", "The queue"),
    ("“queue”", "The queue"),
    ("queue`; rm -rf /", "The queue"),
    ("--drain", "We drain"),
    ("-drain", "We drain"),
    ("+drain -notes", "We drain"),
    ("v2.0.1", "We drain"),
    ("what is port 9077?", "Port 9077"),
    ("9077", "Port 9077"),
    ("(port) [9077] {relay}", "Port 9077"),
    ("port:9077", "Port 9077"),
    ("tokens:relay", "Port 9077"),
    ("row:relay^2", "Port 9077"),
    ("relay~1", "Port 9077"),
    ("relay*", "Port 9077"),
    ("^relay$", "Port 9077"),
    ("the relay\0", "Port 9077"),
    ("\x07relay\x1b[0m", "Port 9077"),
    ("re\u00adlay", "Port 9077"),
    ("\ufeffrelay", "Port 9077"),
    ("relay\r\n\tport", "Port 9077"),
    ("ｒｅｌａｙ", "Port 9077"),
    ("🙂 relay 👩‍👩‍👧", "Port 9077"),
    ("relay " * 17_000, "Port 9077"),
    (f"{DISTINCT} relay", "Port 9077"),
    ("y" * 100_000 + " relay", "Port 9077"),
    ("?" * 100_000 + " relay", "Port 9077"),
    ("Nguyễn Văn Thành", "Nguyễn"),
    ("Nguye\u0302\u0303n Va\u0306n Tha\u0300nh", "Nguyễn"),
    ("PHỞ", "Nguyễn"),
    ("Søren", "Taget"),
    ("lækker taget?", "Taget"),
    ("بلال", "بلال"),
    ("\u200fبلال\u200f کہاں ہے؟", "بلال"),
    ("\u202bبلال\u202c", "بلال"),
    ("မောင်မောင်", "မောင်မောင်"),
    ("ရန်ကုန်", "မောင်မောင်"),
    ("東京タワー", "東京"),
    ("blood-pressure", "Her blood"),
    ("blood pressure", "Her blood"),
    ("e-mail", "Her blood"),
    ("blood\u2010pressure", "Her blood"),
    ("AND", "The band"),
    ("NOT", "The band"),
    ("near or", "The band"),
    ("NEAR(band called, 5)", "The band"),
    ("called band AND NOT relay", "The band"),
    ("band OR", "The band"),
    ("O'Brien", "O'Brien"),
    ("O’Brien’s", "O'Brien"),
    ("'; DROP TABLE facts; -- O'Brien", "O'Brien"),
    ("SELECT * FROM facts WHERE team = 1", "O'Brien"),
    ("team' UNION '1'='1", "O'Brien"),
    ("STRASSE", "The café"),
    ("cafe\u0301", "The café"),
    ("nai\u0308ve", "The café"),
    ("R", "R is"),
    ("c", "R is"),
    ("x" * 300, "x" * 300),
    # no word that a note has, or no word at all
    ("zebra", None),
    ("quux XOR zebra", None),
    ("?", None),
    ("…!?—", None),
    ("*", None),
    ("%", None),
    ("_", None),
    ("\\", None),
    (".*", None),
    ("[^q-z]{3}", None),
    ("🙂", None),
    ('""', None),
    ("()", None),
    ("\0", None),
    ("\u200f", None),
    ("\ud800", None),
    ("x" * 100_000, None),
]  # fmt: skip
IDS = [f"{number}-{text[:20]!a}" for number, (text, _) in enumerate(QUERIES)]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    root = tmp_path_factory.mktemp("queries")
    (root / "memory.md").write_text(NOTES, encoding="utf-8")
    with memlab.open(root, now="2025-11-30", refresh="never") as opened:
        opened.refresh()
        yield opened


@pytest.fixture(scope="module", params=LEXICAL)
def ask(request, workspace):
    """Recall by one strategy."""
    try:
        workspace.recall("relay", retriever=request.param)
    except MissingExtraError as error:
        pytest.skip(str(error))
    return lambda text, **options: workspace.recall(text, retriever=request.param, **options)


def test_every_strategy_here_is_registered():
    assert set(LEXICAL) <= set(registry.names("retriever"))


@pytest.mark.parametrize(("text", "first"), QUERIES, ids=IDS)
def test_a_query_finds_what_it_names_and_never_fails(ask, text, first):
    answer = ask(text)
    assert answer.query == text
    assert len(answer) <= 10
    scores = [(-hit.score, hit.fact.id) for hit in answer]
    assert scores == sorted(scores)
    if first is None:
        assert len(answer) == 0
    else:
        assert answer[0].fact.content.startswith(first)
        assert answer[0].score > 0


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u3000"])
def test_an_empty_query_is_a_clear_error(ask, text):
    with pytest.raises(ParameterError, match=r"the query is empty\. Ask a question"):
        ask(text)


def test_filters_hold_for_nasty_queries_too(ask):
    for (text, _), options in itertools.product(
        QUERIES[::9], [{"kinds": ["O"]}, {"since": "2025-01-01"}, {"entities": ["'; --"]}]
    ):
        assert len(ask(text, **options)) == 0
