"""Memories that rules alone have made."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection

from psychmem_py.model.records import Evidence, Memory
from psychmem_py.store import rows

# Active memories with their first statement, which rules have picked out, and nothing else has spoken for.
_HEARD = (
    f"select {rows.SELECT}, evidence.memory_id, evidence.at, evidence.method, evidence.origin, evidence.session,"
    " evidence.message_id, evidence.quote from memory join evidence on evidence.seq ="
    " (select min(seq) from evidence where memory_id = memory.id)"
    " where memory.status = 'active' and memory.pinned = 0 and evidence.method = 'sweep'"
    " and not exists (select 1 from evidence where memory_id = memory.id and method not in ('sweep', 'echo'))"
)


def from_messages(db: sqlite3.Connection, keys: Collection[str]) -> list[tuple[Memory, Evidence]]:
    """What rules made of these messages that a person typed, said once and confirmed by nothing, each with its statement."""
    lines = db.execute(f"{_HEARD} and memory.store = 'stm' and memory.origin = 'user_prompt'")
    pairs = [(rows.memory(line), rows.evidence_of(line[-7:], ())) for line in lines]
    return [(memory, evidence) for memory, evidence in pairs if evidence.message_id in keys]


def unread(db: sqlite3.Connection, project: str | None, *, limit: int) -> list[Memory]:
    """What the agent stated in this project and no reader has seen, newest first: also what a tool bore out, for that shows it true and
    not worth keeping.
    """
    lines = db.execute(
        f"{_HEARD} and memory.origin = 'assistant' and memory.project is ? order by memory.seq desc limit ?", (project, limit)
    )
    return [rows.memory(line) for line in lines]


def stated_by_assistant(db: sqlite3.Connection, session: str) -> int:
    """How many memories an assistant's statements in this conversation have made."""
    row = db.execute(
        "select count(distinct memory_id) from evidence where session = ? and origin = 'assistant' and method = 'sweep'",
        (session,),
    )
    return int(row.fetchone()[0])
