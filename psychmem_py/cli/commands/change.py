"""Commands that change what is stored: remember, edit, forget, undo, pin, unpin. Each is one batch of the change log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import EVERYDAY, app, examples
from psychmem_py.cli.context import DryRun, Here, Id, Json, ProjectOption, Yes, choice, class_of, end, fields, here
from psychmem_py.cli.forgetting import forget_about, purge_ids
from psychmem_py.cli.memory_folders import refresh
from psychmem_py.curation import actions, history
from psychmem_py.curation.act import Outcome
from psychmem_py.curation.actions import Edit
from psychmem_py.model.records import Change, Memory
from psychmem_py.model.terms import ChangeType, LinkType, Scope, Tier

Class = Annotated[str, typer.Option("--class", metavar="CLASS", help="constraint, preference, procedural, learning, decision, …")]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="A word to find it by; may be given again.")]
Metadata = Annotated[
    list[str] | None, typer.Option("--metadata", metavar="FIELD=VALUE", help="A field of its class; may be given again.")
]
Until = Annotated[str, typer.Option("--until", metavar="DAY", help="It ends then: friday, 3 days, 2026-03-01.")]
User = Annotated[bool, typer.Option("--user", help="It holds in every project.")]


@app.command(
    rich_help_panel=EVERYDAY,
    epilog=examples(
        'psychmem edit 3f2a91cc "Deploy only from main, after the tests"', "psychmem edit 3f2a91cc --class decision --project ."
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
    dry_run: DryRun = False,
    json_: Json = False,
) -> None:
    """Change a memory's wording, class, scope, tags, metadata, end or tier."""
    wording = text or new_text
    if not (wording or kind or user or project or tag or tier or metadata or until):
        raise typer.BadParameter("say what is to change: TEXT, --class, --user, --project, --tag, --metadata, --until or --tier")
    place = here(project)
    with place.acting(dry_run=dry_run) as act:
        wanted = Edit(
            text=wording or None,
            kind=class_of(kind) if kind else None,
            scope=Scope.USER if user else Scope.PROJECT if project else None,
            project=place.project_id,
            tags=tag,
            metadata=fields(metadata),
            expires_at=end(until, place.now),
        )
        outcome = actions.edit(act, memory_id, wanted)
        if tier:
            outcome = actions.set_tier(act, outcome.memory.id, choice(tier, Tier, "--tier"))
    tell(place, [outcome], "changed", dry_run=dry_run, json_=json_)


@app.command(
    rich_help_panel=EVERYDAY,
    epilog=examples("psychmem forget 3f2a91cc", "psychmem forget 3f2a91cc --purge --yes", 'psychmem forget --about "Zhang Wei"'),
)
def forget(
    memory_ids: Annotated[list[str] | None, typer.Argument(metavar="ID", help="One memory or several.")] = None,
    about: Annotated[
        str, typer.Option("--about", metavar="TEXT", help="All that speaks of this, in whatever spelling or script.")
    ] = "",
    purge: Annotated[
        bool, typer.Option("--purge", help="Leave no byte of the text in any file of ours. Cannot be undone.")
    ] = False,
    yes: Yes = False,
    dry_run: DryRun = False,
    json_: Json = False,
) -> None:
    """Take memories out of use; `psychmem undo` brings them back, except after --purge."""
    if bool(memory_ids) == bool(about.strip()):
        raise typer.BadParameter("give either IDs or --about TEXT", param_hint="ID")
    place = here()
    if about:
        return forget_about(place, about, purge=purge, yes=yes, dry_run=dry_run, json_=json_)
    keys = memory_ids or []
    if purge:
        return purge_ids(place, keys, yes=yes, dry_run=dry_run, json_=json_)
    with place.acting(dry_run=dry_run) as act:
        done = actions.forget(act, keys)
    tell(place, done, "forgot", dry_run=dry_run, json_=json_)


@app.command(
    rich_help_panel=EVERYDAY,
    epilog=examples("psychmem undo", "psychmem undo --dry-run", "psychmem undo 4711   (a line of `psychmem history ID`)"),
)
def undo(
    target: Annotated[
        str, typer.Argument(metavar="WHAT", help="A line or batch of `psychmem history`; usual: the last change here.")
    ] = "",
    project: ProjectOption = None,
    all_projects: Annotated[bool, typer.Option("--all-projects", help="The last change in whatever project.")] = False,
    dry_run: DryRun = False,
    json_: Json = False,
) -> None:
    """Take back the last command or extraction that changed something here, or a named one."""
    place = here(project)
    with place.acting(dry_run=dry_run) as act:
        taken = history.undo(act, target or None, project=place.project_id, all_projects=all_projects)
    steps = taken.steps
    if not dry_run:
        refresh(place)
    if json_:
        return output.print_json(
            [
                {"id": step.memory_id, "type": step.type.value, "status": step.after.status.value if step.after else None}
                for step in steps
            ]
        )
    first = taken.lines[0]
    deeds = ", ".join(dict.fromkeys(history.deed(one) for one in taken.lines))
    output.say(
        f"{'would take back' if dry_run else 'took back'} what {first.who or 'you'} did {_when(first.at, place.now)} ({deeds}):"
    )
    for step in steps:
        output.say(f"  {output.short(step.memory_id)} {_now_there(step)}")


@app.command(rich_help_panel=EVERYDAY, epilog=examples("psychmem pin 3f2a91cc"))
def pin(memory_id: Id, dry_run: DryRun = False, json_: Json = False) -> None:
    """Let a memory never fade and always be told."""
    place = here()
    with place.acting(dry_run=dry_run) as act:
        outcome = actions.pin(act, memory_id)
    tell(place, [outcome], "pinned", dry_run=dry_run, json_=json_)


@app.command(rich_help_panel=EVERYDAY, epilog=examples("psychmem unpin 3f2a91cc"))
def unpin(memory_id: Id, dry_run: DryRun = False, json_: Json = False) -> None:
    """Let a pinned memory live like any other."""
    place = here()
    with place.acting(dry_run=dry_run) as act:
        outcome = actions.pin(act, memory_id, pinned=False)
    tell(place, [outcome], "unpinned", dry_run=dry_run, json_=json_)


def _when(at: float, now: float) -> str:
    told = output.ago(at, now)
    return "just now" if told == "now" else f"{told} ago"


def _now_there(step: Change) -> str:
    """How a memory is after an undo: gone, back as it was, or back with what is different."""
    if step.after is None:
        return f"is gone: {step.before.text if step.before else ''}"
    if step.before is None:
        return f"is back ({step.after.status.value}): {step.after.text}"
    different = history.differences(step)
    return f"is back ({different or 'as it was'}): {step.after.text}"


_KNOWN = {
    ChangeType.REINFORCE: "known already, counted once more",
    ChangeType.MERGE: "known already, worded anew",
}


def tell(place: Here, done: Sequence[Outcome], verb: str, *, dry_run: bool, json_: bool) -> None:
    """What a command did, after bringing the memory folders up to date."""
    if not dry_run:
        refresh(place)
    for warning in (warning for outcome in done for warning in outcome.warnings):
        output.warn(warning)
    if json_:
        printed = [{**output.row(outcome.memory), **beside(outcome)} for outcome in done]
        return output.print_json(printed[0] if len(printed) == 1 else printed)
    for outcome in done:
        memory = outcome.memory
        deed = (
            (_KNOWN.get(outcome.changes[0].type, verb) if verb == "remembered" else verb)
            if outcome.changes
            else "nothing to do for"
        )
        about = ", ".join((memory.kind.value, whose(place, memory), memory.status.value))
        output.say(f"{'dry run: ' if dry_run else ''}{deed} {output.short(memory.id)} ({about}): {memory.text}")
        found = beside(outcome)
        for old in found.get("replaces", ()):
            output.say(f"replaces {output.short(old['id'])}: {old['text']}; `psychmem undo` brings it back")
        for kept in found.get("kept", ()):
            output.say(f"kept from it as {output.short(kept['id'])}: {kept['text']}")


def beside(outcome: Outcome) -> dict[str, list[dict[str, str]]]:
    """What else changed: `replaces`, what no longer holds; `kept`, clauses of it that still do; `contradicts`, what it cannot be
    followed together with.
    """
    changed = {
        "replaces": [change.before for change in outcome.changes if change.type is ChangeType.SUPERSEDE],
        "kept": [
            change.after for change in outcome.changes if change.type is ChangeType.ADD and change.memory_id != outcome.memory.id
        ],
    }
    told = {name: [{"id": one.id, "text": one.text} for one in found if one] for name, found in changed.items()}
    told["contradicts"] = [
        {"id": change.link.target, "text": change.reason.partition(": ")[2]}
        for change in outcome.changes
        if change.link and change.link.type is LinkType.CONTRADICTS
    ]
    return {name: found for name, found in told.items() if found}


def whose(place: Here, memory: Memory) -> str:
    """Where a memory is told, in words: "told in every project", "in the project shop"."""
    if memory.project is None:
        return "told in every project"
    own = place.project and place.project.id == memory.project
    return f"in the project {place.project.name if place.project and own else output.last_part(memory.project)}"
