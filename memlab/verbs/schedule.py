"""Schedule: how a cron, a systemd or an OpenClaw would run the nightly job. Text alone.

Nothing is ever installed: a person copies what they want.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlab.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

UNIT = "memlab-reflect"
"""The name of the systemd units."""
BUSY = 4
"""The exit code of a run that finds another at work."""

_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


@dataclass(frozen=True, slots=True)
class Schedule:
    """The nightly job in the words of each scheduler.

    Attributes:
        command: The words of the command.
        cron: A line of a crontab.
        service: A systemd service, for ``~/.config/systemd/user/``.
        timer: The systemd timer that starts it.
        heartbeat: A task of OpenClaw's ``HEARTBEAT.md``.
    """

    command: tuple[str, ...]
    cron: str
    service: str
    timer: str
    heartbeat: str

    def to_dict(self) -> dict[str, object]:
        """Plain values, as ``memlab schedule --json`` prints them."""
        return {
            "command": list(self.command), "cron": self.cron, "service": self.service,
            "timer": self.timer, "heartbeat": self.heartbeat,
        }  # fmt: skip

    def to_text(self) -> str:
        """All of it, each under a line that says where it goes."""
        units = "~/.config/systemd/user"
        return "\n".join([
            "# cron: a line for `crontab -e`", self.cron, "",
            f"# systemd: {units}/{UNIT}.service", self.service,
            f"# systemd: {units}/{UNIT}.timer, then: systemctl --user enable --now {UNIT}.timer",
            self.timer,
            "# OpenClaw: HEARTBEAT.md of the workspace", self.heartbeat,
        ])  # fmt: skip


def schedule(
    program: Sequence[str],
    workspace: Path,
    notebook: Path,
    reports: Path,
    *,
    at: str = "03:30",
    since: str = "7d",
) -> Schedule:
    """What to copy into a scheduler, to reflect every night.

    Args:
        program: The words that start memlab.
        workspace: The workspace's folder.
        notebook: The notebook to run.
        reports: Where its runs go.
        at: When, local time, as ``03:30``.
        since: Only what has evidence since then is brought up to date; see `memlab.reflect`.

    Raises:
        ParameterError: If ``at`` is no time of day, or a path has a line break.
    """
    match = _TIME.fullmatch(at.strip())
    if not match:
        raise ParameterError(f"at: {at!r} is no time of day", hint="Write it as 03:30")
    hour, minute = int(match[1]), int(match[2])
    words = (
        *program, "--workspace", str(workspace), "notebook", "run", str(notebook),
        "-p", f"since={since}", "-p", "dry_run=false", "--output", str(reports),
    )  # fmt: skip
    if any(char in word for word in words for char in "\r\n\0"):
        raise ParameterError("a path with a line break cannot be scheduled")
    line = shlex.join(words)
    # to cron, a bare % ends the command
    cron = f"{minute} {hour} * * * " + line.replace("%", r"\%")
    service = (
        "[Unit]\n"
        "Description=memlab reflects on the day's notes\n\n"
        "[Service]\n"
        "Type=oneshot\n"
        f"ExecStart={' '.join(map(_for_systemd, words))}\n"
    )
    timer = (
        "[Unit]\n"
        "Description=memlab reflects every night\n\n"
        "[Timer]\n"
        f"OnCalendar=*-*-* {hour:02}:{minute:02}:00\n"
        "Persistent=true\n\n"
        "[Install]\n"
        "WantedBy=timers.target\n"
    )
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", line)), default=0))
    heartbeat = (
        f"- Once a day, at the first heartbeat after {hour:02}:{minute:02}: run {fence}{line}"
        f"{fence}. It prints the folder of its report. Exit code {BUSY} means that another run is "
        "at work: leave it. Tell me of any other but 0, with the last line that it printed."
    )
    return Schedule(words, cron, service, timer, heartbeat)


def _for_systemd(word: str) -> str:
    """A word of an ``ExecStart``: quoted, and without its variables and specifiers."""
    word = word.replace("\\", "\\\\").replace("%", "%%").replace("$", "$$")
    return '"' + word.replace('"', '\\"') + '"' if re.search(r"[\s\"';\\]", word) else word
