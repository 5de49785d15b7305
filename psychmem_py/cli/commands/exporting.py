"""psychmem export: all memories, as JSON lines or Markdown."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import app, examples
from psychmem_py.cli.context import workspace_of
from psychmem_py.curation import exports
from psychmem_py.sources import own_markdown
from psychmem_py.store import projects

_MARKDOWN = ("markdown", "md")


@app.command(epilog=examples("psychmem export > memories.jsonl", "psychmem export --format markdown -o memories.md"), here=True)
def export(
    format_: Annotated[
        str, typer.Option("--format", help="jsonl, or markdown to read and edit; `import --exact` takes both back whole.")
    ] = "jsonl",
    target: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Usual: stdout.")] = None,
) -> None:
    """Print all memories, as JSON lines or Markdown. With --project those of one project and yours."""
    workspace = workspace_of()
    if workspace.json and format_ in _MARKDOWN:
        raise typer.BadParameter("give one of the two", param_hint="--json and --format markdown")
    if format_ not in ("jsonl", *_MARKDOWN):
        raise typer.BadParameter("use jsonl or markdown", param_hint="--format")
    with workspace.reading() as db:
        lines = list(exports.export(db, project=workspace.project_id, all_projects=not workspace.placed))
        if format_ in _MARKDOWN:
            lines = list(own_markdown.written(map(json.loads, lines), projects.names(db)))
    text = "".join(f"{line}\n" for line in lines)
    if target is None:
        sys.stdout.write(text)
    else:
        output.write_file(target, text)
