"""Core render: the blocks as the text that begins an agent's next prompt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memlab import counters
from memlab.errors import ParameterError
from memlab.session import mending
from memlab.verbs.core import core_blocks
from memlab.workspace import core

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping

    from memlab.counters import Counter
    from memlab.session import Refresh, Session
    from memlab.types import Fact
    from memlab.workspace.core import CoreBlock

_WARNING = "# Line numbers (12→) are for display only; they are no part of the text."


@dataclass(frozen=True, slots=True)
class Rendered:
    """The core as text.

    Attributes:
        text: The text.
        shown: For each file, the ranges of lines that stand in the text, both ends from 1.
        left_out: The labels of the blocks for which there was no room.
        cut: The labels of those of which only the first lines are shown.
    """

    text: str
    shown: Mapping[str, list[tuple[int, int]]] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()

    def holds(self, fact: Fact) -> bool:
        """Whether a fact's lines stand in the text."""
        source = fact.source
        ranges = self.shown.get(source.path, ())
        return any(start <= source.start and source.end <= end for start, end in ranges)


@mending
def core_render(
    session: Session,
    *,
    max_tokens: int | None = None,
    line_numbers: bool = False,
    now: dt.datetime | dt.date | str | None = None,
    refresh: Refresh | None = None,
) -> str:
    """``<memory_blocks>`` and ``<memory_metadata>``, in the form of Letta.

    Blocks are shown whole as long as the budget lasts: those of the core's file first, then the
    stable files. One that does not fit is cut at a line and says so; one for which nothing is left
    is named in the metadata alone.

    Args:
        session: The open workspace.
        max_tokens: At most so many tokens in all, four bytes each.
        line_numbers: Show them, with a warning.
        now: The clock.
        refresh: ``auto``, ``always`` or ``never``; the session's by default.

    Raises:
        ParameterError: If not even the frame fits.
    """
    return render(
        session, max_tokens=max_tokens, line_numbers=line_numbers, now=now, refresh=refresh
    ).text


def render(
    session: Session,
    *,
    max_tokens: int | None = None,
    line_numbers: bool = False,
    counter: str | Counter = counters.DEFAULT,
    now: dt.datetime | dt.date | str | None = None,
    refresh: Refresh | None = None,
) -> Rendered:
    """The same with what is shown and what is not; ``counter`` is the spec of what counts."""
    count = counters.counter(counter).count
    blocks = core_blocks(session)
    counts = session.corpus(refresh).counts()
    clock = session.now(now)
    about = [
        f"- time: {clock:%Y-%m-%d %H:%M %Z}".rstrip(),
        f"- archival_facts: {counts['facts']}, from {counts['first_day']} to {counts['last_day']}",
        f"- entities: {counts['entities']}",
    ]
    shown: list[str] = []
    ranges: dict[str, list[tuple[int, int]]] = {}
    left_out: list[str] = []
    cut: list[str] = []
    text = _frame([], [*about, _left_out(blocks)] if blocks else about)
    if max_tokens is not None and (need := count(text)) > max_tokens:
        raise ParameterError(f"the frame alone takes {need} tokens, more than {max_tokens}")
    for index, block in enumerate(blocks):
        # what comes after may have to be named as left out, so room for that is kept
        later = blocks[index + 1 :]
        for keep in range(len(block.lines), -1, -1) if block.value else [0]:
            piece = _block(block, keep, line_numbers=line_numbers)
            names = [*left_out, *(other.label for other in later)]
            notes = [*about, _names(names)] if names else about
            if max_tokens is None or count(_frame([*shown, piece], notes)) <= max_tokens:
                break
        else:
            left_out.append(block.label)
            continue
        if keep == 0 and block.value:
            left_out.append(block.label)
            continue
        shown.append(piece)
        ranges.setdefault(block.path, []).append((block.start + 1, block.start + keep))
        if keep < len(block.lines):
            cut.append(block.label)
    text = _frame(shown, [*about, _names(left_out)] if left_out else about)
    return Rendered(text, ranges, tuple(left_out), tuple(cut))


def _frame(blocks: list[str], about: list[str]) -> str:
    return "\n".join([
        "<memory_blocks>", *blocks, "</memory_blocks>", "", "<memory_metadata>", *about,
        "</memory_metadata>", "",
    ])  # fmt: skip


def _names(labels: list[str]) -> str:
    return f"- left_out: {', '.join(labels)}"


def _left_out(blocks: list[CoreBlock]) -> str:
    return _names([block.label for block in blocks])


def _block(block: CoreBlock, keep: int, *, line_numbers: bool) -> str:
    lines = list(core.numbered(block)) if line_numbers else block.lines
    cut = len(lines) - keep
    note = [f"[{cut} more lines: core_view {block.label}]"] if cut else []
    return "\n".join([
        f"<{block.label}>",
        *(["<description>", block.description, "</description>"] if block.description else []),
        "<metadata>",
        *(["- read_only=true"] if block.read_only else []),
        f"- chars_current={len(block.value)}",
        f"- chars_limit={block.limit}",
        "</metadata>",
        *([_WARNING] if line_numbers else []),
        "<value>", *lines[:keep], *note, "</value>",
        f"</{block.label}>",
    ])  # fmt: skip
