"""Files in trouble: each has an outcome, told with its name and the reason; none stops the rest."""

import os
import unicodedata

import pytest

import memlab
from memlab.workspace import reader

NFC, NFD = "Søren é.md", unicodedata.normalize("NFD", "Søren é.md")


def contents(workspace):
    return dict(workspace.facts(refresh="always")[["source", "content"]].itertuples(index=False))


def told(workspace):
    return workspace.status()["troubles"]


def test_names_of_one_spelling_in_two_forms_are_two_pages(pages):
    root = pages({f"bank/entities/{NFC}": "composed\n", f"bank/entities/{NFD}": "decomposed\n"})
    if len(os.listdir(root / "bank/entities")) == 1:
        pytest.skip("needs a file system that tells the forms apart")
    with memlab.open(root) as workspace:
        found = contents(workspace)
        assert sorted(found.values()) == ["composed", "decomposed"]
        for source, content in found.items():
            assert content in str(workspace.show(source))
        assert list(workspace.corpus().lexicon.names) == ["søren é"]


def test_readme_twice_is_two_pages_and_one_of_them_may_go(pages):
    root = pages({"README.md": "upper\n", "readme.md": "lower\n"})
    if len(os.listdir(root)) == 1:
        pytest.skip("needs a file system that tells upper from lower case")
    with memlab.open(root) as workspace:
        assert contents(workspace) == {"README.md#L1": "upper", "readme.md#L1": "lower"}
        (root / "README.md").unlink()
        assert contents(workspace) == {"readme.md#L1": "lower"}


def test_all_troubles_of_files_are_told_at_once_and_the_rest_is_read(pages, tmp_path):
    root = pages({"a.md": "fact\n", "binary.md": b"\x89PNG\0\xff", "latin.md": b"caf\xe9"})
    pages({"large.md": "x" * 200})
    (tmp_path / "secret.md").write_text("secret\n")
    (root / "out.md").symlink_to(tmp_path / "secret.md")
    (root / "dangling.md").symlink_to(root / "absent.md")
    (root / "self.md").symlink_to(root / "self.md")
    (root / "up").symlink_to(root)
    os.mkfifo(root / "pipe.md")
    with memlab.open(root, max_file_bytes=100) as workspace:
        assert contents(workspace) == {"a.md#L1": "fact"}
        assert told(workspace) == [
            "dangling.md: is a link, not followed",
            "out.md: is a link, not followed",
            "pipe.md: is a pipe, socket or device",
            "self.md: is a link, not followed",
            "up: is a link, not followed",
            "binary.md: is binary; left out",
            "large.md: has 200 bytes; the limit is 100; left out",
            "latin.md: is not UTF-8 (byte 3); left out",
        ]


def test_a_workspace_that_is_a_link_itself_is_opened(pages, tmp_path):
    root = pages({"a.md": "fact\n"})
    (tmp_path / "link").symlink_to(root)
    with memlab.open(tmp_path / "link") as workspace:
        assert contents(workspace) == {"a.md#L1": "fact"}


def test_a_page_that_becomes_binary_is_no_page_any_more_and_is_told(pages):
    root = pages({"a.md": "fact\n", "b.md": "other\n"})
    with memlab.open(root) as workspace:
        assert len(contents(workspace)) == 2
        (root / "b.md").write_bytes(b"\0\1\2")
        assert contents(workspace) == {"a.md#L1": "fact"}
        assert told(workspace) == ["b.md: is binary; left out"]
        (root / "b.md").write_text("back\n")
        assert contents(workspace) == {"a.md#L1": "fact", "b.md#L1": "back"}
        assert told(workspace) == []


def test_a_page_that_grows_with_every_read_is_read_as_far_as_it_goes(pages, monkeypatch):
    root = pages({"a.md": "fact\n"})
    real = os.fstat

    def fstat(handle):
        with (root / "a.md").open("a") as log:
            log.write("more\n")
        return real(handle)

    monkeypatch.setattr(os, "fstat", fstat)
    assert reader.read(root, "a.md").text.startswith("fact\nmore\n")


def test_a_folder_that_goes_while_it_is_listed_is_gone(pages, monkeypatch):
    root = pages({"a.md": "fact\n", "b/c.md": "other\n"})
    real = os.scandir

    def scandir(place):
        if str(place) == str(root / "b"):
            raise FileNotFoundError(2, "No such file or directory")
        return real(place)

    with memlab.open(root) as workspace:
        assert len(contents(workspace)) == 2
        monkeypatch.setattr(os, "scandir", scandir)
        assert contents(workspace) == {"a.md#L1": "fact"}
        assert told(workspace) == []


def test_a_page_that_cannot_be_looked_at_is_told_and_stays(pages, monkeypatch):
    root = pages({"a.md": "fact\n"})
    with memlab.open(root) as workspace:
        before = contents(workspace)
        monkeypatch.setattr(reader.Stat, "of", lambda _: os.listdir(os.devnull))
        assert contents(workspace) == before
        assert told(workspace) == ["a.md: cannot be looked at: Not a directory"]
