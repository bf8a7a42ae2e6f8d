"""How bullets go into a day's log: at its end, in their section, and only if they read back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memlab.errors import RetainError
from memlab.workspace import front_matter, grammar, layout, parser, parts
from memlab.workspace.markdown import BlockType, blocks, split_lines
from memlab.workspace.reader import Page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memlab.workspace.markdown import Block

SECTION = "## Retain"
PROPOSED = "## Retain (proposed)"
# What may open or end a section or a part: after it, a log is parsed as a whole.
_STRUCTURE = re.compile(r"^\s*(?:#|=+\s*$|-{2,}\s*$)|memlab:", re.MULTILINE)
_BULLETS = re.compile(r"(?:- [^\n]*\n)*")
# What may span lines and hide a bullet inside it.
_OPENS = re.compile(r"^\s*(?:```|~~~|<)", re.MULTILINE)


class Log:
    """A day's log, and how far it is known, so that a long one is not parsed for each bullet.

    Args:
        path: Its path from the workspace's root.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._known = ""  # the text up to a bullet, under Retain, that was seen to read back
        self._last = ""  # that bullet's line
        self._proven: set[tuple[str, grammar.Bullet]] = set()

    def compose(
        self, there: str, bullets: Sequence[tuple[str, grammar.Bullet]], section: str = SECTION
    ) -> str:
        """What to append to a log so that bullets stand in their section.

        Args:
            there: The log's text, line endings as LF.
            bullets: Each bullet's line, and what it must read back as.
            section: The heading of their section.

        Raises:
            RetainError: If they would not be read back as they were given.
        """
        if section == SECTION and self._goes_on(there):
            for line, bullet in bullets:
                self._prove(line, bullet)
            return "".join(f"{line}\n" for line, _ in bullets)
        added = "" if not there or there.endswith("\n") else "\n"
        context, short = self._context(there, section)
        if not there.strip():
            added += f"# {layout.day_of(self.path)}\n\n{section}\n"
        else:
            found = list(blocks(front_matter.split(context).body))
            heading = next((b for b in reversed(found) if b.type is BlockType.HEADING), None)
            title = section.removeprefix("## ").casefold()
            inside = heading is not None and grammar.canonical(heading.text).casefold() == title
            gap = "" if there.endswith("\n\n") else "\n"
            if not inside:
                added += f"{gap}{section}\n"
            elif found[-1].type not in (BlockType.ITEM, BlockType.HEADING):
                added += gap
            elif section == SECTION and not short:
                self._learn(there, found[-1])
        added += "".join(f"{line}\n" for line, _ in bullets)
        self._check(context + added, [bullet for _, bullet in bullets], short=short)
        return added

    def saw(self, text: str, line: str, section: str = SECTION) -> None:
        """Note that a bullet was written at the end of ``text``."""
        if section == SECTION:
            self._known, self._last = text, line

    def _learn(self, there: str, last: Block) -> None:
        """Note that a log ends in a bullet of one line."""
        line = there[there.rfind("\n", 0, -1) + 1 :].removesuffix("\n")
        whole = last.start == last.end and there.endswith("\n")
        if last.type is BlockType.ITEM and whole and line.startswith("- "):
            self._known, self._last = there, line

    def _goes_on(self, there: str) -> bool:
        """Whether only plain bullets follow what is known: then one more reads back as it is.

        A bullet at the margin ends whatever the bullet before it has opened.
        """
        new = self._new(there)
        return new is not None and _BULLETS.fullmatch(new) is not None and "memlab:" not in new

    def _prove(self, line: str, bullet: grammar.Bullet) -> None:
        """Refuse a bullet that does not read back on its own; each is looked at once."""
        if (line, bullet) not in self._proven:
            self._check(f"{SECTION}\n{line}\n", [bullet], short=True)
            self._proven = {(line, bullet)}

    def _new(self, there: str) -> str | None:
        """A log from its last bullet that is known to be one; None where none is known."""
        if not self._known:
            return None
        if there.startswith(self._known):
            return f"{self._last}\n{there[len(self._known) :]}"
        return self._since_they_part(there) or None

    def _context(self, there: str, section: str) -> tuple[str, bool]:
        """Enough of the log to see what state its end is in, and whether it is not all of it.

        Blocks are found line by line, so after the same line in the same state the rest is found to
        be the same, whatever stood before.
        """
        new = self._new(there) if section == SECTION else None
        if new is not None and not _STRUCTURE.search(new):
            return f"{SECTION}\n{new}", True
        return there, False

    def _since_they_part(self, there: str) -> str:
        """A log from the last bullet that it has in common with what is known; else nothing."""
        start = self._known.rfind(f"\n{SECTION}\n")
        low, high = 0, min(len(there), len(self._known))
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (
                (middle, high) if there.startswith(self._known[:middle]) else (low, middle - 1)
            )
        cut = there.rfind("\n- ", start + 1, low) + 1
        if start < 0 or cut <= start + 1 or _OPENS.search(there, start, cut):
            return ""
        return there[cut:]

    def _check(self, text: str, bullets: list[grammar.Bullet], *, short: bool) -> None:
        """Refuse to write what would not be read back as it was given."""
        if not short:
            for number, fault in parts.find(text).faults:
                where = f"{self.path}#L{number}"
                raise RetainError(fault, where=where, hint="Mend the markers of the part")
        facts = parser.parse(Page(self.path, text, "")).facts[-len(bullets) :]
        found = [
            (fact.source.start, fact.kind, fact.entities, fact.content, fact.confidence)
            for fact in (parsed.fact for parsed in facts)
        ]
        first = len(split_lines(text)) - len(bullets) + 1
        wanted = [
            (number, bullet.kind, bullet.entities, bullet.content, bullet.confidence)
            for number, bullet in enumerate(bullets, start=first)
        ]
        if found != wanted:
            raise RetainError(
                "a fact appended to this log would not be read back as it was given",
                where=self.path, hint="Close the code fence or comment that the log ends in",
            )  # fmt: skip
