"""Half a minute with memlab, over a copy of two months of an assistant's notes.

    python -m examples.demo

Ends with 1 unless every answer cites the line that it should.
"""

import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.syntax import Syntax
from rich.text import Text

import memlab
from memlab import notebooks
from memlab.cite import Recall

ROOT = Path(__file__).parent.parent
NOW = "2025-11-30"

# what kind of question it is, the question, its filters, and the line that answers it
QUESTIONS: list[tuple[str, str, dict[str, Any], str]] = [
    (
        "by its words",
        "upstream.keepalive on the Svendborg gateway",
        {},
        "memory/notes/gateway-runbook.md#L50",
    ),
    (
        "about someone",
        "What does Bilal drive, and how many hulls can he take?",
        {"entities": ["Bilal"]},
        "bank/entities/Bilal.md#L13",
    ),
    (
        "in a week of October",
        "What did the roofer do at the Castle?",
        {"since": "2025-10-27", "until": "2025-11-02"},
        "memory/2025-10-29.md#L18",
    ),
    (
        "an opinion, as it is now",
        "What does Søren think of Rust?",
        {"kinds": ["opinion"], "since": "15d"},
        "memory/2025-11-19.md#L23",
    ),
    (
        "in Burmese: at how many degrees does the salt go in?",
        "ဆားကို အပူချိန် ဘယ်နှစ်ဒီဂရီရောက်မှ ထည့်ရမလဲ။",
        {},
        "memory/notes/kiln-notes-thiri.md#L19",
    ),
]

NEXT = [
    ("source .venv/bin/activate", "so that memlab is a command"),
    ('memlab recall "Who owns the café?" --workspace data/fixtures/harbour', "any question"),
    ("memlab index --workspace DIR", "your own notes; only DIR/.memory is written to"),
    ("memlab reflect --dry-run --workspace DIR", "what it would write on pages, as a diff"),
    ("jupyter lab notebooks", "the notebooks, to change and to run again"),
    ("README.md, docs/formats.md", "all commands; how a workspace is written"),
]

console = Console(highlight=False, width=min(Console().width, 100))


def main() -> int:
    """Run the whole loop; 0 if every citation is the expected one."""
    with tempfile.TemporaryDirectory(prefix="memlab-demo-") as folder:
        place = Path(folder, "harbour")
        ignore = shutil.ignore_patterns(".memory")
        shutil.copytree(ROOT / "data" / "fixtures" / "harbour", place, ignore=ignore)
        with memlab.open(place, now=NOW) as workspace:
            index(workspace)
            right = [ask(workspace), retain(workspace), reflect(workspace)]
        run_notebooks(place)
    heading("Where to go next")
    for command, what in NEXT:
        console.print(f"  [bold]{escape(command)}[/]\n      {escape(what)}", soft_wrap=True)
    return 0 if all(right) else 1


def index(workspace: memlab.Workspace) -> None:
    """Build the index from nothing."""
    heading("Index", "memlab index")
    start = time.perf_counter()
    workspace.refresh()
    counts = workspace.corpus().counts()
    held = ", ".join(f"{counts[what]} {what}" for what in ("pages", "facts", "entities"))
    say(f"{held}, read from Markdown in {time.perf_counter() - start:.1f} s")


def ask(workspace: memlab.Workspace) -> bool:
    """Five questions of five kinds."""
    heading("Recall", 'memlab recall "…"')
    right = [
        show(label, workspace.recall(query, k=3, **filters), filters, expected)
        for label, query, filters, expected in QUESTIONS
    ]
    return all(right)


def show(label: str, found: Recall, filters: dict[str, Any], expected: str) -> bool:
    """Print a question with its first answer; whether that cites the expected line."""
    bounds = "".join(f"  {key}={value!r}" for key, value in filters.items())
    console.print(f"  [dim]{escape(label + bounds)}[/]\n  [bold]{escape(found.query)}[/]")
    if not found.hits:
        console.print("  [red]✗ no answer[/]\n")
        return False
    fact = found[0].fact
    right = str(fact.source) == expected
    mark = "[green]✓[/]" if right else f"[red]✗ not {escape(expected)} but[/]"
    sure = "" if fact.confidence is None else f" {fact.confidence}"
    say(fact.content)
    console.print(f"  {mark} [cyan]{escape(str(fact.source))}[/]  [dim]{fact.kind}{sure}[/]\n")
    return right


def retain(workspace: memlab.Workspace) -> bool:
    """Write a fact into today's log, and find it."""
    heading("Retain", 'memlab retain "W @Juno: …"')
    done = workspace.retain("W @Juno: The vet on Amager closes at noon on Saturdays.")
    say(f"{done.bullet}\nappended as {done.source}\n")
    found = workspace.recall("When does the vet close on a Saturday?", k=3)
    return show("the index has followed", found, {}, str(done.source))


def reflect(workspace: memlab.Workspace) -> bool:
    """Bring the pages of whoever has news up to date; whether that is then all."""
    heading("Reflect", "memlab reflect --since 1d")
    done = workspace.reflect(since="1d")
    say(f"{len(done.changes)} pages written: {', '.join(change.path for change in done.changes)}")
    lines = done.diff().splitlines()
    diff = Syntax("\n".join(lines[:12]), "diff", background_color="default", word_wrap=True)
    console.print(Padding(diff, (1, 2, 0, 2)))
    again = workspace.reflect(since="1d")
    say(f"… {len(lines) - 12} more lines\n\na second reflect changes {len(again.changes)} pages")
    return bool(done.changes) and not again.changes


def run_notebooks(place: Path) -> None:
    """Run notebooks through papermill; that of reflect does what is left to do."""
    heading("Notebooks", "memlab notebook run reflect -p dry_run=false")
    given: dict[str, dict[str, Any]] = {
        "reflect": {"workspace": str(place), "now": NOW, "dry_run": False},
        "recall_quality": {},
    }
    for notebook in [notebook for notebook in notebooks.known() if notebook.name in given]:
        with console.status(f"running {notebook.name}"):
            done = notebooks.run(notebook, given[notebook.name])
        at_home = done.html.is_relative_to(ROOT)
        say(str(done.html.relative_to(ROOT) if at_home else done.html))


def heading(title: str, command: str = "") -> None:
    """A line that says which part comes, and which command does the same."""
    console.print(f"\n[bold magenta]{title}[/]  [dim]{escape(command)}[/]\n")


def say(text: str) -> None:
    """Plain words, indented; nothing of the notes is taken for markup."""
    console.print(Padding(Text(text), (0, 2), expand=False))


if __name__ == "__main__":
    sys.exit(main())
