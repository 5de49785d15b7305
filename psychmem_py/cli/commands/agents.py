"""psychmem setup install, uninstall, demo; mcp; doctor: what `checks` finds and repairs; judge: who reads what was typed."""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any
from uuid import uuid4

import typer

from psychmem_py.agents import opencode_database
from psychmem_py.agents.claude_memory import claude_folder
from psychmem_py.cli import output
from psychmem_py.cli.app import app, option, setup
from psychmem_py.cli.commands.config import active_pauses, write_group
from psychmem_py.cli.context import Workspace, usage_error_if, workspace_of
from psychmem_py.errors import ConfigError, JudgeError, PsychMemError
from psychmem_py.home import config, health, places, surroundings
from psychmem_py.home.project import project_of, resolved
from psychmem_py.installation import opencode, registration
from psychmem_py.installation.registration import CONVERSATION, FOLDER, TITLES, Tools, hooks_disabled, registered, trial
from psychmem_py.judging import clients
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.store import connection, rows, sessions

_MARKS = {"ok": "✓", "note": "·", "bad": "✗"}
ClaudeCode = Annotated[bool, option("--claude-code", "Claude Code, whether or not it is found.")]
OpenCode = Annotated[bool, option("--opencode", "OpenCode, whether or not it is found.")]
_TOOLS = "`six`: search, get, save, update, forget, context. `stm`, `speckit`, `all`: also those of the STM server, of Spec Kit, of both."
NO_READER = "no reader is set; `psychmem judge --with claude|opencode|client|COMMAND` switches one on"


@setup.command(writes=True)
def install(
    workspace: Workspace,
    claude: ClaudeCode = False,
    open_code: OpenCode = False,
    mcp: Annotated[bool, option("--mcp", "Also the tools by which the agent itself asks and saves.")] = False,
    tools: Annotated[Tools | None, option("--tools", "Which of them, as `psychmem mcp` says.", among=Tools)] = None,
    project: Annotated[Path | None, option("--project DIR", "OpenCode for this project alone, in its `.opencode`.")] = None,
    no_next: Annotated[bool, option("--no-next", hidden=True)] = False,  # install.sh lets doctor say it, at the end
) -> None:
    """Register with the agents on this machine. Running it twice changes nothing more."""
    mcp = mcp or tools is not None
    if project is not None and (claude or mcp or not open_code or not project.is_dir()):
        raise typer.BadParameter("give --opencode and a directory; Claude Code is registered for all", param_hint="--project")
    chosen = ["claude-code"] * claude + ["opencode"] * open_code or registration.present(workspace.env)
    commands: list[tuple[str, list[str]]] = [(name, []) for name in chosen]
    commands += [(registration.TOOLS_OF[name], registration.server_command(tools or Tools.SIX)) for name in chosen if mcp]
    here = project_of(project, workspace.env) if project else None
    root = Path(here.root) if here else project and project.resolve()
    data, dry, told, lines = workspace.directories.data, workspace.dry_run, [], list[str]()
    for owner, command in commands:
        edits = registration.register([owner], workspace.env, data, command=command, project=root, dry_run=dry)
        told += [{"agent": owner, "path": str(edit.path), "dry_run": dry} for edit in edits]
        did = [f"{workspace.word('change', 'changed')} {edit.path}" for edit in edits] or ["nothing to change, it is registered"]
        lines += [f"{'OpenCode, here' if project else TITLES[owner]}: {one}" for one in did]
    note = "It names a program of this machine: keep `.opencode/` out of git, or each of you runs this once."
    workspace.answer(told, *lines, *([note] if project and told else []))
    if not (project or workspace.json):
        _after_install(workspace, chosen, no_next=no_next)


def _after_install(workspace: Workspace, chosen: list[str], *, no_next: bool) -> None:
    if not chosen:
        output.say("No agent was found: neither Claude Code (~/.claude, `claude`) nor OpenCode (~/.config/opencode, `opencode`).")
    if workspace.settings.general.episodes:
        kept = "What you type and how answers end is kept, cut and without secrets, for 180 days of work in its project;"
        output.say(f"{kept} `psychmem config set general.episodes no` keeps none.")
    reader = clients.first_installed(workspace.env)
    attended = sys.stdin.isatty() and sys.stdout.isatty() and not workspace.who.agent and not workspace.dry_run
    if attended and reader and "by" not in config.given(workspace.env).values:  # once
        name = "Claude" if reader == "claude" else "OpenCode"
        question = f"Let {name} read what you typed, after each session, to decide what to keep? about 1,000 tokens a session"
        with suppress(typer.Abort):  # left by a key: later
            asked = typer.prompt(f"{question}, by your own `{reader}`; [Y/n/later]", default="y", show_default=False)
            if str(asked).strip().lower() in ("y", "yes", "n", "no"):
                switch(workspace, reader if str(asked).strip().lower().startswith("y") else "")
    output.say(*(next_steps(workspace) if not workspace.dry_run and not no_next else ()))


@setup.command(writes=True)
def uninstall(
    workspace: Workspace,
    claude: ClaudeCode = False,
    open_code: OpenCode = False,
    all_: Annotated[bool, option("--all", "Also what holds no memories: caches, log, the environment the plugin made.")] = False,
) -> None:
    """Take PsychMem out of the agents' files again. Hooks, MEMORY.md block and topic files go; memories stay in the store."""
    usage_error_if(all_ and (claude or open_code), "takes everything away, the others a part; give one or the other", "--all")
    agents = ["claude-code"] * claude + ["opencode"] * open_code
    chosen = [*agents, *(registration.TOOLS_OF[name] for name in agents)] or list(registration.NAMES)
    # The folders first, or one that was made for the settings is not empty when they go.
    folders, left = _clear_folders(workspace) if "claude-code" in chosen else ([], [])
    edits = registration.unregister(chosen, workspace.env, workspace.directories.data, dry_run=workspace.dry_run)
    rest = registration.leftovers(workspace.env)
    taken = rest if all_ else []
    for path in taken if not workspace.dry_run else ():
        registration.remove_leftover(path)
    out, removed = workspace.word("take PsychMem out of", "took PsychMem out of"), workspace.word("remove", "removed")
    stays = f"{', '.join(rest)} {'stay and hold' if rest[1:] else 'stays and holds'} no memories; --all takes that along."
    changed, settings = [*folders, *(str(edit.path) for edit in edits)], places.config_file(workspace.env)
    workspace.answer(
        {"paths": [*changed, *taken], "dry_run": workspace.dry_run, "memories_stay_in": str(workspace.database)},
        *([f"{out} {path}" for path in changed] or ["PsychMem is registered nowhere, nothing to change"]),
        *(f"{removed} {path}" for path in taken),
        *([stays] if rest and not all_ else []),
        *(f"Yours, and stays: {path}" for path in (str(workspace.database), settings) if os.path.exists(path)),
    )
    output.warn(*left)
    if left:
        raise typer.Exit(1)


def _clear_folders(workspace: Workspace) -> tuple[list[str], list[str]]:
    """The memory folders out of which our lines were taken, and why not out of others; whoever is at work writes no more."""
    if not workspace.dry_run and workspace.database.exists() and workspace.directories.data.is_dir():
        places.append(str(workspace.directories.data / places.LEFT), b"", 1)
    try:
        with workspace.reading() as db:
            roots = [seen.root for seen in sessions.projects(db).values()]
    except PsychMemError as exc:
        roots = []
        output.warn(f"the store cannot name its projects ({exc}); only the client's own folders are searched")
    folders = registration.with_ours(workspace.env, roots)
    data, dry = str(workspace.directories.data), workspace.dry_run
    left = {folder.path: registration.clear_folder(folder, data, dry_run=dry) for folder in folders}
    return [path for path, why in left.items() if not why], [*filter(None, left.values())]


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
    except ConfigError as exc:
        workspace, trouble = workspace_of(settings=DEFAULTS), str(exc)
    # Each is repaired before the next looks: the last one tries what the others mended.
    found = [check.mended(dry=workspace.dry_run) if fix else check for check in checks.checks(workspace, trouble)]
    if fix:
        workspace.note_unchanged()
    bad = [check for check in found if check.state == "bad"]
    lines = [f"{_MARKS[one.state]} {one.name}: {one.found}\n    fix: {one.mend}".removesuffix("\n    fix: ") for one in found]
    served = any(check.state == checks.OK and check.name in TITLES.values() for check in found)
    well = "All is well." if served else "No agent calls PsychMem yet."
    lines += [f"{len(bad)} of {len(found)} checks failed."] if bad else [well, *next_steps(workspace)]
    workspace.answer({"ok": not bad, "checks": [output.picked(check, "name state found mend") for check in found]}, *lines)
    if bad:
        raise typer.Exit(1)


def _status(workspace: Workspace) -> None:
    data = workspace.directories.data
    with workspace.reading() as db:
        number = len(rows.listed(db, project=workspace.project_id))
    told: dict[str, object] = {
        "database": str(workspace.database),
        "config": places.config_file(workspace.env),
        "log": str(workspace.directories.log / health.LOG),
        "project": workspace.project._asdict() if workspace.project else None,
        "memories": number,
        "registered": {owner: sorted(events) for owner, events in registered(workspace.env).items()},
        "hooks": {event: output.iso(at) for event, at in sorted(health.beats(data).items())},
        "failures": [output.picked(one, "event error sentence mended", at=output.iso(one.at)) for one in health.failures(data)],
        "reader": workspace.settings.judge.named,
        "paused": active_pauses(workspace),
        "disabled": places.is_disabled(workspace.env),
    }
    if not workspace.json:
        told["registered"] = [TITLES[owner] for owner, events in registered(workspace.env).items() if events]
        beats = health.beats(data).values()
        told["hooks"] = f"last ran {output.since(max(beats), workspace.now)}" if beats else "never ran"
    workspace.show(told)
    if foreign := resolved(os.getcwd(), workspace.env)[1]:
        output.warn(f"the name {foreign!r} is another project's; `psychmem share trust` lets it count here")
    output.warn(*filter(None, [health.line_for_brief(data)]))


def next_steps(workspace: Workspace) -> list[str]:
    """Sentences, each with what to type where there is something to type; none once hooks have run."""
    if health.beats(workspace.directories.data):
        return []
    command = places.own_command(workspace.env)
    if not (called_by := [TITLES[owner] for owner, events in registered(workspace.env).items() if events]):
        return [f"Once Claude Code or OpenCode is here, `{command} setup install` registers PsychMem with it."]
    off = hooks_disabled(os.getcwd(), workspace.env)
    told = [f'{off} keeps Claude Code from running any hook: take "disableAllHooks" out of it.'] * bool(off)
    told += [
        f"Restart {' and '.join(called_by)}, then say there: From now on run the tests before every commit.",
        "The next session knows it; `psychmem list` shows it, `psychmem forget ID` takes it back, `psychmem demo` plays a sample.",
        "`psychmem judge --with claude` lets a small model read what you type and find more, for a call a session; it is off.",
    ]
    transcripts = sum(1 for _ in Path(claude_folder(workspace.env), "projects").glob("*/*.jsonl"))  # counted, not read
    database = opencode_database.database(workspace.env)
    past = transcripts + (len(opencode_database.past(database)) if os.path.exists(database) else 0)
    return told + [f"Old conversations: {past}; `{command} import --conversations` reads them."] * bool(past)


@app.command(json=False)
def mcp(tools: Annotated[Tools, option("--tools", _TOOLS, among=Tools)] = Tools.SIX) -> None:
    """Serve the memory as MCP tools, on stdin and stdout. Clients start it."""
    from psychmem_py.mcp_door.desk import Desk  # noqa: PLC0415  # as below
    from psychmem_py.mcp_door.server import serve  # noqa: PLC0415  # with all tools, which nothing else here needs

    root = os.environ.get("CLAUDE_PROJECT_DIR", "")
    workspace = workspace_of(Path(root) if root and os.path.isdir(root) else None)
    session = workspace.who.session or f"mcp-{uuid4().hex}"
    serve(Desk(workspace.env, workspace.settings, workspace.project, workspace.who.agent, session, [], []), tools)


@setup.command()
def demo(workspace: Workspace) -> None:
    """Show on a sample conversation what would be kept and shown. Touches nothing of yours."""
    with FOLDER() as folder:
        if (outcome := trial(Path(folder), workspace.env)).trouble:
            failed = f"the sample conversation did not come through: {outcome.trouble}"
            raise PsychMemError(f"{failed}; `psychmem doctor` may know more")
        with connection.open_store(surroundings.database(outcome.env, "claude-code"), now=workspace.now) as db:
            kept = rows.listed(db, all_projects=True)
    contents = [json.loads(line)["message"]["content"] for line in CONVERSATION.read_text("utf-8").splitlines()]
    said = [content if isinstance(content, str) else content[0]["text"] for content in contents]
    if workspace.json:
        return output.print_json({"said": said, "kept": [output.row(one) for one in kept[::-1]], "brief": outcome.brief})
    output.say(f"What was said, {len(said)} messages about a web shop; two of them:\n  > {said[3]}\n  > {said[7]}")
    output.say("\nWhat is kept of it:")
    output.memories(kept[::-1], workspace.now, {})
    output.say("\nWhat the next session is shown:\n" + "".join(f"  {line}\n" for line in outcome.brief.splitlines()))


@app.command(writes=True, looks=True)
def judge(
    workspace: Workspace,
    with_: Annotated[str, option("--with claude|opencode|client|COMMAND", "Switch it on, with this reader.")] = "",
    off: Annotated[bool, option("--off", "Switch it off.")] = False,
    now: Annotated[bool, option("--now", "Read now what was not read yet.")] = False,
    for_client: Annotated[bool, option("--verdicts", hidden=True)] = False,  # the module: the request, or its answer on stdin
) -> None:
    """Let a small model read what you typed; off by default. It decides what is kept, at about 1,000 tokens a session.

    What you typed goes to it after a session, without secrets and long pastes. Alone it shows the state, --dry-run a request.
    """
    from psychmem_py.judging import protocol, reading  # noqa: PLC0415  # the extractor, which nothing else here needs

    usage_error_if(sum(map(bool, (with_, off, now))) > 1, "give one of --with, --off and --now", "--with")
    if with_ or off or now or for_client:
        workspace.note_unchanged()
    if with_ or off:
        return switch(workspace, with_)
    desk = workspace.workplace
    if for_client:
        if workspace.settings.judge.by != clients.CLIENT:
            raise JudgeError("the client does not read; `psychmem judge --with client` switches it on")
        if not (answer := sys.stdin.read()):
            return print(reading.next_request(desk, workspace.now), end="")
        done = reading.take_answer(desk, answer)
    elif workspace.dry_run:
        found = reading.prepare(desk, workspace.now) if workspace.database.exists() else None
        shown = json.loads(protocol.request(found.asked)) if found else {}
        return output.print_json(shown) if found else workspace.answer(shown, "There is nothing to read.")
    elif now:
        if workspace.settings.judge.by in ("", clients.CLIENT):
            by_itself = "the client reads by itself while a session is open; `psychmem judge` shows how often it did"
            raise JudgeError(by_itself if workspace.settings.judge.by else NO_READER)
        done = reading.read_all(desk, time.time, batch=workspace.batch)
    else:
        return _tell_reader(workspace)
    if done.asked:
        workspace.refresh()
    said = ", ".join(f"{name} {number}" for name, number in done.counts.items()) or "There is nothing to read."
    workspace.answer({"asked": done.asked, **done.counts, "why": done.why}, *([said] if done.asked or not done.why else []))
    if done.why:
        raise JudgeError(done.why)


def switch(workspace: Workspace, command: str) -> None:
    """Makes `command` the reader ("": nobody, which is written down too). Raises JudgeError where it is not installed."""
    if command in ("", clients.CLIENT):
        by, written, model = command, None, ""
    else:
        program, ready = clients.program(command, "", workspace.env, ""), command in clients.READY
        model = opencode.small_model(workspace.env) if command == "opencode" else ""
        words = (os.path.abspath(one) if os.path.isfile(one) else one for one in clients.split(command)[1:])  # run elsewhere
        by, written = (command, None) if ready else ("command", shlex.join([program.argv[0], *words]))
    after = write_group(workspace, "judge", {"by": by, "command": written, "small_model": model or None})
    if workspace.dry_run:
        return workspace.answer({"file": places.config_file(workspace.env), "text": after, "dry_run": True}, "would be:", after)
    if (now := workspace._replace(settings=config.load(workspace.env))).settings.judge.by and not now.json:
        output.say("It reads what you type from now on, after each session; `psychmem judge --off` ends it.")
    return _tell_reader(now)


def _tell_reader(workspace: Workspace) -> None:
    limits, record = workspace.settings.judge, clients.recorded(workspace.directories.data)
    state: dict[str, Any] = {
        **output.picked(limits, "by command small_model calls_per_day", calls_today=record.on(workspace.now)),
        "last_failure": record.sentence if record.failures else "",
        **record.totals(),
    }
    return workspace.show(state) if limits.by or workspace.json else output.say(f"N{NO_READER[1:]}.")
