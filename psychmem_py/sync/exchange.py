"""One meeting of a store with its remotes: reads out what is new here, hands over what may leave, takes in what came, follows purges."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from typing import NamedTuple

from psychmem_py.errors import RemoteError
from psychmem_py.model.settings import Settings
from psychmem_py.model.terms import Place
from psychmem_py.safety.control_chars import line as flat
from psychmem_py.store import operations, remotes
from psychmem_py.store.connection import transaction
from psychmem_py.store.remotes import RemoteEntry
from psychmem_py.sync import clock, identity, progress
from psychmem_py.sync.op import Lane, Op
from psychmem_py.sync.operation_rows import op_of
from psychmem_py.sync.remote import PAGE_OPS, Remote
from psychmem_py.sync.remotes import opened
from psychmem_py.text.dates import DAY_S

DEADLINE_S = 5.0  # in the background; a person may wait longer
_FIRST_WAIT_S, _LONGEST_WAIT_S = 60.0, 21_600.0  # between tries of a remote that fails, in the background


class Meeting(NamedTuple):
    """What came of meeting one remote."""

    remote: str
    sent: int
    received: int
    memories: int  # changed here
    purged: int
    dead: int
    fault: str = ""
    notes: tuple[str, ...] = ()


class MeetingNeeds(NamedTuple):
    """What a meeting needs of its surroundings."""

    db: sqlite3.Connection
    database: str
    settings: Settings
    now: float
    erase: Callable[[list[str]], object]  # removes memories for good, from every file of ours


def meet(desk: MeetingNeeds, names: Iterable[str] = (), *, deadline_s: float = 60.0, patient: bool = True) -> list[Meeting]:
    """Meets the named remotes, or all. Without `patient` one that failed lately is left alone for a while."""
    end = time.monotonic() + deadline_s
    with transaction(desk.db):
        device = identity.device(desk.db, desk.database)
        if operations.dead_letters(desk.db, limit=1):
            _retried(desk)
    _gone_at_last(desk)
    wanted = set(names)
    meetings = []
    for named in remotes.remotes(desk.db):
        if (wanted and named.name not in wanted) or not (patient or _is_due(named, desk.now)):
            continue
        try:
            done = _met(desk, named, device, end)
        except RemoteError as exc:
            done = Meeting(named.name, 0, 0, 0, 0, 0, str(exc))
        except OSError as exc:
            done = Meeting(named.name, 0, 0, 0, 0, 0, f"{exc.strerror}: {exc.filename}" if exc.filename else str(exc.strerror))
        with transaction(desk.db):
            remotes.met(desk.db, named.name, desk.now, done.fault)
        meetings.append(done)
    return meetings


def _gone_at_last(desk: MeetingNeeds) -> None:
    """Follows purges that came in a meeting which was cut off before it could."""
    if left := operations.purged_and_here(desk.db):
        from psychmem_py.sync.receive import settle  # noqa: PLC0415  # as below

        with transaction(desk.db):
            gone = settle(desk.db, left, settings=desk.settings, now=desk.now, batch=_batch(desk.now)).purged
        if gone:
            desk.erase(list(gone))


def _retried(desk: MeetingNeeds) -> None:
    from psychmem_py.sync.receive import retried  # noqa: PLC0415  # with what it compares statements by, 30 ms

    retried(desk.db, settings=desk.settings, now=desk.now, batch=_batch(desk.now))


def _is_due(named: RemoteEntry, now: float) -> bool:
    wait = min(_LONGEST_WAIT_S, _FIRST_WAIT_S * 2 ** min(named.failed_times, 20)) if named.failed_times else 0.0
    return named.tried_at is None or now - named.tried_at >= wait or named.tried_at > now


def _batch(now: float) -> str:
    return f"sync-{int(now * 1000)}"


def _met(desk: MeetingNeeds, named: RemoteEntry, device: identity.Device, end: float) -> Meeting:
    with closing(opened(named, device)) as remote:
        held = remote.held(device.id)
        if _wrote_more_than_we_know(desk.db, held, device):
            with transaction(desk.db):
                device = identity.renewed(desk.db, desk.database)
            return _met(desk, named, device, end)
        sent = _pushed(desk, named, remote, held, device, end)
        received, memories, dead, purged = 0, 0, 0, list[str]()
        while time.monotonic() < end:
            have = {Lane(*lane): mark.seq for lane, mark in operations.marks(desk.db, named.name).items()}
            page = remote.pull(have, PAGE_OPS)
            if not page.deliveries:
                break
            from psychmem_py.sync.receive import receive  # noqa: PLC0415  # as above

            with transaction(desk.db):
                if not remotes.is_still(desk.db, named):
                    break
                _captured(desk.db, device)
                came = receive(desk.db, named.name, page.deliveries, settings=desk.settings, now=desk.now, batch=_batch(desk.now))
            received, memories, dead = received + came.operations, memories + came.memories, dead + came.dead
            purged += came.purged
            if not page.more or not (came.operations or came.dead):
                break
        if purged:
            desk.erase(purged)
        remote.empty(operations.emptied_own(desk.db, device.id))
        ahead = [
            f"the clock of {flat(name)} is {seconds / DAY_S:.0f} days ahead of this one"
            for name, seconds in _clocks_ahead(desk.db, named.name, desk.now)
        ]
        notes = (*getattr(remote, "faults", ()), *dict.fromkeys(ahead))
        return Meeting(named.name, sent, received, memories, len(purged), dead, notes=notes)


def _wrote_more_than_we_know(db: sqlite3.Connection, held: Mapping[Lane, int], device: identity.Device) -> bool:
    """Whether the remote holds more of this device than the device ever wrote: then it was restored or copied."""
    own = operations.own_lanes(db, device.id)
    return any(seq > own.get(lane, 0) for lane, seq in held.items())


def _captured(db: sqlite3.Connection, device: identity.Device) -> None:
    if not progress.is_news(db):
        return
    from psychmem_py.sync.capture import captured  # noqa: PLC0415  # with the redaction, 30 ms

    while captured(db, device.id):
        pass


def _pushed(  # noqa: PLR0917
    desk: MeetingNeeds, named: RemoteEntry, remote: Remote, held: Mapping[Lane, int], device: identity.Device, end: float
) -> int:
    """How many operations the remote took beyond those it held."""
    with transaction(desk.db):
        _captured(desk.db, device)
    # Behind the commit: a file that is further than the store, because this process was killed, would tell of a copy.
    identity.wrote(desk.db, desk.database, device.id)
    total = 0
    for key, last in operations.own_lanes(desk.db, device.id).items():
        lane = Lane(*key)
        seq = held.get(lane, 0)
        while seq < last and time.monotonic() < end and _goes(desk.db, key[1:], named):
            rows = operations.own(desk.db, key, seq, PAGE_OPS)
            took = remote.push(lane, [op_of(row) for row in rows])
            total += max(0, took - seq)
            if took <= seq:
                break
            seq = took
            with transaction(desk.db):
                if not remotes.is_still(desk.db, named):
                    return total
                operations.set_mark(desk.db, named.name, operations.LaneMark(key, seq, device.name, True, desk.now, ""))
    return total


def _goes(db: sqlite3.Connection, place: Place, named: RemoteEntry) -> bool:
    """Whether a place is shared with this remote at this moment: a person may take it back while we hand over."""
    return named.name in remotes.shares(db).get(place, ()) and remotes.is_still(db, named)


_AHEAD_S = DAY_S  # a clock that is further ahead of ours is told


def _clocks_ahead(db: sqlite3.Connection, remote: str, now: float) -> list[tuple[str, float]]:
    """The authors whose device's clock is far ahead of ours, and by how many seconds."""
    return [
        (mark.author, ahead)
        for mark in operations.marks(db, remote).values()
        if mark.latest and (ahead := clock.milliseconds(mark.latest) / 1000 - now) > _AHEAD_S
    ]


class Leaving(NamedTuple):
    """What would leave to a remote at the next meeting."""

    remote: str
    operations: tuple[Op, ...]


def leaving(desk: MeetingNeeds, names: Iterable[str] = ()) -> list[Leaving]:
    """What each remote would be sent now; nothing is sent, and what this notes in the store the caller takes back."""
    device = identity.device(desk.db, desk.database)
    _captured(desk.db, device)
    shares, wanted, leaving_now = remotes.shares(desk.db), set(names), []
    for named in remotes.remotes(desk.db):
        if wanted and named.name not in wanted:
            continue
        try:
            with closing(opened(named, device)) as remote:
                held = remote.held(device.id)
        except (RemoteError, OSError):
            held = {}
        waiting_rows = [
            op_of(row)
            for key in operations.own_lanes(desk.db, device.id)
            if named.name in shares.get(key[1:], ())
            for row in operations.own(desk.db, key, held.get(Lane(*key), 0), 1_000_000)
        ]
        leaving_now.append(Leaving(named.name, tuple(waiting_rows)))
    return leaving_now
