"""One sync of a store with its remotes: reads what is new here, sends what may leave, takes in what came, applies purges."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from typing import NamedTuple

from psychmem_py.curation.act import Act, Workplace
from psychmem_py.errors import BusyError, RemoteError
from psychmem_py.home import files, health, locks, places
from psychmem_py.home.light_json import read_object
from psychmem_py.store import operations
from psychmem_py.store.connection import open_store, transaction
from psychmem_py.store.operations import Lane, LaneMark, Op, RemoteEntry
from psychmem_py.store.sqlite import meta, set_meta
from psychmem_py.sync.op import PAGE_OPS
from psychmem_py.sync.remote import THIS_DEVICE, Remote, device_name, opened
from psychmem_py.text.dates import DAY_S

EVENT = "sync"


class Meeting(NamedTuple):
    """The outcome of syncing with one remote."""

    remote: str
    sent: int = 0
    received: int = 0
    memories: int = 0  # changed here
    purged: int = 0
    dead: int = 0
    fault: str = ""
    notes: tuple[str, ...] = ()


def meet(
    db: sqlite3.Connection, at: Workplace, now: float, names: Sequence[str] = (), *, deadline_s: float = 60, patient: bool = True
) -> list[Meeting]:
    """Syncs with the named remotes, or all. Without `patient` one that failed recently is skipped for a while."""
    end, act = time.monotonic() + deadline_s, Act(db, at.settings, now, f"sync-{int(now * 1000)}")
    with transaction(db):
        device = own_device(db, at.database)
    _follow_left_over(act, at)
    meetings = []
    for named in _named(db, names):
        wait_s = min(21_600.0, 60.0 * 2 ** min(named.failed_times, 20)) if named.failed_times and not patient else 0.0
        if named.tried_at is not None and 0 <= now - named.tried_at < wait_s:
            continue
        try:
            done, reached = _meet_remote(act, at, named, device, end), True
        except (RemoteError, OSError) as exc:
            done, reached = Meeting(named.name, fault=health.sentence(exc)), False
        operations.note_meeting(db, named.name, now, done.fault, reached=reached)
        meetings.append(done)
    return meetings


def _follow_left_over(act: Act, at: Workplace) -> None:
    """Takes in dead letters that can be read by now, and applies purges left over from an interrupted sync."""
    if not any(one.line for one in operations.dead_letters(act.db, limit=1)) and not operations.purged_and_here(act.db):
        return
    from psychmem_py.sync.receive import fold_in, retry_dead  # noqa: PLC0415  # with what it compares statements by, 30 ms

    with transaction(act.db):
        _, gone = fold_in(act, [*{*retry_dead(act), *operations.purged_and_here(act.db)}])
    _follow(act, at, gone)


def _follow(act: Act, at: Workplace, purged: Iterable[str]) -> None:
    """Removes what others purged, as far as each of them is allowed to."""
    ids = set(purged)
    theirs = ids & set(operations.purged_by_others(act.db))
    for some, by_others in ((ids - theirs, False), (theirs, True)):
        if some:
            from psychmem_py.curation import erasure  # noqa: PLC0415  # 100 ms that only a purge needs

            erasure.erase(act.db, sorted(some), at, act.now, theirs=by_others)


def _named(db: sqlite3.Connection, names: Sequence[str]) -> list[RemoteEntry]:
    return [one for one in operations.remotes(db) if not names or one.name in names]


def _meet_remote(act: Act, at: Workplace, named: RemoteEntry, device: str, end: float) -> Meeting:
    db, done, purged = act.db, Meeting(named.name), list[str]()
    with closing(opened(named, device, device_name(db), end)) as remote:
        held, own = remote.held(device), operations.own_lanes(db, device)
        if any(seq > own.get(lane, 0) for lane, seq in held.items()):  # more than we ever wrote: we were restored or copied
            with transaction(db):
                device = new_device(db, at.database)
            return _meet_remote(act, at, named, device, end)
        sent, fault = _pushed(act, at, named, remote, held, device, end)
        done = done._replace(sent=sent, fault=fault)
        passed, brought = dict[Lane, int](), PAGE_OPS  # lanes that are not taken in; how many operations the last page had
        while brought >= PAGE_OPS and time.monotonic() < end:
            if not (page := remote.pull({lane: mark.seq for lane, mark in operations.marks(db, named.name).items()} | passed)):
                break
            from psychmem_py.sync.receive import is_accepted, receive  # noqa: PLC0415  # as above

            brought = sum(len(one.records) for one in page)
            wanted = [one for one in page if is_accepted(db, named, one)]
            passed |= {one.lane: 2**53 for one in page if one not in wanted}  # more than any lane holds
            with transaction(db):
                if not operations.is_still(db, named):
                    break
                _capture_all(db, device)
                came, dead, changed, gone = receive(act, named.name, wanted)
            done = done._replace(received=done.received + came, memories=done.memories + changed, dead=done.dead + dead)
            purged += gone
            if not came and not dead and len(wanted) == len(page):
                break  # what is there lies behind a gap
        _follow(act, at, purged)
        # What was set aside here may stand again, since what stood against it has changed or gone.
        if (done.sent or done.received) and (aside := operations.set_aside_here(db)):
            from psychmem_py.sync.receive import fold_in  # noqa: PLC0415  # as above

            with transaction(db):
                done = done._replace(memories=done.memories + len(fold_in(act, aside)[0]))
        remote.empty(operations.emptied_own(db))
        return done._replace(purged=len(purged), notes=tuple(getattr(remote, "faults", ())))


def _capture_all(db: sqlite3.Connection, device: str) -> None:
    if (operations.last_change(db), set(operations.shares(db))) != operations.log_progress(db) or operations.purged(db):
        from psychmem_py.sync.outgoing import capture  # noqa: PLC0415  # with the redaction, 30 ms

        while capture(db, device):
            pass


def _pushed(  # noqa: PLR0917
    act: Act, at: Workplace, named: RemoteEntry, remote: Remote, held: Mapping[Lane, int], device: str, end: float
) -> tuple[int, str]:
    """How many operations the remote took beyond those it held, and why it refused a place: the others go on."""
    db, total, fault = act.db, 0, ""
    with transaction(db):
        _capture_all(db, device)
    # After the commit: were this process killed before it, a file ahead of the store would look like that of a copy.
    wrote(db, at.database, device)
    for lane, last in operations.own_lanes(db, device).items():
        seq = held.get(lane, 0)
        while seq < last and time.monotonic() < end and operations.may_go(db, lane, named):
            try:
                took = remote.push(lane, operations.own(db, lane, seq, PAGE_OPS))
            except (RemoteError, OSError) as exc:
                took, fault = seq, health.sentence(exc)
            if took <= seq:
                break
            total, seq = total + took - seq, took
            with transaction(db):
                if operations.is_still(db, named):
                    operations.set_mark(db, named.name, lane, LaneMark(seq, device_name(db), True, act.now))
    return total, fault


def leaving(db: sqlite3.Connection, database: str, names: Sequence[str] = ()) -> dict[str, list[Op]]:
    """What each remote would be sent now, by its name. Sends nothing; what it notes in the store the caller takes back."""
    if not (device := own_device(db, database)):
        return {}
    _capture_all(db, device)
    shares, leaving_now = operations.shares(db), dict[str, list[Op]]()
    for named in _named(db, names):
        sent = {lane: mark.seq for lane, mark in operations.marks(db, named.name).items()}
        lanes = (lane for lane in operations.own_lanes(db, device) if named.name in shares.get(lane[1:], ()))
        leaving_now[named.name] = [op for lane in lanes for op in operations.own(db, lane, sent.get(lane, 0), 1_000_000)]
    return leaving_now


def met(
    at: Workplace, now: float, names: Sequence[str] = (), *, deadline_s: float, patient: bool, wait_s: float = 0.0
) -> list[Meeting]:
    """What came of meeting the remotes. Raises BusyError while another process does."""
    with locks.lock(at.data, os.path.abspath(at.database), wait_s, kind="sync") as got:
        if not got:
            raise BusyError("another sync is going on; try again when it is done")
        with open_store(at.database, now=now, timeout_s=20.0) as db:
            meetings = meet(db, at, now, names, deadline_s=deadline_s, patient=patient)
            lost = operations.lost(db, now - 3 * DAY_S)  # a laptop is often away from home
    if lost:  # for the next brief, until it is back
        gone = RemoteError(f"remote {lost[0]} was not reached for days; `psychmem share status` says why")
        health.failed(at.data, EVENT, gone, now)
    elif any(one.event == EVENT for one in health.failures(at.data)):
        places.beat(at.data, EVENT, now)
    return meetings


def run(at: Workplace) -> bool:
    """Meets the remotes that are due, a few seconds at most; whether any memory changed. Never raises for a remote."""
    try:
        return any(one.memories or one.purged for one in met(at, time.time(), deadline_s=5.0, patient=False))
    except BusyError:
        return False


def own_device(db: sqlite3.Connection, database: str) -> str:
    """This store's device: 32 hex digits, new ones in a copy, as two in one lane clash for ever; "" without remotes."""
    if not operations.remotes(db):
        return ""
    known, record = meta(db, THIS_DEVICE), read_object(f"{database}.device")
    written = record.get("written")
    fits = known and isinstance(written, int) and written <= sum(operations.own_lanes(db, known).values())
    return known if fits and record == _record(database, known, written) else new_device(db, database)


def new_device(db: sqlite3.Connection, database: str) -> str:
    """A new device in place of the old one; it takes over the operations that no remote has yet."""
    old, new = meta(db, THIS_DEVICE), os.urandom(16).hex()
    if old:
        marks = (lane_mark for one in operations.remotes(db) for lane_mark in operations.marks(db, one.name).items())
        # In order, so that the greatest of a lane is the one that stays.
        operations.reassign(db, old, new, dict(sorted((lane, mark.seq) for lane, mark in marks if lane.device == old)))
    set_meta(db, THIS_DEVICE, new)
    wrote(db, database, new)
    return new


def wrote(db: sqlite3.Connection, database: str, device_id: str) -> None:
    """Notes how far the store has written, before anybody else can see it."""
    record = _record(database, device_id, sum(operations.own_lanes(db, device_id).values()))
    files.replace(f"{database}.device", json.dumps(record).encode())


def _record(database: str, device_id: str, written: object) -> dict[str, object]:
    """What is noted beside a store: the last two distinguish the file from a copy of it."""
    machine = places.read_small("/etc/machine-id", 64).strip()
    return {"device": device_id, "written": written, "inode": os.stat(database).st_ino, "machine": machine}
