"""Hashes of model files, remembered by what the system says of each file."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from memlab.store.place import replace_text

if TYPE_CHECKING:
    from pathlib import Path

_IGNORED = {".md", ".gitattributes", ".lock", ".onnx", ".ot", ".h5", ".msgpack", ".txt~"}


def cache_folder() -> Path:
    """The user's cache: converted models and what was measured of them."""
    from platformdirs import user_cache_path

    return user_cache_path("memlab")


def sha256(file: Path) -> str:
    """The hex SHA-256 of a file; a file that has not changed since is not read again."""
    stat = file.stat()
    key = str(file.resolve())
    now = [stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino]
    known = _load()
    if known.get(key, [None])[0] == now:
        return str(known[key][1])
    with file.open("rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
    with suppress(OSError):
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        kept = {path: row for path, row in _load().items() if os.path.exists(path)}
        kept[key] = [now, digest]
        replace_text(folder / "digests.json", json.dumps(kept, separators=(",", ":")))
    return digest


def folder_digest(folder: Path) -> list[tuple[str, str]]:
    """Name and hash of each file of a model's folder that its vectors may depend on, sorted."""
    found = []
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder).as_posix()
        hidden = any(part.startswith(".") for part in name.split("/"))
        if file.is_file() and not hidden and file.suffix not in _IGNORED:
            found.append((name, sha256(file)))
    return found


def folder_bytes(folder: Path) -> int:
    """What a folder's files take on disk."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _load() -> dict[str, list[object]]:
    with suppress(OSError, ValueError):
        rows = json.loads((cache_folder() / "digests.json").read_text(encoding="utf-8"))
        if isinstance(rows, dict):
            return rows
    return {}
