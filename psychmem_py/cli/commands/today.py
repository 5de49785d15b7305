"""psychmem today: what came today, what waits, what is about to fade."""

from __future__ import annotations

from datetime import datetime

from psychmem_py.cli import output
from psychmem_py.cli.app import app, examples
from psychmem_py.cli.context import Json, ProjectOption, workspace_of
from psychmem_py.curation.history import SOON_D
from psychmem_py.curation.history import today as looked_at


@app.command(epilog=examples("psychmem today", "psychmem today --json"))
def today(project: ProjectOption = None, json_: Json = False) -> None:
    """What was kept today, what waits for your word, and what is about to fade, here and of you."""
    workspace = workspace_of(project)
    began = datetime.fromtimestamp(workspace.now).astimezone().replace(hour=0, minute=0, second=0, microsecond=0).timestamp()
    with workspace.reading() as db:
        found = looked_at(db, workspace.project_id, workspace.settings, began=began, now=workspace.now)
    if json_:
        return output.print_json({name: [output.row(one) for one in group] for name, group in found._asdict().items()})
    titles = {"kept": "Kept today", "waiting": "Waits for your word", "fading": f"Fades within {SOON_D} days"}
    for name, group in found._asdict().items():
        output.say(f"{titles[name]}: {'' if group else 'nothing'}")
        for one in group:
            output.say(f"  {output.short(one.id)} {one.text}")
