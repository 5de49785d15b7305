"""The projects memories belong to, as they were last seen."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple


class ProjectSeen(NamedTuple):
    """A project as it was last seen."""

    id: str
    name: str
    root: str
    seen_at: float


def see_project(db: sqlite3.Connection, key: str, name: str, root: str, now: float) -> None:
    db.execute(
        "insert into project (id, name, root, seen_at) values (?,?,?,?) on conflict (id) do update set"
        " name = excluded.name, root = excluded.root, seen_at = excluded.seen_at",
        (key, name, root, now),
    )


def projects(db: sqlite3.Connection) -> dict[str, ProjectSeen]:
    """Every project ever worked in, by id."""
    return {
        line[0]: ProjectSeen(*line) for line in db.execute("select id, name, root, seen_at from project order by seen_at desc")
    }
