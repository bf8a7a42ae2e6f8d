"""Pages parsed into newline-delimited JSON, by several processes where there is much to parse.

Run as a module it is one such process: it reads its job from standard input, and says how far it
is on standard output. (A pool of the standard library would import the caller's main module again,
which a notebook or a script without a guard does not survive.)
"""

from __future__ import annotations

import dataclasses
import gc
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from json.encoder import encode_basestring as _text
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memlab.workspace import parser, reader

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable

    from memlab.types import TimeRange

    Progress = Callable[[str, int, int], None]

FACT_COLUMNS = {
    "base_id": "VARCHAR", "path": "VARCHAR", "start_line": "INTEGER", "end_line": "INTEGER",
    "kind": "VARCHAR", "origin": "VARCHAR", "content": "VARCHAR", "heading": "VARCHAR",
    "day": "DATE", "when_start": "DATE", "when_end": "DATE", "times": "INTEGER[]",
    "confidence": "DOUBLE", "heads": "VARCHAR[]", "tags": "VARCHAR[]", "links": "VARCHAR[]",
    "supersedes": "VARCHAR", "keeps": "VARCHAR", "tokens": "VARCHAR", "context": "VARCHAR",
}  # fmt: skip
PAGE_COLUMNS = {
    "path": "VARCHAR", "sha256": "VARCHAR", "role": "VARCHAR", "day": "DATE", "title": "VARCHAR",
    "name": "VARCHAR", "aliases": "VARCHAR[]", "talk": "BOOLEAN",
}  # fmt: skip
TROUBLE_COLUMNS = {"path": "VARCHAR", "line": "INTEGER", "message": "VARCHAR"}

_MUCH = 2_000_000  # bytes of pages from which the start of further processes pays
_STEP = 16  # pages after which a process says how far it is


@dataclass(slots=True)
class Ingested:
    """What came of parsing.

    Attributes:
        hashes: The hash of each page as it was parsed.
        unchanged: Pages that were again as they had been, and were not parsed.
        gone: Pages that could not be parsed, and why: they went, or are pages no more.
        unreadable: Pages that cannot be read now, and why.
    """

    hashes: dict[str, str] = field(default_factory=dict)
    unchanged: list[str] = field(default_factory=list)
    gone: dict[str, str] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)

    def add(self, other: Ingested) -> None:
        """Take in what another process did."""
        self.hashes |= other.hashes
        self.unchanged += other.unchanged
        self.gone |= other.gone
        self.unreadable |= other.unreadable


def ingest(
    root: Path,
    paths: list[str],
    folder: Path,
    *,
    known: dict[str, str],
    sizes: dict[str, int],
    max_bytes: int,
    progress: Progress | None = None,
) -> Ingested:
    """Parse pages into ``pages-N``, ``facts-N`` and ``troubles-N.ndjson`` of a folder.

    Args:
        root: The workspace.
        paths: The pages, in order; the files keep it, by N.
        folder: Where to write.
        known: The hashes with which pages are in the snapshot to carry over from.
        sizes: The pages' sizes in bytes.
        max_bytes: Larger files are no pages.
        progress: Called with a verb, how much is done and how much there is.
    """
    workers = os.cpu_count() or 1 if sum(sizes.get(path, 0) for path in paths) > _MUCH else 1
    shares = _shares(paths, sizes, min(workers, 8))
    jobs = [
        {
            "root": str(root), "paths": share, "folder": str(folder), "number": number,
            "known": {path: known[path] for path in share if path in known}, "max_bytes": max_bytes,
        }
        for number, share in enumerate(shares)
    ]  # fmt: skip
    done = [0] * len(jobs)

    def advance(number: int, count: int) -> None:
        done[number] = count
        if progress:
            progress("parsing", sum(done), len(paths))

    result = Ingested()
    if len(jobs) == 1:
        result.add(work(jobs[0], lambda count: advance(0, count)))
    else:
        with ThreadPoolExecutor(len(jobs)) as pool:
            others = pool.map(lambda job: _delegate(job, advance), jobs[1:])
            # this process has all that it takes already
            result.add(work(jobs[0], lambda count: advance(0, count)))
            for part in others:
                result.add(part)
    return result


def work(job: dict[str, Any], advance: Callable[[int], None]) -> Ingested:
    """Do one job, in this process."""
    result = Ingested()
    folder, number = Path(job["folder"]), job["number"]
    with (
        (folder / f"pages-{number}.ndjson").open("w", encoding="utf-8") as pages,
        (folder / f"facts-{number}.ndjson").open("w", encoding="utf-8") as facts,
        (folder / f"troubles-{number}.ndjson").open("w", encoding="utf-8") as troubles,
    ):
        for count, path in enumerate(job["paths"]):
            if count % _STEP == 0:
                advance(count)
            try:
                page = reader.read(Path(job["root"]), path, max_bytes=job["max_bytes"])
            except (FileNotFoundError, reader.UnusableError) as error:
                result.gone[path] = f"changed while it was read: {error}"
                continue
            except reader.UnreadableError as error:
                result.unreadable[path] = str(error)
                continue
            if job["known"].get(path) == page.sha256:
                result.unchanged.append(path)
                continue
            result.hashes[path] = page.sha256
            parsed = parser.parse(page)
            pages.write(_line(_page_row(parsed)))
            facts.writelines(map(_fact_line, parsed.facts))
            troubles.writelines(_line(dataclasses.asdict(one)) for one in parsed.troubles)
    advance(len(job["paths"]))
    return result


def _shares(paths: list[str], sizes: dict[str, int], count: int) -> list[list[str]]:
    """``paths`` in ``count`` runs of about the same size, in order."""
    total = sum(sizes.get(path, 0) + 1 for path in paths)
    shares: list[list[str]] = [[] for _ in range(count)]
    before = 0
    for path in paths:
        shares[min(before * count // max(total, 1), count - 1)].append(path)
        before += sizes.get(path, 0) + 1
    return [share for share in shares if share] or [[]]


def _delegate(job: dict[str, Any], advance: Callable[[int, int], None]) -> Ingested:
    """Do one job in a process of its own; in this one where none can be started."""
    command = [sys.executable, "-m", "memlab.store.ingest"]
    outcome = Path(job["folder"]) / f"outcome-{job['number']}.json"
    with suppress(OSError):
        with subprocess.Popen(  # noqa: S603  # our own module, by the interpreter that runs us
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        ) as process:  # fmt: skip
            if process.stdin and process.stdout:
                process.stdin.write(json.dumps(job))
                process.stdin.close()
                for line in process.stdout:
                    advance(job["number"], int(line))
        if process.returncode == 0:
            return Ingested(**json.loads(outcome.read_text(encoding="utf-8")))
    return work(job, lambda count: advance(job["number"], count))


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def _page_row(page: parser.ParsedPage) -> dict[str, Any]:
    return {
        "path": page.path, "sha256": page.sha256, "role": page.role.value, "day": _day(page.day),
        "title": page.title, "name": page.name, "aliases": page.aliases, "talk": page.talk,
    }  # fmt: skip


def _fact_line(fact: parser.ParsedFact) -> str:
    """A fact as a line; put together by hand, in a quarter of the time."""
    (
        own, path, first, last, kind, origin, content, heading, day, when, times, confidence,
        heads, tags, links, supersedes, keeps, tokens, context,
    ) = fact  # fmt: skip
    start, end = (when.start, when.end) if when else (None, None)
    return (
        f'{{"base_id": "{own}", "path": {_text(path)}, "start_line": {first}, "end_line": {last}, '
        f'"kind": "{kind}", "origin": "{origin}", "content": {_text(content)}, '
        f'"heading": {_text(heading)}, "day": {_plain(day)}, "when_start": {_plain(start)}, '
        f'"when_end": {_plain(end)}, "times": {_days(times)}, '
        f'"confidence": {"null" if confidence is None else confidence}, '
        f'"heads": {_texts(heads)}, "tags": {_texts(tags)}, "links": {_texts(links)}, '
        f'"supersedes": {_plain(supersedes)}, "keeps": {_plain(keeps)}, '
        f'"tokens": {_text(tokens)}, "context": {_text(context)}}}\n'
    )


@lru_cache(maxsize=4096)
def _texts(texts: tuple[str, ...]) -> str:
    return f"[{', '.join(map(_text, texts))}]" if texts else "[]"


@lru_cache(maxsize=4096)
def _days(times: tuple[TimeRange, ...]) -> str:
    """First and last day of each, as numbers."""
    return f"[{', '.join(f'{one.start.toordinal()}, {one.end.toordinal()}' for one in times)}]"


@lru_cache(maxsize=4096)
def _plain(value: dt.date | str | None) -> str:
    """A value whose text needs no escapes."""
    return f'"{value}"' if value else "null"


def _day(day: Any) -> str | None:
    return day.isoformat() if day else None


def _main() -> None:
    gc.disable()  # a short life, and few cycles
    job = json.load(sys.stdin)
    result = work(job, lambda count: print(count, flush=True))  # noqa: T201  # to the parent
    outcome = Path(job["folder"]) / f"outcome-{job['number']}.json"
    outcome.write_text(json.dumps(dataclasses.asdict(result)), encoding="utf-8")


if __name__ == "__main__":
    _main()
