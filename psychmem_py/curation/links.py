"""Links between memories, and the chain of causes they make."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from psychmem_py.curation.who import PERSON, Who
from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.model.records import Change, Link, Memory
from psychmem_py.model.terms import ChangeType, LinkType
from psychmem_py.store import change_log as changes
from psychmem_py.store import rows
from psychmem_py.store.connection import transaction


def link(db: sqlite3.Connection, source: str, target: str, kind: LinkType, *, now: float, batch: str, who: Who = PERSON) -> Link:
    """Ties two memories."""
    with transaction(db):
        one, other = rows.by_id(db, source), rows.by_id(db, target)
        if one.id == other.id:
            raise RefusedError("a memory cannot be linked to itself")
        made = Link(one.id, other.id, kind, now)
        if made[:3] in {found[:3] for found in rows.links(db, one.id)}:
            raise RefusedError(f"{one.id[:8]} {kind.value} {other.id[:8]} is known already")
        changes.apply(
            db,
            [Change(ChangeType.LINK, one.id, one, one, "linked", link=made)],
            batch=batch,
            now=now,
            agent=who.agent,
            session=who.session,
        )
        return made


def unlink(
    db: sqlite3.Connection, source: str, target: str, kind: LinkType | None, *, now: float, batch: str, who: Who = PERSON
) -> list[Link]:
    """The links taken away between two memories: of one type, or all."""
    with transaction(db):
        one, other = rows.by_id(db, source), rows.by_id(db, target)
        gone = [
            found
            for found in rows.links(db, one.id)
            if (found.source, found.target) == (one.id, other.id) and kind in (None, found.type)
        ]
        if not gone:
            raise NotFoundError(f"there is no such link from {one.id[:8]} to {other.id[:8]}")
        taken = [Change(ChangeType.UNLINK, one.id, one, one, "unlinked", link=found) for found in gone]
        changes.apply(db, taken, batch=batch, now=now, agent=who.agent, session=who.session)
        return gone


class Cause(NamedTuple):
    """One step of a walk to where a memory comes from."""

    depth: int  # 1: a direct cause
    link: Link
    memory: Memory


# A link points from the later to the earlier memory, or from cause to effect.
_BACKWARD = frozenset({LinkType.DERIVES_FROM, LinkType.SUPERSEDES, LinkType.REFERENCES})


_FORWARD = frozenset({LinkType.CAUSED, LinkType.ENABLED, LinkType.SUPPORTS, LinkType.CHAIN})


def why(db: sqlite3.Connection, key: str, *, depth: int = 8) -> list[Cause]:
    """What led to a memory, nearest first, each memory once: what it derives from, replaced or refers to, and what caused or
    supports it.
    """
    start = rows.by_id(db, key)
    found: list[Cause] = []
    seen, edge = {start.id}, [start.id]
    for distance in range(1, depth + 1):
        following: list[str] = []
        for memory_id in edge:
            for tie in rows.links(db, memory_id):
                back = tie.target if tie.type in _BACKWARD and tie.source == memory_id else ""
                back = back or (tie.source if tie.type in _FORWARD and tie.target == memory_id else "")
                earlier = rows.get(db, back) if back and back not in seen else None
                if earlier is not None:
                    seen.add(back)
                    following.append(back)
                    found.append(Cause(distance, tie, earlier))
        edge = following
    return found
