"""What an agent is told when a session starts and no brief was made ready, resumes, or was compacted."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from psychmem_py.agents import claude_memory
from psychmem_py.agents.event import Request
from psychmem_py.briefing.brief import brief
from psychmem_py.briefing.focus import focus
from psychmem_py.handover import journal_reader
from psychmem_py.home import early_settings, health, places, project
from psychmem_py.model.settings import DEFAULTS, Settings
from psychmem_py.store import ledger, sessions
from psychmem_py.store.connection import open_store, transaction

_STORE_S = 1.0  # an agent waits: a database in use is a reason to say nothing


def answer(request: Request, env: Mapping[str, str], now: float) -> str:
    """The text to put into the conversation, "" for nothing."""
    data = places.data_folder(env)
    settings = _settings(env)
    here = project.project_of(request.cwd, env) if request.cwd else None
    notice = health.notice(data)
    foreign = project.refused_name(request.cwd, env) if request.cwd else ""
    notices = [notice] if notice else []
    if foreign:
        notices.append(
            f"The project name {foreign!r} of this directory belongs to another one; if it is the same, `psychmem trust`."
        )
    with open_store(early_settings.database_file(env, request.agent), now=now, timeout_s=_STORE_S) as db:
        known_as_shown(db, journal_reader.pending(data, request.session))
        made = brief(
            db,
            project=here,
            session=request.session,
            agent=request.agent,
            source=request.source or "startup",
            settings=settings,
            now=now,
            shown_in_memory_md=_visible(request, env),
            focus_words=focus(db, here, request.cwd, now),
            notices=notices,
        )
    if notice:
        health.told(data)
    return made.text


def _settings(env: Mapping[str, str]) -> Settings:
    if not early_settings.is_configured(env):
        return DEFAULTS
    from psychmem_py.home import config, paths  # noqa: PLC0415  # 7 ms of CPU, and most people change nothing

    return config.load(env, paths.places(env))


def known_as_shown(db: sqlite3.Connection, pending: journal_reader.Pending) -> None:
    """Files what hooks have shown without writing the database in the session's ledger."""
    if not pending.shown:
        return
    with transaction(db):
        for memory, place, at, generation, to in pending.shown:
            sessions.begin(db, to, agent=pending.agent, project=None, now=at)
            ledger.mark_shown(db, to, [memory], place, at, generation)


def _visible(request: Request, env: Mapping[str, str]) -> frozenset[str]:
    """The lines of MEMORY.md this conversation sees; none in an agent that does not read it."""
    if request.agent != "claude-code" or not request.cwd:
        return frozenset()
    return claude_memory.visible(claude_memory.folder_of(request.cwd, env))
