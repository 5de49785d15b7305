"""The brief cached for the next session by the detached child, so that a session starts without loading what makes briefs.

It is used only while everything it was made from is as it was: the store's own clock and tombstones, the files named in it (their
times and sizes), the environment, the day, the version. Otherwise it is as if it were not there. Loaded at every start, so it
imports nothing worth naming.
"""

from __future__ import annotations

import os

from psychmem_py import __version__
from psychmem_py.home import light_json
from psychmem_py.home.places import checksum, own_folder
from psychmem_py.store.sqlite import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    CachedBrief = Sequence[Any]  # its text, the ids that it shows, and those that MEMORY.md shows

FOLDER = "briefs"
STARTUP, COMPACT = "startup", "compact"  # what a start calls itself that has a brief of its own
SOURCES = (STARTUP, "clear", COMPACT)  # those that are told everything, whatever was told before
_DAY_S = 86_400
_VARIABLES = ("PSYCHMEM_", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_DISABLE_", "XDG_", "HOME")


def read(database: str, cwd: str, env: Mapping[str, str], now: float, source: str = STARTUP) -> CachedBrief | None:
    """The brief for a session that starts in `cwd`, or goes on there, if one was cached and nothing has changed since."""
    record = light_json.read_made(_path(database, cwd), _made_from(cwd, env, now))
    if record is None or record.get("state") != state(database):
        return None
    brief = record.get(COMPACT if source == COMPACT else STARTUP)
    return brief if isinstance(brief, list) else None


def write(
    database: str,
    cwd: str,
    env: Mapping[str, str],
    now: float,
    *,
    at: str,
    brief: CachedBrief,
    compacted: CachedBrief | None = None,
    watched: Mapping[str, str],
) -> None:
    """Caches a brief, and the shorter one for after a compaction, made of the store in the state `at` and of the files `watched`,
    there or not, by the marks they had. Nothing stays when the store has changed meanwhile: a purge may have cleared what is cached.
    """
    from contextlib import suppress  # noqa: PLC0415  # the child alone

    own_folder(os.path.join(os.path.dirname(database), FOLDER))
    made = {"state": at, STARTUP: list(brief), COMPACT: compacted and list(compacted)}
    light_json.write_made(_path(database, cwd), _made_from(cwd, env, now), made, watched)
    if state(database) != at:
        with suppress(FileNotFoundError):  # the purge was quicker
            os.unlink(_path(database, cwd))


def clear(database: str) -> None:
    """Removes every cached brief: none of their text may outlive a purge."""
    folder = os.path.join(os.path.dirname(database), FOLDER)
    if os.path.isdir(folder) and not os.path.islink(folder):
        for name in os.listdir(folder):
            try:
                os.unlink(os.path.join(folder, name))
            except FileNotFoundError:  # its writer has finished it, or taken it back
                continue


def _path(database: str, cwd: str) -> str:
    return os.path.join(os.path.dirname(database), FOLDER, f"{checksum(cwd)}.json")


def _made_from(cwd: str, env: Mapping[str, str], now: float) -> str:
    """What else a brief depends on, as one line."""
    given = sorted((name, value) for name, value in env.items() if name.startswith(_VARIABLES))
    return f"{__version__} {int(now // _DAY_S)} {checksum(repr(given))} {os.path.realpath(cwd)}"
