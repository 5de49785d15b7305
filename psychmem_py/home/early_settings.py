"""The few settings a hook asks for before anything is loaded, as text."""

from __future__ import annotations

import os

from psychmem_py.home.places import OFF, config_file, data_folder, home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_NO_SETTINGS = ("PSYCHMEM_HOME", "PSYCHMEM_DB_PATH", "PSYCHMEM_AGENT_TYPE", "PSYCHMEM_DISABLE")


def is_configured(env: Mapping[str, str]) -> bool:
    """Whether anything may differ from the default settings: there is a config file, or a variable of ours that is no place."""
    named = any(name.startswith("PSYCHMEM_") and name not in _NO_SETTINGS for name in env)
    return named or os.path.exists(config_file(env))


def setting(env: Mapping[str, str], name: str) -> str:
    """A setting that a hook asks for before anything is loaded, as text: its variable, else what config.toml says, "" for neither.

    The file is only parsed when it holds the name. Raises ConfigError for a file that cannot be.
    """
    given = env.get(f"PSYCHMEM_{name.upper()}", "")
    if given:
        return given
    try:
        with open(config_file(env), "rb") as file:
            if name.encode() not in file.read(1 << 20):
                return ""
    except OSError:
        return ""
    from psychmem_py.home import config, paths  # noqa: PLC0415  # only with a file that has the setting
    from psychmem_py.model.settings import keys  # noqa: PLC0415

    return str(getattr(getattr(config.load(env, paths.places(env)), keys()[name]), name))


def is_off(env: Mapping[str, str], name: str) -> bool:
    """Whether a setting that is on by default was switched off."""
    return setting(env, name).strip().lower() in OFF


def database_file(env: Mapping[str, str], agent: str) -> str:
    """The database, as text; see `paths.database`."""
    given = setting(env, "db_path")
    if not given:
        return os.path.join(data_folder(env), "memory.db")
    if given == "~" or given.startswith("~/"):
        given = home(env) + given[1:]
    # A relative path starts in our own directory: hooks and people stand in different ones.
    return os.path.abspath(os.path.join(data_folder(env), given.replace("{agentType}", agent or "people")))


def database(env: Mapping[str, str], agent: str) -> Path:
    """The database file; the setting `db_path`, in which `{agentType}` stands for the agent, moves and splits it."""
    from pathlib import Path  # noqa: PLC0415  # hooks that only take notes do without

    return Path(database_file(env, agent))
