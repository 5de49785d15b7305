"""What the next session is told, as people ask for it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from psychmem_py.briefing import next_start
from psychmem_py.briefing.brief import Occasion
from psychmem_py.briefing.repository_rules import checked
from psychmem_py.cli.context import Here
from psychmem_py.home import health
from psychmem_py.model.settings import Settings


def next_session(db: sqlite3.Connection, place: Here, folder: Path | None, settings: Settings | None = None) -> Occasion:
    """The start of the next session in `folder`, or where we stand; with what went wrong in hooks, which that session hears first."""
    rules = checked(db, place.project, place.now)
    found = next_start.occasion(
        db,
        place.project,
        str(folder or Path.cwd()),
        settings=settings or place.settings,
        env=place.env,
        now=place.now,
        rules=rules,
    )
    notice = health.notice(place.directories.data)
    return found._replace(notices=[notice, *found.notices]) if notice else found
