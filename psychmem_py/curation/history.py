"""Looking back: what happened to a memory, what was known on a day, and taking steps back. An undo is a step like any other."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from typing import NamedTuple

from psychmem_py.model.records import Change, Memory
from psychmem_py.model.terms import Kind, Status
from psychmem_py.store import change_log, rows
from psychmem_py.store.change_log import Logged
from psychmem_py.store.undo import undo as take_back
from psychmem_py.text.tokenizer import query_terms, search_terms


def history(db: sqlite3.Connection, key: str) -> list[Logged]:
    """Everything that happened to one memory, oldest first; `key` may be a unique prefix, also of a memory that is gone."""
    found = change_log.ids_like(db, key.strip())
    return change_log.history(db, found[0] if key.strip() and len(found) == 1 else rows.by_id(db, key).id)


def recent(db: sqlite3.Connection, *, limit: int = 20) -> list[list[Logged]]:
    """The latest batches, newest first, each with its steps in order."""
    return change_log.recent(db, limit)


def undo(db: sqlite3.Connection, target: str | None, *, now: float, batch: str = "") -> list[Change]:
    """Takes back the last command or extraction, or a named batch or line; upkeep only when it is named."""
    return take_back(db, target, now, batch=batch)


def as_of(
    db: sqlite3.Connection,
    at: float,
    *,
    project: str | None = None,
    all_projects: bool = False,
    statuses: Collection[Status] = rows.LIVE,
    kinds: Collection[Kind] = (),
) -> list[Memory]:
    """The memories of the user and the project as they were at `at`, newest first."""
    found = [
        memory
        for memory in change_log.as_of(db, at)
        if (all_projects or memory.project in (None, project))
        and memory.status in statuses
        and (not kinds or memory.kind in kinds)
    ]
    return found[::-1]


class Then(NamedTuple):
    memory: Memory
    score: float  # share of the question's words that are in it


def search_as_of(
    db: sqlite3.Connection, query: str, at: float, *, project: str | None = None, all_projects: bool = False, limit: int = 10
) -> list[Then]:
    """What a search would have found at `at`, best first: the index only knows today, so old states are compared word by word."""
    asked = set(query_terms(query))
    found = []
    for memory in as_of(db, at, project=project, all_projects=all_projects):
        share = len(asked & set(search_terms(memory.text).split())) / max(1, len(asked))
        if share:
            found.append(Then(memory, share))
    return sorted(found, key=lambda one: (-one.score, -one.memory.created_at))[:limit]
