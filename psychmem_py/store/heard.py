"""Memories that rules alone have made."""

from __future__ import annotations

import sqlite3

from psychmem_py.model.records import Evidence, Memory
from psychmem_py.store import rows


def unjudged(db: sqlite3.Connection, *, limit: int) -> list[tuple[Memory, Evidence]]:
    """Active memories that rules alone made and no judge has seen, newest first, each with its first
    statement: what was heard once, and what an assistant stated although a tool bore it out, for that shows it true and not worth keeping.
    """
    lines = db.execute(
        f"select {rows.SELECT}, evidence.memory_id, evidence.at, evidence.method, evidence.origin, evidence.session,"
        " evidence.message_id, evidence.quote from memory join evidence on evidence.seq ="
        " (select min(seq) from evidence where memory_id = memory.id)"
        " where memory.status = 'active' and memory.pinned = 0 and (memory.store = 'stm' or memory.origin = 'assistant')"
        " and evidence.method = 'sweep'"
        " and not exists (select 1 from evidence where memory_id = memory.id and method not in ('sweep', 'echo'))"
        " order by memory.seq desc limit ?",
        (limit,),
    )
    return [(rows.memory(line), rows.evidence_of(line[-7:], ())) for line in lines]


def stated_by_assistant(db: sqlite3.Connection, session: str) -> int:
    """How many memories an assistant's statements in this conversation have made."""
    row = db.execute(
        "select count(distinct memory_id) from evidence where session = ? and origin = 'assistant' and method = 'sweep'",
        (session,),
    )
    return int(row.fetchone()[0])
