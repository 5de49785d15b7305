"""`psychmem doctor`: prints what `checks` finds, and mends what is safe to mend."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path
from typing import Annotated

import typer

from psychmem_py.cli import checks, output
from psychmem_py.cli.app import app, examples
from psychmem_py.cli.context import Json, Workspace, workspace_of
from psychmem_py.cli.next_steps import next_steps
from psychmem_py.errors import PsychMemError
from psychmem_py.home.directories import directories
from psychmem_py.home.places import config_file
from psychmem_py.home.project import project_of
from psychmem_py.model.settings import DEFAULTS

_MARKS = {checks.OK: ("✓", "green"), checks.NOTE: ("·", "yellow"), checks.BAD: ("✗", "red")}


@app.command(epilog=examples("psychmem doctor --fix"))
def doctor(
    fix: Annotated[bool, typer.Option("--fix", help="Mend what can be mended safely; nothing stored is ever deleted.")] = False,
    json_: Json = False,
) -> None:
    """Check that everything works; --fix repairs it. Exit 1 when something is broken."""
    workspace, wrong = _surroundings()
    found = [*wrong, *checks.checks(workspace)]
    if fix:
        found = [_fixed(check) for check in found]
    bad = [check for check in found if check.state == checks.BAD]
    if json_:
        rows = [{"name": c.name, "state": c.state, "found": c.found, "mend": c.mend} for c in found]
        output.print_json({"ok": not bad, "checks": rows})
    else:
        for check in found:
            _print(check)
        output.say(f"{len(bad)} of {len(found)} checks failed." if bad else "All is well.")
        for step in next_steps(workspace) if not bad else ():
            output.say(step)
    if bad:
        raise typer.Exit(1)


def _surroundings() -> tuple[Workspace, list[checks.Check]]:
    """Where we are, also when the settings cannot be read: then with the defaults, and a failed check that says so."""
    try:
        workspace = workspace_of()
    except PsychMemError as exc:
        env = dict(os.environ)
        cwd = Path(env.get("HOME", "/"))
        return Workspace(env, directories(env), DEFAULTS, project_of(cwd, env), time.time(), "doctor"), [
            checks.Check("settings", checks.BAD, str(exc), "mend that line")
        ]
    told = config_file(workspace.env)
    return workspace, [checks.Check("settings", checks.OK, told if os.path.exists(told) else "the defaults hold")]


def _fixed(check: checks.Check) -> checks.Check:
    if check.fix is None or check.state == checks.OK:
        return check
    try:
        return check._replace(state=checks.OK, found=f"{check.found}: {check.fix()}", mend="")
    except (PsychMemError, OSError, sqlite3.Error) as exc:
        return check._replace(found=f"{check.found}; mending it failed: {exc}")


def _print(check: checks.Check) -> None:
    mark, colour = _MARKS[check.state]
    output.out.print(
        output.cell(mark, colour) + " " + output.cell(f"{check.name}: ", "bold") + output.cell(check.found), soft_wrap=True
    )
    if check.mend and check.state != checks.OK:
        output.say(f"    mend: {check.mend}")
