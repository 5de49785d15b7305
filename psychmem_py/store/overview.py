"""What is asked of the store about projects, conversations, links, and how each memory first came in: by a brief, and by a page about
everything.
"""

from __future__ import annotations

from _collections_abc import Iterable, Mapping

from psychmem_py.errors import NotFoundError
from psychmem_py.model.light_record import KEPT, LIVE, NamedTuple
from psychmem_py.model.records import Kind, Memory
from psychmem_py.store import rows
from psychmem_py.store.read_only import OF_CONVERSATION
from psychmem_py.store.sqlite import column, from_json, insert, sqlite3
from psychmem_py.text.dates import DAY_S


class Conversation(NamedTuple):
    """One conversation and what is in the store because of it."""

    id: str
    agent: str
    project: str | None
    started_at: float
    seen_at: float
    kept: int  # memories first stated in it
    shown: int  # memories it was shown


def conversations(
    db: sqlite3.Connection, *, project: str | None = None, all_projects: bool = True, limit: int = -1
) -> list[Conversation]:
    """The conversations of a project or of all, the latest first."""
    lines = db.execute(
        "select id, agent, project, started_at, seen_at, (select count(*) from memory where memory.session = session.id),"
        f" (select count(distinct memory_id) from shown where {OF_CONVERSATION.format('session.id')}) from session"
        " where (? or project is ?) and instr(id, '#') = 0 and instr(id, '/') = 0 order by seen_at desc, id limit ?",
        (all_projects, project, limit),
    )
    return [Conversation(*line) for line in lines]


def left_by(db: sqlite3.Connection, session: str) -> list[Memory]:
    """What was first stated in a conversation, as it is now, in the order in which it was said."""
    return rows.where(db, "session = ? order by created_at, seq", session)


_CHANGES = "event.ok and lower(event.tool) in ('edit', 'write', 'multiedit', 'notebookedit')"


def last_with_changes(db: sqlite3.Connection, project: str, *, after: float, but: str) -> tuple[str, float] | None:
    """A project's last conversation in which tools changed files, and when it went on last; `but` is not looked at."""
    changed = f"exists (select 1 from event where event.session = session.id and {_CHANGES})"
    last = "select id, seen_at from session where project = ? and seen_at >= ? and id <> ?"
    row = db.execute(f"{last} and {changed} order by seen_at desc, id limit 1", (project, after, but)).fetchone()
    return (row[0], row[1]) if row else None


def files_changed(
    db: sqlite3.Connection, *, session: str | None = None, project: str | None = None, after: float = 0.0, limit: int = -1
) -> list[str]:
    """The files that tools changed in a conversation, or in those of a project, the last first, each once."""
    which = "event.session = ?1" if session else "event.session in (select id from session where project = ?2)"
    of_file = f"from event, json_each(event.paths) where {which} and event.at >= ?3 and {_CHANGES} group by value"
    return column(
        db,
        f"select value {of_file} order by max(event.at) desc, min(event.rowid), min(key) limit ?4",
        session,
        project,
        after,
        limit,
    )


def lately_said(db: sqlite3.Connection, project: str, *, after: float) -> list[str]:
    """What was stated in the project's latest conversation, kept or not."""
    latest = "select id, started_at from session where project = ? and seen_at >= ? order by seen_at desc limit 1"
    # By class and time, because no index knows a memory's conversation.
    kept = "select text from memory where project = ? and status = 'active' and class in {} and anchor_at >= ? and session = ?"
    for session, began in db.execute(latest, (project, after)).fetchall():
        said = column(db, kept.format(tuple(map(str, Kind))), project, began - DAY_S, session)
        return [*said, *column(db, "select text from candidate where at >= ? and session = ? limit 100", began, session)][:100]
    return []


def shown_to(
    db: sqlite3.Connection, *, project: str | None = None, all_projects: bool = True
) -> list[tuple[str, str, str, float]]:
    """Place, conversation, memory and time of everything that conversations of a project, or all, were shown."""
    return db.execute(
        "select shown.place, shown.session, memory_id, shown.at from shown left join session on session.id = shown.session"
        " where (? or session.project is ?)",
        (all_projects, project),
    ).fetchall()


def first_ways(db: sqlite3.Connection) -> dict[str, str]:
    """How each memory came in: the method of its first evidence ("sweep", "cli", "agent_quote", "tool", "import"), by id."""
    return dict(
        db.execute("select memory_id, method from evidence where seq in (select min(seq) from evidence group by memory_id)")
    )


def wordings(db: sqlite3.Connection) -> dict[str, tuple[float, str, tuple[str, ...]]]:
    """When each memory in use got its wording or was last changed, the wording, and what it names, by id."""
    lines = db.execute(
        "select id, updated_at, text, names from memory where status in ('active', 'promoted') order by updated_at desc, id"
    )
    return {key: (at, text, tuple(from_json(names))) for key, at, text, names in lines}


CLIENT_NOTE = "client-note"


def by_client(db: sqlite3.Connection, project: str) -> list[Memory]:
    """Those of a project, in use or in quarantine, that nothing but a note speaks for, noted in a conversation on this machine."""
    return rows.where(
        db,
        f"project = ? and {rows.status_in(KEPT)} and origin = 'assistant' and pinned = 0"
        " and exists (select 1 from json_each(memory.tags) where value = ?)"
        " and exists (select 1 from session where session.id = memory.session)"
        " and not exists (select 1 from evidence where memory_id = memory.id and method not in ('tool', 'echo')) order by memory.seq",
        project,
        CLIENT_NOTE,
    )


def right_at_calls(db: sqlite3.Connection, project: str) -> dict[str, int]:
    """By id of a project's memories how many reminders at a tool call or file were right: in so many conversations it was said again, used
    or praised after it had been shown there; a person's own vote since counts as one. None for what was ever voted down.
    """
    rows = db.execute(
        "select evidence.memory_id, count(distinct iif(evidence.session = '', evidence.seq, evidence.session)) from shown"
        " join memory on memory.id = shown.memory_id and memory.project = ?"
        " join evidence on evidence.memory_id = shown.memory_id and evidence.at > shown.at and (evidence.session = ''"
        f" and evidence.method in ('vote', 'touch') or evidence.session <> '' and ({OF_CONVERSATION.format('evidence.session')}))"
        " where shown.place in ('act', 'read') and (evidence.method in ('vote', 'touch', 'echo')"
        " or evidence.origin in ('user_prompt', 'user_cli')) group by evidence.memory_id having not exists (select 1 from evidence as bad"
        " where bad.memory_id = evidence.memory_id and bad.method = 'vote' and bad.signals like '%bad%')",
        (project,),
    )
    return dict(rows.fetchall())


class ProjectSeen(NamedTuple):
    """A project as it was last seen."""

    id: str
    name: str
    root: str
    seen_at: float


def see_project(db: sqlite3.Connection, key: str, name: str, root: str, now: float) -> None:
    """Notes that a project was worked in, under the name that a person gave it if they did."""
    named = "ifnull((select value from meta where key = 'name of ' || excluded.id), excluded.name)"
    clash = f"update set name = {named}, root = excluded.root, seen_at = excluded.seen_at"
    insert(db, "project", "id, name, root, seen_at", [(key, name, root, now)], clash)


def see_worked(db: sqlite3.Connection, project: str, moments: Iterable[float]) -> None:
    """Notes the UTC days of these moments as days on which the project was worked in."""
    insert(db, "workday", "project, day", sorted({(project, int(at // DAY_S)) for at in moments}))


def projects(db: sqlite3.Connection) -> dict[str, ProjectSeen]:
    """Every project ever worked in, by id, the last worked in first."""
    lines = db.execute("select id, name, root, seen_at from project order by seen_at desc, id")
    return {line[0]: ProjectSeen(*line) for line in lines}


def project_named(seen: Mapping[str, ProjectSeen], name: str) -> ProjectSeen:
    """The project with this id, name or directory. Raises NotFoundError for none, and for several of one name."""
    fits = [one for one in seen.values() if name in (one.id, one.root)] or [one for one in seen.values() if one.name == name]
    if not fits:
        raise NotFoundError(f"no project is called {name!r}; `psychmem project list` names them")
    if len(fits) > 1:
        raise NotFoundError(f"several projects are called {name!r}: {', '.join(one.id for one in fits)}; give the id")
    return fits[0]


def project_names(db: sqlite3.Connection) -> dict[str, str]:
    """The names of all projects by id."""
    return dict(db.execute("select id, name from project"))


def with_counts(db: sqlite3.Connection) -> list[tuple[ProjectSeen, int]]:
    """Every project with how many memories of it are in use, the last worked in first."""
    counts = dict(db.execute(f"select project, count(*) from memory where {rows.status_in(LIVE)} group by project").fetchall())
    return [(one, counts.get(key, 0)) for key, one in projects(db).items()]
