"""Named copies of a store, consistent while others write. Going back to one is a set of logged changes, so it can be undone."""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import closing
from typing import NamedTuple

from psychmem_py.errors import NotFoundError, RefusedError, StoreError
from psychmem_py.home.places import names_in, own_folder
from psychmem_py.model.light_record import LIVE
from psychmem_py.model.records import Change, ChangeType
from psychmem_py.store import change_log, rows
from psychmem_py.store.connection import foreign, open_store, private_copy_target

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
    names = [name for name in names_in(folder) if name.endswith(".db") and not name.startswith(_HALF)]
    checkpoints = [_described(target) for name in names if not foreign(target := os.path.join(folder, name))]
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
    here, there = ({one.id: one for one in rows.where(store, "true order by seq")} for store in (db, copy))
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
    links, former = ({link[:3]: link for link in rows.links(store)} for store in (db, copy))
    steps = [(ChangeType.UNLINK, key, link, "not in the checkpoint") for key, link in links.items() if key not in former]
    steps += [(ChangeType.LINK, key, link, "from the checkpoint") for key, link in former.items() if key not in links]
    for step, (source, target, _), link, reason in steps:
        ends = {source} if step is ChangeType.UNLINK else {source, target}
        if all(end in there and there[end].text not in gone for end in ends):
            made.append(Change(step, source, there[source], there[source], reason, link=link))
    return made


def _target(path: str | os.PathLike[str], name: str) -> str:
    if not _NAME.fullmatch(name):
        raise RefusedError(f"{name!r} is no name for a checkpoint; use letters, digits, dots and dashes")
    return os.path.join(folder_of(path), f"{name}.db")


def _existing(path: str | os.PathLike[str], name: str) -> str:
    target = _target(path, name)
    if not os.path.isfile(target) or os.path.islink(target) or foreign(target):
        known = ", ".join(one.name for one in listing(path)) or "there are none"
        raise NotFoundError(f"there is no checkpoint {name!r}; known: {known}")
    return target


def _described(target: str) -> Checkpoint:
    about = os.stat(target)
    return Checkpoint(os.path.basename(target)[:-3], target, about.st_mtime, about.st_size)
