"""Where our directories are, as text, and how a file is put there whole: the part of `paths` that every event needs, without a
single import worth naming.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_XDG = {
    "data": ("XDG_DATA_HOME", ".local/share"),
    "config": ("XDG_CONFIG_HOME", ".config"),
    "cache": ("XDG_CACHE_HOME", ".cache"),
    "log": ("XDG_STATE_HOME", ".local/state"),
}
_NO_SETTINGS = ("PSYCHMEM_HOME", "PSYCHMEM_DB_PATH", "PSYCHMEM_AGENT_TYPE", "PSYCHMEM_DISABLE")


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
    return os.path.abspath(own) if own else standard("data", env)


def is_configured(env: Mapping[str, str]) -> bool:
    """Whether anything may differ from the default settings: there is a config file, or a variable of ours that is no place."""
    named = any(name.startswith("PSYCHMEM_") and name not in _NO_SETTINGS for name in env)
    return named or os.path.exists(config_file(env))


def config_file(env: Mapping[str, str]) -> str:
    """The path of config.toml, there or not."""
    own = env.get("PSYCHMEM_HOME", "")
    return os.path.join(os.path.join(os.path.abspath(own), "config") if own else standard("config", env), "config.toml")


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


OFF = frozenset({"0", "false", "no", "off"})


def standard(kind: str, env: Mapping[str, str]) -> str:
    """The system's own place for our data, config, cache or log."""
    if sys.platform in ("win32", "darwin"):
        import platformdirs  # noqa: PLC0415  # Linux does without: 11 ms of CPU

        found = getattr(platformdirs, f"user_{kind}_dir")("psychmem", appauthor=False)
        return str(found)
    variable, usual = _XDG[kind]
    base = env.get(variable, "")
    return os.path.join(base if os.path.isabs(base) else os.path.join(home(env), usual), "psychmem")


def database_file(env: Mapping[str, str], agent: str) -> str:
    """The database, as text; see `paths.database`."""
    given = setting(env, "db_path")
    if not given:
        return os.path.join(data_folder(env), "memory.db")
    if given == "~" or given.startswith("~/"):
        given = home(env) + given[1:]
    # A relative path starts in our own directory: hooks and people stand in different ones.
    return os.path.abspath(os.path.join(data_folder(env), given.replace("{agentType}", agent or "people")))


def replace(path: str, content: bytes, mode: int = 0o600) -> None:
    """Makes `content` the file at `path`, at once or not at all; through no link. Raises OSError, and then leaves all as it was."""
    fresh = f"{path}.psychmem-{os.getpid()}"
    if os.path.lexists(fresh):  # of a process that was killed
        os.unlink(fresh)
    file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    try:
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(file, rest) :]
        os.replace(fresh, path)
    except OSError:
        os.unlink(fresh)
        raise
    finally:
        os.close(file)
