"""Copies of a store: named checkpoints, to which logged changes bring it back; and what can be read of a damaged database."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from typing import Any, NamedTuple

from psychmem_py.errors import NotFoundError, RefusedError, StoreError, refuse_if
from psychmem_py.home import files
from psychmem_py.home.places import StrPath, names_in, own_folder, sqlite_address
from psychmem_py.model.light_record import LIVE
from psychmem_py.model.records import Change, ChangeType
from psychmem_py.store import change_log, rows
from psychmem_py.store.connection import SIDE_FILES, open_store, private_copy_target, transaction, why_foreign
from psychmem_py.store.sqlite import insert, meta, set_meta, value
from psychmem_py.text.tokenizer import digest

_HALF = "."  # begins the name of a copy that is being made, or never was finished; a purge cleans it like the others


class Checkpoint(NamedTuple):
    name: str
    path: str
    at: float  # when it was made
    size_bytes: int


def folder_of(path: StrPath) -> str:
    """Where the checkpoints of a database are kept."""
    return os.path.join(os.path.dirname(os.path.abspath(os.fspath(path))), "checkpoints")


def create(db: sqlite3.Connection, path: StrPath, name: str, *, dry_run: bool = False) -> Checkpoint:
    """A copy of the whole store as it is now. Raises RefusedError for a name that is taken or no file name."""
    if not re.fullmatch(r"\w(?:[\w.-]{0,62}[\w-])?", name):
        raise RefusedError(f"{name!r} is no name for a checkpoint; use letters, digits, dots and dashes")
    target, half = (os.path.join(folder_of(path), f"{stem}.db") for stem in (name, f"{_HALF}{os.getpid()}"))
    taken = f"there is a checkpoint {name!r} already; delete it or choose another name"
    refuse_if(os.path.lexists(target), taken)
    if dry_run:
        return Checkpoint(name, target, 0.0, value(db, "select page_count * page_size from pragma_page_count, pragma_page_size"))
    own_folder(folder_of(path))
    if os.path.lexists(half):  # of a process that was killed
        os.unlink(half)
    private_copy_target(half)
    try:
        with closing(sqlite3.connect(half)) as copy:
            db.backup(copy)
            copy.execute("pragma journal_mode = delete").fetchone()  # one file, nothing beside it
        os.link(half, target)  # which replaces nothing that was made meanwhile
    except FileExistsError:
        raise RefusedError(taken) from None
    except OSError:  # a disk without links
        os.rename(half, target)
    finally:
        files.remove(half)
    return _described(target)


def listing(path: StrPath) -> list[Checkpoint]:
    """All checkpoints, oldest first."""
    folder = folder_of(path)
    names = [name for name in names_in(folder) if name.endswith(".db") and not name.startswith(_HALF)]
    checkpoints = [_described(target) for name in names if not why_foreign(target := os.path.join(folder, name))]
    return sorted(checkpoints, key=lambda one: (one.at, one.name))


def delete(path: StrPath, name: str, *, dry_run: bool = False) -> None:
    """Removes a checkpoint; the store itself is not touched. Raises NotFoundError, in a dry run too."""
    target = _existing(path, name)
    if not dry_run:
        os.unlink(target)


def differences(db: sqlite3.Connection, path: StrPath, name: str, *, now: float) -> list[Change]:
    """The changes that bring every memory and link back to the checkpoint. Purged texts stay purged."""
    target = _existing(path, name)
    try:
        with open_store(target, now=now) as copy:  # an older checkpoint is migrated like any database
            return _between(db, copy)
    except StoreError as exc:
        raise StoreError(f"checkpoint {os.path.basename(target)} cannot be read: {exc}") from exc


def _between(db: sqlite3.Connection, copy: sqlite3.Connection) -> list[Change]:
    here, there = ({one.id: one for one in rows.where(store, "true order by seq")} for store in (db, copy))
    gone = change_log.erased(db, [memory.text for key, memory in there.items() if key not in here])
    # Removals and edits come first: two active memories cannot have the same wording, even for a moment.
    new = ((key, memory) for key, memory in here.items() if key not in there)
    made = [Change(ChangeType.STATUS, key, memory, None, "not in the checkpoint") for key, memory in new]
    back = [(key, memory) for key, memory in there.items() if key in here and here[key] != memory]
    back.sort(key=lambda pair: pair[1].status in LIVE)
    made += [Change(ChangeType.EDIT, key, here[key], memory, "as in the checkpoint") for key, memory in back]
    for key, memory in there.items():
        if key not in here and memory.text not in gone:
            evidence = rows.evidence(copy, key)
            made.append(Change(ChangeType.ADD, key, None, memory, "from the checkpoint", evidence[0] if evidence else None))
            made += [Change(ChangeType.REINFORCE, key, memory, memory, "from the checkpoint", more) for more in evidence[1:]]
    links, former = ({link[:3]: link for link in rows.links(store)} for store in (db, copy))
    steps = [(ChangeType.UNLINK, key, link, "not in the checkpoint") for key, link in links.items() if key not in former]
    steps += [(ChangeType.LINK, key, link, "from the checkpoint") for key, link in former.items() if key not in links]
    for step, (source, target, _), link, reason in steps:
        ends = {source} if step is ChangeType.UNLINK else {source, target}
        if all(end in there and there[end].text not in gone for end in ends):
            made.append(Change(step, source, there[source], there[source], reason, link=link))
    return made


def _existing(path: StrPath, name: str) -> str:
    if name not in (known := {one.name: one.path for one in listing(path)}) or os.path.islink(known[name]):
        raise NotFoundError(f"there is no checkpoint {name!r}; known: {', '.join(known) or 'there are none'}")
    return known[name]


def _described(target: str) -> Checkpoint:
    about = os.stat(target)
    return Checkpoint(os.path.basename(target)[:-3], target, about.st_mtime, about.st_size)


# In the order in which they are filled; the index is made anew. As a new device it reads operations from the remotes again.
_TABLES = tuple(
    "project session seen_message tombstone change memory evidence link candidate event workday purged touched failed_call call_count episode".split()
)
_SHARING = ("remote", "share", "trusted_author")  # a person's answers; how far each lane was read begins anew
_DONE = "salvaged:"  # and the file's name; "0": by a version that could not read one that had been cut off


def unsalvaged(db: sqlite3.Connection, path: StrPath) -> list[str]:
    """The files set aside whose content has not been salvaged into this store, oldest first."""
    folder, base = os.path.split(os.path.abspath(os.fspath(path)))
    aside = (name for name in os.listdir(folder) if name.startswith(f"{base}.corrupt-") and not name.endswith(SIDE_FILES[1:]))
    return [os.path.join(folder, name) for name in sorted(aside) if meta(db, _DONE + name) in {"", "0"}]


def salvage(db: sqlite3.Connection, path: str) -> tuple[int, int, bool]:
    """How many memories and other rows of a damaged file were new, and whether each of its tables could be read to its end."""
    taken, whole = dict[str, int](), True
    with closing(sqlite3.connect(sqlite_address(path), uri=True, isolation_level=None)) as source, transaction(db):
        if meta(db, _DONE + os.path.basename(path)) not in {"", "0"}:
            return 0, 0, True  # another process was quicker
        source.execute("pragma writable_schema = on")  # else nothing is read of a file shorter than its header says
        shift = value(db, "select ifnull(max(seq), 0) from change")
        named_anew = value(db, "select 1 from remote limit 1")
        # Tombstones are keyed with the store's secret: the old one goes on, unless the new store has tombstones of its own.
        if not value(db, "select 1 from tombstone limit 1"):
            for secret in _of_meta(source, "nonce_secret"):
                set_meta(db, *secret)
        for pattern in ("rule_files *", "name of *", "sync_name"):  # a person's answers still, unless they answered anew
            insert(db, "meta", "key, value", _of_meta(source, pattern))
        for table in _TABLES if named_anew else (*_TABLES, *_SHARING):
            columns, lines, complete = _readable(source, db, table)
            taken[table] = _taken_over(db, table, columns, lines, shift) + (_of_log(db) if table == "memory" else 0)
            whole &= complete
        rows.rebuild_index(db)
        set_meta(db, _DONE + os.path.basename(path), f"{sum(taken.values())} rows")
        change_log.move_clock(db, 0.0)  # what was made ready without them is stale
    return taken["memory"], sum(taken.values()) - taken["memory"], whole


def _of_meta(source: sqlite3.Connection, pattern: str) -> list[tuple[str, str]]:
    """The keys like this in a damaged store, with what is set, as far as that can be read."""
    with suppress(sqlite3.DatabaseError):
        lines = source.execute("select key, value from meta where key glob ?", (pattern,)).fetchall()
        return [(key, text) for key, text in lines if isinstance(text, str) and text]
    return []


def _of_log(db: sqlite3.Connection) -> int:
    """Restores memories whose rows cannot be read from their last state in the change log: how many."""
    lost = "select after, max(seq) from change group by memory_id having memory_id not in (select id from memory)"
    memories = [one for after, _ in db.execute(lost).fetchall() if (one := rows.unpacked(after))]
    return _taken_over(db, "memory", [*rows.COLUMNS, "hash"], [(*rows.row(one), digest(one.text)) for one in memories], 0)


def _readable(source: sqlite3.Connection, db: sqlite3.Connection, table: str) -> tuple[list[str], list[tuple[object, ...]], bool]:
    """Columns both sides know, the rows that can be read, and whether that is all of them."""
    described, lines, columns = f"pragma table_info({table})", dict[tuple[object, ...], None](), list[str]()
    for direction in ("asc", "desc"):
        with suppress(sqlite3.DatabaseError):
            known = {name: key for _, name, _, _, _, key in source.execute(described)}
            columns = [name for _, name, *_ in db.execute(described) if name in known]
            order = ", ".join(f"{name} {direction}" for name, key in known.items() if key) or f"rowid {direction}"
            for row in source.execute(f"select {', '.join(columns)} from {table} order by {order}"):
                lines[row] = None
            return columns, list(lines), True
    return columns, list(lines), False


def _taken_over(db: sqlite3.Connection, table: str, names: Sequence[str], lines: Sequence[tuple[object, ...]], shift: int) -> int:
    """How many rows were taken over; what is not a sound row is left out."""
    taken = db.total_changes
    for line in lines:
        values: dict[str, Any] = dict(zip(names, line, strict=True))
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
