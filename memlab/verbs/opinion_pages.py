"""``bank/opinions.md``: each statement with its confidence and the events that moved it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from memlab.opinions import founding
from memlab.opinions.book import Book, founded
from memlab.opinions.founding import Held
from memlab.opinions.ledger import page_of
from memlab.opinions.page import Entry, Ledger, written
from memlab.opinions.statements import heading
from memlab.store.evidence import NOBODY
from memlab.types import Kind, Trouble
from memlab.verbs.ledgers import Ledgers, Reckoned
from memlab.verbs.plan import Change
from memlab.workspace import entities, grammar, parts
from memlab.workspace.markdown import split_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memlab.opinions.page import Section
    from memlab.store.evidence import Evidence
    from memlab.verbs.plan import Context

_NAMED = 3  # so many opinions a reason names


def opinion_pages(context: Context) -> Iterator[Change]:
    """The page of opinions, brought up to date with the evidence."""
    path = page_of(context.corpus)
    if not context.readable(path):
        return
    before = context.text(path)
    work = Opinions(context, path, Book.read(before))
    if work.book.found.faults:
        for line, fault in work.book.found.faults:
            context.troubles.append(Trouble(path, f"not written: {fault}", line))
        return
    after = work.text()
    context.settled[path] = work.settings
    if after != work.book.text:
        yield Change(path, before, after, work.reason())


class Opinions:
    """One reflect over the page of opinions.

    Args:
        context: What it works with.
        path: The page.
        book: The page, read.
    """

    def __init__(self, context: Context, path: str, book: Book) -> None:
        self.context = context
        self.path = path
        self.book = book
        config = context.session.config
        self.settings = f"{config.opinions_detector} {config.opinions_updater}"
        self.back = {name.removeprefix(parts.OPINION) for name in context.back(path)}
        self.unwanted = book.unwanted - self.back
        self.sections: dict[str, Section] = {}
        self.held: dict[str, Held] = {}
        self.told: list[str] = []
        self.dropped: set[str] = set()
        for section in book.sections:
            self._read(section)

    def text(self) -> str:
        """The page's new text."""
        dirty = self.dirty()
        reckoned = self.reckon(dirty)
        for id_ in self.dropped:
            self.book.remove(self.sections[id_])
            self.context.restated.update(self.held[id_].about)
        standing = {id_: _ledger(section) for id_, section in self.sections.items()}
        standing |= {id_: one.ledger for id_, one in reckoned.items()}
        fresh = [one.held for id_, one in reckoned.items() if id_ not in self.held]
        fresh.sort(key=_place(standing))
        for id_, one in reckoned.items():
            if one.ledger.render() != _body(self.sections.get(id_)):
                self.context.restated.update(one.held.about)
            if id_ in self.held:
                self._put(one.held, one.ledger)
        for new in fresh:
            self.book.add(new.statement, new.id, standing[new.id])
        for id_ in self.back & self.book.found.forgotten.keys():
            self.book.take_back(id_)
        self.told += [f"{len(fresh)} new opinions"] if fresh else []
        created = [
            held for id_, held in self.held.items()
            if id_ not in self.dropped and (self.sections[id_].id or id_ in self.back)
            and (held.founder or id_ in self.book.known)
        ]  # fmt: skip
        listed = sorted((*created, *fresh), key=_place(standing))
        finished = self.book.finish(held.id for held in listed)
        self.context.keep(self.path, finished.edited)
        for key in dirty:
            self.context.settled_keys[key] = self.context.digests.get(key, "")
        return finished.text

    def reckon(self, dirty: set[str]) -> dict[str, Reckoned]:
        """The opinions about some entities, and those that a person did something to, by id.

        Marks what a person took out, and notes in ``dropped`` what an older note states.
        """
        bullets, ghosts = self.founders(dirty)
        self._mark(ghosts)
        done = founding.assign(bullets, (*self.held.values(), *ghosts.values()), self._names)
        self.dropped = done.dropped
        standing = [one for one in self.held.values() if one.id not in done.dropped]
        due = [one for one in (*standing, *done.new) if self._is_due(one, dirty)]
        ledgers = Ledgers(self.context, {key for one in due for key in one.about})
        return {
            one.id: ledgers.reckon(one, done.given.get(one.id, ()), self._entries(one))
            for one in due
        }

    def reason(self) -> str:
        """What changed, in a line."""
        more = len(self.told) - _NAMED
        told = [*self.told[:_NAMED], *([f"{more} more changed"] if more > 0 else [])]
        return "; ".join(told) or "marks of what a person took out"

    def dirty(self) -> set[str]:
        """The entities whose opinions are to be reckoned: touched, and not as they were."""
        context, known = self.context, self.context.memo.entities
        lost = set() if context.window else self._keys() - context.digests.keys()
        sha256 = context.hashes.get(self.path)
        if not context.memo.is_current(self.path, sha256, self.settings):
            known.clear()  # what it tells is of another page
            return context.touched | lost
        changed = {key for key, digest in context.digests.items() if known.get(key) != digest}
        return (changed & context.touched) | {key for key in lost if known.get(key) != ""}

    def founders(self, dirty: set[str]) -> tuple[list[Evidence], dict[str, Held]]:
        """The opinions of the logs about some entities; those opinions that a person removed.

        Opinions of the page are given their founders, where these are among the facts.
        """
        deleted = self.book.known - self.sections.keys()
        about = set(dirty)
        for one in self.held.values():
            if self._is_due(one, dirty):
                about |= one.about.keys()
        everybody = deleted or self.back
        bullets = self.context.find(kind=Kind.OPINION, about=None if everybody else about)
        ghosts = {}
        for fact in bullets:
            id_ = founding.opinion_id(fact.id)
            if id_ in self.held:
                one, own = self.held[id_], heading(fact.content, fact.names)
                self.held[id_] = dataclasses.replace(
                    one, founder=fact, statement=one.statement or own,
                    pristine=one.statement == own and self.book.is_pristine(self.sections[id_]),
                )  # fmt: skip
            elif id_ in self.unwanted or id_ in deleted - self.back:
                whom = founding.about(fact, self._names)
                ghosts[id_] = founding.founded_by(fact, whom)
        return bullets, ghosts

    @property
    def _names(self) -> dict[str, str]:
        return self.context.corpus.lexicon.names

    def _keys(self) -> set[str]:
        return {key for one in self.held.values() for key in one.about}

    def _read(self, section: Section) -> None:
        """Take up a section of the page."""
        wanted = next((id_ for id_ in section.off if id_ in self.back), "")
        if section.part is None and not wanted and (section.off or not section.statement):
            return
        id_ = section.id or wanted or founding.opinion_id(section.statement)
        if id_ in self.held:
            return  # a person stated it twice: the first one counts
        lexicon = self.context.corpus.lexicon
        ledger = _ledger(section)
        if section.part:
            about = {lexicon.resolve(n) or entities.key(n): n for n in ledger.names}
        else:
            words = "\n".join(split_lines(self.book.text)[section.top : section.end])
            keys = lexicon.mentions(section.statement) or lexicon.mentions(words)
            about = {key: lexicon.names[key] for key in keys}
        # one that the logs founded rests on them alone
        other = founding.UNKNOWN if id_ in self.book.known else grammar.DEFAULT_CONFIDENCE
        self.sections[id_] = section
        self.held[id_] = Held(
            id_, section.statement, about or {NOBODY: ""},
            other if section.prior is None else section.prior,
            own=section.prior is not None, since=founded(ledger),
        )  # fmt: skip

    def _mark(self, ghosts: dict[str, Held]) -> None:
        """Leave a mark where a person deleted a section, or the part of one."""
        for id_ in sorted(self.book.known - self.sections.keys() - self.unwanted - self.back):
            ghost = ghosts.get(id_)
            bare = next(
                (other for other, section in self.sections.items()
                 if section.part is None and ghost and _is_of(section, ghost)), None
            )  # fmt: skip
            place = None if bare else self._elsewhere(id_)
            if bare:
                self.book.turn_off(self.sections.pop(bare), id_)
                del self.held[bare]
            elif place:
                message = f"the opinion {id_} stands here, not in {self.path}; it is left as it is"
                self.context.troubles.append(Trouble(place, message))
            else:
                self.book.forget(id_)

    def _elsewhere(self, id_: str) -> str | None:
        """Another page to which a person moved an opinion's section."""
        for path in sorted(self.context.hashes.keys() - {self.path}):
            text = self.context.text(path) if self.context.readable(path) else None
            if text and parts.find(text).get(parts.OPINION + id_):
                return path
        return None

    def _is_due(self, one: Held, dirty: set[str]) -> bool:
        """Whether to look at an opinion: its evidence changed, or a person did something to it."""
        if not dirty.isdisjoint(one.about):
            return True
        section = self.sections.get(one.id)
        if section is None or section.part is None:
            return one.id in self.back
        ledger = _ledger(section)
        return ledger.confidence != ledger.last or not section.part.untouched

    def _entries(self, one: Held) -> tuple[Entry, ...]:
        """The entries of the page, with the hand of a person who changed the bold number."""
        section = self.sections.get(one.id)
        if section is None or section.part is None:
            return ()
        ledger = _ledger(section)
        if ledger.confidence is None:
            message = "the bold number is no confidence: write 0 to 1"
            self.context.troubles.append(Trouble(self.path, message, section.part.start + 1))
        elif ledger.entries and section.part.untouched and ledger.confidence != ledger.last:
            hand = Entry(self.context.today, "hand", "", ledger.confidence)
            return (*ledger.entries, hand)
        return ledger.entries

    def _put(self, one: Held, ledger: Ledger) -> None:
        """Bring a section up to date, unless a person edited in its part."""
        section = self.sections[one.id]
        part, body = section.part, ledger.render()
        if part and _ledger(section).confidence is None:
            return  # reported already
        if part and not part.untouched and one.id not in self.back:
            self.context.keep(self.path, [(part, body)])
        elif part or ledger.entries:
            if part is None or part.body != body:
                now = written(ledger.confidence or 0)
                was = _ledger(section).last
                self.told.append(
                    f"{one.statement!r} {now if was is None else f'{written(was)} → {now}'}"
                )
            self.book.put(section, one.id, ledger)


def _body(section: Section | None) -> str:
    return section.part.body if section and section.part else ""


def _ledger(section: Section) -> Ledger:
    return Ledger.parse(section.part.body) if section.part else Ledger(None)


def _place(standing: dict[str, Ledger]) -> Callable[[Held], tuple[object, ...]]:
    """Orders opinions by their founding."""
    return lambda one: (founded(standing[one.id]), one.id)


def _is_of(section: Section, ghost: Held) -> bool:
    """Whether a section without a part is what is left of an opinion's."""
    return section.statement == ghost.statement or founding.is_stated(section.statement, ghost)
