"""psychmem checkpoint: named copies of the store."""

from __future__ import annotations

from typing import Annotated

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import app, examples, group
from psychmem_py.cli.context import DryRun, Json, Yes, ask, workspace_of
from psychmem_py.cli.memory_folders import refresh
from psychmem_py.store.care import checkpoints

checkpoint = group("Copies of the whole store, to go back to.")
app.add_typer(checkpoint, name="checkpoint")


@checkpoint.command("create", epilog=examples("psychmem checkpoint create before-cleanup"))
def create(name: Annotated[str, typer.Argument(metavar="NAME")], dry_run: DryRun = False, json_: Json = False) -> None:
    """Copy the store as it is now."""
    workspace = workspace_of()
    if dry_run:
        would = {"name": name, "database": str(workspace.database), "dry_run": True}
        return output.print_json(would) if json_ else output.say(f"would copy {workspace.database} as {name}")
    with workspace.store() as db:
        made = checkpoints.create(db, workspace.database, name)
    _tell_checkpoints([made], json_=json_)


@checkpoint.command("list", epilog=examples("psychmem checkpoint list"))
def listing(json_: Json = False) -> None:
    """The copies there are, oldest first."""
    _tell_checkpoints(checkpoints.listing(workspace_of().database), json_=json_)


@checkpoint.command("restore", epilog=examples("psychmem checkpoint restore before-cleanup"))
def restore(name: Annotated[str, typer.Argument(metavar="NAME")], dry_run: DryRun = False, json_: Json = False) -> None:
    """Bring every memory back to how it was then; `psychmem undo` takes it back."""
    workspace = workspace_of()
    with workspace.acting(dry_run=dry_run) as act:
        made = checkpoints.restore(act.db, workspace.database, name, now=act.now, batch=act.batch)
    if not dry_run:
        refresh(workspace)
    if json_:
        return output.print_json({"name": name, "changed": len(made), "dry_run": dry_run})
    output.say(f"{'would change' if dry_run else 'changed'} {output.counted(len(made), 'memory or link', 'memories and links')}")


@checkpoint.command("delete", epilog=examples("psychmem checkpoint delete before-cleanup"))
def delete(
    name: Annotated[str, typer.Argument(metavar="NAME")], yes: Yes = False, dry_run: DryRun = False, json_: Json = False
) -> None:
    """Remove a copy; the store itself is not touched."""
    if dry_run:
        found = [one for one in checkpoints.listing(workspace_of().database) if one.name == name]
        return _tell_checkpoints(found, json_=json_) if found else output.say(f"there is no checkpoint called {name}")
    if not yes:
        ask(f"Remove the checkpoint {name} for good?")
    checkpoints.delete(workspace_of().database, name)
    return output.print_json({"removed": name}) if json_ else output.say(f"removed {name}")


def _tell_checkpoints(found: list[checkpoints.Checkpoint], *, json_: bool) -> None:
    if json_:
        return output.print_json([{**one._asdict(), "at": output.iso(one.at)} for one in found])
    if not found:
        return output.say("There are no checkpoints; `psychmem checkpoint create NAME` makes one.")
    for one in found:
        output.say(f"{one.name}  {output.iso(one.at)}  {one.size_bytes // 1024} KB  {one.path}")
