"""The typed pages: a part of what lasts after a person's text."""

import pytest

import memlab
from memlab.verbs import reflect as verb
from memlab.verbs.promote import lasting, line_of, typed_pages
from memlab.workspace import parts
from memlab.workspace.slots import claims

WORLD, EXPERIENCE = "bank/world.md", "bank/experience.md"
MAKERS = verb.MAKERS
LOG = """\
## Retain

- W @Peter: lives in Paris
- W @Peter: is allergic to cats
- B @Peter: Peter fell because of the ice
"""


@pytest.fixture(autouse=True)
def _typed_pages_alone(monkeypatch):
    monkeypatch.setattr(verb, "MAKERS", (typed_pages,))


def test_reflect_makes_the_typed_pages():
    assert typed_pages in MAKERS


@pytest.fixture
def workspace(pages):
    with memlab.open(pages({"memory/2025-11-27.md": LOG}), now="2025-11-30") as opened:
        yield opened


def ids(workspace):
    facts = workspace.facts(refresh="always")
    return {content: id_ for id_, content in facts["content"].items()}


def text(workspace, path=WORLD):
    return (workspace.root / path).read_text(encoding="utf-8")


def promoted(workspace, path=WORLD):
    return parts.find(text(workspace, path)).get("promoted").body.splitlines()


def test_what_lasts_is_listed_verbatim_with_day_and_id(workspace):
    found = ids(workspace)
    changes = {change.path: change for change in workspace.reflect().changes}
    assert promoted(workspace) == sorted(
        (f"- Peter: {words} (2025-11-27, {found[words]})"
         for words in ("lives in Paris", "is allergic to cats")),
        key=lambda line: line[-13:],
    )  # fmt: skip
    fell = "Peter fell because of the ice"
    assert promoted(workspace, EXPERIENCE) == [f"- {fell} (2025-11-27, {found[fell]})"]
    assert text(workspace).startswith("# World\n\n<!-- memlab:begin promoted ")
    assert changes[WORLD].reason == "2 facts that last, the newest of 2025-11-27"
    assert changes[WORLD].before is None


def test_a_persons_text_stays_byte_for_byte_before_the_part(workspace, pages):
    pages({WORLD: b"# World\r\n\r\nWhat holds.  \r\n"})
    workspace.reflect()
    raw = (workspace.root / WORLD).read_bytes()
    assert raw.startswith(b"# World\r\n\r\nWhat holds.  \r\n\r\n<!-- memlab:begin promoted ")
    assert raw.count(b"\n") == raw.count(b"\r\n")


def test_a_second_reflect_changes_nothing(workspace):
    workspace.reflect()
    assert workspace.reflect(now="2026-12-31").changes == ()


def test_what_was_superseded_is_struck_through_with_what_took_its_place(workspace):
    workspace.reflect()
    workspace.retain("W @Peter: moved to Berlin", now="2025-12-03")
    done = {
        change.path: change for change in workspace.reflect(since="7d", now="2025-12-03").changes
    }
    found = ids(workspace)
    lines = promoted(workspace)
    assert f"- ~~Peter: lives in Paris~~ → {found['moved to Berlin']}" in lines
    assert lines[-1] == f"- Peter: moved to Berlin (2025-12-03, {found['moved to Berlin']})"
    assert done[WORLD].reason == "3 facts that last, 1 of them superseded, the newest of 2025-12-03"


def test_a_part_that_a_person_edited_is_left_alone_and_reported(workspace):
    workspace.reflect()
    edited = text(workspace).replace("allergic to cats", "allergic to dogs")
    (workspace.root / WORLD).write_text(edited, encoding="utf-8")
    workspace.retain("W @Peter: works at Acme", now="2025-12-03")
    done = workspace.reflect()
    assert text(workspace) == edited
    assert any("a person edited the part 'promoted'" in str(one) for one in done.troubles)


def test_a_part_that_a_person_took_out_stays_out(workspace):
    workspace.reflect()
    lines = text(workspace).splitlines(keepends=True)
    part = parts.find(text(workspace)).get("promoted")
    bare = "".join(lines[: part.start - 1] + lines[part.end :])
    (workspace.root / WORLD).write_text(bare, encoding="utf-8")
    workspace.reflect()
    workspace.retain("W @Peter: works at Acme", now="2025-12-03")
    workspace.reflect()
    found = parts.find(text(workspace))
    assert "promoted" in found.off
    assert found.get("promoted") is None


def test_a_page_with_a_faulty_marker_is_not_written(workspace):
    workspace.reflect()
    broken = text(workspace).replace("<!-- memlab:end promoted -->\n", "")
    (workspace.root / WORLD).write_text(broken, encoding="utf-8")
    workspace.retain("W @Peter: works at Acme", now="2025-12-03")
    done = workspace.reflect()
    assert text(workspace) == broken
    assert any(one.path == WORLD and "not written" in one.message for one in done.troubles)


def test_a_page_of_another_case_is_the_page(workspace, pages):
    pages({"bank/World.md": "# Our world\n"})
    workspace.reflect()
    assert text(workspace, "bank/World.md").startswith("# Our world\n\n<!-- memlab:begin promoted")
    assert not (workspace.root / WORLD).exists() or (workspace.root / WORLD).samefile(
        workspace.root / "bank/World.md"
    )


def test_nothing_is_promoted_from_what_is_no_evidence(pages):
    root = pages({
        "bank/opinions.md": "- W @Peter: lives in Rome\n",
        "memory/note.md": "## Retain\n- W @Peter: lives in Oslo\n",
        "memory/2025-11-27.md": "## Retain (proposed)\n- W @Peter: lives here <!-- from L1 -->\n",
    })  # fmt: skip
    with memlab.open(root) as workspace:
        assert [change.path for change in workspace.reflect().changes if change.path == WORLD] == []


def test_pages_of_a_fixture_read_back_without_trouble_and_are_generated(harbour):
    with memlab.open(harbour, now="2025-11-30") as workspace:
        before = workspace.status(refresh="always")
        workspace.reflect()
        after = workspace.status(refresh="always")
        assert after["troubles"] == before["troubles"]
        hits = workspace.recall("Ingrid is allergic to penicillin", k=20)
        assert not [hit for hit in hits if hit.fact.origin == "generated"]


def test_a_line_has_the_name_where_the_words_lack_it(workspace):
    from memlab.store import evidence

    lives = next(f for f in evidence.find(workspace.corpus()) if f.content == "lives in Paris")
    (one,) = lasting([lives], {lives.id: claims(lives.content, ["Peter"])})
    assert line_of(one) == f"- Peter: lives in Paris (2025-11-27, {lives.id})"
    assert line_of(one, "f-x") == "- ~~Peter: lives in Paris~~ → f-x"


def test_a_part_that_a_person_edited_can_be_taken_back(workspace):
    workspace.reflect()
    written = text(workspace)
    edited = written.replace("allergic to cats", "allergic to dogs")
    (workspace.root / WORLD).write_text(edited, encoding="utf-8")
    (withheld,) = workspace.reflect().withheld
    assert withheld.name == f"{WORLD}#promoted"
    assert "allergic to cats" in withheld.diff()
    workspace.reflect(take_back=withheld.name)
    assert text(workspace) == written
