"""Looks at every text a store holds, and rewrites those that must not stay: secrets that came in before they were known as such.

Rows stay where they are, with their ids, trust and history; only the words go. Besides `purge` the only place where the log is rewritten.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from psychmem_py.store import change_log
from psychmem_py.store.care.purge import compacted, log_unlocked, rewritten_copies
from psychmem_py.store.connection import transaction
from psychmem_py.store.rows import rebuild_index
from psychmem_py.text.tokenizer import digest

# Where somebody's words stand, by table; the key tells the memory they belong to.
_TEXTS = {
    "memory": ("id", ("text", "tags", "names", "context", "metadata")),
    "evidence": ("memory_id", ("quote",)),
    "change": ("memory_id", ("before", "after", "reason", "detail")),
    "candidate": ("session", ("text", "quote", "reason")),
    "event": ("session", ("paths", "command", "error_class", "error_line")),
    "touched": ("session", ("path",)),
    "failed_call": ("session", ("form", "worked")),
    "call_count": ("memory", ("key", "reason")),
    "episode": ("id", ("typed", "answer", "files", "failed")),
}
_JSON = frozenset({"tags", "names", "metadata", "before", "after", "detail", "paths", "files", "failed"})


class Occurrence(NamedTuple):
    """A row with something in it, and what: the kinds `kinds_in` told."""

    table: str
    owner: str  # memory id, or session
    kinds: tuple[str, ...]


def occurrences_of(db: sqlite3.Connection, kinds_in: Callable[[str], list[str]]) -> list[Occurrence]:
    """Every row in which `kinds_in` finds anything."""
    occurrences = []
    for table, (owner, columns) in _TEXTS.items():
        for key, *values in db.execute(f"select {owner}, {', '.join(columns)} from {table}"):
            kinds = set[str]()

            def noted(text: str, kinds: set[str] = kinds) -> str:
                kinds.update(kinds_in(text))
                return text

            for name, value in zip(columns, values, strict=True):
                _clean(name, value, noted)
            if kinds:
                occurrences.append(Occurrence(table, str(key), tuple(sorted(kinds))))
    return occurrences


def rewrite(db: sqlite3.Connection, path: str | os.PathLike[str], without: Callable[[str], str], now: float) -> list[str]:
    """Puts every text through `without`, here and in the copies of the store; the copies that could not be rewritten."""
    with transaction(db):
        _rewritten(db, without)
        change_log.note_purge(db, now)
    compacted(db)
    return rewritten_copies(path, lambda copy: _rewritten(copy, without))[1]


def _rewritten(db: sqlite3.Connection, without: Callable[[str], str]) -> None:
    with log_unlocked(db):
        there = {name for (name,) in db.execute("select name from sqlite_master")}  # a copy may be of an older schema
        for table, (_, columns) in _TEXTS.items():
            for change in () if table not in there else list(_changes(db, table, columns, without)):
                db.execute(*change)
    rebuild_index(db)


def _changes(
    db: sqlite3.Connection, table: str, columns: tuple[str, ...], without: Callable[[str], str]
) -> Iterator[tuple[str, tuple[object, ...]]]:
    key = "id" if table == "event" else "seq"
    for row, *values in db.execute(f"select {key}, {', '.join(columns)} from {table}").fetchall():
        clean = [_clean(column, value, without) for column, value in zip(columns, values, strict=True)]
        if clean == values:
            continue
        setting = {column: new for column, old, new in zip(columns, values, clean, strict=True) if old != new}
        if "text" in setting and table in ("memory", "candidate"):
            setting["hash"] = digest(str(setting["text"]))
        yield f"update {table} set {', '.join(f'{name} = ?' for name in setting)} where {key} = ?", (*setting.values(), row)


def _clean(column: str, value: str | None, without: Callable[[str], str]) -> str | None:
    if not value:
        return value
    given = _parsed(value) if column in _JSON else None
    if given is None:
        return without(value)
    clean = _inside(given, without)
    return value if clean == given else json.dumps(clean, ensure_ascii=False, separators=(",", ":"))


# Fields that name a thing of ours: drawn at random, as a secret is.
_IDS = frozenset({"id", "memory_id", "session", "message_id", "project", "source", "target", "hlc", "batch"})


def _inside(value: Any, without: Callable[[str], str]) -> Any:  # noqa: ANN401 - JSON of any shape
    """The value with every text in it cleaned by itself, for a record as a whole looks drawn where its ids stand; a text that is JSON
    itself, as in a line of the log, is cleaned inside.
    """
    if isinstance(value, dict):
        return {without(key): inner if key in _IDS else _inside(inner, without) for key, inner in value.items()}
    if isinstance(value, list):
        return [_inside(inner, without) for inner in value]
    if isinstance(value, str):
        return _clean("detail", value, without) if value[:1] in '[{"' else without(value)
    return value


def _parsed(text: str) -> list[Any] | dict[str, Any] | None:
    """The list or object in a JSON text; None for any other text."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return given if isinstance(given, (dict, list)) else None
