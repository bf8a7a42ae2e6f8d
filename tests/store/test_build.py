"""From pages to a snapshot: only what changed is parsed, and the answers are a fresh build's."""

import os
import shutil
import time

import pytest

from memlab.session import Session
from memlab.store.corpus import Corpus
from memlab.workspace import reader

LOG = "memory/2025-11-27.md"


@pytest.fixture
def session(tiny):
    with Session(tiny) as opened:
        yield opened


def contents(session):
    return {(str(f.source), f.content) for f in session.corpus("always").facts(rows(session))}


def rows(session):
    found = session.corpus("always").connection.execute("SELECT row FROM facts ORDER BY row")
    return [row for (row,) in found.fetchall()]


def deny(monkeypatch, folder):
    """Make a folder unlistable, also for root."""
    real = os.scandir

    def scandir(place):
        if str(place) == str(folder):
            raise PermissionError(13, "Permission denied")
        return real(place)

    monkeypatch.setattr(os, "scandir", scandir)


def test_the_first_build_parses_every_page_and_the_second_none(session):
    first, second = session.refresh(), session.refresh()
    assert (first.parsed, first.removed, first.built) == (7, 0, True)
    assert (second.parsed, second.removed, second.built) == (0, 0, False)
    assert first.snapshot == second.snapshot


def test_one_changed_page_is_one_parsed_page(session):
    session.refresh()
    with (session.root / LOG).open("a") as log:
        log.write("- W @Andy: He mended the van.\n")
    done = session.refresh()
    assert (done.parsed, done.removed, done.built) == (1, 0, True)
    assert any("mended the van" in content for _, content in contents(session))


def test_a_page_that_is_touched_but_not_changed_is_not_parsed(session):
    session.refresh()
    os.utime(session.root / LOG)
    assert session.refresh().built is False


def test_an_edit_that_keeps_size_and_time_of_the_file_is_still_seen(session):
    session.refresh()
    place = session.root / LOG
    before = place.stat()
    place.write_bytes(place.read_bytes().replace(b"Graz", b"Linz"))
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert session.refresh().parsed == 1


def test_an_unchanged_page_is_not_even_read_again(session, monkeypatch):
    old = time.time() - 60
    for page in session.root.rglob("*.md"):
        os.utime(page, (old, old))
    monkeypatch.setattr("memlab.store.survey.now_ns", lambda: time.time_ns() + 60 * 10**9)
    session.refresh()

    def read(*_, **__):
        raise AssertionError("read again")

    monkeypatch.setattr(reader, "read", read)
    assert session.refresh().built is False


def test_a_removed_page_takes_its_facts_with_it(session):
    session.refresh()
    (session.root / LOG).unlink()
    done = session.refresh()
    assert (done.parsed, done.removed) == (0, 1)
    assert not any(source.startswith(LOG) for source, _ in contents(session))


def test_a_renamed_page_is_one_parsed_and_one_removed(session):
    session.refresh()
    (session.root / LOG).rename(session.root / "memory/2025-11-28.md")
    done = session.refresh()
    assert (done.parsed, done.removed) == (1, 1)


def test_an_empty_workspace_has_an_index_of_nothing(pages):
    with Session(pages({})) as session:
        assert session.corpus().size == 0
        assert session.corpus().counts()["first_day"] is None


def test_an_empty_page_is_a_page_without_facts(pages):
    with Session(pages({"memory.md": "", "memory/2025-11-27.md": "\n\n"})) as session:
        assert session.corpus().counts()["pages"] == 2
        assert session.corpus().size == 0


def test_a_full_build_parses_all_and_says_the_same(session):
    before = contents(session)
    done = session.refresh(full=True)
    assert (done.parsed, done.built) == (7, True)
    assert contents(session) == before


def test_snapshots_older_than_the_one_before_are_removed(session):
    snapshots = [session.refresh().snapshot]
    for number in range(3):
        (session.root / "new.md").write_text(f"new {number}\n")
        snapshots.append(session.refresh().snapshot)
    assert set(session.place.folder.glob("index-*.duckdb")) == set(snapshots[-2:])
    assert len(set(snapshots)) == 4


def test_a_reader_keeps_its_snapshot_while_another_is_switched_in(session):
    with Corpus(session.place, session.refresh().snapshot) as old:
        before = old.counts()
        (session.root / "new.md").write_text("new\n")
        session.refresh()
        assert old.counts() == before
        assert old.facts([0])[0].content
        assert session.corpus().counts()["facts"] == before["facts"] + 1


@pytest.mark.parametrize("damage", [b"", b"no database", None])
def test_a_damaged_snapshot_is_built_again_with_one_trouble(session, damage):
    before = contents(session)
    snapshot = session.refresh().snapshot
    session.close()
    raw = snapshot.read_bytes()
    snapshot.write_bytes(raw[: len(raw) // 3] if damage is None else damage)
    (session.root / "new.md").write_text("new\n")
    done = session.refresh()
    assert [trouble.message.startswith("built again: it ") for trouble in done.troubles] == [True]
    assert done.parsed == 8
    assert contents(session) == before | {("new.md#L1", "new")}


def test_a_damaged_snapshot_is_built_again_though_no_page_changed(session):
    before = contents(session)
    snapshot = session.refresh().snapshot
    session.close()
    snapshot.write_bytes(b"no database")
    with Session(session.root) as again:
        again.corpus()
        assert [trouble.path for trouble in again.last.troubles] == [snapshot.name]
        assert contents(again) == before


def test_a_snapshot_of_another_format_is_not_used(session, monkeypatch):
    session.refresh()
    monkeypatch.setattr("memlab.store.survey.FORMAT", "0.0.0")
    done = session.refresh()
    assert (done.parsed, done.built) == (7, True)


def test_a_page_stays_while_its_folder_cannot_be_listed(session, monkeypatch):
    before = contents(session)
    with monkeypatch.context() as patch:
        deny(patch, session.root / "memory")
        (session.root / "new.md").write_text("new\n")
        done = session.refresh()
        assert (done.parsed, done.removed) == (1, 0)
        assert [str(trouble) for trouble in done.troubles] == [
            "memory: cannot be listed: Permission denied"
        ]
        assert contents(session) == before | {("new.md#L1", "new")}
    (session.root / LOG).unlink()
    assert session.refresh().removed == 1


def test_a_page_stays_while_it_cannot_be_read(session, monkeypatch):
    before = contents(session)
    real = reader.read

    def read(root, path, **options):
        if path == LOG:
            raise reader.UnreadableError("cannot be read: Permission denied")
        return real(root, path, **options)

    monkeypatch.setattr(reader, "read", read)
    (session.root / "new.md").write_text("new\n")
    done = session.refresh()
    assert (done.parsed, done.removed) == (1, 0)
    assert [str(trouble) for trouble in done.troubles] == [
        f"{LOG}: cannot be read: Permission denied"
    ]
    assert contents(session) == before | {("new.md#L1", "new")}


def test_a_file_that_is_no_page_is_left_out_with_a_trouble(pages):
    root = pages({"a.md": "fact\n", "b.md": b"caf\xe9", "c.md": "x" * 101, "d.md": b"\0"})
    with Session(root, max_file_bytes=100) as session:
        assert contents(session) == {("a.md#L1", "fact")}
        assert [str(trouble) for trouble in session.last.troubles] == [
            "b.md: is not UTF-8 (byte 3); left out",
            "c.md: has 101 bytes; the limit is 100; left out",
            "d.md: is binary; left out",
        ]


def test_a_page_that_vanishes_while_it_is_read_stops_nothing(pages, monkeypatch):
    root = pages({"a.md": "fact\n", "b.md": "gone\n"})
    real, calls = reader.read, []

    def read(root, path, **options):
        calls.append(path)
        if path == "b.md" and calls.count("b.md") > 1:  # after the survey
            (root / "b.md").unlink()
        return real(root, path, **options)

    monkeypatch.setattr(reader, "read", read)
    with Session(root) as session:
        done = session.refresh()
        assert done.parsed == 1
        assert done.troubles[0].path == "b.md"
        assert contents(session) == {("a.md#L1", "fact")}


def test_progress_is_told_to_the_end(session):
    told = []
    session.refresh(progress=lambda *step: told.append(step))
    assert told[0] == ("parsing", 0, 7)
    assert told[-1] == ("parsing", 7, 7)


def test_a_page_that_is_as_it_was_again_when_it_is_read_is_carried_over(session, monkeypatch):
    before = contents(session)
    place, real, calls = session.root / LOG, reader.read, []
    raw = place.read_bytes()
    place.write_bytes(raw + b"- passing\n")

    def read(root, path, **options):
        calls.append(path)
        if calls.count(LOG) == 2:  # after the survey
            place.write_bytes(raw)
        return real(root, path, **options)

    monkeypatch.setattr(reader, "read", read)
    assert session.refresh().parsed == 0
    assert contents(session) == before


def test_a_folder_of_derived_files_that_is_removed_under_an_open_session_is_made_again(session):
    before = contents(session)
    shutil.rmtree(session.place.folder)
    assert contents(session) == before
    assert (session.place.folder / ".gitignore").exists()


def test_what_a_session_knows_of_pages_is_there_again_when_it_was_removed(session):
    old = time.time() - 60
    for page in session.root.rglob("*.md"):
        os.utime(page, (old, old))
    session.refresh()
    (session.place.folder / "stat.json").unlink()
    session.refresh()
    assert (session.place.folder / "stat.json").is_file()


def test_what_another_process_found_of_pages_is_taken_over(tiny, monkeypatch):
    old = time.time() - 60
    for page in tiny.rglob("*.md"):
        os.utime(page, (old, old))
    monkeypatch.setattr("memlab.store.survey.now_ns", lambda: time.time_ns() + 60 * 10**9)
    with Session(tiny) as one, Session(tiny) as other:
        one.refresh()
        other.refresh()
        (tiny / LOG).write_text("Tea.\n", encoding="utf-8")
        other.refresh()
        reads = []
        read = reader.read
        monkeypatch.setattr(
            reader, "read", lambda root, path, **how: reads.append(path) or read(root, path, **how)
        )
        assert one.refresh().built is False
        assert not reads
