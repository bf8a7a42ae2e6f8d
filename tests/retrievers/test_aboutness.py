import pytest

import memlab
from memlab.retrievers.aboutness import Aboutness

DAYS = {
    f"memory/2025-11-{day:02}.md": "## Retain\n"
    + "".join(f"- W @P{(day + n) % 7} @Q{n % 3}: fact {day} of {n}\n" for n in range(20))
    for day in range(1, 20)
}
EDITS = {
    "a line more": {"memory/2025-11-05.md": DAYS["memory/2025-11-05.md"] + "- B @P1 @New: more\n"},
    "an entity that comes first": {"memory/2025-10-01.md": "## Retain\n- W @Zed: first of all\n"},
    "a page of its own": {"bank/entities/P3.md": "# P3\n\nsaid to be odd\n"},
    "a page less": {"memory/2025-11-19.md": None},
}


def held(workspace):
    """By fact id: the key of the first entity, and whether the fact stands on its page."""
    corpus = workspace.corpus("always")
    about, entities = Aboutness.of(corpus), corpus.arrays.entities
    rows = (corpus.arrays["offsets"] >= 0).nonzero()[0].tolist()
    first = [int(about.first[row]) for row in rows]
    keys = [entities[number][0] if number >= 0 else None for number in first]
    none = (corpus.arrays["offsets"] < 0).nonzero()[0]
    assert (about.first[none] == -1).all()
    assert not about.page[none].any()
    on_page = about.page[rows].tolist()
    return dict(zip(corpus.ids(rows), zip(keys, on_page, strict=True), strict=True))


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_what_is_carried_over_is_what_is_made_anew(pages, edit):
    root = pages(DAYS)
    with memlab.open(root, now="2025-11-30") as workspace:
        assert {key for key, _ in held(workspace).values()} == {f"p{n}" for n in range(7)}
        before = workspace.corpus().snapshot.name
        pages({path: text for path, text in edit.items() if text})
        for path in (path for path, text in edit.items() if text is None):
            (root / path).unlink()
        found = held(workspace)
        assert workspace.corpus().arrays.base == before
        workspace.refresh(full=True)
        assert held(workspace) == found
