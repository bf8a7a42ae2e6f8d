"""What the README shows is real, and what there is stands in it."""

import doctest
import re

import pytest

import memlab
from memlab import notebooks, registry
from tools import readme

TEXT = readme.README.read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    environment = readme.prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path, environment


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_its_commands_print_what_it_shows(folder):
    found = readme.BLOCK.findall(TEXT)
    assert len(found) == len(blocks("console")) > 0
    for block in found:
        assert readme.rerun(block, *folder) == block, "run: python tools/readme.py --write"


def test_its_python_gives_what_it_shows(folder):
    (block,) = blocks("pycon")
    test = doctest.DocTestParser().get_doctest(block, {}, "README.md", str(folder[0]), 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_its_plugin_works(folder, monkeypatch):
    names = {}
    exec(blocks("python")[0], names)  # noqa: S102  # our own page
    monkeypatch.setitem(registry._added["retriever"], "newest", names["Newest"])
    with memlab.open(folder[0] / "notes", now="2025-11-30") as workspace:
        hits = workspace.recall("anything", k=3, retriever="newest(half_life=7.0)")
        views = workspace.recall("anything", k=5, kinds=["opinion"], retriever="newest")
    assert [str(hit.fact.day) for hit in hits] == ["2025-11-30"] * 3
    assert hits[0].score == 0.5 ** (0 / 7)
    assert [hit.fact.kind for hit in views] == ["opinion"] * 5


def test_every_retriever_and_notebook_is_in_its_tables():
    named = set(re.findall(r"`([\w-]+)", "\n".join(re.findall(r"^\|.*?\|", TEXT, re.MULTILINE))))
    built_in = registry._BUILT_IN["retriever"]
    assert set(built_in) - named == set()
    assert {notebook.name for notebook in notebooks.known()} - named == set()


def test_its_links_lead_somewhere():
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", TEXT)
    assert links
    assert [link for link in links if not (readme.ROOT / link).exists()] == []
