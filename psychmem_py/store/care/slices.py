"""SQL of upkeep: walking the store in slices, removing what was kept for a while, keeping index and file compact."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from psychmem_py.model.light_record import KEPT, RECALLABLE
from psychmem_py.model.records import Kind, Memory
from psychmem_py.store.rows import SELECT, memory, status_in
from psychmem_py.text.dates import DAY_S

# What rows a step of upkeep has to look at, as SQL and its values: more than it will change, and far fewer than there are.
Condition = tuple[str, tuple[object, ...]]
MAY_BE_PROMOTED: Condition = "status = 'active' and use_count >= 2", ()
MAY_GO_BY_SCORE: Condition = f"{status_in(('active', 'promoted', 'decayed', 'archived'))} and pinned = 0", ()
MAY_GO: Condition = f"{status_in(('decayed', 'archived'))} and pinned = 0", ()


def may_age(now: float, fading: Sequence[Kind]) -> Condition:
    """What may have faded or outlived its time by `now`: classes that fade, short-term memories, and what is temporary."""
    mortal = "pinned = 0 and tier not in ('constitutional', 'critical', 'important', 'deprecated')"
    expired = f"(expires_at <= ? and {status_in(KEPT)})"
    fades = f"(class in ({','.join('?' * len(fading))}) or tier = 'temporary' or store = 'stm')"
    return f"{mortal} and ({expired} or ({status_in(RECALLABLE)} and {fades}))", (now, *map(str, fading))


def rows(db: sqlite3.Connection, may: Condition, *, after: int, limit: int) -> list[tuple[int, Memory]]:
    """The next memories after row `after` that meet a condition, with their row numbers."""
    where, values = may
    numbered = f"select {SELECT}, memory.seq from memory where memory.seq > ? and {where} order by memory.seq limit ?"
    return [(line[-1], memory(line)) for line in db.execute(numbered, (after, *values, limit))]


# What is kept for so many days: what it is called, where it stands, and which rows are meant.
_KEPT_D = (
    ("rejected", "candidate", "seq", "gate is not null and gate != 'answered' and at < ?", 7.0),  # for `explain`
    ("waiting", "candidate", "seq", "(gate is null or gate = 'answered') and at < ?", 60.0),  # for a second mention
    ("events", "event", "id", "at < ?", 30.0),
    ("touched", "touched", "seq", "at < ?", 180.0),  # files changed behind what was said
    ("failed calls", "failed_call", "seq", "at < ?", 180.0),
    ("shown", "shown", "session", "true group by session having max(at) < ?", 60.0),
    ("seen", "seen_message", "key", "at < ?", 365.0),  # keys of messages that were read
)


def expire(db: sqlite3.Connection, now: float) -> dict[str, int]:
    """Removes rows that were kept for long enough: how many of each kind."""
    return {
        name: db.execute(
            f"delete from {table} where {key} in (select {key} from {table} where {condition})", (now - days * DAY_S,)
        ).rowcount
        for name, table, key, condition, days in _KEPT_D
    }


def tidy(db: sqlite3.Connection) -> None:
    """Merges the index a little and lets SQLite look at its statistics; both return quickly."""
    for index in ("memory_fts", "episode_fts"):
        db.execute(f"insert into {index} ({index}, rank) values ('merge', 200)")
    db.execute("pragma optimize")
