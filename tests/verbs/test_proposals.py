"""Proposals for the core: what is proposed, once and never again, and how a person answers."""

import datetime as dt
import json
import shutil
import subprocess

import pytest
from click.testing import CliRunner

import memlab
from memlab import cli
from memlab.errors import CoreError, ParameterError
from memlab.opinions.page import Entry, Ledger
from memlab.verbs import reflect as verb
from memlab.verbs.core import core_blocks
from memlab.verbs.core_proposals import core_proposals, lacks
from memlab.workspace import parts, proposals

MAKERS = verb.MAKERS
CORE = """\
# Memory

## Persona

- I am Pip

## Human

- Peter speaks Danish

## Rules
<!-- memlab:block read-only -->

- be brief
"""
DAYS = ("2025-11-01", "2025-11-08", "2025-11-20")


@pytest.fixture(autouse=True)
def _proposals_alone(monkeypatch):
    monkeypatch.setattr(verb, "MAKERS", (core_proposals,))


def test_reflect_makes_proposals_last():
    assert MAKERS[-1] is core_proposals


def logs(content, days=DAYS, kind="W"):
    return {f"memory/{day}.md": f"## Retain\n\n- {kind} @Peter: {content}\n" for day in days}


def opened(pages, texts, core=CORE):
    root = pages({"memory.md": core, **texts} if core is not None else texts)
    return memlab.open(root, now="2025-12-01", refresh="always")


@pytest.fixture
def workspace(pages):
    with opened(pages, logs("lives in Berlin")) as one:
        one.reflect()
        yield one


def core(workspace):
    return (workspace.root / "memory.md").read_text(encoding="utf-8")


def only(workspace):
    (review,) = workspace.proposals()
    return review


LINE = "- Peter: lives in Berlin"


def test_a_fact_said_on_three_occasions_is_proposed_for_the_block_about_its_entity(workspace):
    one = only(workspace).proposal
    assert one.path == proposals.path_of(dt.date(2025, 11, 20), "human", LINE)
    assert (one.status, one.block, one.title) == ("open", "human", "Peter: lives in Berlin")
    assert one.why == "said on 3 occasions, from 2025-11-01 to 2025-11-20"
    assert one.evidence == tuple(workspace.facts().index[-3:])
    assert only(workspace).fit == "fits"
    assert core(workspace) == CORE


@pytest.mark.parametrize(
    "texts",
    [
        logs("lives in Berlin", DAYS[:2]),
        logs("lives in Berlin", ("2025-11-01", "2025-11-02", "2025-11-03", "2025-11-20")),
        logs("lives in Berlin", kind="S"),
        logs("lives in Berlin")
        | {"memory/2025-11-25.md": "## Retain\n- W @Peter: moved to Graz\n"},
        logs("speaks Danish"),
        {f"memory/{day}.md": "## Retain\n- W: it rains\n" for day in DAYS},
    ],
    ids=["twice", "two occasions", "generated", "superseded", "in the core", "of nobody"],
)
def test_these_are_not_proposed(pages, texts):
    with opened(pages, texts) as workspace:
        workspace.reflect()
        assert workspace.proposals() == []


def test_other_words_for_one_slot_are_support_too(pages):
    said = ("lives in Berlin", "has moved to Berlin now", "is based in Berlin since May")
    texts = {
        f"memory/{day}.md": f"## Retain\n- W @Peter: {words}\n"
        for day, words in zip(DAYS, said, strict=True)
    }
    with opened(pages, texts) as workspace:
        workspace.reflect()
        assert only(workspace).proposal.title == "Peter: is based in Berlin since May"


def ledger(sure, verbs):
    entries = tuple(
        Entry(dt.date(2025, 11, day), word, f"f-{day:012}", sure, "tea …")
        for day, word in enumerate(verbs, start=1)
    )
    body = Ledger(sure, ("Peter",), entries).render()
    return f"# Opinions\n\n## Peter likes tea\n{parts.render('opinion o-7h2kq3', body)}\n"


def test_a_firm_opinion_is_proposed(pages):
    texts = {"bank/opinions.md": ledger(0.95, ["for"] * 3), **logs("x", DAYS[:1])}
    with opened(pages, texts) as workspace:
        workspace.reflect()
        one = only(workspace).proposal
    assert (one.title, one.evidence[0]) == ("Peter likes tea", "o-7h2kq3")
    assert one.why == "held with 0.95 on 3 events, the last of 2025-11-03"
    assert one.path.startswith("bank/proposals/2025-11-03-")


@pytest.mark.parametrize(
    ("sure", "verbs"),
    [(0.85, ["for"] * 3), (0.95, ["for"] * 2), (0.95, ["for", "for", "for", "against"])],
)
def test_an_opinion_that_is_not_firm_is_not_proposed(pages, sure, verbs):
    texts = {"bank/opinions.md": ledger(sure, verbs), **logs("x", DAYS[:1])}
    with opened(pages, texts) as workspace:
        workspace.reflect()
        assert workspace.proposals() == []


@pytest.mark.parametrize("answer", ["apply_proposal", "reject_proposal", None])
def test_what_was_proposed_is_never_proposed_again(workspace, answer):
    first = only(workspace)
    if answer:
        getattr(workspace, answer)(first.proposal.name)
    # said again, in other words, and struck from the core
    for day, words in (("2025-11-28", "lives in Berlin"), ("2025-12-09", "is based in Berlin")):
        workspace.retain(f"W @Peter: {words}", now=day)
    (workspace.root / "memory.md").write_text(CORE, encoding="utf-8")
    workspace.reflect()
    assert [one.proposal.path for one in workspace.proposals()] == [first.proposal.path]


def test_a_second_reflect_proposes_nothing_new(workspace):
    assert workspace.reflect(now="2026-12-31").changes == ()


def test_proposals_are_no_pages(workspace):
    assert all(not source.startswith("bank/proposals") for source in workspace.facts()["source"])


def test_applying_adds_the_line_and_marks_the_page(workspace):
    review = workspace.apply_proposal(only(workspace).proposal.digest)
    assert review.fit == "fits"
    assert core(workspace) == CORE.replace("speaks Danish\n", f"speaks Danish\n{LINE}\n")
    after = only(workspace)
    assert after.proposal.status == "applied"
    assert after.text == review.text.replace("status: open", "status: applied", 1)
    with pytest.raises(CoreError, match="applied already"):
        workspace.apply_proposal(after.proposal.name)
    with pytest.raises(CoreError, match="applied already"):
        workspace.reject_proposal(after.proposal.name)


def test_what_a_person_made_of_a_diff_is_applied(workspace):
    one = only(workspace)
    edited = one.text.replace(f"+{LINE}", "+- Peter lives in Berlin, Wedding")
    (workspace.root / one.proposal.path).write_text(edited, encoding="utf-8")
    workspace.apply_proposal(one.proposal.name)
    assert "- Peter speaks Danish\n- Peter lives in Berlin, Wedding\n" in core(workspace)


def change_core(workspace, old, new):
    text = core(workspace)
    assert old in text
    (workspace.root / "memory.md").write_text(text.replace(old, new), encoding="utf-8")


def test_a_stale_diff_is_rebased_to_the_end_of_its_block(workspace):
    change_core(workspace, "- Peter speaks Danish", "- Peter speaks Danish and German")
    assert only(workspace).fit == "rebased"
    workspace.apply_proposal(only(workspace).proposal.name)
    assert f"- Peter speaks Danish and German\n{LINE}\n\n## Rules" in core(workspace)


def test_lines_that_stand_there_already_are_marked_alone(workspace):
    change_core(workspace, "- I am Pip", f"- I am Pip\n{LINE}")
    before = core(workspace)
    assert only(workspace).fit == "stands"
    workspace.apply_proposal(only(workspace).proposal.name)
    assert core(workspace) == before
    assert only(workspace).proposal.status == "applied"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("## Human\n\n- Peter", "## Person\n\n- Nobody", "it has no block 'human'"),
        ("## Human\n", "## Human\n<!-- memlab:block read-only -->\n", "'human' is read-only"),
    ],
)
def test_what_cannot_be_applied_says_why_and_stays_open(workspace, old, new, why):
    change_core(workspace, old, new)
    before = core(workspace)
    with pytest.raises(CoreError, match=why):
        workspace.apply_proposal(only(workspace).proposal.name)
    assert core(workspace) == before
    assert (only(workspace).proposal.status, only(workspace).fit) == ("open", "not")


def test_a_diff_that_removes_what_is_gone_says_why(workspace):
    one = only(workspace)
    edited = one.text.replace(" - Peter speaks Danish", "-- Peter speaks Danish")
    (workspace.root / one.proposal.path).write_text(edited, encoding="utf-8")
    assert only(workspace).fit == "fits"
    change_core(workspace, "speaks Danish", "speaks German")
    assert "the lines that it replaces do not stand there once" in only(workspace).why_not


def test_a_limit_is_enforced_unless_told_otherwise(workspace):
    change_core(workspace, "## Human\n", "## Human\n<!-- memlab:block limit=30 -->\n")
    one = only(workspace)
    assert one.fit == "rebased"
    with pytest.raises(CoreError, match="more than its limit"):
        workspace.apply_proposal(one.proposal.name)
    assert only(workspace).proposal.status == "open"
    workspace.apply_proposal(one.proposal.name, strict=False)
    assert LINE in core(workspace)


def test_a_page_without_a_diff_is_listed_with_its_fault(workspace, pages):
    pages({"bank/proposals/2025-01-01-abcdef.md": "---\nstatus: open\n---\n\nhm\n"})
    first, _ = workspace.proposals()
    assert (first.fit, first.why_not) == ("not", "it has no fenced diff that changes a line")


def test_without_a_core_one_is_proposed(pages):
    with opened(pages, logs("lives in Berlin"), core=None) as workspace:
        workspace.reflect()
        workspace.apply_proposal(only(workspace).proposal.name)
        assert core(workspace) == f"## Human\n\n{LINE}\n"
        assert [block.label for block in core_blocks(workspace)] == ["human"]


def test_unknown_names_list_those_that_there_are(workspace):
    with pytest.raises(ParameterError, match=f"There are: {only(workspace).proposal.name}"):
        workspace.proposal("000000")


def test_the_core_has_what_one_of_its_lines_says_in_most_words(workspace):
    blocks = workspace.core_blocks()
    assert not lacks(blocks, "Peter: he speaks Danish.")
    assert lacks(blocks, "Peter speaks Danish and Norwegian with his aunt")


def test_a_commit_has_the_core_and_the_page(workspace):
    git = shutil.which("git")
    if git is None:
        pytest.skip("needs git")
    run = [git, "-C", str(workspace.root)]
    subprocess.run([*run, "init", "--quiet"], check=True)
    for key, value in (("user.name", "a"), ("user.email", "a@b")):
        subprocess.run([*run, "config", key, value], check=True)
    name = only(workspace).proposal.name
    workspace.apply_proposal(name, commit="Peter moved")
    shown = subprocess.run(
        [*run, "show", "--stat", "--format=%s"], check=True, capture_output=True, text=True
    )
    assert shown.stdout.startswith("Peter moved\n")
    assert "memory.md" in shown.stdout
    assert name in shown.stdout


def run(workspace, *words):
    return CliRunner().invoke(cli.main, ["--workspace", str(workspace.root), "proposals", *words])


def test_the_commands(workspace):
    name = only(workspace).proposal.name
    assert run(workspace, "list").stdout == f"{name}  open  human: Peter: lives in Berlin\n"
    shown = run(workspace, "show", name)
    assert f"+{LINE}" in shown.stdout
    assert shown.stderr == "memlab: its diff fits\n"
    assert json.loads(run(workspace, "show", name, "--json").stdout)["fit"] == "fits"
    assert run(workspace, "apply", name[-6:]).stdout == f"{name}  applied  human\n"
    assert run(workspace, "list").stdout == ""
    assert run(workspace, "list", "--all").stdout.startswith(f"{name}  applied  ")
    assert run(workspace, "reject", name).exit_code == 2
    assert run(workspace, "show", "nothing").exit_code == 2


def test_the_command_rejects(workspace):
    name = only(workspace).proposal.name
    assert run(workspace, "reject", name).stdout == f"{name}  rejected  human\n"
    assert core(workspace) == CORE
    rows = json.loads(run(workspace, "list", "--all", "--json").stdout)
    assert [row["status"] for row in rows] == ["rejected"]
