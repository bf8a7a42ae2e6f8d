import json

import pytest
from click.testing import CliRunner

import memlab
from memlab.cli import main
from memlab.errors import CitationError
from memlab.store import duck
from tests.verbs.reflecting import log, only, read, reflect, write

LOGS = (
    log("2025-11-01", "O(c=0.9) @Peter: likes green tea", "W @Peter: lives in Graz")
    | log("2025-11-10", "B @Peter: no longer drinks green tea")
    | log("2025-11-11", "B @Peter: no longer drinks his green tea")
    | log("2025-11-20", "W @Peter: moved to Linz")
)  # fmt: skip


@pytest.fixture
def root(pages):
    root = pages(LOGS)
    reflect(root)
    return root


def why(root, what):
    with memlab.open(root, now="2025-12-31") as workspace:
        return workspace.why(what)


def fact(root, words):
    with memlab.open(root) as workspace:
        sql = duck.fill("SELECT id FROM facts WHERE content = ? AND origin != 'generated'", words)
        ((id_,),) = workspace.corpus().connection.execute(sql).fetchall()
        return id_


def test_every_step_of_a_confidence_is_told_with_its_cues(root):
    id_, ledger = only(root)
    found = why(root, id_)
    first, against, copy = (
        fact(root, words) for words in ("likes green tea", "no longer drinks green tea",
                                        "no longer drinks his green tea")
    )  # fmt: skip
    assert found.title == f"Peter likes green tea: {ledger.confidence:.2f}"
    start, founds, step = (reason.text for reason in found.reasons)
    assert start == f"stated first by {first}, which gives its confidence"
    assert founds.startswith(f"2025-11-01 {first} memory/2025-11-01.md#L3 founds it: 0.90")
    assert step.startswith(f"2025-11-10 {against} memory/2025-11-10.md#L3 contradicts 0.")
    assert "(no longer): 0.90 → " in step
    assert step.endswith(f'"no longer drinks green tea"; told again by {copy}')
    details = found.reasons[2].details
    assert (details["label"], details["copies"]) == ("contradicts", [copy])
    assert round(details["after"], 2) == ledger.confidence


def test_a_hand_is_a_step(root):
    id_, _ = only(root)
    write(root, read(root).replace("**0.8", "**0.3"))
    reflect(root, now="2025-12-05")
    assert why(root, id_).reasons[-1].text.startswith("2025-12-05 a person wrote 0.3")


def test_a_persons_prior_is_where_it_starts(pages):
    root = pages({"bank/opinions.md": "## Peter likes green tea\n\n**0.8**\n"}
                 | log("2025-11-10", "B @Peter: no longer drinks green tea"))  # fmt: skip
    reflect(root)
    assert why(root, only(root)[0]).reasons[0].text == "starts at 0.80, as a person wrote"


def test_what_became_of_a_fact_is_told(root):
    id_, _ = only(root)
    texts = [r.text for r in why(root, fact(root, "no longer drinks green tea")).reasons]
    assert texts[0] == "stands at memory/2025-11-10.md#L3, experience of 2025-11-10"
    assert texts[1].startswith(f"moved {id_} 'Peter likes green tea': 2025-11-10 f-")
    assert "shown at bank/entities/Peter.md#timeline" in texts
    copy = why(root, fact(root, "no longer drinks his green tea")).reasons[1].text
    assert copy.startswith("of one event with f-")


def test_a_supersession_and_a_promotion_are_told(root):
    new = fact(root, "moved to Linz")
    old = [reason.text for reason in why(root, fact(root, "lives in Graz")).reasons]
    assert any(t.startswith(f"its place was taken by {new} memory/2025-11-20.md#L3") for t in old)
    assert any(t.startswith("lasts, so it goes to bank/world.md: ") for t in old)
    texts = [reason.text for reason in why(root, new).reasons]
    assert any(text.startswith("it took the place of f-") for text in texts)
    assert "shown at bank/world.md#promoted" in texts


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        ("memory.md", "- Peter sails\n", "no evidence: only pages under memory/ are"),
        ("memory/notes/x.md", "- Peter sails\n", "no evidence: its page has no day"),
        ("memory/2025-11-27.md", "## Retain\n- S @Peter: Peter sails\n",
         "no evidence: it is written, of kind observation"),
        ("memory/2025-11-27.md", "## Retain (proposed)\n- W @Peter: Peter sails\n",
         "no evidence: it is proposed, of kind world"),
    ],
)  # fmt: skip
def test_why_a_fact_is_no_evidence(pages, path, text, reason):
    root = pages({path: text})
    assert why(root, fact(root, "Peter sails")).reasons[1].text == reason


def test_what_there_is_not_is_an_error(root):
    with pytest.raises(CitationError, match="there is no such opinion"):
        why(root, "o-000000")
    with pytest.raises(CitationError, match="there is no such fact"):
        why(root, "f-000000000000")


def test_why_writes_nothing(root):
    (root / "bank/opinions.md").unlink()
    id_ = "o-0"
    with pytest.raises(CitationError):
        why(root, id_)
    assert not (root / "bank/opinions.md").exists()


def test_the_commands_print_it(root):
    id_, ledger = only(root)
    run = CliRunner().invoke
    place = ["--workspace", str(root), "--now", "2025-12-31"]
    done = run(main, [*place, "why", id_])
    assert done.stdout.splitlines()[0] == f"{id_}  Peter likes green tea: {ledger.confidence:.2f}"
    told = json.loads(run(main, [*place, "why", id_, "--json"]).stdout)
    assert (told["what"], len(told["steps"])) == (id_, 3)
    listed = run(main, [*place, "opinions"]).stdout
    assert listed == f"{ledger.confidence:.2f}  {id_}  Peter likes green tea  (2 facts)\n"
    (then,) = json.loads(run(main, [*place, "opinions", "--as-of", "2025-11-05", "--json"]).stdout)
    assert (then["confidence"], len(then["ledger"])) == (0.9, 1)
    assert then["ledger"][0]["source"] == "memory/2025-11-01.md#L3"
