"""Writes changes: memory, index, evidence, links and the append-only log, together; and the digests of what was purged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count, zip_longest
from typing import NamedTuple

from psychmem_py.errors import NotFoundError
from psychmem_py.home.light_json import encoded
from psychmem_py.model.records import Change, ChangeType, Link, LinkType
from psychmem_py.store.connection import transaction
from psychmem_py.store.rows import COLUMNS, EVIDENCE, by_id, evidence_of, index, index_words, packed, row, unpacked
from psychmem_py.store.sqlite import among, column, from_json, insert, meta, set_meta, sqlite3, value
from psychmem_py.text.tokenizer import content_words, digest

_Row = tuple[object, ...] | None
LAST_MS = 4_102_444_800_000  # the year 2100: a later time is no clock's, and no other device would take it
_LINE = "hlc, device, batch, at, type, memory_id, before, after, reason, detail, undoes"
TAKEN_BACK, PUT_BACK = "taken back", "put back"
IMPORTED, UNIMPORTED = "imported", f"import {TAKEN_BACK}"  # what an import brought came from elsewhere, and stays there


class LogLine(NamedTuple):
    """One line of the log."""

    seq: int
    hlc: str
    device: str
    batch: str
    at: float
    change: Change
    who: str  # "claude-code", "opencode", "" for people
    session: str
    undoes: int | None
    undone: bool  # a later line took it back, and that line still stands


def apply(
    db: sqlite3.Connection,
    changes: Sequence[Change],
    *,
    batch: str,
    now: float,
    agent: str = "",
    session: str = "",
    undoing: Sequence[int] = (),
    device: str = "",
) -> None:
    """Makes the changes, in order. `undoing` gives the log line that each takes back, `device` the other one it came from."""
    if not changes:
        return
    with transaction(db):
        here, clock, lines = meta(db, "device_id"), _clock(db, now), []
        for change, undoes in zip_longest(changes, undoing):
            old, new = (row(state) if state else None for state in (change.before, change.after))
            _write(db, change, old, new)
            fields = {"who": agent, "session": session, "evidence": change.evidence, "link": change.link}
            detail = encoded({name: given for name, given in fields.items() if given})
            lines.append(
                (next(clock), device or here, batch, now, change.type.value, change.memory_id, packed(old) if old else None,
                 packed(new) if new else None, change.reason, detail, undoes)
            )  # fmt: skip
        insert(db, "change", _LINE, lines)
        set_meta(db, "hlc", lines[-1][0])


def move_clock(db: sqlite3.Connection, now: float) -> None:
    """Moves the store's clock for a change that shows in a brief but in no memory, in the caller's transaction."""
    set_meta(db, "hlc", next(_clock(db, now)))


def _clock(db: sqlite3.Connection, now: float) -> Iterator[str]:
    """Ticks of the hybrid logical clock: never behind the wall clock seen, never behind itself (Kulkarni et al. 2014)."""
    device, last = meta(db, "device_id"), meta(db, "hlc")
    milliseconds, number = last.split("-")[:2] if last else ("0", "0")
    wall, before = min(int(now * 1000), LAST_MS), min(int(milliseconds), LAST_MS)
    ms, first = (wall, 0) if wall > before else (before, int(number, 16) + 1)
    yield from (f"{ms:013d}-{ticks:06x}-{device}" for ticks in count(first))


def _write(db: sqlite3.Connection, change: Change, old: _Row, new: _Row) -> None:
    if old and not new:
        for seq in column(db, "select seq from memory where id = ?", change.memory_id):
            index(db, seq, None)
            db.execute("delete from memory where seq = ?", (seq,))
    elif change.after and new and old != new:
        # For a stored memory only the columns that differ: their few combinations recur, so SQLite keeps the statements.
        given = {name: new[at] for at, name in enumerate(COLUMNS) if not (old and old[at] == new[at])}
        if "text" in given:
            given["hash"] = digest(change.after.text)
        statement = f"insert into memory ({', '.join(given)}) values ({', '.join('?' * len(given))}) returning seq"
        if old:
            statement = f"update memory set {', '.join(f'{name} = ?' for name in given)} where id = ? returning seq"
        if (seq := value(db, statement, *given.values(), *([change.memory_id] if old else []))) is None:
            raise NotFoundError(f"memory {change.memory_id[:8]} is gone; it was removed meanwhile")
        if not given.keys().isdisjoint(("text", "names", "tags", "context", "created_at")):
            index(db, seq, index_words(change.after))
    # Evidence and link of a change are written, or removed when it is an unlink or takes something back.
    if change.evidence is not None:
        proof = (*change.evidence[:7], encoded(change.evidence.signals))
        if adds(change):
            insert(db, "evidence", EVIDENCE, [proof])
        else:
            same = f"({EVIDENCE}) = (?,?,?,?,?,?,?,?)"
            db.execute(f"delete from evidence where seq = (select max(seq) from evidence where {same})", proof)
    if change.link is not None and adds(change):
        insert(db, "link", "source, target, type, created_at", [change.link])
    elif change.link is not None:
        db.execute("delete from link where source = ? and target = ? and type = ?", change.link[:3])


def adds(change: Change) -> bool:
    """Whether a change writes its evidence or link, and does not remove it."""
    return not change.reason.endswith(TAKEN_BACK) if change.type is ChangeType.UNDO else change.type is not ChangeType.UNLINK


def log(db: sqlite3.Connection, condition: str = "1", values: Iterable[object] = (), *, most: int = -1) -> list[LogLine]:
    """The first lines of the log that meet an SQL condition of this package's own making, oldest first."""
    lines = db.execute(f"select seq, {_LINE} from change where {condition} order by seq limit {most}", tuple(values)).fetchall()
    undone, logged = _undone(db, [line[0] for line in lines]), []
    for seq, hlc, device, batch, at, type_, memory_id, before, after, reason, detail, undoes in lines:
        fields = from_json(detail)
        evidence, link = fields.get("evidence"), fields.get("link")
        proof, tie = evidence and evidence_of(evidence), link and Link(link[0], link[1], LinkType(link[2]), link[3])
        change = Change(ChangeType(type_), memory_id, unpacked(before), unpacked(after), reason, proof, tie)
        by = fields.get("who", ""), fields.get("session", "")
        logged.append(LogLine(seq, hlc, device, batch, at, change, *by, undoes, seq in undone))
    return logged


def _undone(db: sqlite3.Connection, seqs: Sequence[int]) -> set[int]:
    """Which of these lines are undone now: each undo of a line reverses its state."""
    takers = list(among(db, "select undoes, seq from change where undoes in ({keys})", seqs))
    back = _undone(db, [seq for _, seq in takers]) if takers else set()
    return {target for target, seq in takers if seq not in back}


def history(db: sqlite3.Connection, memory_id: str) -> list[LogLine]:
    """Everything that happened to one memory, oldest first; by a unique beginning of its id, also of a memory that is gone."""
    prefix = memory_id.strip()
    alike = "select distinct memory_id from change where memory_id >= ?1 and memory_id < ?1 || char(0x10ffff) limit 2"
    ids = column(db, alike, prefix) if prefix else []
    return log(db, "memory_id = ?", (ids[0] if len(ids) == 1 else by_id(db, prefix).id,))


def _tombs(db: sqlite3.Connection, text: str) -> list[str]:
    """Keyed hashes of a text as written and of its words in any order: neither reveals the text without the store's secret."""
    import hmac  # noqa: PLC0415 - loads OpenSSL: 3 ms that only purged texts need

    secret = meta(db, "nonce_secret").encode()
    forms = [f"text {digest(text)}", f"words {' '.join(sorted(set(content_words(text))))}"]
    return [hmac.new(secret, form.encode(), "sha256").hexdigest() for form in forms]


def add_tombstones(db: sqlite3.Connection, texts: Iterable[str], now: float) -> None:
    """Never learn these texts again."""
    insert(db, "tombstone", "digest, at", ((tomb, now) for text in texts if text.strip() for tomb in _tombs(db, text)))


def note_purge(db: sqlite3.Connection, now: float) -> None:
    """Records that something was purged, even where no text was erased: in the caller's transaction."""
    move_clock(db, now)
    set_meta(db, "purged_at", meta(db, "hlc"))


def last_purge(db: sqlite3.Connection) -> str:
    """When something was purged last, "" for never: what was read before it must not be written after it."""
    return meta(db, "purged_at")


def any_erased(db: sqlite3.Connection) -> bool:
    """Whether anything was ever purged."""
    return bool(value(db, "select 1 from tombstone limit 1"))


def erased(db: sqlite3.Connection, texts: Sequence[str], *, in_order: bool = False) -> set[str]:
    """Those of the texts that were purged: in these words or, unless `in_order`, in the same words in another order."""
    there = f"select 1 from tombstone where digest in (?{', ?' * (not in_order)})"
    return {text for text in texts if value(db, there, *_tombs(db, text)[: 2 - in_order])} if any_erased(db) else set()
