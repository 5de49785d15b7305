"""What is put behind a prompt, into a sub-agent's start, or before an edit: the few memories that answer it, or nothing."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection
from typing import NamedTuple

from psychmem_py import blobs
from psychmem_py.core import render
from psychmem_py.core.fence import defused, fenced
from psychmem_py.core.query import FRAME
from psychmem_py.core.settings import DEFAULTS, Settings
from psychmem_py.core.text import overlap, subject
from psychmem_py.project import Project
from psychmem_py.store import search, sessions
from psychmem_py.store.connection import meta, transaction

CUT = 0.5  # of the best score
ONE_WORD_SHARE = 0.2  # of a prompt's weight that one single word must carry
NEAR_DUPLICATE = 0.8
_DEEP = 12  # hits looked at
_PROMPT_CHARS = 4_000  # of a prompt that is read; what follows is mostly pasted


class Aside(NamedTuple):
    text: str  # fenced; "" when nothing fits
    shown: tuple[str, ...]  # ids


def prompt(
    db: sqlite3.Connection,
    *,
    text: str,
    project: Project | None,
    session: str,
    agent: str = "",
    settings: Settings = DEFAULTS,
    now: float,
    shown_in_memory_md: Collection[str] = (),
    place: str = "prompt",
    most: int | None = None,
) -> Aside:
    """What a prompt calls for and this session was not shown since its last compaction; noted in its ledger."""
    generation = sessions.generation(db, session)
    seen = {id_ for id_, shown_in in sessions.shown(db, session).items() if shown_in >= generation}
    hits = fitting(
        db,
        text,
        project=project.id if project else None,
        seen=seen,
        now=now,
        most=settings.retrieval.max_prompt_memories if most is None else most,
        settings=settings,
        visible=shown_in_memory_md,
    )
    return _noted(db, hits, project=project, session=session, agent=agent, now=now, place=place, generation=generation)


def subagent(
    db: sqlite3.Connection,
    *,
    text: str,
    project: Project | None,
    session: str,
    agent: str = "",
    settings: Settings = DEFAULTS,
    now: float,
) -> Aside:
    """What a sub-agent's task calls for: it sees nothing of what its parent was shown, so only its own ledger counts."""
    most = settings.retrieval.max_subagent_memories
    return prompt(
        db, text=text, project=project, session=session, agent=agent, settings=settings, now=now, place="subagent", most=most
    )


def edit(
    db: sqlite3.Connection,
    *,
    path: str,
    project: Project | None,
    session: str,
    agent: str = "",
    settings: Settings = DEFAULTS,
    now: float,
) -> Aside:
    """One line that names this very file, if there is one that the session was not shown; nothing unless it is switched on."""
    if not settings.retrieval.edit_notes:
        return Aside("", ())
    generation = sessions.generation(db, session)
    seen = {id_ for id_, shown_in in sessions.shown(db, session).items() if shown_in >= generation}
    name = os.path.basename(path)
    found = search.hits(db, f'"{name}"', project=project.id if project else None, limit=_DEEP, now=now)
    hits = [hit for hit in found if hit.memory.id not in seen and _names(hit, path, name)][:1]
    return _noted(db, hits, project=project, session=session, agent=agent, now=now, place="edit", generation=generation)


def _names(hit: search.Hit, path: str, name: str) -> bool:
    """Whether the memory speaks of this file and not of another one with the same name."""
    words = [*hit.memory.names, *hit.memory.text.replace("`", " ").split()]
    named = [word.strip(".,:;()'\"") for word in words]
    return any(one == name or (one.endswith("/" + name) and path.endswith(one.lstrip("./"))) for one in named)


def fitting(
    db: sqlite3.Connection,
    text: str,
    *,
    project: str | None,
    seen: Collection[str],
    now: float,
    most: int = DEFAULTS.retrieval.max_prompt_memories,
    settings: Settings = DEFAULTS,
    visible: Collection[str] = (),
) -> list[search.Hit]:
    """At most `most` memories that `text` calls for, best first; none that was `seen` or stands among the `visible` lines."""
    found = search.hits(db, text[:_PROMPT_CHARS], project=project, limit=_DEEP, now=now, retrieval=settings.retrieval)
    floor = max(settings.retrieval.prompt_floor, CUT * found[0].score) if found else 0.0
    kept: list[search.Hit] = []
    for hit in found:
        if hit.score < floor or not fits(hit) or len(kept) == most:
            continue
        there = hit.memory.id in seen or (visible and defused(render.one_line(hit.memory)) in visible)
        if not there and not any(_same(hit, other) for other in kept):
            kept.append(hit)
    return kept


def fits(hit: search.Hit) -> bool:
    """Whether the evidence is enough to speak up unasked: two words of the subject, or one that stands there as asked and is a
    good part of what was said."""
    own = [word for word in hit.found.own if word not in FRAME]
    exact = [word for word in hit.found.exact if word not in FRAME]
    return len(own) >= 2 or (len(exact) == 1 and hit.found.share >= ONE_WORD_SHARE)


def _same(hit: search.Hit, other: search.Hit) -> bool:
    return overlap(subject(hit.memory.text), subject(other.memory.text)) >= NEAR_DUPLICATE


def _noted(
    db: sqlite3.Connection,
    hits: list[search.Hit],
    *,
    project: Project | None,
    session: str,
    agent: str,
    now: float,
    place: str,
    generation: int,
) -> Aside:
    if not hits:
        return Aside("", ())
    shown = [hit.memory for hit in hits]
    stale = blobs.changed(project.root, shown) if project else frozenset[str]()
    text = fenced(render.aside(shown, now, stale=stale), meta(db, "nonce_secret"))
    with transaction(db):
        sessions.begin(db, session, agent=agent, project=project.id if project else None, now=now)
        sessions.mark_shown(db, session, [one.id for one in shown], place, now, generation)
    return Aside(text, tuple(one.id for one in shown))
