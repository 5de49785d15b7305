"""Commands that change what is stored: edit, undo, pin, unpin. Each is one batch of the change log."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import app, examples
from psychmem_py.cli.context import (
    Class,
    DryRun,
    Id,
    Json,
    Metadata,
    ProjectOption,
    Tags,
    Until,
    User,
    choice,
    class_of,
    end,
    fields,
    workspace_of,
)
from psychmem_py.cli.editor import can_edit, edited
from psychmem_py.cli.memory_folders import refresh
from psychmem_py.cli.outcomes import tell
from psychmem_py.curation import actions, history
from psychmem_py.curation.actions import Edit
from psychmem_py.errors import RefusedError
from psychmem_py.model.records import Change
from psychmem_py.model.terms import Scope, Tier
from psychmem_py.store import rows

_STEPS = 20  # of an undo that are told one by one


@app.command(
    epilog=examples(
        'psychmem edit 3f2a91cc "Deploy only from main, after the tests"',
        "psychmem edit 3f2a91cc --class decision --project .",
        "psychmem edit 3f2a91cc   (in $EDITOR)",
    ),
)
def edit(
    memory_id: Id,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The new wording.")] = "",
    new_text: Annotated[str, typer.Option("--text", help="The new wording, as an option.")] = "",
    kind: Class = "",
    user: User = False,
    project: ProjectOption = None,
    tag: Tags = None,
    metadata: Metadata = None,
    until: Until = "",
    tier: Annotated[str, typer.Option("--tier", help="constitutional, critical, important, normal, temporary, deprecated")] = "",
    editor: Annotated[
        bool, typer.Option("--editor", "-e", help="Word it anew in $EDITOR; usual where nothing else is said.")
    ] = False,
    dry_run: DryRun = False,
    json_: Json = False,
) -> None:
    """Change, pin, move, link or rate a memory; enforce a rule."""
    wording = text or new_text
    changes = wording or kind or user or project or tag or tier or metadata or until
    before = ""
    if editor or (not changes and can_edit(os.environ) and not workspace_of().agent):
        before, wording = _from_editor(memory_id)
        if not wording:
            return output.say("nothing changed")
    if not (wording or changes):
        raise typer.BadParameter("say what is to change: TEXT, --class, --user, --project, --tag, --metadata, --until or --tier")
    workspace = workspace_of(project)
    with workspace.acting(dry_run=dry_run) as act:
        if before and (by_now := rows.by_id(act.db, memory_id).text) != before:
            raise RefusedError(f"it says {by_now!r} by now, changed while you edited it; you had worded it {wording!r}")
        wanted = Edit(
            text=wording or None,
            kind=class_of(kind) if kind else None,
            scope=Scope.USER if user else Scope.PROJECT if project else None,
            project=workspace.project_id,
            tags=tag,
            metadata=fields(metadata),
            expires_at=end(until, workspace.now),
        )
        outcome = actions.edit(act, memory_id, wanted)
        if tier:
            outcome = actions.set_tier(act, outcome.memory.id, choice(tier, Tier, "--tier"))
    tell(workspace, [outcome], "changed", dry_run=dry_run, json_=json_)


@app.command(
    epilog=examples("psychmem undo", "psychmem undo --dry-run", "psychmem undo 4711   (a line of `psychmem history ID`)"),
)
def undo(
    target: Annotated[
        str | None, typer.Argument(metavar="WHAT", help="A line or batch of `psychmem history`; usual: the last change here.")
    ] = None,
    project: ProjectOption = None,
    all_projects: Annotated[bool, typer.Option("--all-projects", help="The last change in whatever project.")] = False,
    dry_run: DryRun = False,
    json_: Json = False,
) -> None:
    """Take back the last change here, or a named one. A change is a command or what was kept of a conversation."""
    workspace = workspace_of(project)
    with workspace.acting(dry_run=dry_run) as act:
        taken = history.undo(act, target, project=workspace.project_id, all_projects=all_projects)
    steps = taken.steps
    if not dry_run:
        refresh(workspace)
    if json_:
        return output.print_json(
            [
                {"id": step.memory_id, "type": step.type.value, "status": step.after.status.value if step.after else None}
                for step in steps
            ]
        )
    first = taken.lines[0]
    deeds = ", ".join(dict.fromkeys(history.action_of(one) for one in taken.lines))
    output.say(
        f"{'would take back' if dry_run else 'took back'} what {first.who or 'you'} did {_when(first.at, workspace.now)} ({deeds}):"
    )
    for step in steps[:_STEPS]:
        output.say(f"  {output.short(step.memory_id)} {_now_there(step)}")
    if len(steps) > _STEPS:
        output.say(f"  and {len(steps) - _STEPS} more")


@app.command(epilog=examples("psychmem pin 3f2a91cc"))
def pin(memory_id: Id, dry_run: DryRun = False, json_: Json = False) -> None:
    """Let a memory never fade and always be told."""
    workspace = workspace_of()
    with workspace.acting(dry_run=dry_run) as act:
        outcome = actions.pin(act, memory_id)
    tell(workspace, [outcome], "pinned", dry_run=dry_run, json_=json_)


@app.command(epilog=examples("psychmem unpin 3f2a91cc"))
def unpin(memory_id: Id, dry_run: DryRun = False, json_: Json = False) -> None:
    """Let a pinned memory live like any other."""
    workspace = workspace_of()
    with workspace.acting(dry_run=dry_run) as act:
        outcome = actions.pin(act, memory_id, pinned=False)
    tell(workspace, [outcome], "unpinned", dry_run=dry_run, json_=json_)


def _from_editor(memory_id: str) -> tuple[str, str]:
    """The memory's text, and as the person's editor leaves it; "" where it was left as it is."""
    workspace = workspace_of()
    with workspace.store() as db:
        before = rows.by_id(db, memory_id).text
    after = edited(before, workspace.directories.data, workspace.env)
    return before, "" if after == before else after


def _when(at: float, now: float) -> str:
    told = output.since(at, now)
    return f"just {told}" if told == output.NOW else told


def _now_there(step: Change) -> str:
    """How a memory is after an undo: gone, back as it was, or back with what is different."""
    if step.after is None:
        return f"is gone: {step.before.text if step.before else ''}"
    if step.before is None:
        return f"is back ({step.after.status.value}): {step.after.text}"
    different = history.differences(step)
    return f"is back ({different or 'as it was'}): {step.after.text}"
