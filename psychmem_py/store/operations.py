"""Operations, lanes and dead letters of sync as rows (see `sync.op`); remotes, what may go to each, and who is trusted."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.home.light_json import encoded
from psychmem_py.model.records import Origin, Place
from psychmem_py.store.sqlite import among, column, insert, meta, set_meta, value

OWN = ""  # the remote of what this store wrote itself
LOCAL = "batch not like 'sync-%'"  # lines of the log that were done here
HEARD_OF = "memory_id in (select memory from operation where rank > 0)"  # of memories that the person's own devices speak of
OF_PROJECT = "memory_id in (select id from memory where project is ?)"
_READ, _OPENED = "sync_read", "sync_opened"
_DEAD_LETTERS = 1_000  # of which the line is kept: whoever sends many must not fill the disk


class Lane(NamedTuple):
    """What one device says about one `Place`; `seq` counts within it."""

    device: str
    scope: str
    team: str = ""
    project: str = ""


class Op(NamedTuple):
    """One operation. The tuple is what a line says; equal operations have equal lines."""

    device: str  # 32 hex digits, random for each store
    seq: int  # dense from 1 within the lane
    hlc: str  # hybrid time, see `sync.op.hlc`
    scope: str  # one of `sync.op.Reach`
    team: str  # "" where there is none
    project: str  # the project's id; "" unless scope is project
    memory: str
    kind: str  # one of `sync.op.OpKind`
    field: str = ""
    value: Any = None  # what JSON can say; see the table in `sync.op`
    origin: str = Origin.ASSISTANT.value
    emptied: bool = False  # the value went with a purge

    @property
    def lane(self) -> Lane:
        return Lane(self.device, self.scope, self.team, self.project)

    @property
    def place(self) -> Place:
        return self.scope, self.team, self.project


Ranked = tuple[Op, int]  # and what it is worth here


class LaneMark(NamedTuple):
    """How far a lane was read from a remote, or written to it."""

    seq: int
    author: str
    mine: bool
    at: float


class DeadLetter(NamedTuple):
    """A line that is no operation here."""

    remote: str
    lane: Lane
    seq: int
    why: str
    line: str


_COLUMNS = ", ".join((*Op._fields, "rank"))
_OF_LANE = "device, scope, team, project"
_IN_LANE = f"({_OF_LANE}) = (?,?,?,?)"


def _ranked(lines: Iterable[Sequence[Any]]) -> list[Ranked]:
    said = (([*said, value and json.loads(value), origin, bool(emptied)], rank) for *said, value, origin, emptied, rank in lines)
    return [(Op._make(fields), rank) for fields, rank in said]


def add(db: sqlite3.Connection, remote: str, ops: Iterable[Ranked]) -> None:
    """Keeps operations; what is there already stays as it is."""
    lines = ((remote, *op[:9], None if op.value is None else encoded(op.value), op.origin, op.emptied, rank) for op, rank in ops)
    insert(db, "operation", f"remote, {_COLUMNS}", lines)


def of_memories(db: sqlite3.Connection, ids: Sequence[str]) -> list[Ranked]:
    """Every operation about these memories, whoever wrote it."""
    return _ranked(among(db, f"select {_COLUMNS} from operation where memory in ({{keys}})", ids))


def judges(db: sqlite3.Connection, ids: Sequence[str]) -> dict[str, set[str]]:
    """The devices that made each of these memories, and that said last how it reads and whether it stands."""
    said = "select memory, field, device from operation where kind = 'put' and field in ('created_at', 'text', 'status')"
    last: dict[str, dict[str, str]] = {}
    for key, field, device in among(db, f"{said} and memory in ({{keys}}) order by rank, hlc, device", ids):
        last.setdefault(key, {})[field] = device
    return {key: {*by.values()} for key, by in last.items()}


def set_aside_here(db: sqlite3.Connection) -> list[str]:
    """Memories that stand by what was said last, and were replaced here when others came."""
    said = "memory = memory.id and (field = 'status' or kind = 'forget') order by rank desc, hlc desc, device desc limit 1"
    stands = f"(select value from operation where {said}) = '\"active\"'"
    return column(db, f"select id from memory where status = 'superseded' and {stands}")


def own(db: sqlite3.Connection, lane: Lane, beyond: int, limit: int) -> list[Op]:
    """The operations this store wrote into a lane beyond a number, in order."""
    beyond_it = f"remote = '' and {_IN_LANE} and seq > ? order by seq limit ?"
    return [op for op, _ in _ranked(db.execute(f"select {_COLUMNS} from operation where {beyond_it}", (*lane, beyond, limit)))]


def own_lanes(db: sqlite3.Connection, device: str) -> dict[Lane, int]:
    """The lanes that this store writes as `device`, with the number of the last operation in each."""
    own = f"select {_OF_LANE}, max(seq) from operation where remote = '' and device = ? group by scope, team, project"
    return {Lane(*lane): seq for *lane, seq in db.execute(own, (device,))}


def marks(db: sqlite3.Connection, remote: str) -> dict[Lane, LaneMark]:
    """How far every lane was read from, or written to, this remote."""
    lines = db.execute(f"select {_OF_LANE}, {', '.join(LaneMark._fields)} from lane where remote = ?", (remote,))
    return {Lane._make(line[:4]): LaneMark._make(line[4:]) for line in lines}


def set_mark(db: sqlite3.Connection, remote: str, lane: Lane, mark: LaneMark) -> None:
    """Notes how far a lane was read or written."""
    clash = "update set " + ", ".join(f"{name} = excluded.{name}" for name in mark._fields)
    insert(db, "lane", f"remote, {_OF_LANE}, {', '.join(mark._fields)}", [(remote, *lane, *mark)], clash)


def authors(db: sqlite3.Connection) -> dict[tuple[str, bool], list[tuple[str, str]]]:
    """By device, and whether it counts as the person's own, its remotes and its name there: others can claim any device."""
    claimed: dict[tuple[str, bool], list[tuple[str, str]]] = {}
    for device, mine, remote, author in db.execute("select distinct device, mine, remote, author from lane order by 1, 2, 3, 4"):
        claimed.setdefault((device, bool(mine)), []).append((remote, author))
    return claimed


def memories_of(db: sqlite3.Connection, devices: Sequence[str]) -> list[str]:
    """The memories that these devices said something about."""
    return [key for (key,) in among(db, "select distinct memory from operation where device in ({keys})", devices)]


def made_where(db: sqlite3.Connection, remote: str, ids: Sequence[str]) -> set[str]:
    """Those of these memories that were made here, or on a device that writes at this remote: nobody there can read others."""
    made = "select memory from operation where memory in ({keys}) and field = 'created_at'"
    there = "remote = '' or device in (select device from lane where remote = ?)"
    return {key for (key,) in among(db, f"{made} and ({there})", ids, remote)}


def add_dead_letter(db: sqlite3.Connection, dead: DeadLetter, now: float) -> None:
    """Puts a line aside that could not be understood."""
    insert(db, "dead_letter", f"remote, {_OF_LANE}, seq, why, line, at", [(dead.remote, *dead.lane, *dead[2:], now)])


def room_for_dead_letters(db: sqlite3.Connection) -> int:
    """How many more lines may be kept for a newer PsychMem to read."""
    return _DEAD_LETTERS - int(value(db, "select count(*) from dead_letter where line != ''"))


def dead_letters(db: sqlite3.Connection, limit: int = _DEAD_LETTERS) -> list[DeadLetter]:
    """What was put aside, oldest first, before what cannot be read ever."""
    oldest = f"select remote, {_OF_LANE}, seq, why, line from dead_letter order by line = '', at, device, seq limit ?"
    return [DeadLetter(line[0], Lane(*line[1:5]), *line[5:]) for line in db.execute(oldest, (limit,))]


def remove_dead_letter(db: sqlite3.Connection, dead: DeadLetter) -> None:
    """Forgets a line that was put aside: it could be read after all."""
    db.execute(f"delete from dead_letter where remote = ? and {_IN_LANE} and seq = ?", (dead.remote, *dead.lane, dead.seq))


def purged(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """Memories purged here that no lane reports yet, each with the time."""
    return db.execute("select memory, hlc from purged where sent = 0 order by hlc").fetchall()


def purged_here(db: sqlite3.Connection, ids: Sequence[str], more: Iterable[str]) -> set[str]:
    """Those of these memories that were purged here, once some `more` are noted as purged, for other machines to follow."""
    insert(db, "purged", "memory, hlc", ((key, meta(db, "hlc")[:20]) for key in more))
    return {key for (key,) in among(db, "select memory from purged where memory in ({keys})", ids)}


def purged_and_here(db: sqlite3.Connection) -> list[str]:
    """Memories that are here although a lane says that they were purged."""
    return column(db, "select distinct memory from operation where kind = 'purge' and memory in (select id from memory)")


def purged_by_others(db: sqlite3.Connection) -> list[str]:
    """The memories that lanes of other people alone say were purged."""
    return column(db, "select memory from operation where kind = 'purge' group by memory having max(rank) = 0")


def note_purge_sent(db: sqlite3.Connection, memory: str) -> None:
    """Notes that a lane tells of a purge."""
    db.execute("update purged set sent = 1 where memory = ?", (memory,))


def emptied_own(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """The memories of which the lanes that this store wrote hold emptied operations, each with the device that it then was."""
    return db.execute("select distinct device, memory from operation where remote = '' and emptied = 1").fetchall()


def reassign(db: sqlite3.Connection, old: str, new: str, pushed: dict[Lane, int]) -> None:
    """Hands what `old` wrote and no remote has over to `new`, but for votes, which are the old one's totals."""
    for lane in own_lanes(db, old):
        beyond = pushed.get(lane, 0)
        beyond_it = f"from operation where remote = '' and {_IN_LANE} and seq > ?"
        lines = _ranked(db.execute(f"select {_COLUMNS} {beyond_it} order by seq", (*lane, beyond)))
        db.execute(f"delete {beyond_it}", (*lane, beyond))
        kept = ((op, rank) for op, rank in lines if op.kind != "vote")
        add(db, OWN, ((op._replace(device=new, seq=number), rank) for number, (op, rank) in enumerate(kept, 1)))


def log_progress(db: sqlite3.Connection) -> tuple[int, set[Place]]:
    """The number of the last log line read for sync, and the places for which all lines up to it were read."""
    return int(meta(db, _READ) or 0), set(map(tuple, json.loads(meta(db, _OPENED) or "[]")))


def note_progress(db: sqlite3.Connection, seq: int, places: set[Place]) -> None:
    """Notes how far the log was looked at."""
    set_meta(db, _READ, str(seq))
    set_meta(db, _OPENED, json.dumps(sorted(places)))


def last_change(db: sqlite3.Connection) -> int:
    """The number of the last line of the log of changes; 0 for none."""
    return int(value(db, "select ifnull(max(seq), 0) from change"))


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
    """All remotes by name."""
    lines = db.execute(f"select {', '.join(RemoteEntry._fields)} from remote order by name")
    return [RemoteEntry(name, url, bool(mine), *rest) for name, url, mine, *rest in lines]


def remote(db: sqlite3.Connection, name: str) -> RemoteEntry:
    """Raises NotFoundError for a name that was not given."""
    if name not in (known := {one.name: one for one in remotes(db)}):
        names = ", ".join(known) or "there are none; `psychmem share add NAME URL`"
        raise NotFoundError(f"there is no remote {name!r}; known: {names}")
    return known[name]


def lost(db: sqlite3.Connection, since: float) -> list[str]:
    """Names of remotes that fail and were reached before `since`; or never, and the last that was named was named before it."""
    named = "select max(at) from command where name = 'share add'"
    return column(db, f"select name from remote where fault != '' and ifnull(synced_at, ({named})) < ? order by name", since)


def is_still(db: sqlite3.Connection, entry: RemoteEntry) -> bool:
    """Whether a person has neither removed it nor given its name to another."""
    return any(one[:2] == entry[:2] for one in remotes(db))


def may_go(db: sqlite3.Connection, lane: Lane, entry: RemoteEntry) -> bool:
    """Whether a lane is shared with a remote; a person may take back either while we hand over."""
    return is_still(db, entry) and entry.name in shares(db).get(lane[1:], ())


def add_remote(db: sqlite3.Connection, name: str, url: str, *, mine: bool) -> None:
    """Names a remote. Raises RefusedError for a name that is taken."""
    if any(one.name == name for one in remotes(db)):
        raise RefusedError(f"there is a remote {name!r} already; remove it first or choose another name")
    insert(db, "remote", "name, url, mine", [(name, url, int(mine))])


def remove_remote(db: sqlite3.Connection, name: str) -> None:
    """Forgets a remote and how far it was read and written; what came from it stays."""
    for table in ("share", "lane", "dead_letter", "trusted_author"):
        db.execute(f"delete from {table} where remote = ?", (name,))
    db.execute("delete from remote where name = ?", (name,))


def note_meeting(db: sqlite3.Connection, name: str, now: float, fault: str, *, reached: bool) -> None:
    """Stores the outcome of a sync with a remote; a `fault` may have kept us from taking what it gave."""
    outcome = "failed_times = iif(?1, 0, failed_times + 1), tried_at = ?2, synced_at = iif(?1, ?2, synced_at), fault = ?3"
    db.execute(f"update remote set {outcome} where name = ?4", (reached, now, fault, name))


def shares(db: sqlite3.Connection) -> dict[Place, set[str]]:
    """What may leave, and to which remotes."""
    by_place: dict[Place, set[str]] = {}
    for scope, team, project, name in db.execute("select scope, team, project, remote from share"):
        by_place.setdefault((scope, team, project), set()).add(name)
    return by_place


def share(db: sqlite3.Connection, place: Place, name: str) -> None:
    """Lets what a place holds go to a remote."""
    insert(db, "share", "scope, team, project, remote", [(*place, name)])


def unshare(db: sqlite3.Connection, place: Place, name: str) -> bool:
    """Whether there was anything to take back."""
    return db.execute("delete from share where (scope, team, project, remote) = (?,?,?,?)", (*place, name)).rowcount > 0


def trusted(db: sqlite3.Connection) -> frozenset[tuple[str, str]]:
    """The remotes and, at each, the authors whose rules need no review."""
    return frozenset(db.execute("select remote, name from trusted_author"))


def trust(db: sqlite3.Connection, remote: str, name: str, now: float, *, trusting: bool = True) -> None:
    """Says that the rules of an author at a remote need no review, or do again."""
    db.execute("delete from trusted_author where remote = ? and name = ?", (remote, name))
    if trusting:
        insert(db, "trusted_author", "remote, name, at", [(remote, name, now)])
