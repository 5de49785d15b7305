"""psychmem config, pause, resume, setup statusline and completion: settings, and what a person adds to their shell and client."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

import typer
from typer import completion as typers

from psychmem_py.cli import COMPLETE, output
from psychmem_py.cli.app import Until, app, argument, group, option, setup
from psychmem_py.cli.context import Workspace, as_usage_error, options_given, usage_error_if, workspace_of
from psychmem_py.errors import ConfigError, PsychMemError, RefusedError
from psychmem_py.home import config, health, light_json, locks, pauses, places
from psychmem_py.home.pauses import ALL, FOLDER, OWN, SESSION, Pause
from psychmem_py.installation.patches import text_of
from psychmem_py.model.permission import Action
from psychmem_py.store import rows, sessions

settings = group(app, "config", "The settings in force; set or unset one.")

SettingName = Annotated[str, argument("NAME", "A setting, as `config show` names it; the last part is enough.")]
ThisSession = Annotated[str, option("--session ID", "This conversation alone; `psychmem sessions` lists them.")]
Everywhere = Annotated[bool, option("--all", "Everywhere.")]
_MOST_CHARS = 65_536
_USUAL = "Nothing is set; `psychmem config show` lists what there is, `psychmem config set NAME VALUE` sets one."


@settings.command("show")
def show_settings(
    workspace: Workspace,
    changed: Annotated[bool, option("--changed", "Only those that are set; `psychmem config` alone means this.")] = False,
) -> None:
    """Every setting with its value, and where that comes from."""
    found = [one for one in config.origins(workspace.env) if not changed or one.origin != "default"]
    output.warn(*(notice.sentence for notice in config.given(workspace.env).notices))
    workspace.answer([one._asdict() for one in found], *(list(map(_line, found)) or [_USUAL]))


@settings.command("path")
def path(workspace: Workspace) -> None:
    """Where the config file is, or would be."""
    found = places.config_file(workspace.env)
    workspace.answer({"path": found}, found)


@settings.command("get")
def get(workspace: Workspace, name: SettingName) -> None:
    """One setting's value, with where it comes from."""
    found = _setting_of(config.origins(workspace.env), name)
    workspace.answer(found._asdict(), _line(found))


def _line(one: config.ValueSource) -> str:
    return f"{one.key} = {_value_text(one.value)}    # {one.origin}"


@settings.command("unset", writes=True)
def unset(workspace: Workspace, name: SettingName) -> None:
    """Take a setting out of the config file. Its usual value holds again."""
    _write(workspace, name, None)


@settings.command("set", writes=True)
def set_(workspace: Workspace, name: SettingName, value: Annotated[str, argument("VALUE")]) -> None:
    """Write a setting into the config file. Everything else in it stays byte for byte."""
    _write(workspace, name, value)


def _write(workspace: Workspace, name: str, value: str | None) -> None:
    known = _setting_of(config.origins(workspace.env), name)
    group, _, field = known.key.rpartition(".")
    setting = known.key if group.startswith("classes.") else field
    with as_usage_error():
        typed = None if value is None else config.checked(setting, value)
        if value and known.key == "extraction.languages":
            from psychmem_py.languages import files  # noqa: PLC0415  # brings `regex`, for this setting alone

            there = [language.code for language in files.load(files.overlay_of(workspace.directories), heads=True)]
            if fault := files.unknown_codes(value, there):
                raise ConfigError(fault)
    write_group(workspace, group, {field: "never" if value is not None and typed is None else typed}, setting)
    then = config.default(setting) if value is None else typed
    now = known._replace(value=then) if workspace.dry_run else _setting_of(config.origins(workspace.env), known.key)
    told = f"{'dry run: ' * workspace.dry_run}{known.key}: {_value_text(known.value)} → {_value_text(now.value)}"
    workspace.answer({**now._asdict(), "was": known.value}, told)
    if now.origin not in (places.config_file(workspace.env), "default") and not (workspace.dry_run or workspace.json):
        output.warn(f"{now.origin} in the environment still decides: {_value_text(now.value)}")


def write_group(workspace: Workspace, group: str, values: Mapping[str, config.Value | None], named: str = "") -> str:
    """The config file with these settings of a group, written unless dry. Raises ConfigError if `named` would not hold."""
    path = places.config_file(workspace.env)
    with locks.command_lock(workspace.env):
        before = text_of(Path(path)) or ""
        after = config.edited(before, group, values)
        config.given_by(before, path)  # one that is no TOML is named as it is
        try:
            kept = config.given_by(after, path)
            if None in values.values() and named in kept.sources:
                raise ConfigError(named)  # it stands outside its table
        except ConfigError as exc:
            raise ConfigError(f"{path} holds {named or group} in a form that is not changed from here; change it there") from exc
        for notice in kept.notices:
            if named and None not in values.values() and notice.wrong and named in notice.sentence:
                raise ConfigError(notice.sentence)
        if not workspace.dry_run and after != before:
            if Path(path).parent.parent == workspace.directories.data:  # elsewhere the folder is the person's
                places.refuse_link(os.path.dirname(path), "put the real folder there")
            config.write(path, after)
            if values.get("by") and not workspace.settings.judge.by:  # a reader begins
                with workspace.store() as db:
                    sessions.begin_reading(db, workspace.now)
    return after


def _setting_of(found: Sequence[config.ValueSource], name: str) -> config.ValueSource:
    """The setting of this name, or the one whose last part it is. Raises BadParameter for none and for several."""
    fits = [one for one in found if one.key == name] or [one for one in found if one.key.endswith(f".{name}")]
    if len(fits) == 1:
        return fits[0]
    near = get_close_matches(name, {key for one in found for key in (one.key, one.key.rpartition(".")[2])}, 3)
    told = ", ".join(one.key for one in fits) if fits else f"no setting is called {name!r}"
    hint = f"; did you mean {' or '.join(near)}?" if near and not fits else "; `psychmem config show` lists them all"
    raise typer.BadParameter(f"{'several are: ' if fits else ''}{told}{hint}", param_hint="NAME")


def _value_text(value: config.Value | None) -> str:
    return f'"{value}"' if isinstance(value, str) else "none" if value is None else str(value).lower()


@app.command(writes=True, here=True)
def pause(workspace: Workspace, session: ThisSession = "", all_: Everywhere = False, until: Until = None) -> None:
    """Show nothing and keep nothing for a while. Here, everywhere, or in one conversation, where rules at calls stay."""
    data, now = str(workspace.directories.data), workspace.now
    made = Pause(*_target(workspace, session, all_=all_), now, until or 0.0)
    if not workspace.dry_run:
        with locks.command_lock(workspace.env):
            known = pauses.read(data)
            same = [one for one in known if one[:2] == made[:2] and one.lasts(now)]  # it goes on
            made = made._replace(since=min([now, *(one.since for one in same)]))
            pauses.write(data, [*(one for one in known if one not in same), made])
    ends = f"until {output.minute(made.until)}" if made.until else "until `psychmem resume`, here or with the same option"
    stays = "What MEMORY.md shows stays as it is" + (", rules at tool calls too." if made.kind in (SESSION, OWN) else ".")
    said = f"{workspace.word('pause', 'paused')} {_pause_text(made)} {ends}. {stays}"
    workspace.answer(_row(made) | {"dry_run": workspace.dry_run}, said)


@app.command(writes=True, looks=True, here=True)
def resume(workspace: Workspace, session: ThisSession = "", all_: Everywhere = False) -> None:
    """Resume after a pause. What was said meanwhile stays unread. --all ends every pause there is."""
    kind, key = (ALL, "") if all_ else _target(workspace, session, all_=False)
    data = str(workspace.directories.data)
    with locks.command_lock(workspace.env):
        known = pauses.read(data)
        lasting = [one for one in known if one.lasts(workspace.now)]
        ended = [one for one in lasting if all_ or one[:2] in [(kind, key), *([(OWN, key)] if kind == SESSION else [])]]
        if not workspace.dry_run and ended:
            pauses.write(data, [one._replace(until=-workspace.now) if one in ended else one for one in known])
            workspace.note_unchanged()
    did = workspace.word("resume", "resumed")
    lines = [f"{did} {_pause_text(one)}; paused since {output.minute(one.since)}" for one in ended]
    left = (f"still paused: {_pause_text(one)}; `psychmem resume --all` ends every pause" for one in lasting if one not in ended)
    workspace.answer([_row(one) for one in ended], *(lines or ["Nothing is paused here."]), *left)


def active_pauses(workspace: Workspace) -> list[str]:
    """The pauses that hold now, in words."""
    return [_pause_text(one) for one in pauses.read(str(workspace.directories.data)) if one.lasts(workspace.now)]


def _target(workspace: Workspace, session: str, *, all_: bool) -> tuple[str, str]:
    """What is to be paused or resumed. An agent may speak for its own conversation alone."""
    own = workspace.who.session
    if not own or session not in ("", own):
        workspace.who.must(Action.CONFIGURE)
    usage_error_if(all_ and session, "give one of --session and --all", "--session")
    if all_:
        return ALL, ""
    if own:
        return OWN, own
    if session:
        with workspace.reading() as db:
            return SESSION, sessions.conversation_id(db, session) or session  # one that is not known may have just begun
    if workspace.project is None or not workspace.project.root:  # a folder "" would be every folder
        raise RefusedError("there is no directory of a project here to pause; go to one, or say --all or --session ID")
    return FOLDER, workspace.project.root


def _pause_text(one: Pause) -> str:
    return {ALL: "everywhere", FOLDER: f"in {one.key}"}.get(one.kind, f"in conversation {one.key}")


def _row(one: Pause) -> dict[str, object]:
    times = {"since": output.iso(one.since), "until": output.iso(one.until or None)}
    return {"what": SESSION if one.kind == OWN else one.kind, "key": one.key, **times}


@setup.command()
def statusline() -> None:
    """One line for a client's status line. How much is remembered here, kept today, pending; set up as in docs/terminal.md."""
    said = {} if sys.stdin is None or sys.stdin.isatty() else light_json.object_in(sys.stdin.buffer.read(_MOST_CHARS))
    place = said.get("workspace")  # as a client's JSON names the directory it works in
    told = (place.get("current_dir") if isinstance(place, dict) else None) or said.get("cwd")
    try:
        line = f"memory: {_status_of(Path(told) if isinstance(told, str) and os.path.isdir(told) else None)}"
    except (PsychMemError, OSError):
        line = "memory: run psychmem doctor"  # a status line that fails is a blank one
    output.print_json({"line": line}) if options_given.get("json") else output.say(line)


def _status_of(folder: Path | None) -> str:
    from psychmem_py.curation.pending import today  # noqa: PLC0415  # `pause` and `config` do without

    workspace = workspace_of(folder)
    data = workspace.directories.data
    if places.is_disabled(workspace.env):
        return "off"
    if any(not one.mended for one in health.failures(data)):
        return "run psychmem doctor"
    if pauses.now_paused(str(data), workspace.who.session, os.path.realpath(folder or os.getcwd()), workspace.now):
        return "paused"
    if not workspace.database.exists():
        return "0"
    with workspace.store() as db:
        number = len(rows.listed(db, project=workspace.project_id))
        kept, pending, _ = today(db, workspace.project_id, workspace.settings, workspace.now)
    counted = ((len(kept), "kept today"), (len(pending), "pending"))
    return " · ".join([str(number), *(f"{many} {what}" for many, what in counted if many)])


@setup.command(json=False)
def completion(shell: Annotated[str, argument("bash|zsh|fish", "Your shell.")]) -> None:
    """Print the completion script of a shell."""
    usage_error_if(shell not in ("bash", "zsh", "fish"), "use bash, zsh or fish")
    print(typers.get_completion_script(prog_name="psychmem", complete_var=COMPLETE, shell=shell))  # type: ignore[attr-defined]
