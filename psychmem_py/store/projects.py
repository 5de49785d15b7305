"""The projects memories belong to, as they were last seen."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from psychmem_py.store.sqlite import set_meta
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
        " name = ifnull((select value from meta where key = 'name of ' || excluded.id), excluded.name), root = excluded.root, seen_at = excluded.seen_at",
        (key, name, root, now),
    )


def see_worked(db: sqlite3.Connection, project: str, moments: Iterable[float]) -> None:
    """Notes the UTC days of these moments as days on which the project was worked in."""
    days = {(project, int(at // DAY_S)) for at in moments}
    db.executemany("insert or ignore into workday (project, day) values (?,?)", sorted(days))


def rename(db: sqlite3.Connection, project: str, name: str) -> None:
    """Calls a project so from now on, wherever it is seen again."""
    set_meta(db, f"name of {project}", name)
    db.execute("update project set name = ? where id = ?", (name, project))


def with_counts(db: sqlite3.Connection) -> list[tuple[ProjectSeen, int]]:
    """Every project with how many memories of it are in use, the last worked in first."""
    lines = db.execute(
        "select id, name, root, seen_at,"
        " (select count(*) from memory where memory.project = project.id and status in ('active', 'promoted', 'decayed'))"
        " from project order by seen_at desc, id"
    )
    return [(ProjectSeen(*line[:4]), line[4]) for line in lines]


def names(db: sqlite3.Connection) -> dict[str, str]:
    """The names of all projects by id."""
    return dict(db.execute("select id, name from project"))


def projects(db: sqlite3.Connection) -> dict[str, ProjectSeen]:
    """Every project ever worked in, by id."""
    return {
        line[0]: ProjectSeen(*line) for line in db.execute("select id, name, root, seen_at from project order by seen_at desc")
    }
