"""Named copies of a store, consistent while others write. Going back to one is a set of logged changes, so it can be undone."""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import closing
from typing import NamedTuple

from psychmem_py.errors import NotFoundError, RefusedError, StoreError
from psychmem_py.home.places import own_folder
from psychmem_py.model.light_record import LIVE
from psychmem_py.model.records import Change, ChangeType, Link, Memory
from psychmem_py.store import change_log, rows
from psychmem_py.store.connection import is_foreign, open_store, private_copy_target

# Windows has devices among its names.
_NAME = re.compile(r"(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))\w(?:[\w.-]{0,62}[\w-])?", re.IGNORECASE)
_HALF = "."  # begins the name of a copy that is being made, or never was finished; a purge cleans it like the others


class Checkpoint(NamedTuple):
    name: str
    path: str
    at: float  # when it was made
    size_bytes: int


def folder_of(path: str | os.PathLike[str]) -> str:
    """Where the checkpoints of a database are kept."""
    return os.path.join(os.path.dirname(os.path.abspath(os.fspath(path))), "checkpoints")


def create(db: sqlite3.Connection, path: str | os.PathLike[str], name: str) -> Checkpoint:
    """A copy of the whole store as it is now. Raises RefusedError for a name that is taken or no file name."""
    target, half = _target(path, name), os.path.join(folder_of(path), f"{_HALF}{os.getpid()}.db")
    own_folder(folder_of(path))
    if os.path.lexists(half):  # of a process that was killed
        os.unlink(half)
    private_copy_target(half)
    try:
        with closing(sqlite3.connect(half)) as copy:
            db.backup(copy)
            copy.execute("pragma journal_mode = delete").fetchone()  # one file, nothing beside it
        if os.path.lexists(target):
            raise RefusedError(f"there is a checkpoint {name!r} already; delete it or choose another name")
        os.rename(half, target)
    except BaseException:
        os.unlink(half)
        raise
    return _described(target)


def listing(path: str | os.PathLike[str]) -> list[Checkpoint]:
    """All checkpoints, oldest first."""
    folder = folder_of(path)
    if not os.path.isdir(folder):
        return []
    paths = [os.path.join(folder, entry) for entry in os.listdir(folder) if entry.endswith(".db") and not entry.startswith(_HALF)]
    checkpoints = [_described(path) for path in paths if not is_foreign(path)]
    return sorted(checkpoints, key=lambda one: (one.at, one.name))


def delete(path: str | os.PathLike[str], name: str) -> None:
    """Removes a checkpoint; the store itself is not touched."""
    os.unlink(_existing(path, name))


def differences(db: sqlite3.Connection, path: str | os.PathLike[str], name: str, *, now: float) -> list[Change]:
    """The changes that bring every memory and link back to the checkpoint. Purged texts stay purged."""
    target = _existing(path, name)
    try:
        with open_store(target, now=now) as copy:  # an older checkpoint is migrated like any database
            return _differences(db, copy)
    except StoreError as exc:
        raise StoreError(f"checkpoint {os.path.basename(target)} cannot be read: {exc}") from exc


def _differences(db: sqlite3.Connection, copy: sqlite3.Connection) -> list[Change]:
    here, there = _all(db), _all(copy)
    gone = change_log.buried(db, [memory.text for key, memory in there.items() if key not in here])
    # What goes or changes makes room for what comes: two statements with one wording cannot be active at once, even for a moment.
    made = [
        Change(ChangeType.STATUS, key, memory, None, "not in the checkpoint") for key, memory in here.items() if key not in there
    ]
    back = [(key, memory) for key, memory in there.items() if key in here and here[key] != memory]
    back.sort(key=lambda pair: pair[1].status in LIVE)
    made += [Change(ChangeType.EDIT, key, here[key], memory, "as in the checkpoint") for key, memory in back]
    for key, memory in there.items():
        if key not in here and memory.text not in gone:
            evidence = rows.evidence(copy, key)
            made.append(Change(ChangeType.ADD, key, None, memory, "from the checkpoint", evidence[0] if evidence else None))
    kept = {key for key, memory in there.items() if memory.text not in gone}
    links, former = _links_of(db), _links_of(copy)
    gone_links = [link for key, link in links.items() if key not in former and link.source in kept]
    back_links = [link for key, link in former.items() if key not in links and {link.source, link.target} <= kept]
    for kind, changed, reason in (
        (ChangeType.UNLINK, gone_links, "not in the checkpoint"),
        (ChangeType.LINK, back_links, "from the checkpoint"),
    ):
        made += [Change(kind, one.source, there[one.source], there[one.source], reason, link=one) for one in changed]
    return made


def _all(db: sqlite3.Connection) -> dict[str, Memory]:
    memories = (rows.memory(line) for line in db.execute(f"select {rows.SELECT} from memory order by seq"))
    return {memory.id: memory for memory in memories}


def _links_of(db: sqlite3.Connection) -> dict[tuple[str, str, str], Link]:
    return {(link.source, link.target, link.type.value): link for link in rows.links(db)}


def _target(path: str | os.PathLike[str], name: str) -> str:
    if not _NAME.fullmatch(name):
        raise RefusedError(f"{name!r} is no name for a checkpoint; use letters, digits, dots and dashes")
    return os.path.join(folder_of(path), f"{name}.db")


def _existing(path: str | os.PathLike[str], name: str) -> str:
    target = _target(path, name)
    if not os.path.isfile(target) or os.path.islink(target) or is_foreign(target):
        known = ", ".join(one.name for one in listing(path)) or "there are none"
        raise NotFoundError(f"there is no checkpoint {name!r}; known: {known}")
    return target


def _described(target: str) -> Checkpoint:
    about = os.stat(target)
    return Checkpoint(os.path.basename(target)[:-3], target, about.st_mtime, about.st_size)
