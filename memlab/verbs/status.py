"""Status and doctor: what there is, and what is wrong with it."""

from __future__ import annotations

import importlib.util
import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from memlab.errors import MemlabError
from memlab.session import mending
from memlab.store import duck

if TYPE_CHECKING:
    from collections.abc import Callable

    from memlab.session import Refresh, Session

_EXTRAS = {
    "notebooks": ("jupyterlab", "papermill", "matplotlib"),
    "embeddings": ("sentence_transformers", "sklearn"),
    "ann": ("hnswlib", "faiss"),
    "mcp": ("mcp",),
    "scale": ("dask",),
}


@mending
def status(session: Session, *, refresh: Refresh | None = None) -> dict[str, Any]:
    """Where the workspace and its index are, and how much they hold."""
    corpus = session.corpus(refresh)
    troubles = [*(session.last.troubles if session.last else ()), *corpus.troubles()]
    revision = session.revision
    if revision:
        troubles += revision.troubles
    return {
        "workspace": str(session.root),
        **({"revision": revision.commit} if revision else {}),
        "index": str(corpus.snapshot),
        "index_bytes": corpus.snapshot.stat().st_size,
        **corpus.counts(),
        "retriever": session.config.retriever,
        "timezone": session.config.timezone or "local",
        "troubles": [str(trouble) for trouble in troubles],
    }


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that doctor looked at.

    Attributes:
        name: What was looked at.
        state: ``ok``, ``note`` (works, but should be known) or ``fault``.
        message: What was found.
    """

    name: str
    state: Literal["ok", "note", "fault"]
    message: str

    def to_dict(self) -> dict[str, str]:
        """Plain values."""
        return asdict(self)


def doctor(session: Session) -> list[Check]:
    """Look at the workspace, its pages, its index and the installation; changes nothing of them."""
    checks = [_check("workspace", lambda: _workspace(session))]
    checks.append(_check("index", lambda: _index(session)))
    checks.append(_check("full text", _full_text))
    checks.append(_pages(session))
    checks.append(_lost(session))
    checks.append(Check("extras", "ok", _extras()))
    return checks


def _check(name: str, look: Callable[[], str]) -> Check:
    try:
        return Check(name, "ok", look())
    except MemlabError as error:
        return Check(name, "fault", str(error))


def _workspace(session: Session) -> str:
    writable = os.access(session.root, os.W_OK)
    state = "" if writable else " (read-only)"
    return f"{session.root}{state}, derived files in {session.place.folder}"


@mending
def _index(session: Session) -> str:
    counts = session.corpus("always").counts()
    return f"{counts['pages']} pages, {counts['facts']} facts, {counts['entities']} entities"


def _full_text() -> str:
    import duckdb

    with duckdb.connect(":memory:") as connection:
        duck.load_fts(connection)
    return f"DuckDB {duckdb.__version__} with its extension from disk"


def _pages(session: Session) -> Check:
    try:
        troubles = status(session)["troubles"]
    except MemlabError as error:
        return Check("pages", "fault", str(error))
    if troubles:
        return Check("pages", "note", "\n".join(troubles))
    return Check("pages", "ok", "every file was read and every bullet parsed")


def _lost(session: Session) -> Check:
    from memlab.verbs.lost import lost

    try:
        found = lost(session)
    except MemlabError as error:
        return Check("retained", "fault", str(error))
    if not found:
        return Check("retained", "ok", "every fact that was retained stands on its page")
    lines = [f"{one.path}: {one.bullet}" for one in found]
    first = f"{len(found)} retained facts stand on their page no longer; see: memlab lost"
    return Check("retained", "note", "\n".join([first, *lines]))


def _extras() -> str:
    parts = []
    for extra, modules in _EXTRAS.items():
        here = all(importlib.util.find_spec(module) for module in modules)
        parts.append(f"{extra}: {'installed' if here else f'pip install memlab[{extra}]'}")
    return "; ".join(parts)
