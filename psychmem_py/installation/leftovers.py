"""What remains of an installation and holds no memories: caches, the log, and the environment that the plugin made. Never settings.

Only what we made: PSYCHMEM_HOME may name a folder in which other things stand, with a `cache` and a `log` of their own.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress

from psychmem_py.home import hook_log
from psychmem_py.home.directories import directories
from psychmem_py.installation import own_environment


def leftovers(env: Mapping[str, str]) -> list[str]:
    """Their paths, as far as they are there; no symbolic link among them."""
    owned = directories(env)
    paths = [str(owned.languages), *(str(owned.log / name) for name in (hook_log.FILE, hook_log.FORMER))]
    if own_environment.made_by_plugin(env):
        paths.append(os.path.join(own_environment.prefix(env), "venv"))
    paths.append(own_environment.record_file(env))
    return [path for path in paths if os.path.exists(path) and not os.path.islink(path)]


def remove(path: str) -> None:
    """Removes one of them, and the folder it stood in where that is empty now. A program may be removed while it runs; what is already
    loaded goes on.
    """
    if os.path.isdir(path):
        shutil.rmtree(path)
    else:
        os.unlink(path)
    with suppress(OSError):  # something else stands there
        os.rmdir(os.path.dirname(path))
