"""The ledger of what each conversation has been shown. Being shown is not being used: no memory changes.

Loaded for every prompt, so it imports nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable


def shown(db: sqlite3.Connection, key: str) -> dict[str, int]:
    """What a conversation has been shown: memory id -> the latest generation that showed it."""
    return dict(db.execute("select memory_id, max(generation) from shown where session = ? group by memory_id", (key,)))


def generation(db: sqlite3.Connection, key: str, lately: Iterable[tuple[str, str, float, int, str]] = ()) -> int:
    """How often this conversation was compacted or resumed, as far as anything was shown since; `lately` is what its journal says was
    shown and the store does not know yet.
    """
    known = int(db.execute("select ifnull(max(generation), 0) from shown where session = ?", (key,)).fetchone()[0])
    return max([known, *(one[3] for one in lately)])


def mark_shown(  # noqa: PLR0917
    db: sqlite3.Connection, key: str, ids: Iterable[str], channel: str, now: float, generation: int = 0
) -> None:
    """Notes what was shown, and through which channel: brief, compaction, memory_md, prompt, subagent or act."""
    db.executemany(
        "insert into shown (session, memory_id, place, at, generation) values (?,?,?,?,?) on conflict do nothing",
        ((key, memory_id, channel, now, generation) for memory_id in ids),
    )


# What a conversation's tool calls (ID#act) and its agents (ID/NAME) were shown stands under names of their own.
OF_CONVERSATION = (
    "shown.session = {0} or shown.session between {0} || '#' and {0} || '$' or shown.session between {0} || '/' and {0} || '0'"
)


def last_session(db: sqlite3.Connection) -> str:
    """The conversation that was last shown anything; "" for none."""
    row = db.execute("select session from shown order by at desc limit 1").fetchone()
    return str(row[0]).partition("#")[0].partition("/")[0] if row else ""


def entries(db: sqlite3.Connection, key: str) -> list[tuple[str, str, float]]:
    """Memory id, channel and time of everything a conversation was shown, in that order."""
    where = OF_CONVERSATION.format("?1")
    return list(db.execute(f"select memory_id, place, at from shown where {where} order by at, memory_id", (key,)))


_LATEST = 200  # conversations looked at: all of two years would cost a start 20 ms


def shown_in_vain(db: sqlite3.Connection, sessions: int) -> frozenset[str]:
    """Ids of the memories that so many of the latest conversations were shown since they last were stated, used or praised."""
    ids = db.execute(
        "select memory_id from shown join memory on memory.id = shown.memory_id"
        " where shown.session in (select id from session order by seen_at desc limit ?) and shown.at > memory.anchor_at"
        " group by memory_id having count(distinct shown.session) >= ?",
        (_LATEST, sessions),
    )
    return frozenset(line[0] for line in ids)
