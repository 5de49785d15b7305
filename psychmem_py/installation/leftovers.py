"""What remains of an installation and holds no memories: caches, the log, and the environment that the plugin made. Never settings."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping

from psychmem_py.home.directories import directories
from psychmem_py.installation import own_environment


def leftovers(env: Mapping[str, str]) -> list[str]:
    """Their paths, as far as they are there; no symbolic link among them."""
    paths = [str(directories(env).cache), str(directories(env).log)]
    if own_environment.made_by_plugin(env):
        paths.append(os.path.join(own_environment.prefix(env), "venv"))
    paths.append(own_environment.record_file(env))
    return [path for path in paths if os.path.exists(path) and not os.path.islink(path)]


def remove(path: str) -> None:
    """Removes one of them. A program may be removed while it runs; what is already loaded goes on."""
    if os.path.isdir(path):
        shutil.rmtree(path)
    else:
        os.unlink(path)
