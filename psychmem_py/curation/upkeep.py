"""What time does to a store: decay, collection, retention; and promotion on demand. Logged in batches no hook waits for."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from psychmem_py.curation import repository
from psychmem_py.curation.act import Act
from psychmem_py.errors import RefusedError
from psychmem_py.memory import forgetting
from psychmem_py.model.light_record import LIVE, RECALLABLE
from psychmem_py.model.records import RULES, Change, ChangeType, Memory, Status, Store
from psychmem_py.store import connection, episodes, rows, sessions, sqlite
from psychmem_py.text.dates import DAY_S, iso

_SLICE_EVERY_S, _LEAP_S = 3600.0, 60 * DAY_S  # the rest between two small upkeeps; what an absence is rarely longer than
BATCH_ROWS = 1000  # changed in one transaction
PROMOTED_AT = "promoted_at"  # field of the memory's metadata (STM server)


class Report(NamedTuple):
    """What a step of upkeep did, or with `dry_run` would do."""

    looked_at: int
    steps: tuple[Change, ...]


def decay(act: Act, *, dry_run: bool = False) -> Report:
    """Moves what has faded to decayed and what has outlived its time to archived; strengths are computed at reading."""

    def aged(memory: Memory) -> Change | None:
        if forgetting.has_expired(memory, act.now, act.settings):
            return _to(memory, Status.ARCHIVED, "its time to live is over")
        faded = memory.status in RECALLABLE and forgetting.has_faded(memory, act.now, act.settings)
        return _to(memory, Status.DECAYED, "faded") if faded else None

    fading = [kind for kind, policy in act.settings.classes if policy.half_life_d is not None]
    done = _walked(act, "decay", rows.may_age(act.now, fading), aged, dry_run=dry_run)
    with suppress(OSError, RefusedError):  # a file of theirs that cannot be written keeps nothing from its end
        repository.follow(act.db, () if dry_run else done.steps)
    return done


def promote(act: Act, keys: Sequence[str] = (), *, dry_run: bool = False) -> Report:
    """Marks memories as promoted, so long-term and early in a brief: named ones, or those that use proves (STM server)."""

    def promoted(memory: Memory, reason: str) -> Change:
        after = memory._replace(store=Store.LTM, status=Status.PROMOTED).marked({PROMOTED_AT: iso(act.now)})
        return Change(ChangeType.STATUS, memory.id, memory, after, reason)

    def proven(memory: Memory) -> Change | None:
        return promoted(memory, "promoted by use") if forgetting.is_proven(memory, act.now) else None

    if not keys:
        return _walked(act, "promote", rows.MAY_BE_PROMOTED, proven, dry_run=dry_run)
    with connection.transaction(act.db):
        chosen = [rows.by_id(act.db, key) for key in keys]
        if out := next((one for one in chosen if one.status not in LIVE), None):
            raise RefusedError(f"{out.id[:8]} is {out.status.value} and cannot be promoted")
        steps = tuple(promoted(memory, "promoted by hand") for memory in chosen if memory.status is not Status.PROMOTED)
        _named(act, "promote").apply(() if dry_run else steps)
    return Report(len(chosen), steps)


def collect(act: Act, *, dry_run: bool = True, delete: bool = True, below: float | None = None) -> Report:
    """Archives what has decayed beyond use, deletes what was archived long ago; or what scores less than `below` (STM server)."""

    def spent(memory: Memory) -> Change | None:
        if forgetting.is_protected(memory) or (memory.kind in RULES and below is None):
            return None
        if memory.status is Status.ARCHIVED:
            old = act.now - memory.updated_at > 90 * DAY_S
            return Change(ChangeType.STATUS, memory.id, memory, None, "collected") if old and delete else None
        low = forgetting.usage_score(memory, act.now) < (forgetting.FORGET_SCORE if below is None else below)
        old = below is not None or forgetting.age_h(memory, act.now) / 24 > forgetting.ARCHIVED_D
        return _to(memory, Status.ARCHIVED, "collected") if low and old else None

    return _walked(act, "gc", rows.MAY_GO if below is None else rows.MAY_GO_BY_SCORE, spent, dry_run=dry_run)


def expire(db: sqlite3.Connection, *, now: float) -> dict[str, int]:
    """Removes what was only kept for a while: how many rows of each table."""
    with connection.transaction(db):
        episodes.expire(db, now)
        return sessions.expire(db, now)


def maintain(act: Act, *, dry_run: bool = False) -> dict[str, Report]:
    """Everything but deleting memories, over the whole store; leaves the index compact."""
    done = {"decay": decay(act, dry_run=dry_run), "gc": collect(act, dry_run=dry_run, delete=False)}
    if dry_run:
        return done
    done["retention"] = Report(sum(expire(act.db, now=act.now).values()), ())
    connection.tidy(act.db)
    sqlite.set_meta(act.db, "upkeep_at", repr(act.now))
    return done


def hourly_upkeep(act: Act) -> int:
    """A little upkeep, at most once an hour: how many memories changed. A clock that has leapt is believed an hour later."""
    rested_s = act.now - float(sqlite.meta(act.db, "upkeep_at") or act.now - _SLICE_EVERY_S)
    if 0 <= rested_s < _SLICE_EVERY_S:
        return 0
    sqlite.set_meta(act.db, "upkeep_at", repr(act.now))
    if not 0 <= rested_s < _LEAP_S:
        return 0
    expire(act.db, now=act.now)
    return len(decay(act).steps)


def _to(memory: Memory, status: Status, reason: str) -> Change:
    return Change(ChangeType.STATUS, memory.id, memory, memory._replace(status=status), reason)


def _named(act: Act, step: str) -> Act:
    """The act, under the name of an upkeep batch where no command gave it one; so it can be undone."""
    return act if act.batch else act._replace(batch=f"upkeep-{step}-{int(act.now * 1000)}")


def _walked(act: Act, step: str, may: rows.Condition, verdict: Callable[[Memory], Change | None], *, dry_run: bool) -> Report:
    looked, after, steps = 0, 0, list[Change]()
    while True:
        with connection.transaction(act.db):
            seen = rows.slice_of(act.db, may, after=after, limit=BATCH_ROWS)
            made = [change for _, memory in seen if (change := verdict(memory)) is not None]
            made = [one._replace(after=one.after._replace(updated_at=act.now)) if one.after else one for one in made]
            if not dry_run:
                _named(act, step).apply(made)
        looked += len(seen)
        steps += made
        if len(seen) < BATCH_ROWS:
            return Report(looked, tuple(steps))
        after = seen[-1][0]
