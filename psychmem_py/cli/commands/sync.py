"""psychmem share: one memory for several machines and a team, and whose rules count. Nothing leaves, and no rule of others
counts, before a person says so.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from psychmem_py.briefing.repository_rules import unanswered
from psychmem_py.cli import output
from psychmem_py.cli.app import Name, Yes, argument, group, option, share
from psychmem_py.cli.context import Workspace, workspace_of
from psychmem_py.cli.outcomes import refresh
from psychmem_py.curation.history import last_part
from psychmem_py.curation.repository import approve_rules, reject_rules
from psychmem_py.errors import RefusedError
from psychmem_py.home import project as projects
from psychmem_py.home.instructions import rule_files
from psychmem_py.model.records import Place, Status
from psychmem_py.safety.control_chars import line
from psychmem_py.store import operations, rows
from psychmem_py.store.read_only import answers
from psychmem_py.store.sqlite import set_meta
from psychmem_py.sync import exchange
from psychmem_py.sync import hub as server
from psychmem_py.sync import op as ops
from psychmem_py.sync import remote as kinds
from psychmem_py.text.tokenizer import clip

_DEADLINE_S, _WAIT_S = 600.0, 10.0  # a person may wait for much; for another sync only so long
With = Annotated[str, option("--with REMOTE", "The remote's name.")]
Personal = Annotated[bool, option("--personal", "What is remembered of you, in every project.")]
Directory = Annotated[Path | None, argument("[DIR]", "The project of this directory; default: where you stand.")]
_RULES = "Show the rules in .psychmem/rules, CONSTITUTION.md and .opencode/skill/*/constitutional; let them count, or never."
Url = Annotated[str, argument("URL", "postgresql://NAME@host/database; passwords stand in ~/.pgpass.")]
Member = Annotated[str, argument("NAME", "A login of the database.")]
HubProject = Annotated[str, option("--project ID", "As `psychmem doctor --status` shows it; default: all of the team's.")]
Team = Annotated[str, option("--team NAME", "Where one hub serves several teams.")]
hub = group("Run the PostgreSQL server through which a team meets.")


@share.command("add", writes=True)
def add(
    workspace: Workspace,
    name: Name,
    url: Annotated[str, argument("URL", "A folder that is synced to other machines, or postgresql://NAME@host/database.")],
    mine: Annotated[bool, option("--mine", "Only machines of yours write there: what they say counts as yours.")] = False,
    as_: Annotated[str, option("--as NAME", "The name of this machine for the others.")] = "",
) -> None:
    """Add a remote: a folder or a hub that devices share. Nothing goes there before `psychmem share --with NAME`."""
    whole = kinds.checked(url)
    if not name.replace("-", "").replace("_", "").isalnum() or len(name) > 40:
        raise typer.BadParameter("use letters, digits, - and _, at most 40", param_hint="NAME")
    with workspace.acting() as act:
        operations.add_remote(act.db, name, whole, mine=mine)
        device = "" if workspace.dry_run else exchange.own_device(act.db, str(workspace.database))
        if as_:
            set_meta(act.db, kinds.NAME, " ".join(as_.split())[:60])
        called = kinds.device_name(act.db)
    others = "What others say there belongs to its project, rules are pending in `psychmem review`; with --mine it is yours."
    workspace.answer(
        {"name": name, "url": whole, "mine": mine, "device": device, "as": called, "dry_run": workspace.dry_run},
        f"{name} {workspace.word('be', 'is')} {whole}, where this machine is called {called}. Next: `psychmem share --with {name}`.",
        *([] if mine else [others]),
    )


@share.command("list")
def listing(workspace: Workspace) -> None:
    """The remotes there are, and what goes to each."""
    with workspace.reading() as db:
        found = status_of(db, str(workspace.database), brief=True)["remotes"]
    lines = [f"{one['name']}: {one['url']}; shared: {_shares(one)}" for one in found]
    workspace.answer(found, *(lines or [NO_REMOTE]))


@share.command("remove", writes=True)
def remove(workspace: Workspace, name: Name) -> None:
    """Forget a remote. What came from it stays here, what went there stays there."""
    with workspace.acting() as act:
        gone = operations.remote(act.db, name)
        operations.remove_remote(act.db, name)
    workspace.answer(
        {"removed": name, "url": gone.url, "dry_run": workspace.dry_run},
        f"{workspace.word('forget', 'forgot')} {name}; what was written to {gone.url} is still there.",
    )


@share.command("start", writes=True, here=True)
def start(with_: With, directory: Directory = None, personal: Personal = False) -> None:
    """Share a project's memories, or your own, from now on."""
    _set_sharing(directory, with_, personal=personal, wanted=True)


@share.command("stop", writes=True, here=True)
def stop(with_: With, directory: Directory = None, personal: Personal = False) -> None:
    """Stop sharing a project's memories, or your own. What went there stays there."""
    _set_sharing(directory, with_, personal=personal, wanted=False)


def _set_sharing(directory: Path | None, name: str, *, personal: bool, wanted: bool) -> None:
    workspace = workspace_of(directory)
    project = workspace.project_id or ""
    if not personal and not project:
        raise RefusedError("you stand in no project; give its directory, or --personal for what is remembered of you")
    if not personal and project.startswith("dir:"):
        raise RefusedError(
            "this project has no git remote, so another machine cannot know it for the same;"
            ' write id = "NAME" into .psychmem.toml in it, on every machine'
        )
    what: Place = ("personal", "", "") if personal else ("project", "", project)
    called = "what is remembered of you" if personal else last_part(project)
    with workspace.acting() as act:
        found = operations.remote(act.db, name)
        if wanted and personal and not (found.mine or kinds.keeps_apart(found.url)):
            raise RefusedError(f"others write to {name} too; what is remembered of you goes only where `--mine` was given")
        if wanted:
            operations.share(act.db, what, name)
        elif not operations.unshare(act.db, what, name):
            raise RefusedError(f"{called} does not go to {name}")
    goes = f"{called} {workspace.word('go', 'goes')} to {name}"
    workspace.answer(
        {"scope": what[0], "project": what[2], "remote": name, "shared": wanted, "dry_run": workspace.dry_run},
        f"{goes}. `psychmem share now --dry-run` shows what that is, `psychmem share now` does it."
        if wanted
        else f"nothing more of {goes}; what went there stays there.",
    )


@share.command("now", writes=True, looks=True)
def now(
    workspace: Workspace,
    what: Annotated[str, argument("[status]", "Show the state instead of syncing.")] = "",
    with_: Annotated[list[str] | None, option("--with REMOTE", "Only this one; may be given again.")] = None,
) -> None:
    """Sync now: send what is shared, take in what others sent. It also happens after an agent's stop."""
    if what not in ("", "status"):
        raise typer.BadParameter(f"{what!r} is neither nothing nor status", param_hint="[status]")
    with workspace.store() as db:
        names = [operations.remote(db, name).name for name in with_ or ()]
        shared = set[str]().union(*operations.shares(db).values())
    if workspace.dry_run or what:  # how things stand, or what would leave; whatever is noted on the way is taken back
        with workspace._replace(dry_run=True).acting() as act:
            db, database = act.db, str(workspace.database)
            if what:
                return _tell_state(workspace, status_of(db, database))
            return _show_outgoing(workspace, exchange.leaving(db, database, names))
    found = exchange.met(workspace.workplace, workspace.now, names, deadline_s=_DEADLINE_S, patient=True, wait_s=_WAIT_S)
    if found:
        workspace.note_unchanged()
    if any(one.memories or one.purged for one in found):
        refresh(workspace)
    came = [_received(one) for one in found if not one.fault or one.sent or one.received] if found else [NO_REMOTE]
    workspace.answer([one._asdict() for one in found], *came)
    for one in found:
        if one.remote not in shared and not workspace.json:
            output.say(f"Nothing is shared with {one.remote} yet; `psychmem share start --with {one.remote}` does that.")
        output.warn(*(f"{one.remote}: {trouble}" for trouble in filter(None, (one.fault, *one.notes))))
    if any(one.fault for one in found):
        raise typer.Exit(1)
    return None


def _received(one: exchange.Meeting) -> str:
    told = [f"{one.remote}: sent {one.sent}, received {one.received}"]
    told += [f"{output.some_memories(one.memories)} changed here"] if one.memories else []
    told += [f"{one.purged} purged"] if one.purged else []
    return "; ".join(told + ([f"{one.dead} put aside, see `psychmem share status`"] if one.dead else []))


@share.command(writes=True)
def trust(
    workspace: Workspace,
    author: Annotated[str | None, argument("[NAME]", "A person from whom memories come by sync.")] = None,
    rules: Annotated[bool | None, option("--rules/--no-rules", _RULES)] = None,
    with_: Annotated[str, option("--with REMOTE", "With NAME: where they write, if the name comes by several.")] = "",
    not_: Annotated[bool, option("--not", "With NAME: their rules are pending again.")] = False,
    yes: Yes = False,
) -> None:
    """Trust this repository's name or rules, or a person's rules. Alone: the project name in .psychmem.toml that another project
    used first. NAME: the rules of somebody whose memories come by sync.
    """
    if author is not None:
        return _trust_author(workspace, author, with_, trusting=not not_)
    if rules is not None:
        return _trust_rules(workspace, wanted=rules, yes=yes)
    name = projects.refused_name(os.getcwd(), workspace.env)
    found = workspace.project if workspace.dry_run else projects.trust(os.getcwd(), workspace.env)
    called, there = found.id if found else None, rule_files(workspace.project.root) if workspace.project else []
    brings = f" It brings {output.counted(len(there), 'rule')}: `psychmem share trust --rules` shows and asks." if there else ""
    if name and workspace.dry_run:
        said = f"This directory would share the memories of {name}."
    elif name:
        said = f"This directory is {called or name} from now on."
    elif called:
        said = f"Nothing needs your trust here; this is {called}.{brings}"
    else:
        said = f"This directory belongs to no project.{brings}"
    return workspace.answer({"project": called, "shares": name or None, "dry_run": workspace.dry_run}, said)


def _trust_author(workspace: Workspace, name: str, remote: str, *, trusting: bool) -> None:
    from psychmem_py.sync.receive import trusted  # noqa: PLC0415  # with what it compares statements by: for this alone

    with workspace.acting() as act:
        changed = trusted(act, name, remote=remote, trusting=trusting)
    refresh(workspace)
    told = f"Rules of {name} {workspace.word('count', 'count')} from now on" if trusting else f"Rules of {name} are pending again"
    answer = {"author": name, "trusted": trusting, "memories": list(changed), "dry_run": workspace.dry_run}
    workspace.answer(answer, f"{told}; {output.some_memories(len(changed))} changed." if changed else f"{told}.")


def _trust_rules(workspace: Workspace, *, wanted: bool, yes: bool) -> None:
    """Lets the rules of the repository count, or turns them down, after they were shown."""
    project = workspace.project
    if project is None:
        raise RefusedError("this directory belongs to no project; go into the repository whose rules you mean")
    there = rule_files(project.root)
    with workspace.store() as db:  # an answer whose memory was undone or forgotten may be given again
        given = answers(db, project.id)
        memories = rows.several(db, [one.memory_id for one in given.trusted.values()])
    living = {key for key, memory in memories.items() if memory.status is not Status.FORGOTTEN}
    given = given._replace(trusted={path: one for path, one in given.trusted.items() if one.memory_id in living})
    waiting = unanswered(there, given)
    asked = waiting if wanted else there
    for rule in there if not workspace.json else ():
        known = given.trusted.get(rule.path)
        state = "new" if known is None else "counts" if known.digest == rule.digest else "changed"
        when = f"when {', '.join(rule.triggers)} comes up" if rule.triggers else "always"
        output.say(f"{rule.path} ({state}; {rule.tier.value}; {when})\n  {rule.text}")
    if wanted and waiting:
        workspace.ask(f"Let {output.counted(len(waiting), 'rule')} count in {project.name}?", yes=yes)
    with workspace.acting() as act:
        done = approve_rules(act, project, asked) if wanted else reject_rules(act, project, asked)
    refresh(workspace)
    output.warn(*(warning for one in done for warning in one.warnings if not workspace.json))
    dry = "dry run: " if workspace.dry_run else ""
    if not there:
        where = "no CONSTITUTION.md, nothing in .psychmem/rules/ or .opencode/skill/*/constitutional/"
        said = f"{dry}This repository brings no rules: {where}."
    elif not wanted:
        said = f"{dry}None of them counts here, and nobody asks again until they change."
    elif not waiting:
        said = "All of them count here already."
    else:
        count = "counts" if len(waiting) == 1 else "count"
        said = f"{dry}{output.counted(len(waiting), 'rule')} {count} here from now on; `psychmem undo` takes it back."
    told = [output.picked(rule, "title tier triggers text", file=rule.path) for rule in asked]
    answer = {"dry_run": workspace.dry_run, "rules": told, "memories": [output.row(one.memory) for one in done]}
    workspace.answer(answer, said)


@hub.command("init")
def init(workspace: Workspace, url: Url) -> None:
    """Make the tables and the role, or bring them up to date. Then say what is left to do."""
    server.set_up(server.checked(url))
    workspace.answer({"ready": True, "left": server.LEFT}, "The hub is ready. Left to do:", *(f"- {one}" for one in server.LEFT))


@hub.command("grant")
def grant(
    workspace: Workspace,
    url: Url,
    name: Member,
    project: HubProject = "",
    team: Team = "",
    role: Annotated[str, option("--role ROLE", "reader, writer, or admin, who may purge for all.")] = "writer",
) -> None:
    """Make somebody a member of a project, or of all of a team's."""
    if role not in server.ROLES:
        raise typer.BadParameter(f"use {', '.join(server.ROLES)}", param_hint="--role")
    made = server.add_member(server.checked(url), name, project=project, team=team, role=role)
    login = f"The login {name} is new and has no password; set one with \\password {name} in psql."
    workspace.answer(
        {"member": name, "team": team, "project": project, "role": role, "login_made": made},
        f"{name} is {role} of {project or 'every project'}.",
        *([login] if made else []),
    )


@hub.command("revoke")
def revoke(workspace: Workspace, url: Url, name: Member, project: HubProject = "", team: Team = "") -> None:
    """End a membership of a project, or of all of the team's. What reached their machine before stays there."""
    gone = server.remove_member(server.checked(url), name, project=project or None, team=team)
    workspace.answer(
        {"member": name, "ended": gone}, f"{gone} memberships of {name} ended; what reached their machine before stays there."
    )


share.add_typer(hub, name="hub")

NO_REMOTE = "There is no remote; `psychmem share add NAME FOLDER` names one."


def status_of(db: sqlite3.Connection, database: str, *, brief: bool = False) -> dict[str, Any]:
    """Everything there is to know, as JSON has it. `brief` leaves out what asks the remotes."""
    device, shares = exchange.own_device(db, database), operations.shares(db)
    out = {} if brief else {name: len(said) for name, said in exchange.leaving(db, database).items()}
    found = []
    for remote in operations.remotes(db):
        lanes = [
            {"device": lane.device, "author": mark.author, "mine": bool(mark.mine), "scope": lane.scope, "project": lane.project,
             "read": mark.seq, "at": output.iso(mark.at)}
            for lane, mark in operations.marks(db, remote.name).items() if lane.device != device
        ]  # fmt: skip
        goes = sorted(project or scope for (scope, _, project), names in shares.items() if remote.name in names)
        told = output.picked(
            remote, "name url mine failed_times fault", synced_at=output.iso(remote.synced_at), shares=goes, lanes=lanes
        )
        found.append(told if brief else {**told, "leaving": out.get(remote.name, 0)})
    dead = [{"remote": one.remote, "device": one.lane[0], "seq": one.seq, "why": one.why} for one in operations.dead_letters(db)]
    trusted = [f"{name} by {remote}" for remote, name in sorted(operations.trusted(db))]
    return {"device": device, "as": kinds.device_name(db), "remotes": found, "dead_letters": dead, "trusted": trusted}


def _shares(remote: Mapping[str, Any]) -> str:
    """What is shared with a remote, in words."""
    return ", ".join(map(last_part, remote["shares"])) or f"nothing (`psychmem share start --with {remote['name']}`)"


def _tell_state(workspace: Workspace, state: dict[str, Any]) -> None:
    """The same in sentences: what goes where, what comes from whom, what went wrong."""
    lines = [f"This machine is {state['as']} for the others."]
    for one in state["remotes"]:
        when = f"last synced {one['synced_at'][:16].replace('T', ' ')} UTC" if one["synced_at"] else "never synced"
        to_send = output.counted(one["leaving"], "operation")
        lines.append(f"{one['name']}: {one['url']}, {when}; shared: {_shares(one)}; {to_send} to send")
        for lane in one["lanes"]:
            lines.append(f"  from {lane['author'] or lane['device'][:8]}, {last_part(lane['project']) or 'personal'}")
        lines += [f"  {one['fault']}"] * bool(one["fault"])
    lines += [f"put aside, from {one['remote']}: {one['why']}" for one in state["dead_letters"]]
    lines += [f"trusted: {', '.join(state['trusted'])}"] * bool(state["trusted"])
    workspace.answer(state, *lines, *([] if state["remotes"] else [NO_REMOTE]))


def _show_outgoing(workspace: Workspace, found: Mapping[str, Sequence[ops.Op]]) -> None:
    """What would be sent, memory by memory; every operation word for word in JSON."""
    if workspace.json:
        rows = [{"remote": name, "operations": [json.loads(ops.line(op)) for op in said]} for name, said in found.items()]
        return output.print_json(rows)
    if not found:
        output.say(NO_REMOTE)
    for name, leaving in found.items():
        by_memory: dict[str, list[ops.Op]] = {}
        for op in leaving:
            by_memory.setdefault(op.memory, []).append(op)
        number, known = output.counted(len(leaving), "operation"), output.some_memories(len(by_memory))
        output.say(f"dry run: {name} would be sent {number} about {known}")
        for memory, said in by_memory.items():
            what = ", ".join(dict.fromkeys(op.field if op.kind == ops.OpKind.PUT else op.kind for op in said))
            text = next((f": {clip(line(str(op.value)), 100)}" for op in said if (op.kind, op.field) == ("put", "text")), "")
            output.say(f"  {output.short(memory)} {what}{text}")
    return None
