"""psychmem list: what is remembered, chosen and sorted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from typing import Annotated

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import EVERYDAY, app, examples
from psychmem_py.cli.context import (
    AllProjects,
    Json,
    OnlyAfter,
    OnlyClass,
    OnlyPinned,
    OnlyState,
    OnlyStatus,
    OnlyTag,
    OnlyTier,
    OnlyUser,
    ProjectOption,
    choice,
    class_of,
    day,
    statuses,
    workspace_of,
)
from psychmem_py.curation import history
from psychmem_py.memory import forgetting
from psychmem_py.memory.forgetting import Band
from psychmem_py.model.records import Memory
from psychmem_py.model.terms import Scope, Standing, Tier
from psychmem_py.store import projects, rows


class Order(StrEnum):
    """What `list` may be sorted by, the greatest first."""

    CREATED = "created"
    UPDATED = "updated"
    IMPORTANCE = "importance"
    STRENGTH = "strength"


class Grouping(StrEnum):
    """What `list` may be parted by, each part under a heading."""

    PLACE = "place"
    CLASS = "class"
    DAY = "day"


_ORDERS: dict[Order, Callable[[Memory], float]] = {
    Order.UPDATED: lambda memory: memory.updated_at,
    Order.IMPORTANCE: lambda memory: memory.importance,
    Order.STRENGTH: lambda memory: memory.strength,
}


@app.command(
    "list",
    rich_help_panel=EVERYDAY,
    epilog=examples(
        "psychmem list", "psychmem list --all-projects --by place", "psychmem list --class constraint --sort strength --json"
    ),
)
def list_(
    project: ProjectOption = None,
    all_projects: AllProjects = False,
    status: OnlyStatus = "",
    kind: OnlyClass = "",
    tag: OnlyTag = None,
    after: OnlyAfter = "",
    user: OnlyUser = False,
    pinned: OnlyPinned = False,
    standing: Annotated[
        str,
        typer.Option("--standing", metavar="|".join(Standing), help="Only what was heard once, or only what has been borne out."),
    ] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", min=0, help="At most this many; 0: all.")] = 0,
    offset: Annotated[int, typer.Option("--offset", min=0, help="Leave out this many first.")] = 0,
    sort: Annotated[Order, typer.Option("--sort", help="Which come first.")] = Order.CREATED,
    by: Annotated[
        Grouping | None, typer.Option("--by", help="Part the list: by where each is told, its class or its day.")
    ] = None,
    tier: OnlyTier = "",
    state: OnlyState = "",
    as_of: Annotated[
        str, typer.Option("--as-of", metavar="DATE", help="As the store was on that day, by when things were written.")
    ] = "",
    json_: Json = False,
) -> None:
    """What is remembered of you and of this project, newest first."""
    workspace = workspace_of(project)
    asked = [name for name, given in (("--class", kind), ("--tag", tag), ("--status", status), ("--after", after), ("--user", user),
             ("--pinned", pinned), ("--standing", standing), ("--as-of", as_of), ("--tier", tier), ("--state", state), ("--offset", offset)) if given]  # fmt: skip
    with workspace.looking() as db:
        names = projects.names(db)
        chosen = partial(history.as_of, db, day(as_of, "--as-of")) if as_of else partial(rows.listed, db)
        found = chosen(
            project=workspace.project_id,
            all_projects=all_projects,
            statuses=statuses(status),
            kinds=[class_of(kind)] if kind else (),
            scopes=[Scope.USER] if user else (),
            tags=tag or (),
            pinned=True if pinned else None,
            standings=[choice(standing, Standing, "--standing")] if standing else (),
            after=day(after, "--after") if after else None,
        )
        if tier:
            wanted = choice(tier, Tier, "--tier")
            found = [memory for memory in found if memory.tier is wanted]
        if state:
            band = choice(state, Band, "--state")
            found = [memory for memory in found if forgetting.state_of(memory, workspace.now, workspace.settings) is band]
        if sort is not Order.CREATED:
            found = sorted(found, key=_ORDERS[sort], reverse=True)
        found = found[offset : offset + limit if limit else None]
        elsewhere = 0 if found else len(rows.listed(db, project=workspace.project_id, all_projects=all_projects or not asked))
    if json_:
        return output.print_json([output.row(memory) for memory in found])
    if not found:
        return output.say(_nothing(asked, elsewhere))
    if by is None:
        return output.memories(found, workspace.now, names)
    _tell_parts(found, by, workspace.now, names)


def _tell_parts(found: Sequence[Memory], by: Grouping, now: float, names: Mapping[str, str]) -> None:
    """The list part by part, each under its heading."""
    parts: dict[str, list[Memory]] = {}
    for memory in found:
        parts.setdefault(_heading(memory, by, names), []).append(memory)
    for heading, part in parts.items():
        output.out.print(output.cell(f"{heading} ({len(part)})", "bold underline"))
        output.memories(part, now, names)
        output.out.print()


def _heading(memory: Memory, by: Grouping, names: Mapping[str, str]) -> str:
    if by is Grouping.PLACE:
        return output.told_in(memory, names)
    return memory.kind.value if by is Grouping.CLASS else (output.iso(memory.created_at) or "")[:10]


def _nothing(asked: Sequence[str], others: int) -> str:
    """Why a list is empty: because of what was asked for, because all there is is elsewhere, or because nothing is remembered."""
    if asked and others:
        return f"{'The one memory here does not fit' if others == 1 else f'None of the {others} memories here fits'} {' '.join(asked)}; `psychmem list` shows them all."
    if others:
        return f"Nothing is remembered here, but {output.some_memories(others)} {'is' if others == 1 else 'are'} in other projects; --all-projects shows {'it' if others == 1 else 'them'}."
    return "Nothing is remembered yet; `psychmem remember TEXT` adds something, `psychmem backfill` reads what your agents still have."
