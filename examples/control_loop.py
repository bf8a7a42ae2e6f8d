"""An agent turn by turn: the core in its prompt, tools, writes, the core again on the next turn.

    python -m examples.control_loop                  # a scripted model, offline
    python -m examples.control_loop --model qwen3    # a model of a local Ollama server

It works on a copy of the fixture workspace, so it can be run again.
"""

import argparse
import json
import shutil
import tempfile
from pathlib import Path

import memlab
from memlab.verbs.loop import Step, converse, ollama_model, scripted

NOTES = Path(__file__).parent.parent / "data" / "fixtures" / "harbour"
NOW = "2025-11-30"

TURNS = [
    "Before you write to me: from now on, no more than three sentences, please.",
    "What do we owe Hanne for the VAT quarter, and when?",
    "I told you how long your messages may be. How long?",
]
RULE = "- Messages have three sentences at most, since November 30, 2025."
WISH = "asked for messages of at most three sentences."
SCRIPT = [
    Step(
        (
            ("core_append", {"label": "standing-rules", "content": RULE}),
            ("archival_insert", {"content": WISH, "tags": ["Søren"]}),
        ),
        "Noted.",
    ),
    Step(
        (("archival_search", {"query": "VAT quarter paid", "tags": ["Hanne"], "top_k": 1}),), "{0}"
    ),
    Step((), "{line}", find="three sentences"),
]


def main(words: list[str] | None = None) -> None:
    """Print each turn: what was asked, which tools were called, what they answered, the reply."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--model", help="a model of a local Ollama server; else the scripted one")
    name = parser.parse_args(words).model
    model = ollama_model(name) if name else scripted(SCRIPT)
    with tempfile.TemporaryDirectory() as folder:
        ignore = shutil.ignore_patterns(".memory")
        notes = shutil.copytree(NOTES, Path(folder) / "notes", ignore=ignore)
        with memlab.open(notes, now=NOW, timezone="Europe/Copenhagen") as workspace:
            for number, turn in enumerate(converse(workspace, model, TURNS), start=1):
                print(f"\n{number}. {turn.asked}")
                for tool, given, answer in turn.calls:
                    print(f"   {tool} {json.dumps(given, ensure_ascii=False)}\n      -> {answer}")
                print(f"   = {turn.reply}")


if __name__ == "__main__":
    main()
