"""Which device a store is: a random name that no copy of it has. A file beside the database tells where it was when it last
wrote: a restored or copied store does not fit it and becomes a new device, as two that write one lane clash for ever.
"""

from __future__ import annotations

import json
import os
import sqlite3

from psychmem_py.home import files
from psychmem_py.home.light_json import read_object
from psychmem_py.store import operations
from psychmem_py.store.sqlite import meta, set_meta

_KEY, _NAME = "sync_device", "sync_name"


def device(db: sqlite3.Connection, database: str) -> str:
    """This store's device (32 hex digits), made when it has none, and anew when the store is a copy; "" without remotes. The
    caller holds the transaction.
    """
    if not operations.remotes(db):
        return ""
    known, record = meta(db, _KEY), read_object(f"{database}.device")
    written = record.get("written")
    same = record == {"device": known, "written": written, **_standing(database)}
    fits = known and same and isinstance(written, int) and written <= sum(operations.own_lanes(db, known).values())
    return known if fits else new_device(db, database)


def new_device(db: sqlite3.Connection, database: str) -> str:
    """A new device in place of the old one; it takes over the operations that no remote has yet."""
    old, new = meta(db, _KEY), os.urandom(16).hex()
    if old:
        pushed: dict[operations.Lane, int] = {}
        for one in operations.remotes(db):
            for lane, mark in operations.marks(db, one.name).items():
                if lane[0] == old:
                    pushed[lane] = max(mark.seq, pushed.get(lane, 0))
        operations.reassign(db, old, new, pushed)
    set_meta(db, _KEY, new)
    wrote(db, database, new)
    return new


def name(db: sqlite3.Connection) -> str:
    """What this device is called before others, "kim@laptop": the account and the machine unless a person chose something."""
    if chosen := meta(db, _NAME):
        return chosen
    import getpass  # noqa: PLC0415  # only where nobody chose a name

    try:
        return f"{getpass.getuser()}@{os.uname().nodename}"
    except (KeyError, OSError):
        return f"somebody@{os.uname().nodename}"


def set_name(db: sqlite3.Connection, chosen: str) -> None:
    set_meta(db, _NAME, chosen)


def wrote(db: sqlite3.Connection, database: str, device_id: str) -> None:
    """Notes how far the store has written, before anybody else can see it."""
    written = sum(operations.own_lanes(db, device_id).values())
    record = {"device": device_id, "written": written, **_standing(database)}
    files.replace(f"{database}.device", json.dumps(record).encode())


def _standing(database: str) -> dict[str, object]:
    """What distinguishes this file from a copy of it."""
    try:
        with open("/etc/machine-id", encoding="ascii") as file:
            machine = file.read(64).strip()
    except (OSError, UnicodeDecodeError):
        machine = ""
    return {"inode": os.stat(database).st_ino, "machine": machine}
