"""Stub pages: the least that an entity's page can be, made only on request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlab.workspace import entities, layout, writer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memlab.session import Session


def missing(session: Session, names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Path and name of the page that each entity without one would get."""
    lexicon = session.corpus("always").lexicon
    slugs = {own: path.rpartition("/")[2][: -len(".md")] for own, path in lexicon.pages.items()}
    found: dict[str, tuple[str, str]] = {}
    for name in names:
        own = lexicon.resolve(name) or entities.key(name)
        if own not in slugs:
            slugs[own] = entities.distinct_slug(name, slugs.values())
            found[own] = (f"{layout.ENTITY_FOLDER}/{slugs[own]}.md", name)
    return tuple(found.values())


def make(session: Session, pages: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """Write a stub for each path and name, unless somebody made the page meanwhile."""
    if pages:
        with session.place.lock():
            for page, name in pages:
                if writer.read_text(session.root / page) is None:
                    writer.replace(session.root / page, text(name), expected=None)
            session.place.bump()
    return tuple(page for page, _ in pages)


def text(name: str) -> str:
    """A stub's text: the name, and nothing about it."""
    import yaml

    shown = str(yaml.safe_dump(name, allow_unicode=True, width=1_000)).removesuffix("...\n").strip()
    return f"---\nname: {shown}\n---\n\n# {name}\n"
