"""``run.json``: all in which two equal runs may differ, so that nothing must be guessed later."""

from __future__ import annotations

import datetime as dt
import json
import os
import platform
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "run.json"


def stamp(moment: dt.datetime) -> str:
    """The folder name of a run: its start in UTC, such as ``20251130T120000Z``."""
    return moment.astimezone(dt.UTC).strftime("%Y%m%dT%H%M%SZ")


def new_folder(reports: Path, name: str, moment: dt.datetime) -> Path:
    """Make ``reports/<name>/<stamp>/``; a run within the same second gets ``-2``, ``-3``."""
    first = reports / name / stamp(moment)
    folder, number = first, 1
    while True:
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            number += 1
            folder = first.with_name(f"{first.name}-{number}")
        else:
            return folder


def write(
    folder: Path,
    *,
    start: dt.datetime,
    parameters: Mapping[str, Any],
    specs: Mapping[str, str] | None = None,
    fingerprints: Mapping[str, str] | None = None,
    **more: Any,
) -> Path:
    """Write a run's manifest; the run ends now.

    Args:
        folder: The run's folder.
        start: When it began, with a zone.
        parameters: Every parameter, those left at their defaults too.
        specs: Strategies by role, as their spec strings.
        fingerprints: Of what the run read: a snapshot, a notebook, a model.
        more: Further plain values, such as ``status``.
    """
    end = dt.datetime.now(dt.UTC)
    manifest = {
        "parameters": dict(parameters),
        **({"specs": dict(specs)} if specs else {}),
        "fingerprints": dict(fingerprints or {}),
        "versions": versions(),
        **commit(),
        "start": start.astimezone(dt.UTC).isoformat(timespec="milliseconds"),
        "end": end.isoformat(timespec="milliseconds"),
        "machine": machine(),
        **more,
    }
    file = folder / FILE
    text = json.dumps(manifest, ensure_ascii=False, indent=2, default=str)
    file.write_text(f"{text}\n", encoding="utf-8")
    return file


def versions() -> dict[str, str]:
    """Python, memlab and whatever of memlab's dependencies is installed, by name."""
    found = {"python": platform.python_version(), "memlab": metadata.version("memlab")}
    for requirement in metadata.requires("memlab") or ():
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        try:
            found.setdefault(name, metadata.version(name))
        except metadata.PackageNotFoundError:
            continue
    return found


def commit() -> dict[str, Any]:
    """The commit of the checkout that memlab runs from, and whether files differ from it.

    Both are None where memlab is installed without its checkout, or there is no git.
    """
    root = Path(__file__).parent.parent
    unknown = {"commit": None, "dirty": None}
    if not (root / ".git").exists():
        return unknown
    try:
        head = _git(root, "rev-parse", "HEAD")
        changed = _git(root, "status", "--porcelain")
    except (OSError, subprocess.CalledProcessError):
        return unknown
    return {"commit": head, "dirty": bool(changed)}


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(  # noqa: S603  # the words are our own
        ["git", "-C", str(root), *words],  # noqa: S607  # whichever git the user has
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return done.stdout.strip()


def machine() -> dict[str, Any]:
    """What kind of machine this is; neither its name nor its user's."""
    return {
        "system": platform.platform(),
        "architecture": platform.machine(),
        "processors": os.cpu_count(),
        "python": sys.implementation.name,
    }
