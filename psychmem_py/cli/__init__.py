"""The people's door: `psychmem`. One sentence for what went wrong, a traceback only with --debug.

`commands` holds the commands, `context` what each starts from, `output` how it prints, `checks` what `doctor` looks at. May import
everything but `hooks`. `commands.tsv` says in which module each command stands.
"""

from __future__ import annotations

import gc
import os
import sys
import traceback
from collections.abc import Callable
from importlib import import_module

from psychmem_py import __version__
from psychmem_py.cli.overview import COMMANDS, renamed
from psychmem_py.errors import PsychMemError

COMPLETE = "_PSYCHMEM_COMPLETE"  # what the script of `psychmem setup completion` sets
GONE = "the directory you stand in is gone; change to another one"


def main() -> None:
    """Runs the command line. Exit 0, 1 with one sentence on stderr, or 2 for a wrong use of the command."""
    _open_streams()
    if sys.argv[1:] in (["--version"], ["version"]):
        print(f"psychmem {__version__}")
        return
    debug = "--debug" in sys.argv[1:]
    sys.argv[1:] = [word for word in sys.argv[1:] if word != "--debug"]
    try:
        try:
            _run()
        finally:
            sys.stdout.flush()  # a disk that is full is told here; while Python ends it is a traceback
    except BrokenPipeError:  # `psychmem list | head`
        _say_no_more()
        raise SystemExit(0) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except Exception as exc:
        if debug:
            traceback.print_exc()
        else:
            print(f"psychmem: {_sentence(exc)}", file=sys.stderr)
        _say_no_more()
        raise SystemExit(1) from None


def _run() -> None:
    if COMPLETE in os.environ:  # a shell asks what could follow
        import_module("typer.completion").completion_init()
        import_module("psychmem_py.cli.app").whole()(prog_name="psychmem", complete_var=COMPLETE)
        return
    sys.argv[1:] = renamed(sys.argv[1:])
    if sys.argv[1:] in ([], ["--help"], ["-h"], ["help"], ["help", "--all"], ["--help", "--all"]):
        sys.stdout.write(
            import_module("psychmem_py.cli.overview").overview(everything=sys.argv[-1] == "--all", alone=not sys.argv[1:])
        )
        return
    if sys.argv[1] == "help":  # `psychmem help list`
        sys.argv[1:] = [*renamed(sys.argv[2:]), "--help"]
    gc.disable()  # nothing that importing makes is garbage: 10 % of a short command
    command = _app()
    gc.enable()
    command(prog_name="psychmem")


def _open_streams() -> None:
    """Makes of a closed stream one that leads nowhere, and prints UTF-8, which JSON is, whatever the locale."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  # as long as we run
        elif stream.encoding.lower() != "utf-8" and mode == "w" and not stream.isatty():
            stream.reconfigure(encoding="utf-8", errors=stream.errors)


def _say_no_more() -> None:
    """What stdout could not take goes nowhere, or Python tries it once more at its end and tells of it with exit code 120."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _app() -> Callable[..., object]:
    """The command line with what the arguments need of it (`list`: 322 -> 200 ms of CPU); with everything for what is not known."""
    table = {path: module for path, module, _, _ in COMMANDS}
    home = table.get(" ".join(sys.argv[1:3])) or table.get(" ".join(sys.argv[1:2]), "")
    tree = import_module("psychmem_py.cli.app")  # inside `main`, so that even a broken installation is told in a sentence
    if home:
        import_module(f"psychmem_py.cli.commands.{home}")
    app: Callable[..., object] = tree.app if home else tree.whole()
    return app


def _sentence(exc: Exception) -> str:
    if isinstance(exc, PsychMemError):
        return str(exc)
    if isinstance(exc, FileNotFoundError) and not exc.filename:
        return GONE
    if isinstance(exc, OSError) and exc.strerror:
        mend = "; see who owns it and who may read it" if isinstance(exc, PermissionError) else ""
        return f"{exc.strerror}: {exc.filename}{mend}" if exc.filename else exc.strerror
    if isinstance(exc, UnicodeEncodeError):
        return "what was given is not UTF-8; write it in that"
    return f"unexpected {type(exc).__name__}: {' '.join(str(exc).split())[:200]}; `--debug` shows where"
