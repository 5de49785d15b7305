"""Pure: the memory that a state is here, and what it does to others. Another person's brings no pin, tier or user scope."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

from psychmem_py.memory.admission import AUTHOR, DOUBT, admitted, doubt, new_memory
from psychmem_py.memory.compare import Relation, compared
from psychmem_py.memory.forgetting import JUDGED, OF_A_TASK, WHEN_ASKED, consolidated, has_expired, rescored
from psychmem_py.model import records
from psychmem_py.model.light_record import KEPT, LIVE
from psychmem_py.model.records import Change, ChangeType, Evidence, Kind, Link, LinkType, Memory, Origin, Scope, Status, Store
from psychmem_py.model.settings import Settings
from psychmem_py.safety.control_chars import clean
from psychmem_py.safety.secrets import redact
from psychmem_py.store.read_only import ON
from psychmem_py.sync.op import OTHERS_RANK, OpKind, Reach, State, milliseconds
from psychmem_py.sync.outgoing import LOCAL_ONLY
from psychmem_py.text.tokenizer import digest

METHOD = "sync"
TWICE = "said on two devices"  # in two conversations, then: what was only heard is consolidated


class Source(NamedTuple):
    """Whose words a memory has, and from which device they came."""

    author: str = ""  # "" for the person's own devices
    trusted: bool = True
    name: str = ""  # of the device, for the log
    device: str = ""
    doubt: str = ""  # why their words wait although they are called no rule
    approved: bool = False  # a person here let them in, as they stand
    judged: Sequence[str] = ()  # memories that the same device made: it says itself which of them stand


def memory_of(  # noqa: PLR0917
    state: State, known: Memory | None, key: str, source: Source, settings: Settings, now: float
) -> Memory | None:
    """The memory `key` as `state` has it; else `known`, as it is here, where the state does not reach it or says too little."""
    if (place := state.place) is None or place[0] == Reach.TEAM or state.put("text") is None or state.put("class") is None:
        return known
    if state.made_by_other and (place[0] != Reach.PROJECT or is_own(known)):
        return known  # strangers only speak of projects
    if state.is_forgotten:
        return known and (known if known.status is Status.FORGOTTEN else known._replace(status=Status.FORGOTTEN, updated_at=now))
    if known and known.status is Status.FORGOTTEN and (OpKind.FORGET, "") not in state.statements:
        return known  # a salvaged store no longer has the operation that says so
    worded = _worded(state, known, key, settings, now)
    worded = worded._replace(status=_status(state, known, worded, source, place), **_marks(state, worded, source))
    return rescored(worded, settings.scoring)


def is_own(known: Memory | None) -> bool:
    """Whether a memory that is here is the person's own, and no stranger's to change."""
    return known is not None and known.origin is not Origin.SYNC and not dict(known.metadata).get(AUTHOR)


def _worded(state: State, known: Memory | None, key: str, settings: Settings, now: float) -> Memory:
    """The memory with the wording, place and counts of the state."""
    said = state.value
    kind = Kind(said("class", Kind.SEMANTIC))
    scope, _, project = state.place or ("", "", "")
    created = float(said("created_at", now))  # one's own devices agree on it, whatever the clock here says
    created = min(now, created) if state.made_by_other else created
    moved = max(created, min(now, milliseconds(last.hlc) / 1000 if (last := state.latest()) else now))
    base = known or new_memory(
        "", id_=key, kind=kind, policy=settings.policy(kind), project=project, origin=Origin.SYNC, importance=0.5, confidence=0.5,
        now=now, created_at=created, anchor_at=moved,
    )  # fmt: skip
    text = redact(clean(str(said("text", base.text)))).strip()
    use, sessions = state.votes("use"), max(1, state.votes("session"))
    told = said("store", Store.STM.value, own=True) if state.made_by_other else said("store", base.store.value)
    return base._replace(
        text=text,
        kind=kind,
        scope=Scope.USER if scope == Reach.PERSONAL else Scope.PROJECT,
        project=project or None,
        names=tuple(redact(clean(name)) for name in said("names", list(base.names))),
        tags=tuple(clean(tag) for tag in said("tags", list(base.tags)) if tag != LOCAL_ONLY),
        language=clean(said("language", base.language)),
        expires_at=_exact(said("expires_at", None if known is None else base.expires_at), base.expires_at),
        importance=base.importance if known else float(said("importance", 0.5)),
        confidence=base.confidence if known else float(said("confidence", 0.5)),
        store=Store.LTM if known and known.store is Store.LTM else Store(told),
        use_count=max(use, 0),
        session_count=sessions,
        created_at=_exact(created, base.created_at) or created,
        updated_at=now,
        anchor_at=max(base.anchor_at, moved) if (use, sessions) != (base.use_count, base.session_count) else base.anchor_at,
        context=base.context if text == base.text else "",
    )


def _exact(said: float | None, here: float | None) -> float | None:
    """A moment as it was said, or as it is here where that is the same but for the rounding on the way."""
    return here if said is not None and here is not None and round(here, 3) == said else said


def _marks(state: State, worded: Memory, source: Source) -> dict[str, Any]:
    """What only the person's own devices may say."""
    own = partial(state.value, own=True)
    metadata = {redact(clean(key)): redact(clean(value)) for key, value in own("metadata", {}).items()}
    if source.author:
        why = doubt(worded.text, Origin.SYNC) or source.doubt
        metadata = dict(worded.marked({**_theirs(state, worded, source), **metadata, AUTHOR: source.author, DOUBT: why}).metadata)
    return {
        "origin": Origin(own("origin", Origin.USER_CLI.value)) if state.worth("text") > OTHERS_RANK else Origin.SYNC,
        "tier": records.Tier(own("tier", worded.tier.value)),
        "pinned": bool(own("pinned", worded.pinned)) and worded.status is not Status.QUARANTINED,
        "agent": clean(own("agent", worded.agent)),
        "metadata": tuple(metadata.items()),
    }


def _theirs(state: State, worded: Memory, source: Source) -> dict[str, str]:
    """What counts of another person's marks: what was said in passing begins no session; calls a trusted one's rule is for."""
    said = state.value("metadata", {})
    marks = {name: redact(clean(said[name])) for name in (OF_A_TASK, JUDGED, *[ON] * source.trusted) if name in said}
    found = worded.kind not in records.RULES and Origin(state.value("origin", Origin.USER_CLI.value)) not in records.HUMAN
    return {JUDGED: WHEN_ASKED} | marks if found else marks


def _status(state: State, known: Memory | None, worded: Memory, source: Source, place: records.Place) -> Status:
    if (wanted := Status(state.value("status", Status.ACTIVE.value))) is not Status.ACTIVE:
        return wanted
    here = known.status if known else Status.ACTIVE
    kept = here if here in LIVE else Status.ACTIVE
    if not source.author or state.worth("text", "class") > OTHERS_RANK:
        return kept
    if known is None and has_expired(worded, worded.updated_at):
        return Status.ARCHIVED
    doubted = bool(doubt(worded.text, Origin.SYNC) or source.doubt)
    believed = source.trusted and not doubted
    enters = Status.ACTIVE if believed else admitted(worded.kind, Scope.PROJECT, place[2], Origin.SYNC, doubted=doubted)[1]
    same = known is not None and (known.text, known.kind) == (worded.text, worded.kind)
    if enters is Status.ACTIVE:
        return here if same and here is Status.QUARANTINED and not source.trusted else kept
    return here if same and source.approved else enters  # what a person decided here about these words stands


def changes(  # noqa: PLR0917
    before: Memory | None, after: Memory, source: Source, others: Iterable[Memory], settings: Settings, now: float
) -> list[Change]:
    """The steps that make `after` of `before` beside its neighbours: one statement is kept once, contradictions are told."""
    place, reason = (after.scope, after.project), f"from {source.author or 'another device'}"
    words = after.text, after.kind, *place
    known = before and before.status.value in KEPT and (before.text, before.kind, before.scope, before.project) == words
    if after.status.value not in KEPT or known:
        return _step(before, after, reason, now)
    beside = [one for one in others if one.id != after.id and one.status.value in KEPT and (one.scope, one.project) == place]
    twins = [one for one in beside if one.kind is after.kind and digest(one.text) == digest(after.text)]
    made, links, pending = list[Change](), list[Change](), Status.QUARANTINED
    for twin in twins:
        again = not source.author and round(twin.created_at, 3) != round(after.created_at, 3)  # both may have read one message
        # Which of two with the same words stays is the same on every device: what counts, a person's own, then the older one.
        if min(after, twin, key=lambda one: (one.status is pending, one.origin is Origin.SYNC, one.created_at, one.id)) is after:
            why = f"superseded by {after.id[:8]}" if twin.status is pending else TWICE
            made.append(Change(ChangeType.SUPERSEDE, twin.id, twin, twin._replace(status=Status.SUPERSEDED), why))
            after = consolidated(after) if again else after
            after = after._replace(session=after.session or twin.session, context=after.context or twin.context)
        else:
            after = after._replace(status=Status.SUPERSEDED)
            if again and twin.store is Store.STM:
                made.append(Change(ChangeType.REINFORCE, twin.id, twin, consolidated(twin), TWICE))
    if after.status.value in KEPT and all(one.reason != TWICE for one in made):
        after, replaced, links = _against(after, beside, source, settings, now)
        made += replaced
    # What stays set aside does nothing to others.
    return [*made, *step, *links] if (step := _step(before, after, reason, now)) else []


def _against(
    after: Memory, beside: Iterable[Memory], source: Source, settings: Settings, now: float
) -> tuple[Memory, list[Change], list[Change]]:
    """The memory, what it replaces, and its links to what it cannot stand beside."""
    replaced, links = list[Change](), list[Change]()
    for other in beside if after.kind not in records.EVENTS else ():
        if other.kind is not after.kind or len(links) == 3 or (other.id in source.judged and not source.author):
            continue
        older, newer = sorted((other, after), key=lambda memory: (memory.created_at, memory.id))
        relation = compared(newer.text, older.text, after.kind, settings.reconcile).relation
        if relation not in (Relation.CHANGED, Relation.OPPOSITE):
            continue
        own = not source.author and other.origin is after.origin and Status.QUARANTINED not in (other.status, after.status)
        tie, ends = LinkType.CONTRADICTS, (after.id, other.id)
        if own and relation is Relation.CHANGED:
            tie, ends = LinkType.SUPERSEDES, (newer.id, older.id)
            if newer is after:
                gone = other._replace(status=Status.SUPERSEDED)
                replaced.append(Change(ChangeType.SUPERSEDE, other.id, other, gone, f"superseded by {after.id[:8]}"))
            else:
                after = after._replace(status=Status.SUPERSEDED)
        elif source.author:
            after = after._replace(status=Status.QUARANTINED)
        links.append(Change(ChangeType.LINK, ends[0], None, None, f"{tie.value}: {other.text}", link=Link(*ends, tie, now)))
    there = {one.id: one for one in beside} | {one.memory_id: one.after for one in replaced if one.after} | {after.id: after}
    return after, replaced, [link._replace(before=there[link.memory_id], after=there[link.memory_id]) for link in links]


def _step(before: Memory | None, after: Memory, reason: str, now: float) -> list[Change]:
    if before is None:
        statement = Evidence(after.id, min(now, after.created_at), METHOD, after.origin)
        return [Change(ChangeType.ADD, after.id, None, after, reason, statement)]
    if (same := before._replace(updated_at=after.updated_at, strength=after.strength, worked_d=after.worked_d)) == after:
        return []
    counted = same._replace(use_count=after.use_count, session_count=after.session_count, anchor_at=after.anchor_at)
    moved = before._replace(status=after.status, updated_at=after.updated_at, strength=after.strength)
    kind = ChangeType.REINFORCE if counted == after else ChangeType.STATUS if moved == after else ChangeType.EDIT
    return [Change(kind, after.id, before, after, reason)]
