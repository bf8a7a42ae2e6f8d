"""Arrays that were carried over are those that a full build writes, but for the rows' numbers."""

import datetime as dt
import json

import numpy as np
import pytest

import memlab
from memlab.store.arrays import KINDS, ORIGINS

DAYS = {
    f"memory/2025-11-{day:02}.md": "## Retain\n"
    + "".join(f"- W @P{(day + n) % 7}: fact {day} of {n}\n" for n in range(30))
    for day in range(1, 25)
}
DAYS["memory/2025-11-12.md"] += "- W @P1: chair from 1990 to 1995 and in 2001\n"
CHAT = "Ada: how are you?\nBob: fine, and you?\n" * 6


def held(workspace):
    """By fact id: its line, codes and days, conversation, and entities; then the ids in order."""
    corpus = workspace.corpus("always")
    arrays, facts, about = corpus.arrays, {}, {}
    for number, (own, *_) in enumerate(arrays.entities):
        for row in arrays.rows_of(number).tolist():
            about.setdefault(row, []).append(own)
    rows = (arrays["offsets"] >= 0).nonzero()[0].tolist()
    for row in rows:
        line = arrays.line(row)
        assert arrays.id(row) == line[0]
        assert sorted(line[-1]) == sorted(about.get(row, []))
        assert (line[4], line[5]) == (KINDS[arrays["kind"][row]], ORIGINS[arrays["origin"][row]])
        days = [int(arrays[name][row]) for name in ("day", "start", "end", "talk")]
        times = arrays["times"][1:, arrays["times"][0] == row].T.tolist()
        section = int(arrays["section"][row])
        facts[line[0]] = (line, days, times, section, about.get(row, []))
    assert sorted(set(arrays["times"][0].tolist()) - set(rows)) == []
    assert (np.diff(arrays["times"][0]) >= 0).all()
    order = sorted(rows, key=lambda row: arrays["tie"][row])
    assert [arrays.id(row) for row in order] == sorted(facts)
    return facts, arrays.entities


@pytest.fixture
def workspace(pages):
    root = pages(DAYS)
    with memlab.open(root, now="2025-11-30", refresh="always") as opened:
        opened.refresh()
        yield opened


EDITS = {
    "a line more": {"memory/2025-11-05.md": DAYS["memory/2025-11-05.md"] + "- B @P1 @New: more\n"},
    "a page that comes first": {"memory/2025-10-01.md": "- W @Zed: first of all\n"},
    "a name that others mention": {"bank/entities/Fact.md": "---\naliases: [of]\n---\n# Fact\n"},
    "further times": {
        "memory/2025-11-07.md": "- from 1998 to 2001, and since 2004\n",
        "memory/2025-11-01.md": DAYS["memory/2025-11-01.md"] + "- on Nov 3 and Nov 5\n",
    },
    "a repeated fact": {"memory/notes.md": "tea\n\ntea\n\ntea\n"},
    "a conversation": {"memory/2025-11-09.md": CHAT, "memory/2025-11-20.md": CHAT},
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_what_is_carried_over_is_what_is_written_anew(workspace, pages, edit):
    before = workspace.corpus().snapshot.name
    pages(edit)
    found = held(workspace)
    assert workspace.last.parsed == len(edit)
    if "bank/entities/Fact.md" not in edit:  # a name that every fact mentions touches them all
        assert workspace.corpus().arrays.base == before
    workspace.refresh(full=True)
    assert workspace.corpus().arrays.base is None
    assert held(workspace) == found


def test_a_page_that_goes_takes_its_rows_and_entities_along(workspace, pages):
    pages({"memory/2025-11-25.md": "- W @Only @P3: here\n"})
    assert "only" in dict(row[:2] for row in held(workspace)[1])
    (workspace.root / "memory/2025-11-25.md").unlink()
    (workspace.root / "memory/2025-11-01.md").unlink()
    found = held(workspace)
    assert "only" not in dict(row[:2] for row in found[1])
    workspace.refresh(full=True)
    assert held(workspace) == found


def test_only_what_was_touched_is_told(workspace, pages):
    pages({"memory/2025-11-25.md": "## Retain\n- W @P3: new\n- W @P4: newer\n"})
    arrays = workspace.corpus("always").arrays
    assert [arrays.line(row)[6] for row in arrays["touched"].tolist()] == ["new", "newer"]


def test_a_snapshot_without_sound_arrays_is_not_carried_over_from(workspace, pages):
    folder = workspace.corpus().arrays.folder
    workspace.close()
    note = json.loads((folder / "seal.json").read_text())
    note["sizes"]["tie.npy"] += 1
    (folder / "seal.json").write_text(json.dumps(note))
    pages(EDITS["a line more"])
    found = held(workspace)
    assert workspace.corpus().arrays.base is None
    workspace.refresh(full=True)
    assert held(workspace) == found


def test_the_times_of_facts_that_go_go_with_them(workspace, pages):
    before = workspace.corpus().arrays["times"]
    year = [day.toordinal() for day in (dt.date(1990, 1, 1), dt.date(1995, 12, 31))]
    assert before[1:, 0].tolist() == year
    assert before.shape == (3, 1)  # "in 2001" is the fact's own time
    pages({"memory/2025-11-12.md": DAYS["memory/2025-11-11.md"]})
    assert workspace.corpus("always").arrays["times"].shape == (3, 0)


def test_a_section_is_the_headings_of_one_page(workspace, pages):
    text = "# A\n\none\n\ntwo\n\n## B\n\nthree\n"
    pages({"memory/a.md": text, "memory/b.md": text})
    corpus = workspace.corpus("always")
    section = corpus.arrays["section"]
    rows = [
        row
        for row in range(len(section))
        if corpus.arrays["offsets"][row] >= 0 and corpus.arrays.line(row)[1][7] in "ab"
    ]
    one, two, three, *others = section[rows].tolist()
    assert one == two != three
    assert others[0] == others[1] != others[2]
    assert {one, three}.isdisjoint(others)
