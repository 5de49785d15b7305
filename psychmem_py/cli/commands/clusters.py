"""psychmem clusters: what says nearly the same, to be merged or let be."""

from __future__ import annotations

from typing import Annotated

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import app, examples
from psychmem_py.cli.context import AllProjects, Json, ProjectOption, workspace_of
from psychmem_py.memory.clusters import LINK, clusters
from psychmem_py.store import rows


@app.command("clusters", epilog=examples("psychmem clusters", "psychmem clusters --link 0.7"))
def clusters_(
    project: ProjectOption = None,
    all_projects: AllProjects = False,
    link: Annotated[float, typer.Option("--link", metavar="0..1", min=0.5, max=1, help="How alike two must be.")] = LINK,
    json_: Json = False,
) -> None:
    """Memories that say nearly the same, in groups; `psychmem merge` makes one of a group."""
    workspace = workspace_of(project)
    with workspace.reading() as db:
        found = clusters(rows.listed(db, project=workspace.project_id, all_projects=all_projects), link)
    if json_:
        told = [
            {"cohesion": round(one.cohesion, 4), "memories": [output.row(memory) for memory in one.memories]} for one in found
        ]
        return output.print_json(told)
    if not found:
        return output.say("No two memories here say nearly the same.")
    for one in found:
        output.say(f"{len(one.memories)} memories, cohesion {one.cohesion:.2f}:")
        for memory in one.memories:
            output.say(f"  {output.short(memory.id)} {memory.text}")
        output.say(f"  psychmem merge {' '.join(output.short(memory.id) for memory in one.memories)}")
