"""The command tree. Each module of `commands` registers its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from psychmem_py import __version__
from psychmem_py.cli.help_text import Group, HelpCommand, option

# What `psychmem --help` shows; every other command is in `psychmem help --all`.
FIRST_SCREEN = {
    "Look": ("list", "show", "why", "context", "sessions", "report"),
    "Change": ("remember", "edit", "forget", "undo", "review"),
    "Bring in, take out, share": ("import", "export", "share"),
    "Run": ("pause", "resume", "judge", "setup", "doctor", "config"),
}


def examples(*lines: str) -> str:
    """The end of a command's help: its examples, one a line."""
    return "\n\n".join(("Examples:", *lines))


Function = TypeVar("Function", bound=Callable[..., Any])


class Commands(typer.Typer):
    """A tree whose commands print their help as `help_text` makes it."""

    def command(
        self,
        name: str | None = None,
        *,
        here: bool = False,
        writes: bool = False,
        looks: bool = False,
        json: bool = True,
        **more: Any,
    ) -> Callable[[Function], Function]:
        """`here`: takes --project; `writes`: --dry-run, and `undo` knows it for the last command; `looks`: not always, so it notes that
        by itself; `json`: --json. `cli.context` hands on what was given.
        """
        common = [option for option, wanted in (("project", here), ("dry_run", writes), ("json", json)) if wanted]
        kind: Any = partial(HelpCommand, common=common, looks=looks)
        return super().command(name, cls=kind, **more)


def group(about: str, usual: str = "") -> Commands:
    """A command that has commands of its own; `about` is its help, `usual` the one meant where none is named."""
    return Commands(
        cls=type("Group", (Group,), {"usual": usual}),
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        help=about,
    )


app = Commands(
    name="psychmem",
    cls=Group,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


setup = group("Install, uninstall, upgrade; shell completion; a demo.")
app.add_typer(setup, name="setup")
share = group("One memory on several machines and in a team.", usual="start")
app.add_typer(share, name="share")


def _version(wanted: bool) -> None:
    if wanted:
        print(f"psychmem {__version__}")
        raise typer.Exit


@app.callback()
def psychmem(
    version: Annotated[bool, option("--version", "Print the version.", callback=_version, is_eager=True)] = False,
) -> None:
    """A memory for coding agents: notices what matters, lets the rest fade, brings back the right thing."""


def whole() -> Commands:
    """The finished tree, with every command registered."""
    for path in sorted((Path(__file__).parent / "commands").glob("[a-z]*.py")):
        import_module(f"psychmem_py.cli.commands.{path.stem}")
    return app
