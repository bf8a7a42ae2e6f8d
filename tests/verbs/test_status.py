import pytest

import memlab
from memlab.errors import MissingExtraError
from memlab.store import duck


@pytest.fixture
def workspace(tiny):
    with memlab.open(tiny, timezone="Europe/Vienna") as opened:
        yield opened


def test_status_says_where_and_how_much(workspace):
    found = workspace.status()
    assert found["workspace"] == str(workspace.root)
    assert found["index"].startswith(str(workspace.root / ".memory" / "index-"))
    assert found["index_bytes"] > 0
    assert (found["pages"], found["facts"]) == (7, 26)
    assert sum(found["kinds"].values()) == found["facts"]
    assert (found["first_day"], found["last_day"]) == ("2025-11-20", "2025-11-27")
    assert (found["retriever"], found["timezone"]) == ("default", "Europe/Vienna")


def test_status_lists_troubles_with_their_lines(workspace):
    (workspace.root / "broken.md").write_bytes(b"caf\xe9")
    first, second = workspace.status()["troubles"]
    assert first == "broken.md: is not UTF-8 (byte 3); left out"
    assert second.startswith("memory/2025-11-27.md#L13: no Retain bullet, kept as experience")


def test_doctor_looks_at_everything_and_changes_no_page(workspace):
    before = {page: page.read_bytes() for page in workspace.root.rglob("*.md")}
    found = {check.name: check.state for check in workspace.doctor()}
    assert found == {
        "workspace": "ok", "index": "ok", "full text": "ok", "pages": "note",
        "retained": "ok", "extras": "ok",
    }  # fmt: skip
    assert {page: page.read_bytes() for page in workspace.root.rglob("*.md")} == before


def test_doctor_reports_a_fault_and_goes_on(workspace, monkeypatch):
    def missing(_):
        raise MissingExtraError("full text search", extra="fts")

    monkeypatch.setattr(duck, "load_fts", missing)
    found = {check.name: check for check in workspace.doctor()}
    assert found["full text"].state == "fault"
    assert "pip install 'memlab[fts]'" in found["full text"].message
    assert found["extras"].state == "ok"


def test_doctor_finds_nothing_wrong_with_sound_pages(pages):
    with memlab.open(pages({"memory.md": "tea\n"})) as opened:
        assert {check.state for check in opened.doctor()} == {"ok"}
