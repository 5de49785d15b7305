"""What can still be read of a damaged database, brought into a sound one. The damaged file itself is only ever read.

A table is read from both ends, so that one bad page costs only the rows behind it; and what memories were stands in the log, too.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from typing import Any, NamedTuple

from psychmem_py.home.places import sqlite_address
from psychmem_py.store.change_log import move_clock
from psychmem_py.store.connection import SIDE_FILES, is_whole, set_aside, transaction
from psychmem_py.store.rows import COLUMNS, rebuild_index, row, unpacked
from psychmem_py.store.sqlite import insert, meta, set_meta, value
from psychmem_py.text.tokenizer import digest

# In the order in which they are filled. `memory_search` and the index are made anew; what a session was shown is not worth a risk. The new
# store is a device of its own among the others, so operations are read from the remotes again.
_TABLES = tuple(
    "project session seen_message tombstone change memory evidence link candidate event workday purged touched failed_call call_count episode".split()
)
_SHARING = ("remote", "share", "trusted_author")  # a person's answers; how far each lane was read begins anew
_ANSWERS = ("rule_files *", "name of *", "sync_name")  # of `meta`, as GLOB: what else a person said of projects and this device
_DONE = "salvaged:"


class Salvaged(NamedTuple):
    """What became of one damaged file."""

    path: str
    memories: int
    rows: int  # of all tables
    whole: bool  # every table could be read to its end


def put_aside(path: str | os.PathLike[str], *, now: float) -> str:
    """Where a database that really is damaged was moved to; "" when it is whole, or another process was quicker."""
    return "" if is_whole(path) else set_aside(path, now=now)


def waiting(db: sqlite3.Connection, path: str | os.PathLike[str]) -> list[str]:
    """The files set aside whose content has not been salvaged into this store, oldest first."""
    folder, base = os.path.split(os.path.abspath(os.fspath(path)))
    names = sorted(name for name in os.listdir(folder) if name.startswith(f"{base}.corrupt-"))
    return [os.path.join(folder, name) for name in names if not name.endswith(SIDE_FILES[1:]) and not meta(db, _DONE + name)]


def salvage(db: sqlite3.Connection, path: str) -> Salvaged:
    """Brings into the store what can be read of the file at `path`. What the store holds already stays as it is."""
    taken: dict[str, int] = {}
    whole = True
    with closing(sqlite3.connect(sqlite_address(path), uri=True, isolation_level=None)) as source, transaction(db):
        if meta(db, _DONE + os.path.basename(path)):
            return Salvaged(path, 0, 0, whole=True)  # another process was quicker
        shift = value(db, "select ifnull(max(seq), 0) from change")
        named_anew = value(db, "select 1 from remote limit 1")
        # Tombstones are keyed with the store's secret: the old one goes on, unless the new store has tombstones of its own.
        if not value(db, "select 1 from tombstone limit 1"):
            for secret in _of_meta(source, "nonce_secret"):
                set_meta(db, *secret)
        for pattern in _ANSWERS:  # what a person answered is theirs still, unless they answered anew
            insert(db, "meta", "key, value", _of_meta(source, pattern))
        for table in _TABLES if named_anew else (*_TABLES, *_SHARING):
            columns, lines, complete = _read(source, db, table)
            taken[table] = _write(db, table, columns, lines, shift) + (_of_log(db) if table == "memory" else 0)
            whole = whole and complete
        rebuild_index(db)
        set_meta(db, _DONE + os.path.basename(path), str(sum(taken.values())))
        move_clock(db, 0.0)  # what was made ready without them is stale
    return Salvaged(path, taken["memory"], sum(taken.values()), whole)


def _of_meta(source: sqlite3.Connection, pattern: str) -> list[tuple[str, str]]:
    """The keys like this in a damaged store, with what is set, as far as that can be read."""
    try:
        lines = source.execute("select key, value from meta where key glob ?", (pattern,)).fetchall()
    except sqlite3.DatabaseError:
        return []
    return [(key, text) for key, text in lines if isinstance(text, str) and text]


def _of_log(db: sqlite3.Connection) -> int:
    """How many memories whose row could not be read stand again as the log of changes has them last."""
    lost = "select after, max(seq) from change group by memory_id having memory_id not in (select id from memory)"
    memories = [one for after, _ in db.execute(lost).fetchall() if (one := unpacked(after))]
    return _write(db, "memory", [*COLUMNS, "hash"], [(*row(one), digest(one.text)) for one in memories], 0)


def _read(source: sqlite3.Connection, db: sqlite3.Connection, table: str) -> tuple[list[str], list[tuple[object, ...]], bool]:
    """Columns both sides know, the rows that can be read, and whether that is all of them."""
    described, lines = f"pragma table_info({table})", dict[tuple[object, ...], None]()
    try:
        known = {name: key for _, name, _, _, _, key in source.execute(described)}
    except sqlite3.DatabaseError:
        known = {}
    columns = [name for _, name, *_ in db.execute(described) if name in known]
    keys = [name for name, key in known.items() if key]
    for direction in ("asc", "desc") if columns else ():
        order = ", ".join(f"{key} {direction}" for key in keys) or f"rowid {direction}"
        try:
            for row in source.execute(f"select {', '.join(columns)} from {table} order by {order}"):
                lines[row] = None
        except sqlite3.DatabaseError:
            continue
        return columns, list(lines), True
    return columns, list(lines), False


def _write(db: sqlite3.Connection, table: str, columns: Sequence[str], rows: Sequence[tuple[object, ...]], shift: int) -> int:
    """How many rows were taken over; what is not a sound row is left out."""
    taken = db.total_changes
    for line in rows:
        values: dict[str, Any] = dict(zip(columns, line, strict=True))
        if table == "change":  # lines name each other by their numbers
            values |= {name: int(values[name]) + shift for name in ("seq", "undoes") if isinstance(values.get(name), int)}
        else:
            values.pop("seq", None)
        if table == "memory" and values.get("hash") != digest(str(values.get("text"))):
            continue
        marks = ", ".join("?" * len(values))
        with suppress(sqlite3.IntegrityError):
            db.execute(f"insert or ignore into {table} ({', '.join(values)}) values ({marks})", (*values.values(),))
    return db.total_changes - taken
