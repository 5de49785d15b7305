"""Where things live: from the environment alone, without touching the disk.

The hot path asks `data_folder`, which gives text and imports nothing; everybody else asks `places`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

_XDG = {
    "data": ("XDG_DATA_HOME", ".local/share"),
    "config": ("XDG_CONFIG_HOME", ".config"),
    "cache": ("XDG_CACHE_HOME", ".cache"),
    "log": ("XDG_STATE_HOME", ".local/state"),
}


class Places(NamedTuple):
    """Our four directories; none of them need exist."""

    data: Path
    config: Path
    cache: Path
    log: Path


def home(env: Mapping[str, str]) -> str:
    """The home directory, also when HOME is not set."""
    found = env.get("HOME", "")
    if os.path.isabs(found):
        return found
    return os.path.expanduser("~") if sys.platform == "win32" else _home_of_account()


def _home_of_account() -> str:
    import pwd  # noqa: PLC0415  # only where HOME is missing; not on Windows

    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:  # a container's user without an entry
        return "/"


def data_folder(env: Mapping[str, str]) -> str:
    """The directory of database, journals and health records, as text."""
    own = env.get("PSYCHMEM_HOME", "")
    return os.path.abspath(own) if own else _standard("data", env)


def places(env: Mapping[str, str]) -> Places:
    """PSYCHMEM_HOME=/x gives /x, /x/config, /x/cache, /x/log; otherwise the system's own places for such things."""
    from pathlib import Path  # noqa: PLC0415  # 4 ms of CPU that a tool event need not pay

    own = env.get("PSYCHMEM_HOME", "")
    if own:
        root = Path(os.path.abspath(own))
        return Places(root, root / "config", root / "cache", root / "log")
    return Places(*(Path(_standard(kind, env)) for kind in Places._fields))


def _standard(kind: str, env: Mapping[str, str]) -> str:
    if sys.platform in ("win32", "darwin"):
        import platformdirs  # noqa: PLC0415  # Linux does without: 11 ms of CPU

        found = getattr(platformdirs, f"user_{kind}_dir")("psychmem", appauthor=False)
        return str(found)
    variable, usual = _XDG[kind]
    base = env.get(variable, "")
    return os.path.join(base if os.path.isabs(base) else os.path.join(home(env), usual), "psychmem")


def database(env: Mapping[str, str], agent: str) -> Path:
    """The database file; PSYCHMEM_DB_PATH, in which `{agentType}` stands for the agent, moves and splits it."""
    from pathlib import Path  # noqa: PLC0415  # as in `places`

    given = env.get("PSYCHMEM_DB_PATH", "")
    if not given:
        return Path(data_folder(env)) / "memory.db"
    if given == "~" or given.startswith("~/"):
        given = home(env) + given[1:]
    return Path(os.path.abspath(given.replace("{agentType}", agent or "people")))
