"""The command tree. What `permissions.tsv` does not name is refused. Help is plain text: rich's costs 60 ms of CPU."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial, wraps
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option
from typer.core import TyperCommand, TyperOption

from psychmem_py.cli.context import caller, end, options_given, usage_error_if, workspace_of
from psychmem_py.errors import refuse_if
from psychmem_py.model.permission import Action
from psychmem_py.words import rows


def option(written: str, meaning: str = "", among: Iterable[str] = (), **more: Any) -> Any:
    """An option as help shows it: `option("--output -o FILE", "Where to write it.")`; its value may be one of `among` alone."""
    names = [one for one in written.split() if one.startswith("-")]
    metavar = "|".join(among) or " ".join(written.split()[len(names) :]) or None
    if metavar and len(metavar) > 50:  # in help too long for the column of names
        meaning, metavar = f"{meaning} {', '.join(among)}.", f"{next(iter(among))}|..."
    more |= {"parser": partial(_chosen, list(among))} if among else {}
    return Option(*names, help=meaning, metavar=metavar, show_default=False, **more)


def _chosen(among: Sequence[str], name: str) -> str:
    usage_error_if(name not in among, f"there is no {name!r}; use {', '.join(among)}")
    return among[among.index(name)]


def argument(metavar: str, meaning: str = "") -> Any:
    """What is given without a name."""
    return Argument(metavar=metavar, help=meaning)


# Of each command, and of each option by which it does something else.
ACTIONS: dict[str, Action] = {asked: getattr(Action, deed) for asked, deed in rows("cli/permissions.tsv")}
_flag = partial(TyperOption, is_flag=True, default=False)
COMMON = {
    "project": TyperOption(param_decls=["--project"], default="", metavar="NAME|DIR", help="Another project: name or directory."),
    "dry_run": _flag(param_decls=["--dry-run"], help="Say what would change and change nothing."),
    "json": _flag(param_decls=["--json"], help="Print JSON."),
}

AllProjects = Annotated[bool, option("--all-projects", "Of every project.")]
Yes = Annotated[bool, option("--yes -y", "Do not ask.")]
Id = Annotated[str, argument("ID", "A memory's id, or a unique beginning of it.")]
Class = Annotated[str, option("--class CLASS", "rule, preference, procedural, learning, decision, fix, fact, episodic or goal.")]
Tags = Annotated[list[str] | None, option("--tag WORD", "A word to find it by; may be given again.")]
Metadata = Annotated[list[str] | None, option("--metadata FIELD=VALUE", "A field of its class; may be given again.")]
Until = Annotated[float | None, option("--until DAY", "It ends then: friday, 3 days, 2026-03-01.", parser=end)]
User = Annotated[bool, option("--user", "It holds in every project.")]
Name = Annotated[str, argument("NAME")]


class HelpCommand(TyperCommand):
    """A command whose help is made here; it takes those of the common options that it names."""

    def __init__(self, *words: Any, common: Collection[str] = (), looks: bool = False, **more: Any) -> None:
        super().__init__(*words, **more)
        self.params += [COMMON[name] for name in common]
        self.common, self.is_noted = common, "dry_run" in common and not looks
        self.ignore_unknown_options = self.name == "set"  # a number below 0 is a value

    def invoke(self, ctx: Any) -> Any:  # click's
        path = ctx.command_path.partition(" ")[2]
        typed = {one.name: one for one in self.params if ctx.get_parameter_source(one.name).name == "COMMANDLINE"}
        for deed in actions_for(path, {name for one in typed.values() for name in (*one.opts, *one.secondary_opts)}):
            caller(os.environ).must(deed)
        options_given.clear()
        options_given.update({"command": path, "typed": {*typed}, **{name: ctx.params.pop(name) for name in self.common}})
        try:
            super().invoke(ctx)
        finally:
            if options_given.get("changes"):
                options_given["workspace"].refresh()
        if self.is_noted and "workspace" in options_given:  # one that changed memories has done so itself, in their transaction
            options_given["workspace"].note_unchanged()

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        path = ctx.command_path.partition(" ")[2]
        formatter.write("\nExamples:\n" + "".join(f"  {line}\n" for name, line in rows("cli/examples.tsv") if name == path))


def actions_for(path: str, options: Collection[str]) -> list[Action]:
    """What a command with these options does. Raises RefusedError for one of which that is not known."""
    refuse_if(path not in ACTIONS, f"nobody has said who may run `{path}`; the table of permissions lacks it")
    return [ACTIONS[asked] for asked in (path, *(f"{path} {option}" for option in options)) if asked in ACTIONS]


class Commands(typer.Typer):
    """A tree whose commands print their help as it is made here."""

    def command(  # type: ignore[override]  # of the rest none is used
        self, name: str | None = None, *, here: bool = False, writes: bool = False, looks: bool = False, json: bool = True
    ) -> Callable[[Any], Any]:
        """`here`: takes --project; `writes`: --dry-run, known to `undo`; `looks`: if it records that itself; `json`: --json."""
        common = [option for option, wanted in (("project", here), ("dry_run", writes), ("json", json)) if wanted]
        registered = super().command(name, cls=partial(HelpCommand, common=common, looks=looks))  # type: ignore[arg-type]

        def register(function: Callable[..., None]) -> Callable[..., None]:
            signature = inspect.signature(function, eval_str=True)
            parameters = [one for one in signature.parameters.values() if one.name != "workspace"]
            if len(parameters) == len(signature.parameters):
                return registered(function)

            @wraps(function)
            def run(*words: object, **options: object) -> None:
                function(workspace_of(), *words, **options)

            run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
            run.__annotations__ = {}  # the signature holds them, evaluated
            return registered(run)

        return register


def group(under: Commands, name: str, about: str) -> Commands:
    """A command with subcommands, added to the tree; `about` is its help."""
    made = Commands(no_args_is_help=True, add_completion=False, rich_markup_mode=None, help=about)
    under.add_typer(made, name=name)
    return made


app = Commands(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
app.info.context_settings = {"help_option_names": ["-h", "--help"]}
setup = group(app, "setup", "Install, uninstall; shell completion; a demo.")
share = group(app, "share", "One memory on several machines and in a team. `share --with NAME` is `share start --with NAME`.")


def whole() -> Commands:
    """The finished tree, with every command registered."""
    for path in sorted((Path(__file__).parent / "commands").glob("[a-z]*.py")):
        import_module(f"psychmem_py.cli.commands.{path.stem}")
    return app
