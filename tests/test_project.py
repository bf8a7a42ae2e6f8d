"""The rules that hold for the project as a whole."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted(ROOT.glob("memlab/**/*.py"))
NOTEBOOKS = sorted(ROOT.glob("notebooks/*.ipynb"))
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]

# From the bottom up. A module imports from its own layer or from one below; `cli_eval` is of `cli`.
LAYERS = [
    {
        "counters", "errors", "manifest", "ollama", "parameters", "registry", "stopwords", "tokens",
        "types",
    },
    {"defaults", "workspace"},
    {"store"},
    {"embedding", "fusion", "opinions", "rerank", "retrievers"},
    {"abstention", "budget", "cite", "explain", "pipeline", "session"},
    {"evaluation", "synth", "testing", "verbs"},
    {"api"},
    {"__init__"},
    {"notebooks"},
    {"__main__", "cli", "mcp"},
]  # fmt: skip
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}

HEAVY = {
    "duckdb",
    "icu",
    "matplotlib",
    "pandas",
    "rich",
    "sentence_transformers",
    "sklearn",
    "torch",
}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def of_package(name: str) -> str:
    """The part of memlab/ that `memlab.part.module` or a name in `memlab` belongs to."""
    part = name.split(".")[1]
    here = ROOT / "memlab" / part
    return part if here.is_dir() or here.with_suffix(".py").is_file() else "__init__"


def stem(part: str) -> str:
    return part if part.startswith("_") else part.partition("_")[0]


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and part for each import from memlab, wherever in the module it stands."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found = [name.name for name in names]
            case ast.ImportFrom(module="memlab", names=names):
                found = [f"memlab.{name.name}" for name in names]
            case ast.ImportFrom(module=str(module), level=0):
                found = [module]
            case ast.ImportFrom(level=level) if level:
                raise AssertionError(f"line {node.lineno}: write memlab.… in full")
            case _:
                continue
        for name in found:
            if name == "memlab" or name.startswith("memlab."):
                yield node.lineno, of_package(f"{name}.__init__")


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_a_module_fits_on_a_few_screens(module):
    assert len(module.read_text(encoding="utf-8").splitlines()) <= 300


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_imports_run_one_way(module):
    part = stem(module.relative_to(ROOT / "memlab").parts[0].removesuffix(".py"))
    assert part in LEVEL, f"{part} needs a place in LAYERS"
    tree = ast.parse(module.read_text(encoding="utf-8"))
    upward = [(line, other) for line, other in imports(tree) if LEVEL[stem(other)] > LEVEL[part]]
    assert upward == []


def test_every_extra_that_an_error_names_exists():
    named = {
        extra
        for module in MODULES
        for extra in re.findall(r'extra="(\w+)"', module.read_text(encoding="utf-8"))
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert named
    assert named <= project["optional-dependencies"].keys()


def test_import_is_light():
    code = "import sys, memlab; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    assert HEAVY.isdisjoint(loaded.stdout.split())


def test_every_command_is_documented():
    from memlab.cli import main

    def commands(group: click.Group, words: str) -> Iterator[str]:
        context = click.Context(group)
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            if isinstance(command, click.Group):
                yield from commands(command, f"{words} {name}")
            else:
                yield f"{words} {name}"

    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    all_commands = list(commands(main, "memlab"))
    assert all_commands
    assert [name for name in all_commands if not re.search(rf"{name}\b", text)] == []


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.fixture
def cells(request):
    return json.loads(request.param.read_text(encoding="utf-8"))["cells"]


each_notebook = pytest.mark.parametrize("cells", NOTEBOOKS, ids=name_of, indirect=True)


def code_of(cells):
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


@each_notebook
def test_a_notebook_is_stripped(cells):
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [cell for cell in code if cell["outputs"] or cell["execution_count"]] == []


@each_notebook
def test_a_notebook_has_one_cell_of_parameters(cells):
    tagged = [cell for cell in cells if "parameters" in cell["metadata"].get("tags", ())]
    assert len(tagged) == 1


@each_notebook
def test_a_notebook_is_short(cells):
    code = code_of(cells)
    assert len(code) <= 12
    assert [cell for cell in code if len(cell.splitlines()) > 10] == []


@each_notebook
def test_a_notebook_calls_and_modules_do(cells):
    """No function, class or SQL; a magic is no Python, and so not read."""
    definitions = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
    sql = re.compile(
        r"\b(select\b.+\bfrom|insert\s+into|create\s+\w+|pragma)\s", re.IGNORECASE | re.DOTALL
    )
    for cell in code_of(cells):
        tree = ast.parse(re.sub(r"^\s*[%!].*", "", cell, flags=re.MULTILINE))
        assert [node for node in ast.walk(tree) if isinstance(node, definitions)] == []
        assert not sql.search(cell)


def test_no_file_names_a_machine_or_a_registry():
    """Paths and hosts of the place where this was written mean nothing elsewhere."""
    git = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(git, check=False, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("needs a git checkout, to know which files are the project's")
    foreign = re.compile(
        r"(?P<path>(?<![\w.~-])/(?:work|root)(?![\w-]))"
        r"|(?P<host>\b(?:pypi|pythonhosted|npmjs|debian)\.(?:org|com)\b)"
        r"|(?P<shared>\.\./shared)"
    )
    found = [
        f"{name}: {match[0]}"
        for name in filter(None, listed.stdout.split("\0"))
        if (ROOT / name).is_file()
        for match in foreign.finditer((ROOT / name).read_text(encoding="utf-8", errors="replace"))
        if not (match["shared"] and name in {"Makefile", ".ci/run"})
    ]
    assert found == []
