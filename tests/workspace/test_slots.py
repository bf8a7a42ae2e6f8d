import pytest

from memlab.workspace.slots import SLOTS, claims, replaces


def read(text):
    return [(claim.slot, claim.value, claim.denied) for claim in claims(text, ["Peter", "P. Ek"])]


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("lives in Berlin", "home", "Berlin"),
        ("Peter lives in a flat in Graz since May.", "home", "a flat in Graz"),
        ("He moved from Paris to Berlin", "home", "Berlin"),
        ("P. Ek bor i Aarhus", "home", "Aarhus"),
        ("now works for Initech", "work", "Initech"),
        ("works as a nurse at Odense Hospital", "work", "Odense Hospital"),
        ("uses Obsidian for notes", "uses", "Obsidian"),
        ("switched from Obsidian to Logseq for notes", "uses", "Logseq"),
        ("replaced the queue with a log", "uses", "a log"),
        ("prefers tea to coffee", "prefers", "tea"),
        ("status: on hold", "status", "on hold"),
        ("is now blocked.", "status", "blocked"),
        ("was upgraded from 2.0 to 2.1", "version", "2.1"),
        ("is at version 3", "version", "3"),
        ("owns a boat", "owns", "a boat"),
    ],
)
def test_a_plain_claim_is_read(text, slot, value):
    assert read(text) == [(slot, value, False)]
    assert slot in SLOTS


@pytest.mark.parametrize(
    "text",
    [
        "used to live in Paris",
        "would move to Paris",
        "wants to live in Paris",
        "his sister lives in Paris",
        "Peter's sister lives in Paris",
        "Anna says that Peter lives in Paris",
        "met Anna. She lives in Paris.",
        "I live in Paris",
        "lives in Berlin until June",
        "lives in Paris for two months",
        "works at Acme on Fridays",
        "works at night",
        "moved in with Anna",
        "moved to Obsidian for notes",
        "Does Peter live in Paris?",
        "if Peter lives in Paris, we visit him",
        "The order is on hold",
        "version 0.10.2 fixes the reconnect storm",
        "",
    ],
)
def test_what_is_not_plainly_said_of_the_entity_now_is_no_claim(text):
    assert [row for row in read(text) if row[0] != "uses"] == []


def test_a_second_verb_has_the_first_ones_subject():
    assert read("works at Acme and lives in Berlin") == [
        ("work", "Acme", False), ("home", "Berlin", False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "slot"),
    [("no longer lives in Paris", "home"), ("stopped using Slack", "uses"),
     ("sold the boat", "owns"), ("quit Acme", "work")],
)  # fmt: skip
def test_what_holds_no_more_is_a_denial(text, slot):
    ((found, _, denied),) = read(text)
    assert (found, denied) == (slot, True)


def after(older, newer):
    (one,), (other,) = claims(older), claims(newer)
    return replaces(other, one)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("lives in Paris", "moved to Berlin"),
        ("lives in Paris", "no longer lives in Paris"),
        ("no longer lives in Paris", "lives in Paris"),
        ("works at Acme", "now works for Initech"),
        ("uses Obsidian for notes", "uses Logseq for notes"),
        ("uses Obsidian for notes", "switched from Obsidian to Logseq"),
        ("prefers tea to coffee", "prefers coffee to tea"),
        ("prefers short replies on WhatsApp", "prefers long replies on WhatsApp"),
        ("is blocked", "is done"),
        ("is at version 2.0", "is at version 2.1"),
        ("owns a boat", "sold the boat"),
        ("owns a boat", "traded the boat for a van"),
    ],
)
def test_these_cannot_both_hold(older, newer):
    assert after(older, newer)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("lives on Islands Brygge in Copenhagen", "lives in Copenhagen"),
        ("lives in Paris", "works at Acme"),
        ("lives in Paris", "moved from Vim to Helix"),
        ("uses tea", "uses coffee"),
        ("uses Obsidian for notes", "uses Todoist for tasks"),
        ("prefers tea", "prefers window seats"),
        ("owns a boat", "owns a van"),
        ("owns a boat", "sold the van"),
        ("is done", "is finished"),
        ("is at version 2.1", "runs v2.1"),
    ],
)
def test_these_can_both_hold(older, newer):
    assert not after(older, newer)
