"""Links between memories, and the chain of causes they make."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from psychmem_py.curation.act import Act
from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.model.light_values import LIVE
from psychmem_py.model.permission import Deed
from psychmem_py.model.records import Change, Link, Memory
from psychmem_py.model.terms import ChangeType, LinkType, Status
from psychmem_py.store import rows
from psychmem_py.store.connection import transaction


def link(act: Act, source: str, target: str, type_: LinkType) -> Link:
    """Links two memories."""
    with transaction(act.db):
        start, end = (act.who.one(act.db, key, Deed.RATE) for key in (source, target))
        if start.id == end.id:
            raise RefusedError("a memory cannot be linked to itself")
        made = Link(start.id, end.id, type_, act.now)
        if made[:3] in {known[:3] for known in rows.links(act.db, start.id)}:
            raise RefusedError(f"{start.id[:8]} {type_.value} {end.id[:8]} is known already")
        act.apply([Change(ChangeType.LINK, start.id, start, start, "linked", link=made)])
        return made


def unlink(act: Act, source: str, target: str, type_: LinkType | None) -> list[Link]:
    """The links taken away between two memories: of one type, or all."""
    with transaction(act.db):
        start, end = (act.who.one(act.db, key, Deed.RATE) for key in (source, target))
        gone = [
            known
            for known in rows.links(act.db, start.id)
            if (known.source, known.target) == (start.id, end.id) and type_ in (None, known.type)
        ]
        if not gone:
            raise NotFoundError(f"there is no such link from {start.id[:8]} to {end.id[:8]}")
        act.apply([Change(ChangeType.UNLINK, start.id, start, start, "unlinked", link=known) for known in gone])
        return gone


class Cause(NamedTuple):
    """One step of a walk to where a memory comes from."""

    depth: int  # 1: a direct cause
    link: Link
    memory: Memory


# A link points from the later to the earlier memory, or from cause to effect.
_STEPS_BACK = 8
_BACKWARD = frozenset({LinkType.DERIVES_FROM, LinkType.SUPERSEDES, LinkType.REFERENCES})
_FORWARD = frozenset({LinkType.CAUSED, LinkType.ENABLED, LinkType.SUPPORTS, LinkType.CHAIN})


def why(db: sqlite3.Connection, memory_id: str) -> list[Cause]:
    """What led to a memory, nearest first, each memory once: what it derives from, replaced or refers to, and what caused or
    supports it.
    """
    start = rows.by_id(db, memory_id)
    causes: list[Cause] = []
    seen, edge = {start.id}, [start.id]
    for distance in range(1, _STEPS_BACK + 1):
        following: list[str] = []
        for later in edge:
            for link in rows.links(db, later):
                back = link.target if link.type in _BACKWARD and link.source == later else ""
                back = back or (link.source if link.type in _FORWARD and link.target == later else "")
                earlier = rows.get(db, back) if back and back not in seen else None
                if earlier is not None:
                    seen.add(back)
                    following.append(back)
                    causes.append(Cause(distance, link, earlier))
        edge = following
    return causes


_UNSEEN = frozenset({Status.FORGOTTEN, Status.QUARANTINED})


class Step(NamedTuple):
    """A memory one link away from another."""

    memory: Memory
    how: str  # the link as read from the other memory: "supersedes", or "supersedes by" for one that points at it
    hit: str  # id of the other


def one_step(
    db: sqlite3.Connection, memories: Sequence[Memory], *, project: str | None, all_projects: bool = False
) -> list[Step]:
    """What these memories are linked to and may be seen from `project`, each once, without themselves."""
    have = {one.id for one in memories}
    steps: list[Step] = []
    for one in memories:
        for link in rows.links(db, one.id):
            out = link.source == one.id
            other = rows.get(db, link.target if out else link.source)
            if other is None or other.id in have or other.status in _UNSEEN:
                continue
            if all_projects or other.project in (None, project):
                have.add(other.id)
                steps.append(Step(other, link.type.value if out else f"{link.type.value} by", one.id))
    return steps


def dependents(db: sqlite3.Connection, memory_id: str) -> list[Memory]:
    """What in use was built on a memory: what derives from it or refers to it, and what it caused, enabled or supports."""
    ids = []
    for link in rows.links(db, memory_id):
        back = link.type in (LinkType.DERIVES_FROM, LinkType.REFERENCES) and link.target == memory_id
        on = link.type in _FORWARD and link.source == memory_id
        other = rows.get(db, link.source if back else link.target) if back or on else None
        if other is not None and other.status in LIVE:
            ids.append(other)
    return ids
