"""What is known of conversations: how far each was read, what waits, what was rejected, what tools did, what was purged.

What they were shown is in `ledger`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from psychmem_py.model.records import Candidate, Gate, Kind, Origin, Role, Scope, Signal, ToolUse, Verdict
from psychmem_py.store.connection import meta
from psychmem_py.text.tokenizer import content_words, digest, query_terms

_dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


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


_SESSION = ", ".join(Session._fields)


def session(db: sqlite3.Connection, key: str) -> Session | None:
    """The conversation with this id, if it was ever seen."""
    found = db.execute(f"select {_SESSION} from session where id = ?", (key,)).fetchone()
    return Session(*found) if found else None


def begin(db: sqlite3.Connection, key: str, *, agent: str, project: str | None, transcript: str = "", now: float) -> Session:
    """The conversation's row, made or brought up to date; an empty transcript or project leaves what is known."""
    db.execute(
        "insert into session (id, agent, project, transcript, started_at, seen_at) values (?,?,?,?,?,?) on conflict"
        " (id) do update set"
        " project = ifnull(excluded.project, project), seen_at = max(seen_at, excluded.seen_at),"
        " transcript = case when excluded.transcript = '' then transcript else excluded.transcript end",
        (key, agent, project, transcript, now, now),
    )
    return Session(*db.execute(f"select {_SESSION} from session where id = ?", (key,)).fetchone())


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
    found = db.execute("select failed_from, failed_times from session where id = ?", (key,)).fetchone()
    before = found[1] if found and found[0] == start else 0
    times = before if at_once and 0 < before < TRIES - 1 else before + 1
    again = times <= TRIES
    db.execute(
        "update session set failed_from = ?, failed_to = ?, failed_times = ?, watermark = max(watermark, ?) where id = ?",
        (start if again else None, end if again else None, times, end, key),
    )
    return again


def excuse_failure(db: sqlite3.Connection, key: str) -> None:
    """The last try does not count: it was the disk's fault, or the lock's."""
    db.execute("update session set failed_times = max(0, failed_times - 1) where id = ?", (key,))


def doubt_failure(db: sqlite3.Connection, key: str) -> None:
    """The last try failed of itself and not by a kill: one more like it, and the span is given up."""
    db.execute("update session set failed_times = max(failed_times, ?) where id = ?", (TRIES - 1, key))


def settle_failure(db: sqlite3.Connection, key: str) -> None:
    """The failed span was read after all."""
    db.execute("update session set failed_from = null, failed_to = null where id = ?", (key,))


def recent(db: sqlite3.Connection, project: str | None, *, besides: str = "", limit: int = 20) -> list[Session]:
    """The latest conversations of a project, newest first: what they left unread can be made good."""
    found = db.execute(
        f"select {_SESSION} from session where project is ? and id != ? order by seen_at desc limit ?", (project, besides, limit)
    )
    return [Session(*line) for line in found]


class ProjectSeen(NamedTuple):
    """A project as it was last seen."""

    id: str
    name: str
    root: str
    seen_at: float


def see_project(db: sqlite3.Connection, key: str, name: str, root: str, now: float) -> None:
    db.execute(
        "insert into project (id, name, root, seen_at) values (?,?,?,?) on conflict (id) do update set"
        " name = excluded.name, root = excluded.root, seen_at = excluded.seen_at",
        (key, name, root, now),
    )


def projects(db: sqlite3.Connection) -> dict[str, ProjectSeen]:
    """Every project ever worked in, by id."""
    return {
        line[0]: ProjectSeen(*line) for line in db.execute("select id, name, root, seen_at from project order by seen_at desc")
    }


def unseen(db: sqlite3.Connection, keys: Sequence[str]) -> set[str]:
    """Those of the message keys that were never extracted."""
    left = set(keys)
    for start in range(0, len(keys), 500):
        part = list(keys[start : start + 500])
        left.difference_update(
            line[0] for line in db.execute(f"select key from seen_message where key in ({','.join('?' * len(part))})", part)
        )
    return left


def see_messages(db: sqlite3.Connection, keys: Iterable[str], key: str, now: float) -> None:
    """Notes message keys as extracted."""
    db.executemany(
        "insert into seen_message (key, session, at) values (?,?,?) on conflict do nothing", ((name, key, now) for name in keys)
    )


def seen_in(db: sqlite3.Connection, key: str) -> set[str]:
    """The message keys that were extracted from this conversation."""
    return {line[0] for line in db.execute("select key from seen_message where session = ?", (key,))}


def unsee(db: sqlite3.Connection, keys: Iterable[str]) -> None:
    """Forgets that these messages were extracted: their conversation no longer holds them."""
    db.executemany("delete from seen_message where key = ?", ((name,) for name in keys))


class Kept(NamedTuple):
    """A candidate that did not become a memory, with the reason."""

    seq: int
    session: str
    project: str | None
    candidate: Candidate
    gate: str | None  # None: waits for a second mention
    reason: str
    hash: str
    at: float
    batch: str


_KEPT = (
    "seq, session, project, text, quote, class, scope, origin, gate, reason, importance, confidence, signals, message_id,"
    " hash, language, at, batch"
)


def keep_verdicts(
    db: sqlite3.Connection, verdicts: Iterable[Verdict], *, session: str, project: str | None, batch: str, now: float
) -> None:
    """Files waiting and rejected candidates for a few days, so that a second mention counts and `explain` can answer."""
    db.executemany(
        f"insert into candidate ({_KEPT[5:]}) values ({','.join('?' * 17)})",
        (
            (session, project, found.text, found.quote, found.kind.value, found.scope.value, found.origin.value,
             None if verdict.waiting else (verdict.gate or Gate.EVIDENCE).value, verdict.reason, found.importance,
             found.confidence, _dumps([signal.family for signal in found.signals]), found.message_id, digest(found.text),
             found.language, now, batch)
            for verdict in verdicts
            if (verdict.waiting or verdict.gate is not None) and (found := verdict.candidate)
        ),
    )  # fmt: skip


def _kept(line: Sequence[Any]) -> Kept:
    (seq, conversation, project, text, quote, kind, scope, origin, gate, reason, importance, confidence, signals, message_id,
     hashed, language, at, batch) = line  # fmt: skip
    found = Candidate(
        text=text,
        quote=quote,
        kind=Kind(kind),
        scope=Scope(scope),
        importance=importance,
        confidence=confidence,
        signals=tuple(Signal(family, None, 0.0, 0, 0, language) for family in json.loads(signals)),
        role=Role.ASSISTANT if origin == Origin.ASSISTANT else Role.USER,
        origin=Origin(origin),
        message_id=message_id,
        start=0,
        end=0,
        language=language,
        at=at,
    )
    return Kept(seq, conversation, project, found, gate, reason, hashed, at, batch)


def waiting(db: sqlite3.Connection, *, project: str | None, all_projects: bool = False) -> list[Kept]:
    """Uncertain candidates that wait for a second mention, oldest first: of this project and without one."""
    found = db.execute(
        f"select {_KEPT} from candidate where gate is null and (? or project is null or project = ?) order by seq",
        (all_projects, project),
    )
    return [_kept(line) for line in found]


def waiting_like(db: sqlite3.Connection, texts: Sequence[str], *, project: str | None) -> list[Kept]:
    """Waiting candidates with the same hash as one of the texts or sharing a content word with it."""
    words = {word for text in texts for word in content_words(text)}
    hashes = {digest(text) for text in texts}
    return [
        item
        for item in waiting(db, project=project)
        if item.hash in hashes or not words.isdisjoint(content_words(item.candidate.text))
    ]


def settle_waiting(db: sqlite3.Connection, seqs: Iterable[int]) -> None:
    """These have become memories, or were turned down."""
    db.executemany("delete from candidate where seq = ?", ((seq,) for seq in seqs))


def rejected(db: sqlite3.Connection, *, like: str = "", batch: str = "", session: str = "", limit: int = 50) -> list[Kept]:
    """Candidates that were turned down, newest first; `like` keeps those that share words with it, best first."""
    conditions, values = ["1"], []
    for column, wanted in (("batch", batch), ("session", session)):
        if wanted:
            conditions.append(f"{column} = ?")
            values.append(wanted)
    found = [
        _kept(line)
        for line in db.execute(
            f"select {_KEPT} from candidate where {' and '.join(conditions)} order by seq desc limit 2000", values
        )
    ]
    if like:
        asked = set(query_terms(like))
        shares = [(len(asked & set(query_terms(f"{item.candidate.text} {item.candidate.quote}"))), item) for item in found]
        found = [item for share, item in sorted(shares, key=lambda pair: -pair[0]) if share]
    return found[:limit]


def add_events(db: sqlite3.Connection, key: str, uses: Iterable[ToolUse]) -> None:
    """Files drained tool uses; one already there is left alone."""
    db.executemany(
        "insert into event (id, session, at, tool, ok, paths, command, error_class, error_line) values"
        " (?,?,?,?,?,?,?,?,?) on conflict do nothing",
        (
            (use.id, key, use.at, use.tool, int(use.ok), _dumps(use.paths), use.command, use.error_class, use.error_line)
            for use in uses
        ),
    )


def events(db: sqlite3.Connection, key: str, *, after: float = 0.0, limit: int = 1000) -> list[ToolUse]:
    """Tool uses of a conversation since `after`, oldest first."""
    found = db.execute(
        "select id, tool, at, ok, paths, command, error_class, error_line from event where session = ? and at >= ?"
        " order by at, id limit ?",
        (key, after, limit),
    )
    return [ToolUse(line[0], line[1], line[2], bool(line[3]), tuple(json.loads(line[4])), *line[5:]) for line in found]


def _tombs(db: sqlite3.Connection, text: str) -> tuple[str, str]:
    """Keyed hashes of a text as written and of its words in any order: neither tells the text to who lacks the store's secret."""
    import hmac  # noqa: PLC0415 - loads OpenSSL: 3 ms that only purged texts need

    secret = meta(db, "nonce_secret").encode()
    words = " ".join(sorted(set(content_words(text))))
    return (
        hmac.new(secret, f"text {digest(text)}".encode(), "sha256").hexdigest(),
        hmac.new(secret, f"words {words}".encode(), "sha256").hexdigest(),
    )


def bury(db: sqlite3.Connection, texts: Iterable[str], now: float) -> None:
    """Never learn these texts again."""
    db.executemany(
        "insert into tombstone (digest, at) values (?, ?) on conflict do nothing",
        ((tomb, now) for text in texts if text.strip() for tomb in _tombs(db, text)),
    )


def any_buried(db: sqlite3.Connection) -> bool:
    """Whether anything was ever purged."""
    return db.execute("select 1 from tombstone limit 1").fetchone() is not None


def buried(db: sqlite3.Connection, texts: Sequence[str]) -> set[str]:
    """Those of the texts that were purged, in these words or the same words in another order."""
    if not any_buried(db):
        return set()
    found = set()
    for text in texts:
        if db.execute("select 1 from tombstone where digest in (?, ?)", _tombs(db, text)).fetchone():
            found.add(text)
    return found


def edited(db: sqlite3.Connection, project: str, *, after: float, limit: int) -> list[str]:
    """Paths of the files that tools changed in a project's conversations, the latest first, each once."""
    lines = db.execute(
        "select event.paths from event join session on session.id = event.session"
        " where session.project = ? and event.at >= ? and event.ok and lower(event.tool) in ('edit', 'write', 'multiedit', 'notebookedit')"
        " order by event.at desc limit ?",
        (project, after, limit * 5),
    )
    return list(dict.fromkeys(path for line in lines for path in json.loads(line[0])))[:limit]
