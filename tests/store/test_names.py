import pytest

import memlab

FIRST, LATER, LAST = (f"memory/2025-11-{day}.md" for day in (10, 20, 28))
PAGES = {
    FIRST: "## Retain\n- W @The-Castle: stands\n- W @anna: sang\n",
    LATER: "## Retain\n- W @the_castle: fell\n- W @ANNA: left\n- W @Tom: came\n",
}


def names(workspace):
    """Names to show, in their order, as the change left them and as a full build has them."""
    found = list(workspace.corpus("always").lexicon.names.values())
    rows = workspace.corpus().connection.execute("FROM names ORDER BY ALL").fetchall()
    workspace.refresh(full=True)
    assert list(workspace.corpus().lexicon.names.values()) == found
    assert workspace.corpus().connection.execute("FROM names ORDER BY ALL").fetchall() == rows
    return found


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ({}, ["The-Castle", "anna", "Tom"]),
        ({LAST: "## Retain\n- W @Zoe @tom: met\n"}, ["The-Castle", "anna", "Tom", "Zoe"]),
        ({FIRST: "## Retain\n- W @anna: sang\n"}, ["anna", "the_castle", "Tom"]),
        ({FIRST: "nothing\n"}, ["the_castle", "ANNA", "Tom"]),
        ({FIRST: "## Retain\n- W @Tom: first\n"}, ["Tom", "the_castle", "ANNA"]),
        ({LATER: "nothing\n"}, ["The-Castle", "anna"]),
        ({"memory/2025-01-01.md": "with @ANNA\n"}, ["ANNA", "The-Castle", "Tom"]),
    ],
)
def test_the_first_spelling_is_shown_whatever_changed(pages, edits, expected):
    root = pages(PAGES)
    with memlab.open(root, now="2025-11-30") as workspace:
        workspace.refresh()
        pages(edits)
        assert names(workspace) == expected
