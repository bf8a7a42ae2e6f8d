import os
import threading

import pytest

from memlab.errors import StoreError
from memlab.store.hold import SEAL, Hold
from memlab.store.place import FOLDER, Place, arrays_of, replace_text


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


def snapshot(place, fingerprint):
    file = place.free(fingerprint)
    file.write_text(fingerprint)
    file.with_suffix(".duckdb-fts").write_text("derived")
    return file


def test_the_folder_lies_in_the_workspace_and_ignores_itself(place, tmp_path):
    assert place.folder == tmp_path / FOLDER
    assert (place.folder / ".gitignore").read_text().splitlines()[-1] == "*"


def test_there_is_no_snapshot_at_first(place):
    assert place.current() is None


def test_a_switch_keeps_one_snapshot_before_and_removes_the_older(place):
    place.switch(first := snapshot(place, "aaaa"))
    assert (place.current(), place.previous()) == (first, None)
    place.switch(second := snapshot(place, "bbbb"))
    place.switch(third := snapshot(place, "cccc"))
    assert (place.current(), place.previous()) == (third, second)
    assert sorted(file.name for file in place.folder.glob("index-*")) == [
        "index-bbbb-1.duckdb",
        "index-bbbb-1.duckdb-fts",
        "index-cccc-1.duckdb",
        "index-cccc-1.duckdb-fts",
    ]


def test_a_switch_removes_no_snapshot_that_a_reader_holds(place):
    held = snapshot(place, "aaaa")
    arrays_of(held).mkdir()
    (arrays_of(held) / SEAL).write_text("{}")
    hold = Hold(arrays_of(held) / SEAL)
    place.switch(held)
    for name in ("bbbb", "cccc"):
        place.switch(snapshot(place, name))
    assert held.exists()
    hold.release()
    place.switch(snapshot(place, "dddd"))
    assert not held.exists()


@pytest.mark.parametrize(
    "text", ["", "index-gone.duckdb", "../other.duckdb", "index-/../x", "\xff"]
)
def test_a_pointer_to_nothing_is_no_snapshot(place, text):
    (place.folder / "CURRENT").write_bytes(text.encode("latin-1"))
    assert place.current() is None


def test_what_is_built_aside_is_removed_unless_moved_out(place):
    with place.aside() as folder:
        (folder / "kept").write_text("kept")
        (folder / "kept").rename(place.folder / "kept")
        (folder / "scrap").write_text("scrap")
    assert not folder.exists()
    assert (place.folder / "kept").read_text() == "kept"


def test_leftovers_of_a_crash_are_removed_after_a_day(place):
    fresh, stale = place.folder / ".building-fresh", place.folder / ".building-stale"
    for folder in (fresh, stale):
        folder.mkdir()
    os.utime(stale, (0, 0))
    with place.aside():
        pass
    assert (fresh.exists(), stale.exists()) == (True, False)


def test_every_bump_changes_the_generation(place):
    seen = {place.generation()}
    for _ in range(3):
        place.bump()
        seen.add(place.generation())
    assert len(seen) == 4


def test_a_lock_that_is_held_too_long_is_an_error_that_names_it(place):
    held, done = threading.Event(), threading.Event()

    def hold():
        with place.lock():
            held.set()
            done.wait(10)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(10)
    with pytest.raises(StoreError, match=r"lock: another process has been writing"):  # noqa: SIM117
        with place.lock(timeout=0.05):
            pass
    done.set()
    holder.join()
    with place.lock(timeout=5):
        pass


def test_a_read_only_workspace_uses_the_users_cache(tmp_path, monkeypatch):
    cache = tmp_path / "cache"
    root = tmp_path / "notes"
    root.mkdir()
    monkeypatch.setattr(os, "access", lambda *_: False)
    place = Place(root)
    assert place.folder.is_relative_to(cache)
    assert place.folder.name.startswith("notes-")
    assert Place(root).folder == place.folder
    other = tmp_path / "other" / "notes"
    other.mkdir(parents=True)
    assert Place(other).folder != place.folder


def test_where_no_folder_can_be_made_is_an_error(tmp_path, monkeypatch):
    (tmp_path / "cache").write_text("a file stands in the way")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(StoreError, match="no folder for derived files"):
        Place(tmp_path)


def test_a_text_that_cannot_be_replaced_leaves_nothing_behind(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(5, "Input/output error")

    (tmp_path / "CURRENT").write_text("old")
    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="Input/output"):
        replace_text(tmp_path / "CURRENT", "new")
    assert os.listdir(tmp_path) == ["CURRENT"]
    assert (tmp_path / "CURRENT").read_text() == "old"
