"""The remotes a person named, what may go to each, and whose rules need no review."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.model.terms import Place


class RemoteEntry(NamedTuple):
    """A remote as it was named, and how the last meeting with it went."""

    name: str
    url: str
    mine: bool  # all that write there are the person's own devices
    failed_times: int = 0
    tried_at: float | None = None
    synced_at: float | None = None
    fault: str = ""


def remotes(db: sqlite3.Connection) -> list[RemoteEntry]:
    lines = db.execute("select name, url, mine, failed_times, tried_at, synced_at, fault from remote order by name")
    return [RemoteEntry(line[0], line[1], bool(line[2]), *line[3:]) for line in lines]


def remote(db: sqlite3.Connection, name: str) -> RemoteEntry:
    """Raises NotFoundError for a name that was not given."""
    for one in remotes(db):
        if one.name == name:
            return one
    known = ", ".join(one.name for one in remotes(db)) or "there are none; `psychmem share add NAME URL`"
    raise NotFoundError(f"there is no remote {name!r}; known: {known}")


def is_still(db: sqlite3.Connection, entry: RemoteEntry) -> bool:
    """Whether a person has neither removed it nor given its name to another."""
    return any((one.name, one.url) == (entry.name, entry.url) for one in remotes(db))


def add(db: sqlite3.Connection, name: str, url: str, *, mine: bool) -> None:
    if any(one.name == name for one in remotes(db)):
        raise RefusedError(f"there is a remote {name!r} already; remove it first or choose another name")
    db.execute("insert into remote (name, url, mine) values (?,?,?)", (name, url, int(mine)))


def remove(db: sqlite3.Connection, name: str) -> None:
    """Forgets a remote and how far it was read and written; what came from it stays."""
    for table in ("share", "lane", "dead_letter", "trusted_author"):
        db.execute(f"delete from {table} where remote = ?", (name,))
    db.execute("delete from remote where name = ?", (name,))


def met(db: sqlite3.Connection, name: str, now: float, fault: str = "") -> None:
    """Notes how a meeting with a remote went; "" for well."""
    if fault:
        db.execute(
            "update remote set failed_times = failed_times + 1, tried_at = ?, fault = ? where name = ?", (now, fault, name)
        )
    else:
        db.execute("update remote set failed_times = 0, tried_at = ?, synced_at = ?, fault = '' where name = ?", (now, now, name))


def shares(db: sqlite3.Connection) -> dict[Place, set[str]]:
    """What may leave, and to which remotes."""
    by_place: dict[Place, set[str]] = {}
    for scope, team, project, name in db.execute("select scope, team, project, remote from share"):
        by_place.setdefault((scope, team, project), set()).add(name)
    return by_place


def share(db: sqlite3.Connection, place: Place, name: str) -> None:
    db.execute("insert into share (scope, team, project, remote) values (?,?,?,?) on conflict do nothing", (*place, name))


def unshare(db: sqlite3.Connection, place: Place, name: str) -> bool:
    """Whether there was anything to take back."""
    given = (*place, name)
    return db.execute("delete from share where scope = ? and team = ? and project = ? and remote = ?", given).rowcount > 0


def trusted(db: sqlite3.Connection) -> frozenset[tuple[str, str]]:
    """The remotes and, at each, the authors whose rules need no review."""
    return frozenset((remote, name) for remote, name in db.execute("select remote, name from trusted_author"))


def trust(db: sqlite3.Connection, remote: str, name: str, now: float, *, trusting: bool = True) -> None:
    db.execute("delete from trusted_author where remote = ? and name = ?", (remote, name))
    if trusting:
        db.execute("insert into trusted_author (remote, name, at) values (?,?,?)", (remote, name, now))
