"""Reads the SQLite files of other memory programs, read only: PsychMem for OpenCode, true-mem, claude-mem, mem0.

Each is known by its tables and asked for the columns it has: they differ from version to version.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing

from psychmem_py.errors import PsychMemError
from psychmem_py.home.places import sqlite_address
from psychmem_py.sources import ImportLine, made, texts
from psychmem_py.sources.json_exports import observation, parsed, summary

_WAIT_S = 5.0
_MOST_S = 30.0  # for all of a file: what its tables and views do is its maker's program
_STEPS = 10_000  # of SQLite's machine between two looks at the clock
_MOST_BYTES = 8 << 20  # of one value
_MOST_CHARS = 8_000  # of a text that is kept; one memory has at most half of that
_MOST_EVENTS = 20  # of one memory's sources that are looked at


def program_of(path: str) -> str:
    """Whose database this is; "" for nobody's we know."""
    with closing(_opened(path)) as db:
        tables = _names(db)
        if {"memory_units", "sessions"} <= tables:
            return "true-mem" if "embedding" in _columns(db, "memory_units") else "psychmem-opencode"
        if {"observations", "sdk_sessions"} <= tables:
            return "claude-mem"
        return "mem0" if "history" in tables and "memory_id" in _columns(db, "history") else ""


def lines(path: str, program: str, *, believed: bool = False) -> Iterator[ImportLine]:
    """What a program's database remembers, oldest first; `believed` takes its word on what a person typed. Raises PsychMemError where
    its tables are not as we know them, or take too long.
    """
    readers: dict[str, Callable[[sqlite3.Connection], Iterator[ImportLine]]] = {
        "claude-mem": _claude_mem,
        "mem0": _mem0,
        "true-mem": _units,
        "psychmem-opencode": _units,
    }
    try:
        with closing(_opened(path)) as db:
            db.row_factory = sqlite3.Row
            for line in readers[program](db):
                yield line if believed else line._replace(by_person=False)
    except sqlite3.Error as exc:
        why = f"it takes more than {_MOST_S:.0f} s" if "interrupted" in str(exc) else exc
        raise PsychMemError(f"{path} cannot be read as a database of {program}: {why}; export from {program} instead") from exc


def _opened(path: str) -> sqlite3.Connection:
    try:
        db = sqlite3.connect(sqlite_address(path), uri=True, timeout=_WAIT_S)
        db.execute("select name from sqlite_master limit 1").fetchone()
    except sqlite3.Error:  # in a folder where its side files cannot be made
        try:
            db = sqlite3.connect(f"{sqlite_address(path)}&immutable=1", uri=True, timeout=_WAIT_S)
            db.execute("select name from sqlite_master limit 1").fetchone()
        except sqlite3.Error as exc:
            raise PsychMemError(f"{path} cannot be read: {exc}; is it whole, and may you read it?") from exc
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_BYTES)
    end = time.monotonic() + _MOST_S
    db.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
    db.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return db


def _names(db: sqlite3.Connection) -> set[str]:
    return {name for (name,) in db.execute("select name from sqlite_master where type = 'table'")}


def _columns(db: sqlite3.Connection, table: str) -> set[str]:
    return {str(row[1]) for row in db.execute(f"pragma table_info({table})")}


_TOO_LARGE = ImportLine({})  # a fault of its line


def _each(db: sqlite3.Connection, columns: str, table: str, which: str) -> Iterator[sqlite3.Row | None]:
    """The rows of a table one by one; None for one that holds a value too large to be a statement's."""
    for (key,) in db.execute(f"select rowid from {table} {which}").fetchall():
        try:
            yield db.execute(f"select {columns} from {table} where rowid = ?", (key,)).fetchone()
        except sqlite3.DataError:
            yield None


def _units(db: sqlite3.Connection) -> Iterator[ImportLine]:
    """PsychMem's for OpenCode, and true-mem's, which has its tables: what is active, with the folder of its project."""
    scope_column = "project_scope" if "project_scope" in _columns(db, "memory_units") else "null"
    columns = f"summary, classification, {scope_column} as project, tags, created_at, source_event_ids"
    for row in _each(db, columns, "memory_units", "where status = 'active' order by created_at, id"):
        if row is None:
            yield _TOO_LARGE
            continue
        text = _text(row["summary"])
        yield made(
            text,
            _typed(db, text, _text(row["source_event_ids"])),
            kind=row["classification"],
            scope="project" if row["project"] else "user",
            project=row["project"],
            tags=texts(parsed(_text(row["tags"]))),
            created_at=row["created_at"],
        )


def _typed(db: sqlite3.Connection, text: str, sources: str) -> bool:
    """Whether a person typed it: it stands in a prompt among its sources."""
    ids = texts(parsed(sources), _MOST_EVENTS)
    if not text.strip() or not ids:
        return False
    events = db.execute(
        f"select content from events where hook_type = 'UserPromptSubmit' and id in ({','.join('?' * len(ids))})", ids
    )
    return any(_squeezed(text) in _squeezed(str(row["content"])) for row in events)


def _squeezed(text: str) -> str:
    return " ".join(text.lower().split())


def _claude_mem(db: sqlite3.Connection) -> Iterator[ImportLine]:
    """Its observations, what its summaries say was learned, and the rules that a person gave it."""
    tables = _names(db)
    for table, reader in (("observations", observation), ("session_summaries", summary)):
        if table in tables:
            for row in _each(db, "*", table, "order by created_at_epoch, id"):
                yield from reader(dict(row)) if row else [_TOO_LARGE]
    if "directives" in tables:
        columns = "content, project, scope, source, created_at"
        for row in _each(db, columns, "directives", "where status = 'active' order by id"):
            if row is None:
                yield _TOO_LARGE
                continue
            project = row["project"] if row["scope"] != "global" else ""
            yield made(
                _text(row["content"]),
                row["source"] == "manual",
                kind="constraint",
                scope="project" if project else "user",
                project=project,
                created_at=row["created_at"],
            )


def _mem0(db: sqlite3.Connection) -> Iterator[ImportLine]:
    """The last wording of each memory in its history that was not deleted."""
    new = "new_memory" if "new_memory" in _columns(db, "history") else "new_value"
    at = "created_at" if "created_at" in _columns(db, "history") else "timestamp"
    last: dict[str, ImportLine | None] = {}
    columns = f"memory_id, {new} as text, event, {at} as at"
    for row in _each(db, columns, "history", f"order by {at}, rowid"):
        if row is None:
            yield _TOO_LARGE
            continue
        gone = _text(row["event"]).upper() == "DELETE" or not _text(row["text"]).strip()
        last[row["memory_id"]] = None if gone else made(_text(row["text"]), created_at=row["at"])
    yield from filter(None, last.values())


def _text(value: object) -> str:
    """What a column holds, "" for what is no text: SQLite keeps anything anywhere."""
    return value[:_MOST_CHARS] if isinstance(value, str) else ""
