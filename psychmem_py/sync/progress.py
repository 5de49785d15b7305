"""How far this store has read its own log for the others; told apart, so that a meeting at which nothing is new loads little."""

from __future__ import annotations

import json
import sqlite3

from psychmem_py.model.terms import Place
from psychmem_py.store import operations, remotes
from psychmem_py.store.meta import meta, set_meta

LOCAL = "batch not like 'sync-%'"  # lines of the log that were done here
_READ, _OPENED = "sync_read", "sync_opened"


def read(db: sqlite3.Connection) -> int:
    """The number of the last line of the log that was looked at."""
    return int(meta(db, _READ) or 0)


def opened(db: sqlite3.Connection) -> set[Place]:
    """The places of which everything up to there was taken up."""
    return {(one[0], one[1], one[2]) for one in json.loads(meta(db, _OPENED) or "[]")}


def note(db: sqlite3.Connection, seq: int, places: set[Place]) -> None:
    if seq != read(db):
        set_meta(db, _READ, str(seq))
    if places != opened(db):
        set_meta(db, _OPENED, json.dumps(sorted(places)))


def is_news(db: sqlite3.Connection) -> bool:
    """Whether there is anything to look at."""
    return last_line(db) != read(db) or set(remotes.shares(db)) != opened(db) or bool(operations.purged(db))


def last_line(db: sqlite3.Connection) -> int:
    return operations.last_change(db)


def waiting(db: sqlite3.Connection) -> int:
    """How many changes have not been looked at."""
    return operations.changes_after(db, read(db), LOCAL)
