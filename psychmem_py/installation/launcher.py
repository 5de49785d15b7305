"""How agents call us: by an absolute path, so that neither the client's PATH nor its working directory matters."""

from __future__ import annotations

import os
import shutil
import sys

NAME = "psychmem-hook"


def command() -> list[str]:
    """The words that start the agents' door; the event comes after them.

    The launcher beside our interpreter, else the one on PATH, else the interpreter itself (Windows runs no shell scripts).
    """
    beside = os.path.join(os.path.dirname(sys.executable), NAME)
    if os.name == "posix":
        for path in (beside, shutil.which(NAME)):
            if path and os.access(path, os.X_OK):
                return [os.path.abspath(path)]
    return [sys.executable, "-E", "-P", "-m", "psychmem_py.hooks"]
