"""psychmem review and sort: what waits for a person's word, and the word itself for many at once."""

from __future__ import annotations

import shlex
import sqlite3
from typing import Annotated

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import JUDGING, app, examples
from psychmem_py.cli.context import AllProjects, DryRun, Json, ProjectOption, here
from psychmem_py.cli.memory_folders import refresh
from psychmem_py.curation import actions
from psychmem_py.curation.by_subject import about
from psychmem_py.errors import RefusedError
from psychmem_py.extraction.lookups import FORGET_ABOUT
from psychmem_py.memory.admission import AUTHOR
from psychmem_py.model.records import Memory
from psychmem_py.model.terms import LinkType, Standing, Status
from psychmem_py.store import candidates, projects, rows

Heard = Annotated[bool, typer.Option("--heard", help="Also what was heard once and nobody has borne out yet.")]


@app.command(rich_help_panel=JUDGING, epilog=examples("psychmem review", "psychmem review --heard", "psychmem review --json"))
def review(project: ProjectOption = None, all_projects: AllProjects = False, heard: Heard = False, json_: Json = False) -> None:
    """What waits for you: rules that no person stated, with who proposed them, when and where; `psychmem sort` answers."""
    place = here(project)
    with place.store() as db:
        names = projects.names(db)
        found = rows.listed(db, project=place.project_id, all_projects=all_projects, statuses=[Status.QUARANTINED])
        wishes = {} if json_ else _wishes(db)
        if heard:
            found += rows.listed(db, project=place.project_id, all_projects=all_projects, standings=[Standing.HEARD])
        against = {
            memory.id: [
                other
                for link in rows.links(db, memory.id)
                if link.type is LinkType.CONTRADICTS
                and (other := rows.get(db, link.target if link.source == memory.id else link.source)) is not None
            ]
            for memory in found
        }
    if json_:
        return output.print_json(
            [
                {
                    **output.row(one),
                    **({"contradicts": [output.row(other) for other in against[one.id]]} if against[one.id] else {}),
                }
                for one in found
            ]
        )
    for subject, number in wishes.items():
        output.say(
            f"In a conversation you asked to forget all about {subject}; {number} memories speak of it:"
            f" `psychmem forget --about {shlex.quote(subject)}` lists them and asks."
        )
    if not found:
        return output.say(
            "Nothing waits for review." if heard else "Nothing waits for review; --heard shows what was heard once."
        )
    output.memories(found, place.now, names)
    for one in found:
        output.say(f"{output.short(one.id)}: {_proposed(one, place.now)}")
        for other in against[one.id]:
            output.say(
                f"  against it stands {output.short(other.id)}, of {dict(other.metadata).get(AUTHOR, 'you')}: {other.text}"
            )
    output.say("`psychmem sort KEEP-ID … --drop ID …` answers; `accept`, `edit` and `forget` do it one by one.")


def _wishes(db: sqlite3.Connection) -> dict[str, int]:
    """The subjects that a person asked a conversation to forget, each with how many memories still speak of it."""
    subjects = dict.fromkeys(item.candidate.text for item in candidates.with_reason(db, FORGET_ABOUT))
    counted = {subject: len(about(db, subject, every_status=False).memories) for subject in subjects}
    return {subject: number for subject, number in counted.items() if number}


def _proposed(memory: Memory, now: float) -> str:
    """Who proposed a memory, when and in which conversation."""
    who = dict(memory.metadata).get(AUTHOR) or memory.agent or memory.origin.value.replace("_", " ")
    session = f", session {memory.session[:8]}" if memory.session else ""
    age = output.ago(memory.created_at, now)
    return f"from {who}, {age if age == 'now' else f'{age} ago'}{session}, said by {memory.origin.value.replace('_', ' ')}"


@app.command(rich_help_panel=JUDGING, epilog=examples("psychmem sort 3f2a91cc 77b0c1de --drop 0a1b2c3d"))
def sort(
    keep: Annotated[list[str] | None, typer.Argument(metavar="KEEP-ID", help="To be kept: you vouch for them.")] = None,
    drop: Annotated[list[str] | None, typer.Option("--drop", metavar="ID", help="To be forgotten; may be given again.")] = None,
    dry_run: DryRun = False,
    json_: Json = False,
) -> None:
    """Keep some and drop others of what `psychmem review` shows, all or none; one `psychmem undo` takes it back."""
    if not keep and not drop:
        raise typer.BadParameter("name what to keep, or what to --drop", param_hint="KEEP-ID")
    place = here()
    if place.agent:
        raise RefusedError("only a person may review what waits; run the command in a terminal of your own")
    with place.acting(dry_run=dry_run) as act:
        kept = [actions.accept(act, one).memory for one in keep or ()]
        dropped = [one.memory for one in actions.forget(act, drop or ())]
    if not dry_run:
        refresh(place)
    if json_:
        return output.print_json({"kept": [output.row(one) for one in kept], "dropped": [output.row(one) for one in dropped]})
    for word, found in (("kept", kept), ("dropped", dropped)):
        for one in found:
            output.say(f"{'dry run: ' if dry_run else ''}{word} {output.short(one.id)}: {one.text}")
