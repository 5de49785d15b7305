"""Reads what other memory programs keep: the SQLite files of PsychMem for OpenCode, true-mem, claude-mem and mem0, read only; and the JSON that
mem0 (its API's answers, what OpenMemory's backup holds) and claude-mem hand out.

A database is known by its tables and asked for the columns it has: they differ from version to version. Everything in here is hostile text: it
is only taken apart; `imports` cleans it and decides what it may become.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from psychmem_py.errors import PsychMemError, RefusedError
from psychmem_py.home.places import sqlite_address
from psychmem_py.model.classes import kind_of
from psychmem_py.text.tokenizer import clip

CONTEXT_CHARS = 300
_WAIT_S = 5.0
_MOST_S = 30.0  # for all of a file: what its tables and views do is its maker's program
_STEPS = 10_000  # of SQLite's machine between two looks at the clock
_MOST_BYTES = 8 << 20  # of one value
_FILE_BYTES = 64 << 20  # of a file that has to be read as a whole
_MOST_CHARS = 8_000  # of a text that is kept; one memory has at most half of that
_MOST_TEXTS = 20  # of a list, and of one memory's sources that are looked at


class ImportLine(NamedTuple):
    """What a JSON line of `psychmem import` holds, and what no such line may say of itself."""

    given: dict[str, Any]
    by_person: bool = False  # a person's own words, as the place where it stood shows
    fault: str = ""  # why it cannot be taken


SourceRow = Mapping[str, Any]


def made(text: str, by_person: bool = False, /, **fields: object) -> ImportLine:
    """A line of a text and those of its fields that say something; `kind` stands for the class."""
    given: dict[str, Any] = {"text": text.strip()}
    given |= {"class" if name == "kind" else name: value for name, value in fields.items() if value not in ("", None, [], {})}
    return ImportLine(given, by_person)


def class_of(name: str) -> str:
    """The class that somebody calls so; "" for none."""
    try:
        return kind_of(name).value
    except RefusedError:
        return ""


def _texts(value: object) -> list[str]:
    """The texts in a list, also in one that stands as JSON in a text; [] for anything else."""
    values = parsed(value) if isinstance(value, str) else value
    texts = values if isinstance(values, list) else []
    return [one.strip() for one in texts if isinstance(one, str) and one.strip()][:_MOST_TEXTS]


def _text(row: SourceRow, *names: str) -> str:
    """The first of these fields that is a text with something in it, as much as may be kept; "" for none."""
    fields = (row.get(name) for name in names)
    return next((value.strip()[:_MOST_CHARS] for value in fields if isinstance(value, str) and value.strip()), "")


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
    try:
        with closing(_opened(path)) as db:
            db.row_factory = sqlite3.Row
            for line in {"claude-mem": _claude_mem, "mem0": _mem0_history}.get(program, _units)(db):
                yield line if believed else line._replace(by_person=False)
    except sqlite3.Error as exc:
        why = f"it takes more than {_MOST_S:.0f} s" if "interrupted" in str(exc) else exc
        raise PsychMemError(f"{path} cannot be read as a database of {program}: {why}; export from {program} instead") from exc


def _opened(path: str) -> sqlite3.Connection:
    fault = None
    for more in ("", "&immutable=1"):  # the second in a folder where its side files cannot be made
        try:
            db = sqlite3.connect(f"{sqlite_address(path)}{more}", uri=True, timeout=_WAIT_S)
            db.execute("select name from sqlite_master limit 1").fetchone()
            break
        except sqlite3.Error as exc:
            fault = exc
    else:
        raise PsychMemError(f"{path} cannot be read: {fault}; is it whole, and may you read it?") from fault
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_BYTES)
    end = time.monotonic() + _MOST_S
    db.set_progress_handler(lambda: time.monotonic() > end, _STEPS)
    db.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return db


def _names(db: sqlite3.Connection) -> set[str]:
    return {name for (name,) in db.execute("select name from sqlite_master where type = 'table'")}


def _columns(db: sqlite3.Connection, table: str) -> set[str]:
    return {str(row[1]) for row in db.execute(f"pragma table_info({table})")}


_NOTED = "merged_into_project project created_at created_at_epoch"
# What is read of each table, as far as it has such a column: what else stands there may be as large as it likes.
_READ = {
    "memory_units": "summary project_scope source_event_ids classification tags created_at",
    "observations": f"title subtitle facts text narrative type files_modified concepts {_NOTED}",
    "session_summaries": f"learned request {_NOTED}",
    "directives": "content project scope source created_at",
    "history": "memory_id new_memory new_value event created_at timestamp",
}


def _lines(
    db: sqlite3.Connection, table: str, which: str, reader: Callable[[SourceRow], ImportLine | None]
) -> Iterator[ImportLine]:
    """What a reader makes of the rows of a table one by one; of one that holds a value too large to be a statement's a fault."""
    there = _columns(db, table)
    columns = ", ".join(name for name in _READ[table].split() if name in there)
    for (key,) in db.execute(f"select rowid from {table} {which}").fetchall():
        try:
            row = db.execute(f"select {columns} from {table} where rowid = ?", (key,)).fetchone()
        except sqlite3.DataError:
            yield ImportLine({}, fault=f"it holds a value of more than {_MOST_BYTES >> 20} MB")
            continue
        if row and (line := reader(dict(row))):
            yield line


def _units(db: sqlite3.Connection) -> Iterator[ImportLine]:
    """PsychMem's for OpenCode, and true-mem's, which has its tables: what is active, with the folder of its project."""

    def unit(row: SourceRow) -> ImportLine:
        text, project = _text(row, "summary"), _text(row, "project_scope")
        return made(
            text,
            _is_typed(db, text, _texts(row.get("source_event_ids"))),
            kind=_text(row, "classification"),
            scope="project" if project else "user",
            project=project,
            tags=_texts(row.get("tags")),
            created_at=row.get("created_at"),
        )

    return _lines(db, "memory_units", "where status = 'active' order by created_at, id", unit)


def _is_typed(db: sqlite3.Connection, text: str, ids: list[str]) -> bool:
    """Whether a person typed it: it stands in a prompt among its sources."""
    if not text or not ids:
        return False
    events = db.execute(
        f"select content from events where hook_type = 'UserPromptSubmit' and id in ({','.join('?' * len(ids))})", ids
    )
    return any(_squeezed(text) in _squeezed(str(row["content"])) for row in events)


def _squeezed(text: str) -> str:
    return " ".join(text.lower().split())


def _claude_mem(db: sqlite3.Connection) -> Iterator[ImportLine]:
    """Its observations, what its summaries say was learned, and the rules that a person gave it."""
    for table, which, reader in (
        ("observations", "order by created_at_epoch, id", _observation),
        ("session_summaries", "order by created_at_epoch, id", _summary),
        ("directives", "where status = 'active' order by id", _directive),
    ):
        if table in _names(db):
            yield from _lines(db, table, which, reader)


def _mem0_history(db: sqlite3.Connection) -> Iterator[ImportLine]:
    """The last wording of each memory in its history that was not deleted."""
    last: dict[object, ImportLine] = {}

    def worded(row: SourceRow) -> None:
        text = _text(row, "new_memory", "new_value")
        last.pop(row["memory_id"], None)
        if text and _text(row, "event").upper() != "DELETE":
            last[row["memory_id"]] = made(text, created_at=row.get("created_at") or row.get("timestamp"))

    yield from _lines(db, "history", "order by rowid", worded)
    yield from last.values()


_LISTS = ("results", "memories", "data", "items")  # under which a memory program's answer holds its memories
_GONE = frozenset({"deleted", "archived", "paused"})
_TEXT_CHARS = 600
# What claude-mem calls what it saw, by the class it is nearest to; the rest merely happened.
_OBSERVED = {"decision": "decision", "bugfix": "bugfix", "discovery": "learning"}


def content_of(path: Path) -> str:
    """The text of a JSON file. Raises PsychMemError for too much, and for none."""
    try:
        with path.open("rb") as file:
            raw = file.read(_FILE_BYTES + 1)
    except OSError as exc:
        raise PsychMemError(f"{path} cannot be read: {exc.strerror}; export it once more") from exc
    if len(raw) > _FILE_BYTES:
        raise PsychMemError(f"{path} holds more than {_FILE_BYTES >> 20} MB; split it")
    return raw.decode("utf-8-sig", "replace")


def program_of_json(text: str) -> str:
    """Whose JSON this is by the fields it has; "" for nobody's we know."""
    content = parsed(text)
    if isinstance(content, dict) and isinstance(content.get("observations"), list):
        return "claude-mem"
    first = next(iter(_records(content, text)), None)
    return "mem0" if isinstance(first, dict) and not _text(first, "text") and _text(first, "memory", "content", "data") else ""


def lines_of_json(text: str, program: str) -> Iterator[ImportLine]:
    """What a program's export holds; what is no JSON is a fault of its line."""
    content = parsed(text)
    if program == "claude-mem":
        given = content if isinstance(content, dict) else {}
        for name, reader in (("observations", _observation), ("summaries", _summary)):
            rows = given[name] if isinstance(given.get(name), list) else []
            yield from filter(None, (reader(row) for row in rows if isinstance(row, dict)))
        return
    for row in _records(content, text):
        if not isinstance(row, dict):
            yield ImportLine({})
        elif _text(row, "state").lower() not in _GONE:
            yield _mem0(row)


def _observation(row: SourceRow) -> ImportLine | None:
    """What claude-mem noted: its title with the sentence below it."""
    facts = _texts(row.get("facts"))
    titles = (_text(row, "title").rstrip("."), _text(row, "subtitle").rstrip("."))
    text = ". ".join(filter(None, titles)) or next(iter(facts), "") or _text(row, "text", "narrative")
    if not text:
        return None
    return _noted(
        row,
        text,
        kind=_OBSERVED.get(_text(row, "type"), "episodic"),
        names=_texts(row.get("files_modified")),
        tags=_texts(row.get("concepts")),
        context=clip(" ".join(facts) or _text(row, "narrative"), CONTEXT_CHARS),
    )


def _summary(row: SourceRow) -> ImportLine | None:
    """What claude-mem says that a conversation taught; the rest of its summary was true that day."""
    learned = " ".join(_text(row, "learned").split())
    return _noted(row, learned, kind="learning", context=clip(_text(row, "request"), CONTEXT_CHARS)) if learned else None


def _noted(row: SourceRow, text: str, **fields: object) -> ImportLine:
    """The moment is a text, or milliseconds since 1970 where nothing else is said."""
    project, at = _text(row, "merged_into_project", "project"), row.get("created_at_epoch")
    created = _text(row, "created_at") or (at / 1000 if isinstance(at, (int, float)) else "")
    return made(clip(text, _TEXT_CHARS), scope="project", project=project, created_at=created, **fields)


def _directive(row: SourceRow) -> ImportLine:
    """A rule that a person, or an agent, gave claude-mem."""
    project = _text(row, "project") if row.get("scope") != "global" else ""
    return made(
        _text(row, "content"),
        row.get("source") == "manual",
        kind="constraint",
        scope="project" if project else "user",
        project=project,
        created_at=row.get("created_at"),
    )


def _mem0(row: SourceRow) -> ImportLine:
    about = row["metadata"] if isinstance(row.get("metadata"), dict) else {}
    project = _text(about, "project", "repository", "cwd")
    return made(
        _text(row, "memory", "content", "text", "data"),
        kind=class_of(_text(about, "type", "category", "class")),
        scope="project" if project else "",
        project=project,
        tags=_texts(row.get("categories")),
        created_at=_text(row, "created_at"),
    )


def _records(content: object, text: str) -> Iterable[object]:
    """The memories in an answer, or in JSON lines where the text as a whole is no JSON."""
    if isinstance(content, dict):
        return next((value for name in _LISTS if isinstance(value := content.get(name), list)), [content])
    if content is None:
        return (parsed(line) for line in text.splitlines() if line.strip())
    return content if isinstance(content, list) else []


def parsed(text: str) -> object:
    """What JSON holds; None for text that is none, or nested too deep."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
