"""Where the workspace is.

An explicit path, else ``MEMLAB_WORKSPACE``, else ``agents.defaults.workspace`` of OpenClaw's JSON5
configuration, else OpenClaw's default place.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memlab.errors import WorkspaceError

if TYPE_CHECKING:
    from collections.abc import Mapping


def locate(
    path: str | os.PathLike[str] | None = None, *, env: Mapping[str, str] | None = None
) -> Path:
    """The folder of the workspace, absolute.

    Args:
        path: The folder, when the caller knows it.
        env: The environment to look in; the process's own by default.

    Raises:
        WorkspaceError: If the place that was found is no folder; it says who named it.
    """
    env = os.environ if env is None else env
    place, named_by = _candidate(path, env)
    folder = Path(os.path.abspath(place.expanduser()))
    if not folder.is_dir():
        problem = "is not a folder" if folder.exists() else "does not exist"
        raise WorkspaceError(
            f"the workspace {problem} (named by {named_by})",
            where=str(folder),
            hint="Give its folder with --workspace DIR or MEMLAB_WORKSPACE",
        )
    return folder


def _candidate(path: str | os.PathLike[str] | None, env: Mapping[str, str]) -> tuple[Path, str]:
    if path is not None:
        return Path(path), "the caller"
    if env.get("MEMLAB_WORKSPACE"):
        return Path(env["MEMLAB_WORKSPACE"]), "MEMLAB_WORKSPACE"
    profile = env.get("OPENCLAW_PROFILE", "")
    suffix = f"-{profile}" if profile and profile != "default" else ""
    home = Path(env.get("OPENCLAW_HOME") or env.get("HOME") or Path.home())
    state = home / f".openclaw{suffix}"
    config = _config_path(env, state)
    if config.is_file():
        place = _configured(config, env)
        if place is not None:
            expanded = home / place[2:] if place.startswith("~/") else Path(place)
            return expanded, f"agents.defaults.workspace of {config}"
    return home / ".openclaw" / f"workspace{suffix}", "OpenClaw's default place"


def _config_path(env: Mapping[str, str], state: Path) -> Path:
    if env.get("OPENCLAW_CONFIG_PATH"):
        return Path(env["OPENCLAW_CONFIG_PATH"]).expanduser()
    if env.get("OPENCLAW_STATE_DIR"):
        return Path(env["OPENCLAW_STATE_DIR"]).expanduser() / "openclaw.json"
    return state / "openclaw.json"


def _configured(config: Path, env: Mapping[str, str]) -> str | None:
    import json5

    try:
        tree: Any = json5.loads(config.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise WorkspaceError(
            f"cannot be read as JSON5: {error}",
            where=str(config),
            hint="Mend it, or give the folder with --workspace DIR",
        ) from error
    for key in ("agents", "defaults", "workspace"):
        tree = tree.get(key) if isinstance(tree, dict) else None
    if not isinstance(tree, str) or not tree.strip():
        return None
    return re.sub(r"\$\{(\w+)\}", lambda match: env.get(match[1], match[0]), tree)
