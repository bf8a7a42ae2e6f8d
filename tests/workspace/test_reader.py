import codecs
import os
from pathlib import Path

import pytest

from memlab.errors import WorkspaceError
from memlab.workspace.reader import UnreadableError, UnusableError, read, scan


def denied(*_, **__):
    raise PermissionError(13, "Permission denied")


@pytest.fixture
def deny_folder(monkeypatch):
    """Makes one folder unlistable, also for root."""

    def deny(folder):
        real = os.scandir
        monkeypatch.setattr(
            os, "scandir", lambda place: denied() if str(place) == str(folder) else real(place)
        )

    return deny


def test_all_pages_are_listed_in_the_order_of_their_paths(pages):
    root = pages({"b.md": "b", "a/c.MD": "c", "a.txt": "", ".hidden/d.md": "d", ".memory/e.md": ""})
    assert list(scan(root).files) == ["a/c.MD", "b.md"]


def test_names_that_differ_in_case_only_are_two_pages(pages):
    root = pages({"README.md": "upper", "readme.md": "lower"})
    if len(os.listdir(root)) == 1:
        pytest.skip("needs a file system that tells upper from lower case")
    assert list(scan(root).files) == ["README.md", "readme.md"]


def test_links_are_reported_and_not_followed(pages, tmp_path):
    root = pages({"a.md": "a"})
    (tmp_path / "outside").mkdir()
    (root / "page.md").symlink_to(root / "a.md")
    (root / "folder").symlink_to(tmp_path / "outside")
    (root / "loop").symlink_to(root)
    (root / "picture.png").symlink_to(root / "a.md")
    listing = scan(root)
    assert list(listing.files) == ["a.md"]
    assert [str(trouble) for trouble in listing.troubles] == [
        "folder: is a link, not followed",
        "loop: is a link, not followed",
        "page.md: is a link, not followed",
    ]


def test_a_folder_named_like_a_page_is_a_folder(pages):
    assert list(scan(pages({"notes.md/a.md": "a"})).files) == ["notes.md/a.md"]


def test_a_folder_that_cannot_be_listed_hides_its_pages(pages, deny_folder):
    root = pages({"a.md": "a", "shut/b.md": "b", "shutter.md": "c"})
    deny_folder(root / "shut")
    listing = scan(root)
    assert list(listing.files) == ["a.md", "shutter.md"]
    assert listing.hides("shut/b.md")
    assert not listing.hides("shutter.md")
    assert [str(t) for t in listing.troubles] == ["shut: cannot be listed: Permission denied"]


def test_a_root_that_cannot_be_listed_is_an_error(tmp_path, deny_folder):
    deny_folder(tmp_path / "")
    with pytest.raises(WorkspaceError, match="cannot be listed: Permission denied"):
        scan(tmp_path)


def test_a_name_that_is_not_utf8_is_reported(pages):
    root = pages({"a.md": "a"})
    (root / os.fsdecode(b"\xff.md")).write_text("b")
    listing = scan(root)
    assert list(listing.files) == ["a.md"]
    assert "has a name that is not UTF-8" in listing.troubles[0].message


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"plain", "plain"),
        (codecs.BOM_UTF8 + b"with BOM\r\n", "with BOM\r\n"),
        (codecs.BOM_UTF16_LE + "Søren".encode("utf-16-le"), "Søren"),
        (codecs.BOM_UTF16_BE + "မောင်".encode("utf-16-be"), "မောင်"),
        (b"", ""),
    ],
)
def test_a_page_is_read_as_unicode(pages, raw, text):
    assert read(pages({"a.md": raw}), "a.md").text == text


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"caf\xe9", r"is not UTF-8 \(byte 3\)"),
        (b"\x89PNG\0\xff", "is binary"),
        (b"a\0b", "is binary"),
        (codecs.BOM_UTF16_LE + b"a", "is not UTF-8|is binary"),
        (b"x" * 101, "has 101 bytes; the limit is 100"),
    ],
)
def test_what_is_no_page_says_why(pages, raw, message):
    with pytest.raises(UnusableError, match=message):
        read(pages({"a.md": raw}), "a.md", max_bytes=100)


def test_a_page_that_is_gone_or_cannot_be_read_now_are_two_things(pages, monkeypatch):
    root = pages({"a.md": "a"})
    with pytest.raises(FileNotFoundError):
        read(root, "b.md")
    monkeypatch.setattr(Path, "open", denied)
    with pytest.raises(UnreadableError, match="cannot be read: Permission denied"):
        read(root, "a.md")


def test_a_page_that_changes_during_the_read_is_read_again(pages, monkeypatch):
    root = pages({"a.md": "old"})
    real, calls = os.fstat, []

    def fstat(handle):
        if len(calls) == 1:  # between the first stat and the second
            (root / "a.md").write_text("new, and longer")
        calls.append(handle)
        return real(handle)

    monkeypatch.setattr(os, "fstat", fstat)
    assert read(root, "a.md").text == "new, and longer"
    assert len(calls) == 4
