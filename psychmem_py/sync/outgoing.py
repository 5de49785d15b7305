"""Pure: what a change of this store says to the others. What waits, what is doubted, marked `local-only` or looks like a secret says nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from psychmem_py.memory.admission import AUTHOR, DOUBT
from psychmem_py.model.records import Change, Memory
from psychmem_py.model.terms import TRUST, ChangeType, Origin, Place, Scope, Status, Tier
from psychmem_py.safety.secret_free import is_plain
from psychmem_py.safety.secrets import redact
from psychmem_py.sync.fold import STRANGER, State
from psychmem_py.sync.op import ID, ITEM_CHARS, LIST, MAP_CHARS, TEXT_CHARS, OpKind, Reach

LOCAL_ONLY = "local-only"  # a tag: this never leaves


class Draft(NamedTuple):
    """An operation that has no number in its lane yet."""

    place: Place
    memory: str
    kind: str
    field: str = ""
    value: Any = None
    origin: str = Origin.USER_CLI.value


def place_of(memory: Memory) -> Place:
    """Where a memory is said to be."""
    return (Reach.PERSONAL.value, "", "") if memory.scope is Scope.USER else (Reach.PROJECT.value, "", memory.project or "")


def may_leave(memory: Memory | None) -> bool:
    """Whether others may hear of a memory at all."""
    return (
        memory is not None
        and memory.status is not Status.QUARANTINED
        and LOCAL_ONLY not in memory.tags
        and DOUBT not in dict(memory.metadata)
        and len(memory.text) <= TEXT_CHARS
        and ID.fullmatch(memory.id) is not None
        and not holds_secret(memory)
    )


def holds_secret(memory: Memory) -> bool:
    words = (memory.text, *memory.names, *memory.tags, *(value for _, value in memory.metadata))
    return any(not is_plain(word) and redact(word) != word for word in words)


def values(memory: Memory) -> dict[str, Any]:
    """What a memory says of itself, by the field of a put. What is counted or computed is not in it."""
    return {
        "text": memory.text,
        "class": memory.kind.value,
        "origin": memory.origin.value,
        "status": _status(memory.status).value,
        "standing": memory.standing.value,
        "tier": memory.tier.value,
        "pinned": memory.pinned,
        "importance": round(memory.importance, 4),
        "confidence": round(memory.confidence, 4),
        "created_at": max(0.0, round(memory.created_at, 3)),
        "expires_at": None if memory.expires_at is None else round(memory.expires_at, 3),
        "language": memory.language[:16],
        "agent": memory.agent[:64],
        "tags": [tag[:ITEM_CHARS] for tag in memory.tags[:LIST]],
        "names": [name[:ITEM_CHARS] for name in memory.names[:LIST]],
        "metadata": {key[:ITEM_CHARS]: value[:MAP_CHARS] for key, value in memory.metadata[:LIST] if key != AUTHOR},
    }


_USUAL = {
    "tier": Tier.NORMAL.value,
    "pinned": False,
    "expires_at": None,
    "language": "",
    "agent": "",
    "tags": [],
    "names": [],
    "metadata": {},
}
_COMPUTED = frozenset({"importance", "confidence"})  # they move with every mention; others hear them once


def _status(status: Status) -> Status:
    """Fading and promotion are worked out by each device for itself."""
    return status if status in (Status.SUPERSEDED, Status.ARCHIVED) else Status.ACTIVE


def drafts(change: Change, *, by_person: bool, elsewhere: bool) -> Iterator[Draft]:
    """What a line of the log says, in order. `elsewhere`: another device made the memory, so that only differences are ours to say."""
    before, after = change.before, change.after
    was, now = audible(before), audible(after)
    if was and now and place_of(was) != place_of(now):
        yield Draft(place_of(was), was.id, OpKind.FORGET.value)
        was = None
    if was and not now:
        yield Draft(place_of(was), was.id, OpKind.FORGET.value, origin=_authority(before, after))
    elif now:
        origin = _authority(was, now)
        fields = values(now)
        if was is None and not elsewhere:
            if before is not None:
                yield Draft(place_of(now), now.id, OpKind.RESTORE.value, origin=origin)
            different = {field for field, value in fields.items() if before is not None or _USUAL.get(field, ...) != value}
        else:
            known = values(was) if was else (values(before) if before else {})
            different = {field for field, value in fields.items() if known.get(field, ...) != value} - _COMPUTED
            if before is not None and (was is None or (by_person and change.type in _ASSERTING)):
                yield Draft(place_of(now), now.id, OpKind.RESTORE.value, origin=origin)
        for field in fields:
            if field in different:
                yield Draft(place_of(now), now.id, OpKind.PUT.value, field, fields[field], origin)
    if now and change.link is not None and ID.fullmatch(change.link.target):
        kind = OpKind.UNLINK if _takes(change) else OpKind.LINK
        yield Draft(place_of(now), now.id, kind.value, change.link.type.value, change.link.target, now.origin.value)


_ASSERTING = frozenset({ChangeType.EDIT, ChangeType.PIN})  # who does this to a memory wants it to be there


def audible(memory: Memory | None) -> Memory | None:
    """The memory, if the others may hear of it now."""
    return memory if memory is not None and memory.status is not Status.FORGOTTEN and may_leave(memory) else None


def _takes(change: Change) -> bool:
    return change.type is ChangeType.UNLINK or (change.type is ChangeType.UNDO and change.reason == "taken back")


def _authority(before: Memory | None, after: Memory | None) -> str:
    """The most trusted origin that a change touches: the store let it happen, so it holds among one's own devices."""
    origins = [memory.origin for memory in (before, after) if memory is not None]
    return max(origins, key=TRUST.__getitem__, default=Origin.USER_CLI).value


_BY_RANK = {1 + TRUST[origin]: origin.value for origin in (Origin.IMPORT, Origin.TOOL, Origin.ASSISTANT, Origin.USER_PROMPT)}


def slot(draft: Draft) -> tuple[str, str]:
    """What a draft competes for within its memory, links aside."""
    if draft.kind in (OpKind.FORGET, OpKind.RESTORE):
        return OpKind.FORGET.value, ""
    return (OpKind.LINK.value if draft.kind == OpKind.UNLINK else draft.kind), draft.field


def key(draft: Draft, device: str) -> tuple[str, str]:
    """Where the fold keeps what a draft says."""
    kind, field = slot(draft)
    if kind == OpKind.VOTE:
        return kind, f"{field} {device}"
    return (kind, f"{field} {draft.value}") if kind == OpKind.LINK else (kind, field)


def says(draft: Draft) -> Any:  # noqa: ANN401 - whatever an operation may say
    """What the fold would hold there."""
    if draft.kind in (OpKind.FORGET, OpKind.RESTORE):
        return draft.kind == OpKind.FORGET
    return draft.kind == OpKind.LINK if draft.kind in (OpKind.LINK, OpKind.UNLINK) else draft.value


def lifted(draft: Draft, state: State) -> Draft:
    """The draft with as much authority as what it changes had, for it was changed here already."""
    known = state.statements.get(key(draft, ""))
    if known is None or known.rank == STRANGER or known.rank <= 1 + TRUST[Origin(draft.origin)]:
        return draft
    return draft._replace(origin=_BY_RANK[known.rank])
