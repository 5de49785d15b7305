"""Where things live: from the environment alone, without touching the disk."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from psychmem_py.home.places import data_folder, home, standard

__all__ = ["Places", "data_folder", "home", "places"]


class Places(NamedTuple):
    """Our four directories; none of them need exist."""

    data: Path
    config: Path
    cache: Path
    log: Path


def places(env: Mapping[str, str]) -> Places:
    """PSYCHMEM_HOME=/x gives /x, /x/config, /x/cache, /x/log; otherwise the system's own places for such things."""
    own = env.get("PSYCHMEM_HOME", "")
    if own:
        root = Path(os.path.abspath(own))
        return Places(root, root / "config", root / "cache", root / "log")
    return Places(*(Path(standard(kind, env)) for kind in Places._fields))
