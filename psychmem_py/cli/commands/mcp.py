"""mcp: the tools for agents that ask. Loads the protocol's SDK, which nothing else does."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated
from uuid import uuid4

import typer

from psychmem_py.cli.app import app, examples
from psychmem_py.cli.context import workspace_of
from psychmem_py.curation.documents import Library
from psychmem_py.errors import PsychMemError
from psychmem_py.installation import extras
from psychmem_py.installation.mcp_servers import Tools
from psychmem_py.mcp_door.desk import Desk


@app.command(epilog=examples("psychmem install --mcp", "claude mcp add psychmem -- psychmem mcp"), json=False)
def mcp(
    tools: Annotated[
        Tools,
        typer.Option(
            "--tools",
            help="`six`: search, get, save, update, forget, context. `stm`, `speckit`, `all`: also those of the STM server, of Spec Kit, of both.",
        ),
    ] = Tools.SIX,
) -> None:
    """Serve the memory as tools over the Model Context Protocol, on stdin and stdout. Clients start it."""
    if not extras.is_there(extras.MCP):
        raise PsychMemError(extras.mend(extras.MCP, "the tools need"))
    from psychmem_py.mcp_door.server import complete  # noqa: PLC0415  # it imports the SDK, which may not be there

    root = os.environ.get("CLAUDE_PROJECT_DIR", "")
    workspace = workspace_of(Path(root) if root and os.path.isdir(root) else None)
    session = workspace.session or f"mcp-{uuid4().hex}"
    library = Library(workspace.project.root) if workspace.project else None
    desk = Desk(workspace.env, workspace.settings, workspace.project, workspace.agent, session, [], [], library)
    complete(desk, tools).run("stdio")
