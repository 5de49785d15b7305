"""psychmem setup completion and statusline: what a person puts into their shell and their client; offered, never set by us."""

from __future__ import annotations

import json
import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from typer import completion as typers

from psychmem_py.cli import COMPLETE, output
from psychmem_py.cli.app import argument, examples, given, setup
from psychmem_py.cli.context import workspace_of
from psychmem_py.curation.pending import today
from psychmem_py.errors import PsychMemError
from psychmem_py.home import health, pauses
from psychmem_py.store import rows

_MOST_CHARS = 65_536


@setup.command(epilog=examples("setup statusline"))
def statusline() -> None:
    """One line for a client's status line. How much is remembered here, kept today, pending; docs/terminal.md says how to set it."""
    try:
        line = _line(_folder())
    except PsychMemError:
        line = "memory: run psychmem doctor"  # a status line that fails is a blank one
    output.print_json({"line": line}) if given.get("json") else output.say(line)


def _folder() -> Path | None:
    """The directory the client works in, as its JSON on stdin says; None where nothing is said."""
    if sys.stdin is None or sys.stdin.isatty():
        return None
    try:
        given = json.loads(sys.stdin.read(_MOST_CHARS))
        told = given.get("workspace", {}).get("current_dir") or given.get("cwd")
    except (ValueError, AttributeError, RecursionError):
        return None
    return Path(told) if isinstance(told, str) and os.path.isdir(told) else None


def _line(folder: Path | None) -> str:
    workspace = workspace_of(folder)
    if workspace.env.get("PSYCHMEM_DISABLE") == "1":
        return "memory: off"
    if any(not one.mended for one in health.failures(workspace.directories.data)):
        return "memory: run psychmem doctor"
    if pauses.now_paused(
        str(workspace.directories.data), workspace.session, os.path.realpath(folder or os.getcwd()), workspace.now
    ):
        return "memory: paused"
    if not workspace.database.exists():
        return "memory: 0"
    with workspace.store() as db:
        number = len(rows.listed(db, project=workspace.project_id))
        found = today(db, workspace.project_id, workspace.settings, workspace.now)
    parts = [f"{number}"]
    parts += [f"{len(found.kept)} kept today"] if found.kept else []
    parts += [f"{len(found.pending)} pending"] if found.pending else []
    return f"memory: {' · '.join(parts)}"


class Shell(StrEnum):
    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


@setup.command(
    epilog=examples(
        "setup completion bash >> ~/.bashrc",
        "setup completion zsh >> ~/.zshrc",
        "psychmem setup completion fish > ~/.config/fish/completions/psychmem.fish",
    ),
    json=False,
)
def completion(shell: Annotated[Shell, argument("bash|zsh|fish", "Your shell.")]) -> None:
    """Print the completion script of a shell."""
    script = typers.get_completion_script(prog_name="psychmem", complete_var=COMPLETE, shell=shell.value)  # type: ignore[attr-defined]
    sys.stdout.write(script + "\n")
