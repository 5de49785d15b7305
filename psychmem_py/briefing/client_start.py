"""What the module inside Claude Code (`hooks/module.js`) finds in files: what must be unchanged for the prepared brief to hold,
since it reads no database, else the hook looks; and, for one notice, what a conversation's last stretch came to.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence

from psychmem_py.agents.event import Request
from psychmem_py.briefing import prepared
from psychmem_py.briefing.prepared import MadeReady
from psychmem_py.home import files, pauses
from psychmem_py.home.journal import name_of
from psychmem_py.home.light_json import read_object, write_cached
from psychmem_py.home.places import FOLDER as HEALTH
from psychmem_py.home.places import changed_at, names_in, own_folder, stamp
from psychmem_py.home.surroundings import Surroundings
from psychmem_py.model.records import Memory
from psychmem_py.safety.fence import CLASS_LABELS
from psychmem_py.store.sqlite import state
from psychmem_py.text.dates import DAY_S

POINTER = "prepared.json"
_COMPARED = ("PSYCHMEM_HOME", "PSYCHMEM_DB_PATH", "PSYCHMEM_DISABLE", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_DISABLE_AUTO_MEMORY")
_NO_MATTER = (*_COMPARED, "PSYCHMEM_AGENT_TYPE", "PSYCHMEM_HOOK")
# Settings that the plugin's own configuration gives: `hooks/run` makes them of the client's, which the module sees too.
_OPTIONS = {"PSYCHMEM_BRIEF_LIMIT_CHARS": "BUDGET", "PSYCHMEM_ACT_REMINDERS": "REMINDERS", "PSYCHMEM_BY": "JUDGE"}


def has_module(env: Mapping[str, str]) -> bool:
    """Whether the client can run the module: it gives the plugin a folder, in which that looks first."""
    return os.path.isdir(env.get("CLAUDE_PLUGIN_DATA", ""))


def write(around: Surroundings, request: Request, made: MadeReady) -> None:
    """Puts what was made where the hook and the module look, unless the store has changed since. Call it when the database is
    closed: closing changes its file.
    """
    database = around.database_file(request.agent)
    path = prepared.path_of(database, request.cwd)
    own_folder(os.path.dirname(path))
    record: dict[str, object] = {"state": made.state, prepared.STARTUP: made.startup, prepared.COMPACT: made.compacted}
    record["module"] = _for_module(around, database, made)
    write_cached(path, prepared.made_from(request.cwd, around.env, made.now), record, made.watched)
    if state(database) != made.state:
        files.remove(path)  # the purge was quicker


def _for_module(around: Surroundings, database: str, made: MadeReady) -> dict[str, object]:
    """What must be as it is now for the module to say what was made; {} where it cannot see every setting."""
    env = around.env
    if not has_module(env):
        return {}
    pointer, content = os.path.join(env["CLAUDE_PLUGIN_DATA"], POINTER), {"folder": prepared.folder_beside(database)}
    if read_object(pointer) != content:
        files.replace(pointer, json.dumps(content).encode())  # for all that is left there, not for this alone
    settings = {name for name in env if name.startswith("PSYCHMEM_")} - {*_NO_MATTER}
    if any(one not in _OPTIONS or env[one] != env.get(f"CLAUDE_PLUGIN_OPTION_{_OPTIONS[one]}") for one in settings):
        return {}
    paused = os.path.join(around.data, pauses.FILE)  # who pauses is told nothing
    return {
        "day": int(made.now // DAY_S),  # UTC: what is told of today is told today
        "env": {name: env[name] for name in _COMPARED if env.get(name)},
        "budget": env.get("CLAUDE_PLUGIN_OPTION_BUDGET", ""),
        "watched": {name: stamp(name) for name in (paused, database, database + "-wal")},
        "health": os.path.join(around.data, HEALTH),  # where the record of a failure stands, which the brief would tell
    }


def write_kept(around: Surroundings, request: Request, kept: Sequence[Memory]) -> None:
    """Leaves what a conversation's last stretch came to, for the one notice that is given a turn."""
    if not kept:
        return
    path, first = _kept_path(around.database_file(request.agent), request.session), kept[0]
    folder = os.path.dirname(path)
    text = first.text if len(first.text) <= _SHORT else first.text[: _SHORT - 1] + "…"
    told = f"kept: {text} ({CLASS_LABELS[first.kind]}, {'this' if first.project else 'every'} project)"
    told += f" and {len(kept) - 1} more" if len(kept) > 1 else ""
    own_folder(folder)
    now = time.time()
    for old in (os.path.join(folder, name) for name in names_in(folder) if name.startswith(PREFIX)):
        if now - changed_at(old) > DAY_S:  # nobody will look at it any more
            files.remove(old)
    files.leave(path, json.dumps({"at": now, "told": told, "ids": [one.id for one in kept]}).encode())


def remove_kept(around: Surroundings, request: Request) -> None:
    """Takes it back: a purge meanwhile may have been about it."""
    files.remove(_kept_path(around.database_file(request.agent), request.session))


PREFIX = "kept-"
_SHORT = 90  # characters of a memory in a notice


def _kept_path(database: str, session: str) -> str:
    return os.path.join(prepared.folder_beside(database), f"{PREFIX}{name_of(session)}.json")


def take_notice(database: str, session: str) -> str:
    """The notice for OpenCode, "" for none; whoever takes it removes it, so that it is given once."""
    path = _kept_path(database, session)
    left = read_object(path)
    told, ids = left.get("told"), left.get("ids")
    return f"{told} · undo: psychmem forget {ids[0][:8]}" if told and ids and files.remove(path) else ""
