"""Reads out of the store's own log what the others have to hear: the changes of shared places since the last time, as operations.

The log is written with every change in its transaction, whether anything is shared or not. So nothing is written twice, a hook costs the
same whatever waits, and a store from before sync has its operations already.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from psychmem_py.model.records import Memory
from psychmem_py.model.terms import Place
from psychmem_py.store import change_log, operations, remotes, rows
from psychmem_py.store.change_log import Logged
from psychmem_py.store.operations import LaneKey, StoredOperation
from psychmem_py.sync import clock, outgoing, progress
from psychmem_py.sync.fold import State, rank, states_of
from psychmem_py.sync.op import Op, OpError, OpKind, checked
from psychmem_py.sync.operation_rows import op_of, row_of
from psychmem_py.sync.outgoing import Draft

SLICE = 2_000  # lines of the log at once


def captured(db: sqlite3.Connection, device: str) -> bool:
    """Takes up a slice of what waits; whether more waits. The caller holds the transaction."""
    shared, opened = set(remotes.shares(db)), progress.opened(db)
    read, last = progress.read(db), progress.last_line(db)
    lines: list[Logged] = []
    if opened & shared:
        lines = change_log.log(db, f"seq > ? and {progress.LOCAL}", (read,), tail=f"order by seq limit {SLICE}")
        last = lines[-1].seq if len(lines) == SLICE else last
    _take(db, device, opened & shared, lines)
    for place in sorted(shared - opened):
        _take(db, device, {place}, _everything_in(db, place))
    _tell_purges(db, device)
    progress.note(db, last, shared)
    return len(lines) == SLICE


def _everything_in(db: sqlite3.Connection, place: Place) -> list[Logged]:
    """The whole history of the memories in a place."""
    changes: list[Logged] = []
    ids = rows.ids_in(db, place[2] or None)
    for start in range(0, len(ids), 500):
        part = ids[start : start + 500]
        changes += change_log.log(db, f"memory_id in ({','.join('?' * len(part))}) and {progress.LOCAL}", part)
    return changes


def _take(db: sqlite3.Connection, device: str, places: set[Place], lines: Sequence[Logged]) -> None:
    """Writes down what these lines say about these places."""
    by_memory: dict[str, list[Logged]] = {}
    for line in lines:
        by_memory.setdefault(line.change.memory_id, []).append(line)
    known = _by_memory(operations.of_memories(db, list(by_memory)))
    there = rows.several(db, list(by_memory))
    lanes = operations.own_lanes(db, device)
    made: list[StoredOperation] = []
    for memory, drafts in by_memory.items():
        stated, here = known.get(memory, []), there.get(memory)
        audible = here is not None and outgoing.audible(here) is not None
        home = outgoing.place_of(here) if audible and here is not None else None
        wanted = [(one, time) for one, time in _drafts(drafts, stated) if one.place in places]
        concerned = {one.place for one, _ in wanted} | ({home} & places if home else set())
        times = {key: one.hlc for key, one in _state(stated).statements.items()}
        for place in sorted(concerned, key=lambda place: place == home):  # it leaves one place before it comes to another
            state = _state(stated, place)
            if not audible and not state.statements:
                continue  # gone again before anybody heard of it
            mine = [(one, time) for one, time in wanted if one.place == place]
            if place == home and here is not None:
                mine += [(one, drafts[-1].hlc[: len(clock.ZERO)]) for one in _votes(here, state, device)]
            made += _numbered(mine, state, times, device, lanes)
    operations.add(db, operations.OWN, made)


def _drafts(lines: Iterable[Logged], known: Sequence[StoredOperation]) -> list[tuple[Draft, str]]:
    """What the lines say, with the time; of what was said twice the last."""
    state = states_of((op, row.rank) for row in known for op in (op_of(row),)).get(known[0].memory) if known else None
    elsewhere = state is not None and state.put("created_at") is not None and state.made_by_stranger
    drafts: dict[tuple[object, ...], tuple[Draft, str]] = {}
    for line in lines:
        for draft in outgoing.drafts(line.change, by_person=not line.who, elsewhere=elsewhere):
            link = draft.value if draft.kind in (OpKind.LINK, OpKind.UNLINK) else None
            slot = outgoing.slot(draft)
            drafts.pop((draft.place, *slot, link), None)
            drafts[draft.place, *slot, link] = draft, line.hlc[: len(clock.ZERO)]
    return list(drafts.values())


def _votes(memory: Memory, state: State, device: str) -> list[Draft]:
    """This device's own totals: what is counted here less what the others counted."""
    votes = []
    for field, total in (("use", memory.use_count), ("session", memory.session_count)):
        mine = state.statements.get((OpKind.VOTE, f"{field} {device}"))
        others = state.votes(field) - (mine.value if mine else 0)
        own = max(0, total - others)
        if own != (mine.value if mine else 0):
            votes.append(Draft(outgoing.place_of(memory), memory.id, OpKind.VOTE.value, field, own))
    return votes


def _numbered(
    timed: Sequence[tuple[Draft, str]], state: State, times: dict[tuple[str, str], str], device: str, lanes: dict[LaneKey, int]
) -> list[StoredOperation]:
    """The operations of one memory in one place that say something new, each later than what it was said on top of (`times`)."""
    made = []
    for one_draft, time in timed:
        draft = outgoing.lifted(one_draft, state)
        key = outgoing.key(draft, device)
        winner = state.statements.get(key)
        if winner is not None and winner.value == outgoing.says(draft):
            continue
        times[key] = hlc = max(time, clock.after(times[key])) if key in times else time
        lane = (device, *draft.place)
        op = Op(
            device, lanes.get(lane, 0) + 1, hlc, *draft.place, draft.memory, draft.kind, draft.field, draft.value, draft.origin
        )
        try:
            made.append(row_of(checked(op), rank(op.origin, mine=True)))
        except OpError:
            continue  # what nobody could read is not sent
        lanes[lane] = op.seq
    return made


def _tell_purges(db: sqlite3.Connection, device: str) -> None:
    """Says in every place where a purged memory was spoken of that it was purged."""
    waiting = operations.purged(db)
    lanes = operations.own_lanes(db, device) if waiting else {}
    for memory, time in waiting:
        known = operations.of_memories(db, [memory])
        for place in operations.places_of(db, memory):
            latest = max(row.hlc for row in known)
            lane = (device, *place)
            op = Op(
                device,
                lanes.get(lane, 0) + 1,
                max(time, clock.after(latest)),
                *place,
                memory,
                OpKind.PURGE.value,
                origin="user_cli",
            )
            operations.add(db, operations.OWN, [row_of(op, rank(op.origin, mine=True))])
            lanes[lane] = op.seq
        operations.told_purge(db, memory)


def _by_memory(all_rows: Iterable[StoredOperation]) -> dict[str, list[StoredOperation]]:
    sorted_: dict[str, list[StoredOperation]] = {}
    for row in all_rows:
        sorted_.setdefault(row.memory, []).append(row)
    return sorted_


def _state(known: Iterable[StoredOperation], place: Place | None = None) -> State:
    """What is said of one memory, in one place or anywhere."""
    there = [row for row in known if place is None or (row.scope, row.team, row.project) == place]
    return states_of((op_of(row), row.rank) for row in there).get(there[0].memory, State({})) if there else State({})
