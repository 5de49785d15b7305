"""What the next session is told, as people ask for it."""

from __future__ import annotations

import os
import sqlite3

from psychmem_py.briefing import next_start
from psychmem_py.briefing.brief import Occasion
from psychmem_py.briefing.repository_rules import checked
from psychmem_py.cli.context import Workspace
from psychmem_py.home import health
from psychmem_py.model.settings import Settings


def next_session(db: sqlite3.Connection, workspace: Workspace, settings: Settings | None = None) -> Occasion:
    """The start of the next session where we stand, or in the project named; with what went wrong in hooks, which that session hears first."""
    rules = checked(db, workspace.project, workspace.now)
    found = next_start.occasion(
        db,
        workspace.project,
        workspace.folder or os.getcwd(),
        settings=settings or workspace.settings,
        env=workspace.env,
        now=workspace.now,
        rules=rules,
    )
    notice = health.notice(workspace.directories.data)
    return found._replace(notices=[notice, *found.notices]) if notice else found
