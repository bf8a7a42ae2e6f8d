"""Data sets: their faults, their pages, and the lines that they name."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memlab
from memlab.errors import UnknownNameError
from memlab.evaluation import datasets
from memlab.evaluation.datasets import locomo, longmemeval, pages, place
from memlab.evaluation.datasets.beir import BEIR
from memlab.evaluation.datasets.own import Own
from memlab.evaluation.datasets.stance import Stance
from memlab.evaluation.datasets.trec import TREC
from memlab.evaluation.model import DatasetError
from memlab.types import Source
from memlab.workspace.markdown import blocks


def turn(id_, text, **more):
    return {"speaker": "Ann", "dia_id": id_, "text": text, **more}


CONVERSATION = {
    "sample_id": "conv-1",
    "conversation": {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [turn("D1:1", "Hello\nthere"), turn("D1:2", "Look", blip_caption="a cat")],
        "session_2_date_time": "9:00 am on 9 May, 2023",
        "session_2": [turn("D2:1", "- not a list")],
        "session_3_date_time": "sometime",
        "session_3": [turn("D3:1", "late")],
        "session_9_date_time": "1:00 pm on 1 June, 2023",
    },
    "qa": [
        {"question": "Who?", "answer": 1, "evidence": ["D1:1; D1:02"], "category": 1},
        {"question": "When?", "answer": "x", "evidence": ["D:2:1", "D2:1", "D"], "category": 2},
        {"question": "What?", "evidence": ["D7:1"], "category": 5},
        {"question": "Why?", "answer": "y", "category": 9},
    ],
}


@pytest.fixture
def talk():
    return locomo.make([CONVERSATION])


def test_a_turn_is_a_line_under_its_session(talk):
    lines = talk.pages["conv-1"]["memory/2023-05-08.md"].splitlines()
    assert lines == [
        "# 2023-05-08",
        "",
        "## Session 1, 1:56 pm",
        "",
        "- Ann: Hello there",
        "- Ann: Look [a cat]",
    ]
    assert "- Ann: - not a list" in talk.pages["conv-1"]["memory/2023-05-09.md"]


def test_locomos_categories_have_their_papers_names(talk):
    assert [q.category for q in talk.questions] == [
        "multi-hop",
        "temporal",
        "adversarial",
        "unknown",
    ]
    assert {str(q.now) for q in talk.questions} == {"2023-05-09"}


def test_bad_evidence_is_mended_counted_and_never_fatal(talk):
    found = [(j.question[-1], str(j.source)) for j in talk.judgments]
    assert found == [
        ("1", "memory/2023-05-08.md#L5"),
        ("1", "memory/2023-05-08.md#L6"),
        ("2", "memory/2023-05-09.md#L5"),
    ]
    assert {(fault.sort, fault.where) for fault in talk.faults} == {
        ("date of a session that is not there", "conv-1"),
        ("date that cannot be read", "conv-1 session 3"),
        ("evidence written badly", "conv-1-q001"),
        ("evidence written badly", "conv-1-q002"),
        ("evidence repeated", "conv-1-q002"),
        ("evidence that names no turn", "conv-1-q002"),
        ("evidence of a turn that is not there", "conv-1-q003"),
        ("question without evidence", "conv-1-q003"),
        ("no answer", "conv-1-q003"),
        ("unknown category", "conv-1-q004"),
        ("question without evidence", "conv-1-q004"),
    }


def test_longmemeval_leaves_out_what_nobody_can_answer():
    chat = [
        {"role": "user", "content": "I ran 5K in 25:50", "has_answer": True},
        {"role": "assistant", "content": "Well done"},
    ]
    common = {"question": "q", "question_date": "2023/06/01 (Thu) 00:58", "answer": "a"}
    common |= {"haystack_sessions": [chat], "haystack_dates": ["2023/05/25 (Thu) 20:21"]}
    made = longmemeval.make(
        [{**common, "question_id": "a1", "question_type": "x"}, {**common, "question_id": "a2_abs"}]
    )
    assert [(j.question, j.grade, str(j.source)) for j in made.judgments] == [
        ("a1", 1, "memory/2023-05-25.md#L5"),
        ("a2_abs", 0, "memory/2023-05-25.md#L5"),
    ]
    assert [q.category for q in made.questions] == ["x", "abstention"]
    assert "question to abstain from" in {fault.sort for fault in made.faults}


@given(st.text())
def test_a_paragraph_is_one_block_of_the_same_words(text):
    line = pages.paragraph(text)
    assert "\n" not in line
    found = list(blocks(line))
    if line:
        assert [(block.type, block.start, block.end) for block in found] == [("paragraph", 1, 1)]
        assert found[0].text.split() == line.split()


@pytest.mark.parametrize(
    "text",
    [
        "# one",
        "- two",
        "1. three",
        "12) four",
        "> five",
        "```",
        "---",
        "<div>",
        "| a |",
        "[x]: y",
        "==",
    ],
)
def test_what_looks_like_markdown_is_still_a_paragraph(text):
    (block,) = blocks(pages.paragraph(text))
    assert block.type == "paragraph"
    assert block.text.replace("\\", "") == text


@pytest.fixture
def beir(tmp_path):
    folder = tmp_path / "small"
    (folder / "qrels").mkdir(parents=True)
    documents = [("a", "Tides", "rise\ntwice"), ("b", "", "# wind"), ("c", "", " ")]
    corpus = [json.dumps({"_id": i, "title": t, "text": x}) for i, t, x in documents]
    (folder / "corpus.jsonl").write_text("\n".join(corpus), encoding="utf-8")
    (folder / "queries.jsonl").write_text('{"_id": "q", "text": "tide"}\n', encoding="utf-8")
    qrels = "query-id\tcorpus-id\tscore\nq\ta\t2\nq\tb\t0\nq\tc\t1\nx\ta\t1\nq a\n"
    (folder / "qrels" / "test.tsv").write_text(qrels, encoding="utf-8")
    return folder


def test_a_beir_document_is_a_paragraph_of_one_line(beir):
    data = datasets.load(BEIR(str(beir)))
    assert [(j.grade, str(j.source)) for j in data.judgments] == [
        (2, "memory/notes/corpus-0001.md#L1"),
        (0, "memory/notes/corpus-0001.md#L3"),
    ]
    page = data.workspaces["notes"] / "memory/notes/corpus-0001.md"
    assert page.read_text(encoding="utf-8").splitlines() == ["Tides rise twice", "", "\\# wind"]
    assert data.fault_counts() == {
        "document without words": 1,
        "judgment of a document that is not there": 1,
        "judgment of a question that is not there": 1,
        "judgment that cannot be read": 1,
    }


def test_a_data_set_is_made_again_only_when_its_bytes_change(beir):
    first, again = (datasets.load(BEIR(str(beir))).workspaces["notes"] for _ in range(2))
    assert first == again
    with (beir / "corpus.jsonl").open("a", encoding="utf-8") as corpus:
        corpus.write('\n{"_id": "d", "text": "new"}')
    assert datasets.load(BEIR(str(beir))).workspaces["notes"] != first


def test_stance_pairs_are_questions_and_stay_pairs(tmp_path):
    rows = [("1", "Cats sleep.", "They do.", "supports"), ("2", "Cats sleep.", "Rain.", "neutral"),
            ("3", "Dogs bark.", "They do.", "contradicts"), ("4", "x", "y", "maybe")]  # fmt: skip
    keys = ("id", "statement", "evidence", "label")
    lines = [json.dumps(dict(zip(keys, row, strict=True)) | {"split": "dev"}) for row in rows]
    file = tmp_path / "pairs.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    data = datasets.load(Stance(str(file)))
    assert [(j.question, j.grade, j.source.start) for j in data.judgments] == [
        ("s00001", 1, 1), ("s00001", 0, 3), ("s00002", 1, 1)
    ]  # fmt: skip
    assert [pair.label for pair in data.pairs] == ["supports", "neutral", "contradicts"]
    assert data.fault_counts() == {"unknown label": 1}


def test_trec_qrels_name_lines_or_facts(notes, tmp_path):
    (tmp_path / "topics.tsv").write_text("t1\twho moved\n", encoding="utf-8")
    qrels = "t1 0 memory/2025-11-27.md#L6 1\nt1 0 f-000000000000 0\n"
    (tmp_path / "some.qrels").write_text(qrels, encoding="utf-8")
    root = notes.with_name("notes")
    data = datasets.load(
        TREC(str(root), str(tmp_path / "topics.tsv"), str(tmp_path / "some.qrels"))
    )
    assert [(j.source, j.fact) for j in data.judgments] == [
        (Source("memory/2025-11-27.md", 6, 6), ""),
        (None, "f-000000000000"),
    ]


def test_a_missing_data_set_says_what_to_get_and_where_to_put_it(monkeypatch, tmp_path):
    monkeypatch.setenv("MEMLAB_DATA", str(tmp_path))
    with pytest.raises(DatasetError, match=r"locomo-dev\.json.*Get locomo10\.json.*put it there"):
        datasets.load("locomo")
    monkeypatch.delenv("MEMLAB_DATA")
    with pytest.raises(DatasetError, match="set MEMLAB_DATA to the folder"):
        datasets.load("locomo")


def test_an_unknown_data_set_names_those_that_are():
    with pytest.raises(UnknownNameError, match="harbour"):
        datasets.load("harbor")


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("queries.jsonl", "{", r"queries\.jsonl:1: is no JSON"),
        ("queries.jsonl", '{"id": "q1"}', r"queries\.jsonl:1: is no question"),
        ("qrels.tsv", "a\tb\n", r"qrels\.tsv:1: the first line is no header"),
        ("qrels.tsv", "query\tsource\tgrade\nq1\tx\t1\n", r"qrels\.tsv:2: cannot be read"),
        ("qrels.tsv", "query\tsource\tgrade\nq9\ta.md#L1\t1\n", r"qrels\.tsv:2: no question 'q9'"),
    ],
)
def test_own_files_are_read_strictly(notes, file, text, message):
    notes.with_name(f"notes.{file}").write_text(text, encoding="utf-8")
    with pytest.raises(DatasetError, match=message):
        Own(str(notes)).load()


def test_no_part_of_a_made_data_set_lies_in_the_repository(beir):
    data = datasets.load(BEIR(str(beir)))
    assert "datasets" in data.workspaces["notes"].parts
    assert not data.workspaces["notes"].is_relative_to(place.Path(memlab.__file__).parents[1])


@pytest.mark.parametrize("name", [n for n in datasets.CATALOGUE if n != "harbour"])
def test_every_public_set_loads_and_its_answers_are_lines(data_dir, monkeypatch, name):
    monkeypatch.setenv("MEMLAB_DATA", str(data_dir))
    data = datasets.load(name)
    known = {question.id for question in data.questions}
    assert known
    pages_read = {}
    for judgment in data.judgments:
        assert judgment.question in known
    for judgment in data.judgments[:200]:
        home = next(q.workspace for q in data.questions if q.id == judgment.question)
        file = data.workspaces[home] / judgment.source.path
        lines = pages_read.setdefault(file, file.read_text(encoding="utf-8").split("\n"))
        assert lines[judgment.source.start - 1].strip()


def test_locomos_known_faults_are_counted(data_dir, monkeypatch):
    monkeypatch.setenv("MEMLAB_DATA", str(data_dir))
    data = datasets.load("locomo")
    assert len(data.questions) == 1020
    assert data.fault_counts()["evidence written badly"] == 5
    assert data.fault_counts()["evidence of a turn that is not there"] == 1
