"""SQL of upkeep: walking the store in slices, removing what was kept for a while, keeping index and file compact."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from psychmem_py.model.light_values import KEPT, RECALLABLE
from psychmem_py.model.records import Memory
from psychmem_py.model.terms import Kind
from psychmem_py.store.rows import SELECT, memory, status_in


class Condition(NamedTuple):
    """What rows a step of upkeep has to look at: more than it will change, and far fewer than there are."""

    where: str
    values: tuple[object, ...] = ()


MAY_BE_PROMOTED = Condition("status = 'active' and use_count >= 2")
MAY_GO_BY_SCORE = Condition(f"{status_in(('active', 'promoted', 'decayed', 'archived'))} and pinned = 0")
MAY_GO = Condition(f"{status_in(('decayed', 'archived'))} and pinned = 0")


def may_age(now: float, fading: Sequence[Kind]) -> Condition:
    """What may have faded or outlived its time by `now`: classes that fade, short-term memories, and what is temporary."""
    mortal = "pinned = 0 and tier not in ('constitutional', 'critical', 'important', 'deprecated')"
    expired = f"(expires_at <= ? and {status_in(KEPT)})"
    fades = f"({_among('class', fading)} or tier = 'temporary' or store = 'stm')"
    return Condition(f"{mortal} and ({expired} or ({status_in(RECALLABLE)} and {fades}))", (now, *map(str, fading)))


def _among(column: str, names: Sequence[object]) -> str:
    return f"{column} in ({','.join('?' * len(names))})"


def rows(db: sqlite3.Connection, may: Condition, *, after: int, limit: int, until: int | None = None) -> list[tuple[int, Memory]]:
    """The next memories after row `after`, not beyond `until`, that meet a condition, with their row numbers."""
    numbered = db.execute(
        f"select {SELECT}, memory.seq from memory where memory.seq > ? and memory.seq <= ifnull(?, memory.seq) and {may.where}"
        " order by memory.seq limit ?",
        (after, until, *may.values, limit),
    )
    return [(line[-1], memory(line)) for line in numbered]


def last_row(db: sqlite3.Connection) -> int:
    """Number of the newest row; 0 for an empty store."""
    return int(db.execute("select ifnull(max(seq), 0) from memory").fetchone()[0])


def expire(
    db: sqlite3.Connection,
    *,
    rejected_before: float,
    waiting_before: float,
    events_before: float,
    calls_before: float,
    shown_before: float,
    seen_before: float,
    limit: int = -1,
) -> dict[str, int]:
    """Removes rows older than each limit, at most `limit` of each kind: how many of each."""
    removed = {}
    for name, table, key, condition, before in (
        ("rejected", "candidate", "seq", "gate is not null and gate != 'answered' and at < ?", rejected_before),
        ("waiting", "candidate", "seq", "(gate is null or gate = 'answered') and at < ?", waiting_before),
        ("events", "event", "id", "at < ?", events_before),
        ("touched", "touched", "seq", "at < ?", calls_before),
        ("failed calls", "failed_call", "seq", "at < ?", calls_before),
    ):
        removed[name] = db.execute(
            f"delete from {table} where {key} in (select {key} from {table} where {condition} limit ?)", (before, limit)
        ).rowcount
    removed["shown"] = db.execute(
        "delete from shown where session in (select session from shown group by session having max(at) < ? limit ?)",
        (shown_before, limit),
    ).rowcount
    removed["seen"] = db.execute(
        "delete from seen_message where key in (select key from seen_message where at < ? limit ?)", (seen_before, limit)
    ).rowcount
    return removed


def tidy(db: sqlite3.Connection) -> None:
    """Merges the index a little and lets SQLite look at its statistics; both return quickly."""
    for index in ("memory_fts", "episode_fts"):
        db.execute(f"insert into {index} ({index}, rank) values ('merge', 200)")
    db.execute("pragma optimize")
