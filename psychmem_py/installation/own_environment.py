"""The environment the plugin makes for itself where PsychMem is not installed: once, in the background, one at a time.

`install.sh --environment` makes it where an installation would be, so that everything that looks for one finds it. Runs on a
Python that has none of our packages: nothing but the standard library may be imported here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from psychmem_py.home import files
from psychmem_py.home.light_json import read_object
from psychmem_py.home.locks import lock
from psychmem_py.home.places import home

AGAIN_S = 300.0  # a failure is not tried again sooner: several starts at once need not ask the network each
LIMIT_S = 1800.0  # a slow line takes its time; a hanging one must not hold the lock for ever
_RECORD = "plugin-environment.json"
_CODE = "import sys; sys.path.insert(0, sys.argv[1]); from psychmem_py.installation.own_environment import make; sys.exit(make(sys.argv[1]))"
_SCRIPT = "install.sh"


class Doing(StrEnum):
    NOTHING = "nothing"
    MAKING = "making"
    FAILED = "failed"
    MADE = "made"


class Record(NamedTuple):
    doing: Doing = Doing.NOTHING
    at: float = 0.0
    sentence: str = ""  # why it failed, for a person


def prefix(env: Mapping[str, str]) -> str:
    """Where `install.sh` puts the environment when nobody names a place, and the plugin's launchers look for it."""
    base = env.get("XDG_DATA_HOME", "")
    return os.path.join(base if os.path.isabs(base) else os.path.join(home(env), ".local", "share"), "psychmem")


def made_by_plugin(env: Mapping[str, str]) -> bool:
    """Whether the environment that stands there is the plugin's own work, and not that of a person who ran install.sh."""
    return os.path.exists(_mark(env))


def record_file(env: Mapping[str, str]) -> str:
    """Where it is written down how it went."""
    return os.path.join(prefix(env), _RECORD)


def record(env: Mapping[str, str]) -> Record:
    """The last state. A killed maker leaves MAKING: only the lock shows whether one is running."""
    content = read_object(record_file(env))
    try:
        return Record(Doing(content["doing"]), float(content["at"]), str(content["sentence"]))
    except (ValueError, KeyError, TypeError):
        return Record()


def begin(root: str, env: Mapping[str, str], now: float) -> Record:
    """The state so far; starts a maker unless one is running or just failed. Raises OSError for an unwritable folder."""
    known = record(env)
    with _alone(env) as free:
        if not free:
            return Record(Doing.MAKING, known.at)
        if known.doing is Doing.FAILED and 0 <= now - known.at < AGAIN_S:
            return known
    command, null = [sys.executable, "-I", "-c", _CODE, root], subprocess.DEVNULL
    subprocess.Popen(command, env=dict(env), cwd="/", stdin=null, stdout=null, stderr=null, start_new_session=True)
    return known


def make(root: str) -> int:
    """Makes the environment from the plugin's folder and writes down how it went; 0 unless that failed."""
    env, umask = os.environ, os.umask(0o077)
    with _alone(env) as free:
        if not free:
            return 0
        os.nice(5)
        _write(env, Doing.MAKING)
        os.umask(umask)
        try:
            fault = installed(root, env)
            if not fault:
                files.replace(_mark(env), os.fsencode(root))
        except (OSError, subprocess.TimeoutExpired) as exc:
            fault = f"{_SCRIPT} did not come to an end ({type(exc).__name__})"
        _write(env, Doing.FAILED if fault else Doing.MADE, fault)
    return int(bool(fault))


def installed(root: str, env: Mapping[str, str]) -> str:
    """Has the script of a checkout make the environment; what went wrong, "" for nothing."""
    script = os.path.join(root, _SCRIPT)
    if not os.path.exists(script):
        return f"{script} is missing; install the plugin again"
    command, quiet = ["/bin/sh", script, "--environment"], {**env, "PSYCHMEM_DISABLE": "1"}
    done = subprocess.run(command, env=quiet, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S, check=False)
    last = (done.stderr.decode("utf-8", "replace").strip().splitlines() or ["it did not say why"])[-1]
    return last.removeprefix(f"{_SCRIPT}: ")[:400] if done.returncode else ""


def _alone(env: Mapping[str, str]) -> lock:
    """The lock that the maker holds; every start asks for it, for no time at all."""
    os.makedirs(prefix(env), 0o700, exist_ok=True)
    return lock(prefix(env), "environment", 0, kind="environment")


def _mark(env: Mapping[str, str]) -> str:
    return os.path.join(prefix(env), "venv", "made-by-plugin")


def _write(env: Mapping[str, str], doing: Doing, sentence: str = "") -> None:
    text = json.dumps({"doing": doing.value, "at": time.time(), "sentence": sentence})
    files.replace(record_file(env), text.encode())
