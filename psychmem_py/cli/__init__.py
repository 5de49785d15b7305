"""The people's door: `psychmem`. One sentence for what went wrong, a traceback only with --debug."""

from __future__ import annotations

import os
import sys
import traceback

from psychmem_py.errors import PsychMemError


def main() -> None:
    """Runs the command line. Exit 0, 1 with one sentence on stderr, or 2 for a wrong use of the command."""
    debug = "--debug" in sys.argv[1:]
    sys.argv[1:] = [word for word in sys.argv[1:] if word != "--debug"]
    try:
        from psychmem_py.cli.commands import app  # noqa: PLC0415  # inside, so that even a broken installation is told in a sentence

        app(prog_name="psychmem")
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


def _sentence(exc: Exception) -> str:
    if isinstance(exc, PsychMemError):
        return str(exc)
    if isinstance(exc, OSError) and exc.strerror:
        return f"{exc.strerror}: {exc.filename}" if exc.filename else exc.strerror
    return f"unexpected {type(exc).__name__}: {' '.join(str(exc).split())[:200]}; `--debug` shows where"
