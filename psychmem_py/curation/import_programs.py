"""Reads what other memory programs keep: the SQLite files of PsychMem for OpenCode, true-mem, claude-mem and mem0, read only; and the JSON that
mem0 (its API's answers, what OpenMemory's backup holds) and claude-mem hand out.

A database is known by its tables and asked for the columns it has: they differ from version to version.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from psychmem_py.curation.import_fields import CONTEXT_CHARS, MOST_BYTES, ImportLine, class_of, first_text, made, texts_in
from psychmem_py.errors import PsychMemError
from psychmem_py.home.places import sqlite_address
from psychmem_py.text.tokenizer import clip

_WAIT_S = 5.0
_MOST_S = 30.0  # for all of a file: what its tables and views do is its maker's program
_STEPS = 10_000  # of SQLite's machine between two looks at the clock
_MOST_BYTES = 8 << 20  # of one value
_MOST_CHARS = 8_000  # of a text that is kept; one memory has at most half of that
_MOST_EVENTS = 20  # of one memory's sources that are looked at


def program_of_database(path: str) -> str:
    """Whose database this is; "" for nobody's we know."""
    with closing(_opened(path)) as db:
        tables = _names(db)
        if {"memory_units", "sessions"} <= tables:
            return "true-mem" if "embedding" in _columns(db, "memory_units") else "psychmem-opencode"
        if {"observations", "sdk_sessions"} <= tables:
            return "claude-mem"
        return "mem0" if "history" in tables and "memory_id" in _columns(db, "history") else ""


def lines_of_database(path: str, program: str, *, believed: bool = False) -> Iterator[ImportLine]:
    """What a program's database remembers, oldest first; `believed` takes its word on what a person typed. Raises PsychMemError where
    its tables are not as we know them, or take too long.
    """
    readers: dict[str, Callable[[sqlite3.Connection], Iterator[ImportLine]]] = {
        "claude-mem": _claude_mem,
        "mem0": _mem0_history,
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
            tags=texts_in(parsed(_text(row["tags"]))),
            created_at=row["created_at"],
        )


def _typed(db: sqlite3.Connection, text: str, sources: str) -> bool:
    """Whether a person typed it: it stands in a prompt among its sources."""
    ids = texts_in(parsed(sources), _MOST_EVENTS)
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


def _mem0_history(db: sqlite3.Connection) -> Iterator[ImportLine]:
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


_LISTS = ("results", "memories", "data", "items")  # under which a memory program's answer holds its memories
_GONE = frozenset({"deleted", "archived", "paused"})
_TEXT_CHARS = 600
# What claude-mem calls what it saw, by the class it is nearest to; the rest merely happened.
_OBSERVED = {"decision": "decision", "bugfix": "bugfix", "discovery": "learning"}


def content_of(path: Path) -> str:
    """The text of a JSON file. Raises PsychMemError for too much, and for none."""
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
    except OSError as exc:
        raise PsychMemError(f"{path} cannot be read: {exc.strerror}; export it once more") from exc
    if len(raw) > MOST_BYTES:
        raise PsychMemError(f"{path} holds more than {MOST_BYTES >> 20} MB; split it")
    return raw.decode("utf-8-sig", "replace")


def program_of_json(text: str) -> str:
    """Whose JSON this is by the fields it has; "" for nobody's we know."""
    content = parsed(text)
    if isinstance(content, dict) and isinstance(content.get("observations"), list):
        return "claude-mem"
    first = next(iter(_records(content)), None) if content is not None else _first_line(text)
    if isinstance(first, dict) and not first_text(first, "text") and first_text(first, "memory", "content", "data"):
        return "mem0"
    return ""


def lines_of_json(text: str, program: str) -> Iterator[ImportLine]:
    """What a program's export holds. Raises PsychMemError for text that is no JSON."""
    content = parsed(text)
    if program == "claude-mem":
        for row in _objects(content, "observations"):
            yield from observation(row)
        for row in _objects(content, "summaries"):
            yield from summary(row)
        return
    rows = _records(content) if content is not None else [parsed(line) for line in text.splitlines() if line.strip()]
    for given in rows:
        if not isinstance(given, dict):
            yield ImportLine({})  # a fault of its line
        elif first_text(given, "state").lower() not in _GONE:
            yield _mem0(given)


def observation(row: dict[str, Any]) -> Iterator[ImportLine]:
    """What claude-mem noted: its title with the sentence below it."""
    title, below = first_text(row, "title"), first_text(row, "subtitle")
    facts = texts_in(_list(row.get("facts")))
    text = ". ".join(part.rstrip(".") for part in (title, below) if part) or (
        facts[0] if facts else first_text(row, "text", "narrative")
    )
    if not text:
        return
    yield made(
        clip(text, _TEXT_CHARS),
        kind=_OBSERVED.get(first_text(row, "type"), "episodic"),
        scope="project",
        project=first_text(row, "merged_into_project", "project"),
        names=texts_in(_list(row.get("files_modified"))),
        tags=texts_in(_list(row.get("concepts"))),
        context=clip(" ".join(facts) or first_text(row, "narrative"), CONTEXT_CHARS),
        created_at=_time(row),
    )


def summary(row: dict[str, Any]) -> Iterator[ImportLine]:
    """What claude-mem says that a conversation taught; the rest of its summary was true that day."""
    learned = first_text(row, "learned")
    if learned:
        yield made(
            clip(" ".join(learned.split()), _TEXT_CHARS),
            kind="learning",
            scope="project",
            project=first_text(row, "merged_into_project", "project"),
            context=clip(first_text(row, "request"), CONTEXT_CHARS),
            created_at=_time(row),
        )


def _mem0(given: dict[str, Any]) -> ImportLine:
    about = given["metadata"] if isinstance(given.get("metadata"), dict) else {}
    project = first_text(about, "project", "repository", "cwd")
    return made(
        first_text(given, "memory", "content", "text", "data"),
        kind=class_of(first_text(about, "type", "category", "class")),
        scope="project" if project else "",
        project=project,
        tags=texts_in(given.get("categories")),
        created_at=first_text(given, "created_at"),
    )


def _time(row: dict[str, Any]) -> object:
    """The moment as text; of milliseconds since 1970 where nothing else is said."""
    at = row.get("created_at_epoch")
    return first_text(row, "created_at") or (at / 1000 if isinstance(at, (int, float)) else "")


def _list(value: object) -> object:
    """A list, also one that stands as JSON in a text."""
    return parsed(value) if isinstance(value, str) else value


def _records(content: object) -> Iterable[object]:
    if isinstance(content, list):
        return content
    if isinstance(content, dict):
        return next((value for name in _LISTS if isinstance(value := content.get(name), list)), [content])
    return []


def _objects(content: object, name: str) -> list[dict[str, Any]]:
    value = content.get(name) if isinstance(content, dict) else None
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _first_line(text: str) -> object:
    return parsed(next((line for line in text.splitlines() if line.strip()), ""))


def parsed(text: str) -> object:
    """What JSON holds; None for text that is none, or nested too deep."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
