"""psychmem setup install and uninstall: our lines in the agents' files."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated
from uuid import uuid4

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import app, examples, option, setup
from psychmem_py.cli.commands.doctor import next_steps
from psychmem_py.cli.commands.judge import switch
from psychmem_py.cli.context import Workspace, workspace_of
from psychmem_py.errors import PsychMemError
from psychmem_py.home import config, places, surroundings
from psychmem_py.installation import claude_code, mcp_servers, registration, upgrading
from psychmem_py.installation.mcp_servers import Tools
from psychmem_py.installation.patches import FileEdit
from psychmem_py.installation.registration import TITLES, as_plugin, registered
from psychmem_py.installation.trial import CONVERSATION, thrown_away, trial
from psychmem_py.judging import clients
from psychmem_py.mcp_door.desk import Desk, Library
from psychmem_py.store import overview, rows
from psychmem_py.store.connection import open_store

ClaudeCode = Annotated[bool, option("--claude-code", "Claude Code, whether or not it is found.")]
OpenCode = Annotated[bool, option("--opencode", "OpenCode, whether or not it is found.")]


_WAYS = ("--claude-code --dry-run", "--mcp", "--mcp --tools all", "--opencode --project .")


@setup.command(epilog=examples(*(f"setup install {way}" for way in _WAYS)), writes=True)
def install(
    claude: ClaudeCode = False,
    open_code: OpenCode = False,
    mcp: Annotated[bool, option("--mcp", "Also the tools by which the agent itself asks and saves.")] = False,
    tools: Annotated[Tools | None, option("--tools", "Which of them, as `psychmem mcp` says; default: six.")] = None,
    project: Annotated[Path | None, option("--project DIR", "OpenCode for this project alone, in its `.opencode`.")] = None,
    no_next: Annotated[bool, option("--no-next", hidden=True)] = False,  # install.sh lets doctor say it, at the end
) -> None:
    """Register with the agents on this machine. Running it twice changes nothing more."""
    mcp = mcp or tools is not None
    if project is not None:
        return _install_in(project, only_opencode=open_code and not claude and not mcp)
    workspace = workspace_of()
    chosen = _chosen(claude, open_code) or registration.present(workspace.env)
    wanted: list[tuple[str, list[str]]] = [(name, []) for name in chosen]
    wanted += [(mcp_servers.TOOLS_OF[name], mcp_servers.server_command(tools or Tools.SIX)) for name in chosen if mcp]
    made: list[tuple[str, FileEdit]] = []
    data, dry_run = workspace.directories.data, workspace.dry_run
    for owner, command in wanted:
        edits = registration.register([owner], workspace.env, data, command=command, dry_run=dry_run)
        made += [(owner, edit) for edit in edits]
        _tell(workspace, TITLES[owner], edits)
    if workspace.json:
        return output.print_json([_row(workspace, owner, edit) for owner, edit in made])
    if not chosen:
        output.say(f"No agent was found: neither {_WHERE[0]} nor {_WHERE[1]}.")
    if as_plugin(workspace.env) and "claude-code" in chosen:
        output.warn("Claude Code also loads PsychMem as a plugin: each event is still served once, but one of the two is enough.")
    if mcp and not upgrading.is_there(upgrading.MCP):
        output.warn(upgrading.mend(upgrading.MCP, "the tools need"))
    if workspace.settings.general.episodes:
        kept = "What you type and how answers end is kept, cut and without secrets, for half a year;"
        output.say(f"{kept} `psychmem config set general.episodes no` keeps none.")
    _ask_for_a_reader(workspace)
    for step in next_steps(workspace) if not dry_run and not no_next else ():
        output.say(step)
    return None


_WHERE = ("Claude Code (~/.claude, `claude` on PATH)", "OpenCode (~/.config/opencode, `opencode` on PATH)")


def _ask_for_a_reader(workspace: Workspace) -> None:
    """Asks once who reads what is typed, with its price. Unattended, without a client to do it, or once answered: asks nobody."""
    reader = clients.there(workspace.env)
    attended = sys.stdin.isatty() and sys.stdout.isatty() and not workspace.agent and not workspace.dry_run
    if not attended or not reader or "by" in config.given(workspace.env).values:
        return
    who, answer = "Claude" if reader == "claude" else "OpenCode", ""
    question = f"Let {who} read what you typed, after each session, to decide what to keep? about 1,000 tokens a session"
    with suppress(typer.Abort):  # left by a key: later
        asked = typer.prompt(f"{question}, by your own `{reader}`; [Y/n/later]", default="y", show_default=False)
        answer = str(asked).strip().lower()
    if answer in ("y", "yes", "n", "no"):
        switch(workspace, reader if answer.startswith("y") else "")


def _install_in(project: Path, *, only_opencode: bool) -> None:
    """Registers with OpenCode in one project."""
    if not only_opencode or not project.is_dir():
        raise typer.BadParameter(
            "give --opencode and a directory; Claude Code is registered for all projects", param_hint="--project"
        )
    workspace = workspace_of()
    root = Path(workspace.project.root) if workspace.project else project.resolve()
    data = workspace.directories.data
    edits = registration.register(["opencode"], workspace.env, data, project=root, dry_run=workspace.dry_run)
    _tell(workspace, "OpenCode, here", edits)
    if workspace.json:
        return output.print_json([_row(workspace, "opencode", edit) for edit in edits])
    if edits:
        output.say("It names a program of this machine: keep `.opencode/` out of git, or each of you runs this once.")
    return None


@setup.command(epilog=examples("setup uninstall --dry-run", "setup uninstall --all"), writes=True)
def uninstall(
    claude: ClaudeCode = False,
    open_code: OpenCode = False,
    all_: Annotated[bool, option("--all", "Also what holds no memories: caches, log, the environment the plugin made.")] = False,
) -> None:
    """Take PsychMem out of the agents' files again. Hooks, MEMORY.md block and topic files go. Your memories stay in the store."""
    workspace = workspace_of()
    if all_ and (claude or open_code):
        raise typer.BadParameter(
            "takes everything away, --claude-code and --opencode take a part; give one or the other", param_hint="--all"
        )
    agents = _chosen(claude, open_code)
    chosen = [*agents, *(mcp_servers.TOOLS_OF[name] for name in agents)] or list(registration.NAMES)
    # The folders first, or one that was made for the settings is not empty when they go.
    folders = _cleared(workspace) if "claude-code" in chosen else []
    edits = registration.unregister(chosen, workspace.env, workspace.directories.data, dry_run=workspace.dry_run)
    rest = registration.leftovers(workspace.env)
    taken = rest if all_ else []
    for path in taken if not workspace.dry_run else ():
        registration.remove_leftover(path)
    would, removed = workspace.word("change", "changed back"), workspace.word("remove", "removed")
    stays = f"{', '.join(rest)} {'stays and holds' if len(rest) == 1 else 'stay and hold'} no memories; --all takes that along."
    workspace.answer(
        {
            "paths": [*(str(edit.path) for edit in edits), *folders, *taken],
            "dry_run": workspace.dry_run,
            "memories_stay_in": str(workspace.database),
        },
        *(f"{would} {path}" for path in folders),
        *(f"{removed if edit.after is None else would} {edit.path}" for edit in edits),
        *(f"{removed} {path}" for path in taken),
        *([] if edits or folders else ["PsychMem is registered nowhere, nothing to change"]),
        *([stays] if rest and not all_ else []),
        *([f"Your memories stay in {workspace.database}."] if workspace.database.exists() else []),
    )


def _cleared(workspace: Workspace) -> list[str]:
    """The memory folders out of which our lines were taken; whoever is still at work writes there no more."""
    if not workspace.dry_run and workspace.database.exists():
        places.note(workspace.directories.data)
    folders = registration.with_ours(workspace.env, _roots(workspace))
    for folder in folders if not workspace.dry_run else ():
        registration.cleared(folder, str(workspace.directories.data))
    return [folder.path for folder in folders]


def _chosen(claude: bool, opencode: bool) -> list[str]:
    return [name for name, wanted in (("claude-code", claude), ("opencode", opencode)) if wanted]


def _row(workspace: Workspace, owner: str, edit: FileEdit) -> dict[str, object]:
    return {"agent": owner, "path": str(edit.path), "dry_run": workspace.dry_run}


def _tell(workspace: Workspace, title: str, edits: list[FileEdit]) -> None:
    """What happens to files: "made …", "changed … (8 events)"."""
    for edit in edits if not workspace.json else ():
        deed = workspace.word("make", "made") if edit.before is None else workspace.word("change", "changed")
        events = f" ({len(claude_code.registered(edit.after))} events)" if edit.path.name == "settings.json" else ""
        output.say(f"{title}: {deed} {edit.path}{events}")
    if not edits and not workspace.json:
        output.say(f"{title}: already registered, nothing to change")


def _roots(workspace: Workspace) -> list[str]:
    """Where the projects stand that we have worked in; none when the store cannot tell."""
    if not workspace.database.exists():
        return []
    try:
        with workspace.reading() as db:
            return [seen.root for seen in overview.projects(db).values()]
    except PsychMemError as exc:
        output.warn(f"the store cannot name its projects ({exc}); only the client's own folders are searched")
        return []


@setup.command(epilog=examples("setup upgrade", "setup upgrade --dry-run"), writes=True)
def upgrade() -> None:
    """Bring PsychMem to the newest state of its checkout. Your memories are copied before their schema changes."""
    workspace = workspace_of()
    folder, before = upgrading.source(workspace.env), upgrading.now()
    if not workspace.dry_run:
        upgrading.pulled(folder)
    after = upgrading.ahead(folder)
    if not workspace.dry_run:
        after = upgrading.put_in_place(folder)
        calling = [owner for owner, events in registered(workspace.env).items() if events]
        registration.register(calling, workspace.env, workspace.directories.data)
    as_it_stands = " as it stands, before git pull" if workspace.dry_run else ""
    said = f"PsychMem {before} {workspace.word('become', 'became')} {after}, from {folder}{as_it_stands}."
    if before == after and before.commit:
        said = f"PsychMem {before} is what {folder} holds; nothing became newer."
    told = {"from": before._asdict(), "to": after._asdict(), "checkout": str(folder)}
    workspace.answer({**told, "dry_run": workspace.dry_run}, said)


_TOOLS = "`six`: search, get, save, update, forget, context. `stm`, `speckit`, `all`: also those of the STM server, of Spec Kit, of both."


@app.command(epilog=examples("setup install --mcp", "claude mcp add psychmem -- psychmem mcp"), json=False)
def mcp(tools: Annotated[Tools, option("--tools", _TOOLS)] = Tools.SIX) -> None:
    """Serve the memory as MCP tools, on stdin and stdout. Clients start it."""
    if not upgrading.is_there(upgrading.MCP):
        raise PsychMemError(upgrading.mend(upgrading.MCP, "the tools need"))
    from psychmem_py.mcp_door.server import serve  # noqa: PLC0415  # it imports the SDK, which may not be there

    root = os.environ.get("CLAUDE_PROJECT_DIR", "")
    workspace = workspace_of(Path(root) if root and os.path.isdir(root) else None)
    session = workspace.session or f"mcp-{uuid4().hex}"
    library = Library(workspace.project.root) if workspace.project else None
    desk = Desk(workspace.env, workspace.settings, workspace.project, workspace.agent, session, [], [], library)
    serve(desk, tools)


@setup.command(epilog=examples("setup demo"))
def demo() -> None:
    """Show on a sample conversation what would be kept and shown. Touches nothing of yours."""
    workspace = workspace_of()
    with thrown_away() as folder:
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
    output.say(f"What was said, {len(said)} messages about a web shop; two of them:\n  > {said[0]}\n  > {said[7]}")
    output.say("\nWhat is kept of it:")
    output.memories(kept[::-1], workspace.now, {})
    output.say("\nWhat the next session is shown:\n" + "".join(f"  {line}\n" for line in outcome.brief.splitlines()))
