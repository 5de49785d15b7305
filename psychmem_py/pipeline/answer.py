"""What an agent is told when a session starts, a prompt is typed, a subagent begins."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from psychmem_py import config, health, journal, paths, project, topics
from psychmem_py.agents import Request
from psychmem_py.core.settings import Settings
from psychmem_py.pipeline.brief import brief
from psychmem_py.pipeline.prompt import edit, prompt, subagent
from psychmem_py.project import Project
from psychmem_py.store import sessions
from psychmem_py.store.connection import open_store, transaction

_STORE_S = 1.0  # an agent waits: a database in use is a reason to say nothing


def answer(request: Request, env: Mapping[str, str], now: float) -> str:
    """The text to put into the conversation, "" for nothing."""
    places = paths.places(env)
    settings = config.load(env, places)
    here = project.project_of(request.cwd, env) if request.cwd else None
    notice = health.notice(places.data) if request.event == "inject" else ""
    foreign = project.refused_name(request.cwd, env) if request.event == "inject" and request.cwd else ""
    notices = [notice] if notice else []
    if foreign:
        notices.append(
            f"The project name {foreign!r} of this directory belongs to another one; if it is the same, `psychmem trust`."
        )
    with open_store(paths.database(env, request.agent), now=now, timeout_s=_STORE_S) as db:
        known_as_shown(db, journal.pending(places.data, request.session))
        text = _text(db, request, here, settings, now, visible=_visible(request, env), notices=notices)
    if notice:
        health.told(places.data)
    return text


def known_as_shown(db: sqlite3.Connection, pending: journal.Pending) -> None:
    """Files what a ready brief has shown in the session's ledger."""
    if not pending.shown:
        return
    with transaction(db):
        sessions.begin(db, pending.session, agent=pending.agent, project=None, now=pending.shown[0][2])
        for memory, place, at in pending.shown:
            sessions.mark_shown(db, pending.session, [memory], place, at, sessions.generation(db, pending.session))


def _text(
    db: sqlite3.Connection,
    request: Request,
    here: Project | None,
    settings: Settings,
    now: float,
    *,
    visible: frozenset[str],
    notices: list[str],
) -> str:
    match request.event:
        case "inject":
            made = brief(
                db,
                project=here,
                session=request.session,
                agent=request.agent,
                source=request.source or "startup",
                settings=settings,
                now=now,
                shown_in_memory_md=visible,
                notices=notices,
            )
            return made.text
        case "prompt":
            return prompt(
                db,
                text=request.prompt,
                project=here,
                session=request.session,
                agent=request.agent,
                settings=settings,
                now=now,
                shown_in_memory_md=visible,
            ).text
        case "subagent-start":
            session = f"{request.session}/{request.subagent}"
            return subagent(
                db, text=request.prompt, project=here, session=session, agent=request.agent, settings=settings, now=now
            ).text
        case "edit" if isinstance(request.use, dict) and (edited := request.use.get("paths")) and isinstance(edited, tuple):
            path = str(edited[0])
            return edit(
                db, path=path, project=here, session=request.session, agent=request.agent, settings=settings, now=now
            ).text
    return ""


def _visible(request: Request, env: Mapping[str, str]) -> frozenset[str]:
    """The lines of MEMORY.md this conversation sees; none in an agent that does not read it, and in a subagent."""
    if request.agent != "claude-code" or not request.cwd or request.event not in ("inject", "prompt"):
        return frozenset()
    return topics.visible(topics.folder_of(request.cwd, env))
