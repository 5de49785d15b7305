"""What is known of conversations: how far each was read, what waits, what was rejected, what tools did, what was purged.

What they were shown is read in `read_only`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from psychmem_py.home.light_json import encoded
from psychmem_py.model.light_record import NamedTuple
from psychmem_py.model.records import ToolUse
from psychmem_py.store.connection import transaction
from psychmem_py.store.sqlite import among, column, insert, sqlite3, value
from psychmem_py.text.dates import DAY_S

TRIES = 20  # of a stretch of conversation that keeps being killed; of one that fails by itself two
AT_ONCE_S = 10.0  # kills that follow each other so fast are the machine's doing, a shutdown say, and count as one


class Session(NamedTuple):
    """One conversation of an agent."""

    id: str
    agent: str
    project: str | None
    transcript: str
    watermark: int  # bytes or messages already extracted
    head: str  # hash of the transcript's first bytes
    failed_from: int | None
    failed_to: int | None
    last_message: str  # hash of the last assistant text taken from an event
    stops: int
    started_at: float
    seen_at: float


_SESSION = ", ".join(f"session.{name}" for name in Session._fields)


def session(db: sqlite3.Connection, key: str) -> Session | None:
    """The conversation with this id, if it was ever seen."""
    row = db.execute(f"select {_SESSION} from session where id = ?", (key,)).fetchone()
    return Session(*row) if row else None


def begin(db: sqlite3.Connection, key: str, *, agent: str, project: str | None, transcript: str = "", now: float) -> Session:
    """The conversation's row, made or brought up to date; an empty transcript or project leaves what is known."""
    clash = (
        "update set project = ifnull(excluded.project, project), seen_at = max(seen_at, excluded.seen_at),"
        " transcript = case when excluded.transcript = '' then transcript else excluded.transcript end"
    )
    made = "insert into session (id, agent, project, transcript, started_at, seen_at) values (?,?,?,?,?,?) on conflict do"
    row = (key, agent, project, transcript, now, now)
    return Session(*db.execute(f"{made} {clash} returning {', '.join(Session._fields)}", row).fetchone())


def mark_shown(  # noqa: PLR0917
    db: sqlite3.Connection, key: str, ids: Iterable[str], channel: str, now: float, generation: int = 0
) -> None:
    """Notes what was shown, and through which channel: brief, compaction, memory_md, prompt, subagent or act."""
    insert(db, "shown", "session, memory_id, place, at, generation", ((key, one, channel, now, generation) for one in ids))


def file_shown(db: sqlite3.Connection, shown: Sequence[tuple[str, str, float, int, str]], *, agent: str) -> None:
    """Files in the ledger what hooks have shown without writing the database: memory, place, when, generation, to whom."""
    if not shown:
        return
    with transaction(db):
        for memory, channel, at, generation, to in shown:
            begin(db, to, agent=agent, project=None, now=at)
            mark_shown(db, to, [memory], channel, at, generation)


def advance(
    db: sqlite3.Connection, key: str, watermark: int, *, now: float, head: str | None = None, last_message: str | None = None
) -> None:
    """Moves the watermark, in the transaction that stores what was read. A failed span that lies before it is settled."""
    db.execute(
        "update session set watermark = ?, stops = stops + 1, seen_at = max(seen_at, ?), head = ifnull(?, head),"
        " last_message = ifnull(?, last_message), failed_from = case when failed_to <= ? then null else failed_from end,"
        " failed_to = case when failed_to <= ? then null else failed_to end where id = ?",
        (watermark, now, head, last_message, watermark, watermark, key),
    )


def record_failure(db: sqlite3.Connection, key: str, start: int, end: int, *, at_once: bool = False) -> bool:
    """Notes a span whose extraction begins and moves past it; False when it was begun too often: it is given up.

    A try that follows the last one `at_once` is not counted, unless that one failed of itself.
    """
    query = "select failed_times from session where id = ? and failed_from = ?"
    before = value(db, query, key, start) or 0
    times = before if at_once and 0 < before < TRIES - 1 else before + 1
    span = (start, end) if times <= TRIES else (None, None)
    db.execute(
        "update session set failed_from = ?, failed_to = ?, failed_times = ?, watermark = max(watermark, ?) where id = ?",
        (*span, times, end, key),
    )
    return times <= TRIES


def weigh_failure(db: sqlite3.Connection, key: str, *, excused: bool) -> None:
    """What is known of the last try: it does not count where it was the disk's fault, or the lock's; else it failed of itself and not by a
    kill: one more like it, and the span is given up.
    """
    times = "max(0, failed_times - 1)" if excused else f"max(failed_times, {TRIES - 1})"
    db.execute(f"update session set failed_times = {times} where id = ?", (key,))


def unseen(db: sqlite3.Connection, keys: Sequence[str], table: str = "seen_message", column: str = "key") -> set[str]:
    """Those of the keys, of messages unless another table is named, that were never extracted or filed."""
    return set(keys).difference(key for (key,) in among(db, f"select {column} from {table} where {column} in ({{keys}})", keys))


def see_messages(db: sqlite3.Connection, keys: Iterable[str], key: str, now: float, typed: Collection[str] = ()) -> None:
    """Notes message keys as extracted, those of what a person `typed` as still to be read."""
    insert(db, "seen_message", "key, session, at, unread", ((name, key, now, int(name in typed)) for name in keys))


def unread(db: sqlite3.Connection, since: float) -> list[tuple[Session, frozenset[str]]]:
    """Conversations last seen since then of which something typed was not read yet, the oldest first, with its message keys."""
    lines = db.execute(
        f"select {_SESSION}, group_concat(seen_message.key, char(10)) from seen_message join session on session.id = session"
        " where unread = 1 and session.seen_at >= ? group by session.id order by session.seen_at, session.id",
        (since,),
    )
    return [(Session(*line[:-1]), frozenset(line[-1].split("\n"))) for line in lines]


def mark_read(db: sqlite3.Connection, keys: Iterable[str]) -> None:
    """These were read, or can be read no more."""
    db.executemany("update seen_message set unread = 0 where key = ?", ((name,) for name in keys))


def seen_in(db: sqlite3.Connection, key: str) -> set[str]:
    """The message keys that were extracted from this conversation."""
    return set(column(db, "select key from seen_message where session = ?", key))


def unsee(db: sqlite3.Connection, keys: Iterable[str]) -> None:
    """Forgets that these messages were extracted: their conversation no longer holds them."""
    db.executemany("delete from seen_message where key = ?", ((name,) for name in keys))


def add_events(db: sqlite3.Connection, key: str, uses: Iterable[ToolUse]) -> None:
    """Files drained tool uses; one already there is left alone."""
    columns = "session, id, tool, at, ok, paths, command, error_class, error_line"
    insert(db, "event", columns, ((key, *use[:4], encoded(use.paths), *use[5:]) for use in uses))


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
