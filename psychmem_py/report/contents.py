"""What the report says: everything it shows, gathered from the store as plain values. Reads only."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import NamedTuple

from psychmem_py.briefing.brief import Brief, Occasion, compose, reasons
from psychmem_py.curation.pending import InboxItem, items
from psychmem_py.home.project import Project
from psychmem_py.memory.admission import SPEAKERS as SAID_BY_OTHERS
from psychmem_py.memory.forgetting import retrievability_in
from psychmem_py.model.light_record import LIVE
from psychmem_py.model.records import HUMAN, Link, Memory, Status
from psychmem_py.model.settings import Settings
from psychmem_py.recall.selection import FADED
from psychmem_py.store import candidates, episodes, overview, rows
from psychmem_py.store.candidates import Kept
from psychmem_py.store.episodes import Episode
from psychmem_py.store.overview import Conversation

SOON_D = 30  # what falls below FADED within so many days is about to fade
HALF_YEAR_D = 182
_REJECTED = 200
_SESSIONS = 100
EVERYWHERE = "every project"
SPEAKERS = {**SAID_BY_OTHERS, **dict.fromkeys(HUMAN, "you")}


class Shown(NamedTuple):
    """A memory with what the page says of it."""

    memory: Memory
    where: str  # EVERYWHERE or a project's name
    by_itself: bool  # noticed in a conversation, not typed as a command
    left: float  # share that is left now
    left_later: float  # in half a year
    fades_d: int | None  # days until it has faded; None: not within SOON_D

    @property
    def live(self) -> bool:
        return self.memory.status in LIVE


class TimelineEntry(NamedTuple):
    """A conversation with what was said, kept and shown in it."""

    talk: Conversation
    where: str
    said: tuple[Episode, ...]
    kept: tuple[Memory, ...]
    shown: tuple[Memory, ...]


class Contents(NamedTuple):
    """Everything on the page."""

    project: str  # where we stand; "" for in no project
    now: float
    memories: tuple[Shown, ...]  # newest first, what is forgotten or replaced too
    brief: Brief
    reasons: Mapping[str, str]
    sessions: tuple[TimelineEntry, ...]  # the latest first, those that left nothing not among them
    links: tuple[Link, ...]
    turned_down: tuple[Kept, ...]
    waiting: tuple[Kept, ...]
    pending: tuple[InboxItem, ...]
    names: Mapping[str, str]  # of projects, by id


def contents(
    db: sqlite3.Connection, project: Project | None, settings: Settings, now: float, occasion: Occasion | None = None
) -> Contents:
    """What there is in the store now, with the brief that a session of `project` would get; of its start more may be known."""
    names = overview.project_names(db)
    ways = overview.first_ways(db)
    found = rows.listed(db, all_projects=True, statuses=tuple(Status))
    brief = compose(db, occasion or Occasion(project, now, settings))
    talks = overview.conversations(db, limit=_SESSIONS)
    told: dict[str, set[str]] = {}
    for _, session, memory, _ in overview.shown_to(db):
        told.setdefault(session, set()).add(memory)
    sessions = []
    for talk in talks:
        kept, seen = (one for one in reversed(found) if one.session == talk.id), told.get(talk.id, ())
        said, those = episodes.kept(db, session=talk.id), (one for one in found if one.id in seen)
        sessions.append(TimelineEntry(talk, place_of(talk.project, names), tuple(said), tuple(kept), tuple(those)))
    return Contents(
        project=project.name if project else "",
        now=now,
        memories=tuple(_shown(one, names, ways.get(one.id, ""), settings, now) for one in found),
        brief=brief,
        reasons=reasons(brief),
        sessions=tuple(one for one in sessions if one.said or one.kept or one.shown),
        links=tuple(reversed(rows.links(db))),
        turned_down=tuple(one for one in candidates.rejected(db, limit=_REJECTED) if one.gate is not None),
        waiting=tuple(candidates.waiting(db, project=None, all_projects=True)),
        pending=tuple(items(db, project=None, all_projects=True)),
        names=names,
    )


def place_of(project: str | None, names: Mapping[str, str], nowhere: str = "no project") -> str:
    """What a project is called on the page."""
    return nowhere if project is None else names.get(project) or project.rpartition("/")[2]


def _shown(memory: Memory, names: Mapping[str, str], way: str, settings: Settings, now: float) -> Shown:
    left, later, soon = (retrievability_in(memory, days, now, settings) for days in (0, HALF_YEAR_D, SOON_D))
    fades = None
    if memory.status in LIVE and soon < FADED <= left:
        fades = next(days for days in range(SOON_D + 1) if retrievability_in(memory, days, now, settings) < FADED)
    return Shown(memory, place_of(memory.project, names, EVERYWHERE), way not in ("cli", "review", "import"), left, later, fades)
