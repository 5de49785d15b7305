"""Reads the databases of PsychMem for OpenCode, true-mem and claude-mem, each known by its tables and asked for the columns it
has. All of it is hostile text: only taken apart here; `imports` cleans it and decides."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from typing import Any, NamedTuple

from psychmem_py.errors import PsychMemError
from psychmem_py.home.light_json import parsed
from psychmem_py.home.places import sqlite_address
from psychmem_py.text.tokenizer import clip

CONTEXT_CHARS = 300
_WAIT_S = 5.0
_MOST_S = 30.0  # for all of a file: what its tables and views do is its maker's program
_STEPS = 10_000  # of SQLite's machine between two looks at the clock
_MOST_BYTES = 8 << 20  # of one value
_MOST_CHARS = 8_000  # of a text that is kept; one memory has at most half of that
_MOST_TEXTS = 20  # of a list
_TEXT_CHARS = 600  # of what claude-mem noted


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


def _texts(value: object) -> list[str]:
    """The texts in a list, also in one that stands as JSON in a text; [] for anything else."""
    values = parsed(value.encode()) if isinstance(value, str) else value
    texts = values if isinstance(values, list) else []
    return [one.strip() for one in texts if isinstance(one, str) and one.strip()][:_MOST_TEXTS]


def _text(row: SourceRow, *names: str) -> str:
    """The first of these fields that is a text with something in it, as much as may be kept; "" for none."""
    fields = (row.get(name) for name in names)
    return next((value.strip()[:_MOST_CHARS] for value in fields if isinstance(value, str) and value.strip()), "")


def _unit(row: SourceRow) -> ImportLine:
    """A memory of PsychMem for OpenCode's, or true-mem's, which has its tables, with the folder of its project."""
    project = _text(row, "project_scope")
    return made(
        _text(row, "summary"), kind=_text(row, "classification"), scope="project" if project else "user", project=project,
        tags=_texts(row.get("tags")), created_at=row.get("created_at"),
    )  # fmt: skip


# What claude-mem calls what it saw, by the class it is nearest to; the rest merely happened.
_OBSERVED = {"decision": "decision", "bugfix": "bugfix", "discovery": "learning"}


def _observation(row: SourceRow) -> ImportLine | None:
    """What claude-mem noted: its title with the sentence below it."""
    facts = _texts(row.get("facts"))
    titles = (_text(row, "title").rstrip("."), _text(row, "subtitle").rstrip("."))
    text = ". ".join(filter(None, titles)) or next(iter(facts), "") or _text(row, "text", "narrative")
    kind, about = _OBSERVED.get(_text(row, "type"), "episodic"), " ".join(facts) or _text(row, "narrative")
    return _noted(row, text, about, kind=kind, names=_texts(row.get("files_modified")), tags=_texts(row.get("concepts")))


def _summary(row: SourceRow) -> ImportLine | None:
    """What claude-mem says that a conversation taught; the rest of its summary was true that day."""
    return _noted(row, " ".join(_text(row, "learned").split()), _text(row, "request"), kind="learning")


def _noted(row: SourceRow, text: str, about: str, **fields: object) -> ImportLine | None:
    """The moment is a text, or milliseconds since 1970 where nothing else is said."""
    if not text:
        return None
    project, at = _text(row, "merged_into_project", "project"), row.get("created_at_epoch")
    created = _text(row, "created_at") or (at / 1000 if isinstance(at, (int, float)) else "")
    fields |= {"created_at": created, "context": clip(about, CONTEXT_CHARS)}
    return made(clip(text, _TEXT_CHARS), scope="project", project=project, **fields)


def _directive(row: SourceRow) -> ImportLine:
    """A rule that a person, or an agent, gave claude-mem."""
    project = _text(row, "project") if row.get("scope") != "global" else ""
    return made(
        _text(row, "content"), kind="constraint", scope="project" if project else "user",
        project=project, created_at=row.get("created_at"),
    )  # fmt: skip


_BY_TIME, _NOTED = "order by created_at_epoch, id", "merged_into_project project created_at created_at_epoch"
# By table: what turns a row into a line, which rows are read in which order, and which columns as far as they exist: others may
# be as large as they like.
_TABLES = {
    "memory_units": (
        _unit,
        "where status = 'active' order by created_at, id",
        "summary project_scope classification tags created_at",
    ),
    "observations": (_observation, _BY_TIME, f"title subtitle facts text narrative type files_modified concepts {_NOTED}"),
    "session_summaries": (_summary, _BY_TIME, f"learned request {_NOTED}"),
    "directives": (_directive, "where status = 'active' order by id", "content project scope created_at"),
}
_OF_CLAUDE_MEM = ("observations", "session_summaries", "directives")


def program_of_database(path: str) -> str:
    """Whose database this is; "" for nobody's we know."""
    with suppress(sqlite3.Error), closing(_opened(path)) as db:  # one whose tables cannot be read is nobody's
        if _columns(db, "memory_units") and _columns(db, "sessions"):
            return "true-mem" if "embedding" in _columns(db, "memory_units") else "psychmem-opencode"
        if _columns(db, "observations") and _columns(db, "sdk_sessions"):
            return "claude-mem"
    return ""


def lines_of_database(path: str, program: str) -> Iterator[ImportLine]:
    """What a program's database remembers, oldest first. Raises PsychMemError."""
    try:
        with closing(_opened(path)) as db:
            tables = _OF_CLAUDE_MEM if program == "claude-mem" else ("memory_units",)
            for table in tables:
                yield from _lines(db, table) if _columns(db, table) else ()
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


def _columns(db: sqlite3.Connection, table: str) -> list[str]:
    """The names of a table's columns; [] where there is no such table."""
    return [str(row[1]) for row in db.execute(f"pragma table_info({table})")]


def _lines(db: sqlite3.Connection, table: str) -> Iterator[ImportLine]:
    """What is made of the rows of a table one by one; of one that holds a value too large to be a statement's a fault."""
    reader, which, wanted = _TABLES[table]
    columns = [name for name in wanted.split() if name in _columns(db, table)]
    for (key,) in db.execute(f"select rowid from {table} {which}").fetchall():
        try:
            values = db.execute(f"select {', '.join(columns)} from {table} where rowid = ?", (key,)).fetchone()
        except sqlite3.DataError:
            yield ImportLine({}, fault=f"it holds a value of more than {_MOST_BYTES >> 20} MB")
            continue
        row = dict(zip(columns, values or (), strict=False))
        if row and (line := reader(row)):
            yield line
