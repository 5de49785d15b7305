"""psychmem setup install, uninstall: our lines in the agents' files. psychmem judge: who reads what was typed, its cost, now."""

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

from psychmem_py.cli import outcomes, output
from psychmem_py.cli.app import app, option, setup
from psychmem_py.cli.commands.config import write_group
from psychmem_py.cli.commands.doctor import next_steps
from psychmem_py.cli.context import Workspace, workspace_of
from psychmem_py.errors import JudgeError, PsychMemError
from psychmem_py.home import config, places, surroundings
from psychmem_py.home.project import project_of
from psychmem_py.installation import claude_code, opencode, registration
from psychmem_py.installation.registration import CONVERSATION, FOLDER, TITLES, Tools, plugin_enabled, trial
from psychmem_py.judging import clients, protocol, reading
from psychmem_py.mcp_door.desk import Desk
from psychmem_py.store import rows, sessions
from psychmem_py.store.connection import open_store

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
    tools: Annotated[Tools | None, option("--tools", "Which of them, as `psychmem mcp` says; default: six.")] = None,
    project: Annotated[Path | None, option("--project DIR", "OpenCode for this project alone, in its `.opencode`.")] = None,
    no_next: Annotated[bool, option("--no-next", hidden=True)] = False,  # install.sh lets doctor say it, at the end
) -> None:
    """Register with the agents on this machine. Running it twice changes nothing more."""
    mcp = mcp or tools is not None
    if project is not None and (claude or mcp or not open_code or not project.is_dir()):
        wanted = "give --opencode and a directory; Claude Code is registered for all projects"
        raise typer.BadParameter(wanted, param_hint="--project")
    chosen = _chosen(claude, open_code) or registration.present(workspace.env)
    commands: list[tuple[str, list[str]]] = [(name, []) for name in chosen]
    commands += [(registration.TOOLS_OF[name], registration.server_command(tools or Tools.SIX)) for name in chosen if mcp]
    here = project_of(project, workspace.env) if project else None
    root = Path(here.root) if here else project and project.resolve()
    told = []
    for owner, command in commands:
        title = "OpenCode, here" if project else TITLES[owner]
        edits = registration.register(
            [owner], workspace.env, workspace.directories.data, command=command, project=root, dry_run=workspace.dry_run
        )
        told += [{"agent": owner, "path": str(edit.path), "dry_run": workspace.dry_run} for edit in edits]
        for edit in edits if not workspace.json else ():
            deed = workspace.word("make", "made") if edit.before is None else workspace.word("change", "changed")
            events = f" ({len(claude_code.registered(edit.after))} events)" if edit.path.name == "settings.json" else ""
            output.say(f"{title}: {deed} {edit.path}{events}")
        if not edits and not workspace.json:
            output.say(f"{title}: already registered, nothing to change")
    if workspace.json:
        return output.print_json(told)
    if project:
        note = "It names a program of this machine: keep `.opencode/` out of git, or each of you runs this once."
        return output.say(note) if told else None
    return _after_install(workspace, chosen, no_next=no_next)


def _after_install(workspace: Workspace, chosen: list[str], *, no_next: bool) -> None:
    """Says what else is worth knowing and doing, and asks who reads."""
    if not chosen:
        places = "neither Claude Code (~/.claude, `claude` on PATH) nor OpenCode (~/.config/opencode, `opencode` on PATH)"
        output.say(f"No agent was found: {places}.")
    if plugin_enabled(workspace.env) and "claude-code" in chosen:
        output.warn("Claude Code also loads PsychMem as a plugin: each event is still served once, but one of the two is enough.")
    if workspace.settings.general.episodes:
        kept = "What you type and how answers end is kept, cut and without secrets, for 180 days of work in its project;"
        output.say(f"{kept} `psychmem config set general.episodes no` keeps none.")
    _ask_for_a_reader(workspace)
    output.say(*(next_steps(workspace) if not workspace.dry_run and not no_next else ()))


def _ask_for_a_reader(workspace: Workspace) -> None:
    """Asks once who reads what is typed, with its price. Unattended, without a client to do it, or once answered: asks nobody."""
    reader = clients.first_installed(workspace.env)
    attended = sys.stdin.isatty() and sys.stdout.isatty() and not workspace.who.agent and not workspace.dry_run
    if not attended or not reader or "by" in config.given(workspace.env).values:
        return
    who, answer = "Claude" if reader == "claude" else "OpenCode", ""
    question = f"Let {who} read what you typed, after each session, to decide what to keep? about 1,000 tokens a session"
    with suppress(typer.Abort):  # left by a key: later
        asked = typer.prompt(f"{question}, by your own `{reader}`; [Y/n/later]", default="y", show_default=False)
        answer = str(asked).strip().lower()
    if answer in ("y", "yes", "n", "no"):
        switch(workspace, reader if answer.startswith("y") else "")


@setup.command(writes=True)
def uninstall(
    workspace: Workspace,
    claude: ClaudeCode = False,
    open_code: OpenCode = False,
    all_: Annotated[bool, option("--all", "Also what holds no memories: caches, log, the environment the plugin made.")] = False,
) -> None:
    """Take PsychMem out of the agents' files again. Hooks, MEMORY.md block and topic files go; memories stay in the store."""
    if all_ and (claude or open_code):
        raise typer.BadParameter("takes everything away, the others a part; give one or the other", param_hint="--all")
    agents = _chosen(claude, open_code)
    chosen = [*agents, *(registration.TOOLS_OF[name] for name in agents)] or list(registration.NAMES)
    # The folders first, or one that was made for the settings is not empty when they go.
    folders = _clear_folders(workspace) if "claude-code" in chosen else []
    edits = registration.unregister(chosen, workspace.env, workspace.directories.data, dry_run=workspace.dry_run)
    rest = registration.leftovers(workspace.env)
    taken = rest if all_ else []
    for path in taken if not workspace.dry_run else ():
        registration.remove_leftover(path)
    would, removed = workspace.word("change", "changed back"), workspace.word("remove", "removed")
    stays = f"{', '.join(rest)} {'stays and holds' if len(rest) == 1 else 'stay and hold'} no memories; --all takes that along."
    paths = [*(str(edit.path) for edit in edits), *folders, *taken]
    workspace.answer(
        {"paths": paths, "dry_run": workspace.dry_run, "memories_stay_in": str(workspace.database)},
        *(f"{would} {path}" for path in folders),
        *(f"{removed if edit.after is None else would} {edit.path}" for edit in edits),
        *(f"{removed} {path}" for path in taken),
        *([] if edits or folders else ["PsychMem is registered nowhere, nothing to change"]),
        *([stays] if rest and not all_ else []),
        *([f"Your memories stay in {workspace.database}."] if workspace.database.exists() else []),
        *([f"Your settings stay in {settings}."] if os.path.exists(settings := places.config_file(workspace.env)) else []),
    )


def _clear_folders(workspace: Workspace) -> list[str]:
    """The memory folders out of which our lines were taken; whoever is still at work writes there no more."""
    if not workspace.dry_run and workspace.database.exists():
        places.mark_uninstalled(workspace.directories.data)
    roots = list[str]()
    if workspace.database.exists():
        try:
            with workspace.reading() as db:
                roots = [seen.root for seen in sessions.projects(db).values()]
        except PsychMemError as exc:
            output.warn(f"the store cannot name its projects ({exc}); only the client's own folders are searched")
    folders = registration.with_ours(workspace.env, roots)
    for folder in folders if not workspace.dry_run else ():
        registration.clear_folder(folder, str(workspace.directories.data))
    return [folder.path for folder in folders]


def _chosen(claude: bool, opencode: bool) -> list[str]:
    return [name for name, wanted in (("claude-code", claude), ("opencode", opencode)) if wanted]


@app.command(json=False)
def mcp(tools: Annotated[Tools, option("--tools", _TOOLS)] = Tools.SIX) -> None:
    """Serve the memory as MCP tools, on stdin and stdout. Clients start it."""
    from psychmem_py.mcp_door.server import serve  # noqa: PLC0415  # with all tools, which nothing else here needs

    root = os.environ.get("CLAUDE_PROJECT_DIR", "")
    workspace = workspace_of(Path(root) if root and os.path.isdir(root) else None)
    session = workspace.who.session or f"mcp-{uuid4().hex}"
    desk = Desk(workspace.env, workspace.settings, workspace.project, workspace.who.agent, session, [], [])
    serve(desk, tools)


@setup.command()
def demo(workspace: Workspace) -> None:
    """Show on a sample conversation what would be kept and shown. Touches nothing of yours."""
    with FOLDER() as folder:
        outcome = trial(Path(folder), workspace.env)
        if outcome.trouble:
            failed = f"the sample conversation did not come through: {outcome.trouble}"
            raise PsychMemError(f"{failed}; `psychmem doctor` may know more")
        with open_store(surroundings.database(outcome.env, "claude-code"), now=workspace.now) as db:
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

    After a session what you typed goes, with the end of the agent's message before it and without secrets and long pastes, to the
    program you name: a client of yours with a small model, or your own. Without --with, --off or --now it shows the state; with
    --dry-run alone it prints the next request, without its nonce.
    """
    if sum(map(bool, (with_, off, now))) > 1:
        raise typer.BadParameter("give one of --with, --off and --now", param_hint="--with")
    if with_ or off or now or for_client:
        workspace.note_unchanged()
    if with_ or off:
        return switch(workspace, with_)
    desk = workspace.workplace
    if for_client:
        if workspace.settings.judge.by != clients.CLIENT:
            raise JudgeError("the client does not read; `psychmem judge --with client` switches it on")
        answer = sys.stdin.read()
        request = "" if answer else reading.next_request(desk, workspace.now)
        return _report(workspace, reading.take_answer(desk, answer)) if answer else print(request, end="")
    if workspace.dry_run:
        found = reading.prepare(desk, workspace.now) if workspace.database.exists() else None
        if not found:
            return workspace.answer({}, "There is nothing to read.")
        return output.print_json(json.loads(protocol.request(found.asked)))
    if now:
        if not workspace.settings.judge.by:
            raise JudgeError(NO_READER)
        if workspace.settings.judge.by == clients.CLIENT:
            raise JudgeError("the client reads by itself while a session is open; `psychmem judge` shows how often it did")
        return _report(workspace, reading.read_all(desk, time.time, batch=workspace.batch))
    return _tell_reader(workspace)


def switch(workspace: Workspace, command: str) -> None:
    """Makes `command` the reader ("": nobody, which is written down too). Raises JudgeError where it is not installed."""
    if command in ("", clients.CLIENT):
        by, written, model = command, None, ""
    else:
        program, ready = clients.program(command, "", workspace.env, ""), command in clients.READY
        model = opencode.small_model(workspace.env) if command == "opencode" else ""
        by, written = (command, None) if ready else ("command", shlex.join([program.argv[0], *clients.split(command)[1:]]))
    after = write_group(workspace, "judge", {"by": by, "command": written, "small_model": model or None})
    if workspace.dry_run:
        path = places.config_file(workspace.env)
        return workspace.answer({"file": path, "text": after, "dry_run": True}, f"would write {path}:", after)
    now = workspace._replace(settings=config.load(workspace.env))
    if now.settings.judge.by and not now.json:
        output.say("It reads what you type from now on, after each session; `psychmem judge --off` ends it.")
    return _tell_reader(now)


def _report(workspace: Workspace, done: reading.ReadResult) -> None:
    if done.asked:
        outcomes.refresh(workspace)
    if workspace.json:
        output.print_json({"asked": done.asked, **done.counts, "why": done.why})
    elif done.asked or not done.why:
        output.say(", ".join(f"{name} {number}" for name, number in done.counts.items()) or "There is nothing to read.")
    if done.why:
        raise JudgeError(done.why)


def _tell_reader(workspace: Workspace) -> None:
    limits, record = workspace.settings.judge, clients.recorded(workspace.directories.data)
    state: dict[str, Any] = {
        **output.picked(limits, "by command small_model calls_per_day", calls_today=record.on(workspace.now)),
        "last_failure": record.sentence if record.failures else "",
        **record.totals(),
    }
    return workspace.show(state) if limits.by or workspace.json else output.say(f"N{NO_READER[1:]}.")
