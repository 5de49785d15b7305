"""Operations, lanes and dead letters of sync as rows; what they mean is told in `sync.op`. And the remotes a person named, what may go to each, and whose
rules need no review."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.model.records import Place
from psychmem_py.store.sqlite import among, meta, set_meta

OWN = ""  # the remote of what this store wrote itself

LaneKey = tuple[str, str, str, str]  # device, scope, team, project


class StoredOperation(NamedTuple):
    """One operation as it is stored."""

    device: str
    seq: int
    hlc: str
    scope: str
    team: str
    project: str
    memory: str
    kind: str
    field: str
    value: str | None  # JSON
    origin: str
    emptied: int
    rank: int


class LaneMark(NamedTuple):
    """How far a lane was read from a remote, or written to it."""

    lane: LaneKey
    seq: int
    author: str
    mine: bool
    at: float
    latest: str


class DeadLetter(NamedTuple):
    """A line that is no operation here."""

    remote: str
    lane: LaneKey
    seq: int
    why: str
    line: str


_COLUMNS = ", ".join(StoredOperation._fields)
_LANE = "device = ? and scope = ? and team = ? and project = ?"


def add(db: sqlite3.Connection, remote: str, rows: Iterable[StoredOperation]) -> None:
    """Keeps operations; what is there already stays as it is."""
    marks = ", ".join("?" * (len(StoredOperation._fields) + 1))
    db.executemany(
        f"insert into operation (remote, {_COLUMNS}) values ({marks}) on conflict do nothing", ((remote, *row) for row in rows)
    )


def of_memories(db: sqlite3.Connection, ids: Sequence[str]) -> list[StoredOperation]:
    """Every operation about these memories, whoever wrote it."""
    return [
        StoredOperation._make(line) for line in among(db, f"select {_COLUMNS} from operation where memory in ({{keys}})", ids)
    ]


def own(db: sqlite3.Connection, lane: LaneKey, beyond: int, limit: int) -> list[StoredOperation]:
    """The operations this store wrote into a lane beyond a number, in order."""
    operations = db.execute(
        f"select {_COLUMNS} from operation where remote = '' and {_LANE} and seq > ? order by seq limit ?", (*lane, beyond, limit)
    )
    return [StoredOperation._make(line) for line in operations]


def own_lanes(db: sqlite3.Connection, device: str) -> dict[LaneKey, int]:
    """The lanes that this store writes as `device`, with the number of the last operation in each."""
    lanes = db.execute(
        "select scope, team, project, max(seq) from operation where remote = '' and device = ? group by scope, team, project",
        (device,),
    )
    return {(device, scope, team, project): seq for scope, team, project, seq in lanes}


def marks(db: sqlite3.Connection, remote: str) -> dict[LaneKey, LaneMark]:
    """How far every lane was read from, or written to, this remote."""
    lines = db.execute(
        "select device, scope, team, project, seq, author, mine, at, latest from lane where remote = ?", (remote,)
    ).fetchall()
    return {line[:4]: LaneMark(line[:4], line[4], line[5], bool(line[6]), line[7], line[8]) for line in lines}


def set_mark(db: sqlite3.Connection, remote: str, mark: LaneMark) -> None:
    db.execute(
        "insert into lane (remote, device, scope, team, project, seq, author, mine, at, latest) values (?,?,?,?,?,?,?,?,?,?)"
        " on conflict do update set seq = excluded.seq, author = excluded.author, mine = excluded.mine, at = excluded.at,"
        " latest = max(latest, excluded.latest)",
        (remote, *mark.lane, mark.seq, mark.author, int(mark.mine), mark.at, mark.latest),
    )


def authors(db: sqlite3.Connection) -> dict[tuple[str, bool], list[tuple[str, str]]]:
    """The remotes by which each device came with what it is called there, by the device and whether it counts as the person's own:
    others can claim any device.
    """
    claimed: dict[tuple[str, bool], list[tuple[str, str]]] = {}
    for device, mine, remote, author in db.execute("select distinct device, mine, remote, author from lane order by 1, 2, 3, 4"):
        claimed.setdefault((device, bool(mine)), []).append((remote, author))
    return claimed


def memories_of(db: sqlite3.Connection, devices: Sequence[str]) -> list[str]:
    """The memories that these devices said something about."""
    listed = ",".join("?" * len(devices))
    return [key for (key,) in db.execute(f"select distinct memory from operation where device in ({listed})", list(devices))]


def add_dead_letter(db: sqlite3.Connection, dead: DeadLetter, now: float) -> None:
    """Puts a line aside that could not be understood."""
    db.execute(
        "insert into dead_letter (remote, device, scope, team, project, seq, why, line, at) values (?,?,?,?,?,?,?,?,?)"
        " on conflict do nothing",
        (dead.remote, *dead.lane, dead.seq, dead.why, dead.line, now),
    )


def dead_letters(db: sqlite3.Connection, limit: int = 1_000) -> list[DeadLetter]:
    """What was put aside, oldest first."""
    letters = db.execute(
        "select remote, device, scope, team, project, seq, why, line from dead_letter order by at, device, seq limit ?", (limit,)
    )
    return [DeadLetter(line[0], (line[1], line[2], line[3], line[4]), *line[5:]) for line in letters]


def remove_dead_letter(db: sqlite3.Connection, dead: DeadLetter) -> None:
    """Forgets a line that was put aside: it could be read after all."""
    db.execute(f"delete from dead_letter where remote = ? and {_LANE} and seq = ?", (dead.remote, *dead.lane, dead.seq))


def unreported(db: sqlite3.Connection) -> int:
    """How many dead letters of the person's own devices no brief has spoken of; what others write is theirs to mend."""
    own = "exists (select 1 from lane where lane.remote = dead_letter.remote and lane.device = dead_letter.device and lane.mine)"
    return int(db.execute(f"select count(*) from dead_letter where told = 0 and {own}").fetchone()[0])


def note_reported(db: sqlite3.Connection) -> None:
    """Notes that all dead letters have been spoken of."""
    db.execute("update dead_letter set told = 1 where told = 0")


def purged(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """Memories purged here of which no lane tells yet, and when that was."""
    return [(memory, hlc) for memory, hlc in db.execute("select memory, hlc from purged where sent = 0 order by hlc")]


def purged_and_here(db: sqlite3.Connection) -> list[str]:
    """Memories that are here although a lane says that they were purged."""
    ids = db.execute("select distinct memory from operation where kind = 'purge' and memory in (select id from memory)")
    return [memory for (memory,) in ids]


def note_purge_sent(db: sqlite3.Connection, memory: str) -> None:
    db.execute("update purged set sent = 1 where memory = ?", (memory,))


def emptied_own(db: sqlite3.Connection, device: str) -> set[str]:
    """The memories of which this device's own lanes hold emptied operations."""
    ids = db.execute("select distinct memory from operation where remote = '' and device = ? and emptied = 1", (device,))
    return {memory for (memory,) in ids}


def renew(db: sqlite3.Connection, old: str, new: str, pushed: dict[LaneKey, int]) -> None:
    """Hands what `old` wrote and no remote has over to `new`; the rest stays what another device once said.

    Votes are left out: they are totals of the old device, and the new one counts its own.
    """
    for lane, last in own_lanes(db, old).items():
        rows: list[Any] = own(db, lane, pushed.get(lane, 0), last)
        db.execute(f"delete from operation where remote = '' and {_LANE} and seq > ?", (*lane, pushed.get(lane, 0)))
        rows = [row for row in rows if row.kind != "vote"]
        add(db, OWN, (row._replace(device=new, seq=number) for number, row in enumerate(rows, 1)))


LOCAL = "batch not like 'sync-%'"  # lines of the log that were done here
_READ, _OPENED = "sync_read", "sync_opened"


def read_until(db: sqlite3.Connection) -> int:
    """The number of the last line of the log that was looked at."""
    return int(meta(db, _READ) or 0)


def opened_places(db: sqlite3.Connection) -> set[Place]:
    """The places of which everything up to there was taken up."""
    return {(one[0], one[1], one[2]) for one in json.loads(meta(db, _OPENED) or "[]")}


def note_read(db: sqlite3.Connection, seq: int, places: set[Place]) -> None:
    if seq != read_until(db):
        set_meta(db, _READ, str(seq))
    if places != opened_places(db):
        set_meta(db, _OPENED, json.dumps(sorted(places)))


def is_news(db: sqlite3.Connection) -> bool:
    """Whether there is anything to look at."""
    return last_change(db) != read_until(db) or set(shares(db)) != opened_places(db) or bool(purged(db))


def last_change(db: sqlite3.Connection) -> int:
    """The number of the last line of the log of changes; 0 for none."""
    return int(db.execute("select ifnull(max(seq), 0) from change").fetchone()[0])


def waiting(db: sqlite3.Connection) -> int:
    """How many changes have not been looked at."""
    return int(db.execute(f"select count(*) from change where seq > ? and {LOCAL}", (read_until(db),)).fetchone()[0])


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


def add_remote(db: sqlite3.Connection, name: str, url: str, *, mine: bool) -> None:
    if any(one.name == name for one in remotes(db)):
        raise RefusedError(f"there is a remote {name!r} already; remove it first or choose another name")
    db.execute("insert into remote (name, url, mine) values (?,?,?)", (name, url, int(mine)))


def remove_remote(db: sqlite3.Connection, name: str) -> None:
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
