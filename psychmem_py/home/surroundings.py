"""Environment, time and settings of one event: determined once and passed on."""

from __future__ import annotations

import os

from psychmem_py import __version__
from psychmem_py.errors import ConfigError
from psychmem_py.home import places
from psychmem_py.home.places import DATABASE, NO_SETTINGS, OFF, changed_at, config_file, folder_of, read_small, stamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from psychmem_py.model.settings import Settings

    Values = Mapping[str, object]  # "max_prompt_memories": 3, "classes.decision.ttl_d": None

COMPILED = "settings.compiled.json"  # what differs from the defaults: parsing it costs as much as answering a prompt


class Surroundings:
    """Environment, time and data directory of one event, and the settings that hold there."""

    __slots__ = ("_values", "data", "env", "now")

    def __init__(self, env: Mapping[str, str], now: float = 0.0) -> None:
        self.env, self.now, self.data = env, now, folder_of("data", env)
        self._values: Values | None = None

    def overrides(self) -> Values:
        """The settings that a person gave, by name. Raises ConfigError for a file that cannot be read."""
        if self._values is None:
            self._values = _overrides(self.env, self.data, self.now)
        return self._values

    def settings(self) -> Settings:
        """All settings. Raises ConfigError."""
        from psychmem_py.model.settings import DEFAULTS  # noqa: PLC0415  # events that take notes do without

        if not self.overrides():
            return DEFAULTS
        from psychmem_py.home import config  # noqa: PLC0415  # most people change nothing

        return config.with_values(self.overrides())

    def setting(self, name: str) -> object:
        """A setting's value where it differs from the default, else None. Raises ConfigError if an unreadable file names it."""
        try:
            return self.overrides().get(name)
        except ConfigError:
            given = self.env.get(f"PSYCHMEM_{name.upper()}", "")
            if not given and name in read_small(config_file(self.env), 1 << 20):  # readable as TOML or not
                raise
            return given or None

    def is_off(self, name: str) -> bool:
        """Whether a setting that is on by default was switched off."""
        return (value := self.setting(name)) is False or (isinstance(value, str) and value.strip().lower() in OFF)

    def ignores(self, folder: str) -> bool:
        """Whether the person wants nothing remembered of this directory or of one around it: the setting `ignore`."""
        globs = [places.expanded(glob.strip(), self.env) for glob in str(self.setting("ignore") or "").split(",") if glob.strip()]
        if not globs or not folder:
            return False
        spellings = [os.path.abspath(folder), os.path.realpath(folder)]
        folders = {path[:at] for path in spellings for at in range(1, len(path) + 1) if path[at : at + 1] in ("", os.sep)}
        return any(places.matches_glob(one + end, glob) for one in folders for glob in globs for end in ("", "/"))

    def database_file(self, agent: str) -> str:
        """The database, as text; the setting `db_path`, in which `{agentType}` stands for the agent, moves and splits it."""
        given = self.env.get("PSYCHMEM_DB_PATH") or str(self.setting("db_path") or "") or DATABASE
        # A relative path starts in our own directory: hooks and people stand in different ones.
        given = places.expanded(given.replace("{agentType}", agent or "people"), self.env)
        return os.path.abspath(os.path.join(self.data, given))


def database(env: Mapping[str, str], agent: str) -> Path:
    """The database file, outside of an event."""
    from pathlib import Path  # noqa: PLC0415  # hooks do without

    return Path(Surroundings(env).database_file(agent))


def _overrides(env: Mapping[str, str], data: str, now: float) -> Values:
    path = config_file(env)
    written = stamp(path)
    given = sorted(f"{name}={value}" for name, value in env.items() if name.startswith("PSYCHMEM_") and name not in NO_SETTINGS)
    if not written and not given:
        return {}
    made_from = "\n".join((__version__, path, written, *given))
    from psychmem_py.home import light_json  # noqa: PLC0415  # most people change nothing

    if (known := light_json.read_cached(compiled := os.path.join(data, COMPILED), made_from)) is not None:
        return known
    from psychmem_py.home import config  # noqa: PLC0415  # only when something has changed

    values = config.given(env).values
    if abs(now - changed_at(path)) > 2.0:  # written twice within one tick of the file system's clock it looks the same
        try:
            light_json.write_cached(compiled, made_from, values)
        except OSError:
            return values  # no room: read again the next time
    return values
