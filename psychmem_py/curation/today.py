"""What a person looks at in passing: what came today, what waits for their word, what is about to fade. Reads only."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from psychmem_py.memory.forgetting import retrievability_in
from psychmem_py.model.records import Memory
from psychmem_py.model.settings import Settings
from psychmem_py.model.statuses import LIVE
from psychmem_py.model.terms import Status
from psychmem_py.recall.selection import FADED
from psychmem_py.store import rows

SOON_D = 7  # what will have faded within so many days is about to
MOST = 20  # of each


class Today(NamedTuple):
    """Memories of the person and of one project."""

    kept: tuple[Memory, ...]  # since the day began, newest first
    waiting: tuple[Memory, ...]
    fading: tuple[Memory, ...]  # no longer told within SOON_D days unless said or used again


def today(db: sqlite3.Connection, project: str | None, settings: Settings, *, began: float, now: float) -> Today:
    """What there is to look at; `began` is when the person's day began."""
    live = rows.listed(db, project=project, statuses=LIVE)
    kept = [one for one in live if one.created_at >= began]
    waiting = rows.listed(db, project=project, statuses=[Status.QUARANTINED])
    fading = [
        one
        for one in live
        if one not in kept and retrievability_in(one, 0, now, settings) >= FADED > retrievability_in(one, SOON_D, now, settings)
    ]
    return Today(tuple(kept[:MOST]), tuple(waiting[:MOST]), tuple(fading[:MOST]))
