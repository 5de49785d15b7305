"""What this store says to the others, read out of its log. What waits, is doubted, `local-only` or like a secret says nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from psychmem_py.memory.admission import AUTHOR, DOUBT
from psychmem_py.model.records import TRUST, Change, ChangeType, Memory, Origin, Place, Scope, Status, Tier
from psychmem_py.safety.secret_free import is_plain
from psychmem_py.safety.secrets import redact
from psychmem_py.store import change_log, operations, rows
from psychmem_py.store.operations import Lane, Op, Ranked
from psychmem_py.sync import op as ops
from psychmem_py.sync.op import OTHERS_RANK, ZERO, OpError, OpKind, Reach, State, rank, slot

LOCAL_ONLY = "local-only"  # a tag: this never leaves
_USER = Origin.USER_CLI.value
_USUAL = {"tier": Tier.NORMAL.value, "pinned": False, "expires_at": None, "tags": [], "names": [], "metadata": {}}
_USUAL |= {"language": "", "agent": ""}
_COMPUTED = frozenset({"importance", "confidence"})  # they move with every mention; others hear them once
_ASSERTING = frozenset({ChangeType.EDIT, ChangeType.PIN})  # who does this to a memory wants it to be there
_BY_RANK = {1 + TRUST[origin]: origin.value for origin in (Origin.IMPORT, Origin.TOOL, Origin.ASSISTANT, Origin.USER_PROMPT)}
SLICE = 2_000  # lines of the log at once


def _draft(place: Place, memory: str, kind: str, field: str = "", value: Any = None, origin: str = _USER) -> Op:  # noqa: ANN401,PLR0917
    """What is said of a memory in a place, by no device yet, without a number or a time."""
    return Op("", 0, ZERO, *place, memory, kind, field, value, origin)


def place_of(memory: Memory) -> Place:
    """Where a memory is said to be."""
    return (Reach.PERSONAL.value, "", "") if memory.scope is Scope.USER else (Reach.PROJECT.value, "", memory.project or "")


def shareable(memory: Memory | None) -> Memory | None:
    """The memory, if the others may hear of it now."""
    if memory is None or memory.status in (Status.QUARANTINED, Status.FORGOTTEN) or LOCAL_ONLY in memory.tags:
        return None
    readable = len(memory.text) <= ops.TEXT_CHARS and ops.ID.fullmatch(memory.id)
    words = (memory.text, *memory.names, *memory.tags, *(value for _, value in memory.metadata))
    secret = any(not is_plain(word) and redact(word) != word for word in words)
    return memory if readable and not secret and DOUBT not in dict(memory.metadata) else None


def values(memory: Memory) -> dict[str, Any]:
    """What a memory says of itself, by the field of a put. What is counted or computed is not in it."""
    about = memory.metadata[: ops.LIST]
    return {
        "text": memory.text,
        "class": memory.kind.value,
        "origin": memory.origin.value,
        # Fading and promotion are worked out by each device for itself.
        "status": (memory.status if memory.status in (Status.SUPERSEDED, Status.ARCHIVED) else Status.ACTIVE).value,
        "store": memory.store.value,
        "tier": memory.tier.value,
        "pinned": memory.pinned,
        "importance": round(memory.importance, 4),
        "confidence": round(memory.confidence, 4),
        "created_at": min(max(0.0, round(memory.created_at, 3)), change_log.LAST_MS / 1000),
        "expires_at": None if memory.expires_at is None else round(memory.expires_at, 3),
        "language": memory.language[:16],
        "agent": memory.agent[:64],
        "tags": [tag[: ops.ITEM_CHARS] for tag in memory.tags[: ops.LIST]],
        "names": [name[: ops.ITEM_CHARS] for name in memory.names[: ops.LIST]],
        "metadata": {key[: ops.ITEM_CHARS]: value[: ops.MAP_CHARS] for key, value in about if key != AUTHOR},
    }


def _drafts(change: Change, *, by_person: bool, elsewhere: bool) -> Iterator[Op]:
    """What a log line says, in order. `elsewhere`: another device made the memory, so only differences are ours to say."""
    before, after = change.before, change.after
    was, now = shareable(before), shareable(after)
    moved = was is not None and now is not None and place_of(was) != place_of(now)
    waits_again = elsewhere and after is not None and after.status is Status.QUARANTINED  # which nobody else has to hear
    if was and not waits_again and (now is None or moved):
        yield _draft(place_of(was), was.id, OpKind.FORGET.value, origin=_USER if moved else _authority(before, after))
        was = None if moved else was
    if now:
        said, origin, fields = partial(_draft, place_of(now), now.id), _authority(was, now), values(now)
        earlier, usual = was or (before if elsewhere else None), {} if before or elsewhere else _USUAL
        known, unsaid = values(earlier) if earlier else usual, _COMPUTED if was or elsewhere else ()
        if was is None or (by_person and change.type in _ASSERTING):
            yield said(OpKind.RESTORE.value, origin=_USER if moved else origin)  # no less than what it was taken away by
        different = (field for field, value in fields.items() if known.get(field, ...) != value and field not in unsaid)
        yield from (said(OpKind.PUT.value, field, fields[field], origin) for field in different)
        if change.link is not None and ops.ID.fullmatch(change.link.target):
            kind = OpKind.LINK if change_log.adds(change) else OpKind.UNLINK
            yield said(kind.value, change.link.type.value, change.link.target, now.origin.value)


def _authority(before: Memory | None, after: Memory | None) -> str:
    """The most trusted origin that a change touches: the store let it happen, so it holds among one's own devices."""
    origins = [memory.origin for memory in (before, after) if memory is not None]
    return max(origins, key=TRUST.__getitem__, default=Origin.USER_CLI).value


def capture(db: sqlite3.Connection, device: str) -> bool:
    """Reads one slice of new log lines into lanes; whether more are left. The caller holds the transaction."""
    shared, last = set(operations.shares(db)), operations.last_change(db)
    read, opened = operations.log_progress(db)
    done = operations.LOCAL if opened & shared else f"{operations.LOCAL} and {operations.HEARD_OF}"
    lines = change_log.log(db, f"{done} and seq > ?", (read,), most=SLICE)
    last = lines[-1].seq if len(lines) == SLICE else last
    _take(db, device, opened & shared, lines, opening=False)
    for place in sorted(shared - opened):
        before = change_log.log(db, f"{operations.LOCAL} and {operations.OF_PROJECT}", (place[2] or None,))
        _take(db, device, {place}, before, opening=True)
    _announce_purges(db, device)
    operations.note_progress(db, last, shared)
    return len(lines) == SLICE


def _take(db: sqlite3.Connection, device: str, places: set[Place], lines: Sequence[change_log.LogLine], *, opening: bool) -> None:
    """Writes down what the lines say of these places; but for their `opening`, of what one's own devices speak of everywhere."""
    by_memory: dict[str, list[change_log.LogLine]] = {}
    for line in lines:
        by_memory.setdefault(line.change.memory_id, []).append(line)
    known: dict[str, list[Ranked]] = {}
    for one in operations.of_memories(db, list(by_memory)):
        known.setdefault(one[0].memory, []).append(one)
    there, lanes = rows.several(db, list(by_memory)), operations.own_lanes(db, device)
    made: list[Ranked] = []
    for memory, changed in by_memory.items():
        stated, here = known.get(memory, []), shareable(there.get(memory))
        home, everywhere = place_of(here) if here else None, ops.states_of(stated).get(memory, State({}))
        copied = any(one.field == "created_at" and one.device != device and worth > OTHERS_RANK for one, worth in stated)
        of_all = (one for one in changed if not (copied and one.change.reason == change_log.UNIMPORTED))
        said = _latest(of_all, everywhere)
        told = not opening and any(worth > OTHERS_RANK for _, worth in stated)
        at = {place for place in (home, *(one.place for one in said)) if place and (told or place in places)}
        # Another person's operation yields to any of one's own, whatever its time.
        times = {key: one.hlc for key, one in everywhere.statements.items() if one.rank > OTHERS_RANK}
        for place in sorted(at, key=lambda place: place == home):  # it leaves one place before it comes to another
            state = ops.states_of(one for one in stated if one[0].place == place).get(memory, State({}))
            # Of what is gone again before anybody heard of it from here another machine may have a copy.
            silent = not here and not state.statements
            mine = [one for one in said if one.place == place and not (silent and one.kind != OpKind.FORGET)]
            if place == home and here:
                mine += _votes(here, state, device, changed[-1].hlc[: len(ZERO)])
            made += _numbered(mine, state, times, device, lanes, opening=opening)
    operations.add(db, operations.OWN, made)


def _latest(lines: Iterable[change_log.LogLine], state: State) -> list[Op]:
    """What the lines say, with the time; of what was said twice the last."""
    elsewhere = state.put("created_at") is not None and state.made_by_other
    latest: dict[tuple[object, ...], Op] = {}
    for line in lines:
        for draft in _drafts(line.change, by_person=not line.who, elsewhere=elsewhere):
            key = (draft.place, slot(draft, "")[0])
            if draft.kind == OpKind.RESTORE and line.change.before is None and not (key in latest or key[1] in state.statements):
                continue  # it is new
            latest.pop(key, None)
            latest[key] = draft._replace(hlc=line.hlc[: len(ZERO)])
    return list(latest.values())


def _votes(memory: Memory, state: State, device: str, time: str) -> Iterator[Op]:
    """This device's own totals: what is counted here less what the others counted."""
    for field, total in (("use", memory.use_count), ("session", memory.session_count)):
        before = said.value if (said := state.statements.get((OpKind.VOTE, f"{field} {device}"))) else 0
        if (own := max(0, total - (state.votes(field) - before))) != before:
            yield _draft(place_of(memory), memory.id, OpKind.VOTE.value, field, own)._replace(hlc=time)


def _numbered(
    drafts: Iterable[Op], state: State, times: dict[tuple[str, str], str], device: str, lanes: dict[Lane, int], *, opening: bool
) -> Iterator[Ranked]:
    """What says something new of a memory in a place, each later than its base (`times`) and with no less authority."""
    for draft in drafts:
        key, value = slot(draft, device)
        known, last = state.statements.get(key), times.get(key, "")
        if (opening and last >= draft.hlc) or (known and known.value == value and last in ("", known.hlc)):
            continue  # unless something else was said later elsewhere
        times[key] = hlc = max(draft.hlc, ops.just_after(times[key])) if key in times else draft.hlc
        origin = _BY_RANK[known.rank] if known and known.rank > rank(draft.origin, mine=True) else draft.origin
        yield from _next(draft._replace(hlc=hlc, origin=origin), device, lanes)


def _next(draft: Op, device: str, lanes: dict[Lane, int]) -> list[Ranked]:
    """The draft as the next operation of its lane; none of what nobody could read."""
    lane = Lane(device, *draft.place)
    try:
        op = ops.checked(draft._replace(device=device, seq=lanes.get(lane, 0) + 1))
    except OpError:
        return []
    lanes[lane] = op.seq
    return [(op, rank(op.origin, mine=True))]


def _announce_purges(db: sqlite3.Connection, device: str) -> None:
    """Adds a purge in every place that has operations on a purged memory; if none is known yet, the next time."""
    lanes = operations.own_lanes(db, device) if (waiting := operations.purged(db)) else {}
    for memory, time in waiting:
        if not (stated := operations.of_memories(db, [memory])) and operations.shares(db):
            continue  # a salvaged store hears of it again from its remotes
        hlc = max(time, ops.just_after(max((op.hlc for op, worth in stated if worth > OTHERS_RANK), default=ZERO)))
        for place in sorted({op.place for op, _ in stated}):
            operations.add(db, operations.OWN, _next(_draft(place, memory, OpKind.PURGE.value)._replace(hlc=hlc), device, lanes))
        operations.note_purge_sent(db, memory)
