import datetime as dt
import shutil
import subprocess
import sys
import threading

import pytest

import memlab
from memlab.errors import ParameterError, WorkspaceError
from memlab.store.place import Place
from memlab.types import Query

LOG = "memory/2025-11-27.md"


@pytest.fixture
def notes(pages):
    return pages({LOG: "tea\n"})


def found(workspace, query="tea coffee", **options):
    return sorted(hit.fact.content for hit in workspace.recall(query, **options))


def test_deleting_all_that_is_derived_changes_no_answer(harbour):
    questions = [
        "why did the queue break?",
        "taget lækker, og udlejeren svarer ikke",
        "Bilal fibreglass",
    ]
    with memlab.open(harbour, now="2025-11-30") as workspace:
        before = [workspace.recall(question).to_dict() for question in questions]
    assert all(answer["hits"] for answer in before)
    shutil.rmtree(harbour / ".memory")
    with memlab.open(harbour, now="2025-11-30") as workspace:
        assert [workspace.recall(question).to_dict() for question in questions] == before


def test_always_sees_an_edit_at_once_and_never_does_not(notes, pages):
    with memlab.open(notes, refresh="always") as workspace:
        assert found(workspace) == ["tea"]
        pages({LOG: "coffee\n"})
        assert found(workspace, refresh="never") == ["tea"]
        assert found(workspace) == ["coffee"]


def test_auto_looks_again_after_a_second(notes, pages, monkeypatch):
    clock = [100.0]
    monkeypatch.setattr("memlab.session.time.monotonic", lambda: clock[0])
    with memlab.open(notes) as workspace:
        assert found(workspace) == ["tea"]
        pages({LOG: "coffee\n"})
        clock[0] += 0.9
        assert found(workspace) == ["tea"]
        clock[0] += 0.1
        assert found(workspace) == ["coffee"]


def test_auto_sees_what_another_session_of_memlab_wrote_at_once(notes, monkeypatch):
    monkeypatch.setattr("memlab.session.time.monotonic", lambda: 100.0)
    with memlab.open(notes) as reader, memlab.open(notes, now="2025-11-27") as writer:
        assert found(reader) == ["tea"]
        writer.retain("W: coffee")
        assert found(reader) == ["coffee", "tea"]


def test_an_open_session_keeps_answering_while_another_process_builds(notes, pages):
    with memlab.open(notes, refresh="never") as workspace:
        workspace.refresh()
        assert found(workspace) == ["tea"]
        pages({LOG: "coffee\n"})
        code = "import sys, memlab; memlab.open(sys.argv[1]).refresh()"
        subprocess.run([sys.executable, "-c", code, str(notes)], check=True)
        assert found(workspace) == ["tea"]
        assert found(workspace, refresh="always") == ["coffee"]


def test_a_first_question_is_answered_though_the_snapshot_was_replaced_meanwhile(notes, pages):
    with memlab.open(notes, refresh="never") as workspace:
        workspace.refresh()
        workspace.corpus()
        pages({LOG: "coffee\n"})
        with memlab.open(notes) as other:
            other.refresh()
        assert len(found(workspace)) == 1


def test_sessions_of_many_threads_answer_alike(notes):
    answers = []

    def ask():
        with memlab.open(notes, refresh="always") as workspace:
            answers.append(found(workspace))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [["tea"]] * 4


def test_a_read_only_workspace_is_indexed_in_the_users_cache(notes, monkeypatch):
    monkeypatch.setattr("memlab.store.place.os.access", lambda *_: False)
    with memlab.open(notes) as workspace:
        assert found(workspace) == ["tea"]
        assert workspace.place.folder.is_relative_to(notes.parent / "cache")
        assert not list((notes / ".memory").glob("index-*"))


def test_a_closed_session_opens_again_when_asked(notes):
    workspace = memlab.open(notes)
    assert found(workspace) == ["tea"]
    workspace.close()
    assert found(workspace) == ["tea"]
    workspace.close()


def test_the_clock_is_the_calls_else_the_sessions_else_the_real_one(notes):
    with memlab.open(notes, now="2025-11-27", timezone="Asia/Yangon") as workspace:
        assert workspace.now().isoformat() == "2025-11-27T12:00:00+06:30"
        assert workspace.now("2025-11-28").date() == dt.date(2025, 11, 28)
    with memlab.open(notes) as workspace:
        assert abs(workspace.now() - dt.datetime.now(dt.UTC)) < dt.timedelta(minutes=1)


def test_an_opening_that_cannot_be_is_an_error(notes):
    with pytest.raises(ParameterError, match="no refresh policy 'often'"):
        memlab.open(notes, refresh="often")
    with pytest.raises(ParameterError, match="no setting 'colour'"):
        memlab.open(notes, colour=1)
    with pytest.raises(WorkspaceError, match="does not exist"):
        memlab.open(notes / "absent")


def test_opening_builds_nothing(notes):
    memlab.open(notes).close()
    assert Place(notes).current() is None


def test_the_configured_model_is_that_of_a_retriever_that_names_none(notes):
    pytest.importorskip("sklearn", reason="needs extra 'embeddings'")
    (notes / "memlab.toml").write_text('retriever = "dense"\nembedding = "tfidf-svd"\n')
    with memlab.open(notes) as workspace:
        run = workspace.index(workspace.corpus()).search(Query("tea", workspace.now()), depth=1)
    assert run.retriever == "dense(embedding='tfidf-svd')"
