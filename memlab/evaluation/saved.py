"""Saved runs: to be read back, computed again elsewhere, and compared byte by byte.

- ``run.json``: what differs between two equal runs: start, end, machine, versions
- ``experiment.json``: systems with their keys and fates, data set, measures, seed
- ``measures.parquet``: means with intervals and tests
- ``questions.parquet``: values by question
- ``timings.parquet``: latency, index time and size
- ``runs/<arm>.parquet``: an arm's hits with lines, scores, tokens, milliseconds
- ``runs/<arm>.trec``: the facts of these hits as a TREC run file
- ``qrels.trec``: the judgments by fact as TREC qrels
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import json
import re
import shutil
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memlab import manifest
from memlab.errors import MemlabError, MissingExtraError
from memlab.evaluation import arms as _arms
from memlab.evaluation import scores
from memlab.evaluation.datasets import trec
from memlab.types import Source

if TYPE_CHECKING:
    import datetime as dt
    import os
    from collections.abc import Sequence

    import pandas as pd

    from memlab.evaluation.arms import Arm, Ground
    from memlab.evaluation.report import Report
    from memlab.evaluation.systems import System

FORMAT = 1
RECORD = "experiment.json"
_HITS = ("question", "rank", "path", "start", "end", "score", "tokens", "ms")
_UNSEEN = ("evaluation", "notebooks", "cli", "mcp", "manifest", "synth", "verbs", "api", "cite")


def new_folder(reports: Path | None, name: str, start: dt.datetime) -> Path:
    """A new folder ``<reports>/<name>/<stamp>``."""
    slug = re.sub(r"[^\w.-]+", "-", name).strip("-")
    return manifest.new_folder(reports or Path("reports"), slug, start)


def key(system: System, grounds: Sequence[Ground], depth: int) -> str:
    """What decides the hits of an arm, as a hash: system, code, libraries, pages, questions, depth.

    Empty where that cannot be known: for a class that was written in a notebook.
    """
    code = _code(system)
    if code is None:
        return ""
    asked = [
        [ground.snapshot.name, [(q.id, q.text, str(q.now)) for q, _ in ground.questions]]
        for ground in grounds
    ]
    stuff = [FORMAT, system.spec or system.label, code, depth, asked]
    return hashlib.sha256(json.dumps(stuff).encode()).hexdigest()[:24]


def _code(system: System) -> list[str] | None:
    """Hashes of the code that an arm runs; None where it has no file."""
    try:
        made = type(system.retriever())
    except (MemlabError, ImportError):
        return None
    if made.__module__ == "__main__":
        return None
    try:
        file = Path(inspect.getfile(made))
        own = hashlib.sha256(file.read_bytes()).hexdigest()
    except (OSError, TypeError):
        return None
    return [_package(), own, f"{made.__module__}:{made.__qualname__}"]


@cache
def _package() -> str:
    """A hash of all of memlab that may decide what is found, and of the libraries' versions."""
    root = Path(__file__).parents[1]
    digest = hashlib.sha256(json.dumps(sorted(manifest.versions().items())).encode())
    for file in sorted(root.rglob("*")):
        part = file.relative_to(root).parts[0].removesuffix(".py")
        if file.suffix in {".py", ".sql"} and not part.startswith(_UNSEEN):
            digest.update(file.relative_to(root).as_posix().encode())
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def find(reports: Path, wanted: str, system: System) -> Arm | None:
    """The newest saved arm of that key, or None; one that cannot be read is passed over."""
    for record in sorted(reports.glob(f"**/{RECORD}"), key=_stamp, reverse=True):
        try:
            arms = json.loads(record.read_text(encoding="utf-8"))["arms"]
            for arm in arms:
                if arm["key"] == wanted and arm["status"] == _arms.DONE:
                    return _read(record.parent, arm, system)
        except (OSError, ValueError, KeyError):
            continue
    return None


def _stamp(record: Path) -> tuple[str, str]:
    return record.parent.name, record.parent.parent.name


def write(folder: Path, report: Report, settings: dict[str, Any], start: dt.datetime) -> None:
    """Write everything of an experiment.

    Raises:
        MissingExtraError: If pyarrow is not installed.
    """
    runs = folder / "runs"
    runs.mkdir(parents=True, exist_ok=True)
    arms = []
    for number, arm in enumerate(report.arms, start=1):
        slug = re.sub(r"[^\w.-]+", "-", arm.system.label).strip("-")[:60]
        name = f"{number:02}-{slug}"
        arms.append({
            "label": arm.system.label, "spec": arm.system.spec, "status": arm.status,
            "message": arm.message, "key": arm.key, "file": name,
            "index_s": dict(arm.index_s), "index_bytes": dict(arm.index_bytes),
        })  # fmt: skip
        if arm.saved is not None:
            for ending in (".parquet", ".trec"):
                with suppress(shutil.SameFileError):
                    shutil.copyfile(f"{arm.saved}{ending}", runs / f"{name}{ending}")
        elif arm.status == _arms.DONE:
            write_parquet(_hits(arm), runs / f"{name}.parquet")
            ranked = scores.ranked(report.found[arm.system.label])
            trec.write_run(runs / f"{name}.trec", ranked, "memlab")
    trec.write_qrels(folder / "qrels.trec", report.qrels)
    write_parquet(report.summary, folder / "measures.parquet")
    write_parquet(report.by_question, folder / "questions.parquet")
    write_parquet(report.timings, folder / "timings.parquet")
    faults = report.dataset.fault_counts()
    record = {"format": FORMAT, **settings, "faults": faults, "arms": arms}
    text = json.dumps(record, ensure_ascii=False, indent=2)
    (folder / RECORD).write_text(f"{text}\n", encoding="utf-8")
    specs = {arm.system.label: arm.system.spec for arm in report.arms}
    prints = {ground.name: ground.snapshot.stem for ground in report.grounds}
    manifest.write(folder, start=start, parameters=settings, specs=specs, fingerprints=prints)


def runs(reports: str | os.PathLike[str] = "reports") -> pd.DataFrame:
    """All saved experiments as one table.

    Args:
        reports: The folder of reports.

    Returns:
        One row for each experiment, system, category and measure: ``run`` (its folder), ``start``,
        ``dataset``, ``spec``, then the columns of ``measures.parquet``. Empty where there are none.
    """
    import pandas as pd

    frames = []
    for record in sorted(Path(reports).glob(f"**/{RECORD}"), key=_stamp):
        try:
            known = json.loads(record.read_text(encoding="utf-8"))
            ran = json.loads((record.parent / manifest.FILE).read_text(encoding="utf-8"))
            table = read_parquet(record.with_name("measures.parquet"))
        except (OSError, ValueError):
            continue
        specs = {arm["label"]: arm["spec"] or arm["label"] for arm in known["arms"]}
        table.insert(0, "spec", table["system"].map(specs))
        table.insert(0, "dataset", known["dataset"])
        table.insert(0, "start", pd.Timestamp(ran["start"]))
        table.insert(0, "run", record.parent.relative_to(reports).as_posix())
        frames.append(table)
    if not frames:
        return pd.DataFrame(columns=["run", "start", "dataset", "spec", *scores.SUMMARY])
    return pd.concat(frames, ignore_index=True)


def _hits(arm: Arm) -> pd.DataFrame:
    import pandas as pd

    rows = [
        (question, rank, hit.source.path, hit.source.start, hit.source.end, hit.score, hit.tokens)
        for question, hits in arm.hits.items()
        for rank, hit in enumerate(hits or (None,), start=1)
        if hit is not None
    ]
    table = pd.DataFrame(rows, columns=list(_HITS[:-1]))
    # a question without hits keeps its row, of rank 0, so that its latency is kept
    empty = [(q, 0, "", 0, 0, 0.0, 0) for q, hits in arm.hits.items() if not hits]
    table = pd.concat([table, pd.DataFrame(empty, columns=table.columns)]) if empty else table
    table["ms"] = [arm.latency[question] for question in table["question"]]
    return table


def _read(folder: Path, record: dict[str, Any], system: System) -> Arm:
    _pyarrow()
    from pyarrow import parquet

    place = folder / "runs" / record["file"]
    table = parquet.read_table(f"{place}.parquet")
    columns = [table[name].to_pylist() for name in _HITS]
    hits: dict[str, list[_arms.Found]] = {}
    latency: dict[str, float] = {}
    sources: dict[tuple[str, int, int], Source] = {}
    for q, rank, path, start, end, score, tokens, ms in zip(*columns, strict=True):
        latency[q] = ms
        found = hits.setdefault(q, [])
        if rank:
            where = path, start, end
            if where not in sources:
                sources[where] = Source(*where)
            found.append(_arms.Found(sources[where], score, tokens))
    return _arms.Arm(
        system, _arms.DONE, "", {q: tuple(found) for q, found in hits.items()}, latency,
        record["index_s"], record["index_bytes"], record["key"], place,
    )  # fmt: skip


def write_parquet(table: pd.DataFrame, file: Path) -> None:
    """Write a table as a Parquet file; equal tables give equal bytes.

    Raises:
        MissingExtraError: If pyarrow is not installed.
    """
    _pyarrow()
    table.to_parquet(file, engine="pyarrow", index=False, compression="zstd")


def read_parquet(file: Path) -> pd.DataFrame:
    """A table from a Parquet file.

    Raises:
        MissingExtraError: If pyarrow is not installed.
    """
    _pyarrow()
    import pandas as pd

    return pd.read_parquet(file, engine="pyarrow")


def _pyarrow() -> None:
    if importlib.util.find_spec("pyarrow") is None:
        raise MissingExtraError("saving runs", extra="eval")
