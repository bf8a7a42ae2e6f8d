"""Reflect: the facts about each entity, gathered on its page as a summary and a timeline.

Each part is a pure function of the evidence; what a person wrote on a page stays as it is.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.errors import WriteError
from memlab.store.evidence import Evidence, by_entity
from memlab.types import Kind, Trouble
from memlab.verbs.infer import infer_since
from memlab.verbs.recall import window_of
from memlab.workspace import entities, layout, parts, writer

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator

    from memlab.session import Session
    from memlab.store.build import Progress
    from memlab.verbs.infer import Inferred

SUMMARY_FACTS = 7
"""A summary has at most so many bullets."""
PAGE_FACTS = 3
"""An entity without a page gets one when so many facts name it."""

_NO_NEWLINE = "\\ No newline at end of file\n"
_WEIGHT = {Kind.WORLD: 2, Kind.OPINION: 1, Kind.EXPERIENCE: 0}


@dataclass(frozen=True, slots=True)
class Change:
    """A page that reflect would write, or wrote.

    Attributes:
        path: The page.
        before: Its text now, line endings as LF; None for a new page.
        after: Its text afterwards.
        reason: Why.
    """

    path: str
    before: str | None
    after: str
    reason: str

    def diff(self) -> str:
        """A unified diff, as ``git diff`` shows it."""
        old = (self.before or "").splitlines(keepends=True)
        new = self.after.splitlines(keepends=True)
        origin = "/dev/null" if self.before is None else f"a/{self.path}"
        lines = difflib.unified_diff(old, new, origin, f"b/{self.path}")
        return "".join(line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}" for line in lines)


@dataclass(frozen=True, slots=True)
class Reflection:
    """What a reflect planned and did.

    Attributes:
        changes: The pages that change, in the order of their paths.
        troubles: Pages and parts that were left alone, and why.
        written: Whether the changes were written; False for a dry run.
        inferred: What was proposed for days, where that was asked for.
    """

    changes: tuple[Change, ...]
    troubles: tuple[Trouble, ...]
    written: bool
    inferred: tuple[Inferred, ...] = ()

    def diff(self) -> str:
        """All changes as one unified diff; empty where there are none."""
        return "".join(change.diff() for change in self.changes)

    def to_dict(self) -> dict[str, object]:
        """Plain values, as ``memlab reflect --json`` prints them."""
        return {
            "written": self.written,
            "changes": [
                {"path": c.path, "reason": c.reason, "new": c.before is None} for c in self.changes
            ],
            "troubles": [str(trouble) for trouble in self.troubles],
            **({"inferred": [one.to_dict() for one in self.inferred]} if self.inferred else {}),
        }


def reflect(
    session: Session,
    *,
    since: str | dt.date | None = None,
    dry_run: bool = False,
    infer: bool = False,
    now: dt.datetime | dt.date | str | None = None,
    progress: Progress | None = None,
) -> Reflection:
    """Bring the pages of entities up to date with the evidence.

    Args:
        session: The open workspace.
        since: Only entities with evidence of that day or later; they still see all of theirs.
        dry_run: Plan, and write nothing.
        infer: Propose bullets for days of that window too, from which none were proposed before.
        now: The clock that ``since`` is read against; no page depends on it.
        progress: Called while an index is built.

    Raises:
        ParameterError: If ``since`` is no day.
        WriteError: If a page cannot be written; those before it are.
    """
    window = window_of(since, None, session.now(now))
    corpus = session.corpus("always", progress=progress)
    lexicon = corpus.lexicon
    troubles: list[Trouble] = []
    changes: list[Change] = []
    slugs = {own: _stem(path) for own, path in lexicon.pages.items()}
    for own, facts in by_entity(corpus).items():
        if window and not any(window.start <= fact.day for fact in facts):
            continue
        path = lexicon.pages.get(own)
        if path is None:
            if sum(fact.named for fact in facts) < PAGE_FACTS:
                continue
            slugs[own] = entities.distinct_slug(lexicon.names[own], slugs.values())
            path = f"{layout.ENTITY_FOLDER}/{slugs[own]}.md"
        try:
            before = writer.read_text(session.root / path)
        except WriteError as error:
            troubles.append(Trouble(path, f"not written: it {error.message}"))
            continue
        after = _page(path, before, lexicon.names[own], facts, troubles)
        if after is not None and after != before:
            newest = max(fact.day for fact in facts)
            reason = f"{len(facts)} facts of evidence, the newest of {newest}"
            changes.append(Change(path, before, after, reason))
    changes.sort(key=lambda change: change.path)
    if changes and not dry_run:
        _write(session, changes)
    # after the pages: a proposal is no evidence, so none of them depends on it
    proposed = infer_since(session, window, dry_run=dry_run) if infer else []
    return Reflection(tuple(changes), tuple(troubles), not dry_run, tuple(proposed))


def _write(session: Session, changes: list[Change]) -> None:
    with session.place.lock():
        for change in changes:
            writer.replace(session.root / change.path, change.after, expected=change.before)
        session.place.bump()


def _page(
    path: str, before: str | None, name: str, facts: list[Evidence], troubles: list[Trouble]
) -> str | None:
    """The page's text with its parts brought up to date; None if it must be left alone."""
    text = f"---\nname: {_yaml(name)}\n---\n\n# {name}\n" if before is None else before
    found = parts.find(text)
    if found.faults:
        troubles += [Trouble(path, f"not written: {fault}", line) for line, fault in found.faults]
        return None
    known_page = bool(found.found)
    for part, body in (("summary", _summary(facts)), ("timeline", _timeline(facts))):
        standing = found.get(part)
        if part in found.off or not body:
            continue
        if standing is None and known_page:
            # a person took the whole part out: that is an edit, and is respected for good
            text = parts.append_off(text, part)
        elif standing is None:
            text = parts.append(text, part, body)
        elif not standing.untouched:
            message = f"a person edited the part {part!r}; it is left as it is"
            troubles.append(Trouble(path, message, standing.start))
        else:
            text = parts.replace(text, part, body)
    return text


def _summary(facts: list[Evidence]) -> str:
    """The facts that say most now: of the world before opinions before events, newest first."""
    current = [fact for fact in facts if not fact.superseded]
    best = sorted(current, key=lambda f: (_WEIGHT[f.kind], f.named, f.day, f.id), reverse=True)
    chosen = sorted(best[:SUMMARY_FACTS], key=lambda f: (f.day, f.id), reverse=True)
    return "\n".join(["## Summary", "", *(f"- {f.content} ({f.day}, {f.id})" for f in chosen)])


def _timeline(facts: list[Evidence]) -> str:
    """Every fact under its month, oldest first."""
    return "\n".join(["## Timeline", *_months(facts)])


def _months(facts: list[Evidence]) -> Iterator[str]:
    month = ""
    for fact in sorted(facts, key=lambda f: (f.day, f.id)):
        if f"{fact.day:%Y-%m}" != month:
            month = f"{fact.day:%Y-%m}"
            yield from ("", f"### {month}", "")
        yield f"- {fact.day}: {fact.content} ({fact.id})"


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]


def _yaml(name: str) -> str:
    import yaml

    return str(yaml.safe_dump(name, allow_unicode=True, width=1_000)).removesuffix("...\n").strip()
