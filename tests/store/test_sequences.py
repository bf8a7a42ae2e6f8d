"""However the pages came to be as they are, the index is the one that is built from nothing."""

import shutil
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import memlab

NOW = "2025-11-30"
PATHS = [
    "memory/2025-11-26.md", "memory/2025-11-27.md", "memory/notes/a.md", "memory.md",
    "bank/entities/Peter.md", "bank/entities/Pan.md", "bank/opinions.md",
]  # fmt: skip
LINES = [
    "- W @Peter: lives in Graz", "- O(c=0.6) @Andy: tea is best", "- W @Pan: flew yesterday",
    "- B: Pete and the printer met", "tea for Peter Pan", "[[Andy]] came", "- X @Peter: no kind",
    "## Retain", "# Peter", "# Pan", "",
]  # fmt: skip
ALIASES = ["", "---\naliases: [Pete, the printer]\n---\n", "---\nname: Andy\naliases: [Pan]\n---\n"]
QUESTIONS = ["where does Peter live", "tea", "who flew", "the printer", "Andy @Pan"]

_texts = st.builds(
    lambda head, lines: head + "\n".join(lines) + "\n",
    st.sampled_from(ALIASES),
    st.lists(st.sampled_from(LINES), max_size=5),
)
_edits = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(PATHS), _texts),
    st.tuples(st.just("delete"), st.sampled_from(PATHS), st.none()),
    st.tuples(st.just("rename"), st.sampled_from(PATHS), st.sampled_from(PATHS)),
    st.tuples(st.just("append"), st.sampled_from(PATHS), st.sampled_from(LINES)),
    st.tuples(st.just("reflect"), st.none(), st.none()),
)


def edit(workspace, verb, path, value):
    """Make one edit; returns how many pages have other bytes than before."""
    if verb == "reflect":
        return len(workspace.reflect().changes)
    before = bytes_of(workspace.root)
    place = workspace.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    if verb == "write":
        place.write_text(value, encoding="utf-8")
    elif place.exists() and verb == "append":
        place.write_text(f"{place.read_text(encoding='utf-8')}{value}\n", encoding="utf-8")
    elif place.exists() and verb == "delete":
        place.unlink()
    elif place.exists():
        (workspace.root / value).parent.mkdir(parents=True, exist_ok=True)
        place.rename(workspace.root / value)
    after = bytes_of(workspace.root)
    return len(after.items() - before.items())


def bytes_of(root):
    return {str(page): page.read_bytes() for page in root.rglob("*.md")}


def known(workspace):
    """All that can be asked: every fact, its entities and id, the troubles, and answers."""
    corpus = workspace.corpus("always")
    rows = corpus.connection.execute("SELECT row FROM facts").fetchall()
    facts = sorted(corpus.facts(row for (row,) in rows), key=lambda fact: (fact.source, fact.id))
    answers = [workspace.recall(question, refresh="never").to_dict() for question in QUESTIONS]
    return facts, sorted(map(str, corpus.troubles())), corpus.counts(), answers


@settings(max_examples=8)
@given(st.lists(_texts, min_size=4, max_size=4), st.lists(_edits, min_size=1, max_size=4))
def test_answers_after_any_edits_are_those_of_a_fresh_build(first, edits):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "notes"
        for path, text in zip(PATHS[::2], first, strict=True):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        with memlab.open(root, now=NOW) as workspace:
            workspace.refresh()
            for one in edits:
                changed = edit(workspace, *one)
                assert workspace.refresh().parsed == changed
            incremental = known(workspace)
        shutil.rmtree(root / ".memory")
        with memlab.open(root, now=NOW) as workspace:
            assert known(workspace) == incremental


def test_a_new_alias_reaches_facts_of_pages_that_did_not_change(pages):
    root = pages({"memory/2025-11-27.md": "Pete came.\n", "bank/entities/Peter.md": "# Peter\n"})
    with memlab.open(root, now=NOW, refresh="always") as workspace:
        assert workspace.recall("Pete came")[0].fact.entities == ()
        pages({"bank/entities/Peter.md": "---\naliases: [Pete]\n---\n# Peter\n"})
        assert workspace.recall("Pete came")[0].fact.entities == ("Peter",)
        assert workspace.last.parsed == 1
        pages({"bank/entities/Peter.md": "# Peter\n"})
        assert workspace.recall("Pete came")[0].fact.entities == ()


def test_identical_facts_are_numbered_anew_when_one_of_them_goes(pages):
    root = pages({"memory/2025-11-27.md": "tea\n\ntea\n\ntea\n"})
    with memlab.open(root, now=NOW, refresh="always") as workspace:
        base = workspace.recall("tea")[0].fact.id.partition("-2")[0]
        assert {hit.fact.id for hit in workspace.recall("tea")} == {base, f"{base}-2", f"{base}-3"}
        pages({"memory/2025-11-27.md": "coffee\n\ntea\n\ntea\n"})
        found = {hit.fact.id: str(hit.fact.source) for hit in workspace.recall("tea")}
        assert found == {
            base: "memory/2025-11-27.md#L3", f"{base}-2": "memory/2025-11-27.md#L5",
        }  # fmt: skip
