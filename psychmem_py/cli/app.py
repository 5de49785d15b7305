"""The command tree, in which each module of `commands` registers its own, with permissions and help.

`permissions.tsv` names what a command and its options do, as `model.permission` defines it; it is checked before the command
runs, and a command that is not in it is refused. Help is plain text: rich's costs 60 ms of CPU.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Collection, Sequence
from functools import partial, wraps
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option
from typer.core import TyperCommand, TyperGroup, TyperOption

from psychmem_py.cli import unalias
from psychmem_py.cli.context import caller, options_given, workspace_of
from psychmem_py.errors import RefusedError
from psychmem_py.model.permission import Action
from psychmem_py.safety.control_chars import line
from psychmem_py.words import rows

OLDER_OPTIONS = frozenset({"--heard", "--vouch"})  # names that go on working and are not shown
_WORDS = {"integer": "N", "int": "N", "float": "N", "path": "FILE", "text": "TEXT", "filename": "FILE", "directory": "DIR"}


def option(written: str, meaning: str = "", **more: Any) -> Any:
    """An option as help shows it: `option("--output -o FILE", "Where to write it.")`."""
    words = written.split()
    names = [one for one in words if one.startswith("-")]
    return Option(*names, help=meaning or None, **{"metavar": " ".join(words[len(names) :]) or None, **more})


def argument(metavar: str, meaning: str = "", **more: Any) -> Any:
    """What is given without a name."""
    return Argument(metavar=metavar, help=meaning or None, **more)


_flag = partial(TyperOption, is_flag=True, default=False)
_ANOTHER = "Another project, by its name or a directory of it."
COMMON = {
    "project": TyperOption(param_decls=["--project"], default="", metavar="NAME|DIR", help=_ANOTHER),
    "dry_run": _flag(param_decls=["--dry-run"], help="Say what would change and change nothing."),
    "json": _flag(param_decls=["--json"], help="Print JSON."),
}

AllProjects = Annotated[bool, option("--all-projects", "Of every project.")]
Yes = Annotated[bool, option("--yes -y", "Do not ask.")]
Id = Annotated[str, argument("ID", "A memory's id, or a unique beginning of it.")]
Class = Annotated[str, option("--class CLASS", "rule, preference, procedural, learning, decision, fix, fact, episodic or goal.")]
Tags = Annotated[list[str] | None, option("--tag WORD", "A word to find it by; may be given again.")]
Metadata = Annotated[list[str] | None, option("--metadata FIELD=VALUE", "A field of its class; may be given again.")]
Until = Annotated[str, option("--until DAY", "It ends then: friday, 3 days, 2026-03-01.")]
User = Annotated[bool, option("--user", "It holds in every project.")]
Name = Annotated[str, argument("NAME")]

_WRONG_USE: Any = typer.BadParameter.__bases__[0]  # click's UsageError, wherever this version of typer has it


class HelpCommand(TyperCommand):
    """A command whose help is made here; it takes those of the common options that it names."""

    def __init__(self, *words: Any, common: Sequence[str] = (), looks: bool = False, **more: Any) -> None:
        super().__init__(*words, **more)
        self.params += [COMMON[name] for name in common]
        self.is_noted = "dry_run" in common and not looks

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except _WRONG_USE as exc:
            param = getattr(exc, "param", None)
            wants_id = param is not None and (param.name or "").startswith("memory_id")
            exc.message = exc.message.replace("int range", "number") or "`psychmem list` shows them." * wants_id
            if exc.message.startswith("Got unexpected extra") and any(one.name == "text" for one in self.params):
                exc.message += "; put the statement in quotes"
            raise

    def invoke(self, ctx: Any) -> Any:  # click's
        typed = [one for one in self.params if ctx.get_parameter_source(one.name).name == "COMMANDLINE"]
        options = {option for one in typed for option in (*one.opts, *one.secondary_opts)}
        for deed in actions_for(ctx.command_path.partition(" ")[2], options):
            caller(os.environ).must(deed)
        options_given.clear()
        options_given["command"] = ctx.command_path.partition(" ")[2]
        options_given.update(
            {name: ctx.params.pop(name) for name in COMMON if name in ctx.params and COMMON[name] in self.params}
        )
        try:
            result = super().invoke(ctx)
        except typer.BadParameter as exc:
            # The value is wrong, not how the command is written: no usage is shown.
            exc.ctx, exc.message = None, line(exc.message)
            self._note()
            raise
        self._note()
        return result

    def _note(self) -> None:
        """Records the command for `undo`; one that changed memories has done so itself, in the same transaction."""
        if self.is_noted and "workspace" in options_given:
            options_given["workspace"].note_unchanged()

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Under today's names, with words for types and without their limits; after it the program ends."""
        params: list[Any] = self.params
        for param in params:
            if param.param_type_name == "argument":
                param.metavar += " …" if param.nargs == -1 else ""
            elif not (param.is_flag or param.count):
                choices = "|".join(str(getattr(one, "value", one)) for one in getattr(param.type, "choices", ()))
                param.metavar = param.metavar or choices or _WORDS.get(str(param.type.name).split()[0], "TEXT")
                param.type, param.show_default = COMMON["project"].type, bool(param.default)
            param.opts = [one for one in param.opts if one not in OLDER_OPTIONS]
        super().format_help(ctx, formatter)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        path = ctx.command_path.partition(" ")[2]
        formatter.write("\nExamples:\n" + "".join(f"  {line}\n" for name, line in rows("cli/examples.tsv") if name == path))


class Group(TyperGroup):
    """A command with commands of its own."""

    usual = ""  # the one meant by `psychmem share --with home`
    alone = ""  # what `psychmem config` runs

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if ctx.parent is None:
            args = unalias(args)
        if self.alone and set(args) <= {"--json"}:
            args = [*self.alone.split(), *args]
        if self.usual and args and args[0] not in (*self.commands, "--help", "-h"):
            args = [self.usual, *args]
        return super().parse_args(ctx, args)


# Of each command, and of each option by which it does something else.
ACTIONS: dict[str, Action] = {asked: getattr(Action, deed) for asked, deed in rows("cli/permissions.tsv")}


def actions_for(path: str, options: Collection[str]) -> list[Action]:
    """What a command with these options does. Raises RefusedError for one of which that is not known."""
    if path not in ACTIONS:
        raise RefusedError(f"nobody has said who may run `{path}`; the table of permissions lacks it")
    return [ACTIONS[asked] for asked in (path, *(f"{path} {option}" for option in options)) if asked in ACTIONS]


class Commands(typer.Typer):
    """A tree whose commands print their help as it is made here."""

    def command(
        self,
        name: str | None = None,
        *,
        here: bool = False,
        writes: bool = False,
        looks: bool = False,
        json: bool = True,
        **more: Any,
    ) -> Callable[[Any], Any]:
        """`here`: takes --project; `writes`: --dry-run, and `undo` knows it; `looks`: not always, so it records that itself;
        `json`: --json. A function whose first parameter is `workspace` gets the Workspace for the given options.
        """
        common = [option for option, wanted in (("project", here), ("dry_run", writes), ("json", json)) if wanted]
        registered = super().command(name, cls=partial(HelpCommand, common=common, looks=looks), **more)  # type: ignore[arg-type]

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


def group(about: str, usual: str = "", alone: str = "") -> Commands:
    """A command with subcommands; `about` is its help, `usual` the default subcommand, `alone` what runs without arguments."""
    kind = type("Group", (Group,), {"usual": usual, "alone": alone})
    return Commands(cls=kind, no_args_is_help=True, add_completion=False, rich_markup_mode=None, help=about)


app = Commands(
    name="psychmem",
    cls=Group,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)

setup = group("Install, uninstall; shell completion; a demo.")
app.add_typer(setup, name="setup")
share = group("One memory on several machines and in a team. `share --with NAME` is `share start --with NAME`.", usual="start")
app.add_typer(share, name="share")


def whole() -> Commands:
    """The finished tree, with every command registered."""
    for path in sorted((Path(__file__).parent / "commands").glob("[a-z]*.py")):
        import_module(f"psychmem_py.cli.commands.{path.stem}")
    return app
