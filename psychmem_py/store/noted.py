"""Memories that come from what the client noted itself."""

from __future__ import annotations

import sqlite3

from psychmem_py.model.records import Memory
from psychmem_py.store import rows

TAG = "client-note"


def by_client(db: sqlite3.Connection, project: str) -> list[Memory]:
    """Those of a project, in use or in quarantine, that nothing but a note speaks for, noted in a conversation on this machine."""
    lines = db.execute(
        f"select {rows.SELECT} from memory where memory.project = ? and memory.status in ('active', 'quarantined', 'decayed', 'promoted')"
        " and memory.origin = 'assistant' and memory.pinned = 0 and exists (select 1 from json_each(memory.tags) where value = ?)"
        " and exists (select 1 from session where session.id = memory.session)"
        " and not exists (select 1 from evidence where memory_id = memory.id and method not in ('tool', 'echo'))"
        " order by memory.seq",
        (project, TAG),
    )
    return [rows.memory(line) for line in lines]
