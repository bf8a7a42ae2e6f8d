"""Opinions through Markdown, the real detector and the real updater."""

import pytest

from memlab.errors import ParameterError
from tests.verbs.reflecting import bank, log, only, opinions, read, reflect, verbs, write

TEA = log("2025-11-01", "O(c=0.9) @Peter: likes green tea")
FLIP = [
    log("2025-11-10", "B @Peter: no longer drinks green tea"),
    log("2025-11-17", "B @Peter: switched from green tea to coffee"),
    log("2025-11-24", "B @Peter: does not like green tea any more"),
]


def test_a_bullet_of_the_logs_founds_an_opinion(pages):
    root = pages(log("2025-11-01", "O(c=0.9) @Peter @[The Castle]: Prefers tea in the tower."))
    done = reflect(root)
    id_, ledger = only(root)
    (entry,) = ledger.entries
    assert read(root).splitlines() == [
        "# Opinions", "", *read(root).splitlines()[2:3], f"<!-- {id_} -->",
        "<!-- memlab:end known -->", "", "## Peter prefers tea in the tower",
        *read(root).splitlines()[7:8],
        "**0.90** · @Peter @[The Castle] · updated 2025-11-01",
        f'- 2025-11-01 for {entry.fact} → 0.90 "Prefers tea in the tower."',
        f"<!-- memlab:end opinion {id_} -->",
    ]  # fmt: skip
    assert "1 new opinions" in next(c.reason for c in done.changes if c.path == "bank/opinions.md")


def test_evidence_moves_it_and_what_is_about_others_or_other_things_does_not(pages):
    root = pages(TEA | log(
        "2025-11-05", "B @Peter: bought green tea and liked it", "B @Andy: hates green tea",
        "B @Peter: repaired the fence", "S @Peter: likes green tea, says a summary",
    ))  # fmt: skip
    reflect(root)
    _, ledger = only(root)
    assert [(entry.verb, entry.quote) for entry in ledger.entries] == [
        ("for", "likes green tea"), ("for", "bought green tea and liked it"),
    ]  # fmt: skip
    assert 0.9 < ledger.confidence <= 0.95


def test_a_statement_that_is_the_same_is_merged_with_its_evidence(pages):
    root = pages(TEA | log("2025-11-20", "O(c=0.2) @Peter: likes green tea in the morning"))
    reflect(root)
    _, ledger = only(root)
    assert verbs(ledger) == ["for", "against"]  # held with .2, it says .8 for the contrary


def test_another_statement_is_another_opinion(pages):
    root = pages(TEA | log("2025-11-20", "O @Peter: trains are better than planes"))
    reflect(root)
    assert len(opinions(root)) == 2


@pytest.mark.parametrize("updater", ["small", "log-odds"])
def test_after_a_flip_the_right_side_is_believed_within_three_events(pages, updater):
    root = pages({"memlab.toml": f'[opinions]\nupdater = "{updater}"\n'} | TEA)
    for note in FLIP:
        pages(note)
    reflect(root)
    _, ledger = only(root)
    assert verbs(ledger) == ["for", "against", "against", "against"]
    assert 1 - ledger.confidence > 0.5


@pytest.mark.parametrize("note", FLIP)
def test_one_stray_note_moves_by_a_tenth_at_most(pages, note):
    root = pages(TEA | note)
    reflect(root)
    _, ledger = only(root)
    assert verbs(ledger) == ["for", "against"]
    assert 0 < round(0.9 - ledger.confidence, 5) <= 0.1


def test_ten_copies_of_a_note_move_as_one(pages):
    root = pages(TEA | FLIP[0])
    reflect(root)
    once = only(root)[1]
    for day in range(11, 20):
        pages(log(f"2025-11-{day}", "B @Peter: no longer drinks green tea"))
    reflect(root)
    assert only(root)[1] == once


def test_a_note_that_links_to_the_page_of_another_tells_the_same_event(pages):
    root = pages(
        TEA | FLIP[0] | log("2025-11-12", "B @Peter: gave up green tea, see [[2025-11-10]]")
    )
    reflect(root)
    assert verbs(only(root)[1]) == ["for", "against"]


def test_an_old_note_written_late_gives_what_a_replay_gives(pages):
    root = pages(TEA | FLIP[0] | FLIP[2])
    reflect(root)
    pages(FLIP[1])
    reflect(root)
    late = bank(root)
    for file in (root / "bank").rglob("*.md"):
        file.unlink()
    reflect(root)
    assert bank(root) == late


def test_an_older_statement_written_late_founds_it_as_in_a_replay(pages):
    root = pages(log("2025-11-10", "O(c=0.8) @Peter: likes green tea in the morning") | FLIP[1])
    reflect(root)
    before, _ = only(root)
    pages(TEA)
    reflect(root)
    late = bank(root)
    after, ledger = only(root)
    assert (before != after, ledger.entries[0].confidence) == (True, 0.9)
    for file in (root / "bank").rglob("*.md"):
        file.unlink()
    reflect(root)
    assert bank(root) == late


def test_nothing_generated_or_outside_the_logs_is_evidence(pages):
    root = pages(TEA | {"bank/world.md": "## Retain\n- W @Peter: no longer drinks green tea\n",
                        "memory.md": "- Peter no longer drinks green tea\n"})  # fmt: skip
    reflect(root)
    first = read(root)
    assert verbs(only(root)[1]) == ["for"]
    reflect(root)
    assert read(root) == first


def test_a_statement_that_a_person_writes_has_a_prior(pages):
    text = "# Views\n\n## Peter likes green tea\n\n**0.8**, says Andy.\n"
    root = pages({"bank/opinions.md": text} | FLIP[0])
    reflect(root)
    _, ledger = only(root)
    # two of three words shared, "drink" is new: a contradiction with a score of .5 + .5 * 2/3
    assert verbs(ledger) == ["against"]
    assert 0.7 <= ledger.confidence < 0.8
    assert read(root).startswith(
        "# Views\n\n## Peter likes green tea\n<!-- memlab:begin opinion o-"
    )
    assert read(root).endswith("-->\n\n**0.8**, says Andy.\n")


def test_without_evidence_a_persons_page_stays_as_it_is(pages):
    text = "## Peter likes green tea\n\n## Nobody knows"
    root = pages({"bank/opinions.md": text} | log("2025-11-10", "B @Peter: sails"))
    reflect(root)
    assert read(root) == text


def test_as_of_leaves_out_later_pages(pages):
    root = pages(TEA)
    for note in FLIP:
        pages(note)
    reflect(root, as_of="2025-11-12")
    assert verbs(only(root)[1]) == ["for", "against"]
    with pytest.raises(ParameterError, match="as_of: 'soon' is no day"):
        reflect(root, as_of="soon")


def test_the_window_chooses_opinions_and_not_what_they_see(pages):
    root = pages(TEA | log("2025-11-02", "O @Andy: boats are fun") | FLIP[0])
    reflect(root, since="2025-11-05")
    _, ledger = only(root)
    assert verbs(ledger) == ["for", "against"]
    reflect(root, until="2025-11-02")
    assert len(opinions(root)) == 2


def test_losing_the_memo_costs_time_only(pages):
    root = pages(TEA)
    reflect(root)
    pages(FLIP[0])
    (root / ".memory/reflect.json").write_text("[]")
    reflect(root)
    kept = bank(root)
    (root / ".memory/reflect.json").unlink()
    assert reflect(root).changes == ()
    assert bank(root) == kept


def test_a_detector_of_a_persons_choice_judges(pages):
    root = pages(TEA | FLIP[0])
    reflect(root)
    write(root, read(root))
    pages({"memlab.toml": 'opinions.detector = "rules(near=1.0)"\n'})
    reflect(root)
    assert verbs(only(root)[1]) == ["for"]  # all of the words would have to be shared
