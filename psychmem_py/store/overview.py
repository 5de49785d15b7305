"""What a page about everything asks of the store: conversations, ties, and how each memory first came in."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from psychmem_py.model.records import Link
from psychmem_py.model.terms import LinkType


class Conversation(NamedTuple):
    """One conversation and what is in the store because of it."""

    id: str
    agent: str
    project: str | None
    started_at: float
    seen_at: float
    kept: int  # memories first stated in it
    shown: int  # memories it was told


def conversations(
    db: sqlite3.Connection, *, project: str | None = None, all_projects: bool = True, limit: int = -1
) -> list[Conversation]:
    """The conversations of a project or of all, the latest first."""
    found = db.execute(
        "select id, agent, project, started_at, seen_at, (select count(*) from memory where memory.session = session.id),"
        " (select count(distinct memory_id) from shown where shown.session = session.id) from session"
        " where (? or project is ?) order by seen_at desc, id limit ?",
        (all_projects, project, limit),
    )
    return [Conversation(*line) for line in found]


def ties(db: sqlite3.Connection) -> list[Link]:
    """Every link, the latest first."""
    found = db.execute("select source, target, type, created_at from link order by created_at desc, source, target, type")
    return [Link(source, target, LinkType(kind), at) for source, target, kind, at in found]


def first_ways(db: sqlite3.Connection) -> dict[str, str]:
    """How each memory came in: the method of its first evidence ("sweep", "cli", "agent_quote", "tool", "import"), by id."""
    return dict(
        db.execute("select memory_id, method from evidence where seq in (select min(seq) from evidence group by memory_id)")
    )
