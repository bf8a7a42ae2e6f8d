"""One git commit for one write, with a reason, and only when it is asked for."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from memlab.errors import ParameterError, WriteError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_SECONDS = 60.0


def check(root: Path, reason: str | None) -> None:
    """Refuse before anything is written what could not be committed afterwards.

    Raises:
        ParameterError: If the reason is empty.
        WriteError: If there is no git, or the workspace is no checkout.
    """
    if reason is None:
        return
    if not reason.strip():
        raise ParameterError("the reason of a commit is empty", hint="Say why in one line")
    _git(root, "rev-parse", "--git-dir", what="is in no git checkout", hint="Run: git init")


def commit(root: Path, paths: Sequence[str], reason: str) -> str:
    """Commit those pages and nothing else; what else is staged stays staged.

    Returns:
        The commit's hash; that of the last commit where nothing differs from it.

    Raises:
        WriteError: If git refuses; the pages are written all the same.
    """
    what = "is written, but was not committed"
    _git(root, "add", "--", *paths, what=what)
    if _git(root, "status", "--porcelain", "--", *paths, what=what):
        _git(root, "commit", "--quiet", "--message", reason, "--only", "--", *paths, what=what)
    return _git(root, "rev-parse", "HEAD", what=what)


def _git(root: Path, *words: str, what: str, hint: str | None = None) -> str:
    try:
        done = subprocess.run(  # noqa: S603  # our own words; paths stand after --
            ["git", "-C", str(root), *words],  # noqa: S607  # the user's own git
            check=False, capture_output=True, text=True, encoding="utf-8", errors="replace",
            timeout=_SECONDS, stdin=subprocess.DEVNULL,
            env={**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_EDITOR": "true"},
        )  # fmt: skip
    except FileNotFoundError as error:
        raise WriteError(f"{what}: there is no git", where=str(root)) from error
    except subprocess.TimeoutExpired as error:
        raise WriteError(f"{what}: git took over {_SECONDS:g} s", where=str(root)) from error
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["git failed"]
        raise WriteError(f"{what}: {lines[-1]}", where=str(root), hint=hint)
    return done.stdout.strip()
