"""The page of opinions as one text: what stands on it, and how its parts are brought up to date.

Beside the opinions' own parts there is one that lists, in comments, the ids of those that memlab
put there. An id on that list without a section is one that a person deleted, and stays deleted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from memlab.opinions.page import Ledger, Section, sections
from memlab.workspace import parts

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable

TITLE = "# Opinions\n"
_ID = re.compile(r"o-[0-9a-hjkmnp-tv-z]{6}")
_IDS_A_LINE = 8


@dataclass
class Book:
    """A page of opinions that is being brought up to date.

    Attributes:
        text: The page as it was, line endings as LF.
        found: Its parts.
        sections: Its statements, in the order of the page.
    """

    text: str
    found: parts.Parts
    sections: list[Section]
    _splices: list[parts.Splice] = field(default_factory=list)
    _inserted: dict[int, list[str]] = field(default_factory=dict)
    _added: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, text: str | None) -> Book:
        """A page; None for one that is not there yet."""
        text = TITLE if text is None else text
        return cls(text, parts.find(text), list(sections(text)))

    @cached_property
    def known(self) -> set[str]:
        """The ids that the page lists."""
        part = self.found.get(parts.KNOWN)
        return set(_ID.findall(part.body)) if part else set()

    @property
    def unwanted(self) -> set[str]:
        """The ids of opinions that are forgotten, or whose part is off."""
        off = (name.removeprefix(parts.OPINION) for name in self.found.off)
        return {*self.found.forgotten, *filter(_ID.fullmatch, off)}

    def put(self, section: Section, id_: str, ledger: Ledger) -> None:
        """Give a section's part another body, or a part to a section that has none."""
        name, body = parts.OPINION + id_, ledger.render()
        if section.part is None and id_ in section.off:
            line = self.found.off[name]
            self._splices.append((line, line, parts.render(name, body)))
        elif section.part is None:
            self._insert(section.top + 1, parts.render(name, body))
        elif section.part.body != body or not section.part.untouched:
            new = parts.render(name, body)
            self._splices.append((section.part.start, section.part.end, new))

    def add(self, statement: str, id_: str, ledger: Ledger) -> None:
        """Add a section: before those that were founded later, where they stand in that order."""
        own = founded(ledger)
        new = f"## {statement}\n{parts.render(parts.OPINION + id_, ledger.render())}"
        for section in self.sections:
            if section.id in self.known and own < founded(_ledger(section)):
                gap = "" if not self._line(section.line - 1).strip() else "\n"
                self._insert(section.line, f"{gap}{new}\n")
                return
        self._added.append(new)

    def remove(self, section: Section) -> None:
        """Take out a section that nobody but memlab had a hand in, with the blank line after it."""
        last = section.part.end if section.part else section.top
        after = last + 1 if not self._line(last + 1).strip() else last
        self._splices.append((section.line, after, None))
        self.sections.remove(section)

    def is_pristine(self, section: Section) -> bool:
        """Whether nothing but marks stands in a section beside its part, which is untouched."""
        part = section.part
        if part is None or not part.untouched or section.prior is not None or section.off:
            return False
        ledger = Ledger.parse(part.body)
        alone = all(entry.verb in ("for", "against") for entry in ledger.entries)
        rest = (n for n in range(section.top + 1, section.end + 1) if not self.found.covers(n))
        lines = (self._line(number).strip() for number in rest)
        plain = all(not line or parts.is_marker(line) for line in lines)
        return plain and alone and ledger.confidence == ledger.last

    def turn_off(self, section: Section, id_: str) -> None:
        """Note that a section is not to have the part that a person took out."""
        self._insert(section.top + 1, f"<!-- memlab:off {parts.OPINION}{id_} -->")

    def forget(self, id_: str) -> None:
        """Note that a person deleted an opinion's section."""
        self._added.append(f"<!-- memlab:forgotten {id_} -->")

    def take_back(self, id_: str) -> None:
        """Remove the mark that an opinion is forgotten, with the blank line above it."""
        line = self.found.forgotten[id_]
        first = line - 1 if line > 1 and not self._line(line - 1).strip() else line
        self._splices.append((first, line, None))

    def finish(self, ids: Iterable[str]) -> parts.Updated:
        """The page's new text.

        Args:
            ids: Those of all opinions that memlab put there, in order.
        """
        for line, texts in self._inserted.items():
            self._splices.append((line, line - 1, "\n".join(texts)))
        text = parts.splice(self.text, self._splices)
        listed = list(ids)
        lines = (
            f"<!-- {' '.join(listed[at : at + _IDS_A_LINE])} -->"
            for at in range(0, len(listed), _IDS_A_LINE)
        )
        done = parts.Updated(text)
        if listed or self.known:
            there = any(section.id in listed for section in self.sections)
            done = parts.update(text, {parts.KNOWN: "\n".join(lines)}, known=there)
        text = done.text
        for new in self._added:
            text = parts.after(text, new)
        return parts.Updated(text, done.edited)

    def _insert(self, line: int, text: str) -> None:
        self._inserted.setdefault(line, []).append(text)

    def _line(self, number: int) -> str:
        return self._lines[number - 1] if 0 < number <= len(self._lines) else ""

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.split("\n")


def founded(ledger: Ledger | None) -> tuple[dt.date, str] | tuple[()]:
    """Day and fact of the event that a ledger begins with, to order opinions by."""
    for entry in ledger.entries if ledger else ():
        if entry.fact:
            return entry.day, entry.fact
    return ()


def _ledger(section: Section) -> Ledger | None:
    return Ledger.parse(section.part.body) if section.part else None
