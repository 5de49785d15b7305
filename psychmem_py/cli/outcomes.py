"""What a command that changed something says: which memory, what was done to it, what else changed with it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence

from psychmem_py.agents import claude_memory
from psychmem_py.agents.event import Request
from psychmem_py.cli import output
from psychmem_py.cli.context import Workspace
from psychmem_py.curation.act import Outcome
from psychmem_py.errors import PsychMemError
from psychmem_py.home.places import data_folder
from psychmem_py.home.project import Project, project_of
from psychmem_py.home.surroundings import Surroundings
from psychmem_py.installation import registration
from psychmem_py.model.records import ChangeType, LinkType, Memory
from psychmem_py.store import search, sessions


def refresh(workspace: Workspace) -> None:
    """Brings the memory folders that hold something of ours up to date, and the rules for tool calls; a folder that cannot be written
    is told and left. A dry run has changed nothing.
    """
    if workspace.dry_run:
        return
    with workspace.store() as db:
        try:
            _prepare_rules(workspace, db)
        except (OSError, PsychMemError) as exc:
            output.warn(f"rules before tool calls are what they were until the next session: {exc}")
        for seen in sessions.projects(db).values():
            folder = claude_memory.folder_of(seen.root, workspace.env)
            try:
                if registration.holds_ours(folder):
                    from psychmem_py.briefing import ready_files  # noqa: PLC0415  # 15 ms that many do without

                    project = Project(seen.id, seen.name, seen.root)
                    ready_files.refresh(db, project, workspace.settings, workspace.env, cwd=seen.root, now=workspace.now)
            except (OSError, PsychMemError) as exc:
                output.warn(f"{folder.path} still shows what it showed before: {exc}")
        search.keep_up(db, database=str(workspace.database), data=data_folder(workspace.env))


def _prepare_rules(workspace: Workspace, db: sqlite3.Connection) -> None:
    """For where we stand and for the top of the project at hand: what a person types, or an agent keeps in the middle of a turn, holds
    from the next call on.
    """
    if not workspace.settings.retrieval.act_reminders:
        return
    from psychmem_py.briefing import ready_files  # noqa: PLC0415  # 5 ms that commands which only look do without

    around = Surroundings(workspace.env, workspace.now)
    for directory in {os.getcwd(), workspace.project.root if workspace.project else ""} - {""}:
        request = Request("before", workspace.agent or "claude-code", workspace.session, directory)
        ready_files.fill_rules(db, request, project_of(directory, workspace.env), around)


_KNOWN = {ChangeType.REINFORCE: "known already, counted once more", ChangeType.MERGE: "known already, reworded"}


def tell(workspace: Workspace, done: Sequence[Outcome], verb: str, **more: object) -> None:
    """What a command did, with `more` in JSON, after bringing the memory folders up to date."""
    refresh(workspace)
    for warning in (warning for outcome in done for warning in outcome.warnings):
        output.warn(warning)
    if workspace.json:
        printed = [{**output.row(outcome.memory), **beside(outcome), **more} for outcome in done]
        return output.print_json(printed[0] if len(printed) == 1 else printed)
    for outcome in done:
        memory = outcome.memory
        did = _KNOWN.get(outcome.changes[0].type, verb) if outcome.changes and verb == "remembered" else verb
        deed = did if outcome.changes else "nothing to do for"
        about = ", ".join((memory.kind.value, whose(workspace, memory), memory.status.value))
        output.say(f"{'dry run: ' if workspace.dry_run else ''}{deed} {output.short(memory.id)} ({about}): {memory.text}")
        found = beside(outcome)
        for old in found.get("replaces", ()):
            output.say(f"replaces {output.short(old['id'])}: {old['text']}; `psychmem undo` brings it back")
        for other in found.get("contradicts", ()):
            output.say(f"both stand; `psychmem forget {output.short(other['id'])}` if the older no longer holds")
        for kept in found.get("kept", ()):
            output.say(f"kept from it as {output.short(kept['id'])}: {kept['text']}")


def beside(outcome: Outcome) -> dict[str, list[dict[str, str]]]:
    """What else changed: `replaces`, what no longer holds; `kept`, clauses of it that still do; `contradicts`, what it cannot be
    followed together with.
    """
    replaced = (one.before for one in outcome.changes if one.type is ChangeType.SUPERSEDE)
    kept = (one.after for one in outcome.changes if one.type is ChangeType.ADD and one.memory_id != outcome.memory.id)
    against = ((one.link, one.reason.partition(": ")[2]) for one in outcome.changes)
    told = {
        name: [output.picked(one, "id text") for one in found if one] for name, found in (("replaces", replaced), ("kept", kept))
    }
    told["contradicts"] = [{"id": tie.target, "text": text} for tie, text in against if tie and tie.type is LinkType.CONTRADICTS]
    return {name: found for name, found in told.items() if found}


def whose(workspace: Workspace, memory: Memory) -> str:
    """Where a memory is told, in words: "in every project", "in the project shop"."""
    if memory.project is None:
        return "in every project"
    own = workspace.project and workspace.project.id == memory.project
    return f"in the project {workspace.project.name if workspace.project and own else output.last_part(memory.project)}"
