"""The projects memories belong to, as they were last seen."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from psychmem_py.text.dates import DAY_S


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


def see_worked(db: sqlite3.Connection, project: str, moments: Iterable[float]) -> None:
    """Notes the UTC days of these moments as days on which the project was worked in."""
    days = {(project, int(at // DAY_S)) for at in moments}
    db.executemany("insert or ignore into workday (project, day) values (?,?)", sorted(days))


def names(db: sqlite3.Connection) -> dict[str, str]:
    """The names of all projects by id."""
    return dict(db.execute("select id, name from project"))


def projects(db: sqlite3.Connection) -> dict[str, ProjectSeen]:
    """Every project ever worked in, by id."""
    return {
        line[0]: ProjectSeen(*line) for line in db.execute("select id, name, root, seen_at from project order by seen_at desc")
    }
