"""How a shell calls `psychmem` here: what an agent is told must be a command that exists."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "psychmem"


def own_command(env: Mapping[str, str]) -> str:
    """`psychmem` where PATH finds it, else the path of the one beside our interpreter, quoted for a shell where it has to be."""
    for folder in env.get("PATH", "").split(os.pathsep):
        if folder and os.access(os.path.join(folder, NAME), os.X_OK):
            return NAME
    beside = os.path.join(os.path.dirname(sys.executable), NAME)
    if not os.access(beside, os.X_OK):
        return NAME
    plain = all(char.isalnum() or char in "/._-+" for char in beside)
    return beside if plain else "'" + beside.replace("'", "'\\''") + "'"
