"""psychmem doctor: what `checks` finds and repairs; where things are; upkeep and the look for secrets."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from psychmem_py.agents import opencode_database
from psychmem_py.agents.claude_memory import claude_folder
from psychmem_py.cli import output
from psychmem_py.cli.app import app, option
from psychmem_py.cli.commands.config import active_pauses
from psychmem_py.cli.context import Workspace, options_given, workspace_of
from psychmem_py.errors import ConfigError, PsychMemError
from psychmem_py.home import health
from psychmem_py.home.files import directories
from psychmem_py.home.places import config_file, is_disabled, own_command
from psychmem_py.home.project import project_of, refused_name
from psychmem_py.installation import claude_code
from psychmem_py.installation.registration import TITLES, plugin_enabled, registered
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.store import rows

if TYPE_CHECKING:
    from psychmem_py.cli.checks import Check

_MARKS = {"ok": ("✓", "green"), "note": ("·", "yellow"), "bad": ("✗", "red")}


@app.command(writes=True, looks=True)
def doctor(
    fix: Annotated[bool, option("--fix", "Repair what can be repaired safely; nothing stored is ever deleted.")] = False,
    status: Annotated[bool, option("--status", "Only where things are, how much is remembered, what ran when.")] = False,
    secrets: Annotated[bool, option("--secrets", "Look for secrets in what is stored; --fix takes them out.")] = False,
    upkeep: Annotated[bool, option("--upkeep", "Fade, archive and tidy now, in the whole store.")] = False,
) -> None:
    """Check that everything works; --fix repairs it. Exit 1 when something is broken."""
    if status:
        return _status(workspace_of())
    if secrets or upkeep:
        from psychmem_py.cli.commands import upkeep as steps  # noqa: PLC0415  # 20 ms that a look does without

        return steps.scan(workspace_of(), fix=fix) if secrets else steps.maintain(workspace_of())
    from psychmem_py.cli import checks  # noqa: PLC0415  # half of what is ours, which --status does without

    os.getcwd()  # one that is gone is told as what is wrong, before anything else
    try:
        workspace, trouble = workspace_of(), ""
    except ConfigError as exc:  # with the defaults, when the settings cannot be read
        env, trouble = dict(os.environ), str(exc)
        project = project_of(Path(env.get("HOME", "/")), env)
        workspace = Workspace(
            env, directories(env), DEFAULTS, project, time.time(), "doctor",
            json=bool(options_given.get("json")), dry_run=bool(options_given.get("dry_run")),
        )  # fmt: skip
    found = [*checks.checks(workspace, trouble)]
    if fix:
        found = [_fixed(check, dry=workspace.dry_run) for check in found]
        workspace.note_unchanged()
    bad = [check for check in found if check.state == "bad"]
    if workspace.json:
        output.print_json({"ok": not bad, "checks": [output.picked(check, "name state found mend") for check in found]})
    else:
        for check in found:
            mark, colour = _MARKS[check.state]
            named = output.cell(mark, colour) + " " + output.cell(f"{check.name}: ", "bold")
            output.console().print(named + output.cell(check.found), soft_wrap=True)
            if check.mend and check.state != "ok":
                output.say(f"    fix: {check.mend}")
        served = any(one.state == "ok" and one.name in TITLES.values() for one in found)
        well = "All is well." if served else "No agent calls PsychMem yet."
        output.say(f"{len(bad)} of {len(found)} checks failed." if bad else well)
        output.say(*(next_steps(workspace) if not bad else ()))
    if bad:
        raise typer.Exit(1)


def _fixed(check: Check, *, dry: bool) -> Check:
    if check.fix is None or check.state == "ok":
        return check
    if dry:
        return check._replace(found=f"{check.found}; --fix would repair it")
    try:
        did = check.fix()
        return check._replace(state="ok", found=f"{check.found}: {check.done or did}", mend="")
    except (PsychMemError, OSError, sqlite3.Error) as exc:
        return check._replace(found=f"{check.found}; that failed: {exc}")


def _status(workspace: Workspace) -> None:
    data = workspace.directories.data
    calls, beats, paused = registered(workspace.env), sorted(health.beats(data).items()), active_pauses(workspace)
    number = 0
    if workspace.database.exists():
        with workspace.reading() as db:
            number = len(rows.listed(db, project=workspace.project_id))
    disabled, project = is_disabled(workspace.env), workspace.project
    failures = (output.picked(one, "event error sentence mended", at=output.iso(one.at)) for one in health.failures(data))
    told: dict[str, object] = {
        "database": str(workspace.database),
        "config": config_file(workspace.env),
        "log": str(workspace.directories.log / health.LOG),
        "project": project._asdict() if project else None,
        "memories": number,
        "registered": {owner: sorted(events) for owner, events in calls.items()},
        "hooks": {event: output.iso(at) for event, at in beats},
        "failures": list(failures),
        "reader": workspace.settings.judge.named,
        "paused": paused,
        "disabled": disabled,
    }
    if not workspace.json:
        told["registered"] = [TITLES[owner] for owner, events in calls.items() if events]
        told["hooks"] = f"last ran {output.since(max(at for _, at in beats), workspace.now)}" if beats else "never ran"
    workspace.show(told)
    if foreign := refused_name(os.getcwd(), workspace.env):
        output.warn(f"the name {foreign!r} is another project's; `psychmem share trust` lets it count here")
    if notice := health.line_for_brief(data):
        output.warn(notice)


def next_steps(workspace: Workspace) -> list[str]:
    """Sentences, each with what to type where there is something to type; none once hooks have run."""
    if health.beats(workspace.directories.data):
        return []
    command = own_command(workspace.env)
    calling = [TITLES[owner] for owner, events in registered(workspace.env).items() if events]
    if plugin_enabled(workspace.env) and TITLES[claude_code.OWNER] not in calling:
        calling.insert(0, TITLES[claude_code.OWNER])
    if not calling:
        return [f"Once Claude Code or OpenCode is here, `{command} setup install` registers PsychMem with it."]
    told = [
        f"Restart {' and '.join(calling)}, then say there: From now on run the tests before every commit.",
        "The next session knows it; `psychmem list` shows it, `psychmem forget ID` takes it back, `psychmem demo` plays a sample.",
        "`psychmem judge --with claude` lets a small model read what you type and find more, for a call a session; it is off.",
    ]
    transcripts = sum(1 for _ in Path(claude_folder(workspace.env), "projects").glob("*/*.jsonl"))  # counted, not read
    database = opencode_database.database(workspace.env)
    if past := transcripts + (len(opencode_database.past(database)) if os.path.exists(database) else 0):
        is_, them = ("is", "it") if past == 1 else ("are", "them")
        old = output.counted(past, "old conversation")
        told.append(f"{old} {is_} here; `{command} import --conversations` reads {them}.")
    return told
