"""psychmem forget: memories out of use by id or by subject, or off the disk. Apart, because subjects load names and scripts."""

from __future__ import annotations

from typing import Annotated

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import app, examples
from psychmem_py.cli.context import Yes, workspace_of
from psychmem_py.cli.forgetting import forget_about, purge_ids
from psychmem_py.cli.outcomes import tell
from psychmem_py.curation import actions, links


@app.command(
    epilog=examples("psychmem forget 3f2a91cc", "psychmem forget 3f2a91cc --purge --yes", 'psychmem forget --about "Zhang Wei"'),
    writes=True,
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
) -> None:
    """Take memories out of use, or off the disk with --purge. `psychmem undo` brings them back, except after --purge."""
    if bool(memory_ids) == bool(about.strip()):
        raise typer.BadParameter("give either IDs or --about TEXT", param_hint="ID")
    workspace = workspace_of()
    if about:
        return forget_about(workspace, about, purge=purge, yes=yes)
    keys = memory_ids or []
    if purge:
        return purge_ids(workspace, keys, yes=yes)
    with workspace.acting() as act:
        done = actions.forget(act, keys)
        gone = {one.memory.id for one in done}
        left = {one.id: one for key in gone for one in links.dependents(act.db, key) if one.id not in gone}
    tell(workspace, done, "forgot")
    for one in left.values():
        output.warn(f"{output.short(one.id)} was built on it and stays: {one.text}")
