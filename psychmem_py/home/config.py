"""Settings: environment over config.toml over the defaults, and whence each value. What cannot be followed stops no hook."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from math import isfinite, nan
from typing import Any, NamedTuple

from psychmem_py.errors import ConfigError
from psychmem_py.home import files
from psychmem_py.home.light_json import encoded
from psychmem_py.home.places import NO_SETTINGS, OFF, ON, config_file, toml_in
from psychmem_py.model.records import Kind
from psychmem_py.model.settings import DEFAULTS, NAMES, Settings, class_keys, keys
from psychmem_py.words import rows

Value = bool | int | float | str
_MEND = "correct or remove it"
_Entry = tuple[str, object, str]  # its name behind its table's and a dot, as "sweep.languages"; its value; where
# What other systems call a setting of ours, where more than case differs; and what they have and we have not, with the reason.
_THEIRS = rows("home/others_settings.tsv")
RENAMED = {row[0]: row[1] for row in _THEIRS if row[1]}
NOT_FOLLOWED = {row[0]: row[2] for row in _THEIRS if not row[1]}


class ValueSource(NamedTuple):
    """Where a value comes from: "default", the config file's path, or the name of the variable."""

    key: str  # "stores.stm_half_life_d", "classes.episodic.ttl_d"
    value: Value | None
    origin: str


class Notice(NamedTuple):
    """What is ignored of what a person set, in a sentence that names it."""

    sentence: str
    wrong: bool = False  # a value that cannot be, not merely a name that we do not know


class GivenSettings(NamedTuple):
    """What a person set: valid values by the name of the setting, where each comes from, and what is ignored."""

    values: dict[str, Value | None]
    sources: dict[str, str]  # also of what is ignored
    notices: tuple[Notice, ...]


def given(env: Mapping[str, str]) -> GivenSettings:
    """What the config file and the environment set. Raises ConfigError for a file that cannot be read."""
    path, text = config_file(env), ""
    try:
        if os.path.exists(path):
            with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:  # a pipe would be waited for
                text = file.read().decode()
    except (OSError, UnicodeDecodeError) as exc:
        raise ConfigError(f"{path} cannot be read: {exc}; {_MEND}") from exc
    return _read([*_in_table(toml_in(text, path, _MEND), path), *_in_environment(env)])


def given_by(text: str, path: str) -> GivenSettings:
    """What this text would set as the config file. Raises ConfigError for one that is not TOML."""
    return _read(_in_table(toml_in(text, path, _MEND), path))


def load(env: Mapping[str, str]) -> Settings:
    """The settings that hold here. Raises ConfigError for a file that cannot be read."""
    return with_values(given(env).values)


def origins(env: Mapping[str, str]) -> list[ValueSource]:
    """Every setting with its value and where it comes from, in the order of the groups."""
    here = given(env)
    names = [*((f"{group}.{name}", name) for name, group in keys().items()), *((key, key) for key in class_keys())]
    held = {name: (value, here.sources[name]) for name, value in here.values.items()}
    return [ValueSource(key, *(held.get(name) or (default(name), "default"))) for key, name in names]


def with_values(values: Mapping[str, Any]) -> Settings:
    """The settings with these values, by name; they were checked before."""
    groups = keys()
    changed: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        group, _, field = (groups[name], "", name) if name in groups else name.rpartition(".")
        changed.setdefault(group, {})[field] = value
    return DEFAULTS._replace(
        **{group: getattr(DEFAULTS, group)._replace(**fields) for group, fields in changed.items() if "." not in group},
        classes=tuple((kind, policy._replace(**changed.get(f"classes.{kind}", {}))) for kind, policy in DEFAULTS.classes),
    )


def default(name: str) -> Value | None:
    """The usual value of a setting, by its name."""
    _, kind, field = name.split(".") if "." in name else ("", "", name)
    value: Value | None = getattr(DEFAULTS.policy(Kind(kind)) if kind else getattr(DEFAULTS, keys()[name]), field)
    return value


class SettingNote(NamedTuple):
    """What the name of a setting cannot say: a row of `settings.tsv`."""

    unit: str  # "0..1" bounds the value
    least: str  # ">0": above 0; "": 0
    most: str  # "": a million; more is a slip, a million days are no date any more
    choices: str  # between bars
    source: str
    meaning: str


NOTES = {row[0]: SettingNote(*row[1:]) for row in rows("model/settings.tsv")}  # of "classes.episodic.ttl_d" by its last word


def checked(name: str, value: object) -> Value | None:
    """The value as the setting's type, within its bounds. Raises ConfigError."""
    is_span = name.endswith((".ttl_d", ".half_life_d"))
    usual = 1.0 if is_span else default(name)
    assert usual is not None
    typed = None if is_span and str(value).lower() in ("never", "none", "") else _typed(value, usual, name)
    note, wrong = NOTES[name.rpartition(".")[2]], ""
    least, most, choices = float(note.least.strip(">") or 0), float(note.most or 1e6), note.choices.split("|")
    if name == "long_term_classes" and set(str(typed).lower().replace(" ", "").split(",")) - {"", "all", *NAMES}:
        wrong = "holds names of classes, or all"
    elif note.choices and typed not in choices:
        wrong = f"is {'empty or ' if '' in choices else ''}one of {', '.join(filter(None, choices))}"
    elif typed is None or isinstance(typed, str):
        return typed
    elif note.unit == "0..1" and not 0 <= typed <= 1:
        wrong = "lies between 0 and 1"
    elif note.least == ">0" and typed <= 0:
        wrong = "must be greater than 0"
    elif typed < least:
        wrong = f"must be at least {least:g}" if least else "cannot be negative"
    elif typed > most:
        wrong = f"must be at most {most:,.15g}"
    if wrong:
        raise ConfigError(f"{name} {wrong}, not {typed!r}")
    return typed


def _read(entries: Iterable[_Entry]) -> GivenSettings:
    values, sources, notices = dict[str, Value | None](), dict[str, str](), list[Notice]()
    for named, given, where in entries:
        name, why = _meant(named)
        if why:
            notices.append(Notice(f"{where}: {named} is ignored: {why}"))
            continue
        try:
            values[name], sources[name] = checked(name, given), where
        except ConfigError as exc:
            notices.append(Notice(f"{where}: {exc}; the default is used", wrong=True))
    return GivenSettings(values, sources, tuple(notices))


def _meant(named: str) -> tuple[str, str]:
    """Our setting that an entry sets; if none, why."""
    groups, (group, _, key) = keys(), named.rpartition(".")
    if named in class_keys():
        return named, ""
    if key in groups and group in ("", "sweep", groups[key]):  # true-mem keeps all of them in [sweep]
        return key, ""
    plain = _plain(key)
    if theirs := next((name for name in (*NOT_FOLLOWED, *RENAMED) if _plain(name) == plain), ""):
        return RENAMED.get(theirs, ""), NOT_FOLLOWED.get(theirs, "")
    if plain != key and plain in groups:
        return plain, ""
    from difflib import get_close_matches  # noqa: PLC0415  # where somebody wrote a wrong name

    known = {name: f"{group}.{name}" for name, group in groups.items()} | {name: name for name in class_keys()}
    near = get_close_matches(key, known, 1) or get_close_matches(named, known, 1)
    return "", f"there is no such setting; did you mean {known[near[0]]}?" if near else "there is no such setting"


def _plain(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _in_environment(env: Mapping[str, str]) -> Iterator[_Entry]:
    for variable, text in sorted(env.items()):
        if variable.startswith("PSYCHMEM_") and text and variable not in NO_SETTINGS:
            of_class, first, rest = re.findall(r"PSYCHMEM_(CLASS(?:ES)?_)?([^_]*)_?(.*)", variable.lower(), re.IGNORECASE)[0]
            grouped = f"{first}.{rest}"
            known = keys().get(rest) == first  # PSYCHMEM_JUDGE_BY
            yield f"classes.{grouped}" if of_class else grouped if known else variable[9:].lower(), text, variable
        elif variable in NOT_FOLLOWED:  # another system reads it under its bare name
            yield variable, text, variable


def _in_table(value: object, path: str, name: str = "") -> Iterator[_Entry]:
    last = name.rpartition(".")[2]
    if not isinstance(value, dict) or last in NOT_FOLLOWED:
        yield name, value, path
        return
    for inner, deeper in value.items():
        yield from _in_table(deeper, path, f"w_{inner}" if last == "scoringWeights" else f"{name}.{inner}".lstrip("."))


def _typed(value: object, like: Value, name: str) -> Value:
    """`value` as the type of `like`; text from the environment is read, anything else must already fit."""
    text = str(value).strip().lower()
    if isinstance(like, bool):
        if isinstance(value, bool) or (isinstance(value, str) and text in ON | OFF):
            return text in ON
        raise ConfigError(f"{name} is yes or no, not {value!r}")
    if isinstance(like, str):
        texts: list[Any] = value if isinstance(value, list) else [value]
        if all(isinstance(one, str) for one in texts):
            return ", ".join(texts)
        raise ConfigError(f"{name} is a text, not {value!r}")
    try:
        number = nan if isinstance(value, bool) else float(text)
    except ValueError:
        number = nan
    if not isfinite(number) or (isinstance(like, int) and number != int(number)):
        raise ConfigError(f"{name} is a {'whole ' if isinstance(like, int) else ''}number, not {value!r}")
    return int(number) if isinstance(like, int) else number


def edited(text: str, group: str, values: Mapping[str, Value | None]) -> str:
    """The file with these settings in its `[group]` table, which is added where it is not there; None takes a setting out."""
    if (lines := text.splitlines(keepends=True)) and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    new = {name: encoded(value).replace("\x7f", "\\u007f") for name, value in values.items() if value is not None}
    header = re.compile(rf"\ufeff?\s*\[\s*{re.escape(group)}\s*\]\s*(#.*)?$")
    if (start := next((at for at, line in enumerate(lines) if header.match(line.rstrip("\n"))), None)) is None:
        lines += [*["\n"][: len(lines)], f"[{group}]\n"] if new else []
        start = len(lines) - 1
    end = next((at for at in range(start + 1, len(lines)) if lines[at].lstrip().startswith("[")), len(lines))
    names, value = "|".join(map(re.escape, values)), r""""(?:[^"\\]|\\.)*"|'[^']*'|[^#\n]*?"""
    sets, inside = re.compile(rf"(\s*({names})\s*=\s*)(?:{value})(\s*(?:#.*)?\s*)"), list[str]()
    for line in lines[start + 1 : end]:
        if not (known := sets.fullmatch(line)):
            inside.append(line)
        elif known[2] in new:
            inside.append(known[1] + new.pop(known[2]) + known[3])
    return "".join([*lines[: start + 1], *(f"{name} = {text}\n" for name, text in new.items()), *inside, *lines[end:]])


def write(path: str, text: str) -> None:
    """Writes the settings' file; missing folders are made for their owner alone. Through a link its target is written."""
    folder = os.path.dirname(path)
    for made in (os.path.dirname(folder), folder):  # each by itself: one made on the way would get no mode
        os.makedirs(made, 0o700, exist_ok=True)
    files.replace(os.path.realpath(path), text.encode())
