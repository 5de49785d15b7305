"""The people's door: `psychmem`. One sentence for what went wrong, a traceback only with --debug.

`commands` holds the commands, `context` what each starts from, `output` how it prints, `checks` what `doctor` looks at. May import
everything but `hooks`. Begin with `HOMES` below.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from importlib import import_module

from psychmem_py import __version__
from psychmem_py.errors import PsychMemError


def main() -> None:
    """Runs the command line. Exit 0, 1 with one sentence on stderr, or 2 for a wrong use of the command."""
    if sys.argv[1:] in (["--version"], ["version"]):
        print(f"psychmem {__version__}")
        return
    debug = "--debug" in sys.argv[1:]
    sys.argv[1:] = [word for word in sys.argv[1:] if word != "--debug"]
    try:
        _app()(prog_name="psychmem")
    except BrokenPipeError:  # `psychmem list | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        raise SystemExit(0) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except Exception as exc:
        if debug:
            traceback.print_exc()
        else:
            print(f"psychmem: {_sentence(exc)}", file=sys.stderr)
        raise SystemExit(1) from None


# Which module holds which commands: a command loads its own only (`list`: 322 -> 252 ms of CPU, `--version`: 252 -> 24).
HOMES = {
    "show": ("list", "show", "search", "history", "stats"),
    "remember": ("remember",),
    "change": ("edit", "forget", "undo", "pin", "unpin"),
    "judgement": ("accept", "good", "bad", "vote", "touch", "link", "unlink"),
    "guard": ("guard",),
    "explain": ("explain", "why"),
    "patterns": ("sweep", "patterns", "eval"),
    "brief": ("inject", "extract", "log"),
    "agents": ("install", "uninstall", "status"),
    "trust": ("trust",),
    "inbox": ("review", "sort"),
    "context": ("context",),
    "report": ("report",),
    "doctor": ("doctor",),
    "mcp": ("mcp",),
    "demo": ("demo",),
}


def _app() -> Callable[..., object]:
    """The command line with what the arguments need of it; with everything for help and for what is not known here."""
    first = sys.argv[1] if len(sys.argv) > 1 else ""
    home = next((module for module, names in HOMES.items() if first in names), "")
    import_module(
        f"psychmem_py.cli.commands.{home}" if home else "psychmem_py.cli.tree"
    )  # inside `main`, so that even a broken installation is told in a sentence
    app: Callable[..., object] = import_module("psychmem_py.cli.app").app
    return app


def _sentence(exc: Exception) -> str:
    if isinstance(exc, PsychMemError):
        return str(exc)
    if isinstance(exc, OSError) and exc.strerror:
        return f"{exc.strerror}: {exc.filename}" if exc.filename else exc.strerror
    return f"unexpected {type(exc).__name__}: {' '.join(str(exc).split())[:200]}; `--debug` shows where"
