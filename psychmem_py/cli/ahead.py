"""What the next session is told, as people ask for it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from psychmem_py.briefing import next_start
from psychmem_py.briefing.brief import Occasion
from psychmem_py.briefing.repository_rules import checked
from psychmem_py.cli.context import Workspace
from psychmem_py.home import health
from psychmem_py.model.settings import Settings


def next_session(db: sqlite3.Connection, workspace: Workspace, folder: Path | None, settings: Settings | None = None) -> Occasion:
    """The start of the next session in `folder`, or where we stand; with what went wrong in hooks, which that session hears first."""
    rules = checked(db, workspace.project, workspace.now)
    found = next_start.occasion(
        db,
        workspace.project,
        str(folder or Path.cwd()),
        settings=settings or workspace.settings,
        env=workspace.env,
        now=workspace.now,
        rules=rules,
    )
    notice = health.notice(workspace.directories.data)
    return found._replace(notices=[notice, *found.notices]) if notice else found
