"""Finding memories by words: the memories behind what `store.matches` finds."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from typing import NamedTuple

from psychmem_py.model.recall_settings import Retrieval
from psychmem_py.model.records import Memory
from psychmem_py.model.terms import Kind
from psychmem_py.recall.ranking import Scored
from psychmem_py.store.matches import DEFAULTS, FOUND, matches
from psychmem_py.store.rows import several


class Hit(NamedTuple):
    memory: Memory
    score: float  # higher is better; comparable within one answer
    found: Scored  # which words of the query are in it, and where


def hits(
    db: sqlite3.Connection,
    query: str,
    *,
    project: str | None,
    all_projects: bool = False,
    statuses: Collection[str] = FOUND,
    kinds: Collection[Kind] = (),
    after: float | None = None,
    limit: int = 10,
    now: float,
    retrieval: Retrieval = DEFAULTS,
) -> list[Hit]:
    """At most `limit` memories that answer `query`, best first, scores falling. For filters in the text see `core.query`."""
    found = matches(
        db,
        query,
        project=project,
        all_projects=all_projects,
        statuses=statuses,
        kinds=kinds,
        after=after,
        limit=limit,
        now=now,
        retrieval=retrieval,
    )
    known = several(db, [one.id for one in found])
    return [Hit(known[one.id], one.score, one.found) for one in found]
