"""What can still be read of a damaged database, brought into a sound one. The damaged file itself is only ever read.

A table is read from both ends, so that one bad page costs only the rows behind it; and what memories were stands in the log, too.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from psychmem_py.home.places import sqlite_address
from psychmem_py.store.change_log import move_clock
from psychmem_py.store.connection import is_whole, set_aside, transaction
from psychmem_py.store.rows import COLUMNS, rebuild_index, row, unpacked
from psychmem_py.store.sqlite import meta, set_meta
from psychmem_py.text.tokenizer import digest

# In the order in which they are filled. `memory_search` and the index are made anew; what a session was shown is not worth a risk. The new
# store is a device of its own among the others, so operations are read from the remotes again.
_TABLES = tuple(
    "project session seen_message tombstone change memory evidence link candidate event workday purged touched failed_call call_count episode".split()
)
_SHARING = ("remote", "share", "trusted_author")  # a person's answers; how far each lane was read begins anew
_ANSWERS = (
    "rule_files *",
    "name of *",
    "sync_name",
)  # of `meta`, as GLOB: what else a person said of projects and of this device
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
    names = [name for name in names if not name.endswith(("-wal", "-shm", "-journal")) and not meta(db, _DONE + name)]
    return [os.path.join(folder, name) for name in names]


def salvage(db: sqlite3.Connection, path: str) -> Salvaged:
    """Brings into the store what can be read of the file at `path`. What the store holds already stays as it is."""
    source = sqlite3.connect(sqlite_address(path), uri=True, isolation_level=None)
    rows = memories = 0
    whole = True
    try:
        with transaction(db):
            if meta(db, _DONE + os.path.basename(path)):
                return Salvaged(path, 0, 0, whole=True)  # another process was quicker
            _take_secret(db, source)
            shift = db.execute("select ifnull(max(seq), 0) from change").fetchone()[0]
            named_anew = db.execute("select 1 from remote limit 1").fetchone()
            # What a person answered is theirs still, unless they answered anew.
            for pattern in _ANSWERS:
                with contextlib.suppress(sqlite3.DatabaseError):
                    answers = source.execute("select key, value from meta where key glob ?", (pattern,)).fetchall()
                    db.executemany("insert or ignore into meta (key, value) values (?,?)", answers)
            for table in _TABLES if named_anew else (*_TABLES, *_SHARING):
                columns, lines, complete = _read(source, db, table)
                taken = _write(db, table, columns, lines, shift)
                if table == "memory":
                    taken += _of_log(db)
                rows += taken
                memories += taken if table == "memory" else 0
                whole = whole and complete
            rebuild_index(db)
            set_meta(db, _DONE + os.path.basename(path), str(rows))
            move_clock(db, 0.0)  # what was made ready without them is stale
    finally:
        source.close()
    return Salvaged(path, memories, rows, whole)


def _of_log(db: sqlite3.Connection) -> int:
    """How many memories whose row could not be read stand again as the log of changes has them last."""
    lost = "select after, max(seq) from change group by memory_id having memory_id not in (select id from memory)"
    memories = [one for after, _ in db.execute(lost).fetchall() if (one := unpacked(after))]
    return _write(db, "memory", [*COLUMNS, "hash"], [(*row(one), digest(one.text)) for one in memories], 0)


def altered(db: sqlite3.Connection) -> list[str]:
    """Memories whose text is not what was stored: a bit of the disk that turned shows in no other check."""
    return [key for key, text, hashed in db.execute("select id, text, hash from memory") if digest(str(text)) != hashed]


def put_right(db: sqlite3.Connection) -> tuple[int, int]:
    """How many altered memories say again what was stored, by the log of changes; and how many wait for a person, because it is not there."""
    restored, ids = 0, altered(db)
    with transaction(db):
        for key in ids:
            (hashed,) = db.execute("select hash from memory where id = ?", (key,)).fetchone()
            lines = db.execute("select after from change where memory_id = ? order by seq desc", (key,)).fetchall()
            logged = [one.text for (line,) in lines if (one := unpacked(line)) and digest(one.text) == hashed]
            if logged:
                db.execute("update memory set text = ? where id = ?", (logged[0], key))
                restored += 1
            else:
                db.execute("update memory set status = 'quarantined', pinned = 0, hash = ? where id = ?", (key, key))
        rebuild_index(db)
    return restored, len(ids) - restored


def _take_secret(db: sqlite3.Connection, source: sqlite3.Connection) -> None:
    """Tombstones are keyed with the store's secret: the old one goes on, unless the new store has tombstones of its own."""
    if db.execute("select 1 from tombstone limit 1").fetchone():
        return
    try:
        secret = source.execute("select value from meta where key = 'nonce_secret'").fetchone()
    except sqlite3.DatabaseError:
        return
    if secret and isinstance(secret[0], str) and secret[0]:
        set_meta(db, "nonce_secret", secret[0])


def _read(source: sqlite3.Connection, db: sqlite3.Connection, table: str) -> tuple[list[str], list[tuple[object, ...]], bool]:
    """Columns both sides know, the rows that can be read, and whether that is all of them."""
    wanted = [line[1] for line in db.execute(f"pragma table_info({table})")]
    try:
        known = {line[1] for line in source.execute(f"pragma table_info({table})")}
        keys = [line[1] for line in source.execute(f"pragma table_info({table})") if line[5]]
    except sqlite3.DatabaseError:
        return [], [], False
    columns = [column for column in wanted if column in known]
    if not columns:
        return [], [], False
    lines: dict[tuple[object, ...], None] = {}
    for direction in ("asc", "desc"):
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
    named = list(columns)
    taken = 0
    for line in rows:
        values = dict(zip(named, line, strict=True))
        if table == "change":  # lines name each other by their numbers
            values |= {name: int(values[name]) + shift for name in ("seq", "undoes") if isinstance(values.get(name), int)}  # type: ignore[call-overload]
        elif "seq" in values:
            del values["seq"]
        if table == "memory" and values.get("hash") != digest(str(values.get("text"))):
            continue
        try:
            done = db.execute(
                f"insert or ignore into {table} ({', '.join(values)}) values ({', '.join('?' * len(values))})",
                tuple(values.values()),
            )
        except sqlite3.IntegrityError:
            continue
        taken += done.rowcount
    return taken
