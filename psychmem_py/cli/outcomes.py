"""What a command prints after a change: the memory, what was done to it, and what else changed."""

from __future__ import annotations

import os
from collections.abc import Sequence

from psychmem_py.agents.event import Request
from psychmem_py.cli import output
from psychmem_py.cli.context import Workspace
from psychmem_py.curation import history
from psychmem_py.curation.act import Outcome
from psychmem_py.errors import PsychMemError
from psychmem_py.home.places import folder_of
from psychmem_py.home.project import Project, project_of
from psychmem_py.home.surroundings import Surroundings
from psychmem_py.model.records import ChangeType, LinkType
from psychmem_py.safety.fence import CLASS_LABELS
from psychmem_py.store import search, sessions

_KNOWN = {ChangeType.REINFORCE: "known already, counted once more", ChangeType.MERGE: "known already, reworded"}
_EFFECTS = {
    "replaces": "replaces {id}: {text}; `psychmem undo` brings it back",
    "kept": "kept from it as {id}: {text}",
    "contradicts": "both stand; `psychmem forget {id}` if the older no longer holds",
}


def refresh(workspace: Workspace) -> None:
    """Brings memory folders and the rules for tool calls up to date; warns of a folder that cannot be written."""
    if workspace.dry_run:
        return
    from psychmem_py.briefing import ready_files  # noqa: PLC0415  # 15 ms that commands which only look do without

    around, here = Surroundings(workspace.env, workspace.now), workspace.project.root if workspace.project else ""
    with workspace.store() as db:
        try:  # for the current directory and the project's root: a new rule applies from the next call on
            for directory in {os.getcwd(), here} - {""}:
                request = Request("before", workspace.who.agent or "claude-code", workspace.who.session, directory)
                ready_files.fill_rules(db, request, project_of(directory, workspace.env), around)
        except (OSError, PsychMemError) as exc:
            output.warn(f"rules before tool calls are what they were until the next session: {exc}")
        projects = [Project(seen.id, seen.name, seen.root) for seen in sessions.projects(db).values()]
        output.warn(*ready_files.refresh_folders(db, projects, workspace.settings, workspace.env, workspace.now))
        search.add_vectors(db, database=str(workspace.database), data=folder_of("data", workspace.env))


def say_done(workspace: Workspace, done: Sequence[Outcome], verb: str, **more: object) -> None:
    """What a command did, with `more` in JSON, after bringing the memory folders up to date."""
    refresh(workspace)
    output.warn(*(warning for outcome in done for warning in outcome.warnings))
    if workspace.json:
        printed = [{**output.row(outcome.memory), **_effects(outcome), **more} for outcome in done]
        return output.print_json(printed[0] if len(printed) == 1 else printed)
    for outcome in done:
        memory = outcome.memory
        did = _KNOWN.get(outcome.changes[0].type, verb) if outcome.changes and verb == "remembered" else verb
        deed = did if outcome.changes else "nothing to do for"
        here = {workspace.project.id: workspace.project.name} if workspace.project else {}
        where = f"in the project {history.place_name(memory.project, here)}" if memory.project else "in every project"
        about = f"{CLASS_LABELS[memory.kind]}, {where}, {memory.status.value}"
        output.say(f"{'dry run: ' if workspace.dry_run else ''}{deed} {output.short(memory.id)} ({about}): {memory.text}")
        for name, found in _effects(outcome).items():
            output.say(*(_EFFECTS[name].format(id=output.short(one["id"]), text=one["text"]) for one in found))


def _effects(outcome: Outcome) -> dict[str, list[dict[str, str]]]:
    """What else changed: memories it replaces, clauses kept of them, and memories it contradicts."""
    told: dict[str, list[dict[str, str]]] = {name: [] for name in _EFFECTS}
    for change in outcome.changes:
        if change.type is ChangeType.SUPERSEDE and change.before:
            told["replaces"].append(output.picked(change.before, "id text"))
        if change.type is ChangeType.ADD and change.after and change.memory_id != outcome.memory.id:
            told["kept"].append(output.picked(change.after, "id text"))
        if change.link and change.link.type is LinkType.CONTRADICTS:
            told["contradicts"].append({"id": change.link.target, "text": change.reason.partition(": ")[2]})
    return {name: found for name, found in told.items() if found}
