"""A workspace as git has it at a revision: its pages, written out beside the derived files.

Nothing of the person's checkout is touched. Links and submodules are not followed, and nothing is
fetched: what a partial clone lacks is an error.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memlab.errors import ParameterError, WorkspaceError
from memlab.types import Trouble
from memlab.workspace.config import FILE as CONFIG
from memlab.workspace.layout import is_page, is_walked

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = "revisions"
"""Where revisions lie, among the derived files."""

_NOTE = ".revision.json"  # written last: a revision that has it is whole
_REDIRECTING = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_NAMESPACE")
_LINK, _SUBMODULE = "120000", "160000"


@dataclass(frozen=True, slots=True)
class Revision:
    """A workspace at a commit.

    Attributes:
        commit: The commit's hash.
        when: When it was committed.
        root: The folder that holds its pages.
        troubles: What was left out.
    """

    commit: str
    when: dt.datetime
    root: Path
    troubles: tuple[Trouble, ...] = ()

    def __str__(self) -> str:
        return f"{self.commit[:12]} of {self.when:%Y-%m-%d}"


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry of a tree."""

    mode: str
    blob: str
    path: str


def open_revision(root: Path, rev: str, derived: Path) -> Revision:
    """The workspace at a revision; it is written out when it is first asked for.

    Args:
        root: The workspace: a folder of a git checkout, at its top or below.
        rev: What git calls a revision: ``HEAD~30``, a tag, a branch, a hash, ``main@{2025-11-01}``.
        derived: The folder of the workspace's derived files.

    Raises:
        ParameterError: If there is no such revision.
        WorkspaceError: If there is no git, no checkout, or the workspace was not there then.
    """
    commit = _resolve(root, rev)
    folder = derived / FOLDER / commit
    if (known := _read(commit, folder)) is None:
        folder.parent.mkdir(exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=".writing-", dir=folder.parent))
        try:
            _export(root, commit, aside)
            if folder.exists() and _read(commit, folder) is None:
                shutil.rmtree(folder)  # somebody took files out of it
            with suppress(OSError):  # another process was faster: its pages are the same
                aside.replace(folder)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
        known = _read(commit, folder)
    if known is None:
        raise WorkspaceError("the pages of the revision cannot be written", where=str(folder))
    return known


def _resolve(root: Path, rev: str) -> str:
    if _git(root, "rev-parse", "--git-dir") is None:
        raise WorkspaceError(
            "is in no git checkout, so it has no revisions", where=str(root), hint="Run: git init"
        )
    found = None
    if rev and not rev.startswith("-") and "\0" not in rev:  # no options are read from it
        found = _git(root, "rev-parse", "--verify", "--quiet", f"{rev}^{{commit}}")
    if not found:
        raise ParameterError(f"git has no revision {rev!r}", where=str(root), hint="See: git log")
    return found.decode().strip()


def _export(root: Path, commit: str, folder: Path) -> None:
    prefix = (_git(root, "rev-parse", "--show-prefix") or b"").rstrip(b"\n")
    tree = os.fsencode(commit) + (b":" + prefix.rstrip(b"/") if prefix else b"")
    listing = _git(root, "ls-tree", "-r", "-z", "--full-tree", os.fsdecode(tree))
    stamp = _git(root, "show", "--no-patch", "--format=%cI", commit)
    if listing is None or stamp is None:
        raise WorkspaceError(f"was not there yet, or no folder, at {commit[:12]}", where=str(root))
    entries = [entry for entry in _entries(listing) if _is_wanted(entry)]
    blobs = [entry for entry in entries if entry.mode not in (_LINK, _SUBMODULE)]
    for entry, raw in zip(blobs, _contents(root, blobs), strict=True):
        place = folder / entry.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(raw)
    others = {_LINK: "is a link, not followed", _SUBMODULE: "is a submodule, not followed"}
    left_out = [[entry.path, others[entry.mode]] for entry in entries if entry.mode in others]
    note = {"when": stamp.decode().strip(), "left_out": left_out}
    (folder / _NOTE).write_text(json.dumps(note), encoding="utf-8")


def _read(commit: str, folder: Path) -> Revision | None:
    """A revision that was written out before; None where it was not, or not wholly."""
    try:
        note = json.loads((folder / _NOTE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    troubles = tuple(Trouble(path, message) for path, message in note["left_out"])
    return Revision(commit, dt.datetime.fromisoformat(note["when"]), folder, troubles)


def _entries(listing: bytes) -> Iterator[_Entry]:
    for line in listing.split(b"\0")[:-1]:
        head, _, raw = line.partition(b"\t")
        mode, _, blob = head.decode().split(" ")
        with suppress(UnicodeDecodeError):  # a name that is not UTF-8 is no page's
            yield _Entry(mode, blob, raw.decode())


def _is_wanted(entry: _Entry) -> bool:
    """Whether an entry is a page, the configuration, or a submodule that may hold pages."""
    *folders, name = entry.path.split("/")
    # git itself refuses most of these; a tree made by hand may have them
    if any(part in ("", ".", "..") or "\\" in part for part in (*folders, name)):
        return False
    walked = all(map(is_walked, folders))
    if entry.mode == _SUBMODULE:
        return walked and is_walked(name)
    return (walked and is_page(entry.path)) or (entry.path == CONFIG and entry.mode != _LINK)


def _contents(root: Path, entries: list[_Entry]) -> Iterator[bytes]:
    """The bytes of each blob, one at a time."""
    with subprocess.Popen(  # noqa: S603  # our own words
        [*_COMMAND, str(root), "cat-file", "--batch"], env=_environment(),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        if process.stdin is None or process.stdout is None:
            raise WorkspaceError("git gives no output", where=str(root))
        for entry in entries:
            process.stdin.write(entry.blob.encode() + b"\n")
            process.stdin.flush()
            words = process.stdout.readline().split()
            if len(words) != 3:
                process.stdin.close()
                raise WorkspaceError(f"git lacks the text of {entry.path}", where=str(root))
            yield process.stdout.read(int(words[2]))
            process.stdout.read(1)  # the line break after each
        process.stdin.close()


_COMMAND = ("git", "-C")


def _environment() -> dict[str, str]:
    """The caller's, without what would name another repository, and offline."""
    kept = {name: value for name, value in os.environ.items() if name not in _REDIRECTING}
    quiet = {"GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1"}
    return {**kept, **quiet, "LC_ALL": "C"}


def _git(root: Path, *words: str) -> bytes | None:
    """What git prints; None where it fails.

    Raises:
        WorkspaceError: If there is no git, or it refuses the checkout's owner.
    """
    try:
        done = subprocess.run(  # noqa: S603  # our own words; what a person gave ends the options
            [*_COMMAND, str(root), *words], env=_environment(), check=False,
            capture_output=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except FileNotFoundError as error:
        raise WorkspaceError("revisions need git, which is not installed") from error
    if b"dubious ownership" in done.stderr:
        raise WorkspaceError(
            "git refuses a checkout that belongs to another user", where=str(root),
            hint=f"Run: git config --global --add safe.directory {root}",
        )  # fmt: skip
    return done.stdout if done.returncode == 0 else None
