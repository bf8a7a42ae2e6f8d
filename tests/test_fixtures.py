"""The fixture workspaces and the questions about them keep what their README promises."""

import csv
import json
import re
from collections import defaultdict
from pathlib import Path
from statistics import mean

import pytest

from memlab import tokens
from memlab.types import Source
from memlab.workspace import grammar, parser, reader
from memlab.workspace.markdown import split_lines

FIXTURES = Path(__file__).parent.parent / "data" / "fixtures"
DEPTH = 10
LANGUAGES = {"lex-001": "en", "lan-202": "da", "lan-204": "vi", "lan-205": "ur", "lan-207": "my"}
# What a question has in common with any line says nothing of what it asks.
STOP = {
    "a", "about", "after", "all", "am", "an", "and", "any", "are", "as", "at", "be", "because",
    "been", "before", "being", "but", "by", "can", "could", "did", "do", "does", "doing", "down",
    "during", "each", "few", "for", "from", "further", "had", "has", "have", "having", "he", "her",
    "here", "hers", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just", "me",
    "more", "most", "my", "no", "nor", "not", "now", "of", "off", "on", "once", "only", "or",
    "other", "our", "out", "over", "own", "s", "same", "she", "should", "so", "some", "such", "t",
    "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those",
    "through", "to", "too", "under", "until", "up", "very", "was", "we", "were", "what", "when",
    "where", "which", "while", "who", "whom", "whose", "why", "will", "with", "would", "you",
    "your",
}  # fmt: skip


@pytest.fixture(scope="module")
def queries():
    lines = (FIXTURES / "harbour.queries.jsonl").read_text(encoding="utf-8").splitlines()
    return {query["id"]: query for query in map(json.loads, lines)}


@pytest.fixture(scope="module")
def judgments():
    """Per question its rows of the qrels: source, grade, quote."""
    found = defaultdict(list)
    with (FIXTURES / "harbour.qrels.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            found[row["query"]].append((Source.parse(row["source"]), row["grade"], row["quote"]))
    return found


@pytest.fixture(scope="module")
def hits(indexed, queries):
    """Per question the sources of its first hits, by the default retriever."""
    return {
        id_: [hit.fact.source for hit in indexed.recall(query["query"], k=DEPTH, now=query["now"])]
        for id_, query in queries.items()
    }


def lines_of(source):
    lines = split_lines((FIXTURES / "harbour" / source.path).read_text(encoding="utf-8"))
    return lines[source.start - 1 : source.end]


def answering(rows):
    return [source for source, grade, _ in rows if grade == "1"]


def is_found(source, found):
    return any(h.path == source.path and h.start <= source.start <= h.end for h in found)


def stems(text):
    return {
        token for word in tokens.words(text) if word not in STOP for token in tokens.tokens(word)
    }


@pytest.mark.parametrize("name", ["harbour", "tiny"])
def test_the_words_of_every_fact_stand_on_the_lines_cited(name):
    root = FIXTURES / name
    count = 0
    for path in reader.scan(root).files:
        page = reader.read(root, path)
        lines = split_lines(page.text)
        for parsed in parser.parse(page).facts:
            source = parsed.fact.source
            cited = grammar.canonical(" ".join(lines[source.start - 1 : source.end]))
            position = 0
            for word in re.findall(r"\w+", parsed.fact.content):
                position = cited.find(word, position)
                assert position >= 0, f"{source}: {word!r}"
            for entity in parsed.fact.entities:
                assert entity in cited
            count += 1
    assert count == {"harbour": 812, "tiny": 26}[name]


def test_the_rich_workspace_has_no_trouble(indexed):
    assert indexed.status()["troubles"] == []


def test_there_are_enough_questions_of_every_category(queries):
    categories = {query["category"] for query in queries.values()}
    assert len(queries) >= 150
    assert categories == {
        "lexical", "entity", "temporal", "opinion", "multi-hop", "paraphrase", "other-language",
        "unanswerable",
    }  # fmt: skip
    assert {query["language"] for query in queries.values()} == {"en", "da", "vi", "ur", "my"}


def test_every_question_is_judged_and_every_judgment_has_its_question(queries, judgments):
    assert set(judgments) == set(queries)
    for id_, query in queries.items():
        assert bool(answering(judgments[id_])) == (query["category"] != "unanswerable")


def test_every_question_has_a_distractor(judgments):
    assert [
        id_ for id_, rows in judgments.items() if all(grade != "0" for _, grade, _ in rows)
    ] == []


def test_every_quote_stands_on_its_line_and_on_no_other(judgments):
    for rows in judgments.values():
        for source, _, quote in rows:
            page = Source(source.path, 1, 10_000)
            holders = [n for n, line in enumerate(lines_of(page), start=1) if quote in line]
            assert holders == [source.start], f"{source}: {quote}"


def test_no_answer_lies_after_the_day_of_the_question(queries, judgments):
    for id_, query in queries.items():
        days = [parser.day_of(source.path) for source in answering(judgments[id_])]
        assert all(day is None or day.isoformat() <= query["now"] for day in days), id_


def test_every_judged_line_belongs_to_a_fact(indexed, judgments):
    for rows in judgments.values():
        assert all(indexed.corpus().touching(source) for source in answering(rows))


def test_four_in_ten_paraphrases_share_no_content_stem_with_their_lines(queries, judgments):
    paraphrases = [query for query in queries.values() if query["category"] == "paraphrase"]
    apart = 0
    for query in paraphrases:
        lines = [" ".join(lines_of(source)) for source in answering(judgments[query["id"]])]
        apart += stems(query["query"]).isdisjoint(stems("\n".join(lines)))
    assert apart / len(paraphrases) >= 0.4


def test_bm25_finds_at_most_three_quarters_in_its_first_ten(hits, judgments):
    recalls = []
    for id_, found in hits.items():
        if wanted := answering(judgments[id_]):
            recalls.append(mean(is_found(source, found) for source in wanted))
    assert len(recalls) == 220
    assert 0.4 <= mean(recalls) <= 0.75


@pytest.mark.parametrize(("id_", "language"), LANGUAGES.items())
def test_a_question_in_each_language_finds_its_line_first(id_, language, queries, hits, judgments):
    assert queries[id_]["language"] == language
    first = hits[id_][0]
    assert any(is_found(source, [first]) for source in answering(judgments[id_]))
