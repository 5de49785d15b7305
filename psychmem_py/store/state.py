"""The state of a store as one short text, read without what opening a store brings with it: it is asked at every start."""

from __future__ import annotations

import os

from psychmem_py.home.places import sqlite_address
from psychmem_py.store.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

Error, connect = sqlite3.Error, sqlite3.connect

__all__ = ["Error", "connected", "state"]

_STATE = (
    "select (select value from meta where key = 'hlc'), (select count(*) from tombstone), user_version from pragma_user_version"
)


def state(database: str) -> str:
    """The store's own clock, which moves with every change of a memory, its tombstones and schema; "" when it cannot be read."""
    try:
        # Where nobody writes: no locks, no shared memory.
        db = connected(database, timeout_s=0.2, still=not os.path.exists(database + "-wal"))
        try:
            row = db.execute(_STATE).fetchone()
        finally:
            db.close()
    except Error:
        return ""
    return " ".join(map(str, row)) if row else ""


def connected(database: str, *, timeout_s: float, still: bool = False) -> Connection:
    """A connection that only reads; `still` promises that nobody writes meanwhile. Raises Error when there is no such file."""
    return connect(sqlite_address(database) + "&immutable=1" * still, timeout=timeout_s, isolation_level=None, uri=True)
