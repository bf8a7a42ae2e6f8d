"""Where data sets are read from, and where the workspaces that are made of them are kept."""

from __future__ import annotations

import dataclasses
import datetime as dt
import hashlib
import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memlab.evaluation.model import Dataset, DatasetError, Fault, Judgment, Question, StancePair
from memlab.types import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

VERSION = 1
"""Raised whenever some data set's pages or questions come out otherwise than before."""

VARIABLE = "MEMLAB_DATA"
_FIXTURES = "fixtures:"
_RECORD = "dataset.json"


@dataclasses.dataclass(frozen=True)
class Made:
    """A data set before it has folders: pages by workspace and path, questions, judgments.

    Attributes:
        pages: For each workspace, the text of each page by its path.
        questions: The questions.
        judgments: The judgments, by lines of those pages.
        faults: What was wrong.
        pairs: Stance pairs.
    """

    pages: Mapping[str, Mapping[str, str]]
    questions: tuple[Question, ...]
    judgments: tuple[Judgment, ...]
    faults: tuple[Fault, ...] = ()
    pairs: tuple[StancePair, ...] = ()


def find(path: str, *, get: str) -> Path:
    """The file or folder of a data set.

    Args:
        path: From here or from the folder that ``MEMLAB_DATA`` names; ``fixtures:NAME`` is
            one of the project's own.
        get: What to get where it is missing.

    Raises:
        DatasetError: If it is not there; it says what to get and where to put it.
    """
    if path.startswith(_FIXTURES):
        return _fixture(path.removeprefix(_FIXTURES))
    place = Path(path).expanduser()
    if not place.is_absolute() and not place.exists():
        folder = os.environ.get(VARIABLE)
        if not folder:
            raise DatasetError(
                f"{path} lies in the folder of data sets, and none is named",
                hint=f"Get {get}, put it into a folder as {path}, and set {VARIABLE} to the folder",
            )
        place = Path(folder).expanduser() / place
    if not place.exists():
        raise DatasetError("no such data set", where=str(place), hint=f"Get {get} and put it there")
    return place


def _fixture(name: str) -> Path:
    place = Path(__file__).resolve().parents[3] / "data" / "fixtures" / name
    if not place.exists():
        raise DatasetError(
            f"the fixture {name} comes with a checkout of the project, not with the package",
            hint="Clone the project, and run from there",
        )
    return place


def materialise(name: str, source: Path, files: list[Path], make: Callable[[], Made]) -> Dataset:
    """The data set with its workspaces in the user's cache, made only if its files changed.

    Args:
        name: The start of the folder's name.
        source: The file or folder that it is made of, for messages.
        files: The files whose bytes decide whether it must be made again.
        make: Makes it.

    Raises:
        DatasetError: If a file cannot be read or the cache cannot be written.
    """
    from platformdirs import user_cache_path

    try:
        folder = user_cache_path("memlab") / "datasets" / f"{name}-{_fingerprint(files)}"
        if not (folder / _RECORD).is_file():
            _write(folder, make())
        return _read(name, folder)
    except OSError as error:
        raise DatasetError(
            f"cannot be made into a workspace: {error}", where=str(source)
        ) from error


def _fingerprint(files: list[Path]) -> str:
    digest = hashlib.sha256(str(VERSION).encode())
    for file in files:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:12]


def _write(folder: Path, made: Made) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=".making-", dir=folder.parent))
    try:
        for workspace, pages in made.pages.items():
            for path, text in pages.items():
                file = aside / "workspaces" / workspace / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8", newline="\n")
        record = {
            "workspaces": list(made.pages),
            **{
                key: [dataclasses.asdict(value) for value in getattr(made, key)]
                for key in ("questions", "judgments", "faults", "pairs")
            },
        }
        text = json.dumps(record, ensure_ascii=False, default=_plain)
        (aside / _RECORD).write_text(text, encoding="utf-8")
        if not folder.exists():
            aside.replace(folder)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _plain(value: Any) -> str:
    if isinstance(value, dt.date):
        return value.isoformat()
    raise TypeError(type(value).__name__)


def _read(name: str, folder: Path) -> Dataset:
    record = json.loads((folder / _RECORD).read_text(encoding="utf-8"))
    questions = (
        Question(**{**row, "now": row["now"] and dt.date.fromisoformat(row["now"])})
        for row in record["questions"]
    )
    judgments = (
        Judgment(**{**row, "source": row["source"] and Source(**row["source"])})
        for row in record["judgments"]
    )
    return Dataset(
        name,
        {workspace: folder / "workspaces" / workspace for workspace in record["workspaces"]},
        tuple(questions),
        tuple(judgments),
        tuple(Fault(**row) for row in record["faults"]),
        tuple(StancePair(**row) for row in record["pairs"]),
    )
