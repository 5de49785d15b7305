"""psychmem judge: who reads what was typed, what that costs, and asking now."""

from __future__ import annotations

import shlex
import sys
import time
from typing import Annotated, Any

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import app, examples, option
from psychmem_py.cli.commands.config import rewritten
from psychmem_py.cli.context import Workspace, workspace_of
from psychmem_py.errors import JudgeError
from psychmem_py.home import config
from psychmem_py.home.places import config_file
from psychmem_py.installation import opencode
from psychmem_py.judging import clients, protocol, reading
from psychmem_py.judging.reading import Done, ReadingDesk, prepare, read_all
from psychmem_py.safety.control_chars import escaped

NO_READER = "no reader is set; `psychmem judge --with claude`, `--with opencode` or `--with COMMAND` switches one on"


@app.command(epilog=examples("judge --with claude", "judge --dry-run", "judge --off"), writes=True, looks=True)
def judge(
    with_: Annotated[str, option("--with claude|opencode|client|COMMAND", "Switch it on, with this reader.")] = "",
    model: Annotated[str, option("--model NAME", "With --with claude or opencode: the model.")] = "",
    off: Annotated[bool, option("--off", "Switch it off.")] = False,
    now: Annotated[bool, option("--now", "Read now what was not read yet.")] = False,
    for_client: Annotated[bool, option("--verdicts", hidden=True)] = False,  # the module: the request, or its answer on stdin
) -> None:
    """Let a small model read what you typed; off by default. It decides what is kept, at about 1,000 tokens a session.

    After a session what you typed goes, with the end of the agent's message before it and without secrets and long pastes, to the
    program you name: a client of yours with a small model, or your own. Without --with, --off or --now it shows the state; with
    --dry-run alone it prints the next request.
    """
    if sum(map(bool, (with_, off, now))) > 1:
        raise typer.BadParameter("give one of --with, --off and --now", param_hint="--with")
    workspace = workspace_of()
    if with_ or off or now or for_client:
        workspace.note_aside()
    if with_ or off:
        return switch(workspace, with_, model)
    desk = ReadingDesk(workspace.database, workspace.directories.data, workspace.env, workspace.settings)
    if for_client:
        return _for_client(workspace, desk)
    if workspace.dry_run:
        found = prepare(desk, workspace.now)
        return print(escaped(protocol.request(found.asked))) if found else output.say("There is nothing to read.")
    if now:
        if not workspace.settings.judge.by:
            raise JudgeError(NO_READER)
        if workspace.settings.judge.by == clients.CLIENT:
            raise JudgeError("the client reads by itself while a session is open; `psychmem judge` shows how often it did")
        return _report(workspace, read_all(desk, time.time, by_hand=True))
    return _tell(workspace)


def _for_client(workspace: Workspace, desk: ReadingDesk) -> None:
    """Prints the request for the module inside the client, or takes the answer it brings."""
    if workspace.settings.judge.by != clients.CLIENT:
        raise JudgeError("the client does not read; `psychmem judge --with client` switches it on")
    if given := sys.stdin.read():
        return _report(workspace, reading.take_answer(desk, given))
    sys.stdout.write(reading.asked(desk, workspace.now))
    return None


def _chosen(workspace: Workspace, command: str, model: str) -> dict[str, str | None]:
    """The settings that make `command` the reader. Raises JudgeError where it is not on this machine."""
    if command == clients.CLIENT:
        return {"by": command, "command": None, "small_model": None}
    program = clients.program(command, model, workspace.env, "")
    if command == "opencode" and not model:
        model = opencode.small_model(workspace.env)
    if command in clients.READY:
        return {"by": command, "command": None, "small_model": model or None}
    words = clients.split(command)
    return {"by": "command", "command": shlex.join([program.argv[0], *words[1:]]), "small_model": model or None}


def switch(workspace: Workspace, command: str, model: str = "") -> None:
    """Makes `command` the reader, nobody where it is "", and says so; nobody is written down, too: the person was asked."""
    nobody: dict[str, str | None] = {"by": "", "command": None, "small_model": None}
    after = rewritten(workspace, "judge", _chosen(workspace, command, model) if command else nobody)
    if workspace.dry_run:
        path = config_file(workspace.env)
        return workspace.answer({"file": path, "text": after, "dry_run": True}, f"would write {path}:", after)
    now = workspace._replace(settings=config.load(workspace.env))
    return _tell(now) if workspace.json else _who_reads_from_now_on(now)


def _who_reads_from_now_on(workspace: Workspace) -> None:
    limits = workspace.settings.judge
    if not limits.by:
        return output.say("The reader is off: rules decide alone, nothing is started and nothing sent.")
    who, when = limits.named, "when a session ends, before a compaction, and at the next start for what was left"
    if limits.by == clients.CLIENT:
        who, when = "Claude Code's own small model", "after a turn, in a session at a terminal; it counts in your usage"
    model = f", with {limits.small_model}" if limits.small_model else ""
    output.say(f"{who} reads from now on{model}: {when}.")
    end = "`psychmem judge --dry-run` prints the next one, `psychmem judge --off` ends it."
    return output.say(f"At most {limits.calls_per_day} requests a day; {end}")


def _report(workspace: Workspace, done: Done) -> None:
    if workspace.json:
        output.print_json({"asked": done.asked, **done.counts, "why": done.why})
    elif done.asked or not done.why:
        output.say(", ".join(f"{name} {number}" for name, number in done.counts.items()) or "There is nothing to read.")
    if done.why and not workspace.json:
        output.warn(done.why)


def _tell(workspace: Workspace) -> None:
    limits, record = workspace.settings.judge, clients.recorded(workspace.directories.data)
    state: dict[str, Any] = {
        **output.picked(limits, "by command small_model calls_per_day", calls_today=record.on(workspace.now)),
        "last_failure": record.sentence if record.failures else "",
        **record.totals(),
    }
    if workspace.json:
        return output.print_json(state)
    if not limits.by:
        return output.say(f"N{NO_READER[1:]}.")
    output.details((name, str(value)) for name, value in state.items() if value != "")
    return None
