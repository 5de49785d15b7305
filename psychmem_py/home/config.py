"""Settings from three places: environment over config.toml over the defaults. Says where each value comes from; judges, never
guesses.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from math import isfinite
from typing import Any, NamedTuple

from psychmem_py.errors import ConfigError
from psychmem_py.home.places import OFF, config_file
from psychmem_py.model.classes import Policy
from psychmem_py.model.settings import DEFAULTS, Settings, keys
from psychmem_py.model.settings_notes import OTHER_NAMES, fault
from psychmem_py.model.terms import Kind, Scope, Store

Value = bool | int | float | str
_KINDS = frozenset(kind.value for kind in Kind)
_CHOICES: dict[str, dict[str, Scope | Store]] = {"scope": {e.value: e for e in Scope}, "store": {e.value: e for e in Store}}
_YES = frozenset({"1", "true", "yes", "on"})


class ValueSource(NamedTuple):
    """Where a value comes from: "default", the config file's path, or the name of the variable."""

    key: str  # "forgetting.model", "classes.episodic.ttl_d"
    value: Value | None
    origin: str


def load(env: Mapping[str, str]) -> Settings:
    """The settings that hold here. Raises ConfigError for an unknown key of the file or a value that cannot be."""
    return _load(env)[0]


def origins(env: Mapping[str, str]) -> list[ValueSource]:
    """Every setting with its value and where it comes from, in the order of the groups."""
    settings, sources = _load(env)
    groups = [
        ValueSource(f"{group}.{name}", getattr(getattr(settings, group), name), sources.get(name, "default"))
        for name, group in keys().items()
    ]
    classes = [
        ValueSource(key := f"classes.{kind}.{field}", getattr(policy, field), sources.get(key, "default"))
        for kind, policy in settings.classes
        for field in Policy._fields
    ]
    return groups + classes


def differing(env: Mapping[str, str]) -> dict[str, Value | None]:
    """The settings that file or environment give, by name ("classes.KIND.FIELD" for a class's), as plain values."""
    settings, sources = _load(env)
    groups = keys()
    values = {}
    for name in sources:
        if name in groups:
            value = getattr(getattr(settings, groups[name]), name)
        else:
            _, kind, field = name.split(".")
            value = getattr(settings.policy(Kind(kind)), field)
        values[name] = value.value if isinstance(value, (Scope, Store)) else value
    return values


def with_values(values: Mapping[str, object]) -> Settings:
    """The settings that `differing` gave these values of."""
    groups, settings = keys(), DEFAULTS
    for name, value in values.items():
        if name in groups:
            settings = _with(settings, groups[name], name, value, name)
        else:
            _, kind, field = name.split(".")
            settings = _with_policy(settings, kind, field, value, name)
    return settings


_NO_SETTINGS = frozenset({"PSYCHMEM_HOME", "PSYCHMEM_DISABLE", "PSYCHMEM_HOOK"})
# The STM server's names for how fast a memory fades that nobody uses: half-lives in days.
_PRESETS = {"usage_half_life_d": {"fast": "1", "default": "3", "slow": "7"}}


def _load(env: Mapping[str, str]) -> tuple[Settings, dict[str, str]]:
    """The settings, and where each that was given comes from."""
    sources: dict[str, str] = {}
    settings = DEFAULTS
    path = config_file(env)
    if os.path.exists(path):
        settings = _with_file(settings, path, sources)
    return _given(settings, env, sources), sources


def with_text(text: str, path: str, env: Mapping[str, str]) -> Settings:
    """The settings that would hold with this text as the config file. Raises ConfigError for what cannot be."""
    return _given(_with_text(DEFAULTS, text, path, {}), env, {})


def _given(settings: Settings, env: Mapping[str, str], sources: dict[str, str]) -> Settings:
    """The settings with those of the environment, if all of them go together."""
    groups = keys()
    for variable, text in env.items():
        if not variable.startswith("PSYCHMEM_") or not text:
            continue
        name = variable[9:].lower()
        if name in groups:
            settings = _with(settings, groups[name], name, text, variable)
            sources[name] = variable
        elif name.startswith("class_"):
            kind, _, field = name[6:].partition("_")
            settings = _with_policy(settings, kind, field, text, variable)
            sources[f"classes.{kind}.{field}"] = variable
    if wrong := fault(settings):
        raise ConfigError(wrong)
    return settings


def unknown_names(env: Mapping[str, str]) -> list[str]:
    """The PSYCHMEM_ variables that nothing reads, in order."""
    groups = keys()
    ours = sorted(name for name, value in env.items() if name.startswith("PSYCHMEM_") and value and name not in _NO_SETTINGS)
    return [name for name in ours if name[9:].lower() not in groups and not name.startswith("PSYCHMEM_CLASS_")]


def _with_file(settings: Settings, path: str, sources: dict[str, str]) -> Settings:
    try:
        with open(path, "rb") as file:
            return _with_text(settings, file.read().decode(), path, sources)
    except (OSError, UnicodeDecodeError) as exc:
        raise ConfigError(f"{path} cannot be read: {exc}; mend or remove it") from exc


def _with_text(settings: Settings, text: str, path: str, sources: dict[str, str]) -> Settings:
    import tomllib  # noqa: PLC0415 - 6 ms, and most people have no file

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as exc:
        raise ConfigError(f"{path} cannot be read: {exc}; mend or remove it") from exc
    except RecursionError:
        raise ConfigError(f"{path} is nested too deep to be read; mend or remove it") from None
    groups = keys()
    for key, group, value in _entries(table):
        name = OTHER_NAMES.get(key, key)
        if group.startswith("classes."):
            settings = _with_policy(settings, group[8:], key, value, path)
            sources[f"{group}.{key}"] = path
        elif name in groups and group in ("", "sweep", groups[name]):  # true-mem keeps all of them in [sweep]
            settings = _with(settings, groups[name], name, value, path)
            sources[name] = path
        elif key in _SPECIAL:
            settings = _SPECIAL[key](settings, value, path)
            sources.update(dict.fromkeys(_TOUCHED.get(key, ()), path))
        else:
            raise ConfigError(
                f"{path}: there is no setting {f'{group}.{key}' if group else key!r}; `psychmem config show` lists them all"
            )
    return settings


def _entries(table: dict[str, Any]) -> list[tuple[str, str, Any]]:
    """(key, group, value) of a parsed file; the group is "" at the top."""
    entries: list[tuple[str, str, Any]] = []
    for key, value in table.items():
        if not isinstance(value, dict) or key == "scoringWeights":
            entries.append((key, "", value))
            continue
        for inner, deeper in value.items():
            if key == "classes" and isinstance(deeper, dict):
                entries += [(field, f"classes.{inner}", entry) for field, entry in deeper.items()]
            else:
                entries.append((inner, key, deeper))
    return entries


def _with(settings: Settings, group: str, name: str, value: object, where: str) -> Settings:
    old = getattr(settings, group)
    made = _value(value, getattr(getattr(DEFAULTS, group), name), name, where)
    return settings._replace(**{group: old._replace(**{name: made})})


def _value(value: object, like: Value, name: str, where: str) -> Value:
    """`value` as the type of `like`; text from the environment is read, anything else must already fit."""
    text = str(value).strip().lower()
    text = _PRESETS.get(name, {}).get(text, text)
    if isinstance(like, bool):
        if isinstance(value, bool) or (isinstance(value, str) and text in _YES | OFF):
            return text in _YES
        raise ConfigError(f"{where}: {name} is yes or no, not {value!r}")
    if isinstance(like, str):
        if isinstance(value, str):
            return value
        raise ConfigError(f"{where}: {name} is a text, not {value!r}")
    try:
        if isinstance(value, bool):
            raise ValueError
        number = float(text)
        if not isfinite(number) or (isinstance(like, int) and number != int(number)):
            raise ValueError
    except ValueError as exc:
        raise ConfigError(f"{where}: {name} is a {'whole ' if isinstance(like, int) else ''}number, not {value!r}") from exc
    return int(number) if isinstance(like, int) else number


def _with_policy(settings: Settings, kind: str, field: str, value: object, where: str) -> Settings:
    if kind not in _KINDS or field not in Policy._fields:
        raise ConfigError(f"{where}: there is no setting classes.{kind}.{field}; a class has {', '.join(Policy._fields)}")
    old = settings.policy(Kind(kind))
    made: Any
    if field in _CHOICES:
        if value not in _CHOICES[field]:
            raise ConfigError(f"{where}: {field} of {kind} is one of {', '.join(_CHOICES[field])}, not {value!r}")
        made = _CHOICES[field][str(value)]
    elif field == "ttl_d":
        made = None if str(value).lower() in ("never", "none", "") else _value(value, 1.0, field, where)
    else:
        made = _value(value, getattr(old, field), field, where)
    return settings._replace(
        classes=tuple(
            (known, policy._replace(**{field: made}) if known == kind else policy) for known, policy in settings.classes
        )
    )


def _auto_promote(settings: Settings, value: object, where: str) -> Settings:
    if not isinstance(value, list) or not _KINDS.issuperset(value):
        raise ConfigError(f"{where}: autoPromoteToLtm is a list of classes, not {value!r}")
    return settings._replace(
        classes=tuple((kind, policy._replace(auto_promote=kind in value)) for kind, policy in settings.classes)
    )


def _only_episodic(settings: Settings, value: object, where: str) -> Settings:
    chosen = "selective" if _value(value, True, "applyDecayOnlyToEpisodic", where) else "ebbinghaus"
    return settings._replace(forgetting=settings.forgetting._replace(model=chosen))


def _scoring_weights(settings: Settings, value: object, where: str) -> Settings:
    if not isinstance(value, dict):
        raise ConfigError(f"{where}: scoringWeights is a table of feature = weight")
    for feature, weight in value.items():
        if f"w_{feature}" not in keys():
            raise ConfigError(f"{where}: there is no feature {feature!r} in scoringWeights")
        settings = _with(settings, "scoring", f"w_{feature}", weight, where)
    return settings


# Settings of other systems that are not one number each.
_SPECIAL = {"autoPromoteToLtm": _auto_promote, "applyDecayOnlyToEpisodic": _only_episodic, "scoringWeights": _scoring_weights}
_TOUCHED = {
    "autoPromoteToLtm": tuple(f"classes.{kind}.auto_promote" for kind in Kind),
    "applyDecayOnlyToEpisodic": ("model",),
    "scoringWeights": tuple(name for name in keys() if name.startswith("w_")),
}
