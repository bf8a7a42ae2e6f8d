import pytest

from memlab.session import Session
from memlab.store.evidence import MENTION_LENGTH, by_entity, find
from memlab.types import Kind
from memlab.workspace import parts


def evidence(root):
    with Session(root) as session:
        return by_entity(find(session.corpus()))


def contents(root, own="peter"):
    return [fact.content for fact in evidence(root).get(own, [])]


FACT = "## Retain\n\n- W @Peter: prints\n"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("memory.md", FACT),
        ("SOUL.md", FACT),
        ("bank/world.md", FACT),
        ("bank/entities/Peter.md", f"# Peter\n\n{FACT}"),
        ("memory/notes/undated.md", FACT),
        ("memory/2025-11-27.md", FACT.replace("Retain", "Retain (proposed)")),
        ("memory/2025-11-27.md", FACT.replace("- W", "- S")),
        ("memory/2025-11-27.md", parts.append("", "summary", FACT)),
        ("memory/2025-11-27.md", f"<!-- memlab:begin summary 000000 -->\n{FACT}"),
        ("memory/2025-11-27.md", f"{FACT}\n<!-- memlab:end summary -->\n"),
        ("bank/2025-11-27.md", FACT),
    ],
)
def test_what_is_no_evidence(pages, path, text):
    assert contents(pages({path: text})) == []


def test_dated_pages_under_memory_are_evidence_oldest_first(pages):
    note = f"---\ndate: 2025-11-20\n---\n{FACT.replace('prints', 'printed')}"
    root = pages({"memory/2025-11-27.md": FACT, "memory/notes/shop.md": note})
    (first, second) = evidence(root)["peter"]
    assert (first.content, str(first.day)) == ("printed", "2025-11-20")
    assert (second.content, second.kind, second.named) == ("prints", Kind.WORLD, {"peter"})


def test_mentions_count_while_few_facts_name_the_entity(pages):
    long = "Peter " + "x" * MENTION_LENGTH
    log = f"{FACT}- W @Andy: knows Peter\n- W @Andy: {long}\n"
    assert sorted(contents(pages({"memory/2025-11-27.md": log}))) == ["knows Peter", "prints"]
    named = "".join(f"- W @Peter: fact {n}\n" for n in range(2))
    assert sorted(contents(pages({"memory/2025-11-27.md": log + named}))) == [
        "fact 0", "fact 1", "prints",
    ]  # fmt: skip
