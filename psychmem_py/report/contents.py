"""What the report says: everything it shows, gathered from the store as plain values. Reads only."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import NamedTuple

from psychmem_py.briefing.brief import Brief, Occasion, compose, reasons
from psychmem_py.curation.pending import InboxItem, items
from psychmem_py.home.project import Project
from psychmem_py.memory.forgetting import retrievability_in
from psychmem_py.model.light_values import LIVE
from psychmem_py.model.records import Link, Memory
from psychmem_py.model.settings import Settings
from psychmem_py.model.terms import HUMAN, Status
from psychmem_py.recall.selection import FADED
from psychmem_py.store import candidates, overview, projects, rows
from psychmem_py.store.candidates import Kept
from psychmem_py.store.overview import Conversation

CURVE_D = tuple(range(0, 361, 15))  # days from now
SOON_D = 30  # what falls below FADED within so many days is about to fade
_REJECTED = 200
_SESSIONS = 100
BY_ITSELF, BY_YOU, BY_AGENT, BY_IMPORT = "by itself", "by you", "by the agent", "by import"
_WAYS = {"cli": BY_YOU, "review": BY_YOU, "agent_quote": BY_AGENT, "tool": BY_AGENT, "import": BY_IMPORT}


class Shown(NamedTuple):
    """A memory with what the page says of it."""

    memory: Memory
    where: str  # "everywhere" or a project's name
    by: str  # who saved it: one of the BY_ names
    curve: tuple[float, ...]  # share left on each of CURVE_D
    fades_d: int | None  # days until it has faded; None: not within CURVE_D


class Contents(NamedTuple):
    """Everything on the page."""

    project: str  # where we stand; "" for in no project
    now: float
    memories: tuple[Shown, ...]  # newest first, what is forgotten or replaced too
    brief: Brief
    reasons: Mapping[str, str]
    conversations: tuple[Conversation, ...]
    links: tuple[Link, ...]
    turned_down: tuple[Kept, ...]
    waiting: tuple[Kept, ...]
    pending: tuple[InboxItem, ...]
    names: Mapping[str, str]  # of projects, by id

    @property
    def live(self) -> tuple[Shown, ...]:
        return tuple(one for one in self.memories if one.memory.status in LIVE)

    @property
    def fading(self) -> tuple[Shown, ...]:
        """What will have faded within SOON_D days, the soonest first."""
        soon = [one for one in self.live if one.fades_d is not None and 0 < one.fades_d <= SOON_D]
        return tuple(sorted(soon, key=lambda one: one.fades_d or 0))


def contents(
    db: sqlite3.Connection, project: Project | None, settings: Settings, now: float, occasion: Occasion | None = None
) -> Contents:
    """What there is in the store now, with the brief that a session of `project` would get; of its start more may be known."""
    names = projects.names(db)
    ways = overview.first_ways(db)
    found = rows.listed(db, all_projects=True, statuses=tuple(Status))
    brief = compose(db, occasion or Occasion(project, now, settings))
    return Contents(
        project=project.name if project else "",
        now=now,
        memories=tuple(_shown(one, names, ways.get(one.id, ""), settings, now) for one in found),
        brief=brief,
        reasons=reasons(brief),
        conversations=tuple(overview.conversations(db, limit=_SESSIONS)),
        links=tuple(overview.links(db)),
        turned_down=tuple(one for one in candidates.rejected(db, limit=_REJECTED) if one.gate is not None),
        waiting=tuple(candidates.waiting(db, project=None, all_projects=True)),
        pending=tuple(items(db, project=None, all_projects=True)),
        names=names,
    )


def _shown(memory: Memory, names: Mapping[str, str], way: str, settings: Settings, now: float) -> Shown:
    where = "everywhere" if memory.project is None else names.get(memory.project) or memory.project.rpartition("/")[2]
    by = _WAYS.get(way, BY_ITSELF if way else BY_YOU if memory.origin in HUMAN else BY_ITSELF)
    curve = tuple(retrievability_in(memory, days, now, settings) for days in CURVE_D)
    faded = (days for days in range(CURVE_D[-1]) if retrievability_in(memory, days, now, settings) < FADED)
    fades = next(faded, None) if curve[-1] < FADED else None
    return Shown(memory, where, by, curve, fades)
