"""What a long write needs beyond single steps: a quick look whether a statement is there, and a log that is written back as it
goes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager


def is_stored(db: sqlite3.Connection, hashed: str, kind: str, project: str | None) -> bool:
    """Whether a statement with this hash and class is in use in this place."""
    found = db.execute(
        "select 1 from memory where hash = ? and class = ? and ifnull(project, '') = ?"
        " and status in ('active', 'quarantined', 'promoted', 'decayed')",
        (hashed, kind, project or ""),
    ).fetchone()
    return found is not None


@contextmanager
def without_growth(db: sqlite3.Connection) -> Iterator[None]:
    """Lets a bulk write use a larger cache, and empties the write-ahead log afterwards if nobody reads."""
    db.execute("pragma cache_size = -65536")
    yield
    db.execute("pragma wal_checkpoint(passive)").fetchall()
