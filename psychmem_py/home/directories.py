"""Our directories as paths, for whoever has time for `pathlib`; `places` has them as text. Touches no disk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from psychmem_py.home.places import own_root, standard

# What we make below our data folder, beside `memory.db` and the files whose names begin so. Anything else there is not ours and is left
# alone: PSYCHMEM_HOME may name a folder in which other things stand.
OWN = (
    "briefs", "cache/languages", "checkpoints", "claims", "config/config.toml", "config/patterns", "encoder", "health", "ids",
    "install.log", "installed.json", "journals", "judge", "judge.json", "left-claude-code", "locks", "log/hooks.log", "log/hooks.log.1", "pauses",
    "plugin-environment.json", "settings.compiled.json", "written-lines",
)  # fmt: skip
PUBLIC = ("install-made", "venv")  # ours too, and no secret


class Directories(NamedTuple):
    """Our four directories; none of them need exist."""

    data: Path
    config: Path
    cache: Path
    log: Path

    @property
    def languages(self) -> Path:
        """Where what was read of the language files waits for the next process."""
        return self.cache / "languages"


def directories(env: Mapping[str, str]) -> Directories:
    """PSYCHMEM_HOME=/x gives /x, /x/config, /x/cache, /x/log; otherwise the system's own places for such things."""
    own = own_root(env)
    if own:
        root = Path(own)
        return Directories(root, root / "config", root / "cache", root / "log")
    return Directories(*(Path(standard(kind, env)) for kind in Directories._fields))
