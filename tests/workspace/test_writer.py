import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlab.errors import WriteError
from memlab.workspace.writer import append, line_ending, read_text, replace


@pytest.fixture
def page(tmp_path):
    return tmp_path / "page.md"


def test_an_append_makes_the_file_and_its_folder(tmp_path):
    place = tmp_path / "memory" / "2025-11-27.md"
    assert append(place, lambda there: f"{there}one\ntwo\n") == 2
    assert place.read_bytes() == b"one\ntwo\n"


def test_an_append_changes_no_byte_before_it(page):
    page.write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    seen = []
    assert append(page, lambda there: seen.append(there) or "three\n") == 3
    assert seen == ["one\ntwo\n"]
    assert page.read_bytes() == b"\xef\xbb\xbfone\r\ntwo\r\nthree\r\n"


def test_an_append_is_made_again_to_a_file_that_was_replaced_meanwhile(page):
    page.write_text("old\n")
    seen = []

    def compose(there):
        if not seen:  # an editor saves while the text is composed
            new = page.with_suffix(".new")
            new.write_text("edited\n")
            os.replace(new, page)
        seen.append(there)
        return "fact\n"

    assert append(page, compose) == 2
    assert seen == ["old\n", "edited\n"]
    assert page.read_text() == "edited\nfact\n"


def test_an_append_beside_another_writers_gives_its_true_line(page):
    page.write_text("one\n")

    def compose(_):
        with page.open("a") as other:
            other.write("theirs\n")
        return "mine\n"

    assert append(page, compose) == 3
    assert page.read_text() == "one\ntheirs\nmine\n"


def test_an_append_that_is_never_left_alone_gives_up(page, monkeypatch):
    monkeypatch.setattr("memlab.workspace.writer._PATIENCE", 0)

    def compose(_):
        page.unlink(missing_ok=True)
        return "fact\n"

    with pytest.raises(WriteError, match="replaced again and again"):
        append(page, compose)


def test_nothing_is_written_to_a_file_that_is_not_utf8(page):
    page.write_bytes(b"caf\xe9\n")
    for write in (lambda: append(page, str), lambda: replace(page, "", expected="")):
        with pytest.raises(WriteError, match="is not UTF-8, so nothing is written"):
            write()
    assert page.read_bytes() == b"caf\xe9\n"


def test_a_replaced_file_keeps_mode_line_endings_and_bom(page):
    page.write_bytes(b"\xef\xbb\xbfone\r\ntwo")
    page.chmod(0o640)
    replace(page, "one\nthree", expected="one\ntwo")
    assert page.read_bytes() == b"\xef\xbb\xbfone\r\nthree"
    assert stat.S_IMODE(page.stat().st_mode) == 0o640
    assert os.listdir(page.parent) == [page.name]


def test_a_new_file_has_the_mode_that_the_umask_leaves(page):
    before = os.umask(0o027)
    try:
        replace(page, "one\n", expected=None)
    finally:
        os.umask(before)
    assert stat.S_IMODE(page.stat().st_mode) == 0o640  # 666 less 027


@pytest.mark.parametrize(("there", "expected"), [("new", "old"), ("new", None), (None, "old")])
def test_a_file_that_somebody_changed_is_not_replaced(page, there, expected):
    if there is not None:
        page.write_text(there)
    with pytest.raises(WriteError, match="changed by somebody else"):
        replace(page, "mine", expected=expected)
    assert (page.read_text() if page.exists() else None) == there


def test_a_replace_that_fails_leaves_what_stood_there(page, monkeypatch):
    page.write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WriteError, match="cannot be written: No space left"):
        replace(page, "new", expected="old")
    assert page.read_text() == "old"
    assert os.listdir(page.parent) == [page.name]


@pytest.mark.parametrize(
    ("raw", "ending"),
    [(b"", "\n"), (b"a", "\n"), (b"a\r\nb\n", "\n"), (b"a\r\nb\r\nc\n", "\r\n"), (b"a\rb\r", "\r")],
)
def test_the_line_ending_is_that_of_most_lines(raw, ending):
    assert line_ending(raw) == ending


@given(raw=st.binary())
def test_text_is_read_with_lf_or_not_at_all(tmp_path_factory, raw):
    page = tmp_path_factory.mktemp("page") / "a.md"
    page.write_bytes(raw)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        with pytest.raises(WriteError, match="not UTF-8"):
            read_text(page)
    else:
        assert read_text(page) == text.replace("\r\n", "\n").replace("\r", "\n")


def test_no_file_has_no_text(page):
    assert read_text(page) is None
