"""Single steps in a memory's life, for people and agents: remember, edit, forget, pin, vote, touch, echo, review, link, why.

Each step checks who may take it, writes one logged batch, and prints nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.memory import reconcile, strength
from psychmem_py.memory.echo import echoed
from psychmem_py.model.metadata import metadata_faults
from psychmem_py.model.records import (
    HUMAN,
    RULES,
    TRUST,
    Candidate,
    Change,
    ChangeType,
    Evidence,
    Kind,
    Link,
    LinkType,
    Memory,
    Origin,
    Role,
    Scope,
    Status,
    Tier,
)
from psychmem_py.model.settings import Settings
from psychmem_py.safety.control_chars import clean
from psychmem_py.safety.secrets import redact
from psychmem_py.store import change_log as changes
from psychmem_py.store import ledger, rows, sessions
from psychmem_py.store.connection import transaction


class Who(NamedTuple):
    """On whose behalf something is done; set by code from where the command was called."""

    origin: Origin = Origin.USER_CLI
    agent: str = ""
    session: str = ""


PERSON = Who()


class Outcome(NamedTuple):
    """What a step did. `memory` is the one it was about, as it is now; `warnings` are for the person to read."""

    memory: Memory
    changes: tuple[Change, ...]
    warnings: tuple[str, ...] = ()


def remember(
    db: sqlite3.Connection,
    text: str,
    *,
    kind: Kind,
    scope: Scope | None = None,
    project: str | None = None,
    settings: Settings,
    now: float,
    batch: str,
    who: Who = PERSON,
    ids: Iterator[str] | None = None,
    quote: str = "",
    tags: Sequence[str] = (),
    names: Sequence[str] = (),
    context: str = "",
    metadata: Mapping[str, str] | None = None,
    pin: bool = False,
    tier: Tier = Tier.NORMAL,
    importance: float | None = None,
    strict: bool = False,
) -> Outcome:
    """Keeps a statement: new, or reinforcing or superseding what is known. Raises RefusedError for what may not be kept."""
    told = redact(clean(text)).strip()
    if not told:
        raise RefusedError("there is nothing to remember: the text is empty once secrets and control characters are out")
    if (pin or tier in (Tier.CONSTITUTIONAL, Tier.CRITICAL, Tier.IMPORTANT)) and who.origin not in HUMAN:
        raise RefusedError("only a person may pin a memory or raise its tier; run the command in a terminal of your own")
    fields = tuple((key, redact(clean(value))) for key, value in (metadata or {}).items())
    faults = metadata_faults(kind, fields)
    if faults and (strict or settings.general.strict_metadata):
        raise RefusedError(faults[0])
    candidate = Candidate(
        text=told,
        quote=redact(clean(quote)) or told,
        kind=kind,
        scope=scope or settings.policy(kind).scope,
        importance=settings.extraction.weight_explicit_remember if importance is None else importance,
        confidence=settings.extraction.explicit_confidence if who.origin in HUMAN else settings.extraction.tool_confidence,
        signals=(),
        role=Role.USER if who.origin in HUMAN else Role.ASSISTANT,
        origin=who.origin,
        message_id="",
        start=0,
        end=len(told),
        names=tuple(redact(clean(name)) for name in names),
        context=redact(clean(context)),
        metadata=fields,
    )
    with transaction(db):
        if sessions.buried(db, [told]):
            raise RefusedError(
                "this text was purged and is not learned again; word it differently if it should be kept after all"
            )
        near = rows.neighbours(db, [told], project=project, limit=settings.reconcile.max_neighbours)
        planned = reconcile.plan(
            [candidate],
            near,
            settings,
            now,
            project=project,
            session=who.session,
            agent=who.agent,
            ids=ids or rows.fresh_ids(),
            stated=rows.sessions_of(db, [memory.id for memory in near]),
            method=_METHOD.get(who.origin, "tool"),
        )
        planned = _marked(planned, tags=tuple(clean(tag) for tag in tags), pin=pin, tier=tier)
        if not planned:
            raise RefusedError("this was forgotten on purpose; `psychmem undo` brings it back, or a person may say it anew")
        changes.apply(db, planned, batch=batch, now=now, agent=who.agent, session=who.session)
        target = next((change.memory_id for change in planned if change.type is not ChangeType.SUPERSEDE), planned[-1].memory_id)
        found = rows.get(db, target)
    assert found is not None
    return Outcome(found, tuple(planned), (*reconcile.warnings(planned), *faults))


_METHOD = {Origin.USER_CLI: "cli", Origin.USER_PROMPT: "agent_quote", Origin.ASSISTANT: "tool"}


def _marked(planned: Sequence[Change], *, tags: tuple[str, ...], pin: bool, tier: Tier) -> list[Change]:
    """The plan, with the tags, pin and tier a person asked for on the memory it leaves standing."""
    marked = []
    for change in planned:
        after = change.after
        if after is not None and change.type in (ChangeType.ADD, ChangeType.REINFORCE, ChangeType.MERGE):
            after = after._replace(
                tags=tuple(dict.fromkeys((*after.tags, *tags))),
                pinned=after.pinned or (pin and after.status is not Status.QUARANTINED),
                tier=tier if tier is not Tier.NORMAL and after.status is not Status.QUARANTINED else after.tier,
            )
        marked.append(change._replace(after=after))
    return marked


def edit(
    db: sqlite3.Connection,
    key: str,
    *,
    now: float,
    batch: str,
    settings: Settings,
    who: Who = PERSON,
    text: str | None = None,
    kind: Kind | None = None,
    scope: Scope | None = None,
    project: str | None = None,
    tags: Sequence[str] | None = None,
    metadata: Mapping[str, str] | None = None,
    expires_at: float | None = None,
) -> Outcome:
    """Changes what is given. A person's words become a person's; nobody else may change what a person said."""
    with transaction(db):
        before = rows.by_id(db, key)
        if TRUST[who.origin] < TRUST[before.origin]:
            raise RefusedError("only a person may change what a person said; run the command in a terminal of your own")
        after = before
        if text is not None:
            told = redact(clean(text)).strip()
            if not told:
                raise RefusedError("a memory needs a text; use `psychmem forget` to be rid of it")
            names = tuple(name for name in before.names if name in told)
            after = after._replace(text=told, names=names, origin=who.origin if told != before.text else before.origin)
            if why := reconcile.doubt(told, who.origin):
                after = after._replace(
                    status=Status.QUARANTINED,
                    pinned=False,
                    metadata=tuple((dict(after.metadata) | {reconcile.DOUBT: why}).items()),
                )
        if kind is not None:
            after = after._replace(kind=kind)
        if scope is not None:
            if scope is Scope.PROJECT and not (project or before.project):
                raise RefusedError("a project memory needs a project; run this inside one or give --project")
            after = after._replace(scope=scope, project=(project or before.project) if scope is Scope.PROJECT else None)
        if (after.kind in RULES or after.scope is Scope.USER) and who.origin not in HUMAN and (kind or scope or text is not None):
            raise RefusedError("only a person may state a rule or something that holds everywhere")
        if tags is not None:
            after = after._replace(tags=tuple(clean(tag) for tag in tags))
        if metadata is not None:
            after = after._replace(metadata=tuple((field, redact(clean(value))) for field, value in metadata.items()))
        if expires_at is not None:
            after = after._replace(expires_at=expires_at)
        faults = metadata_faults(after.kind, after.metadata) if metadata is not None else []
        if faults and settings.general.strict_metadata:
            raise RefusedError(faults[0])
        found = _step(db, ChangeType.EDIT, before, after, "edited", now=now, batch=batch, who=who)
    return found._replace(warnings=tuple(faults))


def forget(
    db: sqlite3.Connection, keys: Sequence[str], *, now: float, batch: str, who: Who = PERSON, reason: str = "forgotten"
) -> list[Outcome]:
    """Takes memories out of use; `undo` brings them back. What a person pinned only a person may forget."""
    with transaction(db):
        found = [rows.by_id(db, key) for key in keys]
        for before in found:
            if before.pinned and who.origin not in HUMAN:
                raise RefusedError(f"{before.id[:8]} is pinned; only a person may forget it")
        return [
            _step(db, ChangeType.STATUS, before, before._replace(status=Status.FORGOTTEN), reason, now=now, batch=batch, who=who)
            for before in found
        ]


def pin(db: sqlite3.Connection, key: str, *, now: float, batch: str, who: Who = PERSON, pinned: bool = True) -> Outcome:
    """A pinned memory does not fade and is shown first. Quarantined ones cannot be pinned."""
    with transaction(db):
        before = _for_person(db, key, who, "pin or unpin a memory")
        if pinned and before.status is Status.QUARANTINED:
            raise RefusedError(f"{before.id[:8]} waits for review; accept it first")
        return _step(
            db,
            ChangeType.PIN,
            before,
            before._replace(pinned=pinned),
            "pinned" if pinned else "unpinned",
            now=now,
            batch=batch,
            who=who,
        )


def set_tier(db: sqlite3.Connection, key: str, tier: Tier, *, now: float, batch: str, who: Who = PERSON) -> Outcome:
    """Moves a memory to a tier; only a person may."""
    with transaction(db):
        before = _for_person(db, key, who, "set a tier")
        if before.status is Status.QUARANTINED:
            raise RefusedError(f"{before.id[:8]} waits for review; accept it first")
        return _step(db, ChangeType.EDIT, before, before._replace(tier=tier), f"tier {tier.value}", now=now, batch=batch, who=who)


def accept(db: sqlite3.Connection, key: str, *, now: float, batch: str, who: Who = PERSON) -> Outcome:
    """Takes a memory out of quarantine. Its origin stays what it was: a person vouches for it now."""
    return _review(db, key, Status.ACTIVE, "accepted", now=now, batch=batch, who=who)


def reject(db: sqlite3.Connection, key: str, *, now: float, batch: str, who: Who = PERSON) -> Outcome:
    """Turns a quarantined memory down; it is forgotten, and reading its source again does not bring it back."""
    return _review(db, key, Status.FORGOTTEN, "rejected", now=now, batch=batch, who=who)


def _review(db: sqlite3.Connection, key: str, status: Status, reason: str, *, now: float, batch: str, who: Who) -> Outcome:
    with transaction(db):
        before = _for_person(db, key, who, "review what waits")
        if before.status is not Status.QUARANTINED:
            raise RefusedError(f"{before.id[:8]} is {before.status.value}, it does not wait for review")
        vouched = Evidence(before.id, now, "review", who.origin, who.session)
        after = before._replace(status=status, anchor_at=now if status is Status.ACTIVE else before.anchor_at)
        return _step(db, ChangeType.STATUS, before, after, reason, now=now, batch=batch, who=who, evidence=vouched)


def vote(
    db: sqlite3.Connection, key: str, *, good: bool, now: float, batch: str, settings: Settings, who: Who = PERSON
) -> Outcome:
    """Moves utility up (a use as well) or down."""
    with transaction(db):
        before = rows.by_id(db, key)
        after = before._replace(utility=strength.voted(before.utility, good=good, weights=settings.scoring))
        word = "good" if good else "bad"
        voice = Evidence(before.id, now, "vote", who.origin, who.session, signals=(word,))
        after = _in_use(after, now) if good else after
        return _step(
            db,
            ChangeType.REINFORCE,
            before,
            strength.rescored(after, settings.scoring),
            f"voted {word}",
            now=now,
            batch=batch,
            who=who,
            evidence=voice,
        )


def touch(db: sqlite3.Connection, key: str, *, now: float, batch: str, settings: Settings, who: Who = PERSON) -> Outcome:
    """Counts a use: the anchor moves to now, utility rises a little."""
    with transaction(db):
        return _use(db, rows.by_id(db, key), "touch", now=now, batch=batch, settings=settings, who=who)


def echo(
    db: sqlite3.Connection,
    texts: Iterable[str],
    *,
    asked: Iterable[str] = (),
    now: float,
    batch: str,
    settings: Settings,
    who: Who,
) -> list[Outcome]:
    """Counts a use for every memory this conversation was shown whose telling words came back in `texts`; once per
    conversation.
    """
    with transaction(db):
        seen = ledger.shown(db, who.session)
        if not seen:
            return []
        done = rows.told_in(db, who.session, "echo")
        known = rows.several(db, [key for key in seen if key not in done])
        live = [memory for memory in known.values() if memory.status in rows.LIVE]
        return [
            _use(db, memory, "echo", now=now, batch=batch, settings=settings, who=who) for memory in echoed(live, texts, asked)
        ]


def _use(db: sqlite3.Connection, before: Memory, method: str, *, now: float, batch: str, settings: Settings, who: Who) -> Outcome:
    after = _in_use(before, now)._replace(utility=strength.used(before.utility, settings.scoring))
    trace = Evidence(before.id, now, method, who.origin, who.session)
    return _step(
        db,
        ChangeType.REINFORCE,
        before,
        strength.rescored(after, settings.scoring),
        method,
        now=now,
        batch=batch,
        who=who,
        evidence=trace,
    )


def _in_use(memory: Memory, now: float) -> Memory:
    return memory._replace(
        use_count=memory.use_count + 1,
        anchor_at=max(memory.anchor_at, now),
        status=Status.ACTIVE if memory.status is Status.DECAYED else memory.status,
    )


def link(db: sqlite3.Connection, source: str, target: str, kind: LinkType, *, now: float, batch: str, who: Who = PERSON) -> Link:
    """Ties two memories."""
    with transaction(db):
        one, other = rows.by_id(db, source), rows.by_id(db, target)
        if one.id == other.id:
            raise RefusedError("a memory cannot be linked to itself")
        made = Link(one.id, other.id, kind, now)
        if made[:3] in {found[:3] for found in rows.links(db, one.id)}:
            raise RefusedError(f"{one.id[:8]} {kind.value} {other.id[:8]} is known already")
        changes.apply(
            db,
            [Change(ChangeType.LINK, one.id, one, one, "linked", link=made)],
            batch=batch,
            now=now,
            agent=who.agent,
            session=who.session,
        )
        return made


def unlink(
    db: sqlite3.Connection, source: str, target: str, kind: LinkType | None, *, now: float, batch: str, who: Who = PERSON
) -> list[Link]:
    """The links taken away between two memories: of one type, or all."""
    with transaction(db):
        one, other = rows.by_id(db, source), rows.by_id(db, target)
        gone = [
            found
            for found in rows.links(db, one.id)
            if (found.source, found.target) == (one.id, other.id) and kind in (None, found.type)
        ]
        if not gone:
            raise NotFoundError(f"there is no such link from {one.id[:8]} to {other.id[:8]}")
        taken = [Change(ChangeType.UNLINK, one.id, one, one, "unlinked", link=found) for found in gone]
        changes.apply(db, taken, batch=batch, now=now, agent=who.agent, session=who.session)
        return gone


class Cause(NamedTuple):
    """One step of a walk to where a memory comes from."""

    depth: int  # 1: a direct cause
    link: Link
    memory: Memory


# A link points from the later to the earlier memory, or from cause to effect.
_BACKWARD = frozenset({LinkType.DERIVES_FROM, LinkType.SUPERSEDES, LinkType.REFERENCES})
_FORWARD = frozenset({LinkType.CAUSED, LinkType.ENABLED, LinkType.SUPPORTS, LinkType.CHAIN})


def why(db: sqlite3.Connection, key: str, *, depth: int = 8) -> list[Cause]:
    """What led to a memory, nearest first, each memory once: what it derives from, replaced or refers to, and what caused or
    supports it.
    """
    start = rows.by_id(db, key)
    found: list[Cause] = []
    seen, edge = {start.id}, [start.id]
    for distance in range(1, depth + 1):
        following: list[str] = []
        for memory_id in edge:
            for tie in rows.links(db, memory_id):
                back = tie.target if tie.type in _BACKWARD and tie.source == memory_id else ""
                back = back or (tie.source if tie.type in _FORWARD and tie.target == memory_id else "")
                earlier = rows.get(db, back) if back and back not in seen else None
                if earlier is not None:
                    seen.add(back)
                    following.append(back)
                    found.append(Cause(distance, tie, earlier))
        edge = following
    return found


def _for_person(db: sqlite3.Connection, key: str, who: Who, deed: str) -> Memory:
    if who.origin not in HUMAN:
        raise RefusedError(f"only a person may {deed}; run the command in a terminal of your own")
    return rows.by_id(db, key)


def _step(
    db: sqlite3.Connection,
    kind: ChangeType,
    before: Memory,
    after: Memory,
    reason: str,
    *,
    now: float,
    batch: str,
    who: Who,
    evidence: Evidence | None = None,
) -> Outcome:
    after = after if after == before else after._replace(updated_at=now)
    change = Change(kind, before.id, before, after, reason, evidence)
    try:
        changes.apply(db, [change], batch=batch, now=now, agent=who.agent, session=who.session)
    except sqlite3.IntegrityError as exc:
        raise RefusedError("another memory of this class and place already says exactly this; edit or forget that one") from exc
    return Outcome(after, (change,))
