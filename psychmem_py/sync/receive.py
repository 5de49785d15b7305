"""Takes operations in: reads the lines, keeps what is one, and makes the memories what the fold of all operations says."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from psychmem_py.curation.act import Act
from psychmem_py.errors import NotFoundError
from psychmem_py.model.records import Change, Link, Memory
from psychmem_py.model.settings import Settings
from psychmem_py.model.terms import ChangeType, LinkType
from psychmem_py.store import change_log, operations, remotes, rows, tombstones
from psychmem_py.store.alike import neighbours
from psychmem_py.store.connection import transaction
from psychmem_py.store.operations import DeadLetter, LaneMark, StoredOperation
from psychmem_py.sync.fold import STRANGER, State, rank, states_of
from psychmem_py.sync.incoming import Source, changes, is_own, memory_of
from psychmem_py.sync.op import LINE_BYTES, Delivery, Op, OpError, OpKind, Reach, op_of, parsed, row_of

_NEIGHBOURS = 50  # that a memory which came is compared with


class Received(NamedTuple):
    """What came of some deliveries."""

    operations: int
    memories: int  # that changed here
    purged: tuple[str, ...]  # memories that are here and have to go
    dead: int


def receive(
    db: sqlite3.Connection, remote: str, deliveries: Iterable[Delivery], *, settings: Settings, now: float, batch: str
) -> Received:
    """Keeps what was delivered, moves the marks, and settles what it is about; all in the caller's transaction."""
    marks = operations.marks(db, remote)
    touched: dict[str, None] = {}
    total = dead = 0
    for delivery in deliveries:
        if not _may_come(delivery):
            continue
        known = marks.get(delivery.lane)
        seq, latest = (known.seq, known.latest) if known else (0, "")
        kept: list[StoredOperation] = []
        for record in delivery.records:
            if record.seq <= seq:
                continue
            if record.seq != seq + 1:
                break  # a gap: the lane waits
            seq = record.seq
            try:
                op = _read(record.line, delivery, seq)
            except OpError as exc:
                dead += 1
                text = record.line if exc.newer and len(record.line) <= LINE_BYTES else ""
                operations.add_dead_letter(db, DeadLetter(remote, delivery.lane, seq, str(exc), text), now)
                continue
            latest = max(latest, op.hlc)
            kept.append(row_of(op, rank(op.origin, mine=delivery.mine)))
        operations.add(db, remote, kept)
        operations.set_mark(db, remote, LaneMark(delivery.lane, seq, delivery.author, delivery.mine, now, latest))
        total += len(kept)
        touched |= dict.fromkeys(row.memory for row in kept if row.kind != OpKind.GRANT)
    came = settle(db, list(touched), settings=settings, now=now, batch=batch)
    return Received(total, len(came.changed), came.purged, dead)


def _may_come(delivery: Delivery) -> bool:
    """Whether a lane may be heard at all: of others only what they say about projects."""
    return delivery.mine or delivery.lane.scope == Reach.PROJECT


def _read(text: str, delivery: Delivery, seq: int) -> Op:
    op = parsed(text)
    if op.lane != delivery.lane or op.seq != seq:
        raise OpError("a line of another lane")
    return op


def retried(db: sqlite3.Connection, *, settings: Settings, now: float, batch: str) -> int:
    """How many dead letters can be read after all, since this PsychMem is a newer one."""
    number = 0
    touched: dict[str, None] = {}
    for record in operations.dead_letters(db):
        if not record.line:
            continue
        try:
            op = parsed(record.line)
        except OpError:
            continue
        mark = operations.marks(db, record.remote).get(record.lane)
        operations.add(db, record.remote, [row_of(op, rank(op.origin, mine=mark is not None and mark.mine))])
        operations.remove_dead_letter(db, record)
        touched[op.memory] = None
        number += 1
    settle(db, list(touched), settings=settings, now=now, batch=batch)
    return number


class ReceivedMemories(NamedTuple):
    """The memories that changed here, and those that are here and have to go."""

    changed: tuple[str, ...]
    purged: tuple[str, ...]


def settle(db: sqlite3.Connection, ids: Sequence[str], *, settings: Settings, now: float, batch: str) -> ReceivedMemories:
    """Makes these memories what all operations about them say."""
    stated = operations.of_memories(db, ids)
    states = states_of((op_of(row), row.rank) for row in stated)
    authors, trusted = operations.authors(db), remotes.trusted(db)
    there = rows.several(db, list(ids))
    changed, gone, linked = [], list[str](), []
    for key, state in states.items():
        if state.purged is not None and state.is_purged:
            if state.purged.rank == STRANGER and is_own(there.get(key)):
                continue
            if key in there or any(row.memory == key and not row.emptied and row.kind == OpKind.PUT for row in stated):
                gone.append(key)
            continue
        source = _source(state, authors, trusted)
        after = memory_of(state, there.get(key), key, source, settings, now)
        if after is None or after == there.get(key) or (key not in there and tombstones.buried(db, [after.text])):
            continue
        around: list[Memory] = []
        if _is_news(there.get(key), after):
            around = [*neighbours(db, [after.text], scope=after.scope, project=after.project, limit=_NEIGHBOURS)]
        made = changes(there.get(key), after, source, around, settings, now)
        if made and _applied(db, made, batch=batch, now=now, source=source):
            changed.append(key)
        linked.append((key, state, source))
    for key, state, source in linked:
        _applied(db, _link_changes(db, key, state, now), batch=batch, now=now, source=source)
    return ReceivedMemories(tuple(changed), tuple(gone))


def _is_news(before: Memory | None, after: Memory) -> bool:
    return before is None or (before.text, before.kind, before.status) != (after.text, after.kind, after.status)


def _source(state: State, authors: dict[tuple[str, bool], str], trusted: frozenset[str]) -> Source:
    text = state.put("text")
    if text is None:
        return Source()
    if text.rank > STRANGER:
        return Source(name=authors.get((text.device, True), ""), device=text.device)
    name = authors.get((text.device, False), text.device[:8])
    return Source(name, name in trusted, name, text.device)


def _applied(db: sqlite3.Connection, made: Sequence[Change], *, batch: str, now: float, source: Source) -> bool:
    """Whether the changes could be written; where a statement of these words is kept already it stays as it is."""
    db.execute("savepoint settling")
    try:
        change_log.apply(db, made, batch=batch, now=now, agent=f"sync:{source.name or source.device[:8]}", device=source.device)
    except sqlite3.IntegrityError:
        db.execute("rollback to settling")
        return False
    finally:
        db.execute("release settling")
    return bool(made)


def _link_changes(db: sqlite3.Connection, key: str, state: State, now: float) -> list[Change]:
    """The links that the operations have and the store has not, where both ends are here; and those that are taken away."""
    memory = rows.get(db, key)
    if memory is None:
        return []
    there = {(link.type.value, link.target): link for link in rows.links(db, key) if link.source == key}
    made = []
    for kind, target in sorted(state.links - there.keys()):
        if rows.get(db, target) is not None:
            link = Link(key, target, LinkType(kind), now)
            made.append(Change(ChangeType.LINK, key, memory, memory, "from another device", link=link))
    taken = {
        (name.partition(" ")[0], name.partition(" ")[2])
        for (what, name), one in state.statements.items()
        if what == OpKind.LINK and not one.value
    }
    made += [
        Change(ChangeType.UNLINK, key, memory, memory, "from another device", link=there[one])
        for one in sorted(taken & there.keys())
    ]
    return made


def trusted(act: Act, name: str, *, trusting: bool = True) -> tuple[str, ...]:
    """The memories of an author that were let in. Raises NotFoundError for one from whom nothing ever came."""
    with transaction(act.db):
        others = {device: author for (device, mine), author in operations.authors(act.db).items() if not mine}
        devices = [device for device, author in others.items() if author == name]
        if not devices and name not in remotes.trusted(act.db):
            authors = ", ".join(sorted(set(others.values()))) or "nobody has sent anything yet"
            raise NotFoundError(f"nothing ever came from {name!r}; known: {authors}")
        remotes.trust(act.db, name, act.now, trusting=trusting)
        if not trusting or not devices:
            return ()
        return settle(
            act.db, operations.memories_of(act.db, devices), settings=act.settings, now=act.now, batch=f"sync-{act.batch}"
        ).changed
