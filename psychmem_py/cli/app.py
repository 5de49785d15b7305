"""The command tree. Each module beside this one registers its own commands; the order here is the order of `--help`."""

from __future__ import annotations

from typing import Annotated

import typer

from psychmem_py import __version__

EVERYDAY, LOOKING, JUDGING, MOVING, UPKEEP, AGENTS = (
    "Everyday",
    "Looking closer",
    "Judging and correcting",
    "Bringing in, taking out",
    "Upkeep",
    "Agents and set-up",
)


def examples(*lines: str) -> str:
    """The end of a command's help: its examples, one a line."""
    return "\n\n".join(("Examples:", *lines))


app = typer.Typer(
    name="psychmem",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    pretty_exceptions_enable=False,
    epilog="Ids may be shortened to a unique beginning. Every reading command takes --json, every writing one --dry-run. "
    "`psychmem COMMAND --help` shows examples.",
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"psychmem {__version__}")
        raise typer.Exit


@app.callback()
def psychmem(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show a traceback when something fails.")] = False,
) -> None:
    """A memory for coding agents: notices what matters, lets the rest fade, brings back the right thing."""
