"""The command line for people, `psychmem`: errors in one sentence, the overview (from `commands.tsv`), older command names."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
import traceback
from errno import EACCES, ENOSPC, EPERM, EROFS
from importlib import import_module

from psychmem_py import __version__
from psychmem_py.errors import PsychMemError
from psychmem_py.home.surroundings import database
from psychmem_py.words import rows

COMMANDS = rows("cli/commands.tsv")  # name, the module it stands in, heading and first sentence; made by `python docs/tables.py`
# What was typed, an option that must be among the rest ("" for none), and what it is now; the first that fits.
ALIASES = rows("cli/aliases.tsv")
COMPLETE = "_PSYCHMEM_COMPLETE"  # what the script of `psychmem setup completion` sets
_MENDS = dict.fromkeys((EACCES, EPERM), "; see who owns it and who may read it")
_MENDS |= {EROFS: "; nothing can be written on that disk", ENOSPC: "; free some space on the disk"}


def main() -> None:
    """Runs the command line. Exit 0, 1 with one sentence on stderr, or 2 for a wrong use of the command."""
    _open_streams()
    debug = "--debug" in sys.argv[1:]
    sys.argv[1:] = [word for word in sys.argv[1:] if word != "--debug"]
    if sys.argv[1:] in (["--version"], ["version"]):
        return print(f"psychmem {__version__}")
    try:
        try:
            _run()
        finally:
            sys.stdout.flush()  # reports a full disk here; at exit it would be a traceback
    except (BrokenPipeError, SystemExit) as exc:  # `psychmem list | head`, which typer and rich end with 1
        if isinstance(exc, SystemExit) and not isinstance(exc.__context__, BrokenPipeError):
            raise
        _mute_stdout()
        raise SystemExit(0) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except Exception as exc:
        if debug:
            traceback.print_exc()
        else:
            print(f"psychmem: {_sentence(exc)}", file=sys.stderr)
        _mute_stdout()
        raise SystemExit(1) from None


def _run() -> None:
    if COMPLETE in os.environ:  # a shell asks what could follow
        import_module("typer.completion").completion_init()
        import_module("psychmem_py.cli.app").whole()(prog_name="psychmem", complete_var=COMPLETE)
        return
    sys.argv[1:] = unalias(sys.argv[1:])
    if sys.argv[1:] in ([], ["--help"], ["-h"], ["help"], ["help", "--all"], ["--help", "--all"]):
        return print(overview(everything=sys.argv[-1] == "--all", alone=not sys.argv[1:]), end="")
    if sys.argv[1] == "help":  # `psychmem help list`
        sys.argv[1:] = [*unalias(sys.argv[2:]), "--help"]
    # Only the command these arguments need (`list`: 322 -> 200 ms of CPU); all of them if it is unknown.
    table = {path: module for path, module, _, _ in COMMANDS}
    home = table.get(" ".join(sys.argv[1:3])) or table.get(" ".join(sys.argv[1:2]), "")
    tree = import_module("psychmem_py.cli.app")  # inside `main`: a broken installation too is reported in a sentence
    if home:
        import_module(f"psychmem_py.cli.commands.{home}")
    (tree.app if home else tree.whole())(prog_name="psychmem")


def _open_streams() -> None:
    """Replaces closed streams by /dev/null, and prints UTF-8 whatever the locale, as JSON requires."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if (stream := getattr(sys, name)) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  # as long as we run
        elif stream.encoding.lower() != "utf-8" and mode == "w" and not stream.isatty():
            stream.reconfigure(encoding="utf-8", errors=stream.errors)


def _mute_stdout() -> None:
    """Points stdout at /dev/null: else Python flushes the rest once more at exit and ends with code 120."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _sentence(exc: Exception) -> str:
    if isinstance(exc, FileNotFoundError) and not exc.filename:
        return "the directory you stand in is gone; change to another one"
    if isinstance(exc, PsychMemError) or (isinstance(exc, OSError) and exc.strerror):
        return f"{import_module('psychmem_py.home.health').sentence(exc)}{_MENDS.get(getattr(exc, 'errno', 0), '')}"
    if isinstance(exc, UnicodeEncodeError):
        return "what was given is not UTF-8; write it in that"
    return f"unexpected {type(exc).__name__}: {' '.join(str(exc).split())[:200]}; `--debug` shows where"


def overview(*, everything: bool = False, alone: bool = False) -> str:
    """The commands people need, a line each; `everything`: the others and the older names too; `alone`: what to do first."""
    (about,), (end,), (to_begin,) = rows("cli/overview.txt")
    width = max(40, min(100, shutil.get_terminal_size((80, 24)).columns))
    lines = ["Usage: psychmem COMMAND [OPTIONS]", "", *textwrap.wrap(about, width)]
    for heading in dict.fromkeys(heading for _, _, heading, _ in COMMANDS if heading or everything):
        lines += ["", heading or "For scripts, agents and experts"]
        lines += [f"  {name:<{12 if heading else 19}}{sentence}" for name, _, under, sentence in COMMANDS if under == heading]
    if everything:
        lines += ["", "Older names, which go on working", *dict.fromkeys(f"  {old:<14}{new}" for old, _, new in ALIASES)]
    first = ["", *textwrap.wrap(to_begin, width)] if alone and not os.path.exists(database(os.environ, "")) else []
    return "\n".join([*lines, "", *textwrap.wrap(end, width), *first]) + "\n"


def unalias(words: list[str]) -> list[str]:
    """The arguments with an older or shorter command name replaced; unchanged if there is none."""
    if words[:1] in (["link"], ["unlink"]) and len(words) > 2:  # two ids once, an id and an option now
        return ["edit", words[1], f"--{words[0]}", *words[2:]]
    if words[:1] == ["config"] and {*words[1:]} <= {"--json"}:
        return ["config", "show", "--changed", *words[1:]]
    if words[:1] == ["share"] and "".join(words[1:2]).startswith("--") and words[1] != "--help":
        return ["share", "start", *words[1:]]
    for old, option, new in ALIASES:
        said, rest = words[: len(old.split())], words[len(old.split()) :]
        if said == old.split() and (not option or any(word.partition("=")[0] == option for word in rest)):
            return [*new.split(), *rest]
    return words
