import pytest

import memlab
from memlab.errors import ParameterError, WriteError
from memlab.workspace import parts, writer

PAGE = "bank/entities/Peter.md"
LOG = """\
## Retain

- W @Peter: lives in Graz
- O(c=0.9) @Peter: tea is best
- B @Peter: I ordered tea for him
"""


@pytest.fixture
def workspace(pages):
    with memlab.open(pages({"memory/2025-11-27.md": LOG}), now="2025-11-30") as opened:
        yield opened


def page(workspace):
    return (workspace.root / PAGE).read_text(encoding="utf-8")


def write(workspace, text):
    (workspace.root / PAGE).write_text(text, encoding="utf-8")


def state(root):
    """Every file that a person may have written: bytes and time."""
    return {file: (file.read_bytes(), file.stat().st_mtime_ns) for file in root.rglob("*.md")}


def ids(workspace):
    return {hit.fact.content: hit.fact.id for hit in workspace.recall("Graz tea ordered")}


def pages_of(done):
    """The pages of entities among the changes."""
    return [change for change in done.changes if change.path.startswith("bank/entities/")]


def test_an_entity_that_three_facts_name_gets_a_page(workspace):
    (change,) = pages_of(workspace.reflect())
    assert (change.path, change.before) == (PAGE, None)
    assert change.reason == "3 facts of evidence, the newest of 2025-11-27"
    found = ids(workspace)
    world, opinion, experience = ("lives in Graz", "tea is best", "I ordered tea for him")
    assert page(workspace).startswith("---\nname: Peter\n---\n\n# Peter\n\n<!-- memlab:begin sum")
    assert parts.find(page(workspace)).get("summary").body.splitlines() == [
        "## Summary", "", f"- {world} (2025-11-27, {found[world]})",
        f"- {experience} (2025-11-27, {found[experience]})",
    ]  # fmt: skip
    timeline = parts.find(page(workspace)).get("timeline").body.splitlines()
    assert timeline[:4] == ["## Timeline", "", "### 2025-11", ""]
    assert sorted(timeline[4:]) == sorted([
        f"- 2025-11-27: {world} ({found[world]})",
        f"- 2025-11-27: {opinion} (opinion 0.90, {found[opinion]})",
        f"- 2025-11-27: {experience} ({found[experience]})",
    ])  # fmt: skip


def test_opinions_and_those_met_together_have_parts_of_their_own(workspace):
    for number in range(2):
        workspace.retain(f"B @Peter @[The Castle]: carried box {number} up")
    workspace.retain("B @Peter @Andy: sailed")
    workspace.reflect()
    found = parts.find(page(workspace))
    assert [part.name for part in found.found] == [
        "summary", "timeline", "opinions", "related", "known",
    ]  # fmt: skip
    title, _, line = found.get("opinions").body.splitlines()
    assert title == "## Opinions"
    assert line.startswith("- **0.90** Peter: tea is best (o-")
    assert found.get("related").body == "## Related\n\n- The Castle"


def test_of_facts_that_say_the_same_a_summary_has_the_newest(workspace):
    workspace.retain("W @Peter: lives in Graz, Austria", now="2025-11-29")
    workspace.reflect()
    found = parts.find(page(workspace))
    assert "lives in Graz, Austria (2025-11-29" in found.get("summary").body
    assert "lives in Graz (" not in found.get("summary").body
    assert "lives in Graz (" in found.get("timeline").body


def test_two_facts_are_too_few_for_a_page(pages):
    root = pages({"memory/2025-11-27.md": LOG.rsplit("- B", 1)[0]})
    with memlab.open(root) as workspace:
        assert pages_of(workspace.reflect()) == []


def test_a_page_that_stands_is_brought_up_to_date_whatever_its_evidence(pages):
    root = pages({PAGE: "# Peter\n\nA printer.\n",
                  "memory/2025-11-27.md": "## Retain\n- W @Peter: prints\n"})  # fmt: skip
    with memlab.open(root) as workspace:
        workspace.reflect()
        assert page(workspace).startswith("# Peter\n\nA printer.\n\n<!-- memlab:begin summary")


def test_a_second_reflect_changes_no_file(harbour):
    with memlab.open(harbour, now="2025-11-30") as workspace:
        assert len(pages_of(workspace.reflect())) == 14
        before = state(harbour)
        assert workspace.reflect(now="2026-12-31").changes == ()
        assert workspace.reflect().diff() == ""
        assert state(harbour) == before


def test_a_dry_run_writes_nothing_and_shows_a_diff(workspace):
    before = state(workspace.root)
    done = workspace.reflect(dry_run=True)
    assert state(workspace.root) == before
    assert done.written is False
    lines = done.diff().splitlines()
    assert lines[:3] == ["--- /dev/null", f"+++ b/{PAGE}", lines[2]]
    assert "+name: Peter" in lines
    reason = "3 facts of evidence, the newest of 2025-11-27"
    assert {"path": PAGE, "reason": reason, "new": True} in done.to_dict()["changes"]
    assert [change["path"] for change in done.to_dict()["changes"]][1:] == [
        "bank/opinions.md", "bank/world.md",
    ]  # fmt: skip


def test_a_diff_marks_a_page_without_a_final_newline(pages):
    root = pages({PAGE: "# Peter", "memory/2025-11-27.md": "## Retain\n- W @Peter: prints\n"})
    with memlab.open(root) as workspace:
        assert workspace.reflect(dry_run=True).diff().splitlines()[3:7] == [
            "-# Peter", "\\ No newline at end of file", "+# Peter", "+",
        ]  # fmt: skip


def test_a_part_that_a_person_edited_is_left_alone(workspace):
    workspace.reflect()
    edited = page(workspace).replace("lives in Graz", "lives in Vienna", 1)
    write(workspace, edited)
    workspace.retain("W @Peter: moved to Linz")
    done = workspace.reflect()
    (trouble,) = done.troubles
    assert str(trouble) == f"{PAGE}#L7: a person edited the part 'summary'; it is left as it is"
    before, after = (parts.find(text).get("summary").body for text in (edited, page(workspace)))
    assert before == after
    assert "moved to Linz" in parts.find(page(workspace)).get("timeline").body


def test_words_around_the_parts_stay_byte_for_byte(workspace):
    workspace.reflect()
    text = f"before\r\n{page(workspace)}after  \r\nno final newline"
    (workspace.root / PAGE).write_bytes(text.replace("\r\n", "\n").replace("\n", "\r\n").encode())
    workspace.retain("W @Peter: moved to Linz")
    workspace.reflect()
    raw = (workspace.root / PAGE).read_bytes()
    assert raw.startswith(b"before\r\n---\r\nname: Peter\r\n")
    assert raw.endswith(b"<!-- memlab:end known -->\r\nafter  \r\nno final newline")
    assert raw.count(b"\n") == raw.count(b"\r\n")


def test_a_part_that_a_person_took_out_stays_out(workspace):
    workspace.reflect()
    found = parts.find(page(workspace))
    lines, part = page(workspace).splitlines(keepends=True), found.get("timeline")
    write(workspace, "".join(lines[: part.start - 1] + lines[part.end :]))
    workspace.reflect()
    assert set(parts.find(page(workspace)).off) == {"timeline"}
    workspace.retain("W @Peter: moved to Linz")
    workspace.reflect()
    after = parts.find(page(workspace))
    assert [part.name for part in after.found] == ["summary", "opinions", "known"]
    assert after.off.keys() == {"timeline"}


def test_a_page_with_a_faulty_marker_is_reported_and_not_written(workspace):
    workspace.reflect()
    broken = page(workspace).replace("<!-- memlab:end summary -->\n", "")
    write(workspace, broken)
    workspace.retain("W @Peter: moved to Linz")
    done = workspace.reflect()
    assert pages_of(done) == []
    assert page(workspace) == broken
    assert str(done.troubles[0]).startswith(f"{PAGE}#L13: not written: the part 'timeline' begins")


def test_a_page_that_cannot_be_read_is_reported_and_the_others_are_written(workspace, pages):
    pages({"bank/entities/Andy.md": "# Andy\n".encode("utf-16")})
    workspace.retain("W @Andy: counts paper")
    done = workspace.reflect()
    assert [change.path for change in pages_of(done)] == [PAGE]
    assert [trouble.path for trouble in done.troubles] == ["bank/entities/Andy.md"]


def test_nothing_generated_is_evidence(workspace, pages):
    """Facts in bank/ name Andy three times, and generated parts name Peter again and again."""
    pages({"bank/world.md": "## Retain\n- W @Andy: a\n- W @Andy: b\n- W @Andy: c\n"})
    workspace.reflect()
    first = page(workspace)
    workspace.reflect()
    assert page(workspace) == first
    assert not (workspace.root / "bank/entities/Andy.md").exists()


def test_a_superseded_fact_is_no_summary_but_stays_in_the_timeline(workspace):
    old = ids(workspace)["lives in Graz"]
    with (workspace.root / "memory/2025-11-28.md").open("w", encoding="utf-8") as log:
        log.write(f"## Retain\n- W @Peter: lives in Linz <!-- supersedes {old} -->\n")
    workspace.reflect()
    found = parts.find(page(workspace))
    assert old not in found.get("summary").body
    assert old in found.get("timeline").body


def test_a_summary_has_seven_bullets_worlds_before_experiences(workspace):
    for what in ("ink", "paper", "boats", "maps", "stamps", "glue", "twine"):
        workspace.retain(f"W @Peter: owns {what}", now="2025-11-28")
    workspace.reflect()
    bullets = parts.find(page(workspace)).get("summary").body.splitlines()[2:]
    assert len(bullets) == 7
    assert all("owns " in bullet for bullet in bullets)


@pytest.mark.parametrize(("since", "changes"), [("7d", 1), ("2025-11-28", 0), (None, 1)])
def test_since_chooses_entities_and_not_what_they_see(workspace, since, changes):
    done = pages_of(workspace.reflect(since=since))
    assert len(done) == changes
    assert not changes or "3 facts" in done[0].reason


def test_since_must_be_a_day(workspace):
    with pytest.raises(ParameterError, match="since: 'soon' is no day"):
        workspace.reflect(since="soon")


def test_a_page_that_changes_while_reflect_runs_is_not_overwritten(workspace, monkeypatch):
    pages_before = writer.replace

    def replace(path, text, *, expected):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("saved meanwhile\n")
        pages_before(path, text, expected=expected)

    monkeypatch.setattr(writer, "replace", replace)
    with pytest.raises(WriteError, match="changed by somebody else meanwhile"):
        workspace.reflect()
    assert page(workspace) == "saved meanwhile\n"


@pytest.mark.parametrize("name", ["C:drive", "a/b", "yes", "a: b", "#tag", "မောင်မောင်", "CON"])
def test_an_entity_of_any_name_gets_a_page_that_is_its_own(pages, name):
    facts = "".join(f"- W @[{name}]: fact {number}\n" for number in range(3))
    root = pages({"memory/2025-11-27.md": f"## Retain\n{facts}"})
    with memlab.open(root) as workspace:
        (change,) = pages_of(workspace.reflect())
        assert workspace.reflect().changes == ()
        corpus = workspace.corpus("always")
        assert corpus.lexicon.pages == {corpus.lexicon.resolve(name): change.path}
        assert list(corpus.lexicon.names.values()) == [name]
