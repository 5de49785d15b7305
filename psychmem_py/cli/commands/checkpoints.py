"""psychmem checkpoint: named copies of the store."""

from __future__ import annotations

from typing import Annotated

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import app, examples, group
from psychmem_py.cli.context import Workspace, Yes, ask, workspace_of
from psychmem_py.cli.memory_folders import refresh
from psychmem_py.store.care import checkpoints

checkpoint = group("Copies of the whole store, to go back to.")
app.add_typer(checkpoint, name="checkpoint")


@checkpoint.command("create", epilog=examples("psychmem checkpoint create before-cleanup"), writes=True)
def create(name: Annotated[str, typer.Argument(metavar="NAME")]) -> None:
    """Copy the store as it is now."""
    workspace = workspace_of()
    if workspace.dry_run:
        would = {"name": name, "database": str(workspace.database), "dry_run": True}
        return output.print_json(would) if workspace.json else output.say(f"would copy {workspace.database} as {name}")
    with workspace.store() as db:
        made = checkpoints.create(db, workspace.database, name)
    _tell_checkpoints(workspace, [made])


@checkpoint.command("list", epilog=examples("psychmem checkpoint list"))
def listing() -> None:
    """The copies there are, oldest first."""
    workspace = workspace_of()
    _tell_checkpoints(workspace, checkpoints.listing(workspace.database))


@checkpoint.command("restore", epilog=examples("psychmem checkpoint restore before-cleanup"), writes=True)
def restore(name: Annotated[str, typer.Argument(metavar="NAME")]) -> None:
    """Bring every memory back to how it was then; `psychmem undo` takes it back."""
    workspace = workspace_of()
    with workspace.acting() as act:
        made = checkpoints.restore(act.db, workspace.database, name, now=act.now, batch=act.batch)
    if not workspace.dry_run:
        refresh(workspace)
    if workspace.json:
        return output.print_json({"name": name, "changed": len(made), "dry_run": workspace.dry_run})
    output.say(
        f"{'would change' if workspace.dry_run else 'changed'} {output.counted(len(made), 'memory or link', 'memories and links')}"
    )


@checkpoint.command("delete", epilog=examples("psychmem checkpoint delete before-cleanup"), writes=True)
def delete(name: Annotated[str, typer.Argument(metavar="NAME")], yes: Yes = False) -> None:
    """Remove a copy; the store itself is not touched."""
    workspace = workspace_of()
    if workspace.dry_run:
        found = [one for one in checkpoints.listing(workspace.database) if one.name == name]
        return _tell_checkpoints(workspace, found) if found else output.say(f"there is no checkpoint called {name}")
    if not yes:
        ask(f"Remove the checkpoint {name} for good?")
    checkpoints.delete(workspace.database, name)
    return output.print_json({"removed": name}) if workspace.json else output.say(f"removed {name}")


def _tell_checkpoints(workspace: Workspace, found: list[checkpoints.Checkpoint]) -> None:
    if workspace.json:
        return output.print_json([{**one._asdict(), "at": output.iso(one.at)} for one in found])
    if not found:
        return output.say("There are no checkpoints; `psychmem checkpoint create NAME` makes one.")
    for one in found:
        output.say(f"{one.name}  {output.iso(one.at)}  {one.size_bytes // 1024} KB  {one.path}")
