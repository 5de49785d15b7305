"""Operations, lanes and dead letters of sync as rows; what they mean is told in `sync.op`. `remotes` has who they go to."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from psychmem_py.model.terms import Place
from psychmem_py.store import remotes
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


def empty(db: sqlite3.Connection, memories: Iterable[str]) -> None:
    """Takes what was said about these memories out of every operation; that something was said stays."""
    db.executemany(
        "update operation set value = null, emptied = 1 where memory = ? and kind != 'purge' and emptied = 0",
        ((memory,) for memory in memories),
    )


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
    return last_change(db) != read_until(db) or set(remotes.shares(db)) != opened_places(db) or bool(purged(db))


def last_change(db: sqlite3.Connection) -> int:
    """The number of the last line of the log of changes; 0 for none."""
    return int(db.execute("select ifnull(max(seq), 0) from change").fetchone()[0])


def waiting(db: sqlite3.Connection) -> int:
    """How many changes have not been looked at."""
    return int(db.execute(f"select count(*) from change where seq > ? and {LOCAL}", (read_until(db),)).fetchone()[0])
