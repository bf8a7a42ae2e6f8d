"""What tests of reflect share: the pages of a workspace, read and written, and nights."""

import memlab
from memlab.opinions.page import Ledger
from memlab.workspace import parts

OPINIONS = "bank/opinions.md"
PETER = "bank/entities/Peter.md"


def read(root, path=OPINIONS):
    return (root / path).read_text(encoding="utf-8")


def write(root, text, path=OPINIONS):
    (root / path).write_text(text, encoding="utf-8")


def reflect(root, now="2025-12-31", **options):
    """One reflect, in a session of its own."""
    with memlab.open(root, now=now, timezone="Europe/Copenhagen") as workspace:
        return workspace.reflect(**options)


def bank(root):
    """The text of each page of the bank."""
    return {
        file.relative_to(root).as_posix(): file.read_bytes()
        for file in sorted((root / "bank").rglob("*.md"))
    }


def opinions(root):
    """The part and the ledger of each opinion, by its id."""
    found = parts.find(read(root)).found
    named = [part for part in found if part.name.startswith(parts.OPINION)]
    return {part.name.removeprefix(parts.OPINION): Ledger.parse(part.body) for part in named}


def only(root):
    """The id and the ledger of the only opinion."""
    ((id_, ledger),) = opinions(root).items()
    return id_, ledger


def verbs(ledger):
    return [entry.verb for entry in ledger.entries]


def log(day, *bullets):
    """A day's log as a path and a text."""
    return {f"memory/{day}.md": "## Retain\n\n" + "".join(f"- {bullet}\n" for bullet in bullets)}
