"""A project's tool calls: files changed after a statement, commands that failed because they were called wrongly, refusals."""

from __future__ import annotations

from _collections_abc import Iterable

from psychmem_py.home.light_json import object_in
from psychmem_py.model.light_record import CALL_CLASSES, FILE_FIELD, FailingCall, NamedTuple
from psychmem_py.store.sqlite import among, column, from_json, insert, sqlite3, value

# Families of phrases that forbid or oblige (`patterns/*.toml`).
BINDING = ("never", "ban", "must", "should", "ensure", "always", "dont_want", "use_not")
_KINDS = {"markdown": "**/*.md", "test": "**/*test*", "tests": "**/*test*"}  # of files that a rule speaks of without a name


def note_changed(db: sqlite3.Connection, rows: Iterable[tuple[str, str, str, str, float]]) -> None:
    """Notes files as changed: message, path, project, session, when."""
    insert(db, "touched", "message, path, project, session, at", rows, "update set at = max(at, excluded.at)")


def rules_by_file(db: sqlite3.Connection, project: str) -> dict[str, list[str]]:
    """Rules to show when a file is read, by file or glob: binding ones that name it or were stated before it was edited."""
    binding = " or ".join("evidence.signals like ?" for _ in BINDING)
    rows = db.execute(
        "select distinct memory.id, memory.text, memory.metadata, touched.message, touched.path from memory"
        " join evidence on evidence.memory_id = memory.id"
        " left join touched on touched.message = evidence.message_id and touched.project = ?"
        " where (memory.project is null or memory.project = ?) and memory.status in ('active', 'promoted')"
        f" and memory.class in {CALL_CLASSES} and instr(memory.text, '?') + instr(memory.text, '？') + instr(memory.text, '؟') = 0"
        f" and (memory.store = 'ltm' or memory.pinned = 1 or {binding}) order by memory.seq",
        (project, project, *(f'%"{family}"%' for family in BINDING)),
    ).fetchall()
    by_message: dict[tuple[str, str], list[str]] = {}
    for key, text, metadata, message, path in rows:
        if path and path.isprintable():
            by_message.setdefault((key, message), []).append(path)
        fields = object_in(metadata.encode()) if FILE_FIELD in metadata else ()
        named = [name.removeprefix(FILE_FIELD) for name in fields if name.startswith(FILE_FIELD)]
        words = {word.strip(".,;:!()`\"'") for word in text.lower().split()}
        by_message[key, ""] = named or list({glob for word, glob in _KINDS.items() if word in words})
    by_path: dict[str, dict[str, None]] = {}
    for (key, _), paths in by_message.items():
        for path in paths if len(paths) <= 6 else ():  # changed after one thing said; of more it is no place
            by_path.setdefault(path, {})[key] = None
    return {path: list(keys) for path, keys in by_path.items()}


def sessions_changing(db: sqlite3.Connection, project: str, path: str, since: float) -> int:
    """In how many sessions tools changed a file after that moment."""
    counted = "select count(distinct session) from touched where project = ? and path = ? and at > ?"
    return int(value(db, counted, project, path, since))


def lately(db: sqlite3.Connection, project: str | None, most: int = 1000) -> list[tuple[str, str, str, list[str]]]:
    """The last calls made in a project (None: anywhere), the oldest first: session, tool, command, paths."""
    made = "event join session on session.id = event.session where ?1 is null or session.project = ?1"
    latest = f"select event.session, tool, command, paths from {made} order by event.at desc limit ?2"
    rows = db.execute(latest, (project, most))
    return [(session, tool, command, from_json(paths)) for session, tool, command, paths in rows][::-1]


def note_failed(db: sqlite3.Connection, project: str, session: str, rows: Iterable[tuple[str, float, str, str]]) -> None:
    """Notes calls that failed: form, when, fault, what worked in its place."""
    clash = "update set at = max(at, excluded.at), worked = case excluded.worked when '' then worked else excluded.worked end"
    insert(db, "failed_call", "project, session, form, at, fault, worked", ((project, session, *row) for row in rows), clash)


def failing(db: sqlite3.Connection, project: str, *, but: str = "") -> list[FailingCall]:
    """The forms of call that failed in a project's sessions other than `but`, the most often first."""
    alike = "failed_call as other where other.project = failed_call.project and other.form = failed_call.form and session != ?1"
    last = f"select worked from {alike} and worked != '' order by at desc limit 1"
    failed = "failed_call where project = ?2 and session != ?1 group by form order by count(*) desc, form"
    rows = db.execute(f"select form, count(*), max(fault), ({last}) from {failed}", (but, project))
    return [FailingCall(form, sessions, fault, worked or "") for form, sessions, fault, worked in rows]


def to_show(db: sqlite3.Connection, project: str) -> list[FailingCall]:
    """What a session is told at its start: three calls that failed in two sessions, lately too, and what works in their place."""
    sessions = "select id from session where project = ?1 order by seen_at desc limit 10"  # within which a failure is news
    lately = column(db, f"select form from failed_call where project = ?1 and session in ({sessions})", project)
    return [one for one in failing(db, project) if one.sessions > 1 and one.worked and one.form in lately][:3]


def clear_failed(db: sqlite3.Connection, project: str, forms: Iterable[str]) -> None:
    """Forgets forms of call that have worked since."""
    db.executemany("delete from failed_call where project = ? and form = ?", ((project, form) for form in forms))


class CallCount(NamedTuple):
    """How often calls of a key were made and refused in a project."""

    key: str
    ran: int
    refused: int
    sessions: int
    reason: str
    memory: str  # "" for none


def count(db: sqlite3.Connection, project: str, session: str, key: str, *, refused: bool, reason: str = "") -> None:
    """Counts one call."""
    row = (project, key, int(not refused), int(refused), int(refused), session if refused else "", reason)
    clash = (
        "update set ran = ran + excluded.ran, refused = refused + excluded.refused,"
        " sessions = sessions + (excluded.refused and session != excluded.session),"
        " session = case excluded.session when '' then session else excluded.session end,"
        " reason = case excluded.reason when '' then reason else excluded.reason end"
    )
    insert(db, "call_count", "project, key, ran, refused, sessions, session, reason", [row], clash)


def refused(db: sqlite3.Connection, project: str, keys: Iterable[str]) -> list[CallCount]:
    """Of these keys those that were ever refused."""
    query = f"select {', '.join(CallCount._fields)} from call_count where key in ({{keys}}) and refused > 0 and project = ?"
    return [CallCount(*row) for row in among(db, query, list(keys), project)]


def made(db: sqlite3.Connection, project: str, key: str, memory: str) -> None:
    """Stores which rule was made of these refusals."""
    db.execute("update call_count set memory = ? where project = ? and key = ?", (memory, project, key))
