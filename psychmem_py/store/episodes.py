"""A project's short-term memory: its conversations by exchange, found by words like memories; never a rule, evidence or trust."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from psychmem_py.home.light_json import encoded
from psychmem_py.recall.query import parsed
from psychmem_py.recall.ranking import beyond_chance, is_weak, scored
from psychmem_py.store import change_log, rows
from psychmem_py.store.matches import best_rows, index_query
from psychmem_py.store.sqlite import among, column, from_json, insert
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

    @property
    def texts(self) -> tuple[str, ...]:
        """Everything that was said or done in it."""
        return (self.typed, self.answer, *self.files, *self.failed)


class Found(NamedTuple):
    """An exchange that answers a question."""

    episode: Episode
    score: float  # higher is better; comparable within one answer
    weak: bool  # it fits hardly better than chance would have it


_COLUMNS = ", ".join(Episode._fields)


def _episode(row: Sequence[Any]) -> Episode:
    *fields, files, failed = row
    return Episode._make([*fields, tuple(from_json(files)), tuple(from_json(failed))])


def _where(db: sqlite3.Connection, condition: str, *values: object) -> list[Episode]:
    return [_episode(row) for row in db.execute(f"select {_COLUMNS} from episode where {condition}", values)]


def kept(db: sqlite3.Connection, **of: str | None) -> list[Episode]:
    """All exchanges, oldest first; only those of a `session` or a `project` if one is named."""
    named = "".join(f" and {column} is ?" for column in of)
    return _where(db, f"true{named} order by at, seq", *of.values())


def typed_last(db: sqlite3.Connection, session: str, most: int) -> list[str]:
    """What was typed last in a conversation, in its order."""
    last = column(db, "select typed from episode where session is ? order by at desc, seq desc limit ?", session, most)
    return [*reversed(last)]


def add(db: sqlite3.Connection, exchanges: Iterable[Episode]) -> int:
    """Stores exchanges, given oldest first, except purged ones: how many are new."""
    added = 0
    for exchange in exchanges:
        if not exchange.message_id:
            _proceed(db, exchange)
        elif not change_log.erased(db, [exchange.id]):
            if not rows.has_exchanges(db, exchange.project):
                change_log.move_clock(db, exchange.at)  # a brief says that one can ask now
            before = db.total_changes
            insert(db, "episode", _COLUMNS, [(*exchange[:-2], encoded(exchange.files), encoded(exchange.failed))])
            if db.total_changes > before:
                _index(db, exchange.id)
                added += 1
    return added


def _proceed(db: sqlite3.Connection, rest: Episode) -> None:
    """Continues the conversation's last exchange: the end of its answer is what is kept."""
    for begun in kept(db, session=rest.session)[-1:]:
        answer = rest.answer if len(rest.answer) >= _LITTLE_CHARS or not begun.answer else begun.answer
        files, failed = ([*dict.fromkeys(before + more)] for before, more in zip(begun[-2:], rest[-2:], strict=True))
        changed = "update episode set answer = ?, files = ?, failed = ? where id = ?"
        db.execute(changed, (answer, encoded(files), encoded(failed), begun.id))
        _index(db, begun.id)


def _index(db: sqlite3.Connection, key: str) -> None:
    for seq, words in rows.exchange_words(db, "id = ?", key):
        rows.index(db, seq, words, "episode")


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
    """At most `limit` exchanges that match `words`, best first, without those that the memories `besides` came from."""
    query = parsed(words)
    since = query.after if query.after is not None else after
    given: list[tuple[str, object]] = [] if all_projects else [("episode.project is ?", project)]
    given += [("episode.at >= ?", since)] if since is not None else []
    given += [("exists (select 1 from json_each(episode.files) where lower(value) = ?)", query.file)] if query.file else []
    condition, values = " and ".join(["true", *(one for one, _ in given)]), [value for _, value in given]
    asked = index_query(db, query, "episode")
    if not asked.sought:
        if query.terms or query.phrases or not (query.file or since is not None):
            return []
        latest = _where(db, f"{condition} order by at desc, seq desc limit ?", *values, limit)
        return [Found(one, 1.0 / rank, weak=False) for rank, one in enumerate(latest, 1)]
    rows = best_rows(db, asked.sought, (condition, values), max(_POOL, 2 * limit), ranked=True, table="episode")
    hits = scored(rows, asked.weights)
    covered = {message for (message,) in among(db, "select message_id from evidence where memory_id in ({keys})", list(besides))}
    hits = hits[: limit + len(covered)]
    fetched = among(db, f"select seq, {_COLUMNS} from episode where seq in ({{keys}})", [hit.seq for hit in hits])
    by_seq = {seq: one for seq, *row in fetched if (one := _episode(row)).message_id not in covered}
    return [
        Found(by_seq[hit.seq], hit.score, is_weak(hit, beyond_chance(hit, asked.surprises, asked.total, _USUAL_WORDS)))
        for hit in [hit for hit in hits if hit.seq in by_seq][:limit]
    ]


def around(db: sqlite3.Connection, key: str, now: float, *, seen_from: tuple[str | None] | None = None) -> list[Episode]:
    """The exchange whose id begins so, then its conversation; [] for none or several. `seen_from` limits the project."""
    here = "id >= ?1 and id < ?1 || char(0x10ffff) and (?2 or project is ?3) limit 2"
    asked = _where(db, here, key, seen_from is None, *(seen_from or (None,)))
    if len(asked) != 1 or not key:
        return []
    (one,) = asked
    with suppress(sqlite3.OperationalError):  # a store that can only be read
        db.execute("update episode set opened_at = ? where id = ?", (now, one.id))
    return [one, *kept(db, session=one.session, project=one.project)]


def move(db: sqlite3.Connection, ids: Sequence[str], project: str) -> None:
    """Puts exchanges into a project."""
    db.execute("update episode set project = ? where id in (select value from json_each(?))", (project, encoded([*ids])))


def drop(db: sqlite3.Connection, ids: Sequence[str]) -> int:
    """Deletes exchanges with their words in the index, those at their neighbours too: how many."""
    held = list(among(db, "select seq, session from episode where id in ({keys})", ids))
    for seq, _ in held:
        rows.index(db, seq, None, "episode")
        db.execute("delete from episode where seq = ?", (seq,))
    for one in (one for session in {session for _, session in held} for one in kept(db, session=session)):
        _index(db, one.id)
    return len(ids)


def forget(db: sqlite3.Connection, ids: Sequence[str]) -> int:
    """The same, with tombstones: they do not come back when they are read again."""
    change_log.add_tombstones(db, ids, 0.0)
    return drop(db, ids)


def expire(db: sqlite3.Connection, now: float) -> int:
    """Deletes what is older than 180 days on which its project was worked on, or beyond the newest 5,000 of it: how many."""
    # The day before which there are so many of work; outside of projects every day is one.
    day = "select day from workday where workday.project = known.project order by day desc limit 1 offset ?1"
    known = "select id, project, max(at, ifnull(opened_at, 0)) as last from episode"
    ranked = "*, row_number() over (partition by project order by last desc) as number"
    gone = f"number > ?2 or last < iif(project is null, ?3 - ?1 * ?4, ifnull(({day}), 0) * ?4)"
    old = f"select id from (select {ranked} from ({known})) as known where {gone}"
    return drop(db, column(db, old, _KEPT_D, _KEPT, now, DAY_S))
