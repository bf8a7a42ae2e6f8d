"""A page of ``bank/proposals/``: a diff against the core's file, and why. Pure functions.

    ---
    status: open
    block: human
    why: said on 3 occasions, the last on 2025-12-03
    evidence: [f-k3v9q2m8aa4c, f-0qw27h1nbb2d]
    ---

    # Peter lives in Berlin

    ```diff
    --- a/memory.md
    +++ b/memory.md
    @@ -5,1 +5,2 @@
     - Speaks Danish
    +- Peter lives in Berlin
    ```

A person may edit all of it; what the diff adds is what is applied.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.workspace import front_matter
from memlab.workspace.markdown import split_lines

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator, Sequence

FOLDER = "bank/proposals"
OPEN, APPLIED, REJECTED = "open", "applied", "rejected"
STATES = (OPEN, APPLIED, REJECTED)

_FENCE = re.compile(r"(`{3,})diff\s*")
_HUNK = re.compile(r"@@ .*@@")
_STATUS = re.compile(r"^(status:[ \t]*).*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Hunk:
    """A stretch of lines and what is to stand there instead.

    Attributes:
        old: The lines as they stood, with those around that stay.
        new: The lines as they are to stand, with the same around.
        added: Only those that are new.
        removed: Only those that are to go.
    """

    old: tuple[str, ...]
    new: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a page of the folder says.

    Attributes:
        path: The page.
        status: ``open``, ``applied`` or ``rejected``.
        block: The label of the block that it is for.
        why: What speaks for it.
        evidence: Ids of facts and opinions.
        title: Its first heading.
        hunks: Its diff.
        faults: What is wrong with the page.
    """

    path: str
    status: str
    block: str
    why: str
    evidence: tuple[str, ...]
    title: str
    hunks: tuple[Hunk, ...]
    faults: tuple[str, ...] = ()

    @property
    def removes(self) -> bool:
        """Whether it takes lines away."""
        return any(hunk.removed for hunk in self.hunks)

    @property
    def name(self) -> str:
        """What it goes by: its file's name without the ending."""
        return self.path.rpartition("/")[2].removesuffix(".md")

    @property
    def digest(self) -> str:
        """The six hex digits of its name, by which it is told from all others for good."""
        return self.name.rpartition("-")[2]


def digest(block: str, line: str) -> str:
    """Six hex digits over the target block and the text."""
    return hashlib.sha256(f"{block}\n{line}".encode()).hexdigest()[:6]


def path_of(day: dt.date, block: str, line: str) -> str:
    """Where a proposal stands; ``day`` is that of its newest evidence."""
    return f"{FOLDER}/{day}-{digest(block, line)}.md"


def render(*, block: str, why: str, evidence: Iterable[str], title: str, diff: str) -> str:
    """The text of a new page."""
    import yaml

    values = {"status": OPEN, "block": block, "why": why, "evidence": list(evidence)}
    head = yaml.safe_dump(
        values, allow_unicode=True, sort_keys=False, width=1_000, default_flow_style=None
    )
    runs = re.findall(r"^[ +-]?(`{3,})", diff, re.MULTILINE)
    fence = "`" * (1 + max(map(len, runs), default=2))
    body = diff.rstrip("\n")
    return f"---\n{head}---\n\n# {title}\n\n{fence}diff\n{body}\n{fence}\n"


def parse(path: str, text: str) -> Proposal:
    """Read a page, line endings as LF; what is missing or unknown is a fault."""
    front = front_matter.split(text)
    status = front.text("status")
    faults = [message for _, message in front.faults]
    if status not in STATES:
        faults.append(f"its status {status!r} is none of {', '.join(STATES)}")
    lines = split_lines(front.body)
    title = next((line[2:].strip() for line in lines if line.startswith("# ")), "")
    hunks = tuple(_hunks(list(_diff(lines))))
    if not any(hunk.added or hunk.removed for hunk in hunks):
        faults.append("it has no fenced diff that changes a line")
    return Proposal(
        path, status, front.text("block"), front.text("why"), front.texts("evidence"), title,
        hunks, tuple(faults),
    )  # fmt: skip


def with_status(text: str, status: str) -> str:
    """A page's text with another status; all else as it is."""
    end = text.find("\n---", 3)
    head, rest = text[: max(end, 0)], text[max(end, 0) :]
    return _STATUS.sub(rf"\g<1>{status}", head, count=1) + rest


def _diff(lines: Sequence[str]) -> Iterator[str]:
    """The lines of the first fenced diff."""
    fence = ""
    for line in lines:
        if fence and line.strip() == fence:
            return
        if fence:
            yield line
        elif match := _FENCE.fullmatch(line):
            fence = match[1]


def _hunks(diff: Sequence[str]) -> Iterator[Hunk]:
    starts = [number for number, line in enumerate(diff) if _HUNK.match(line)]
    for start, end in zip(starts, [*starts, len(diff)][1:], strict=True):
        # an editor may have taken the space from an empty line
        own = [line or " " for line in diff[start + 1 : end] if not line.startswith("\\")]
        added, removed = ([line[1:] for line in own if line[0] == sign] for sign in "+-")
        yield Hunk(
            tuple(line[1:] for line in own if line[0] in " -"),
            tuple(line[1:] for line in own if line[0] in " +"),
            # a last line that gets its line ending is no change
            tuple(line for line in added if line not in removed),
            tuple(line for line in removed if line not in added),
        )


def apply(text: str, hunks: Iterable[Hunk]) -> str | None:
    """A text with the hunks applied; None where one of them does not stand there once."""
    lines = text.split("\n")
    for hunk in hunks:
        places = [
            at for at in range(len(lines) - len(hunk.old) + 1)
            if tuple(lines[at : at + len(hunk.old)]) == hunk.old
        ]  # fmt: skip
        if len(places) != 1 or not hunk.old:
            return None
        lines[places[0] : places[0] + len(hunk.old)] = hunk.new
    return "\n".join(lines)


def anew(hunks: Iterable[Hunk]) -> str:
    """The text that hunks make of nothing."""
    return "".join(f"{line}\n" for hunk in hunks for line in hunk.new)
