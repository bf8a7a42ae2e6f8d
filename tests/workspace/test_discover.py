from pathlib import Path

import pytest

from memlab.errors import WorkspaceError
from memlab.workspace.discover import locate


def folder(path: Path) -> Path:
    path.mkdir(parents=True)
    return path


def configure(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def home(tmp_path):
    return folder(tmp_path / "home")


@pytest.fixture
def env(home):
    return {"HOME": str(home)}


def test_a_path_wins_over_everything(tmp_path, env):
    there = folder(tmp_path / "there")
    assert locate(there, env={**env, "MEMLAB_WORKSPACE": "/elsewhere"}) == there


def test_the_variable_comes_next(tmp_path, env):
    there = folder(tmp_path / "there")
    assert locate(env={**env, "MEMLAB_WORKSPACE": str(there)}) == there


def test_openclaw_is_asked_next_in_json5(home, env):
    there = folder(home / "notes")
    text = "{ // with a comment\n agents: { defaults: { workspace: '~/notes', }, }, }"
    configure(home / ".openclaw" / "openclaw.json", text)
    assert locate(env=env) == there


@pytest.mark.parametrize(
    ("variable", "file"),
    [("OPENCLAW_CONFIG_PATH", "own.json"), ("OPENCLAW_STATE_DIR", "openclaw.json")],
)
def test_openclaws_configuration_may_lie_elsewhere(tmp_path, env, variable, file):
    there = folder(tmp_path / "there")
    config = tmp_path / "state" / file
    configure(config, '{"agents": {"defaults": {"workspace": "${ROOT}/there"}}}')
    place = config if variable == "OPENCLAW_CONFIG_PATH" else config.parent
    assert locate(env={**env, variable: str(place), "ROOT": str(tmp_path)}) == there


@pytest.mark.parametrize(
    "text", ["{}", '{"agents": 7}', '{"agents":{"defaults":{"workspace":""}}}']
)
def test_a_configuration_without_a_workspace_means_the_default_place(home, env, text):
    configure(home / ".openclaw" / "openclaw.json", text)
    there = folder(home / ".openclaw" / "workspace")
    assert locate(env=env) == there


def test_a_profile_has_a_place_of_its_own(home, env):
    there = folder(home / ".openclaw" / "workspace-work")
    assert locate(env={**env, "OPENCLAW_PROFILE": "work"}) == there


@pytest.mark.parametrize(
    ("name", "problem"), [("absent", "does not exist"), ("file.md", "is not a folder")]
)
def test_a_place_that_is_no_folder_is_an_error_that_says_who_named_it(tmp_path, env, name, problem):
    (tmp_path / "file.md").touch()
    with pytest.raises(WorkspaceError, match=f"{problem}.*named by MEMLAB_WORKSPACE"):
        locate(env={**env, "MEMLAB_WORKSPACE": str(tmp_path / name)})


def test_a_broken_configuration_is_an_error_and_not_passed_over(home, env):
    configure(home / ".openclaw" / "openclaw.json", "{ agents: ")
    with pytest.raises(WorkspaceError, match="cannot be read as JSON5"):
        locate(env=env)


def test_a_relative_path_becomes_absolute(tmp_path, monkeypatch):
    there = folder(tmp_path / "there")
    monkeypatch.chdir(tmp_path)
    assert locate("there") == there
