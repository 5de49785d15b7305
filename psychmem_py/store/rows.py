"""Memories as rows: converting, finding, listing, counting; and their full-text index. Only `change_log` writes memories."""

from __future__ import annotations

import os

from psychmem_py.errors import NotFoundError
from psychmem_py.home.light_json import encoded
from psychmem_py.model import records
from psychmem_py.model.light_record import KEPT, LIVE, RECALLABLE
from psychmem_py.model.records import Evidence, Kind, Link, LinkType, Memory, Origin, Scope, Status, Store, Tier
from psychmem_py.safety.control_chars import line as flat
from psychmem_py.store.sqlite import among, column, from_json, insert, sqlite3, value
from psychmem_py.text.dates import date_words, iso
from psychmem_py.text.tokenizer import clip, search_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any

COLUMNS = tuple("class" if field == "kind" else field for field in Memory._fields[:-1])
_WORKED_D = (  # days since the anchor on which the project of a short-term memory was worked in
    "case when memory.store = 'stm' then (select count(*) from workday where workday.project = memory.project"
    " and workday.day > cast(memory.anchor_at / 86400 as integer)) else 0 end"
)
SELECT = ", ".join((*(f"memory.{column}" for column in COLUMNS), _WORKED_D))
EVIDENCE = "memory_id, at, method, origin, session, message_id, quote, signals"
_FIRST = 32  # of each class: more than is told, since some are unclear, said twice or long; 20 us each
_INDEX = "text, names, dates, context"  # its columns
Indexed = tuple[str, str, str, str]  # their words


def row(memory: Memory) -> tuple[object, ...]:
    """The values of COLUMNS for one memory."""
    *plain, tags, names, context, metadata, _ = memory
    lists = (encoded(tags) if tags else "[]", encoded(names) if names else "[]")
    return (*plain, *lists, context, encoded(dict(metadata)) if metadata else "{}")


def record(memory: Memory) -> dict[str, Any]:
    """A memory as a JSON object: reading it back exactly gives the same."""
    fields: dict[str, Any] = dict(zip(COLUMNS, memory, strict=False))
    fields |= {name: iso(at) for name, at in fields.items() if name.endswith("_at") and at is not None}
    return fields | {"metadata": dict(memory.metadata)}


def memory(values: Sequence[Any]) -> Memory:
    """The memory in a row that begins with COLUMNS, or with those of SELECT."""
    key, text, kind, scope, project, store, tier, status, pinned, origin, *rest = values[: len(COLUMNS)]
    *plain, tags, names, context, metadata = rest
    fields: list[Any] = [
        key, text, Kind(kind), Scope(scope), project, Store(store), Tier(tier), Status(status), bool(pinned),
        Origin(origin), *plain, tuple(from_json(tags)) if tags != "[]" else (), tuple(from_json(names)) if names != "[]" else (),
        context, tuple(from_json(metadata).items()) if metadata != "{}" else (), *(values[len(COLUMNS) :] or [0])[:1],
    ]  # fmt: skip
    return Memory(*fields)


_COMMON: dict[str, object] = {
    "project": None, "expires_at": None, "pinned": 0, "use_count": 0, "session_count": 1, "language": "", "agent": "",
    "session": "", "tags": "[]", "names": "[]", "context": "", "metadata": "{}", "tier": "normal", "status": "active",
}  # fmt: skip


def packed(values: Sequence[object]) -> str:
    """A row of COLUMNS as JSON for the change log; columns at their commonest value are left out."""
    given = zip(COLUMNS, values, strict=True)
    return encoded({name: value for name, value in given if name not in _COMMON or value != _COMMON[name]})


def unpacked(text: str | None) -> Memory | None:
    """The memory in a line of the change log."""
    if text is None:
        return None
    given = _COMMON | from_json(text)
    return memory([given[name] for name in COLUMNS])


def fresh_ids() -> Iterator[str]:
    """Identifiers of 32 hex digits, without end."""
    while True:
        yield os.urandom(16).hex()


def where(db: sqlite3.Connection, condition: str, *values: object) -> list[Memory]:
    """The memories that meet an SQL condition of this package's own making, with whatever orders or limits them behind it."""
    return [memory(line) for line in db.execute(f"select {SELECT} from memory where {condition}", values)]


def by_id(db: sqlite3.Connection, prefix: str, *, seen_from: tuple[str | None] | None = None) -> Memory:
    """The one memory whose id begins so, seen from the project `seen_from`. Raises NotFoundError for none and for several."""
    if not (wanted := prefix.strip()):
        raise NotFoundError("an id is missing; `psychmem list` shows them")
    alike = "id >= ?1 and id < ?1 || char(0x10ffff) and (?2 or project is null or project = ?3) order by id limit 6"
    matching = where(db, alike, wanted, seen_from is None, *(seen_from or (None,)))
    if matching and (len(matching) == 1 or matching[0].id == wanted):
        return matching[0]
    if not matching:
        raise NotFoundError(f"no memory has an id that begins with {wanted[:40]!r}; `psychmem list --status all` shows them")
    listed = "; ".join(f"{one.id[: len(wanted) + 8]} {clip(flat(one.text), 50)}" for one in matching)
    raise NotFoundError(f"several memories have an id that begins with {wanted!r}, give more of it: {listed}")


def get(db: sqlite3.Connection, key: str) -> Memory | None:
    """The memory with exactly this id."""
    return next(iter(where(db, "id = ?", key)), None)


def several(db: sqlite3.Connection, ids: Sequence[str]) -> dict[str, Memory]:
    """The memories with these ids, as far as they exist."""
    return {line[0]: memory(line) for line in among(db, f"select {SELECT} from memory where id in ({{keys}})", ids)}


def recallable(db: sqlite3.Connection, project: str | None) -> list[Memory]:
    """What a brief may draw from: active and promoted memories of the user and of this project, never of another one."""
    condition = f"{status_in(RECALLABLE)} and tier != 'deprecated' and (project is null or project = ?) order by memory.seq"
    return where(db, condition, project)


def status_in(statuses: Iterable[str]) -> str:
    """The condition that a row has one of these statuses, written out: only so does the planner see that an index holds them."""
    return "status in (" + ", ".join(f"'{Status(status)}'" for status in statuses) + ")"


AS_RULES = "instr(metadata, '\"guard\":\"ask\"') > 0 desc, pinned desc, class = 'decision', anchor_at desc, seq desc"
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
    return f"({expired} or ({mortal} and {status_in(RECALLABLE)} and {fades}))", (now, *map(str, fading))


def slice_of(db: sqlite3.Connection, may: Condition, *, after: int, limit: int) -> list[tuple[int, Memory]]:
    """The next memories after row `after` that meet a condition, with their row numbers."""
    condition, values = may
    numbered = f"select {SELECT}, memory.seq from memory where memory.seq > ? and {condition} order by memory.seq limit ?"
    return [(line[-1], memory(line)) for line in db.execute(numbered, (after, *values, limit))]


def listed(
    db: sqlite3.Connection,
    *,
    project: str | None = None,
    all_projects: bool = False,
    statuses: Iterable[str] = LIVE,
    kinds: Iterable[Kind] = (),
    tags: Iterable[str] = (),
    after: float | None = None,
    holding: str = "",
    order: str = "created_at desc, seq desc",
    limit: int = -1,
) -> list[Memory]:
    """Memories that meet every condition given, newest first; `holding` begins the name of a field of their metadata."""
    given: list[tuple[str, list[object]]] = [("true", []) if all_projects else ("(project is null or project = ?)", [project])]
    for field, wanted in (("status", statuses), ("class", kinds)):
        if chosen := list(map(str, wanted)):
            given.append((f"memory.{field} in ({','.join('?' * len(chosen))})", [*chosen]))
    given += [("exists (select 1 from json_each(memory.tags) where value = ?)", [tag]) for tag in tags]
    given += [("memory.created_at >= ?", [after])] if after is not None else []
    given += [("instr(memory.metadata, ?) > 0", [f'"{holding}'])] if holding else []
    conditions = " and ".join(condition for condition, _ in given)
    return where(db, f"{conditions} order by {order} limit ?", *(value for _, part in given for value in part), limit)


def evidence(db: sqlite3.Connection, memory_id: str) -> list[Evidence]:
    """Where a memory comes from, oldest first."""
    lines = db.execute(f"select {EVIDENCE} from evidence where memory_id = ? order by at, seq", (memory_id,))
    return [evidence_of((*line[:7], from_json(line[7]))) for line in lines]


def evidence_of(values: Sequence[Any]) -> Evidence:
    """The evidence in the columns of EVIDENCE, the signals parsed."""
    memory_id, at, method, origin, session, message_id, quote, signals = values
    return Evidence(memory_id, at, method, Origin(origin), session, message_id, quote, tuple(signals))


def links(db: sqlite3.Connection, memory_id: str = "") -> list[Link]:
    """Every link from or to a memory, or of all memories, oldest first."""
    ends = "source = ?1 or target = ?1" if memory_id else "?1 = ''"
    asked = f"select source, target, type, created_at from link where {ends} order by created_at, source, target, type"
    return [Link(source, target, LinkType(kind), at) for source, target, kind, at in db.execute(asked, (memory_id,))]


def sessions_of(db: sqlite3.Connection, ids: Sequence[str]) -> dict[str, set[str]]:
    """The distinct sessions that stated each of these memories; of what a person said those in which a person did."""
    by_them = "(evidence.origin like 'user_%' or memory.origin not like 'user_%')"
    said = f"evidence.session != '' and method not in ('vote', 'echo', 'touch') and memory_id in ({{keys}}) and {by_them}"
    stated = f"select memory_id, evidence.session from evidence join memory on memory.id = memory_id where {said}"
    sessions: dict[str, set[str]] = {key: set() for key in ids}
    for key, session in among(db, stated, ids):
        sessions[key].add(session)
    return sessions


def with_evidence_of(db: sqlite3.Connection, session: str, method: str, origin: Origin | None = None) -> set[str]:
    """Ids of the memories that have evidence of this method from this conversation, and of this origin where one is named."""
    given = "session = ? and method = ? and origin = ifnull(?, origin)"
    return set(column(db, f"select memory_id from evidence where {given}", session, method, origin))


def stated_only_in(db: sqlite3.Connection, messages: Collection[str]) -> list[str]:
    """Ids of the memories whose every statement stands in one of these messages."""
    these = "(select value from json_each(?1))"
    about = f"memory_id in (select memory_id from evidence where message_id in {these})"
    stated = f"{about} and method not in ('vote', 'echo', 'touch') group by memory_id having min(message_id in {these})"
    return column(db, f"select memory_id from evidence where {stated} order by memory_id", encoded([*messages]))


def stored(db: sqlite3.Connection, said: tuple[str, str, str | None], statuses: Sequence[str] = KEPT) -> list[Memory]:
    """The statement of this hash, class and project that is in use, or pending."""
    return where(db, f"(hash, class, ifnull(project, '')) = (?, ?, ifnull(?, '')) and {status_in(statuses)}", *said)


def brief_candidates(db: sqlite3.Connection, project: str | None) -> list[Memory]:
    """The first of every class for the user and for the project, and all that is pinned or constitutional."""
    # The plus keeps the planner on memory_always.
    always = f"project is ? and (pinned = 1 or tier = 'constitutional') and +{status_in(RECALLABLE)} limit 200"
    found: list[Memory] = []
    for scope in {None, project}:
        found += where(db, always, scope)
        for kind in Kind:
            order = "anchor_at" if kind in (Kind.EPISODIC, Kind.OBJECTIVE) else "strength"
            for status in RECALLABLE:
                of_kind = "project is ? and status = ? and class = ?"
                first = where(db, f"{of_kind} order by {order} desc limit {_FIRST}", scope, status, str(kind))
                found += first
                if len(first) == _FIRST:  # what is critical comes whatever its strength
                    found += where(db, f"{of_kind} and tier = 'critical' limit 32", scope, status, str(kind))
    return [one for one in {one.id: one for one in found}.values() if one.tier is not Tier.DEPRECATED]


def has_exchanges(db: sqlite3.Connection, project: str | None) -> bool:
    """Whether anything that was said in a project's conversations can be found again."""
    return bool(value(db, "select 1 from episode where project is ? limit 1", project))


def contradicted(db: sqlite3.Connection, known: Mapping[str, Memory]) -> dict[str, Memory]:
    """By id, `known` statements of a person that a later one of theirs contradicts, with the latest such; none pinned."""

    def said(memory: Memory) -> tuple[float, float, str]:
        return memory.anchor_at, memory.created_at, memory.id

    against: dict[str, Memory] = {}
    for ends in db.execute("select source, target from link where type = ?", (LinkType.CONTRADICTS.value,)):
        pair = sorted((known[end] for end in ends if end in known and known[end].origin in records.HUMAN), key=said)
        if len(pair) == len(ends) and not pair[0].pinned and pair[0].tier is not Tier.CONSTITUTIONAL:
            older, newer = pair
            against[older.id] = max(newer, against.get(older.id, newer), key=said)
    return against


def index(db: sqlite3.Connection, seq: int, words: Indexed | None, table: str = "memory") -> None:
    """Replaces the index words of a row; None removes them, before the row is deleted."""
    there = f"from {table}_search where seq = ?"  # an external-content index must be told the words that were there
    db.execute(f"insert into {table}_fts ({table}_fts, rowid, {_INDEX}) select 'delete', seq, {_INDEX} {there}", (seq,))
    db.execute(f"delete {there}", (seq,))
    if words:
        insert(db, f"{table}_search", f"seq, {_INDEX}", [(seq, *words)])
        db.execute(f"insert into {table}_fts (rowid, {_INDEX}) values (?,?,?,?,?)", (seq, *words))


def rebuild_index(db: sqlite3.Connection) -> None:
    """Indexes every memory and exchange anew, after the tokeniser has changed or the index is damaged."""
    db.execute("reindex")  # what SQLite keeps of its own may be what is damaged
    memories = db.execute(f"select {SELECT}, memory.seq from memory").fetchall()
    entries = {"memory": [(line[-1], *index_words(memory(line))) for line in memories]}
    if value(db, "select 1 from sqlite_master where name = 'episode'"):  # a copy may be of an older schema
        entries["episode"] = [(seq, *words) for seq, words in exchange_words(db, "true")]
    for table, words in entries.items():
        db.execute(f"delete from {table}_search")
        insert(db, f"{table}_search", f"seq, {_INDEX}", words)
        db.execute(f"insert into {table}_fts ({table}_fts) values ('rebuild')")


def index_words(memory: Memory) -> Indexed:
    """The words by which a memory is found."""
    names = " ".join([*memory.names, *memory.tags])
    return search_terms(memory.text), search_terms(names), date_words(memory.created_at), search_terms(memory.context)


def exchange_words(db: sqlite3.Connection, condition: str, *values: object) -> Iterator[tuple[int, Indexed]]:
    """Index words of the exchanges that meet a condition, by number; context is the start and end of the exchange before."""
    earlier = "episode as other where other.session = episode.session and other.seq < episode.seq order by other.seq desc limit 1"
    before = f"select substr(typed, 1, ?1) || ' ' || substr(answer, -?1) from {earlier}"
    asked = f"select seq, typed || char(10) || answer, files, failed, at, ({before}) from episode where {condition}"
    for seq, text, files, failed, at, context in db.execute(asked, (records.CONTEXT_CHARS, *values)).fetchall():
        names = " ".join((*from_json(files), *from_json(failed)))
        yield seq, (search_terms(text), search_terms(names), date_words(at), search_terms(context or ""))
