"""psychmem project, move and merge: where memories belong, and several made one."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import app, examples, group
from psychmem_py.cli.context import DryRun, Json, Yes, ask, workspace_of
from psychmem_py.cli.memory_folders import refresh
from psychmem_py.cli.outcomes import tell
from psychmem_py.curation import placing
from psychmem_py.errors import RefusedError
from psychmem_py.home.project import project_of
from psychmem_py.model.terms import Scope
from psychmem_py.store import projects
from psychmem_py.store.projects import ProjectSeen

project = group("The projects that memories belong to.")
app.add_typer(project, name="project")

Name = Annotated[str, typer.Argument(metavar="PROJECT", help="Its name, id or directory.")]


@project.command("list", epilog=examples("psychmem project list"))
def list_projects(json_: Json = False) -> None:
    """Every project with how many memories it has, where it is and when it was last worked in."""
    workspace = workspace_of()
    with workspace.reading() as db:
        found = projects.with_counts(db)
    if json_:
        return output.print_json(
            [
                {
                    "id": one.id,
                    "name": one.name,
                    "root": one.root,
                    "seen_at": output.iso(one.seen_at),
                    "memories": number,
                    "waiting": waits,
                }
                for one, number, waits in found
            ]
        )
    if not found:
        return output.say("No project is known yet.")
    made = output.table("name", "memories", "wait", "last", "text")
    made.columns[4].header = "directory, or id where it has none"
    for one, number, waits in found:
        where = output.cell(one.root or one.id)
        made.add_row(output.cell(one.name), str(number), str(waits or ""), output.ago(one.seen_at, workspace.now), where)
    output.out.print(made)


@project.command("rename", epilog=examples("psychmem project rename shop webshop"))
def rename(
    name: Name, new: Annotated[str, typer.Argument(metavar="NEW-NAME")], dry_run: DryRun = False, json_: Json = False
) -> None:
    """Call a project otherwise in lists; its id, and so its memories, stay."""
    workspace = workspace_of()
    workspace.who.must_be_person("rename a project")
    if not new.strip():
        raise typer.BadParameter("a name needs a letter", param_hint="NEW-NAME")
    with workspace.acting(dry_run=dry_run) as act:
        found = placing.named(projects.projects(act.db), name)
        projects.rename(act.db, found.id, new.strip())
    if json_:
        return output.print_json({"id": found.id, "name": new.strip(), "was": found.name})
    output.say(f"{'dry run: ' if dry_run else ''}{found.name} is called {new.strip()}; `psychmem project rename` changes it back")


@project.command("merge", epilog=examples("psychmem project merge old-shop shop"))
def merge_projects(
    source: Annotated[str, typer.Argument(metavar="FROM", help="The project that is emptied.")],
    target: Annotated[str, typer.Argument(metavar="INTO", help="The one that gets its memories; a directory may be new here.")],
    dry_run: DryRun = False,
    json_: Json = False,
) -> None:
    """Move all memories of one project into another; `psychmem undo --all-projects` takes it back."""
    workspace = workspace_of()
    workspace.who.must_be_person("merge projects")
    with workspace.acting(dry_run=dry_run) as act:
        aim = _target(act.db, target, workspace.env, workspace.now)
        known = projects.projects(act.db)
        one, other = placing.named(known, source), known[aim]
        moved, doubles = placing.merge_projects(act, one.id, other.id)
    if not dry_run:
        refresh(workspace)
    if json_:
        return output.print_json({"moved": [out.memory.id for out in moved], "known": [out.memory.id for out in doubles]})
    would = "would move" if dry_run else "moved"
    output.say(
        f"{would} {output.some_memories(len(moved))} from {one.name} to {other.name}; {len(doubles)} {'was' if len(doubles) == 1 else 'were'} known there already"
    )


@project.command("forget", epilog=examples("psychmem project forget old-shop --dry-run"))
def forget_project(name: Name, yes: Yes = False, dry_run: DryRun = False, json_: Json = False) -> None:
    """Take everything of a project out of use; `psychmem undo --all-projects` brings it back."""
    workspace = workspace_of()
    with workspace.store() as db:
        found = placing.named(projects.projects(db), name)
    if not (yes or dry_run):
        ask(f"Forget everything of {found.name} ({found.id})?")
    with workspace.acting(dry_run=dry_run) as act:
        done = placing.forget_project(act, found.id)
    if not dry_run:
        refresh(workspace)
    if json_:
        return output.print_json([out.memory.id for out in done])
    output.say(f"{'would forget' if dry_run else 'forgot'} {output.some_memories(len(done))} of {found.name}")


@app.command(epilog=examples("psychmem move 3f2a91cc --to ../shop", "psychmem move 3f2a91cc 77b0c1de --user"))
def move(
    memory_ids: Annotated[list[str], typer.Argument(metavar="ID", help="One memory or several.")],
    to: Annotated[str, typer.Option("--to", metavar="PROJECT", help="A project's directory, name or id.")] = "",
    user: Annotated[bool, typer.Option("--user", help="It holds in every project.")] = False,
    dry_run: DryRun = False,
    json_: Json = False,
) -> None:
    """Let memories hold in another project, or in every one."""
    if bool(to) == user:
        raise typer.BadParameter("say where: --to PROJECT or --user", param_hint="--to")
    workspace = workspace_of()
    with workspace.acting(dry_run=dry_run) as act:
        target = None if user else _target(act.db, to, workspace.env, workspace.now)
        done = placing.move(act, memory_ids, Scope.USER if user else Scope.PROJECT, target)
    tell(workspace, done, "moved", dry_run=dry_run, json_=json_)


@app.command(
    epilog=examples("psychmem merge 3f2a91cc 77b0c1de", 'psychmem merge 3f2a91cc 77b0c1de --text "Deploy from main on Mondays"'),
)
def merge(
    memory_ids: Annotated[list[str], typer.Argument(metavar="ID", help="The first stays, the others go into it.")],
    text: Annotated[str, typer.Option("--text", metavar="TEXT", help="The wording of what stays; usual: the first's.")] = "",
    dry_run: DryRun = False,
    json_: Json = False,
) -> None:
    """Make one memory of several that say the same; `psychmem undo` parts them again."""
    workspace = workspace_of()
    with workspace.acting(dry_run=dry_run) as act:
        outcome = placing.merge(act, memory_ids, text or None)
    tell(workspace, [outcome], "merged into", dry_run=dry_run, json_=json_)


def _target(db: sqlite3.Connection, to: str, env: Mapping[str, str], now: float) -> str:
    """The id of the project that a directory belongs to, or that has this name or id."""
    if Path(to).is_dir():
        found = project_of(to, env)
        if found is None:
            raise RefusedError(f"{to} belongs to no project")
        projects.see_project(db, *found, now)
        return found.id
    seen: ProjectSeen = placing.named(projects.projects(db), to)
    return seen.id
