"""Notebooks as programs: a strict wrapper over papermill.

A parameter that a notebook does not have, or a value of another type, is an error before anything
runs. Each run leaves ``<reports>/<name>/<stamp>/`` with the executed notebook, the same as HTML,
and ``run.json``.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import importlib.util
import json
import logging
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memlab import errors, manifest
from memlab.errors import MemlabError, MissingExtraError, ParameterError, UnknownNameError
from memlab.parameters import Parameter, parse

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

_CHECKOUT = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook that can be run.

    Attributes:
        path: Its file.
        title: Its first heading.
        parameters: Its parameters by name, in their order.
    """

    path: Path
    title: str
    parameters: dict[str, Parameter]

    @property
    def name(self) -> str:
        """The name that it is run by: its file's stem."""
        return self.path.stem

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Every parameter with its value: the given one, else the default.

        Raises:
            UnknownNameError: If it has no such parameter; the error names those that it has.
            ParameterError: If a value has another type.
        """
        return {
            **{name: parameter.default for name, parameter in self.parameters.items()},
            **{name: self._parameter(name).check(value) for name, value in given.items()},
        }

    def read(self, given: Mapping[str, str]) -> dict[str, Any]:
        """Values from the words of a command line, by the types of the parameters.

        Raises:
            UnknownNameError: If it has no such parameter; the error names those that it has.
            ParameterError: If a word means no value of the parameter's type.
        """
        return {name: self._parameter(name).read(text) for name, text in given.items()}

    def _parameter(self, name: str) -> Parameter:
        if name not in self.parameters:
            raise UnknownNameError(f"parameter of {self.name}", name, list(self.parameters))
        return self.parameters[name]


@dataclass(frozen=True, slots=True)
class NotebookRun:
    """A notebook that was run.

    Attributes:
        folder: Where everything of the run lies.
        notebook: The executed notebook.
        html: The same, to read in a browser.
        manifest: ``run.json``.
    """

    folder: Path
    notebook: Path
    html: Path
    manifest: Path


class NotebookError(MemlabError):
    """A cell of a notebook failed.

    Attributes:
        source: The cell's text.
        folder: The run's folder: the notebook as far as it came, and its manifest.
        exit_code: That of the error that the cell raised, where it was one of memlab's.
    """

    def __init__(
        self, message: str, *, where: str, source: str, folder: Path, exit_code: int = 1
    ) -> None:
        first = source.strip().partition("\n")[0]
        super().__init__(
            f"{message}, in the cell that begins {first!r}", where=where,
            hint=f"How far it came: {folder}",
        )  # fmt: skip
        self.source = source
        self.folder = folder
        self.exit_code = exit_code


def known() -> list[Notebook]:
    """The notebooks of ``notebooks/``, of memlab's checkout or else here, by name."""
    return [read(path) for path in sorted((_home() / "notebooks").glob("*.ipynb"))]


def find(name: str | os.PathLike[str]) -> Notebook:
    """A notebook by its name, or by the path of any ``.ipynb``.

    Raises:
        UnknownNameError: If there is none of that name; it lists those that are.
        ParameterError: If it is no notebook, or its parameters cannot be read.
    """
    if Path(name).suffix == ".ipynb":
        return read(Path(name))
    path = _home() / "notebooks" / f"{name}.ipynb"
    if path.is_file():
        return read(path)
    raise UnknownNameError("notebook", str(name), [notebook.name for notebook in known()])


def read(path: Path) -> Notebook:
    """A notebook's title and parameters, without running anything.

    Raises:
        ParameterError: If it is no notebook, or its parameters cannot be read.
    """
    try:
        cells = [
            ("".join(cell["source"]), cell["metadata"].get("tags", ()))
            for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
        ]
        heads = (re.match(r"# (.+)", text) for text, _ in cells)
        title = next((head[1] for head in heads if head), path.stem)
        found = [p for text, tags in cells if "parameters" in tags for p in parse(text)]
    except OSError as error:
        raise ParameterError(f"cannot be read: {error.strerror}", where=str(path)) from error
    except (AttributeError, KeyError, SyntaxError, TypeError, ValueError) as error:
        raise ParameterError(f"cannot be read as a notebook: {error}", where=str(path)) from error
    return Notebook(path, title, {parameter.name: parameter for parameter in found})


def run(
    notebook: Notebook | str | os.PathLike[str],
    given: Mapping[str, Any] | None = None,
    *,
    reports: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> NotebookRun:
    """Run a notebook from its first cell to its last, in a kernel of its own.

    Args:
        notebook: What `find` gave, or a name or path to find.
        given: Values for its parameters. A parameter ``output`` that would be None is the run's
            folder.
        reports: Where the run's folder is made; by default ``reports`` of memlab's checkout, or of
            the current folder where memlab runs without one.
        progress: Show papermill's progress bar on standard error.

    Raises:
        MissingExtraError: If papermill is not installed.
        UnknownNameError: If there is no such notebook or parameter; it lists those that are.
        ParameterError: If a value has another type than its parameter.
        NotebookError: If a cell fails; what was run until then is kept.
    """
    found = notebook if isinstance(notebook, Notebook) else find(notebook)
    values = found.check(given or {})
    for module in ("papermill", "nbconvert", "ipykernel"):
        if importlib.util.find_spec(module) is None:
            raise MissingExtraError("running a notebook", extra="notebooks")
    start = dt.datetime.now(dt.UTC)
    digest = hashlib.sha256(found.path.read_bytes()).hexdigest()
    place = _home() / "reports" if reports is None else Path(reports)
    folder = manifest.new_folder(place.absolute(), found.name, start)
    if "output" in values and values["output"] is None:
        values["output"] = str(folder)
    executed = folder / found.path.name
    outcome: dict[str, Any] = {"status": "failed"}
    try:
        _execute(found, values, executed, progress=progress)
        outcome = {"status": "done"}
    except NotebookError as error:
        outcome["error"] = error.message
        raise
    finally:
        written = manifest.write(
            folder, start=start, parameters=values, fingerprints={"notebook": digest},
            notebook=found.name, **outcome,
        )  # fmt: skip
        html = _to_html(executed)
    return NotebookRun(folder, executed, html, written)


def _home() -> Path:
    """Where ``notebooks/`` and ``reports/`` are: memlab's checkout, or here without one."""
    return _CHECKOUT if (_CHECKOUT / "notebooks").is_dir() else Path()


def _execute(notebook: Notebook, values: dict[str, Any], executed: Path, *, progress: bool) -> None:
    import papermill

    log = logging.getLogger("papermill")
    log.addFilter(_is_news)
    try:
        papermill.execute_notebook(
            str(notebook.path), str(executed), parameters=values, progress_bar=progress,
            extra_arguments=["--log-level=ERROR"],  # of the kernel, which warns of its own sockets
        )  # fmt: skip
    except papermill.PapermillExecutionError as error:
        raise NotebookError(
            f"{error.ename}: {error.evalue}", where=str(notebook.path), source=error.source,
            folder=executed.parent,
            exit_code=getattr(getattr(errors, error.ename, None), "exit_code", 1),
        ) from error  # fmt: skip
    finally:
        log.removeFilter(_is_news)


def _is_news(record: logging.LogRecord) -> bool:
    """Papermill cannot read every parameter that `memlab.parameters` has checked, and says so."""
    noise = ("Passed unknown parameter", "Unable to parse line")
    return not record.getMessage().startswith(noise)


def _to_html(executed: Path) -> Path:
    """The executed notebook as one page that asks nothing of any network."""
    html = executed.with_suffix(".html")
    if not executed.exists():  # no kernel could be started
        return html
    import nbformat
    from nbconvert.exporters import HTMLExporter

    exporter = HTMLExporter(embed_images=True)
    text, _ = exporter.from_notebook_node(nbformat.read(executed, as_version=4))
    # the template's scripts, for mathematics and diagrams, would be fetched from elsewhere
    text = re.sub(r"<script\b.*?</script>", _unless_fetching, text, flags=re.DOTALL)
    html.write_text(text, encoding="utf-8")
    return html


def _unless_fetching(script: re.Match[str]) -> str:
    return "" if re.search(r"https?://", script[0]) else script[0]
