"""psychmem setup completion: what a shell needs to complete commands and options."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer
from typer import completion as typers

from psychmem_py.cli import COMPLETE
from psychmem_py.cli.app import examples, setup
from psychmem_py.cli.context import workspace_of
from psychmem_py.safety.control_chars import line
from psychmem_py.store import rows
from psychmem_py.text.tokenizer import clip


class Shell(StrEnum):
    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"
    IDS = "ids"


_IDS = 50  # memories listed


@setup.command(
    epilog=examples(
        "psychmem setup completion bash >> ~/.bashrc",
        "psychmem setup completion zsh >> ~/.zshrc",
        "psychmem setup completion fish > ~/.config/fish/completions/psychmem.fish",
    ),
    json=False,
)
def completion(
    shell: Annotated[Shell, typer.Argument(metavar="bash|zsh|fish|ids", help="Your shell; `ids` lists memories for a script.")],
) -> None:
    """Print a script that completes commands and options in a shell."""
    if shell is not Shell.IDS:
        sys.stdout.write(typers.get_completion_script(prog_name="psychmem", complete_var=COMPLETE, shell=shell.value) + "\n")  # type: ignore[attr-defined]
        return
    workspace = workspace_of()
    if workspace.database.exists():
        with workspace.store() as db:
            for one in rows.listed(db, project=workspace.project_id, limit=_IDS):
                sys.stdout.write(f"{one.id[:8]}\t{clip(line(one.text), 50)}\n")
