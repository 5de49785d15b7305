"""psychmem share: several machines and a team. Nothing leaves, and no rule of others counts, before a person says so."""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from psychmem_py.briefing.brief import unanswered
from psychmem_py.cli import output
from psychmem_py.cli.app import Name, Yes, argument, group, option, share
from psychmem_py.cli.context import Workspace, usage_error_if
from psychmem_py.curation.repository import approve_rules, reject_rules
from psychmem_py.errors import RefusedError, refuse_if
from psychmem_py.home import project as projects
from psychmem_py.home.instructions import rule_files
from psychmem_py.model.records import Place, Status
from psychmem_py.safety.control_chars import line
from psychmem_py.store import operations, read_only, rows, sqlite
from psychmem_py.sync import exchange
from psychmem_py.sync import hub as server
from psychmem_py.sync import op as ops
from psychmem_py.sync import remote as kinds
from psychmem_py.text.tokenizer import clip

NO_REMOTE = "There is no remote; `psychmem share add NAME FOLDER` names one."
_DEADLINE_S, _WAIT_S = 600.0, 10.0  # a person may wait for much; for another sync only so long
_NOT_WHOLE = " (said on another machine of yours; nobody there can read it until that one shares with them, too)"
With = Annotated[str, option("--with REMOTE", "The remote's name.")]
Personal = Annotated[bool, option("--personal", "What is remembered of you, in every project.")]
_RULES = "Show the rules in .psychmem/rules, CONSTITUTION.md and .opencode/skill/*/constitutional; let them count, or never."
Url = Annotated[str, argument("URL", "postgresql://NAME@host/database; passwords stand in ~/.pgpass.")]
Member = Annotated[str, argument("NAME", "A login of the database.")]
HubProject = Annotated[str, option("--project ID", "As `psychmem doctor --status` shows it; default: all of the team's.")]
Team = Annotated[str, option("--team NAME", "Where one hub serves several teams.")]
MemberRole = Annotated[str, option("--role", "An admin may purge for all.", among=server.ROLES)]
hub = group(share, "hub", "Run the PostgreSQL server through which a team meets.")


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
            sqlite.set_meta(act.db, kinds.NAME, " ".join(as_.split())[:60])
        called = kinds.device_name(act.db)
    others = "What others say there belongs to its project, rules are pending in `psychmem review`; with --mine it is yours."
    told = {"name": name, "url": whole, "mine": mine, "device": device, "as": called, "dry_run": workspace.dry_run}
    workspace.show(told, *([] if mine else [others]), f"Next: `psychmem share --with {name}`.")


@share.command("list")
def listing(workspace: Workspace) -> None:
    """The remotes there are, and what goes to each."""
    with workspace.reading() as db:
        found = status_of(db, str(workspace.database))["remotes"]
    workspace.show(found, *([] if found else [NO_REMOTE]))


@share.command("remove", writes=True)
def remove(workspace: Workspace, name: Name) -> None:
    """Forget a remote. What came from it stays here, what went there stays there."""
    with workspace.acting() as act:
        gone = operations.remote(act.db, name)
        operations.remove_remote(act.db, name)
    workspace.show({"removed": name, "url": gone.url, "dry_run": workspace.dry_run}, "What was written there stays there.")


@share.command("start", writes=True, here=True)
def start(workspace: Workspace, with_: With, personal: Personal = False) -> None:
    """Share a project's memories, or your own, from now on."""
    _set_sharing(workspace, with_, personal=personal, wanted=True)


@share.command("stop", writes=True, here=True)
def stop(workspace: Workspace, with_: With, personal: Personal = False) -> None:
    """Stop sharing a project's memories, or your own. What went there stays there."""
    _set_sharing(workspace, with_, personal=personal, wanted=False)


def _set_sharing(workspace: Workspace, name: str, *, personal: bool, wanted: bool) -> None:
    here = workspace.project_id or ""
    refuse_if(not (personal or here), "you stand in no project; give its directory, or --personal for what is remembered of you")
    if not personal and here.startswith("dir:"):
        unknown = "this project has no git remote, so another machine cannot know it for the same"
        raise RefusedError(f'{unknown}; write id = "NAME" into .psychmem.toml in it, on every machine')
    what: Place = ("personal", "", "") if personal else ("project", "", here)
    with workspace.acting() as act:
        found = operations.remote(act.db, name)
        if wanted and personal and not (found.mine or kinds.keeps_apart(found.url)):
            raise RefusedError(f"others write to {name} too; what is remembered of you goes only where `--mine` was given")
        if wanted:
            operations.share(act.db, what, name)
        elif not operations.unshare(act.db, what, name):
            raise RefusedError(f"it does not go to {name}")
    told = {"scope": what[0], "project": what[2], "remote": name, "shared": wanted, "dry_run": workspace.dry_run}
    workspace.show(told, "`psychmem share now --dry-run` shows what goes there." if wanted else "What went there stays there.")


@share.command("now", writes=True, looks=True)
def now(
    workspace: Workspace,
    what: Annotated[str, argument("[status]", "Show the state instead of syncing.")] = "",
    with_: Annotated[list[str] | None, option("--with REMOTE", "Only this one; may be given again.")] = None,
) -> None:
    """Sync now: send what is shared, take in what others sent. It also happens after an agent's stop."""
    usage_error_if(what not in ("", "status"), f"{what!r} is neither nothing nor status", "[status]")
    with workspace.store() as db:
        names = [operations.remote(db, name).name for name in with_ or ()]
        shared = set[str]().union(*operations.shares(db).values())
    if workspace.dry_run or what:  # how things stand, or what would leave; whatever is noted on the way is taken back
        with workspace._replace(dry_run=True).acting() as act:
            if not what:
                return _show_outgoing(workspace, act.db, exchange.leaving(act.db, str(workspace.database), names))
            state, leaving = status_of(act.db, str(workspace.database)), exchange.leaving(act.db, str(workspace.database))
            for one in state["remotes"]:
                one["leaving"] = len(leaving.get(one["name"], ()))
            if workspace.json:
                return output.print_json(state)
            dead = Counter((one["remote"], one["device"], one["why"]) for one in state["dead_letters"])
            state["dead_letters"] = [{"remote": by, "device": of, "why": why, "lines": dead[by, of, why]} for by, of, why in dead]
            return output.plain([*state.pop("remotes"), state])
    if found := exchange.met(workspace.workplace, workspace.now, names, deadline_s=_DEADLINE_S, patient=True, wait_s=_WAIT_S):
        workspace.note_unchanged()
    if any(one.memories or one.purged for one in found):
        workspace.refresh()
    lines = [] if found else [NO_REMOTE]
    for one in found:
        counts = (f"sent {one.sent}, received {one.received}", f"{one.memories} changed here", f"{one.purged} purged")
        aside = f"{one.dead} put aside, see `psychmem share status`"
        lines.append(f"{one.remote}: {'; '.join([part for part in (*counts, aside) if not part.startswith('0 ')])}")
    workspace.answer([one._asdict() for one in found], *lines)
    for one in found:
        if one.remote not in shared and not workspace.json:
            output.say(f"Nothing is shared with {one.remote} yet; `psychmem share start --with {one.remote}` does that.")
        output.warn(*(f"{one.remote}: {trouble}" for trouble in filter(None, (one.fault, *one.notes))))
    if any(one.fault for one in found):
        raise typer.Exit(1)


@share.command(writes=True)
def trust(
    workspace: Workspace,
    author: Annotated[str | None, argument("[NAME]", "A person from whom memories come by sync.")] = None,
    rules: Annotated[bool | None, option("--rules/--no-rules", _RULES)] = None,
    with_: Annotated[str, option("--with REMOTE", "With NAME: where they write, if the name comes by several.")] = "",
    not_: Annotated[bool, option("--not", "With NAME: their rules are pending again.")] = False,
    yes: Yes = False,
) -> None:
    """Trust this repository's name or rules, or a person's rules. Alone: its name, which another project used first."""
    usage_error_if(not_ and author is None, "whose? name the person", "NAME")
    if author is not None:
        from psychmem_py.sync.receive import trusted  # noqa: PLC0415  # with what it compares statements by: for this alone

        with workspace.acting() as act:
            changed = trusted(act, author, remote=with_, trusting=not not_)
        return workspace.show({"author": author, "trusted": not not_, "memories": [*changed], "dry_run": workspace.dry_run})
    if rules is not None:
        return _trust_rules(workspace, wanted=rules, yes=yes)
    name = projects.resolved(os.getcwd(), workspace.env)[1]
    found = workspace.project if workspace.dry_run else projects.trust(os.getcwd(), workspace.env)
    workspace._replace(project=found).note_unchanged()  # `undo` looks for it in the project that this directory is in now
    there = rule_files(workspace.project.root) if workspace.project else []
    brings = [f"It brings {output.counted(len(there), 'rule')}: `psychmem share trust --rules` shows and asks."] if there else []
    told = {"project": found.id if found else None, "shares": name or None, "dry_run": workspace.dry_run}
    workspace.show(told, *([] if name else ["Nothing needs your trust here.", *brings]))


def _trust_rules(workspace: Workspace, *, wanted: bool, yes: bool) -> None:
    if (project := workspace.project) is None:
        raise RefusedError("this directory belongs to no project; go into the repository whose rules you mean")
    there = rule_files(project.root)
    with workspace.store() as db:  # an answer whose memory was undone or forgotten may be given again
        given = read_only.answers(db, project.id)
        memories = rows.several(db, [one.memory_id for one in given.trusted.values()])
    living = {key for key, memory in memories.items() if memory.status is not Status.FORGOTTEN}
    given = given._replace(trusted={path: one for path, one in given.trusted.items() if one.memory_id in living})
    asked = unanswered(there, given) if wanted else there
    for rule in there if not workspace.json else ():
        known = given.trusted.get(rule.path)
        state = "new" if known is None else "counts" if known.digest == rule.digest else "changed"
        when = f"when {', '.join(rule.triggers)} comes up" if rule.triggers else "always"
        output.say(f"{rule.path} ({state}; {rule.tier.value}; {when})\n  {rule.text}")
    number = output.counted(len(asked), "rule")
    if wanted and asked:
        workspace.ask(f"Let {number} count in {project.name}?", yes=yes)
    with workspace.acting() as act:
        done = approve_rules(act, project, asked) if wanted else reject_rules(act, project, asked)
    output.warn(*(warning for one in done for warning in one.warnings if not workspace.json))
    if not there:
        said = "This repository brings no rules: no CONSTITUTION.md, nothing in .psychmem/rules/ or .opencode/skill/*/constitutional/."
    elif asked:
        said = f"{number} {'counts' if len(asked) == 1 else 'count'} here" if wanted else "None of them counts here"
        said += " from now on; `psychmem undo` takes it back."
    else:
        said = "All of them count here already."
    told = [output.picked(rule, "title tier triggers text", file=rule.path) for rule in asked]
    answer = {"dry_run": workspace.dry_run, "rules": told, "memories": [output.row(one.memory) for one in done]}
    workspace.answer(answer, f"{'dry run: ' * workspace.dry_run}{said}")


@hub.command("init")
def init(workspace: Workspace, url: Url) -> None:
    """Make the tables and the role, or bring them up to date. Then say what is left to do."""
    server.set_up(server.checked(url))
    workspace.answer({"ready": True, "left": server.LEFT}, "The hub is ready. Left to do:", *server.LEFT)


@hub.command("grant")
def grant(
    workspace: Workspace, url: Url, name: Member, project: HubProject = "", team: Team = "", role: MemberRole = "writer"
) -> None:
    """Make somebody a member of a project, or of all of a team's."""
    made = server.add_member(server.checked(url), name, project=project, team=team, role=role)
    login = f"The login {name} is new and has no password; set one with \\password {name} in psql."
    told = {"member": name, "team": team, "project": project, "role": role, "login_made": made}
    workspace.show(told, *([login] if made else []))


@hub.command("revoke")
def revoke(workspace: Workspace, url: Url, name: Member, project: HubProject = "", team: Team = "") -> None:
    """End a membership of a project, or of all of the team's. What reached their machine before stays there."""
    gone = server.remove_member(server.checked(url), name, project=project or None, team=team)
    workspace.show({"member": name, "ended": gone}, "What reached their machine before stays there.")


def status_of(db: sqlite3.Connection, database: str) -> dict[str, Any]:
    """Everything there is to know without asking the remotes, as JSON has it."""
    device, shares, found = exchange.own_device(db, database), operations.shares(db), list[dict[str, Any]]()
    for remote in operations.remotes(db):
        others = [(lane, mark) for lane, mark in operations.marks(db, remote.name).items() if lane.device != device]
        read = [output.picked(mark, "author", mine=bool(mark.mine), read=mark.seq, at=output.iso(mark.at)) for _, mark in others]
        lanes = [output.picked(lane, "device scope project", **how) for (lane, _), how in zip(others, read, strict=True)]
        goes = sorted(project or scope for (scope, _, project), names in shares.items() if remote.name in names)
        more = {"synced_at": output.iso(remote.synced_at), "shares": goes, "lanes": lanes}
        found.append(output.picked(remote, "name url mine failed_times fault", **more))
    dead = [{"remote": one.remote, "device": one.lane[0], "seq": one.seq, "why": one.why} for one in operations.dead_letters(db)]
    trusted = [f"{name} by {remote}" for remote, name in sorted(operations.trusted(db))]
    return {"device": device, "as": kinds.device_name(db), "remotes": found, "dead_letters": dead, "trusted": trusted}


def _show_outgoing(workspace: Workspace, db: sqlite3.Connection, found: Mapping[str, Sequence[ops.Op]]) -> None:
    rows = [{"remote": name, "operations": [json.loads(ops.line(op)) for op in said]} for name, said in found.items()]
    lines = list[str]()
    for name, leaving in found.items():
        said = {op.memory: op.kind for op in leaving}
        said |= {op.memory: clip(line(str(op.value)), 100) for op in leaving if op.field == "text"}
        number, known = output.counted(len(leaving), "operation"), output.counted(len(said), "memory")
        lines.append(f"dry run: {name} would be sent {number} about {known}")
        whole = operations.made_where(db, name, [*said])
        lines += [f"  {output.short(memory)} {words}{'' if memory in whole else _NOT_WHOLE}" for memory, words in said.items()]
    workspace.answer(rows, *(lines or [NO_REMOTE]))
