"""Commands by which a person judges and ties memories: accept, good, bad, vote, touch, link, unlink."""

from __future__ import annotations

from typing import Annotated

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import app, examples
from psychmem_py.cli.context import DryRun, Id, Json, workspace_of
from psychmem_py.cli.memory_folders import refresh
from psychmem_py.cli.outcomes import tell
from psychmem_py.curation import actions, links
from psychmem_py.memory.forgetting_models import usage_score
from psychmem_py.model.terms import LinkType


@app.command(epilog=examples("psychmem accept 3f2a91cc"))
def accept(memory_ids: Annotated[list[str], typer.Argument(metavar="ID")], dry_run: DryRun = False, json_: Json = False) -> None:
    """Let what `psychmem review` shows become a memory; you vouch for it."""
    workspace = workspace_of()
    with workspace.acting(dry_run=dry_run) as act:
        done = [actions.accept(act, one) for one in memory_ids]
    tell(workspace, done, "accepted", dry_run=dry_run, json_=json_)


@app.command(epilog=examples("psychmem good 3f2a91cc"))
def good(memory_id: Id, dry_run: DryRun = False, json_: Json = False) -> None:
    """Say that a memory helped: it grows stronger."""
    _vote(memory_id, praise=True, dry_run=dry_run, json_=json_)


@app.command(epilog=examples("psychmem bad 3f2a91cc"))
def bad(memory_id: Id, dry_run: DryRun = False, json_: Json = False) -> None:
    """Say that a memory did not help: it grows weaker."""
    _vote(memory_id, praise=False, dry_run=dry_run, json_=json_)


@app.command(epilog=examples("psychmem vote 3f2a91cc good"))
def vote(
    memory_id: Id, judgement: Annotated[str, typer.Argument(metavar="good|bad")], dry_run: DryRun = False, json_: Json = False
) -> None:
    """Say whether a memory helped; the same as `good ID` and `bad ID`."""
    if judgement not in ("good", "bad"):
        raise typer.BadParameter("say good or bad", param_hint="good|bad")
    _vote(memory_id, praise=judgement == "good", dry_run=dry_run, json_=json_)


@app.command(epilog=examples("psychmem touch 3f2a91cc"))
def touch(memory_id: Id, dry_run: DryRun = False, json_: Json = False) -> None:
    """Count a use of a memory, as if it had come up; tells its score before and after."""
    workspace = workspace_of()
    with workspace.acting(dry_run=dry_run) as act:
        outcome = actions.touch(act, memory_id)
    known = outcome.changes[0].before or outcome.memory
    old, new = (round(usage_score(one, workspace.now), 4) for one in (known, outcome.memory))
    if json_:
        if not dry_run:
            refresh(workspace)
        return output.print_json({**output.row(outcome.memory), "old_score": old, "new_score": new})
    tell(workspace, [outcome], "touched", dry_run=dry_run, json_=False)
    output.say(f"score {old} -> {new}")


Target = Annotated[str, typer.Argument(metavar="TARGET", help="The other memory's id.")]
Type = Annotated[str, typer.Option("--type", help=", ".join(LinkType))]


@app.command(epilog=examples("psychmem link 3f2a91cc 77b0c1de --type caused"))
def link(
    memory_id: Id, target: Target, type_: Type = LinkType.RELATES_TO.value, dry_run: DryRun = False, json_: Json = False
) -> None:
    """Tie two memories; `psychmem why ID` walks along ties of cause (caused, derives_from, enabled, supports)."""
    workspace = workspace_of()
    with workspace.acting(dry_run=dry_run) as act:
        made = links.link(act, memory_id, target, _link_type(type_))
    if json_:
        return output.print_json(output.link_row(made))
    output.say(
        f"{'would link' if dry_run else 'linked'} {output.short(made.source)} {made.type.value} {output.short(made.target)}"
    )


@app.command(epilog=examples("psychmem unlink 3f2a91cc 77b0c1de"))
def unlink(memory_id: Id, target: Target, type_: Type = "", dry_run: DryRun = False, json_: Json = False) -> None:
    """Take a tie away: of one type, or all between the two."""
    workspace = workspace_of()
    kind = _link_type(type_) if type_ else None
    with workspace.acting(dry_run=dry_run) as act:
        gone = links.unlink(act, memory_id, target, kind)
    if json_:
        return output.print_json([output.link_row(tie) for tie in gone])
    for tie in gone:
        output.say(
            f"{'would unlink' if dry_run else 'unlinked'} {output.short(tie.source)} {tie.type.value} {output.short(tie.target)}"
        )


def _vote(memory_id: str, *, praise: bool, dry_run: bool, json_: bool) -> None:
    workspace = workspace_of()
    with workspace.acting(dry_run=dry_run) as act:
        outcome = actions.vote(act, memory_id, good=praise)
    tell(workspace, [outcome], f"voted {'good' if praise else 'bad'} for", dry_run=dry_run, json_=json_)


def _link_type(name: str) -> LinkType:
    if name not in set(LinkType):
        raise typer.BadParameter(f"there is no link type {name!r}; use {', '.join(LinkType)}", param_hint="--type")
    return LinkType(name)
