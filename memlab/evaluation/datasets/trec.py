"""TREC's run and qrels files, written for other tools and read as judgments of a workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


def write_run(file: Path, ranked: Mapping[str, Sequence[str]], tag: str) -> None:
    """A TREC run: question, Q0, fact id, rank from 1, score, tag.

    The score is the rank counted backwards: trec_eval sorts by it and breaks ties in its own way,
    and so finds just the ranks that memlab measured.
    """
    with file.open("w", encoding="utf-8", newline="\n") as out:
        for question, facts in ranked.items():
            for rank, fact in enumerate(facts, start=1):
                score = len(facts) - rank + 1
                out.write(f"{_word(question)} Q0 {_word(fact)} {rank} {score} {_word(tag)}\n")


def write_qrels(file: Path, qrels: Mapping[str, Mapping[str, int]]) -> None:
    """TREC qrels: question, 0, fact id, grade."""
    with file.open("w", encoding="utf-8", newline="\n") as out:
        for question, grades in qrels.items():
            for fact, grade in grades.items():
                out.write(f"{_word(question)} 0 {_word(fact)} {grade}\n")


def _word(text: str) -> str:
    """White space parts the columns, so there is none inside one."""
    return "_".join(text.split()) or "_"
