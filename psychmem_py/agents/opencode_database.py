"""Conversations in OpenCode's own database, read only. Only `session`, `message` and `part` are read: others hold credentials."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from typing import Any

from psychmem_py.agents.opencode import Turn
from psychmem_py.home.places import home, sqlite_address


def database(env: Mapping[str, str]) -> str:
    """Where the client keeps its conversations."""
    data = env.get("XDG_DATA_HOME") or os.path.join(home(env), ".local", "share")
    return os.path.join(data, "opencode", env.get("OPENCODE_DB") or "opencode.db")


def conversation(env: Mapping[str, str], session: str, *, whole: bool = False) -> tuple[Turn, ...] | None:
    """The session's turns, oldest first, none of a sub-agent's; the `whole` with what was reverted. None if unreadable."""
    try:
        with _opened(database(env)) as db:
            return _read(db, session, whole)
    except (sqlite3.Error, ValueError, TypeError, RecursionError):
        return None  # the schema is the client's own affair and may change


def _opened(path: str) -> closing[sqlite3.Connection]:
    """The database, to be read only. Raises sqlite3.Error where there is no plain file."""
    if not os.path.isfile(path):  # a pipe would never be opened
        raise sqlite3.OperationalError(path)
    db = sqlite3.connect(sqlite_address(path), uri=True, timeout=5.0)
    db.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return closing(db)


def past(path: str) -> list[tuple[str, str, float]]:
    """Session, folder and last time of every conversation that a person led, oldest first; nothing where they cannot be read."""
    people = (
        "select cast(id as text), cast(coalesce(directory, '') as text), cast(coalesce(time_updated, 0) as real) / 1000"
        " from session where parent_id is null order by time_updated, id"
    )
    try:
        with _opened(path) as db:
            return db.execute(people).fetchall()
    except sqlite3.Error:
        return []


def _read(db: sqlite3.Connection, session: str, whole: bool) -> tuple[Turn, ...] | None:
    if (head := db.execute("select parent_id, revert from session where id = ?", (session,)).fetchone()) is None or head[0]:
        return head and ()
    rows = db.execute(
        "select message.id, message.data, part.data from message left join part on part.message_id = message.id"
        " where message.session_id = ? order by message.time_created, message.id, part.id",
        (session,),
    )
    turns: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {}
    for key, info, part in rows:
        if key not in turns:
            turns[key] = _object(info), []
        if part is not None:
            turns[key][1].append(_object(part))
    cut = _object(head[1]).get("messageID") if head[1] and not whole else None
    return tuple(Turn(key, info, parts) for key, (info, parts) in turns.items() if not cut or key < cut)


def _object(text: str) -> dict[str, Any]:
    return value if isinstance(value := json.loads(text), dict) else {}
