"""What a person does to a page by hand, and what the next reflects make of it."""

import re

import pytest

import memlab
from memlab.errors import ParameterError
from memlab.opinions.ledger import opinions_of
from memlab.workspace import parts
from tests.verbs.reflecting import (
    OPINIONS,
    PETER,
    bank,
    log,
    opinions,
    read,
    reflect,
    verbs,
    write,
)

LOGS = log(
    "2025-11-01", "O(c=0.9) @Peter: likes green tea", "W @Peter: lives in Graz",
    "B @Peter @Andy: I ordered pizza for them", "B @Peter @Andy: we sailed to the island",
) | log("2025-11-02", "O(c=0.6) @Andy: boats are fun")  # fmt: skip
AGAINST = log("2025-11-10", "B @Peter: no longer drinks green tea")
HEADING = "## Peter likes green tea"


@pytest.fixture
def root(pages):
    root = pages(LOGS)
    reflect(root)
    return root


def tea(root):
    """The ledger of the opinion on tea."""
    return next(ledger for ledger in opinions(root).values() if "Peter" in ledger.names)


def id_of(root, name="Peter"):
    return next(id_ for id_, ledger in opinions(root).items() if name in ledger.names)


def section(text, heading=HEADING):
    """The lines of a section, with the blank one after it."""
    return text[text.index(heading) :].split("\n\n")[0] + "\n\n"


def settled(root):
    """Another reflect changes nothing, with a memo and without one, whatever the day."""
    before = bank(root)
    assert reflect(root, now="2026-03-01").changes == ()
    (root / ".memory/reflect.json").unlink()
    assert reflect(root, now="2026-04-01").changes == ()
    assert bank(root) == before


def test_a_changed_confidence_is_a_hand_of_that_day_and_the_fold_starts_from_it(root, pages):
    write(root, read(root).replace("**0.90**", "**40 %**"))
    reflect(root, now="2025-11-05")
    ledger = tea(root)
    assert [str(entry) for entry in ledger.entries][1:] == ["- 2025-11-05 hand → 0.40"]
    assert (ledger.confidence, str(ledger.entries[-1].day)) == (0.4, "2025-11-05")
    assert "updated 2025-11-05" in section(read(root))
    settled(root)
    pages(AGAINST)
    reflect(root)
    assert verbs(tea(root)) == ["for", "hand", "against"]
    assert 0.35 <= tea(root).confidence < 0.4
    pages(log("2025-11-03", "B @Peter: switched from green tea to coffee"))  # before the hand
    reflect(root)
    assert verbs(tea(root)) == ["for", "against", "hand", "against"]
    assert 0.35 <= tea(root).confidence < 0.4
    settled(root)


def test_a_confidence_that_is_none_is_reported_and_its_part_left(root, pages):
    write(root, read(root).replace("**0.90**", "**quite sure**"))
    pages(AGAINST)
    before = section(read(root))
    (trouble,) = reflect(root).troubles
    assert str(trouble).endswith("the bold number is no confidence: write 0 to 1")
    assert section(read(root)) == before


def test_a_reworded_heading_keeps_the_opinion(root, pages):
    id_ = id_of(root)
    write(root, read(root).replace(HEADING, "## Sencha is what he drinks"))
    before = read(root)
    reflect(root)
    assert read(root) == before
    assert f"Sencha is what he drinks ({id_})" in read(root, PETER)
    settled(root)
    pages(AGAINST)
    reflect(root)
    assert "## Sencha is what he drinks\n<!-- memlab:begin opinion " + id_ in read(root)
    assert HEADING not in read(root)
    assert verbs(tea(root)) == ["for", "against"]
    settled(root)


def test_a_deleted_section_stays_deleted(root, pages):
    id_ = id_of(root)
    write(root, read(root).replace(section(read(root)), ""))
    (root / ".memory/reflect.json").unlink()
    reflect(root)
    assert read(root).endswith(f"\n\n<!-- memlab:forgotten {id_} -->\n")
    assert HEADING not in read(root)
    settled(root)
    pages(AGAINST | log("2025-11-20", "O(c=0.8) @Peter: likes green tea"))
    reflect(root)
    assert id_ not in opinions(root)
    assert HEADING not in read(root)
    assert "Peter likes green tea" not in read(root, PETER)


def test_a_forgotten_opinion_comes_back_when_a_person_wants_it(root):
    id_, text = id_of(root), read(root)
    write(root, text.replace(section(text), ""))
    reflect(root)
    reflect(root, take_back=f"{OPINIONS}#{id_}")
    assert read(root) == text
    settled(root)


def test_the_mark_of_a_forgotten_opinion_may_be_deleted_too(root):
    id_, text = id_of(root), read(root)
    write(root, text.replace(section(text), ""))
    reflect(root)
    write(root, read(root).replace(f"\n<!-- memlab:forgotten {id_} -->\n", ""))
    reflect(root)
    assert opinions(root).keys() == {id_, id_of(root, "Andy")}


def test_a_deleted_part_stays_out_of_its_section(root, pages):
    id_ = id_of(root)
    whole = section(read(root))
    write(root, read(root).replace(whole, f"{HEADING}\nHe told me so.\n\n"))
    reflect(root)
    off = f"<!-- memlab:off opinion {id_} -->"
    assert section(read(root)) == f"{HEADING}\n{off}\nHe told me so.\n\n"
    settled(root)
    pages(AGAINST)
    reflect(root)
    assert id_ not in opinions(root)
    reflect(root, take_back=f"{OPINIONS}#{id_}")
    assert verbs(tea(root)) == ["for", "against"]
    assert off not in read(root)
    settled(root)


def test_text_inside_a_part_makes_it_the_persons(root, pages):
    id_ = id_of(root)
    entry = str(tea(root).entries[0])
    write(root, read(root).replace(entry, f"{entry}\n- and he said so twice"))
    pages(AGAINST)
    before = section(read(root))
    done = reflect(root)
    (trouble,) = done.troubles
    assert f"a person edited the part '{id_}'; it is left as it is" in str(trouble)
    assert section(read(root)) == before
    (withheld,) = done.withheld
    assert withheld.name == f"{OPINIONS}#{id_}"
    assert "-- and he said so twice" in withheld.diff()
    assert "against" in withheld.diff()
    assert done.to_dict()["withheld"] == [{"part": withheld.name, "diff": withheld.diff()}]
    assert len(reflect(root).troubles) == 1  # said again, though nothing changed
    assert reflect(root, take_back=withheld.name).troubles == ()
    assert verbs(tea(root)) == ["for", "against"]
    settled(root)


def test_a_moved_section_stays_where_it_is(root, pages):
    whole = section(read(root))
    write(root, f"{whole}{read(root).replace(whole, '')}")
    settled(root)
    pages(AGAINST)
    reflect(root)
    assert read(root).startswith(HEADING)
    assert verbs(tea(root)) == ["for", "against"]
    settled(root)


def test_a_section_moved_to_another_page_is_reported_and_not_made_again(root, pages):
    id_, whole = id_of(root), section(read(root))
    write(root, read(root).replace(whole, ""))
    pages({"bank/views.md": f"# Views\n\n{whole}"})
    (trouble,) = reflect(root).troubles
    assert str(trouble) == (
        f"bank/views.md: the opinion {id_} stands here, not in bank/opinions.md; "
        "it is left as it is"
    )
    assert id_ not in opinions(root)


def test_remarks_and_all_else_stay_byte_for_byte(root, pages):
    text = read(root).replace("\n\n## Andy", "\nRemarks, kept.  \n\n* * *\n\n## Andy")
    text = f"---\nname: x\n---\n{text}\n\tthe end"
    (root / OPINIONS).write_bytes(text.replace("\n", "\r\n").encode())
    pages(AGAINST)
    reflect(root)
    raw = (root / OPINIONS).read_bytes()
    assert raw.count(b"\n") == raw.count(b"\r\n")
    assert raw.startswith(b"---\r\nname: x\r\n---\r\n# Opinions\r\n")
    assert raw.endswith(b"\r\n\tthe end")
    assert b"\r\nRemarks, kept.  \r\n\r\n* * *\r\n\r\n## " in raw
    settled(root)


def test_a_page_with_a_faulty_marker_is_not_written(root, pages):
    broken = read(root).replace(f"<!-- memlab:end opinion {id_of(root)} -->\n", "")
    write(root, broken)
    pages(AGAINST)
    troubles = [str(trouble) for trouble in reflect(root).troubles]
    assert read(root) == broken
    assert re.match(rf"{OPINIONS}#L\d+: not written: the part 'opinion o-", troubles[0])


def test_a_renamed_entity_page_is_the_entitys_still(root, pages):
    (root / PETER).rename(root / "bank/entities/Pete-the-Printer.md")
    settled(root)
    pages(log("2025-11-12", "W @Peter: prints posters"))
    reflect(root)
    assert not (root / PETER).exists()
    assert "prints posters" in read(root, "bank/entities/Pete-the-Printer.md")
    settled(root)


@pytest.mark.parametrize("part", ["summary", "timeline", "opinions", "related"])
def test_each_part_of_an_entity_page_may_be_deleted_or_edited(root, pages, part):
    text = read(root, PETER)
    found = parts.find(text).get(part)
    lines = text.split("\n")
    write(root, "\n".join(lines[: found.start - 1] + lines[found.end :]), PETER)
    reflect(root)
    assert parts.find(read(root, PETER)).off.keys() == {part}
    settled(root)
    reflect(root, take_back=f"{PETER}#{part}")
    assert parts.find(read(root, PETER)).get(part).body == found.body
    edited = read(root, PETER).replace(found.body, f"{found.body}\n- mine")
    write(root, edited, PETER)
    pages(AGAINST | log("2025-11-11", "W @Peter @Andy @Zoe: print", "B @Peter @Zoe: we swam"))
    (trouble,) = reflect(root).troubles
    assert f"a person edited the part '{part}'" in str(trouble)
    assert f"{found.body}\n- mine" in read(root, PETER)


def test_all_parts_of_a_page_may_be_deleted_at_once(root):
    text = read(root, PETER)
    lines, found = text.split("\n"), parts.find(text)
    first, known = found.get("summary").start, found.get("known").start
    write(root, "\n".join(lines[: first - 1] + lines[known - 1 :]), PETER)
    kept = parts.find(read(root, PETER))
    assert [part.name for part in kept.found] == ["known"]
    reflect(root)
    assert parts.find(read(root, PETER)).off.keys() == {
        "summary",
        "timeline",
        "opinions",
        "related",
    }


def test_a_fact_whose_words_changed_a_little_is_linked_anew(root, pages):
    pages(AGAINST)
    reflect(root)
    old = tea(root).entries[1].fact
    pages(log("2025-11-10", "B @Peter: no longer drinks green tea, nor any other"))
    reflect(root)
    assert verbs(tea(root)) == ["for", "against"]
    assert tea(root).entries[1].fact != old
    long = "no longer drinks green tea, since it keeps him awake"
    pages(log("2025-11-10", f"B @Peter: {long}"))
    (root / OPINIONS).unlink()
    reflect(root)
    first = tea(root).entries[1].fact
    pages(log("2025-11-10", f"B @Peter: {long} at night"))
    reflect(root)
    assert verbs(tea(root)) == ["for", "against"]
    assert tea(root).entries[1].fact != first
    settled(root)


def test_a_fact_that_is_gone_stays_in_the_ledger_and_counts_nothing(root, pages):
    pages(AGAINST)
    reflect(root)
    (root / "memory/2025-11-10.md").unlink()
    reflect(root)
    ledger = tea(root)
    assert verbs(ledger) == ["for", "gone"]
    assert ledger.entries[1].confidence == ledger.confidence == 0.9
    settled(root)


def test_an_opinion_whose_founder_is_gone_is_not_known(root):
    text = read(root, "memory/2025-11-01.md").replace("- O(c=0.9) @Peter: likes green tea\n", "")
    write(root, text, "memory/2025-11-01.md")
    reflect(root)
    assert (verbs(tea(root)), tea(root).confidence) == (["gone"], 0.5)
    settled(root)


def test_only_parts_that_there_may_be_are_taken_back(root):
    with pytest.raises(ParameterError, match="'summary' is no part of a page"):
        reflect(root, take_back="summary")


def test_what_a_person_holds_is_what_recall_is_told(root):
    write(root, read(root).replace("**0.90**", "**0.10**"))
    with memlab.open(root) as workspace:
        held = {one.id: one.confidence for one in opinions_of(workspace.corpus())}
    assert held[id_of(root)] == 0.1
