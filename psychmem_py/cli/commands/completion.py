"""psychmem setup completion: what a shell needs to complete commands, options and ids. The script is made once; only ids ask the store."""

from __future__ import annotations

import sys
from enum import StrEnum
from importlib import import_module
from typing import Annotated, Any

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import app, examples, setup
from psychmem_py.cli.context import workspace_of
from psychmem_py.safety.control_chars import line
from psychmem_py.store import rows
from psychmem_py.text.tokenizer import clip


class Shell(StrEnum):
    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"
    IDS = "ids"


_IDS = 50  # memories offered


@setup.command(
    epilog=examples(
        "psychmem setup completion bash >> ~/.bashrc",
        "psychmem setup completion zsh >> ~/.zshrc",
        "psychmem setup completion fish > ~/.config/fish/completions/psychmem.fish",
    ),
)
def completion(
    shell: Annotated[Shell, typer.Argument(metavar="bash|zsh|fish|ids", help="Your shell; `ids` is what the scripts ask for.")],
) -> None:
    """Print a script that completes commands, options and ids in a shell."""
    if shell is Shell.IDS:
        return _ids()
    words = _words()
    sys.stdout.write(_fish(words) if shell is Shell.FISH else _bash(words, zsh=shell is Shell.ZSH))


def _ids() -> None:
    workspace = workspace_of()
    if not workspace.database.exists():
        return
    with workspace.store() as db:
        found = rows.listed(db, project=workspace.project_id, limit=_IDS)
    for one in found:
        sys.stdout.write(f"{output.short(one.id)}\t{clip(line(one.text), 50)}\n")


def _words() -> dict[str, tuple[list[str], bool, str]]:
    """For each command, and each of a group's: its options and inner commands, whether it takes ids, its first sentence."""
    import_module("psychmem_py.cli.tree")
    table = {name: sentence for name, _, _, sentence in import_module("psychmem_py.cli.command_table").COMMANDS}
    found: dict[str, tuple[list[str], bool, str]] = {}
    tree: Any = typer.main.get_command(app)
    for name, command in tree.commands.items():
        if not command.hidden:
            inner = getattr(command, "commands", {})
            options = sorted(one for param in command.params for one in param.opts if one.startswith("--"))
            options += sorted(
                {one for leaf in inner.values() for param in leaf.params for one in param.opts if one.startswith("--")}
            )
            takes_ids = any(
                param.metavar and "ID" in param.metavar.split("-")
                for param in command.params
                if not param.opts[0].startswith("-")
            )
            found[name] = ([*inner, *options, "--help"], takes_ids, table.get(name, ""))
    return found


def _bash(words: dict[str, tuple[list[str], bool, str]], *, zsh: bool) -> str:
    cases = "".join(f"    {name}) words='{' '.join(options)}';;\n" for name, (options, _, _) in words.items())
    with_ids = "|".join(name for name, (_, ids, _) in words.items() if ids)
    head = "autoload -U +X compinit && compinit; autoload -U +X bashcompinit && bashcompinit\n" if zsh else ""
    return (
        f"{head}_psychmem() {{\n"
        '  local cur="${COMP_WORDS[COMP_CWORD]}" words=\n'
        '  if [ "$COMP_CWORD" -eq 1 ]; then\n'
        f"    COMPREPLY=($(compgen -W '{' '.join(words)}' -- \"$cur\")); return\n"
        "  fi\n"
        '  case "${COMP_WORDS[1]}" in\n'
        f"{cases}"
        "  esac\n"
        '  case "$cur" in -*) ;; *) case "${COMP_WORDS[1]}" in\n'
        f'    {with_ids}) words="$words $(psychmem completion ids 2>/dev/null | cut -f1)";;\n'
        "  esac;; esac\n"
        '  COMPREPLY=($(compgen -W "$words" -- "$cur"))\n'
        "}\n"
        "complete -o default -F _psychmem psychmem\n"
    )


def _fish(words: dict[str, tuple[list[str], bool, str]]) -> str:
    lines = ["complete -c psychmem -f"]
    for name, (options, ids, sentence) in words.items():
        told = sentence.replace("\\", "").replace("'", "’")
        lines.append(f"complete -c psychmem -n __fish_use_subcommand -a {name} -d '{told}'")
        seen = f"-n '__fish_seen_subcommand_from {name}'"
        lines += [f"complete -c psychmem {seen} -l {one[2:]}" for one in options if one.startswith("--")]
        lines += [f"complete -c psychmem {seen} -a {one}" for one in options if not one.startswith("--")]
        if ids:
            lines.append(f"complete -c psychmem {seen} -a '(psychmem completion ids)'")
    return "\n".join(lines) + "\n"
