import pytest

import memlab
from memlab.workspace import parts

LOGS = {
    "memory/2025-11-10.md": "## Retain\n- B @Peter: Wants replies that fit on one screen\n",
    "memory/2025-11-20.md": "## Retain\n- B @Peter: Asked for the long report this time\n",
}
PAGE = """\
# Opinions

## Peter prefers short replies
<!-- memlab:begin opinion o-7h2kq3 {digest} -->
{body}
<!-- memlab:end opinion o-7h2kq3 -->

## Peter prefers tea

So he says.

## Peter prefers the sea
**0.30** since he moved
"""


@pytest.fixture
def workspace(pages):
    with memlab.open(pages(LOGS), now="2025-11-30") as opened:
        first, second = (fact.id for fact in opened.corpus().facts([0, 1]))
        body = (
            "**0.85** · @Peter · updated 2025-11-20\n"
            f'- 2025-11-10 for {first} → 0.90 "Wants replies …"\n'
            f'- 2025-11-20 against {second} → 0.85 "Asked for …"'
        )
        # the digest skips the bold number, which is a person's to change
        digest = parts.digest(body, "opinion o-7h2kq3")
        pages({"bank/opinions.md": PAGE.format(digest=digest, body=body)})
        opened.corpus("always")
        yield opened


def statement(found, words="Peter prefers short replies"):
    return next(hit for hit in found if hit.fact.content == words)


def test_an_opinion_has_its_confidence_its_evidence_and_its_last_change(workspace):
    found = workspace.recall("What does Peter prefer, short replies?", retriever="opinion")
    hit = statement(found)
    assert hit.fact.confidence == 0.85
    assert found.to_dict()["hits"][hit.rank - 1]["evidence"] == [
        {"verb": "for", "day": "2025-11-10", "confidence": 0.9,
         "source": "memory/2025-11-10.md#L2"},
        {"verb": "against", "day": "2025-11-20", "confidence": 0.85,
         "source": "memory/2025-11-20.md#L2"},
    ]  # fmt: skip
    assert found.to_dict()["hits"][hit.rank - 1]["changed"] == "2025-11-20"
    assert (
        "opinion 0.85 · @Peter · for memory/2025-11-10.md#L2 · against memory/2025-11-20.md#L2"
        " · changed 2025-11-20]"
    ) in found.to_markdown()


def test_as_of_a_day_what_came_later_is_not_there(workspace):
    hit = statement(workspace.recall("short replies", as_of="2025-11-15"))
    assert hit.fact.confidence == 0.9
    assert [str(one) for one in hit.evidence] == ["for memory/2025-11-10.md#L2"]
    assert str(hit.changed) == "2025-11-10"


@pytest.mark.parametrize(
    ("words", "sure"),
    [("Peter prefers short replies", 0.85), ("Peter prefers tea", 0.7),
     ("Peter prefers the sea", 0.3)],
)  # fmt: skip
def test_a_statement_is_as_sure_as_the_page_has_it_wherever_it_is_shown(workspace, words, sure):
    assert statement(workspace.recall(words), words).fact.confidence == sure
    facts = workspace.facts()
    assert facts["confidence"][facts["content"] == words].tolist() == [sure]
    (fact,) = workspace.show(facts.index[facts["content"] == words][0]).facts
    assert (fact.content, fact.confidence) == (words, sure)


def test_other_hits_have_none(workspace):
    found = workspace.recall("Peter prefers tea, one screen")
    plain = statement(found, "Peter prefers tea")
    assert (plain.evidence, plain.changed) == ((), None)
    keys = found.to_dict()["hits"][plain.rank - 1].keys()
    assert keys.isdisjoint({"evidence", "changed"})
