"""Databases and files as other memory programs make them, small."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

UNITS = """
create table sessions (id text primary key, project text not null, started_at text not null);
create table events (id text primary key, session_id text, hook_type text, timestamp text, content text);
create table memory_units (
    id text primary key, session_id text, store text, classification text, summary text, source_event_ids text,
    project_scope text, created_at text, tags text, status text{more}
);
"""
CLAUDE_MEM = """
create table sdk_sessions (id integer primary key, memory_session_id text, project text);
create table observations (
    id integer primary key, project text, text text, type text, title text, subtitle text, facts text, narrative text,
    concepts text, files_modified text, merged_into_project text, created_at text, created_at_epoch integer
);
create table session_summaries (
    id integer primary key, project text, request text, learned text, merged_into_project text, created_at text,
    created_at_epoch integer
);
create table directives (
    id integer primary key, scope text, project text, content text, status text, source text, created_at text
);
"""
AT = "2026-02-01T08:00:00.000Z"


def database(path: Path, schema: str, rows: Sequence[tuple[str, Sequence[object]]]) -> Path:
    """A database with these rows, each behind the name of its table."""
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript(schema)
        for table, row in rows:
            db.execute(f"insert into {table} values ({','.join('?' * len(row))})", tuple(row))
    return path


def unit(
    key: str, kind: str, text: str, project: str | None, sources: Sequence[str] = (), status: str = "active"
) -> tuple[str, Sequence[object]]:
    """A memory of PsychMem for OpenCode; true-mem's has an embedding behind it."""
    return "memory_units", (key, "s1", "ltm", kind, text, json.dumps(list(sources)), project, AT, '["shop"]', status)


def observed(key: int, kind: str, title: str, below: str, project: str) -> tuple[str, Sequence[object]]:
    """What claude-mem noted."""
    return "observations", (key, project, None, kind, title, below, "[]", "", '["how"]', '["a.py"]', None, AT, 1_770_000_000_000)
