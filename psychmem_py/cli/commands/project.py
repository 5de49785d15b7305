"""psychmem project: whole projects renamed, merged, forgotten."""

from __future__ import annotations

from typing import Annotated

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import app, examples, group
from psychmem_py.cli.context import Yes, ask, project_named, workspace_of
from psychmem_py.cli.outcomes import refresh
from psychmem_py.curation import placing
from psychmem_py.store import projects

project = group("The projects that memories belong to.")
app.add_typer(project, name="project")

Name = Annotated[str, typer.Argument(metavar="PROJECT", help="Its name, id or directory.")]


@project.command("rename", epilog=examples("psychmem project rename shop webshop"), writes=True)
def rename(name: Name, new: Annotated[str, typer.Argument(metavar="NEW-NAME")]) -> None:
    """Call a project otherwise in lists. Its id, and so its memories, stay."""
    workspace = workspace_of()
    if not new.strip():
        raise typer.BadParameter("a name needs a letter", param_hint="NEW-NAME")
    with workspace.acting() as act:
        found = placing.named(projects.projects(act.db), name)
        projects.rename(act.db, found.id, new.strip())
    if workspace.json:
        return output.print_json({"id": found.id, "name": new.strip(), "was": found.name})
    output.say(
        f"{'dry run: ' if workspace.dry_run else ''}{found.name} is called {new.strip()}; `psychmem project rename` changes it back"
    )


@project.command("merge", epilog=examples("psychmem project merge old-shop shop"), writes=True)
def merge_projects(
    source: Annotated[str, typer.Argument(metavar="FROM", help="The project that is emptied.")],
    target: Annotated[str, typer.Argument(metavar="INTO", help="The one that gets its memories; a directory may be new here.")],
) -> None:
    """Move all memories of one project into another. `psychmem undo --all-projects` takes it back."""
    workspace = workspace_of()
    with workspace.acting() as act:
        aim = project_named(act.db, target, workspace)
        known = projects.projects(act.db)
        one, other = placing.named(known, source), known[aim]
        moved, doubles = placing.merge_projects(act, one.id, other.id)
    if not workspace.dry_run:
        refresh(workspace)
    if workspace.json:
        return output.print_json({"moved": [out.memory.id for out in moved], "known": [out.memory.id for out in doubles]})
    would = "would move" if workspace.dry_run else "moved"
    output.say(
        f"{would} {output.some_memories(len(moved))} from {one.name} to {other.name}; {len(doubles)} {'was' if len(doubles) == 1 else 'were'} known there already"
    )


@project.command("forget", epilog=examples("psychmem project forget old-shop --dry-run"), writes=True)
def forget_project(name: Name, yes: Yes = False) -> None:
    """Take everything of a project out of use. `psychmem undo --all-projects` brings it back."""
    workspace = workspace_of()
    with workspace.store() as db:
        found = placing.named(projects.projects(db), name)
    if not (yes or workspace.dry_run):
        ask(f"Forget everything of {found.name} ({found.id})?")
    with workspace.acting() as act:
        done = placing.forget_project(act, found.id)
    if not workspace.dry_run:
        refresh(workspace)
    if workspace.json:
        return output.print_json([out.memory.id for out in done])
    output.say(f"{'would forget' if workspace.dry_run else 'forgot'} {output.some_memories(len(done))} of {found.name}")
