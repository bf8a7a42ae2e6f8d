"""Which fact took the place of which, and since when."""

import datetime as dt
import json
import re
from pathlib import Path

import numpy as np
import pytest

import memlab
from memlab.store import sayings, succession
from memlab.store.succession import Successions, last
from memlab.workspace import grammar, slots

MOVED = {
    "2025-01-01": ["W @Peter: lives in Berlin"],
    "2025-02-01": ["W @Peter: moved to Lisbon"],
}
FIXTURES = Path(__file__).parent.parent.parent / "data" / "fixtures"


def pairs_of(name):
    lines = (FIXTURES / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def successions(workspace, day=None):
    """Content of the superseded and of what is in its place."""
    corpus = workspace.corpus()
    places = corpus.successions.on(day)
    return {
        old.content: new.content for old, new in (corpus.facts(pair) for pair in places.items())
    }


@pytest.fixture
def logs(pages):
    """Opens a workspace of daily logs, given the bullets of each day."""
    opened = []

    def write(days, **more):
        texts = {
            f"memory/{day}.md": "\n".join(["## Retain", *(f"- {line}" for line in lines), ""])
            for day, lines in days.items()
        }
        opened.append(memlab.open(pages({**texts, **more}), now="2025-12-31", refresh="always"))
        return opened[-1]

    yield write
    for workspace in opened:
        workspace.close()


@pytest.fixture(params=["succession.jsonl", "succession_later.jsonl"])
def judged(request, pages):
    """The pairs of one file, and those that are found when all stand in one workspace."""
    pairs = pairs_of(request.param)
    lines, where = {}, {}
    for pair in pairs:
        for side in ("old", "new"):
            day, text = pair[side]["day"], pair[side]["text"]
            section = lines.setdefault(day, ["## Retain"])
            # narrative stands above the section, each line a paragraph
            place = len(section) if text.startswith("- ") else 0
            section[place:place] = [text] if place else [text, ""]
    texts = {f"memory/{day}.md": "\n".join(found) + "\n" for day, found in lines.items()}
    for pair in pairs:
        texts |= {f"bank/entities/{name}.md": f"# {name}\n" for name in pair["known"]}
        for side in ("old", "new"):
            bullet = grammar.parse(pair[side]["text"].removeprefix("- "))
            first = (*bullet.entities, *pair["known"])[0]
            where[pair[side]["day"], first, bullet.content] = pair["id"], side
    with memlab.open(pages(texts)) as workspace:
        corpus = workspace.corpus()
        found = {
            tuple(
                where[str(fact.day), fact.entities[0], fact.content] for fact in corpus.facts(edge)
            )
            for edge in corpus.successions.on().items()
        }
    return pairs, found


def test_the_fixture_is_half_traps():
    pairs = pairs_of("succession.jsonl")
    assert len(pairs) == 80
    assert sum(pair["supersedes"] for pair in pairs) == 40
    assert len({pair["language"] for pair in pairs}) >= 8


def test_precision_and_recall_on_the_pairs(judged):
    pairs, found = judged
    right = {((p["id"], "old"), (p["id"], "new")) for p in pairs if p["supersedes"]}
    assert found - right == set()  # none of the traps, and nothing across pairs
    assert len(found & right) / len(found) >= 0.95
    assert len(found & right) / len(right) >= 0.5


def test_every_claim_has_a_cue():
    cues = re.compile(slots.CUES)
    texts = [
        re.sub(r"^- .*?: ", "", pair[side]["text"])
        for name in ("succession.jsonl", "succession_later.jsonl")
        for pair in pairs_of(name)
        for side in ("old", "new")
    ]
    claiming = [text for text in texts if slots.claims(text)]
    assert len(claiming) > 60
    assert [text for text in claiming if not cues.search(text)] == []


def test_a_chain_has_each_in_its_place(logs):
    workspace = logs({
        "2025-01-01": ["W @Peter: lives in Berlin"],
        "2025-02-01": ["W @Peter: moved to Lisbon"],
        "2025-03-01": ["W @Peter: now lives in Porto"],
    })  # fmt: skip
    assert successions(workspace) == {
        "lives in Berlin": "moved to Lisbon", "moved to Lisbon": "now lives in Porto",
    }  # fmt: skip
    assert successions(workspace, dt.date(2025, 2, 28)) == {"lives in Berlin": "moved to Lisbon"}
    assert successions(workspace, dt.date(2025, 1, 31)) == {}


def test_what_is_stated_beats_what_is_derived_and_is_told_apart_by_day(logs):
    workspace = logs(MOVED)
    old = workspace.recall("Berlin", retriever="lexical")[0].fact.id
    workspace.retain(
        "W @Peter: the Berlin flat was a sublet", supersedes=old, day=dt.date(2025, 3, 1)
    )
    assert successions(workspace) == {"lives in Berlin": "the Berlin flat was a sublet"}
    assert successions(workspace, dt.date(2025, 2, 28)) == {"lives in Berlin": "moved to Lisbon"}


def test_keep_refuses_both(logs):
    workspace = logs(MOVED)
    old = workspace.recall("Berlin", retriever="lexical")[0].fact.id
    log = workspace.root / "memory" / "2025-03-01.md"
    log.write_text(f"He has two homes. <!-- memlab:keep {old} -->\n")
    assert successions(workspace) == {}
    assert successions(workspace, dt.date(2025, 2, 28)) == {"lives in Berlin": "moved to Lisbon"}
    log.write_text(f"Gone. <!-- memlab:keep {old} -->\n\nSold. <!-- supersedes {old} -->\n")
    assert successions(workspace) == {}


def test_a_circle_is_cut_at_the_latest(logs):
    workspace = logs({"2025-01-01": ["W @Tea: is hot"], "2025-02-01": ["W @Tea: is cold"]})
    hot, cold = (workspace.recall(word, retriever="lexical")[0].fact.id for word in ("hot", "cold"))
    for day, word, other in (("2025-01-01", "hot", cold), ("2025-02-01", "cold", hot)):
        log = workspace.root / "memory" / f"{day}.md"
        log.write_text(f"## Retain\n- W @Tea: is {word} <!-- supersedes {other} -->\n")
    assert successions(workspace) == {"is hot": "is cold"}


def test_a_circle_of_a_stated_and_a_derived_one_keeps_the_stated(logs):
    workspace = logs(MOVED)
    wrong = workspace.recall("Lisbon", retriever="lexical")[0].fact.id
    log = workspace.root / "memory" / "2025-01-01.md"
    log.write_text(f"## Retain\n- W @Peter: lives in Berlin <!-- supersedes {wrong} -->\n")
    assert successions(workspace) == {"moved to Lisbon": "lives in Berlin"}


def test_only_evidence_is_derived_from(logs):
    proposed = "## Retain (proposed)\n- W @Peter: moved to Rome <!-- from L1-L2 -->\n"
    workspace = logs(
        {"2025-01-01": ["W @Peter: lives in Berlin"]},
        **{"memory/2025-02-01.md": proposed, "bank/world.md": "Peter lives in Oslo.\n"},
    )
    assert successions(workspace) == {}


def test_a_fact_of_two_claims_goes_with_the_last_of_them(logs):
    days = {
        "2025-01-01": ["W @Peter: lives in Berlin and works at Acme"],
        "2025-02-01": ["W @Peter: moved to Lisbon"],
    }
    assert successions(logs(days)) == {}
    days["2025-03-01"] = ["W @Peter: works at Initech"]
    assert successions(logs(days)) == {"lives in Berlin and works at Acme": "works at Initech"}


@pytest.mark.parametrize("text", ["moved to Paris in 2019", "moved to Paris on 2026-01-01"])
def test_what_was_before_or_is_to_come_takes_no_place(logs, text):
    days = {"2025-01-01": ["W @Peter: lives in Berlin"], "2025-02-01": [f"W @Peter: {text}"]}
    assert successions(logs(days)) == {}


def test_the_first_entity_goes_by_any_of_its_names(logs):
    workspace = logs(
        {"2025-01-01": ["W @Pete: lives in Berlin"], "2025-02-01": ["W @Peter: moved to Lisbon"]},
        **{"bank/entities/Peter.md": "---\naliases: [Pete]\n---\n# Peter\n"},
    )
    assert successions(workspace) == {"lives in Berlin": "moved to Lisbon"}


def test_a_text_without_a_head_must_name_whom_it_speaks_of(logs):
    workspace = logs(
        {"2025-01-01": ["W @Peter: lives in Berlin"]},
        **{"memory/2025-02-01.md": "Lives in Rome now, said Peter.\n"},
    )
    assert successions(workspace) == {}


def test_what_was_derived_is_kept_with_the_snapshot_and_mended(logs):
    workspace = logs(MOVED)
    before = successions(workspace)
    file = workspace.corpus().derived(succession.NAME)
    assert np.load(file).tolist() == [[0, 1, dt.date(2025, 2, 1).toordinal(), 0]]
    for damaged in (b"", b"\x93NUMPY", file.read_bytes()[:-3]):
        file.write_bytes(damaged)
        workspace.close()
        assert successions(workspace) == before


def test_what_is_carried_over_is_what_a_full_build_gives(logs, monkeypatch):
    workspace = logs(
        {
            "2025-01-01": ["W @Peter: lives in Berlin", "W @Anna: uses Vim", "B @Anna: sang"],
            "2025-02-01": ["W @Peter: moved to Lisbon", "Tom lives in Rome"],
        }
    )
    read = []
    claims = slots.claims

    def counted(text, *names, **options):
        read.append(text)
        return claims(text, *names, **options)

    monkeypatch.setattr(slots, "claims", counted)
    memory = workspace.root / "memory"

    def edited(change):
        """What was read after a change, once what came of it equals that of a full build."""
        read.clear()
        change()
        found = successions(workspace)
        once = sorted(read)
        workspace.refresh(full=True)
        assert successions(workspace) == found
        return once

    assert edited(lambda: None) == ["lives in Berlin", "moved to Lisbon", "uses Vim"]
    assert successions(workspace) == {"lives in Berlin": "moved to Lisbon"}
    new_day = memory / "2025-03-01.md"
    edits = [
        # of another page nothing is read again
        (lambda: new_day.write_text("## Retain\n- B @Anna: switched from Vim to Helix\n"),
         ["switched from Vim to Helix"]),
        # a new entity is mentioned by an old text
        (lambda: (memory / "2025-03-02.md").write_text("## Retain\n- @Tom: moved to Oslo\n"),
         ["Tom lives in Rome", "moved to Oslo"]),
        # an old one gets another name
        (lambda: (memory / "2025-03-03.md").write_text("Petya now lives in Graz.\n"), []),
        (lambda: _page(workspace.root / "bank/entities/Peter.md", "---\naliases: [Petya]\n---\n"),
         ["Petya now lives in Graz.", "lives in Berlin", "moved to Lisbon"]),
        (new_day.unlink, []),
    ]  # fmt: skip
    for change, expected in edits:
        assert edited(change) == expected
    assert successions(workspace) == {
        "lives in Berlin": "moved to Lisbon", "moved to Lisbon": "Petya now lives in Graz.",
        "Tom lives in Rome": "moved to Oslo",
    }  # fmt: skip


def test_while_what_was_written_stays_nothing_is_derived_again(logs, monkeypatch):
    workspace = logs(MOVED, **{"memory/notes.md": "Sings.\n"})
    derived = []
    successors = sayings.successors
    monkeypatch.setattr(sayings, "successors", lambda said: derived.append(1) or successors(said))
    assert successions(workspace) == {"lives in Berlin": "moved to Lisbon"}
    (old,) = workspace.corpus().successions.on()
    mark = f"<!-- memlab:keep {workspace.corpus().ids([old])[0]} -->"
    for path, text, gone, times in [
        ("bank/world.md", "# World\n\n- what a person wrote\n", 1, 0),
        ("bank/world.md", f"# World\n\n- it holds {mark}\n", 0, 0),  # what is stated is read anew
        ("bank/world.md", "# World\n", 1, 0),
        ("memory/2025-03-01.md", "## Retain\n- W @Anna: sings\n", 1, 1),
        ("memory/2025-03-01.md", "## Retain (proposed)\n- W @Anna: sings\n", 1, 1),
        ("bank/entities/Peter.md", "---\naliases: [Petya]\n---\n", 1, 1),
    ]:
        derived.clear()
        _page(workspace.root / path, text)
        found = successions(workspace)
        assert len(derived) == times, path
        assert len(found) == gone
        workspace.refresh(full=True)
        assert successions(workspace) == found


def _page(place, text):
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)


def test_of_two_on_one_day_the_upper_line_takes_the_place(logs):
    days = {
        "2025-01-01": ["W @Peter: lives in Berlin"],
        "2025-02-01": ["W @Peter: moved to Lisbon", "W @Peter: moved to Porto"],
    }
    assert successions(logs(days)) == {"lives in Berlin": "moved to Lisbon"}


def test_the_last_of_a_chain_is_found():
    edges = np.array([[1, 2, 5, 0], [2, 3, 6, 0]], dtype=np.int32)
    places = Successions(edges).on()
    assert [last(places, row) for row in (1, 2, 3, 4)] == [3, 3, 3, 4]


def test_many_claims_of_one_entity_take_few_comparisons(monkeypatch):
    compared = 0
    replaces = slots.replaces

    def counted(newer, older):
        nonlocal compared
        compared += 1
        return replaces(newer, older)

    monkeypatch.setattr(slots, "replaces", counted)
    claims = [slots.claims(f"is at version {n}.0") for n in range(1, 2001)]
    told = [
        sayings.Saying(n + 1, "memory/log.md", 1, n, n + 1, "tool", brief=True, claims=claim)
        for n, claim in enumerate(claims)
    ]
    edges = list(sayings.successors(told))
    assert edges == [(n, n + 1, n + 2) for n in range(1999)]
    assert compared == 1999
