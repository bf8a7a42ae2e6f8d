"""The core: what an agent always has before it, as blocks that it reads and edits.

The tools are those of Letta (MemGPT), with its refusals: a text to replace must stand there once,
line numbers are for display only, read-only blocks are not written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memlab.errors import CoreError
from memlab.workspace import commit as git
from memlab.workspace import core, writer

if TYPE_CHECKING:
    from collections.abc import Callable

    from memlab.session import Session
    from memlab.workspace.core import CoreBlock

_NUMBER = re.compile(r"^\s*\d+\s*→", re.MULTILINE)
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class CoreWrite:
    """A block that was written.

    Attributes:
        block: The block as it is now.
        over: How many characters it has above its limit; 0 within it.
        commit: The hash of the git commit, where one was asked for.
    """

    block: CoreBlock
    over: int = 0
    commit: str | None = None

    def __str__(self) -> str:
        block = self.block
        text = f"{block.label}: {len(block.value)} of {block.limit} characters"
        return f"{text}, {self.over} too many: shorten it" if self.over else text

    def to_dict(self) -> dict[str, object]:
        """Plain values."""
        return {
            "label": self.block.label, "chars_current": len(self.block.value),
            "chars_limit": self.block.limit, "over": self.over, "commit": self.commit,
        }  # fmt: skip


def core_blocks(session: Session) -> list[CoreBlock]:
    """All blocks: those of the core's file in order, then the stable files.

    Raises:
        WriteError: If a file cannot be read.
    """
    path = _path(session)
    found = core.find(path, writer.read_text(session.root / path) or "")
    for stem in core.STABLE:
        text = writer.read_text(session.root / f"{stem}.md")
        if text is not None and text.strip():
            found.append(core.stable(stem, f"{stem}.md", text))
    return found


def core_view(session: Session, label: str, *, line_numbers: bool = False) -> str:
    """The body of a block.

    Args:
        session: The open workspace.
        label: The block's label.
        line_numbers: Show them, as ``12→ text``; they are no part of the text.

    Raises:
        CoreError: If there is no such block.
    """
    block = _find(core_blocks(session), label)
    return "\n".join(core.numbered(block)) if line_numbers else block.value


def core_append(
    session: Session, label: str, content: str, *, strict: bool = True, commit: str | None = None
) -> CoreWrite:
    """Add lines at the end of a block; for arguments and errors see `core_replace`."""
    content = _plain("content", content)
    return _edit(
        session, label, lambda block: "\n".join([*block.lines, content]),
        strict=strict, commit=commit,
    )  # fmt: skip


def core_replace(
    session: Session, label: str, old: str, new: str, *, strict: bool = True,
    commit: str | None = None,
) -> CoreWrite:  # fmt: skip
    """Replace a text that stands in a block exactly once.

    Args:
        session: The open workspace.
        label: The block's label.
        old: The text, verbatim; line endings may be LF in a file with CRLF.
        new: What takes its place; nothing, to remove it.
        strict: Refuse what makes the block longer than its limit; else write it and say so.
        commit: Commit the file to git, for this reason.

    Raises:
        CoreError: If nothing was replaced; it says why.
        WriteError: If the file cannot be written, or is written and cannot be committed.
    """
    old, new = _plain("old", old), _plain("new", new, empty=True)

    def edit(block: CoreBlock) -> str:
        places = [match.start() for match in re.finditer(f"(?={re.escape(old)})", block.value)]
        if not places:
            raise CoreError(
                "no replacement was performed: the old text does not stand there verbatim",
                where=block.label, hint="View the block and copy the text",
            )  # fmt: skip
        if len(places) > 1:
            lines = sorted({block.value.count("\n", 0, place) + 1 for place in places})
            raise CoreError(
                f"no replacement was performed: the old text stands there {len(places)} times, "
                f"in lines {', '.join(map(str, lines))}",
                where=block.label, hint="Give more of what stands around it",
            )  # fmt: skip
        return block.value[: places[0]] + new + block.value[places[0] + len(old) :]

    return _edit(session, label, edit, strict=strict, commit=commit)


def core_insert(
    session: Session, label: str, text: str, *, line: int = -1, strict: bool = True,
    commit: str | None = None,
) -> CoreWrite:  # fmt: skip
    """Insert lines after a line of a block; for the rest see `core_replace`.

    Args:
        session: The open workspace.
        label: The block's label.
        text: The lines.
        line: After which line: 0 is the top, -1 the end.
        strict: As in `core_replace`.
        commit: As in `core_replace`.
    """
    text = _plain("text", text)

    def edit(block: CoreBlock) -> str:
        count = len(block.lines)
        if not -1 <= line <= count:
            raise CoreError(
                f"nothing was inserted: there is no line {line}", where=block.label,
                hint=f"Give 0 for the top, 1 to {count}, or -1 for the end",
            )  # fmt: skip
        at = count if line == -1 else line
        return "\n".join([*block.lines[:at], text, *block.lines[at:]])

    return _edit(session, label, edit, strict=strict, commit=commit)


def core_rethink(
    session: Session, label: str, text: str, *, strict: bool = True, commit: str | None = None
) -> CoreWrite:
    """Rewrite a block as a whole, or make one that is missing; for the rest see `core_replace`."""
    text = _plain("text", text, empty=True)
    return _edit(session, label, lambda _: text, strict=strict, commit=commit, create=text)


def _edit(
    session: Session, label: str, change: Callable[[CoreBlock], str], *, strict: bool,
    commit: str | None, create: str | None = None,
) -> CoreWrite:  # fmt: skip
    git.check(session.root, commit)
    path = _path(session)
    session.check_writable()
    with session.place.lock():
        before = writer.read_text(session.root / path)
        text = before or ""
        known = core_blocks(session)
        if create is not None and label not in [block.label for block in known]:
            after = core.with_block(text, label, create)
            label = core.slug(label)
            wanted = [*core.find(path, text), core.CoreBlock(label, create, path, 0, 0)]
        else:
            block = _find(known, label)
            if block.read_only:
                raise CoreError("the block is read-only: nothing was written", where=label)
            value = change(block)
            after = core.with_value(text, block, value)
            wanted = [
                replace(one, value=value) if one.label == label else one
                for one in core.find(path, text)
            ]
        written = _check(path, after, wanted, label)
        over = max(0, len(written.value) - written.limit)
        if over and strict:
            raise CoreError(
                f"nothing was written: the block would have {len(written.value)} characters, "
                f"{over} more than its limit", where=label, hint="Shorten it",
            )  # fmt: skip
        if after != before:
            writer.replace(session.root / path, after, expected=before)
            session.place.bump()
    done = git.commit(session.root, [path], commit) if commit else None
    return CoreWrite(written, over, done)


def _check(path: str, text: str, wanted: list[CoreBlock], label: str) -> CoreBlock:
    """The block as it would be read; refuses what would not be read back as it was given."""
    found = core.find(path, text)
    kept = [(block.label, block.value.strip("\n")) for block in wanted if block.value.strip()]
    if [(block.label, block.value) for block in found if block.value] != [
        (name, _trimmed(value)) for name, value in kept
    ]:
        raise CoreError(
            "nothing was written: the text would not be read back as one block", where=label,
            hint="Use headings below level two (###), and close code fences and comments",
        )  # fmt: skip
    empty = core.CoreBlock(label, "", path, 0, 0)
    return next((block for block in found if block.label == label), empty)


def _trimmed(value: str) -> str:
    lines = value.split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    return "\n".join(lines)


def _path(session: Session) -> str:
    return next((name for name in core.NAMES if (session.root / name).is_file()), core.NAMES[0])


def _find(blocks: list[CoreBlock], label: str) -> CoreBlock:
    for block in blocks:
        if block.label == label:
            return block
    known = ", ".join(f"{b.label}{' (read-only)' if b.read_only else ''}" for b in blocks)
    raise CoreError("there is no such block", where=label, hint=f"There are: {known or 'none'}")


def _plain(name: str, text: str, *, empty: bool = False) -> str:
    """An argument with LF, refused where it has the line numbers that a view showed."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text and not empty:
        raise CoreError("is empty", where=name)
    if _NUMBER.search(text):
        raise CoreError(
            "has line numbers, which are for display only: nothing was written", where=name,
            hint="Give the text without them",
        )  # fmt: skip
    return text
