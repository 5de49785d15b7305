"""The state of a store as one short text, read without what opening a store brings with it: it is asked at every start."""

from __future__ import annotations

import os

_STATE = (
    "select (select value from meta where key = 'hlc'), (select count(*) from tombstone), user_version from pragma_user_version"
)


def state(database: str) -> str:
    """The store's own clock, which moves with every change of a memory, its tombstones and schema; "" when it cannot be read."""
    try:
        from _sqlite3 import Error, connect  # noqa: PLC0415  # without `datetime` and 2 ms of what `sqlite3` adds to it
    except ImportError:
        from sqlite3 import Error, connect  # noqa: PLC0415
    address = "file:" + database.replace("%", "%25").replace("?", "%3f").replace("#", "%23") + "?mode=ro"
    if not os.path.exists(database + "-wal"):
        address += "&immutable=1"  # nobody writes: no locks, no shared memory
    try:
        db = connect(address, timeout=0.2, uri=True)
        try:
            found = db.execute(_STATE).fetchone()
        finally:
            db.close()
    except Error:
        return ""
    return " ".join(map(str, found)) if found else ""
