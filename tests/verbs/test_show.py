import pytest

import memlab
from memlab.errors import CitationError

LOG = "memory/2025-11-27.md"


@pytest.fixture
def workspace(tiny):
    with memlab.open(tiny, refresh="always") as opened:
        yield opened


def test_a_citation_shows_its_lines_and_their_facts(workspace):
    shown = workspace.show(f"{LOG}#L8-L9")
    assert shown.lines == (
        "- B @warelay: I restarted the relay twice today; a plug under the counter",
        "  was loose, and pushing it in ended the trouble.",
    )
    (fact,) = shown.facts
    assert shown.to_text().splitlines() == [
        f"{LOG}#L8-L9", f"    8  {shown.lines[0]}", f"    9  {shown.lines[1]}",
        f"{fact.id}  experience  2025-11-27  {LOG}#L8-L9",
    ]  # fmt: skip


def test_a_fact_id_shows_the_same(workspace):
    (fact,) = workspace.show(f"{LOG}#L8").facts
    shown = workspace.show(fact.id)
    assert (shown.source, shown.facts) == (fact.source, (fact,))
    assert shown.to_dict()["facts"][0]["id"] == fact.id
    assert "score" not in shown.to_dict()["facts"][0]


def test_a_line_without_a_fact_is_shown_too(workspace):
    shown = workspace.show(f"{LOG}#L1")
    assert (shown.lines, shown.facts) == (("# 2025-11-27 Thursday",), ())


def test_a_range_beyond_the_end_is_shown_up_to_it(workspace):
    last = len((workspace.root / LOG).read_text().splitlines())
    assert str(workspace.show(f"{LOG}#L{last}-L999").source) == f"{LOG}#L{last}"


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (f"{LOG}#L999", "nothing stands there: it has 13 lines"),
        ("memory/absent.md#L1", "nothing stands there: there is no such page"),
        ("../outside.md#L1", "lies outside the workspace"),
        ("/etc/hosts#L1", "lies outside the workspace"),
        ("f-000000000000", "there is no such fact"),
        ("nonsense", "is no citation"),
    ],
)
def test_what_is_not_there_is_an_error(workspace, what, message):
    (workspace.root.parent / "outside.md").write_text("secret\n")
    with pytest.raises(CitationError, match=message):
        workspace.show(what)


def test_a_page_is_found_in_any_normal_form(pages):
    root = pages({"bank/entities/Zoë.md": "# Zoë\n\nA diver.\n"})
    with memlab.open(root) as workspace:
        assert workspace.show("bank/entities/Zoe\u0308.md#L3").lines == ("A diver.",)
