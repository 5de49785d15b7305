"""Memories as rows: converting, finding, listing, counting; and their full-text index. `change_log` is the one that writes memories."""

from __future__ import annotations

import os

from psychmem_py.errors import NotFoundError
from psychmem_py.home.light_json import decoded
from psychmem_py.model.light_record import KEPT, LIVE, RECALLABLE
from psychmem_py.model.records import (
    CONTEXT_CHARS,
    HUMAN,
    RULES,
    Evidence,
    Kind,
    Link,
    LinkType,
    Memory,
    Origin,
    Scope,
    Status,
    Store,
    Tier,
)
from psychmem_py.safety.control_chars import line as flat
from psychmem_py.store.sqlite import among, sqlite3
from psychmem_py.text.dates import date_words
from psychmem_py.text.tokenizer import clip, search_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any

_ENCODERS: list[Callable[[object], str]] = []  # one, once something was written


def as_json(value: object) -> str:
    """A value as one line of JSON."""
    if not _ENCODERS:
        from json import JSONEncoder  # noqa: PLC0415  # 2 ms of CPU that reading does without

        _ENCODERS.append(JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode)
    return _ENCODERS[0](value)


def from_json(text: str) -> Any:  # noqa: ANN401  # as the caller knows it
    """The value of a column that `as_json` wrote."""
    return decoded(text.encode())


COLUMNS = (
    "id", "text", "class", "scope", "project", "store", "tier", "status", "pinned", "origin", "importance", "utility", "novelty",
    "confidence", "interference", "strength", "use_count", "session_count", "created_at", "updated_at", "anchor_at", "expires_at",
    "language", "agent", "session", "tags", "names", "context", "metadata",
)  # fmt: skip
_WORKED_D = (  # days since the anchor on which the project of a short-term memory was worked in
    "case when memory.store = 'stm' then (select count(*) from workday where workday.project = memory.project"
    " and workday.day > cast(memory.anchor_at / 86400 as integer)) else 0 end"
)
SELECT = ", ".join((*(f"memory.{column}" for column in COLUMNS), _WORKED_D))
# Looked up, not called: Kind("semantic") costs ten times as much, and briefs read thousands of rows.
_KINDS, _SCOPES, _STORES = {e.value: e for e in Kind}, {e.value: e for e in Scope}, {e.value: e for e in Store}
_TIERS, _STATUSES, _ORIGINS = {e.value: e for e in Tier}, {e.value: e for e in Status}, {e.value: e for e in Origin}


def row(memory: Memory) -> tuple[object, ...]:
    """The values of COLUMNS for one memory."""
    return (
        memory.id, memory.text, memory.kind.value, memory.scope.value, memory.project, memory.store.value, memory.tier.value,
        memory.status.value, int(memory.pinned), memory.origin.value, memory.importance, memory.utility, memory.novelty,
        memory.confidence, memory.interference, memory.strength, memory.use_count, memory.session_count, memory.created_at,
        memory.updated_at, memory.anchor_at, memory.expires_at, memory.language, memory.agent, memory.session,
        as_json(memory.tags) if memory.tags else "[]", as_json(memory.names) if memory.names else "[]", memory.context,
        as_json(dict(memory.metadata)) if memory.metadata else "{}",
    )  # fmt: skip


def memory(values: Sequence[Any]) -> Memory:
    """The memory in a row that begins with COLUMNS, or with those of SELECT."""
    (key, text, kind, scope, project, store, tier, status, pinned, origin, importance, utility, novelty, confidence,
     interference, strength, use_count, session_count, created_at, updated_at, anchor_at, expires_at, language, agent, session,
     tags, names, context, metadata) = values[: len(COLUMNS)]  # fmt: skip
    return Memory(
        key, text, _KINDS[kind], _SCOPES[scope], project, _STORES[store], _TIERS[tier], _STATUSES[status], bool(pinned),
        _ORIGINS[origin], importance, utility, novelty, confidence, interference, strength, use_count, session_count, created_at,
        updated_at, anchor_at, expires_at, language, agent, session, tuple(from_json(tags)) if tags != "[]" else (),
        tuple(from_json(names)) if names != "[]" else (), context,
        tuple(from_json(metadata).items()) if metadata != "{}" else (),
        values[len(COLUMNS)] if len(values) > len(COLUMNS) else 0,
    )  # fmt: skip


def packed(values: Sequence[object]) -> str:
    """A row of COLUMNS as JSON for the change log; columns at their commonest value are left out."""
    return as_json({column: value for column, value, usual in zip(COLUMNS, values, _USUAL, strict=True) if value != usual})


def unpacked(text: str | None) -> Memory | None:
    """The memory in a line of the change log."""
    if text is None:
        return None
    given = from_json(text)
    return memory([given.get(column, _COMMON.get(column)) for column in COLUMNS])


_NONE = object()
_COMMON: dict[str, object] = {
    "project": None, "expires_at": None, "pinned": 0, "use_count": 0, "session_count": 1, "language": "", "agent": "",
    "session": "", "tags": "[]", "names": "[]", "context": "", "metadata": "{}", "tier": "normal", "status": "active",
}  # fmt: skip
_USUAL = tuple(_COMMON.get(column, _NONE) for column in COLUMNS)


def fresh_ids() -> Iterator[str]:
    """Identifiers of 32 hex digits, without end."""
    while True:
        yield os.urandom(16).hex()


def by_id(db: sqlite3.Connection, prefix: str, *, seen_from: tuple[str | None] | None = None) -> Memory:
    """The one memory whose id begins with `prefix`; of those that one project and the user have, if `seen_from` names it. Raises
    NotFoundError for none and for several.
    """
    wanted = prefix.strip()
    if not wanted:
        raise NotFoundError("an id is missing; `psychmem list` shows them")
    exact = get(db, wanted)
    if exact and (seen_from is None or exact.project in (None, *seen_from)):
        return exact
    lines = db.execute(
        f"select {SELECT} from memory where id >= ? and id < ? and (? or project is null or project = ?) limit 6",
        (wanted, wanted + "\U0010ffff", seen_from is None, *(seen_from or (None,))),
    ).fetchall()
    if len(lines) == 1:
        return memory(lines[0])
    if not lines:
        raise NotFoundError(f"no memory has an id that begins with {wanted[:40]!r}; `psychmem list --status all` shows them")
    listed = "; ".join(f"{one.id[: len(wanted) + 8]} {clip(flat(one.text), 50)}" for one in map(memory, lines[:5]))
    more = " …" if len(lines) > 5 else ""
    raise NotFoundError(f"several memories have an id that begins with {wanted!r}, give more of it: {listed}{more}")


def get(db: sqlite3.Connection, key: str) -> Memory | None:
    """The memory with exactly this id."""
    line = db.execute(f"select {SELECT} from memory where id = ?", (key,)).fetchone()
    return memory(line) if line else None


def several(db: sqlite3.Connection, ids: Sequence[str]) -> dict[str, Memory]:
    """The memories with these ids, as far as they exist."""
    return {line[0]: memory(line) for line in among(db, f"select {SELECT} from memory where id in ({{keys}})", ids)}


def ids_in(db: sqlite3.Connection, project: str | None) -> list[str]:
    """The ids of all memories of a project, or of the user's."""
    return [key for (key,) in db.execute("select id from memory where project is ? order by seq", (project,))]


def recallable(db: sqlite3.Connection, project: str | None) -> list[Memory]:
    """What a brief may draw from: active and promoted memories of the user and of this project, never of another one."""
    lines = db.execute(
        f"select {SELECT} from memory where {status_in(RECALLABLE)} and tier != 'deprecated'"
        " and (project is null or project = ?) order by memory.seq",
        (project,),
    )
    return [memory(values) for values in lines]


def status_in(statuses: Iterable[str]) -> str:
    """The condition that a row has one of these statuses, written out: only so does the planner see that an index holds them."""
    written = ", ".join(f"'{Status(status)}'" for status in statuses)
    return f"status in ({written})"


def project_condition(project: str | None, *, all_projects: bool) -> tuple[str, list[object]]:
    """The condition that keeps projects apart, and its values."""
    return ("1", []) if all_projects else ("(memory.project is null or memory.project = ?)", [project])


def listed(
    db: sqlite3.Connection,
    *,
    project: str | None = None,
    all_projects: bool = False,
    statuses: Iterable[str] = LIVE,
    kinds: Iterable[Kind] = (),
    scopes: Iterable[Scope] = (),
    tags: Iterable[str] = (),
    after: float | None = None,
    holding: str = "",
    limit: int = -1,
) -> list[Memory]:
    """Memories that meet every condition given, newest first; `holding` begins the name of a field of their metadata."""
    where, values = project_condition(project, all_projects=all_projects)
    conditions = [where]
    for column, wanted in (("status", statuses), ("class", kinds), ("scope", scopes)):
        chosen = [str(item) for item in wanted]
        if chosen:
            conditions.append(f"memory.{column} in ({','.join('?' * len(chosen))})")
            values += chosen
    for tag in tags:
        conditions.append("exists (select 1 from json_each(memory.tags) where value = ?)")
        values.append(tag)
    if after is not None:
        conditions.append("memory.created_at >= ?")
        values.append(after)
    if holding:
        conditions.append("instr(memory.metadata, ?) > 0")
        values.append(f'"{holding}')
    lines = db.execute(
        f"select {SELECT} from memory where {' and '.join(conditions)} order by memory.created_at desc, memory.seq desc limit ?",
        (*values, limit),
    )
    return [memory(line) for line in lines]


def evidence(db: sqlite3.Connection, memory_id: str) -> list[Evidence]:
    """Where a memory comes from, oldest first."""
    lines = db.execute(
        "select memory_id, at, method, origin, session, message_id, quote, signals from evidence where memory_id = ?"
        " order by at, seq",
        (memory_id,),
    )
    return [evidence_of(line[:7], from_json(line[7])) for line in lines]


def evidence_of(values: Sequence[Any], signals: Sequence[str]) -> Evidence:
    """The evidence in the first seven columns of its row and its parsed signals."""
    memory_id, at, method, origin, session, message_id, quote = values
    return Evidence(memory_id, at, method, _ORIGINS[origin], session, message_id, quote, tuple(signals))


def links(db: sqlite3.Connection, memory_id: str) -> list[Link]:
    """Every link from or to a memory, oldest first."""
    lines = db.execute(
        "select source, target, type, created_at from link where source = ? or target = ? order by created_at, source,"
        " target, type",
        (memory_id, memory_id),
    )
    return [Link(source, target, LinkType(kind), at) for source, target, kind, at in lines]


def sessions_of(db: sqlite3.Connection, ids: Sequence[str]) -> dict[str, frozenset[str]]:
    """The distinct sessions that stated each of these memories; of what a person said those in which a person did."""
    sessions: dict[str, set[str]] = {key: set() for key in ids}
    stated = (
        "select distinct memory_id, evidence.session from evidence join memory on memory.id = memory_id"
        " where evidence.session != '' and method not in ('vote', 'echo', 'touch') and memory_id in ({keys})"
        " and (evidence.origin like 'user_%' or memory.origin not like 'user_%')"
    )
    for key, session in among(db, stated, ids):
        sessions[key].add(session)
    return {key: frozenset(value) for key, value in sessions.items()}


def with_evidence_of(db: sqlite3.Connection, session: str, method: str) -> set[str]:
    """Ids of the memories that already have evidence of this method from this conversation."""
    return {
        line[0]
        for line in db.execute("select distinct memory_id from evidence where session = ? and method = ?", (session, method))
    }


def stated_only_in(db: sqlite3.Connection, messages: Collection[str]) -> list[str]:
    """Ids of the memories whose every statement stands in one of these messages."""
    ids: set[str] = set()
    for message in messages:
        ids.update(line[0] for line in db.execute("select memory_id from evidence where message_id = ?", (message,)))
    stated = {key: [one for one in evidence(db, key) if one.method not in ("vote", "echo", "touch")] for key in ids}
    return sorted(key for key, every in stated.items() if all(one.message_id in messages for one in every))


def counts(
    db: sqlite3.Connection, *, project: str | None = None, all_projects: bool = True
) -> dict[tuple[str, str, str, str], int]:
    """How many memories there are by (status, class, scope, store)."""
    where, values = project_condition(project, all_projects=all_projects)
    lines = db.execute(
        f"select status, class, scope, store, count(*) from memory where {where} group by status, class, scope, store"
        " order by 1, 2, 3, 4",
        values,
    )
    return {(status, kind, scope, store): number for status, kind, scope, store, number in lines}


def is_stored(db: sqlite3.Connection, hashed: str, kind: str, project: str | None) -> bool:
    """Whether a statement with this hash and class is in use in this place."""
    line = db.execute(
        f"select 1 from memory where hash = ? and class = ? and ifnull(project, '') = ? and {status_in(KEPT)}",
        (hashed, kind, project or ""),
    ).fetchone()
    return line is not None


EACH = 10  # of one class and scope; a brief says 20 in all
# Of what people want, rules and decisions: more than is told, since some are unclear, said twice or long; 20 us each.
EACH_WANTED = 32
_WANTED = RULES | {Kind.DECISION, Kind.SEMANTIC}
_FLEETING = frozenset({Kind.EPISODIC, Kind.OBJECTIVE})  # of these the latest, not the strongest


def brief_candidates(db: sqlite3.Connection, project: str | None) -> list[Memory]:
    """The first of every class for the user and for the project, and all that is pinned or constitutional."""
    memories: dict[str, Memory] = {}
    for scope in {None, project}:
        always = (
            f"select {SELECT} from memory where project is ? and (pinned = 1 or tier = 'constitutional')"
            f" and +{status_in(RECALLABLE)} limit 200"  # the plus keeps the planner on memory_always
        )
        memories |= {row[0]: memory(row) for row in db.execute(always, (scope,))}
        for kind in Kind:
            order = "anchor_at" if kind in _FLEETING else "strength"
            for status in RECALLABLE:
                rows = db.execute(
                    f"select {SELECT} from memory where project is ? and status = ? and class = ? order by {order} desc limit ?",
                    (scope, status, str(kind), EACH_WANTED if kind in _WANTED else EACH),
                )
                memories |= {row[0]: memory(row) for row in rows}
    return [one for one in memories.values() if one.tier is not Tier.DEPRECATED]


def has_exchanges(db: sqlite3.Connection, project: str | None) -> bool:
    """Whether anything that was said in a project's conversations can be found again."""
    return db.execute("select 1 from episode where project is ? limit 1", (project,)).fetchone() is not None


def contradicted(db: sqlite3.Connection, known: Mapping[str, Memory]) -> dict[str, Memory]:
    """Of the `known` memories, by id, those that a person contradicted since, each with what was said last against it.

    Both are a person's words; what is pinned or constitutional is contradicted by nothing.
    """
    against: dict[str, Memory] = {}
    for ends in db.execute("select source, target from link where type = ?", (LinkType.CONTRADICTS.value,)):
        pair = [known[end] for end in ends if end in known and known[end].origin in HUMAN]
        older, newer = sorted(pair, key=_said) if len(pair) > 1 else (None, None)
        if older is None or newer is None or older.pinned or older.tier is Tier.CONSTITUTIONAL:
            continue
        against[older.id] = max(newer, against.get(older.id, newer), key=_said)
    return against


def _said(memory: Memory) -> tuple[float, float, str]:
    return memory.anchor_at, memory.created_at, memory.id


INDEXED = frozenset({"text", "names", "tags", "context", "created_at"})


def enter_index(db: sqlite3.Connection, seq: int | None, columns: tuple[str, str, str, str], table: str = "memory") -> None:
    db.execute(f"insert into {table}_search (seq, text, names, dates, context) values (?,?,?,?,?)", (seq, *columns))
    db.execute(f"insert into {table}_fts (rowid, text, names, dates, context) values (?,?,?,?,?)", (seq, *columns))


def leave_index(db: sqlite3.Connection, seq: int, table: str = "memory") -> None:
    old = db.execute(f"select text, names, dates, context from {table}_search where seq = ?", (seq,)).fetchone()
    if old:
        # An external-content index must be told the words that were there.
        db.execute(
            f"insert into {table}_fts ({table}_fts, rowid, text, names, dates, context) values ('delete',?,?,?,?,?)", (seq, *old)
        )
        db.execute(f"delete from {table}_search where seq = ?", (seq,))


def rebuild_index(db: sqlite3.Connection) -> None:
    """Indexes every memory and exchange anew, after the tokeniser has changed or the index is damaged."""
    db.execute("delete from memory_search")
    for line in db.execute(f"select {SELECT}, memory.seq from memory order by memory.seq").fetchall():
        db.execute(
            "insert into memory_search (seq, text, names, dates, context) values (?,?,?,?,?)",
            (line[-1], *index_text(memory(line))),
        )
    db.execute("insert into memory_fts (memory_fts) values ('rebuild')")
    if not db.execute("select 1 from sqlite_master where name = 'episode'").fetchone():
        return  # a copy of an older schema
    db.execute("delete from episode_search")
    last: dict[str, tuple[str, str]] = {}  # exchange of each conversation
    query = "select seq, session, typed, answer, files, failed, at from episode order by seq"
    for seq, session, typed, answer, files, failed, at in db.execute(query).fetchall():
        names = (*from_json(files), *from_json(failed))
        columns = exchange_text(typed, answer, names, at, last.get(session, ("", "")))
        db.execute("insert into episode_search (seq, text, names, dates, context) values (?,?,?,?,?)", (seq, *columns))
        last[session] = (typed, answer)
    db.execute("insert into episode_fts (episode_fts) values ('rebuild')")


def index_text(memory: Memory) -> tuple[str, str, str, str]:
    """The four columns of the index: text, names, dates, context."""
    names = " ".join([*memory.names, *memory.tags])
    return search_terms(memory.text), search_terms(names), date_words(memory.created_at), search_terms(memory.context)


def exchange_text(typed: str, answer: str, names: Sequence[str], at: float, before: tuple[str, str]) -> tuple[str, str, str, str]:
    """The same of an exchange; its context is the beginning and the end of the one before."""
    context = search_terms(f"{before[0][:CONTEXT_CHARS]} {before[1][-CONTEXT_CHARS:]}")
    return search_terms(f"{typed}\n{answer}"), search_terms(" ".join(names)), date_words(at), context
