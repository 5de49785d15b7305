"""Writes changes: the memory, its index, its evidence and links, and the append-only log, always together and always in the
caller's transaction.

The log can give back any earlier state; nothing in here forgets what happened (`purge` is the one exception). Beside it: who did what and
where it was typed, which a plain undo goes by, and the digests of what was purged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from psychmem_py.errors import NotFoundError
from psychmem_py.model.light_record import NamedTuple
from psychmem_py.model.records import Change, ChangeType, Link, LinkType, Memory
from psychmem_py.store.connection import transaction
from psychmem_py.store.rows import (
    COLUMNS,
    INDEXED,
    as_json,
    enter_index,
    evidence_of,
    from_json,
    index_text,
    leave_index,
    packed,
    row,
    unpacked,
)
from psychmem_py.store.sqlite import among, meta, set_meta, sqlite3
from psychmem_py.text.tokenizer import content_words, digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_INSERT = f"insert into memory ({', '.join(COLUMNS)}, hash) values ({', '.join('?' * len(COLUMNS))}, ?)"


class Logged(NamedTuple):
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
    """Makes the changes, in order. The caller holds the transaction (one is opened if not).

    `undoing` gives, for undo only, the line of the log that each change takes back; `device` the other one that a change came from.
    """
    if not changes:
        return
    with transaction(db):
        here, clock = meta(db, "device_id"), _Clock(meta(db, "hlc"), now)
        lines = []
        for index, change in enumerate(changes):
            old = row(change.before) if change.before is not None else None
            new = row(change.after) if change.after is not None else None
            _write(db, change, old, new)
            detail = _detail(change, agent, session)
            lines.append(
                (clock.tick(here), device or here, batch, now, change.type.value, change.memory_id, packed(old) if old else None,
                 packed(new) if new else None, change.reason, detail, undoing[index] if undoing else None)
            )  # fmt: skip
        db.executemany(
            "insert into change (hlc, device, batch, at, type, memory_id, before, after, reason, detail, undoes)"
            " values (?,?,?,?,?,?,?,?,?,?,?)",
            lines,
        )
        set_meta(db, "hlc", clock.last)


def move_clock(db: sqlite3.Connection, now: float) -> None:
    """Moves the store's clock for a change that no memory tells of and a brief does, in the caller's transaction."""
    clock = _Clock(meta(db, "hlc"), now)
    clock.tick(meta(db, "device_id"))
    set_meta(db, "hlc", clock.last)


class _Clock:
    """Hybrid logical clock: never behind the wall clock seen, never behind itself (Kulkarni et al. 2014)."""

    def __init__(self, last: str, now: float) -> None:
        milliseconds, counter = last.split("-")[:2] if last else ("0", "0")
        wall = int(now * 1000)
        self.ms, self.counter = (wall, -1) if wall > int(milliseconds) else (int(milliseconds), int(counter, 16))
        self.last = last

    def tick(self, device: str) -> str:
        self.counter += 1
        self.last = f"{self.ms:013d}-{self.counter:06x}-{device}"
        return self.last


_Row = tuple[object, ...] | None
_ADD_EVIDENCE = (
    "insert into evidence (memory_id, at, method, origin, session, message_id, quote, signals) values (?,?,?,?,?,?,?,?)"
)
_TAKE_EVIDENCE = (
    "delete from evidence where seq = (select max(seq) from evidence where memory_id = ? and at = ? and method = ? and origin = ?"
    " and session = ? and message_id = ? and quote = ? and signals = ?)"
)
_ADD_LINK = "insert into link (source, target, type, created_at) values (?,?,?,?) on conflict do nothing"
_TAKE_LINK = "delete from link where source = ? and target = ? and type = ?"


def _write(db: sqlite3.Connection, change: Change, old: _Row, new: _Row) -> None:
    if change.after is None:
        if change.before is not None:
            stored = db.execute("select seq from memory where id = ?", (change.before.id,)).fetchone()
            if stored:
                leave_index(db, stored[0])
                db.execute("delete from memory where seq = ?", stored)
    elif new and not old:
        cursor = db.execute(_INSERT, (*new, digest(change.after.text)))
        enter_index(db, cursor.lastrowid, index_text(change.after))
    elif old and new and old != new:
        _update(db, change.after, old, new)
    # Evidence and link of a change are written, or removed when it is an unlink or takes something back.
    if change.evidence is not None:
        one = change.evidence
        values = (*one[:3], one.origin.value, *one[4:7], as_json(one.signals))
        db.execute(_ADD_EVIDENCE if adds(change) else _TAKE_EVIDENCE, values)
    if change.link is not None:
        ends = (change.link.source, change.link.target, change.link.type.value)
        db.execute(*((_ADD_LINK, (*ends, change.link.created_at)) if adds(change) else (_TAKE_LINK, ends)))


def _update(db: sqlite3.Connection, after: Memory, old: tuple[object, ...], new: tuple[object, ...]) -> None:
    """Writes the columns that differ. A few sets of columns come again and again, so SQLite keeps their statements."""
    given = {column: value for column, was, value in zip(COLUMNS, old, new, strict=True) if was != value}
    if "text" in given:
        given["hash"] = digest(after.text)
    setting = ", ".join(f"{column} = ?" for column in given)
    cursor = db.execute(f"update memory set {setting} where id = ?", (*given.values(), after.id))
    if not cursor.rowcount:
        raise NotFoundError(f"memory {after.id[:8]} is gone; it was removed meanwhile")
    if not INDEXED.isdisjoint(given):
        seq = db.execute("select seq from memory where id = ?", (after.id,)).fetchone()[0]
        leave_index(db, seq)
        enter_index(db, seq, index_text(after))


def adds(change: Change) -> bool:
    return change.reason != TAKEN_BACK if change.type is ChangeType.UNDO else change.type is not ChangeType.UNLINK


def _detail(change: Change, agent: str, session: str) -> str:
    fields: dict[str, Any] = {}
    if agent:
        fields["who"] = agent
    if session:
        fields["session"] = session
    if change.evidence is not None:
        fields["evidence"] = [*change.evidence[:3], change.evidence.origin.value, *change.evidence[4:7], change.evidence.signals]
    if change.link is not None:
        fields["link"] = [change.link.source, change.link.target, change.link.type.value, change.link.created_at]
    return as_json(fields) if fields else "{}"


TAKEN_BACK, PUT_BACK = "taken back", "put back"
_LOG = "select seq, hlc, device, batch, at, type, memory_id, before, after, reason, detail, undoes from change"


def _logged(line: Sequence[Any], undone: set[int]) -> Logged:
    detail = from_json(line[10])
    evidence, link = detail.get("evidence"), detail.get("link")
    change = Change(
        type=ChangeType(line[5]),
        memory_id=line[6],
        before=unpacked(line[7]),
        after=unpacked(line[8]),
        reason=line[9],
        evidence=evidence_of(evidence[:7], evidence[7]) if evidence else None,
        link=Link(link[0], link[1], LinkType(link[2]), link[3]) if link else None,
    )
    seq, hlc, device, batch, at = line[:5]
    who, session = detail.get("who", ""), detail.get("session", "")
    return Logged(seq, hlc, device, batch, at, change, who, session, line[11], seq in undone)


def log(
    db: sqlite3.Connection, condition: str = "1", values: Iterable[object] = (), *, tail: str = "order by seq"
) -> list[Logged]:
    """Lines of the log that meet an SQL condition of this package's own making, oldest first."""
    lines = db.execute(f"{_LOG} where {condition} {tail}", tuple(values)).fetchall()
    undone = _undone(db, [line[0] for line in lines])
    return [_logged(line, undone) for line in lines]


def _undone(db: sqlite3.Connection, seqs: Sequence[int]) -> set[int]:
    """Which of these lines are taken back at present: each undo of a line turns it over."""
    takers = list(among(db, "select undoes, seq from change where undoes in ({keys})", seqs))
    back = _undone(db, [seq for _, seq in takers]) if takers else set()
    return {target for target, seq in takers if seq not in back}


def history(db: sqlite3.Connection, memory_id: str) -> list[Logged]:
    """Everything that happened to one memory, oldest first; `memory_id` is whole."""
    return log(db, "memory_id = ?", (memory_id,))


def ids_like(db: sqlite3.Connection, prefix: str) -> list[str]:
    """Ids in the log that begin with `prefix`, at most two: also of memories that are gone."""
    ids = db.execute(
        "select distinct memory_id from change where memory_id >= ? and memory_id < ? limit 2", (prefix, prefix + "\U0010ffff")
    )
    return [line[0] for line in ids]


class DoneCommand(NamedTuple):
    """One command, a click or a key of `review`; also an undo."""

    batch: str  # of the changes it made, if it made any
    name: str  # "review", "edit"
    project: str | None  # where it was typed, not where it wrote; None in no project
    who: str  # as in the log: an agent, "" for a person
    session: str
    at: float
    undoes: str = ""  # the batch, or "#" and the line of the log, that an undo took back

    @property
    def by(self) -> tuple[str, str]:
        return self.who, self.session


_COLUMNS = ", ".join(DoneCommand._fields)


def note_command(db: sqlite3.Connection, done: DoneCommand) -> None:
    """Notes a command; of one that was noted already only that it is an undo."""
    marks = ", ".join("?" * len(done))
    # What a purge takes out of the log must not put a command before those that were done earlier.
    last = "select max(ifnull((select max(seq) from change), 0), ifnull((select max(after) from command), 0))"
    db.execute(
        f"insert into command ({_COLUMNS}, after) values ({marks}, ({last}))"
        " on conflict (batch) do update set name = excluded.name, undoes = excluded.undoes",
        done,
    )


def command_of(db: sqlite3.Connection, batch: str) -> DoneCommand | None:
    """The command that a batch belongs to."""
    line = db.execute(f"select {_COLUMNS} from command where batch = ?", (batch,)).fetchone()
    return DoneCommand(*line) if line else None


def batches(db: sqlite3.Connection) -> Iterator[str]:
    """Every batch that is no undo, nor upkeep or sync that nobody typed; the last one done first."""
    yield from (
        batch
        for (batch,) in db.execute(
            "select batch from ("
            " select batch, max(seq) as line, 0 as seq from change"
            " where undoes is null and batch not like 'upkeep-%' and batch not like 'sync-%' group by batch"
            " union all select batch, after + 0.5, seq from command where undoes = ''"
            ") group by batch order by max(line) desc, max(seq) desc"
        ).fetchall()
    )


def is_taken_back(db: sqlite3.Connection, batch: str) -> bool:
    """Whether an undo of the whole command stands: each undo of that undo turns it over."""
    takers = db.execute("select batch from command where undoes = ?", (batch,)).fetchall()
    return any(not is_taken_back(db, taker) for (taker,) in takers)


def batches_like(db: sqlite3.Connection, prefix: str) -> list[str]:
    """The batches that begin so, at most two."""
    bounds = (prefix, prefix + "\U0010ffff")
    batches = db.execute(
        "select batch from change where batch >= ? and batch < ? union select batch from command where batch >= ? and batch < ?"
        " limit 2",
        (*bounds, *bounds),
    )
    return [batch for (batch,) in batches]


def _tombs(db: sqlite3.Connection, text: str) -> list[str]:
    """Keyed hashes of a text as written and of its words in any order: neither tells the text to who lacks the store's secret."""
    import hmac  # noqa: PLC0415 - loads OpenSSL: 3 ms that only purged texts need

    secret = meta(db, "nonce_secret").encode()
    words = " ".join(sorted(set(content_words(text))))
    forms = [f"text {digest(text)}", f"words {words}"]
    return [hmac.new(secret, form.encode(), "sha256").hexdigest() for form in forms]


def bury(db: sqlite3.Connection, texts: Iterable[str], now: float) -> None:
    """Never learn these texts again."""
    db.executemany(
        "insert into tombstone (digest, at) values (?, ?) on conflict do nothing",
        ((tomb, now) for text in texts if text.strip() for tomb in _tombs(db, text)),
    )


_LAST_PURGE = "purged_at"


def note_purge(db: sqlite3.Connection, now: float) -> None:
    """Says that something was purged, also where no text was buried: in the caller's transaction."""
    move_clock(db, now)
    set_meta(db, _LAST_PURGE, meta(db, "hlc"))


def last_purge(db: sqlite3.Connection) -> str:
    """When something was purged last, "" for never: what was read before it must not be written after it."""
    return meta(db, _LAST_PURGE)


def any_buried(db: sqlite3.Connection) -> bool:
    """Whether anything was ever purged."""
    return db.execute("select 1 from tombstone limit 1").fetchone() is not None


def buried(db: sqlite3.Connection, texts: Sequence[str]) -> set[str]:
    """Those of the texts that were purged: in these words, or in the same words in another order."""
    if not any_buried(db):
        return set()
    buried_texts = set()
    for text in texts:
        if db.execute("select 1 from tombstone where digest in (?, ?)", _tombs(db, text)).fetchone():
            buried_texts.add(text)
    return buried_texts
