"""psychmem config: every setting with its value and where it comes from; one changed."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Annotated

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import app, argument, examples, group, option
from psychmem_py.cli.context import workspace_of
from psychmem_py.errors import ConfigError
from psychmem_py.home import config, locks
from psychmem_py.home.places import config_file

settings = group("The settings in force; set or unset one.")
app.add_typer(settings, name="config")


@settings.command("show", epilog=examples("config show --origin"))
def show_settings(origin: Annotated[bool, option("--origin", "Say where each value comes from.")] = False) -> None:
    """Every setting with its value."""
    workspace = workspace_of()
    found = config.origins(workspace.env)
    for notice in config.given(workspace.env).notices:
        output.warn(notice.sentence)
    lines = (f"{one.key} = {_shown(one.value)}{f'    # {one.origin}' if origin else ''}" for one in found)
    workspace.answer([one._asdict() for one in found], *lines)


@settings.command("path", epilog=examples("config path"))
def path() -> None:
    """Where the config file is, or would be."""
    workspace = workspace_of()
    found = config_file(workspace.env)
    workspace.answer({"path": found}, found)


SettingName = Annotated[str, argument("NAME", "A setting, as `config show` names it; the last part is enough.")]


@settings.command("get", epilog=examples("config get retrieval.retrieval_limit"))
def get(name: SettingName) -> None:
    """One setting's value, with where it comes from."""
    workspace = workspace_of()
    found = _named(config.origins(workspace.env), name)
    workspace.answer(found._asdict(), f"{found.key} = {_shown(found.value)}    # {found.origin}")


@settings.command("set", epilog=examples("config set general.episodes no", "config set judge.calls_per_day 20"), writes=True)
def set_(name: SettingName, value: Annotated[str, argument("VALUE")]) -> None:
    """Write a setting into the config file. Everything else in it stays byte for byte."""
    _write(name, value)


@settings.command("unset", epilog=examples("config unset general.episodes"), writes=True)
def unset(name: SettingName) -> None:
    """Take a setting out of the config file. Its usual value holds again."""
    _write(name, None)


def _write(name: str, value: str | None) -> None:
    workspace = workspace_of()
    path = config_file(workspace.env)
    known = _named(config.origins(workspace.env), name)
    group, _, field = known.key.rpartition(".")
    setting = known.key if group.startswith("classes.") else field
    try:
        typed = None if value is None else config.checked(setting, value)
    except ConfigError as exc:
        raise typer.BadParameter(str(exc), param_hint="VALUE") from exc
    written = "never" if value is not None and typed is None else typed
    with locks.one_command(workspace.env):
        before = _text(path)
        after = config.edited(before, group, {field: written})
        for notice in config.given_by(after, path).notices:
            if notice.wrong and value is not None and setting in notice.sentence:
                raise ConfigError(notice.sentence)
        if not workspace.dry_run and after != before:
            config.write(path, after)
    now = known._replace(value=typed) if workspace.dry_run else _named(config.origins(workspace.env), known.key)
    if workspace.json:
        return output.print_json({**now._asdict(), "was": known.value})
    would = "dry run: " if workspace.dry_run else ""
    output.say(f"{would}{known.key}: {_shown(known.value)} → {_shown(now.value)}")
    if now.origin not in (path, "default") and not workspace.dry_run:
        output.warn(f"{now.origin} in the environment still decides: {_shown(now.value)}")


def _named(found: Sequence[config.ValueSource], name: str) -> config.ValueSource:
    """The setting of this name, or the one whose last part it is. Raises BadParameter for none and for several."""
    fits = [one for one in found if one.key == name] or [one for one in found if one.key.endswith(f".{name}")]
    if len(fits) == 1:
        return fits[0]
    near = get_close_matches(name, {key for one in found for key in (one.key, one.key.rpartition(".")[2])}, 3)
    told = ", ".join(one.key for one in fits) if fits else f"no setting is called {name!r}"
    hint = f"; did you mean {' or '.join(near)}?" if near and not fits else "; `psychmem config show` lists them all"
    raise typer.BadParameter(f"{'several are: ' if fits else ''}{told}{hint}", param_hint="NAME")


def _shown(value: config.Value | None) -> str:
    return f'"{value}"' if isinstance(value, str) else "none" if value is None else str(value).lower()


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return ""
