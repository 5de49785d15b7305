"""The short-term memory of a project: its conversations exchange by exchange, as rows, and found by words as memories are.

An exchange is what was said, never a rule, evidence or trust. It leaves with age, with a purge, and when it is taken back.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from psychmem_py.recall.query import parsed
from psychmem_py.recall.ranking import beyond_chance, is_weak, scored
from psychmem_py.store import change_log, rows
from psychmem_py.store.change_log import move_clock
from psychmem_py.store.matches import COLUMN_WEIGHTS, best_rows, weighed
from psychmem_py.store.rows import as_json, from_json, has_exchanges
from psychmem_py.store.sqlite import among
from psychmem_py.text.dates import DAY_S

_LITTLE_CHARS = 100  # a shorter end may be that of a prompt between, which was not kept
_POOL = 12  # exchanges that are ordered exactly, where more are found
_KEPT_D, _KEPT = 180, 5_000  # days of work in a project, and exchanges of it
_USUAL_WORDS = 60  # of an exchange; a longer one has more words by chance


class Episode(NamedTuple):
    """One exchange, redacted and cut."""

    id: str
    project: str | None  # None: said in no project
    session: str
    message_id: str  # of what was typed; "" for the end of an exchange that began in an earlier stretch
    at: float
    typed: str
    answer: str  # how the agent's answer ended
    files: tuple[str, ...]  # base names of those edited
    failed: tuple[str, ...]  # commands


class Found(NamedTuple):
    """An exchange that answers a question."""

    episode: Episode
    score: float  # higher is better; comparable within one answer
    weak: bool  # it fits hardly better than chance would have it


_COLUMNS = "id, project, session, message_id, at, typed, answer, files, failed"


def _episode(row: Sequence[Any]) -> Episode:
    *fields, files, failed = row
    return Episode._make([*fields, tuple(from_json(files)), tuple(from_json(failed))])


def add(db: sqlite3.Connection, exchanges: Iterable[Episode]) -> int:
    """Files exchanges in the order in which they were led: how many are new. What was purged stays away."""
    added = 0
    for one in exchanges:
        if not one.message_id:
            _proceed(db, one)
            continue
        if change_log.buried(db, [one.id]):
            continue
        if not has_exchanges(db, one.project):
            move_clock(db, one.at)  # a brief says that one can ask now
        made = db.execute(
            f"insert into episode ({_COLUMNS}) values (?,?,?,?,?,?,?,?,?) on conflict do nothing returning seq",
            (*one[:-2], as_json(one.files), as_json(one.failed)),
        ).fetchone()
        if made:
            rows.enter_index(db, made[0], _columns(db, one, made[0]), "episode")
            added += 1
    return added


def said_in(db: sqlite3.Connection, session: str, message: str) -> Episode | None:
    """The exchange that a message began; where that was too little to be kept, the conversation's first; None where none is kept."""
    query = f"select {_COLUMNS} from episode where session = ? order by message_id is not ?, seq limit 1"
    row = db.execute(query, (session, message)).fetchone()
    return _episode(row) if row else None


def typed_last(db: sqlite3.Connection, limit: int) -> list[str]:
    """What was typed in the last exchanges of all projects, the latest first."""
    return [text for (text,) in db.execute("select typed from episode order by at desc, seq desc limit ?", (limit,)) if text]


def last(db: sqlite3.Connection, session: str) -> tuple[int, Episode] | None:
    """The conversation's last exchange with its number: what an earlier stretch began, and the next one goes on with."""
    query = f"select seq, {_COLUMNS} from episode where session = ? order by seq desc limit 1"
    row = db.execute(query, (session,)).fetchone()
    return (row[0], _episode(row[1:])) if row else None


def _proceed(db: sqlite3.Connection, rest: Episode) -> None:
    """The conversation's last exchange went on: how its answer ends is what counts."""
    begun = last(db, rest.session)
    if begun is None:
        return
    seq, one = begun
    one = one._replace(
        answer=rest.answer if len(rest.answer) >= _LITTLE_CHARS or not one.answer else one.answer,
        files=tuple(dict.fromkeys((*one.files, *rest.files))),
        failed=tuple(dict.fromkeys((*one.failed, *rest.failed))),
    )
    rows.leave_index(db, seq, "episode")
    db.execute(
        "update episode set answer = ?, files = ?, failed = ? where seq = ?",
        (one.answer, as_json(one.files), as_json(one.failed), seq),
    )
    rows.enter_index(db, seq, _columns(db, one, seq), "episode")


def _columns(db: sqlite3.Connection, one: Episode, seq: int) -> tuple[str, str, str, str]:
    """What the index holds of an exchange, and of what was typed and answered in the one before."""
    query = "select typed, answer from episode where session = ? and seq < ? order by seq desc limit 1"
    before: tuple[str, str] | None = db.execute(query, (one.session, seq)).fetchone()
    return rows.exchange_text(one.typed, one.answer, (*one.files, *one.failed), one.at, before or ("", ""))


def search(
    db: sqlite3.Connection,
    words: str,
    project: str | None,
    *,
    all_projects: bool = False,
    after: float | None = None,
    besides: Iterable[str] = (),
    limit: int = 3,
) -> list[Found]:
    """At most `limit` exchanges that answer it, best first; not those a statement of one of the memories `besides` came from."""
    query = parsed(words)
    conditions, values = ["1"], list[object]()
    if not all_projects:
        conditions, values = ["episode.project is ?"], [project]
    since = query.after if query.after is not None else after
    if since is not None:
        conditions.append("episode.at >= ?")
        values.append(since)
    if query.file:
        conditions.append("exists (select 1 from json_each(episode.files) where lower(value) = ?)")
        values.append(query.file)
    asked = weighed(db, query, table="episode")
    if not asked.sought:
        if query.terms or query.phrases or len(conditions) == 1:
            return []
        latest = f"select {_COLUMNS} from episode where {' and '.join(conditions)} order by at desc, seq desc limit ?"
        return [Found(_episode(row), 1.0 / rank, weak=False) for rank, row in enumerate(db.execute(latest, [*values, limit]), 1)]
    rows = best_rows(db, asked.sought, (" and ".join(conditions), values), max(_POOL, 2 * limit), COLUMN_WEIGHTS, "episode")
    hits = scored(rows, asked.weights, COLUMN_WEIGHTS)
    covered = {message for (message,) in among(db, "select message_id from evidence where memory_id in ({keys})", list(besides))}
    hits = hits[: limit + len(covered)]
    by_seq = {
        seq: one
        for seq, *row in among(db, f"select seq, {_COLUMNS} from episode where seq in ({{keys}})", [hit.seq for hit in hits])
        if (one := _episode(row)).message_id not in covered
    }
    best = [hit for hit in hits if hit.seq in by_seq][:limit]
    beyond = [beyond_chance(hit, asked.surprises, asked.total, _USUAL_WORDS) for hit in best]
    return [Found(by_seq[hit.seq], hit.score, is_weak(hit, left)) for hit, left in zip(best, beyond, strict=True)]


def around(db: sqlite3.Connection, key: str, now: float, *, seen_from: tuple[str | None] | None = None) -> list[Episode]:
    """The conversation of the one exchange whose id begins so, that one first and then all in order; none where nobody has such an id or
    several have. It stays longer now. `seen_from` names the project in which it must be led.
    """
    asked = db.execute(
        f"select {_COLUMNS} from episode where id >= ? and id < ? and (? or project is ?) limit 2",
        (key, key + "\U0010ffff", seen_from is None, *(seen_from or (None,))),
    ).fetchall()
    if len(asked) != 1 or not key:
        return []
    one = _episode(asked[0])
    with suppress(sqlite3.OperationalError):  # a store that can only be read
        db.execute("update episode set opened_at = ? where id = ?", (now, one.id))
    query = f"select {_COLUMNS} from episode where session = ? and project is ? order by at, seq"
    return [one, *map(_episode, db.execute(query, (one.session, one.project)))]


def of_session(db: sqlite3.Connection, session: str) -> list[Episode]:
    """The exchanges of a conversation, in order."""
    return [_episode(row) for row in db.execute(f"select {_COLUMNS} from episode where session = ? order by at, seq", (session,))]


def count(db: sqlite3.Connection) -> int:
    return int(db.execute("select count(*) from episode").fetchone()[0])


def example(db: sqlite3.Connection) -> Episode | None:
    """A recent exchange that its own words find before all others; None where there is none."""
    lengths = "length(typed) between 40 and 120 and length(answer) >= 100"
    asks = "typed glob '*[?？؟]'"  # best a question
    rows = db.execute(f"select {_COLUMNS} from episode where {lengths} order by {asks} desc, at desc limit 100").fetchall()
    for one in map(_episode, rows):
        hits = search(db, one.typed, one.project, limit=1)
        if hits and hits[0].episode == one and not hits[0].weak:
            return one
    return None


def every(db: sqlite3.Connection) -> list[Episode]:
    return [_episode(row) for row in db.execute(f"select {_COLUMNS} from episode order by seq")]


def that(db: sqlite3.Connection, fits: Callable[[Episode], bool]) -> list[str]:
    """The ids of exchanges that fit."""
    return [one.id for one in every(db) if fits(one)]


def texts(one: Episode) -> tuple[str, ...]:
    """Everything that was said or done in it."""
    return (one.typed, one.answer, *one.files, *one.failed)


def _where(db: sqlite3.Connection, condition: str, *values: object) -> list[str]:
    """The ids of exchanges that meet a condition of SQL."""
    return [key for (key,) in db.execute(f"select id from episode where {condition}", values)]


def move(db: sqlite3.Connection, source: str, target: str) -> None:
    """Puts what was said in one project into another."""
    db.execute("update episode set project = ? where project = ?", (target, source))


def drop(db: sqlite3.Connection, ids: Sequence[str]) -> int:
    """Deletes exchanges with their words in the index: how many."""
    for (seq,) in list(among(db, "select seq from episode where id in ({keys})", ids)):
        rows.leave_index(db, seq, "episode")
        db.execute("delete from episode where seq = ?", (seq,))
    return len(ids)


def forget(db: sqlite3.Connection, ids: Sequence[str]) -> int:
    """The same for ever: read again, they do not come back."""
    change_log.bury(db, ids, 0.0)
    return drop(db, ids)


def expire(db: sqlite3.Connection, now: float) -> int:
    """Deletes what is older than 180 days on which its project was worked on, or beyond the newest 5,000 of it: how many."""
    gone = list[str]()
    last = "max(at, ifnull(opened_at, 0))"
    for project, number, first in db.execute("select project, count(*), min(at) from episode group by project").fetchall():
        query = "select day from workday where project = ? order by day desc limit 1 offset ?"
        day = db.execute(query, (project, _KEPT_D)).fetchone()
        before = day[0] * DAY_S if day else now - _KEPT_D * DAY_S if project is None else 0.0
        if first < before:
            gone += _where(db, f"project is ? and {last} < ? order by at", project, before)
        if number > _KEPT:
            gone += _where(db, f"project is ? and {last} >= ? order by {last} desc limit -1 offset ?", project, before, _KEPT)
    return drop(db, gone)
