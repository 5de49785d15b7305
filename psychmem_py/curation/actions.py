"""Single steps in a memory's life, for people and agents: remember, edit, forget, pin, vote, touch, echo, review, link, why.

Each step checks who may take it, writes one logged batch, and prints nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from psychmem_py.curation.who import PERSON, Outcome, Who
from psychmem_py.errors import RefusedError
from psychmem_py.memory import admission, strength
from psychmem_py.memory.echo import echoed
from psychmem_py.model.metadata import metadata_faults
from psychmem_py.model.records import Change, Evidence, Memory
from psychmem_py.model.settings import Settings
from psychmem_py.model.terms import HUMAN, RULES, TRUST, ChangeType, Kind, Scope, Status, Tier
from psychmem_py.safety.control_chars import clean
from psychmem_py.safety.secrets import redact
from psychmem_py.store import change_log as changes
from psychmem_py.store import ledger, rows
from psychmem_py.store.connection import transaction


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
            if why := admission.doubt(told, who.origin):
                after = after._replace(
                    status=Status.QUARANTINED,
                    pinned=False,
                    metadata=tuple((dict(after.metadata) | {admission.DOUBT: why}).items()),
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
