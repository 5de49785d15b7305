"""What is known of conversations and projects: how far each was read, what tools did, when work was done, memories' sources."""

from __future__ import annotations

from _collections_abc import Iterable, Mapping, Sequence

from psychmem_py.errors import NotFoundError
from psychmem_py.home.light_json import encoded
from psychmem_py.model.light_record import KEPT, NamedTuple
from psychmem_py.model.records import Kind, Memory, ToolUse
from psychmem_py.model.tools import WRITING_TOOLS
from psychmem_py.store import read_only, rows
from psychmem_py.store.sqlite import among, column, from_json, insert, meta, set_meta, sqlite3, value
from psychmem_py.text.dates import DAY_S

TRIES = 20  # of a stretch of conversation that keeps being killed; of one that fails by itself two
AT_ONCE_S = 10.0  # kills that follow each other so fast are the machine's doing, a shutdown say, and count as one
CLIENT_NOTE = "client-note"


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
    seen_at: float


_SESSION = ", ".join(f"session.{name}" for name in Session._fields)


def session(db: sqlite3.Connection, key: str) -> Session | None:
    """The conversation with this id, if it was ever seen."""
    return Session(*row) if (row := db.execute(f"select {_SESSION} from session where id = ?", (key,)).fetchone()) else None


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
    noted = ((key, one, channel, now, generation) for one in ids)
    insert(db, "shown", "session, memory_id, place, at, generation", noted, "update set at = excluded.at")


def record_shown(db: sqlite3.Connection, shown: Sequence[tuple[str, str, float, int, str]], *, agent: str) -> None:
    """Files in the ledger what hooks have shown without writing the database: memory, place, when, generation, to whom."""
    for memory, channel, at, generation, to in shown:
        begin(db, to, agent=agent, project=None, now=at)
        mark_shown(db, to, [memory], channel, at, generation)


def advance(
    db: sqlite3.Connection, key: str, watermark: int, *, now: float, head: str | None = None, last_message: str | None = None
) -> None:
    """Moves the watermark, in the transaction that stores what was read. A failed span that lies before it is settled."""
    read = "watermark = ?1, stops = stops + 1, seen_at = max(seen_at, ?2), head = ifnull(?3, head)"
    settled = "failed_from = iif(failed_to <= ?1, null, failed_from), failed_to = iif(failed_to <= ?1, null, failed_to)"
    moved = f"update session set {read}, last_message = ifnull(?4, last_message), {settled} where id = ?5"
    db.execute(moved, (watermark, now, head, last_message, key))


def record_failure(db: sqlite3.Connection, key: str, start: int, end: int, *, at_once: bool = False) -> bool:
    """Notes a span whose extraction begins and moves past it; False when it is given up. A try `at_once` after a kill is free."""
    before = value(db, "select failed_times from session where id = ? and failed_from = ?", key, start) or 0
    times = before if at_once and 0 < before < TRIES - 1 else before + 1
    span = (start, end) if times <= TRIES else (None, None)
    noted = "update session set failed_from = ?, failed_to = ?, failed_times = ?, watermark = max(watermark, ?) where id = ?"
    db.execute(noted, (*span, times, end, key))
    return times <= TRIES


def weigh_failure(db: sqlite3.Connection, key: str, *, excused: bool) -> None:
    """Does not count the last try if disk or lock was at fault; otherwise leaves one more before the span is given up."""
    times = "max(0, failed_times - 1)" if excused else f"max(failed_times, {TRIES - 1})"
    db.execute(f"update session set failed_times = {times} where id = ?", (key,))


def unseen(db: sqlite3.Connection, keys: Sequence[str], table: str = "seen_message", name: str = "key") -> set[str]:
    """Those of the keys, of messages unless another table is named, that were never extracted or filed."""
    return set(keys).difference(key for (key,) in among(db, f"select {name} from {table} where {name} in ({{keys}})", keys))


def note_seen(db: sqlite3.Connection, keys: Iterable[str], of: str, now: float, typed: Mapping[str, float] | None = None) -> None:
    """Notes message keys as extracted, those of what a person `typed`, and when, as still to be read by a reader of that time."""
    since = float(meta(db, "reading since") or 0)
    lines = ((one, of, now, (typed or {}).get(one, -1.0) >= since) for one in keys)
    insert(db, "seen_message", "key, session, at, unread", lines)


def begin_reading(db: sqlite3.Connection, now: float) -> None:
    """Leaves what was typed up to now to no reader, whenever it is taken up."""
    mark_read(db)
    set_meta(db, "reading since", repr(now // 1))  # a transcript may tell whole seconds


def unread(db: sqlite3.Connection, since: float) -> list[tuple[Session, frozenset[str]]]:
    """Conversations last seen since then of which something typed was not read yet, the oldest first, with its message keys."""
    typed = "group_concat(seen_message.key, char(10)) from seen_message join session on session.id = session where unread = 1"
    lately = "session.seen_at >= ? group by session.id order by session.seen_at, session.id"
    lines = db.execute(f"select {_SESSION}, {typed} and {lately}", (since,))
    return [(Session(*line[:-1]), frozenset(line[-1].split("\n"))) for line in lines]


def typed_last(db: sqlite3.Connection, key: str) -> str:
    """The key of what was typed last in a conversation; "" where several things were taken up at once, or all was read."""
    at_once = "select iif(count(*) = 1, min(key), '') from seen_message where session = ? and unread = 1"
    return value(db, f"{at_once} group by at order by at desc limit 1", key) or ""


def mark_read(db: sqlite3.Connection, keys: Iterable[str] | None = None) -> None:
    """Marks messages as read, also those that can no longer be read; all that were typed unless `keys` are named."""
    those = "key in (select value from json_each(?1))"
    named = None if keys is None else encoded([*keys])
    db.execute(f"update seen_message set unread = 0 where unread = 1 and (?1 is null or {those})", (named,))


def seen_in(db: sqlite3.Connection, key: str) -> set[str]:
    """The message keys that were extracted from this conversation."""
    return set(column(db, "select key from seen_message where session = ?", key))


def forget_seen(db: sqlite3.Connection, keys: Iterable[str]) -> None:
    """Forgets that these messages were extracted: their conversation no longer holds them."""
    db.executemany("delete from seen_message where key = ?", ((name,) for name in keys))


def add_events(db: sqlite3.Connection, key: str, uses: Iterable[ToolUse]) -> None:
    """Files drained tool uses; one already there is left alone."""
    columns = "session, id, tool, at, ok, paths, command, error_class, error_line"
    insert(db, "event", columns, ((key, *use[:4], encoded(use.paths), *use[5:]) for use in uses))


def expire(db: sqlite3.Connection, now: float) -> dict[str, int]:
    """Removes rows that were kept for long enough: how many of each kind."""
    # What is kept for so many days: what it is called, where it stands, and which rows are meant.
    kept_d = (
        ("rejected", "candidate", "seq", "gate is not null and gate != 'answered' and at < ?", 7.0),  # for `explain`
        ("waiting", "candidate", "seq", "(gate is null or gate = 'answered') and at < ?", 60.0),  # for a second mention
        ("events", "event", "id", "at < ?", 30.0),
        ("touched", "touched", "seq", "at < ?", 180.0),  # files changed behind what was said
        ("failed calls", "failed_call", "seq", "at < ?", 180.0),
        ("shown", "shown", "session", "true group by session having max(at) < ?", 60.0),
        ("seen", "seen_message", "key", "at < ?", 365.0),  # keys of messages that were read
    )
    old = "delete from {0} where {1} in (select {1} from {0} where {2})".format
    return {name: db.execute(old(*of), (now - days * DAY_S,)).rowcount for name, *of, days in kept_d}


class Conversation(NamedTuple):
    """One conversation and what is in the store because of it."""

    id: str
    agent: str
    project: str | None
    started_at: float
    seen_at: float
    kept: int  # memories first stated in it
    shown: int  # memories it was shown


def conversations(db: sqlite3.Connection, *, project: str | None, all_projects: bool, limit: int) -> list[Conversation]:
    """The conversations of a project or of all, the latest first."""
    kept = "select count(*) from memory where memory.session = session.id"
    shown = f"select count(distinct memory_id) from shown where {read_only.OF_CONVERSATION.format('session.id')}"
    these = "(? or project is ?) and instr(id, '#') = 0 and instr(id, '/') = 0 order by seen_at desc, id limit ?"
    asked = f"select id, agent, project, started_at, seen_at, ({kept}), ({shown}) from session where {these}"
    return [Conversation(*line) for line in db.execute(asked, (all_projects, project, limit))]


def conversation_id(db: sqlite3.Connection, beginning: str) -> str:
    """The id of the one conversation that begins so; "" where none does, or several do."""
    fits = "substr(id, 1, length(?)) = ? and instr(id, '#') = 0 and instr(id, '/') = 0"
    found = column(db, f"select id from session where {fits} limit 2", beginning, beginning)
    return found[0] if len(found) == 1 else ""


def left_by(db: sqlite3.Connection, session: str) -> list[Memory]:
    """What was first stated in a conversation, as it is now, in the order in which it was said."""
    return rows.where(db, "session = ? order by created_at, seq", session)


def files_changed(db: sqlite3.Connection, *, session: str = "", project: str = "", after: float = 0, most: int = -1) -> list[str]:
    """The files that tools changed in a conversation, or in those of a project, the last first, each once."""
    which = "event.session = ?1" if session else "event.session in (select id from session where project = ?2)"
    changes = f"event.ok and lower(event.tool) in {tuple(sorted(WRITING_TOOLS))}"
    of_file = f"from event, json_each(event.paths) where {which} and event.at >= ?3 and {changes} group by value"
    latest = f"select value {of_file} order by max(event.at) desc, min(event.rowid), min(key) limit ?4"
    return column(db, latest, session, project, after, most)


def lately_said(db: sqlite3.Connection, project: str, *, after: float) -> list[str]:
    """What was stated in the project's latest conversation, kept or not."""
    latest = "select id, started_at from session where project = ? and seen_at >= ? order by seen_at desc limit 1"
    # By class and time, because no index knows a memory's conversation.
    kept = "select text from memory where project = ? and status = 'active' and class in {} and anchor_at >= ? and session = ?"
    for session, began in db.execute(latest, (project, after)).fetchall():
        said = column(db, kept.format(tuple(map(str, Kind))), project, began - DAY_S, session)
        return [*said, *column(db, "select text from candidate where at >= ? and session = ? limit 100", began, session)][:100]
    return []


def shown_to(db: sqlite3.Connection, *, project: str | None, all_projects: bool) -> list[tuple[str, str, str, float]]:
    """Place, conversation, memory and time of everything that conversations of a project, or all, were shown."""
    to_these = f"shown left join session on session.id = {read_only.CONVERSATION} where (? or session.project is ?)"
    asked = f"select shown.place, {read_only.CONVERSATION}, memory_id, shown.at from {to_these}"
    return db.execute(asked, (all_projects, project)).fetchall()


def wordings(db: sqlite3.Connection) -> dict[str, tuple[float, str, tuple[str, ...]]]:
    """When each memory in use got its wording or was last changed, the wording, and what it names, by id."""
    used = "select id, updated_at, text, names from memory where status in ('active', 'promoted') order by updated_at desc, id"
    return {key: (at, text, tuple(from_json(names))) for key, at, text, names in db.execute(used)}


def by_client(db: sqlite3.Connection, project: str) -> list[Memory]:
    """A project's memories, in use or quarantine, with a client's note as only evidence, from conversations on this machine."""
    stands = f"project = ? and {rows.status_in(KEPT)} and origin = 'assistant' and pinned = 0"
    noted = "exists (select 1 from json_each(memory.tags) where value = ?)"
    told_here = "exists (select 1 from session where session.id = memory.session)"
    alone = "not exists (select 1 from evidence where memory_id = memory.id and method not in ('tool', 'echo'))"
    return rows.where(db, f"{stands} and {noted} and {told_here} and {alone} order by memory.seq", project, CLIENT_NOTE)


def right_at_calls(db: sqlite3.Connection, project: str) -> dict[str, int]:
    """By id how many reminders at calls or files were right: said again, used or praised later. None for what was voted down."""
    right = db.execute(
        "select evidence.memory_id, count(distinct iif(evidence.session = '', evidence.seq, evidence.session)) from shown"
        " join memory on memory.id = shown.memory_id and memory.project = ?"
        " join evidence on evidence.memory_id = shown.memory_id and evidence.at > shown.at and (evidence.session = ''"
        f" and evidence.method in ('vote', 'touch') or evidence.session <> '' and ({read_only.OF_CONVERSATION.format('evidence.session')}))"
        " where shown.place in ('act', 'read') and (evidence.method in ('vote', 'touch', 'echo')"
        " or evidence.origin in ('user_prompt', 'user_cli')) group by evidence.memory_id having not exists (select 1 from evidence as bad"
        " where bad.memory_id = evidence.memory_id and bad.method = 'vote' and bad.signals like '%bad%')",
        (project,),
    )
    return dict(right.fetchall())


class ProjectSeen(NamedTuple):
    """A project as it was last seen."""

    id: str
    name: str
    root: str
    seen_at: float


def note_project(db: sqlite3.Connection, key: str, name: str, root: str, now: float) -> None:
    """Notes that a project was worked in, under the name that a person gave it if they did."""
    named = "ifnull((select value from meta where key = 'name of ' || excluded.id), excluded.name)"
    clash = f"update set name = {named}, root = excluded.root, seen_at = excluded.seen_at"
    insert(db, "project", "id, name, root, seen_at", [(key, name, root, now)], clash)


def note_worked(db: sqlite3.Connection, project: str, moments: Iterable[float]) -> None:
    """Notes the UTC days of these moments as days on which the project was worked in."""
    insert(db, "workday", "project, day", sorted({(project, int(at // DAY_S)) for at in moments}))


def worked(db: sqlite3.Connection, project: str) -> list[int]:
    """A moment of each day on which the project was worked in."""
    return column(db, f"select day * {DAY_S:.0f} from workday where project = ? order by day", project)


def projects(db: sqlite3.Connection) -> dict[str, ProjectSeen]:
    """Every project ever worked in, by id, the last worked in first."""
    lines = db.execute("select id, name, root, seen_at from project order by seen_at desc, id")
    return {line[0]: ProjectSeen(*line) for line in lines}


def former(db: sqlite3.Connection, key: str, root: str, *, alone: bool = False) -> list[tuple[str, int]]:
    """Ids of a directory's project under another remote, or none, with how many memories each has; `alone`: if this has none."""
    named = "'id:' in (substr(project.id, 1, 3), substr(?1, 1, 3))"  # of which one repository can hold several
    others = f"project join memory on memory.project = project.id where root = ?2 and project.id != ?1 and not {named}"
    here = f"and not exists (select 1 from memory where project = ?1 and status in {KEPT})" if alone else ""
    query = f"select project.id, count(*) from {others} and status in {KEPT} {here} group by 1"
    return db.execute(query, (key, root)).fetchall()


def project_named(seen: Mapping[str, ProjectSeen], name: str) -> ProjectSeen:
    """The project with this id, name or directory. Raises NotFoundError for none, and for several of one name."""
    fits = [one for one in seen.values() if name in (one.id, one.root)] or [one for one in seen.values() if one.name == name]
    if not fits:
        raise NotFoundError(f"no project is called {name!r}; `psychmem list --projects` names them")
    if len(fits) > 1:
        raise NotFoundError(f"several projects are called {name!r}: {', '.join(one.id for one in fits)}; give the id")
    return fits[0]


def project_names(db: sqlite3.Connection) -> dict[str, str]:
    """The names of all projects by id."""
    return dict(db.execute("select id, name from project"))
